"""Readers are imported only when a file needs them, because every process start waits for imports."""

import subprocess
import sys

from tests.helpers import essay_files as files

_HEAVY = ("numpy", "pdfminer", "pypdfium2", "cryptography", "msoffcrypto", "trafilatura", "email", "PIL")


def test_that_a_word_file_imports_only_the_word_reader(tmp_path):
    path = files.write_docx(tmp_path / "essay.docx", "River", ["The river sings."])
    program = (
        "import sys; from pathlib import Path; from simcompare.loading import load_document; "
        f"load_document(Path(sys.argv[1])); print([name for name in {_HEAVY} if name in sys.modules])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "[]"
