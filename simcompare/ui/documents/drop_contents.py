"""Contents of a drag or the clipboard: files, text, or links, which are not fetched."""

import re
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData

from simcompare.loading.extraction import PastedText
from simcompare.support.i18n import _, ngettext

_LINK = re.compile(r"\s*(?:https?|ftp)://\S+\s*", re.I)


@dataclass(frozen=True, slots=True)
class DropContents:
    """Properties known without reading the text, which another program may have to create first."""

    files: tuple[Path, ...] = ()
    has_links: bool = False
    has_text: bool = False

    @property
    def can_be_added(self) -> bool:
        """True if at least a part can become a document."""
        return bool(self.files) or self.has_text

    @property
    def summary(self) -> str:
        """Description of what will be added."""
        if not self.files:
            return _("The text becomes a document.")
        count = len(self.files)
        return ngettext("{count} file or folder", "{count} files or folders", count)

    @property
    def refusal(self) -> str:
        """The part that cannot be added, the reason, and what to do; "" if everything can be added."""
        if self.has_links:
            return link_refusal()
        if not self.can_be_added:
            return _(
                "Only files, folders and text can be added. Save the content as a file and add the file."
            )
        return ""


def contents_of(data: QMimeData) -> DropContents:
    """Classify a drag or the clipboard; a text that comes with links is ignored, as it repeats them."""
    urls = data.urls()
    files = tuple(Path(url.toLocalFile()) for url in urls if url.isLocalFile())
    return DropContents(
        files=files,
        has_links=len(files) < len(urls),
        has_text=not urls and (data.hasText() or data.hasHtml()),
    )


def text_of(data: QMimeData) -> PastedText | None:
    """Return the text of a drag or the clipboard, as HTML if available, or None if it is blank."""
    plain = data.text()
    if data.hasHtml() and (plain.strip() or not data.hasFormat("text/plain")):
        return PastedText(data.html(), is_html=True)
    return PastedText(plain) if plain.strip() else None


def is_link(pasted: PastedText, data: QMimeData) -> bool:
    """Return whether a text is only the address of a web page."""
    return _LINK.fullmatch(data.text() if pasted.is_html else pasted.text) is not None


def link_refusal() -> str:
    """Return why a link is not added, and what to do."""
    return _(
        "A link cannot be added, as simcompare never goes online. "
        "Save the page in your browser and add the saved file."
    )
