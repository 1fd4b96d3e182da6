"""Libraries inside compiled modules, as the bills of materials of distributions name them."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.licences.licence_expressions import is_accepted, with_links

STANDARD = "standard"
"""Folder of the standard texts of licences, among our texts and in the collection."""
_CRATE = re.compile(r"pkg:cargo/([\w-]+)@([^?]+)$")


@dataclass(frozen=True)
class Component:
    """A library compiled into a distribution: `licence` is an SPDX expression, or empty if not named."""

    name: str
    version: str
    licence: str
    authors: str
    scope: str
    source: str
    """Page with its source; only of Rust crates, whose licence texts no distribution contains."""

    def has_text(self, standard: AbstractSet[str]) -> bool:
        """Return whether its licence is among the standard texts; only crates need them."""
        return not self.source or is_accepted(self.licence, standard)

    def as_html(self, standard: AbstractSet[str]) -> str:
        """Describe it in a line, with links to its source and to the standard texts."""
        name = html.escape(self.name)
        link = f'<a href="{html.escape(self.source)}">{name}</a>' if self.source else name
        details = [with_links(self.licence, standard, STANDARD), html.escape(self.authors)]
        scope = "" if self.scope == "required" else f" [{html.escape(self.scope)}]"
        return ", ".join([f"{link} {html.escape(self.version)}{scope}", *filter(None, details)])


def components_of(texts: Iterable[tuple[str, Path]]) -> Iterator[Component]:
    """Yield the libraries in the bills of materials (CycloneDX) of a distribution."""
    for name, file in texts:
        if "/sboms/" in name and file.suffix == ".json":
            yield from map(_component, json.loads(file.read_text(encoding="utf-8")).get("components", []))


def _component(entry: dict[str, Any]) -> Component:
    crate = _CRATE.match(entry.get("purl", ""))
    return Component(
        entry["name"],
        entry.get("version", ""),
        " AND ".join(filter(None, map(_licence, entry.get("licenses", [])))),
        entry.get("author", ""),
        entry.get("scope", "required"),
        f"https://crates.io/crates/{crate[1]}/{crate[2]}" if crate else "",
    )


def _licence(entry: dict[str, Any]) -> str:
    licence = entry.get("license", {})
    return " ".join(str(entry.get("expression") or licence.get("id") or licence.get("name") or "").split())
