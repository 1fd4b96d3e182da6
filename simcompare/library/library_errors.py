"""Errors of a library that the user can resolve."""

from simcompare.model.errors import FileError, SimcompareError
from simcompare.support.i18n import N_


class LibraryError(FileError):
    """A library could not be opened, searched or changed.

    `path` is its file, or the address of its database without the password; `name` the name of the file or
    of the database.
    """


class NoLibraryError(LibraryError):
    """There is no file, or an empty one."""

    template = N_("There is no library at {path}. Add essays to it first, with “simcompare library add”.")


class NetworkLibraryError(LibraryError):
    """The file is on a drive of another computer. Values: system (type of the file system)."""

    template = N_(
        "The library {name} is on a network drive ({system}), where it could be damaged. Keep it on a disk "
        "of this computer, and copy it to the network drive as a backup."
    )


class LibraryNotWritableError(LibraryError):
    """The file or its folder cannot be written. Values: cause."""

    template = N_(
        "The library {name} cannot be written: {cause}. Choose another file with --library, or allow writing."
    )


class LibraryBusyError(LibraryError):
    """Another program has been writing for too long."""

    template = N_("Another program is writing to the library {name}. Try again when it has finished.")


class DamagedLibraryError(LibraryError):
    """The file is no library, or is broken. Values: cause."""

    template = N_(
        "{name} cannot be used as a library: {cause}. Restore an earlier copy, or choose another library."
    )


class NewerLibraryError(LibraryError):
    """The library was made by a newer program. Values: version, known."""

    template = N_(
        "{name} is a library of a newer simcompare (version {version}; this one knows versions up to "
        "{known}). Install the newest simcompare."
    )


class ServerDriverMissingError(SimcompareError):
    """The optional package that connects to a server is not installed."""

    template = N_(
        "A library on a server needs a further package. Install it with: "
        'pip install "simcompare[postgresql]" – or name a file with --library.'
    )


class LibraryAddressError(SimcompareError):
    """The address of a server cannot be used. Values: cause."""

    template = N_(
        "The address of the library cannot be used: {cause}. Write it as postgresql://user@host/database, "
        "or name a file."
    )


class PasswordInArgumentError(SimcompareError):
    """A password in an argument of a command."""

    template = N_(
        "Other users of this computer can see the password in a command. Leave it out of --library, and set "
        "it in the environment variable PGPASSWORD or in the file ~/.pgpass."
    )


class ServerUnavailableError(LibraryError):
    """The server cannot be reached, or does not work. Values: cause."""

    template = N_(
        "The library {path} is not available: {cause}. Check the address and the network, or ask the "
        "administrator of the server."
    )


class ServerAccessError(LibraryError):
    """The server does not accept the user. Values: cause."""

    template = N_(
        "The server does not open the library {path}: {cause}. Check the user, and the password in the "
        "environment variable PGPASSWORD or in the file ~/.pgpass."
    )


class NoDatabaseError(LibraryError):
    """The server has no such database."""

    template = N_(
        "The server of {path} has no database {name}. Correct the address, or ask the administrator of the "
        "server to create the database."
    )


class ServerTooOldError(LibraryError):
    """The server has an old version of PostgreSQL. Values: version, oldest."""

    template = N_(
        "The server of {path} runs PostgreSQL {version}, and a library needs version {oldest} or newer. Ask "
        "its administrator for another server."
    )


class DatabaseEncodingError(LibraryError):
    """The database cannot store every character. Values: encoding."""

    template = N_(
        "The database of {path} has the encoding {encoding}, and a library needs UTF8. Ask the administrator "
        "of the server to create it with: createdb --encoding=UTF8 --template=template0 {name}"
    )


class ConnectionLostError(LibraryError):
    """The connection was lost within a transaction, which changed nothing, or in the moment it ended."""

    template = N_(
        "The connection to the library {path} was lost. Repeat the command when the server runs again: what "
        "is stored already is not stored twice."
    )


class LibraryRightsError(LibraryError):
    """The database user has no right to do this."""

    template = N_(
        "Your user of the database may not do this in the library {path}. Ask its administrator for the "
        "right."
    )


class UpdateRightsError(LibraryRightsError):
    """The database user may not make or change the tables."""

    template = N_(
        "The tables of the library {path} have to be created or updated, which your user of the database may "
        "not do. Ask its administrator to open it with this version of simcompare."
    )


class ServerNotWritableError(LibraryNotWritableError):
    """The server cannot store anything. Values: cause."""

    template = N_(
        "The library {path} cannot be written: {cause}. Nothing was changed. Ask the administrator of the "
        "server."
    )


class TagError(SimcompareError):
    """A tag without a name or a value. Values: tag."""

    template = N_("{tag} is no tag. Write a name and a value, such as class=3.")


class NoSuchEntryError(SimcompareError):
    """No entry has this number. Values: entry."""

    template = N_("The library has no entry {entry}. List its entries with “simcompare library list”.")
