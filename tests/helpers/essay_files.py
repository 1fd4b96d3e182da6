"""Write one essay as DOCX, HTML, text and PDF, and files that are difficult to read."""

import base64
import html
import io
import quopri
import shutil
import subprocess
import zipfile
from pathlib import Path

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt

from tests.helpers.patience import PATIENCE_S

CHINESE_TITLE = "论作文的雷同"
CHINESE_PARAGRAPHS = [
    "我家门前有一条小河，河水清清的，一年四季都在唱歌。春天，柳树发芽了，孩子们在河边放风筝，"
    "大人们在田里忙着播种。老人们坐在桥头，一边晒太阳，一边说着从前的故事，谁也不着急回家。",
    "老师布置作文的那天，我们班有三十二个同学写了同一条河。",
    "其中大约 15% 的句子几乎一模一样，只是换了几个词。老师用 SimHash 算法比较了 2,000 篇作文，"
    "发现抄袭的人往往先抄开头，再抄结尾；中间的部分则是自己写的，读起来很不一样（见附表）。"
    "“这不是偶然的。”她说，“可是我们应该先问一问为什么。”",
    "我想，写作最要紧的是说真话。真话也许不漂亮，却是别人抄不走的；漂亮话到处都是，"
    "抄来抄去，最后谁也不记得是谁先说的了。所以从那以后，我每次写作文都先到河边走一走，"
    "看看水，看看树，再回来坐下，把看到的东西一句一句地写下来，写完了再读给妈妈听。",
]
ENGLISH_TITLE = "On Essays That Resemble Each Other"
ENGLISH_PARAGRAPHS = [
    "There is a small river in front of our house, and its water sings all the year round. In spring the "
    "willows turn green, children fly kites on the bank, and the grown-ups sow the fields. Old people sit "
    "on the bridge in the sun and tell well-known stories, and nobody is in a hurry to go home.",
    "When our teacher asked for an essay, thirty-two of us wrote about the same river.",
    "About fifteen percent of the sentences were nearly identical, with a few words exchanged. She compared "
    "two thousand essays and found that those who copy begin with the opening and go on with the ending, "
    "while the middle is their own and reads quite differently. She said that this was no accident, but "
    "that one ought to ask first why it had happened.",
    "What matters most in writing is to tell the truth. The truth may not be pretty, but nobody can take it "
    "away; pretty words are everywhere, and in the end no one remembers who said them first.",
]
ESSAYS = {"zh": (CHINESE_TITLE, CHINESE_PARAGRAPHS), "en": (ENGLISH_TITLE, ENGLISH_PARAGRAPHS)}


def long_essay(language: str) -> tuple[str, list[str]]:
    """Return a title and paragraphs that fill some pages, each paragraph with a unique number."""
    title, paragraphs = ESSAYS[language]
    ordinal = "第{}段。{}" if language == "zh" else "This is part {}. {}"
    return title, [ordinal.format(n + 1, paragraphs[n % len(paragraphs)]) for n in range(40)]


def write_docx(path: Path, title: str, paragraphs: list[str], *, indented: bool = True) -> Path:
    """Write an essay as a student formats it: centred bold title, paragraphs indented or spaced."""
    document = docx.Document()
    normal = document.styles["Normal"]
    normal.font.size = Pt(12)
    normal.font.name = "Liberation Serif"
    normal.element.rPr.rFonts.set(qn("w:eastAsia"), "Noto Serif CJK SC")
    heading = document.add_paragraph()
    heading.alignment = WD_ALIGN_PARAGRAPH.CENTER
    run = heading.add_run(title)
    run.bold, run.font.size = True, Pt(18)
    for text in paragraphs:
        paragraph = document.add_paragraph(text)
        paragraph.paragraph_format.first_line_indent = Pt(24 if indented else 0)
        paragraph.paragraph_format.space_after = Pt(0 if indented else 8)
    document.sections[0].footer.paragraphs[0].text = "Class 3"
    document.save(path)
    return path


def write_html(path: Path, title: str, paragraphs: list[str], *, encoding: str = "utf-8") -> Path:
    """Write an essay as a plain HTML document that declares its encoding."""
    body = "\n".join(f"<p>{html.escape(text)}</p>" for text in paragraphs)
    path.write_bytes(
        f'<!DOCTYPE html><html><head><meta charset="{encoding}"><title>{title}</title></head>'
        f"<body><h1>{title}</h1>\n{body}</body></html>".encode(encoding)
    )
    return path


