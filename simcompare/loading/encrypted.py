"""Office files that ask for a password: what is inside them."""

import io

from simcompare.errors import (
    DamagedFileError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from simcompare.i18n import N_
from simcompare.loading.extraction import Source

_RIGHTS_MANAGED = "DRMEncrypted".encode("utf-16-le")


def decrypted(source: Source, password: str | None) -> Source:
    """Return the file inside an encrypted one; it is nowhere to be found afterwards.

    Raises PasswordNeededError without a password, WrongPasswordError where it does not open the file,
    UnsupportedFormatError for a file that only a company's server opens, DamagedFileError.
    """
    if _RIGHTS_MANAGED in source.data:
        raise UnsupportedFormatError(source.path, format=N_("protected by rights management"))
    if not password:
        raise PasswordNeededError(source.path)
    # loads cryptography, which files that are open do without
    from msoffcrypto.exceptions import DecryptionError, InvalidKeyError  # noqa: PLC0415

    try:
        return Source(source.path, _decrypted_bytes(source.data, password))
    except InvalidKeyError as error:
        raise WrongPasswordError(source.path) from error
    except DecryptionError as error:
        raise UnsupportedFormatError(source.path, format=N_("an unusual encryption")) from error
    except MemoryError:
        raise
    except Exception as error:
        # The library meets broken bytes with whatever error its parsers have.
        raise DamagedFileError(source.path, cause=N_("the encryption is broken")) from error


def _decrypted_bytes(data: bytes, password: str) -> bytes:
    import msoffcrypto  # noqa: PLC0415 - loads cryptography
    from msoffcrypto.format.doc97 import Doc97File  # noqa: PLC0415

    locked = msoffcrypto.OfficeFile(io.BytesIO(data))
    # Word 97-2003 files are always verified, and their class knows no such argument.
    verification = {} if isinstance(locked, Doc97File) else {"verify_password": True}
    locked.load_key(password=password, **verification)
    opened = io.BytesIO()
    locked.decrypt(opened)
    return opened.getvalue()
