"""Pictures drawn for tests, and essays that show them."""

import io
import random
from collections.abc import Sequence
from pathlib import Path

import docx
from docx.shared import Cm
from PIL import Image, ImageDraw

SIZE = 480, 320


def drawing(seed: int) -> Image.Image:
    """Draw boxes, different ones for each seed."""
    chance, picture = random.Random(seed), Image.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(picture)
    for _box in range(8):
        x, y = chance.randrange(10, 380), chance.randrange(10, 250)
        box = x, y, x + chance.randrange(30, 90), y + chance.randrange(20, 60)
        pen.rectangle(box, chance.choice(["navy", "orange", "teal", "grey", "black"]))
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