def write_mhtml(path: Path, page: bytes, coding: str) -> Path:
    """Write a page as the web archive that a browser saves, with a style sheet and a picture.

    `coding` is the transfer encoding of the page: "8bit", "quoted-printable" or "base64".
    """
    write = {"8bit": bytes, "quoted-printable": quopri.encodestring, "base64": base64.encodebytes}[coding]
    parts = [
        ("text/html", coding, "https://example.org/essay", write(page)),
        ("text/css", "8bit", "cid:css@example.org", b".note { color: #777; display: block }"),
        ("image/png", "base64", "https://example.org/river.png", b"iVBORw0KGgo="),
    ]
    mail = (
        b"From: <Saved by Blink>\r\nSubject: Essay\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="--Part--"\r\n\r\n\r\n'
    )
    for kind, how, place, content in parts:
        part = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {how}\r\nContent-Location: {place}"
        mail += b"----Part--\r\n" + part.encode() + b"\r\n\r\n" + content + b"\r\n"
    path.write_bytes(mail + b"----Part----\r\n")
    return path


def write_text(path: Path, title: str, paragraphs: list[str], *, encoding: str = "utf-8") -> Path:
    """Write an essay as plain text, one paragraph per line."""
    path.write_bytes("\r\n".join([title, *paragraphs]).encode(encoding))
    return path


def write_body_xml(path: Path, body: str, **parts: str) -> Path:
    """Write a Word file whose body is this WordprocessingML; `parts` replace or add parts by name."""
    document = docx.Document()
    element = document.element.body
    for child in list(element):
        element.remove(child)
    spaces = nsdecls("w", "r", "wp", "a", "m") + (
        ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
        ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
        ' xmlns:v="urn:schemas-microsoft-com:vml"'
    )
    for child in list(parse_xml(f"<w:body {spaces}>{body}</w:body>")):
        element.append(child)
    buffer = io.BytesIO()
    document.save(buffer)
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            if name not in parts:
                target.writestr(name, source.read(name))
        for name, content in parts.items():
            target.writestr(name, content)
    return path


def paragraph_xml(text: str, *, properties: str = "") -> str:
    """Return a Word paragraph of one run."""
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{html.escape(text)}</w:t></w:r></w:p>'


def has_chinese_font() -> bool:
    """Return whether fontconfig, which LibreOffice uses on Linux, knows a font for Chinese."""
    program = shutil.which("fc-list")
    return program is None or bool(
        subprocess.run([program, ":lang=zh"], capture_output=True, text=True, check=False).stdout
    )


def soffice() -> str | None:
    """Return the path of LibreOffice's program, or None if it is not installed."""
    return shutil.which("soffice")


def convert_by_libreoffice(path: Path, suffix: str, *others: Path) -> Path:
    """Convert a file, and others in its folder, to another format beside it with LibreOffice."""
    profile = (path.parent / "profile").as_uri()
    subprocess.run(
        [
            *(soffice() or "soffice", f"-env:UserInstallation={profile}", "--headless"),
            *("--convert-to", suffix, "--outdir", str(path.parent), *map(str, (path, *others))),
        ],
        check=True,
        capture_output=True,
        timeout=PATIENCE_S,
    )
    return path.with_suffix(f".{suffix}")


def write_pdf_by_qt(path: Path, title: str, paragraphs: list[str]) -> Path:
    """Write an essay with Qt's PDF writer; needs a QGuiApplication."""
    from PySide6.QtGui import QPageSize, QPdfWriter, QTextDocument

    body = "".join(f'<p style="text-indent:24pt">{html.escape(text)}</p>' for text in paragraphs)
    document = QTextDocument()
    document.setHtml(f'<h1 align="center">{html.escape(title)}</h1>{body}')
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    document.print_(writer)
    return path


def write_pdf_of_pictures(path: Path, pages: int) -> Path:
    """Write a PDF whose pages each show a picture and have no text."""
    import pypdfium2
    from pypdfium2 import raw

    document = pypdfium2.PdfDocument.new()
    for _page in range(pages):
        page = document.new_page(200, 300)
        bitmap = pypdfium2.PdfBitmap.new_native(20, 20, raw.FPDFBitmap_BGR)
        bitmap.fill_rect((10, 20, 30, 255), 0, 0, 20, 20)
        image = pypdfium2.PdfImage.new(document)
        image.set_bitmap(bitmap)
        image.set_matrix(pypdfium2.PdfMatrix().scale(150, 150))
        page.insert_obj(image)
        page.gen_content()
    document.save(str(path))
    document.close()
    return path
