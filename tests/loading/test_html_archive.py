"""Web archives: the page inside is read like any page, whichever program saved it."""

import base64
import quopri

import pytest

from simcompare.loading import load_document, sniff
from simcompare.loading.extraction import DEFAULT_OPTIONS, ReadingOptions
from simcompare.model.document import DropReason, FlagName, Place
from simcompare.model.errors import DamagedFileError, TextNotInFileError

PAGE = (
    "<html><head><title>秋天的河</title>{}</head>"
    "<body><h1>秋天的河</h1><p>河水清清的，一年四季都在唱歌。</p>{}</body></html>"
)
LINES = ["秋天的河", "河水清清的，一年四季都在唱歌。"]


def _part(data, kind="text/html", coding="quoted-printable", *headers):
    body = {"quoted-printable": quopri.encodestring, "base64": base64.encodebytes, "8bit": bytes}[coding](
        data
    )
    head = "\r\n".join([f"Content-Type: {kind}", f"Content-Transfer-Encoding: {coding}", *headers])
    return head.encode() + b"\r\n\r\n" + body + b"\r\n"


def _load(tmp_path, *parts, kind='multipart/related; type="text/html"', options=DEFAULT_OPTIONS):
    head = (
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/a\r\n"
        "Subject: =?utf-8?Q?=E7=A7=8B?=\r\nDate: Fri, 3 May 2024 10:00:00 -0000\r\nMIME-Version: 1.0\r\n"
        f'Content-Type: {kind};\r\n\tboundary="----Part--x----"\r\n\r\n\r\n'
    ).encode()
    body = b"".join(b"------Part--x----\r\n" + part for part in parts)
    path = tmp_path / "page.mhtml"
    path.write_bytes(head + body + b"------Part--x------\r\n")
    return load_document(path, options)


@pytest.mark.parametrize("coding", ["quoted-printable", "base64", "8bit"])
@pytest.mark.parametrize(
    ("encoding", "charset"),
    [
        ("utf-8", ""),
        ("utf-8", '; charset="utf-8"'),
        ("gbk", "; charset=gb2312"),
        ("utf-16", '; charset="unicode"'),
    ],
)
def test_that_a_page_is_decoded_as_its_part_says(tmp_path, coding, encoding, charset):
    if (coding, encoding) == ("8bit", "utf-16"):
        pytest.skip("no program writes line ends into UTF-16")
    part = _part(PAGE.format("", "").encode(encoding), f"text/html{charset}", coding)
    document = _load(tmp_path, part)
    assert document.text.split("\n") == LINES
    assert (document.receipt.reader, document.receipt.format) == ("mhtml", "mhtml")
    assert document.title == "秋天的河"


def test_that_the_part_named_as_start_is_the_page_and_others_follow(tmp_path):
    header = (
        "<html><body><div style='mso-element:header' id=h1><p class=MsoHeader>三班</p></div>"
        "<p>框架里的话</p></body></html>"
    )
    document = _load(
        tmp_path,
        _part(header.encode(), "text/html; charset=utf-8"),
        _part(b"\x89PNG....", "image/png", "base64", "Content-Location: image001.png"),
        _part(PAGE.format("", "").encode(), "text/html", "base64", "Content-ID: <main@x>"),
        kind='multipart/related; start="<main@x>"',
    )
    assert document.text.split("\n") == [*LINES, "框架里的话"]
    assert [(d.reason, d.excerpt) for d in document.receipt.dropped] == [(DropReason.PAGE_HEADER, "三班")]


def test_that_a_style_sheet_in_the_archive_is_known(tmp_path):
    page = PAGE.format("<link rel=stylesheet href='cid:css-1@x'>", "<p class=x>看不见的话</p>")
    sheet = _part(b".x { color: #fff }", "text/css", "quoted-printable", "Content-Location: cid:css-1@x")
    document = _load(tmp_path, _part(page.encode()), sheet)
    assert document.text.split("\n") == LINES
    [flag] = document.receipt.flags
    assert (flag.name, flag.count, flag.places) == (FlagName.WHITE_TEXT, 5, (Place(paragraph=2),))


