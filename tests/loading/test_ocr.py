"""Text recognition of rendered print. Needs the extra "ocr"."""

import difflib
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.formats.ocr.ocr_engine import available
from simcompare.model.document import FlagName
from simcompare.model.errors import DamagedFileError, EmptyFileError, FileTooLargeError
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, ENGLISH_PARAGRAPHS
from tests.helpers.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(not available(), reason='text recognition is an extra: pip install ".[ocr]"')

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc",
    "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc",
    "C:/Windows/Fonts/simsun.ttc",
    "/System/Library/Fonts/PingFang.ttc",
)


def _recognised(path: Path, pages: int = 1):
    from simcompare.loading.formats.ocr.ocr_task import recognise_page

    options = ReadingOptions()
    known = {number: recognise_page(path, number, options) for number in range(1, pages + 1)}
    return load_document(path, ReadingOptions(recognised=known))


def _accuracy(text: str, expected: str) -> float:
    """Return the ratio of matching characters in order, spaces not counted."""
    found, wanted = "".join(text.split()), "".join(expected.split())
    return difflib.SequenceMatcher(None, found, wanted, autojunk=False).ratio()


def _drawn_sample(name: str, dots_an_inch: int = 200):
    import pypdfium2

    document = pypdfium2.PdfDocument(SAMPLES / name)
    picture = document[0].render(scale=dots_an_inch / 72).to_pil()
    document.close()
    return picture


def _text_of_sample(name: str) -> str:
    """Return the text on the first page of a sample."""
    document = load_document(SAMPLES / name)
    pages = document.character_boxes.pages
    return "".join(char for char, page in zip(document.text, pages, strict=True) if page == 1)


def _printed(lines, *, size=34, width=1653, height=2339):
    """Draw lines at given positions, as in a scan at 200 dots per inch."""
    from PIL import Image, ImageDraw, ImageFont

    font_path = next((path for path in FONTS if Path(path).exists()), None)
    if font_path is None:
        pytest.skip("no Chinese font is here")
    picture = Image.new("RGB", (width, height), "white")
    font = ImageFont.truetype(font_path, size)
    for x, y, text in lines:
        ImageDraw.Draw(picture).text((x, y), text, fill="black", font=font)
    return picture


def _column(text: str, x: int, y: int, letters: int):
    pieces = [text[start : start + letters] for start in range(0, len(text), letters)]
    return [(x, y + 56 * row, piece) for row, piece in enumerate(pieces)]


@pytest.fixture(scope="module")
def chinese_page():
    return _drawn_sample("石桥记.pdf")


def test_that_a_scanned_chinese_essay_is_recognised(tmp_path, chinese_page):
    chinese_page.save(tmp_path / "scan.pdf", resolution=200)
    document = _recognised(tmp_path / "scan.pdf")
    assert _accuracy(document.text, _text_of_sample("石桥记.pdf")) > 0.97
    assert document.title == "石桥记"
    first_page = [block for block in load_document(SAMPLES / "石桥记.pdf").blocks if block.anchor.page == 1]
    # the header of a single page cannot be recognised as such
    assert len(document.blocks) == len(first_page) + 1
    assert document.receipt.reader == "pypdfium2, RapidOCR"
    assert not document.receipt.doubtful
    boxes = document.character_boxes
    place = document.text.index("桥建造于1926年")
    x0, y0, x1, y1 = boxes.boxes[place]
    # the character is about 12 points wide and high, in the upper third of an A4 sheet
    assert 8 < x1 - x0 < 18
    assert 8 < y1 - y0 < 22
    assert 560 < y0 < 700


def test_that_a_photograph_of_english_print_is_recognised(tmp_path):
    picture = _drawn_sample("Waiting for the last bus.pdf")
    # EXIF orientation of a phone held sideways
    exif = picture.getexif()
    exif[0x0112] = 6
    picture.rotate(90, expand=True).save(tmp_path / "photo.jpg", exif=exif)
    document = _recognised(tmp_path / "photo.jpg")
    assert _accuracy(document.text, _text_of_sample("Waiting for the last bus.pdf")) > 0.97
    (flag,) = (flag for flag in document.receipt.flags if flag.name == FlagName.RECOGNISED_TEXT)
    assert not flag.doubtful


@pytest.mark.parametrize("degrees", [90, 180, 270, 4])
def test_that_a_scan_may_have_any_orientation(tmp_path, chinese_page, degrees):
    turned = chinese_page.rotate(degrees, expand=True, fillcolor="white")
    turned.save(tmp_path / "scan.png")
    assert _accuracy(_recognised(tmp_path / "scan.png").text, _text_of_sample("石桥记.pdf")) > 0.97


