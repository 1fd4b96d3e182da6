"""Places of libraries: files, and addresses of servers, whose passwords are never displayed."""

import builtins
import pickle
from pathlib import Path

import pytest

from simcompare.library.library_errors import (
    LibraryAddressError,
    PasswordInArgumentError,
    ServerDriverMissingError,
)
from simcompare.library.store.library_place import check_argument, default_library_path, library_place

pytest.importorskip("psycopg", reason="the extra postgresql is not installed")


def test_that_a_name_without_a_scheme_is_a_file():
    assert library_place("school.sqlite") == Path("school.sqlite")
    assert library_place("C:\\essays.sqlite") == Path("C:\\essays.sqlite")
    assert library_place(None) == default_library_path()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://li@school.example/essays", "postgresql://li@school.example/essays"),
        ("postgres://school.example:5433/essays", "postgresql://school.example:5433/essays"),
        ("postgresql:///essays", "postgresql:///essays"),
        (
            "postgresql://li:secret@school.example/essays?sslmode=verify-full&sslrootcert=/etc/school.pem",
            "postgresql://li@school.example/essays",
        ),
        ("postgresql://li@school.example/essays?password=secret", "postgresql://li@school.example/essays"),
    ],
)
def test_that_an_address_is_displayed_without_password_and_options(address, shown):
    place = library_place(address)
    assert str(place) == shown
    assert "secret" not in repr(place)


def test_that_options_of_tls_are_kept():
    place = library_place("postgresql://school.example/essays?sslmode=verify-full&sslrootcert=/etc/a%20b.pem")
    assert place.parameters["sslmode"] == "verify-full"
    assert place.parameters["sslrootcert"] == "/etc/a b.pem"


@pytest.mark.parametrize(
    ("address", "cause"),
    [
        ("mysql://li:secret@school.example/essays", "does not begin with postgresql://"),
        ("postgresql+psycopg://li:secret@school.example/essays", "does not begin with postgresql://"),
        ("postgresql://li:secret@school.example", "names no database"),
        ("postgresql://li:secret@school.example:port/essays", "not a valid address"),
        ("postgresql://li:my@secret@school.example/essays", "not a valid address"),
        ("postgresql://li:my/secret@school.example/essays", "not a valid address"),
        ("postgresql://li:12/secret@school.example/essays", "not a valid address"),
        ("postgresql://li:secret@school.example/essays?colour=red", "not a valid address"),
    ],
)
def test_that_another_address_is_refused_without_repeating_it(address, cause):
    with pytest.raises(LibraryAddressError, match=cause) as caught:
        library_place(address)
    assert "secret" not in str(caught.value)
    assert "secret" not in str(pickle.loads(pickle.dumps(caught.value)))


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://li:secret@school.example/essays",
        "postgresql://li@school.example/essays?password=secret",
        "postgresql://li@school.example/essays?sslpassword=secret",
    ],
)
def test_that_a_password_in_an_argument_is_refused(address):
    with pytest.raises(PasswordInArgumentError, match="PGPASSWORD"):
        check_argument(address)


def test_that_an_argument_without_a_password_is_accepted():
    check_argument("postgresql://li@school.example/essays?sslmode=require")
    check_argument("school.sqlite")
    check_argument(None)


def test_that_without_the_driver_a_sentence_says_how_to_install_it(monkeypatch):
    real_import = builtins.__import__

    def without_psycopg(name, *arguments, **named):
        if name.startswith("psycopg"):
            raise ModuleNotFoundError(name=name)
        return real_import(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without_psycopg)
    with pytest.raises(ServerDriverMissingError, match=r'pip install "simcompare\[postgresql\]"'):
        library_place("postgresql://li@school.example/essays")
    assert library_place("school.sqlite") == Path("school.sqlite")