def test_that_unseen_text_of_a_frame_is_placed_among_all_paragraphs(tmp_path):
    frame = "<html><body><p>一。</p><p>二。<span style='font-size:0'>藏</span></p></body></html>"
    document = _load(tmp_path, _part(PAGE.format("", "").encode()), _part(frame.encode()))
    assert document.receipt.flags[0].places == (Place(paragraph=4),)


def test_that_frames_around_an_article_are_navigation(tmp_path):
    links = "".join(f'<li><a href="https://example.org/{n}">更多{n}</a></li>' for n in range(9))
    text = "".join(f"<p>第{n}段说的是河边的秋天，树叶一片一片地落在水里。</p>" for n in range(9))
    page = f"<html><body><nav><ul>{links}</ul></nav><article>{text}</article></body></html>"
    parts = _part(page.encode()), _part("<html><body><p>广告词</p></body></html>".encode())
    document = _load(tmp_path, *parts)
    assert "广告词" not in document.text
    assert [dropped.reason for dropped in document.receipt.dropped] == [DropReason.NAVIGATION]
    assert "广告词" in _load(tmp_path, *parts, options=ReadingOptions(whole_page=True)).text


def test_that_html_is_preferred_and_plain_text_read_without_it(tmp_path):
    plain = _part("河水。\n秋天 < 冬天。".encode(), "text/plain; charset=utf-8")
    both = _load(tmp_path, plain, _part(PAGE.format("", "").encode()), kind="multipart/alternative")
    assert both.text.split("\n") == LINES
    assert _load(tmp_path, plain, kind="multipart/mixed").text.split("\n") == ["河水。", "秋天 < 冬天。"]


def test_that_an_archive_of_frames_gives_their_texts(tmp_path):
    frames = "<html><frameset cols='20%,*'><frame src=a.htm><frame src=b.htm></frameset></html>"
    page = "<html><body><p>{}</p></body></html>"
    parts = [_part(page.format(text).encode()) for text in ("一。", "二。")]
    assert _load(tmp_path, _part(frames.encode()), *parts).text.split("\n") == ["一。", "二。"]
    with pytest.raises(TextNotInFileError):
        _load(tmp_path, _part(frames.encode()))


def test_that_an_archive_without_a_page_says_so(tmp_path):
    with pytest.raises(DamagedFileError, match="no page is in the archive"):
        _load(tmp_path, _part(b"\x89PNG", "image/png", "base64"))


def test_that_an_archive_of_thousands_of_nested_parts_is_refused(tmp_path):
    nested = "".join(f'Content-Type: multipart/mixed; boundary="{n}"\n\n--{n}\n' for n in range(3000))
    path = tmp_path / "bomb.mht"
    path.write_text(f"MIME-Version: 1.0\n{nested}", encoding="utf-8")
    with pytest.raises(DamagedFileError, match="nested too deeply"):
        load_document(path)


def test_that_a_truncated_archive_gives_its_remaining_text(tmp_path):
    path = tmp_path / "cut.mht"
    page = base64.encodebytes(PAGE.format("", "").encode())[:-9]
    path.write_bytes(
        b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: text/html\n'
        b"Content-Transfer-Encoding: base64\n\n" + page
    )
    assert load_document(path).text.split("\n") == LINES


def test_that_an_archive_is_recognised_by_its_headers_however_long():
    address = b"Snapshot-Content-Location: https://example.org/" + b"a" * 3000
    head = b"\r\n".join(
        [b"From: <Saved by Blink>", address, b"MIME-Version: 1.0", b"Content-Type: multipart/related;"]
    )
    assert sniff(head + b"\r\n\tboundary=x\r\n\r\n--x\r\n") == "mhtml"


def test_that_a_text_about_mail_is_no_archive():
    assert sniff(b"An essay.\nMIME-Version: 1.0 is what mails say.\n\nMore.") == "text"
