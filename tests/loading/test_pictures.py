"""Pictures of files, as they are described for comparison."""

import base64
import io
import zipfile

import pytest
import typst
from PIL import Image, ImageDraw

from simcompare.loading import load_document
from simcompare.loading.shared import pictures as loading_pictures
from simcompare.loading.shared.pictures import PictureCollector
from simcompare.model.document import PICTURE_SIDE, FlagName
from tests.helpers.essay_files import ENGLISH_PARAGRAPHS
from tests.helpers.open_document import write_odt
from tests.helpers.shared_pictures import SIZE, data_of, drawing, write_docx_with_pictures

TEXT = "\n\n".join(ENGLISH_PARAGRAPHS)


def word_file(folder, picture):
    return write_docx_with_pictures(folder / "essay.docx", ENGLISH_PARAGRAPHS, [picture])


def page(folder, picture):
    data, path = base64.b64encode(data_of(picture)).decode(), folder / "essay.html"
    path.write_text(f'<p>{TEXT}</p><img src="data:image/png;base64,{data}"><img src="other.png">', "utf-8")
    return path


def web_archive(folder, picture):
    path = folder / "essay.mht"
    path.write_text(
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n"
        f'<p>{TEXT}</p><img src="image001.png">\n--b\nContent-Type: image/png\n'
        "Content-Transfer-Encoding: base64\nContent-Location: image001.png\n\n"
        f"{base64.encodebytes(data_of(picture)).decode()}\n--b--\n",
        "utf-8",
    )
    return path


def open_document(folder, picture):
    frame = '<text:p><draw:frame><draw:image xlink:href="Pictures/1.png"/></draw:frame></text:p>'
    path = write_odt(folder / "essay.odt", f"<text:p>{TEXT}</text:p>{frame}")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("Pictures/1.png", data_of(picture))
    return path


def pdf(folder, picture, form="png"):
    (folder / f"picture.{form}").write_bytes(data_of(picture, {"png": "PNG", "jpg": "JPEG"}[form]))
    (folder / "essay.typ").write_text(f'{TEXT}\n\n#image("picture.{form}", width: 8cm)', "utf-8")
    path = folder / "essay.pdf"
    path.write_bytes(typst.compile(folder / "essay.typ"))
    return path


def pdf_of_jpeg(folder, picture):
    return pdf(folder, picture, "jpg")


@pytest.mark.parametrize("write", [word_file, page, web_archive, open_document, pdf, pdf_of_jpeg])
def test_that_each_format_gives_its_pictures_with_size_values_and_a_small_picture(tmp_path, write):
    (picture,) = load_document(write(tmp_path, drawing(1))).pictures
    assert (picture.number, picture.width, picture.height) == (1, *SIZE)
    assert picture.page == (1 if write in {pdf, pdf_of_jpeg} else None)
    assert len(picture.pixels) == 3 * PICTURE_SIDE**2
    with Image.open(io.BytesIO(picture.thumbnail)) as small:
        assert (small.format, max(small.size)) == ("JPEG", 160)
        middle = small.resize(SIZE).crop((150, 100, 330, 220)).resize((1, 1)).getpixel((0, 0))
    expected = drawing(1).crop((150, 100, 330, 220)).resize((1, 1)).getpixel((0, 0))
    assert max(abs(a - b) for a, b in zip(middle, expected, strict=True)) < 25


def line():
    return Image.new("RGB", (600, 40), "red")


def uniform():
    return Image.new("RGB", (300, 200), "#3366cc")


def ruler():
    picture = Image.new("RGB", (500, 300), "white")
    ImageDraw.Draw(picture).line((20, 150, 480, 150), "black", 6)
    return picture


def transparent():
    return Image.new("RGBA", (300, 200), (0, 0, 0, 0))


@pytest.mark.parametrize("empty", [line(), uniform(), ruler(), transparent(), drawing(1).resize((30, 20))])
def test_that_lines_tiny_and_uniform_pictures_are_left_out_without_a_word(tmp_path, empty):
    document = load_document(word_file(tmp_path, empty))
    assert not document.pictures
    assert FlagName.UNREAD_PICTURE not in {flag.name for flag in document.receipt.flags}


def test_that_a_repeated_picture_is_described_once_and_others_are_numbered(tmp_path):
    pictures = [drawing(1), drawing(2), drawing(1)]
    path = write_docx_with_pictures(tmp_path / "essay.docx", ENGLISH_PARAGRAPHS, pictures)
    assert [each.number for each in load_document(path).pictures] == [1, 2]


def test_that_broken_and_huge_pictures_fail_no_file_and_are_in_the_receipt(tmp_path, monkeypatch):
    path = write_docx_with_pictures(
        tmp_path / "essay.docx", ENGLISH_PARAGRAPHS, [drawing(n) for n in (1, 2, 3)]
    )
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["word/media/image2.png"] = members["word/media/image2.png"][:300]
    members["word/media/image3.png"] = data_of(drawing(3).resize((960, 640)))
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    monkeypatch.setattr(loading_pictures, "MOST_PIXELS", 500_000)
    document = load_document(path)
    assert [picture.number for picture in document.pictures] == [1]
    (flag,) = (flag for flag in document.receipt.flags if flag.name is FlagName.UNREAD_PICTURE)
    assert (flag.count, flag.doubtful) == (2, False)
    assert document.text == load_document(word_file(tmp_path, drawing(1))).text


def test_that_a_page_that_is_one_picture_is_no_picture_of_the_essay(tmp_path):
    (tmp_path / "scan.png").write_bytes(data_of(drawing(1).resize((800, 1130))))
    page = '#set page(margin: 0pt)\n#place(image("scan.png", width: 100%, height: 100%))\n'
    (tmp_path / "essay.typ").write_text(page + TEXT, "utf-8")
    (tmp_path / "essay.pdf").write_bytes(typst.compile(tmp_path / "essay.typ"))
    assert not load_document(tmp_path / "essay.pdf").pictures


def test_that_more_pictures_than_a_file_may_have_are_counted(monkeypatch):
    monkeypatch.setattr(loading_pictures, "MOST_COMPARED_PICTURES", 2)
    collector = PictureCollector()
    for seed in range(5):
        collector.add(data_of(drawing(seed)))
    assert len(collector.found) == 2
    assert [flag.count for flag in collector.flags()] == [3]


def test_that_drawings_of_office_programs_are_ignored():
    collector = PictureCollector()
    collector.add(b"\x01\x00\x00\x00EMF" + bytes(200))
    collector.add(None)
    assert not collector.found
    assert not list(collector.flags())
