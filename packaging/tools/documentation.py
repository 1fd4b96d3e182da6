"""The documentation as pages: made by Sphinx, without a network, and checked for dead links."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools.base import ROOT, VENV, SetupError, call, venv_program

DOCUMENTATION = ROOT / "out" / "docs"


class _Page(HTMLParser):
    """Links and anchors of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links, self.anchors = set[str](), set[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        self.links |= {values[name] for name in ("href", "src") if name in values and tag != "link"}


def make_documentation(folder: Path = DOCUMENTATION) -> Path:
    """Write the pages, and return the first one; a warning of Sphinx or a dead link is an error."""
    sphinx = [venv_program(VENV, "python"), "-m", "sphinx", "-q", "-W", "--keep-going"]
    if call([*sphinx, "-b", "html", "-c", str(ROOT / "packaging" / "docs"), str(ROOT), str(folder)]) != 0:
        raise SetupError("Sphinx found faults in the documentation; see its messages above.")
    if dead := sorted(dead_links(folder)):
        raise SetupError("\n".join(["Dead links in the documentation:", *dead]))
    return folder / "docs" / "index.html"


def dead_links(folder: Path) -> Iterator[str]:
    """Yield "page: link" for each link of a page that leads to no page or anchor in the folder."""
    pages = {path.resolve(): _Page(path.read_text("utf-8")) for path in folder.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or "/releases/" in link or "/actions/" in link:
                continue  # of the web, or of the project's page
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            is_there = target.exists() and (target not in pages or anchor in ("", *pages[target].anchors))
            if not is_there:
                yield f"{path.relative_to(folder.resolve())}: {link}"
