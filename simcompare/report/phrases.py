"""How parts are put together into a line, as the language of the moment does it."""

from collections.abc import Iterable, Sequence

from simcompare.i18n import _


def first_of(names: Sequence[str], most: int) -> list[str]:
    """Return the first names, and how many more there are."""
    more = len(names) - most
    return [*names[:most], *([_("and {count} more").format(count=f"{more:,}")] if more > 0 else [])]


def enumerated(parts: Iterable[str]) -> str:
    """Return the parts in a row."""
    return _(", ").join(parts)


def listed(parts: Iterable[str]) -> str:
    """Return parts in a row that may have commas of their own."""
    return _("; ").join(parts)


def detailed(text: str, detail: str) -> str:
    """Return a text with a detail in brackets."""
    return _("{text} ({detail})").format(text=text, detail=detail)


def named(name: str, value: str) -> str:
    """Return a name and what it stands for."""
    return _("{name}: {value}").format(name=name, value=value)


def quoted(text: str) -> str:
    """Return a text in quotation marks."""
    return _("“{text}”").format(text=text)
