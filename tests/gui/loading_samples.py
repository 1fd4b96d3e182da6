"""Real files as students hand them in: with unseen text, as a saved web page, behind a password, broken."""

from pathlib import Path

import docx
from docx.shared import RGBColor

from tests.helpers.essay_files import CHINESE_PARAGRAPHS, CHINESE_TITLE, write_docx
from tests.helpers.locked_files import lock_docx, write_locked_pdf

PASSWORD = "Bridge 7"
WHITE_WORDS = "这一行白色的字谁也看不见。"
MENU_WORDS = "首页 新闻 体育 论坛"
LETTERS = "The old bridge stands over the river. Children fly kites there in spring."


def write_docx_with_white_text(path: Path) -> Path:
    """Write an essay whose third paragraph ends with white text."""
    write_docx(path, CHINESE_TITLE, CHINESE_PARAGRAPHS)
    document = docx.Document(str(path))
    document.paragraphs[2].add_run(WHITE_WORDS).font.color.rgb = RGBColor(255, 255, 255)
    document.save(str(path))
    return path


def write_web_page(path: Path, *, unseen: str = "") -> Path:
    """Write an article with the menu of its site; `unseen` is put between its letters."""
    menu = "".join(
        f'<li><a href="https://example.org/{number}">{word}</a></li>'
        for number, word in enumerate(MENU_WORDS.split() * 3)
    )
    article = "".join(f"<p>{unseen.join(text)}</p>" for text in CHINESE_PARAGRAPHS * 2)
    path.write_text(
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{CHINESE_TITLE}</title></head><body>'
        f"<nav><ul>{menu}</ul></nav><article><h1>{CHINESE_TITLE}</h1>{article}</article>"
        f"<aside><ul>{menu}</ul></aside><footer>{MENU_WORDS}</footer>"
        "<form><button>搜索</button></form></body></html>",
        encoding="utf-8",
    )
    return path


def write_locked_files(folder: Path) -> tuple[Path, Path]:
    """Write a Word file and a PDF that the same password opens."""
    word = write_docx(folder / "locked.docx", CHINESE_TITLE, CHINESE_PARAGRAPHS)
    return lock_docx(word, PASSWORD), write_locked_pdf(folder / "locked.pdf", LETTERS, PASSWORD)
