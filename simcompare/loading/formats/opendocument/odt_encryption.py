"""Manifest of an OpenDocument archive, and decryption of its parts.

OpenDocument 1.2 part 3, section 4: each part is deflated, then encrypted.
"""

import base64
import binascii
import hashlib
import zlib
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from simcompare.loading.archive import Archive, parsed_xml
from simcompare.loading.shared.xml_elements import attribute, child, local_name, number_of, without_doctype
from simcompare.model.errors import (
    DamagedFileError,
    FileTooLargeError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from simcompare.support.i18n import N_

_MANIFEST = "META-INF/manifest.xml"
# LibreOffice 24.8 and later encrypts the whole package as one part of this name.
_WHOLE_PACKAGE = "encrypted-package"
_MAX_PART_BYTES = 100_000_000
# Limit for hostile files; 100,000 iterations are usual.
_MAX_ITERATIONS = 2_000_000
_CHECKED_BYTES = 1024
_BROKEN = N_("the encryption is broken")


@dataclass(frozen=True, slots=True)
class _PartEncryption:
    """Encryption of a part. `start` and `checked` are names of hashlib digests."""

    vector: bytes
    salt: bytes
    iterations: int
    start: str
    checked: str | None
    checksum: bytes


class OdtManifest:
    """Reads the parts of an archive; encrypted ones are opened with `password`."""

    def __init__(self, path: Path, archive: Archive, password: str | None) -> None:
        self._path = path
        self._archive = archive
        self._password = password
        self._encryption_elements = self._encrypted_parts()
        if self._encryption_elements and not password:
            raise PasswordNeededError(path)
        if _WHOLE_PACKAGE in self._encryption_elements:
            raise self._unusual()

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a part, or None if there is none.

        Raises WrongPasswordError, UnsupportedFormatError, DamagedFileError or FileTooLargeError.
        """
        data = self._archive.read(name)
        if data is None or name not in self._encryption_elements:
            return data
        encryption = self._part_encryption(self._encryption_elements[name])
        packed = self._decrypted(data, encryption)
        if (
            encryption.checked
            and hashlib.new(encryption.checked, packed[:_CHECKED_BYTES]).digest() != encryption.checksum
        ):
            raise WrongPasswordError(self._path)
        return self._inflated(packed)

    def _encrypted_parts(self) -> dict[str, etree._Element]:
        data = self._archive.read(_MANIFEST)
        if data is None or b"encryption-data" not in data:
            return {}
        entries = parsed_xml(self._path, without_doctype(data)).iter("{*}file-entry")
        found = ((attribute(entry, "full-path") or "", child(entry, "encryption-data")) for entry in entries)
        return {name: encryption for name, encryption in found if encryption is not None}

    def _unusual(self) -> UnsupportedFormatError:
        return UnsupportedFormatError(self._path, format=N_("an unusual encryption"))

    def _part_encryption(self, encryption: etree._Element) -> _PartEncryption:
        named = {local_name(inner): inner for inner in encryption}
        algorithm, derivation = named.get("algorithm"), named.get("key-derivation")
        iterations = number_of(attribute(derivation, "iteration-count"), 0)
        if (
            not (attribute(algorithm, "algorithm-name") or "").endswith("#aes256-cbc")
            or not (attribute(derivation, "key-derivation-name") or "").upper().endswith("PBKDF2")
            or not 0 < iterations <= _MAX_ITERATIONS
        ):
            raise self._unusual()
        start = attribute(named.get("start-key-generation"), "start-key-generation-name") or ""
        return _PartEncryption(
            vector=self._bytes(attribute(algorithm, "initialisation-vector")),
            salt=self._bytes(attribute(derivation, "salt")),
            iterations=iterations,
            start="sha256" if start.lower().endswith("sha256") else "sha1",
            checked=_digest_name(attribute(encryption, "checksum-type") or ""),
            checksum=self._bytes(attribute(encryption, "checksum")),
        )

    def _bytes(self, text: str | None) -> bytes:
        try:
            return base64.b64decode(text or "")
        except (binascii.Error, ValueError) as error:
            raise DamagedFileError(self._path, cause=_BROKEN) from error

    def _decrypted(self, data: bytes, encryption: _PartEncryption) -> bytes:
        # not needed for unencrypted documents
        from cryptography.hazmat.primitives.ciphers import Cipher  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.algorithms import AES256  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.modes import CBC  # noqa: PLC0415

        start = hashlib.new(encryption.start, (self._password or "").encode()).digest()
        key = hashlib.pbkdf2_hmac("sha1", start, encryption.salt, encryption.iterations, 32)
        try:
            decryptor = Cipher(AES256(key), CBC(encryption.vector)).decryptor()
            padded = decryptor.update(data) + decryptor.finalize()
        except ValueError as error:
            raise DamagedFileError(self._path, cause=_BROKEN) from error
        # The last byte is the length of the padding.
        return padded[: -padded[-1]] if padded else padded

    def _inflated(self, packed: bytes) -> bytes:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            data = inflater.decompress(packed, _MAX_PART_BYTES)
        except zlib.error as error:
            raise WrongPasswordError(self._path) from error
        if inflater.unconsumed_tail:
            raise FileTooLargeError(self._path, cause=N_("it is too large when unpacked"))
        return data


def _digest_name(checksum_type: str) -> str | None:
    kind = checksum_type.lower()
    if not kind.endswith("1k"):
        return None
    return "sha256" if "sha256" in kind else "sha1"
