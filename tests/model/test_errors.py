"""Errors: messages name a remedy, pickle between processes, and have one base class."""

import copy
import errno
import pickle
import string
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from simcompare.loading import load_document
from simcompare.model import errors
from simcompare.model.errors import FileError, SimcompareError
from tests.helpers.patience import PATIENCE_S


def leaves(kind):
    below = kind.__subclasses__()
    return [leaf for sub in below for leaf in leaves(sub)] if below else [kind]


LEAVES = leaves(SimcompareError)


def fields_of(kind):
    return {name for _, name, _, _ in string.Formatter().parse(kind.template) if name}


def example(kind):
    """Make an error with a value for every field of its message."""
    values = {name: f"<{name}>" for name in fields_of(kind)}
    if not issubclass(kind, FileError):
        return kind(**values)
    return kind(
        Path("folder") / "作文.docx", **{k: v for k, v in values.items() if k not in {"name", "path"}}
    )


def raise_again(error):
    """Runs in another process."""
    raise error


@pytest.mark.parametrize("kind", LEAVES)
def test_that_a_message_holds_every_value_and_no_braces(kind):
    error = example(kind)
    message = str(error)
    assert not set(message) & set("{}")
    assert all(str(error.values[name]) in message for name in fields_of(kind))
    assert message.endswith(".")


@pytest.mark.parametrize("kind", LEAVES)
def test_that_an_error_survives_pickle_and_copy(kind):
    error = example(kind)
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(same) is kind
        assert same.values == error.values
        assert str(same) == str(error)


def test_that_errors_come_back_from_another_process():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for kind in LEAVES:
            with pytest.raises(kind) as caught:
                pool.submit(raise_again, example(kind)).result(timeout=PATIENCE_S)
            assert str(caught.value) == str(example(kind))


@pytest.mark.parametrize("kind", leaves(FileError))
def test_that_a_file_error_has_its_path(kind):
    error = example(kind)
    assert error.path == Path("folder") / "作文.docx"
    assert "作文.docx" in str(error)
    assert pickle.loads(pickle.dumps(error)).path == error.path


def test_that_braces_in_a_file_name_do_no_harm():
    error = errors.EmptyFileError("a{b}{0}.txt")
    assert "a{b}{0}.txt" in str(error)


@pytest.mark.parametrize(
    "number",
    [errno.EISDIR, errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP, errno.EIO],
)
def test_that_common_causes_have_our_own_wording(number):
    assert errors.cause_of(OSError(number, "words of the system")) != "words of the system"


def test_that_rare_causes_have_the_wording_of_the_system():
    assert errors.cause_of(OSError(errno.EXDEV, "words of the system")) == "words of the system"


@pytest.mark.parametrize(
    ("number", "winerror", "words"),
    [(errno.EACCES, 32, "another program"), (errno.EINVAL, 123, "a character that is not allowed")],
)
def test_that_causes_on_windows_have_our_own_wording(number, winerror, words):
    error = OSError(number, "words of the system")
    error.winerror = winerror
    assert words in errors.cause_of(error)


def test_that_an_invalid_file_name_has_our_own_wording(tmp_path):
    with pytest.raises(errors.FileNotReadableError, match="contains a character that is not allowed"):
        load_document(Path(f"{tmp_path}/a\0.txt"))


def test_that_the_folder_error_suggests_adding_its_files(tmp_path):
    folder = tmp_path / "class.docx"
    folder.mkdir()
    with pytest.raises(errors.FolderInsteadOfFileError, match=r"class\.docx is a folder.*Add the files"):
        load_document(folder)


def test_that_the_documented_error_tree_is_complete():
    named = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    for kind in named:
        assert kind.__name__ in errors.__doc__, kind