def test_that_two_columns_are_read_one_after_the_other(tmp_path):
    left, right = CHINESE_PARAGRAPHS[0], CHINESE_PARAGRAPHS[3]
    lines = [
        (500, 120, "论作文的雷同与河边的风筝故事"),
        *_column(left, 120, 260, 18),
        *_column(right, 880, 260, 18),
    ]
    _printed(lines).save(tmp_path / "columns.png")
    text = _recognised(tmp_path / "columns.png").text
    assert _accuracy(text, lines[0][2] + left + right) > 0.97


def test_that_every_page_of_a_tiff_is_read(tmp_path):
    pages = [_printed(_column(text, 120, 200, 40), height=900) for text in CHINESE_PARAGRAPHS[:2]]
    pages[0].save(tmp_path / "fax.tif", save_all=True, append_images=pages[1:])
    document = _recognised(tmp_path / "fax.tif", pages=2)
    assert document.receipt.pages == 2
    assert _accuracy(document.text, "".join(CHINESE_PARAGRAPHS[:2])) > 0.97


@pytest.mark.parametrize("form", ["bmp", "gif", "webp"])
def test_that_pictures_of_many_formats_are_read(tmp_path, form):
    _printed(_column(ENGLISH_PARAGRAPHS[1], 100, 100, 60), height=500).save(tmp_path / f"picture.{form}")
    assert _accuracy(_recognised(tmp_path / f"picture.{form}").text, ENGLISH_PARAGRAPHS[1]) > 0.97


def test_that_print_on_transparency_is_read_as_on_white(tmp_path):
    from PIL import Image

    ink = _printed(_column(CHINESE_PARAGRAPHS[1], 120, 100, 40), height=500).convert("L")
    picture = Image.new("RGBA", ink.size, (0, 0, 0, 0))
    picture.putalpha(ink.point(lambda value: 255 - value))
    picture.save(tmp_path / "clear.png")
    assert _accuracy(_recognised(tmp_path / "clear.png").text, CHINESE_PARAGRAPHS[1]) > 0.97


def test_that_a_long_screen_shot_is_read_to_its_end(tmp_path):
    text = "".join(CHINESE_PARAGRAPHS) * 2
    lines = _column(text, 40, 60, 18)
    picture = _printed(lines, width=720, height=60 + 56 * len(lines) + 60)
    assert picture.height > 3 * picture.width
    picture.save(tmp_path / "screen.png")
    assert _accuracy(_recognised(tmp_path / "screen.png").text, text) > 0.97


def test_that_a_blurred_noisy_page_is_doubtful(tmp_path, chinese_page):
    from PIL import Image

    pixels = np.asarray(chinese_page.convert("L"), dtype=np.float64)
    noise = np.random.default_rng(7).normal(0, 110, pixels.shape)
    Image.fromarray((pixels + noise).clip(0, 255).astype(np.uint8)).save(tmp_path / "bad.png")
    assert _recognised(tmp_path / "bad.png").receipt.doubtful


def test_that_a_picture_without_text_is_empty(tmp_path):
    from PIL import Image

    Image.new("RGB", (800, 600), "white").save(tmp_path / "white.png")
    with pytest.raises(EmptyFileError):
        _recognised(tmp_path / "white.png")


def test_that_a_picture_of_too_many_pixels_is_refused(tmp_path):
    from PIL import Image

    Image.new("1", (20_000, 20_000)).save(tmp_path / "bomb.png")
    with pytest.raises(FileTooLargeError, match="100 million pixels"):
        load_document(tmp_path / "bomb.png", ReadingOptions(recognised={}))


def test_that_a_truncated_picture_is_damaged(tmp_path, chinese_page):
    whole = BytesIO()
    chinese_page.save(whole, "PNG")
    (tmp_path / "cut.png").write_bytes(whole.getvalue()[:5000])
    with pytest.raises(DamagedFileError, match="incomplete or broken"):
        _recognised(tmp_path / "cut.png")


def test_that_a_picture_without_its_size_is_damaged(tmp_path):
    (tmp_path / "odd.tif").write_bytes(b"II*\0\x08\0\0\0\x01\0\x00\x01\x02\0\x01\0\0\0a\0\0\0\0\0\0\0")
    with pytest.raises(DamagedFileError, match="incomplete or broken"):
        load_document(tmp_path / "odd.tif", ReadingOptions(recognised={}))


def test_that_nothing_is_fetched(tmp_path):
    """Recognise with all network access blocked, in a new process."""
    _printed(_column(CHINESE_PARAGRAPHS[1], 120, 100, 40), height=300).save(tmp_path / "picture.png")
    program = (
        "import socket, sys\n"
        "def refuse(*_args, **_named): raise AssertionError('the network was asked')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from pathlib import Path\n"
        "from simcompare.loading.formats.ocr.ocr_task import recognise_page\n"
        "from simcompare.loading.extraction import ReadingOptions\n"
        "page = recognise_page(Path(sys.argv[1]), 1, ReadingOptions()).page\n"
        "print(sum(len(line.text) for line in page.lines))\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "picture.png")]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        command, cwd=root, env=os.environ, capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    assert int(done.stdout) > 20
