"""Errors of a library on a server that the user can resolve."""

from simcompare.library.library_errors import LibraryError, LibraryNotWritableError
from simcompare.model.errors import SimcompareError
from simcompare.support.i18n import N_


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
