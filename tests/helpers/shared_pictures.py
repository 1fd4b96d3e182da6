"""Pictures drawn for tests, and essays that show them."""

import importlib.util
import io
import random
from collections.abc import Sequence
from pathlib import Path

import docx
import pytest
from docx.shared import Cm
from PIL import Image, ImageDraw

SIZE = 480, 320
needs_opencv = pytest.mark.skipif(
    importlib.util.find_spec("cv2") is None, reason="parts of pictures need OpenCV, of the extra ocr"
)


def drawing(seed: int) -> Image.Image:
    """Draw boxes, different ones for each seed."""
    chance, picture = random.Random(seed), Image.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(picture)
    for _box in range(8):
        x, y = chance.randrange(10, 380), chance.randrange(10, 250)
        box = x, y, x + chance.randrange(30, 90), y + chance.randrange(20, 60)
        pen.rectangle(box, chance.choice(["navy", "orange", "teal", "grey", "black"]))
    return picture


WORDS = ("plan", "data", "model", "user", "server", "query", "result", "sample", "error", "rate", "cost")


def diagram(seed: int) -> Image.Image:
    """Draw boxes with words and lines between them, different ones for each seed."""
    chance, picture, before = random.Random(seed), Image.new("RGB", SIZE, "white"), (0, 0)
    pen = ImageDraw.Draw(picture)
    for _box in range(9):
        x, y = chance.randrange(10, 370), chance.randrange(10, 260)
        pen.line((*before, x, y), "black", 2)
        pen.rectangle(
            (x, y, x + chance.randrange(70, 100), y + 40), chance.choice(["#dae8fc", "white"]), "black"
        )
        pen.text((x + 8, y + 8), " ".join(chance.sample(WORDS, 2)), "black", font_size=13)
        before = x, y
    return picture


def text(seed: int) -> Image.Image:
    """Draw lines of words."""
    chance, picture = random.Random(seed), Image.new("RGB", SIZE, "white")
    for y in range(10, 300, 18):
        ImageDraw.Draw(picture).text((10, y), " ".join(chance.choices(WORDS, k=9)), "black", font_size=12)
    return picture


def table(seed: int) -> Image.Image:
    """Draw a table of numbers with the same lines for each seed."""
    chance, picture = random.Random(seed), Image.new("RGB", SIZE, "white")
    for cell in range(42):
        x, y = 10 + 75 * (cell % 6), 10 + 42 * (cell // 6)
        ImageDraw.Draw(picture).rectangle((x, y, x + 75, y + 42), None, "black")
        ImageDraw.Draw(picture).text((x + 5, y + 5), f"{chance.uniform(0, 99):.2f}", "black", font_size=12)
    return picture


def data_of(picture: Image.Image, form: str = "PNG") -> bytes:
    written = io.BytesIO()
    picture.save(written, form)
    return written.getvalue()


def write_docx_with_pictures(path: Path, paragraphs: Sequence[str], pictures: Sequence[Image.Image]) -> Path:
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    for picture in pictures:
        document.add_picture(io.BytesIO(data_of(picture)), Cm(8))
    document.save(str(path))
    return path
