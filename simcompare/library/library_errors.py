"""Errors of a library, in a file or on a server, that the user can resolve."""

from simcompare.model.errors import FileError, SimcompareError
from simcompare.support.i18n import N_


class LibraryError(FileError):
    """A library could not be opened, searched or changed.

    `path` is its file, or the address of its database without the password; `name` the name of the file or
    of the database.
    """


class NoLibraryError(LibraryError):
    template = N_("There is no library at {path}. Add essays to it first.")


class NetworkLibraryError(LibraryError):
    template = N_(
        "The library {name} is on a network drive ({system}), where it could be damaged. Keep it on a disk "
        "of this computer, and copy it to the network drive as a backup."
    )


class LibraryNotWritableError(LibraryError):
    template = N_("The library {name} cannot be written: {cause}. Choose another file, or allow writing.")


class NotUpdatedError(LibraryNotWritableError):
    template = N_(
        "The library {name} has to be updated once for this version of simcompare, but it cannot be written. "
        "Someone who may write to it has to open it once."
    )


class LibraryBusyError(LibraryError):
    template = N_("Another program is writing to the library {name}. Try again when it has finished.")


class DamagedLibraryError(LibraryError):
    template = N_(
        "{name} cannot be used as a library: {cause}. Restore an earlier copy, or choose another library."
    )


class NewerLibraryError(LibraryError):
    template = N_(
        "{name} is a library of a newer simcompare (version {version}; this one knows versions up to "
        "{known}). Install the newest simcompare."
    )


class ExportNotSavedError(FileError):
    template = N_(
        "The library cannot be exported to {name} in {folder}: {cause}. Choose another folder or name."
    )


class DamagedExportError(FileError):
    template = N_("{name} cannot be imported: {cause}. Export the library again, or use another copy.")


class NewerExportError(FileError):
    template = N_(
        "{name} was exported by a newer simcompare (version {version}; this one knows versions up to "
        "{known}). Install the newest simcompare."
    )


class NotFingerprintedError(LibraryError):
    template = N_(
        "{reason} {name} has {count} entries without fingerprints of paragraphs and sentences. Somebody who "
        "may add entries has to search it by fingerprints once."
    )


class NotEncodedError(LibraryError):
    template = N_(
        "{reason} {name} has {count} entries whose meaning is not known yet, so that rewritten or translated "
        "text may be missed. Somebody who may add entries has to search it by meaning once."
    )


class NotSearchedError(FileError):
    template = N_("{name} was not searched in the library: {cause}.")


class TagError(SimcompareError):
    template = N_(
        "{tag} is not a tag. Write a name of up to 64 characters and a value of up to 500, such as class=3."
    )


class RetentionDateError(SimcompareError):
    template = N_("{date} is not a date. Write year, month and day, such as 2028-07-31.")


class PseudonymKeyError(FileError):
    template = N_("Students cannot be stored by pseudonym, as their key {name} cannot be used: {cause}.")


class NoSuchEntryError(SimcompareError):
    template = N_("The library has no entry {entry}. List its entries with “simcompare library list”.")


class ServerDriverMissingError(SimcompareError):
    template = N_(
        "A library on a server needs a further package. Install it with: "
        'pip install "simcompare[postgresql]" – or name a file with --library.'
    )


class LibraryAddressError(SimcompareError):
    template = N_(
        "The address of the library cannot be used: {cause}. Write it as postgresql://user@host/database, "
        "or name a file."
    )


class PasswordInArgumentError(SimcompareError):
    template = N_(
        "Other users of this computer can see the password in a command. Leave it out of --library, and set "
        "it in the environment variable PGPASSWORD or in the file ~/.pgpass."
    )


class ServerUnavailableError(LibraryError):
    template = N_(
        "The library {path} is not available: {cause}. Check the address and the network, or ask the "
        "administrator of the server."
    )


class ServerAccessError(LibraryError):
    template = N_(
        "The server does not open the library {path}: {cause}. Check the user, and the password in the "
        "environment variable PGPASSWORD or in the file ~/.pgpass."
    )


class NoDatabaseError(LibraryError):
    template = N_(
        "The server of {path} has no database {name}. Correct the address, or ask the administrator of the "
        "server to create the database."
    )


class ServerTooOldError(LibraryError):
    template = N_(
        "The server of {path} runs PostgreSQL {version}, and a library needs version {oldest} or newer. Ask "
        "its administrator for another server."
    )


class DatabaseEncodingError(LibraryError):
    template = N_(
        "The database of {path} has the encoding {encoding}, and a library needs UTF8. Ask the administrator "
        "of the server to create it with “createdb --encoding=UTF8 --template=template0 {name}”."
    )


class ConnectionLostError(LibraryError):
    template = N_(
        "The connection to the library {path} was lost. Repeat the command when the server runs again: what "
        "is stored already is not stored twice."
    )


class LibraryRightsError(LibraryError):
    template = N_(
        "Your user of the database may not do this in the library {path}. Ask its administrator for the "
        "right."
    )


class UpdateRightsError(LibraryRightsError):
    template = N_(
        "The tables of the library {path} have to be created or updated, which your user of the database may "
        "not do. Ask its administrator to open it with this version of simcompare."
    )


class ServerNotWritableError(LibraryNotWritableError):
    template = N_(
        "The library {path} cannot be written: {cause}. Nothing was changed. Ask the administrator of the "
        "server."
    )
