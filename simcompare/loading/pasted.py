"""A text that came without a file: from the clipboard, or dragged from another program."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PastedText:
    """What was pasted, as plain text or, with `is_html`, as the markup that programs copy beside it."""

    text: str = field(repr=False)
    is_html: bool = False
