"""Every regular expression of loading, text and pseudonyms takes time in proportion to the text.

The patterns are collected from the modules. The texts are made for each pattern from its own syntax tree:
runs of its characters, beginnings of its matches repeated, each with an end that does not match.
"""

import ast
import importlib
import inspect
import pkgutil
import random
import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from re import _constants as constants
from re import _parser as parser
from types import ModuleType
from typing import Any

import pytest

from simcompare.loading import load_document
from simcompare.support.lazy import LazyPattern
from tests.helpers.essay_files import paragraph_xml, write_body_xml

PACKAGES = ("loading", "text", "pseudonyms")
METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "split")
LENGTHS = (16, 32, 64, 256, 1024)
# No linear search takes long for so few characters: it is not repeated with more, which might never end.
FEW_CHARACTERS = 64
# A linear search of 1,024 characters takes 0.02 to 0.5 ms, a quadratic one 2 ms and more.
SUSPICIOUS_SECONDS = 0.001
# Twice the text takes twice as long in proportion, 4 times as long by its square.
MOST_GROWTH = 3.0
SAMPLES = {
    constants.CATEGORY_DIGIT: "7",
    constants.CATEGORY_NOT_DIGIT: "a",
    constants.CATEGORY_SPACE: " ",
    constants.CATEGORY_NOT_SPACE: "a",
    constants.CATEGORY_WORD: "a",
    constants.CATEGORY_NOT_WORD: "-",
}
USUAL = ' a7.-中（"<\n'


def modules() -> list[ModuleType]:
    found = []
    for package in PACKAGES:
        root = importlib.import_module(f"simcompare.{package}")
        names = (info.name for info in pkgutil.walk_packages(root.__path__, f"{root.__name__}."))
        found += [root, *map(importlib.import_module, names)]
    return found


def patterns_in(value: Any) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns in a value of a module: itself, in a container, or attributes of a class."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, LazyPattern):
        yield value.compiled
    elif isinstance(value, dict):
        yield from patterns_in((*value, *value.values()))
    elif isinstance(value, tuple | list | frozenset | set):
        for inner in value:
            yield from patterns_in(inner)
    elif isinstance(value, type) and value.__module__.startswith("simcompare."):
        yield from patterns_in(list(vars(value).values()))


def written_patterns(module: ModuleType, source: str) -> Iterator[tuple[re.Pattern[Any], str]]:
    """Yield the patterns in calls such as `re.search(r"...", text)`, and their methods.

    Those with local names in them are made at run time, and are not known here.
    """
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        name = ast.unparse(call.func)
        if name in {f"re.{method}" for method in METHODS} | {"re.compile", "LazyPattern"}:
            is_compiled = name in {"re.compile", "LazyPattern"}
            flags = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
            parts = [*call.args[: 2 if is_compiled else 1], *flags]
            try:
                pattern = re.compile(*(eval(ast.unparse(part), vars(module)) for part in parts))
            except (NameError, TypeError, re.error):
                continue
            yield pattern, "search" if is_compiled else name.removeprefix("re.")


def uses_in(source: str) -> dict[str, set[str]]:
    """Return the methods of patterns that are called on each name."""
    found: dict[str, set[str]] = {}
    for name, method in re.findall(rf"\b(\w+)\.({'|'.join(METHODS)})\b", source):
        found.setdefault(name, set()).add(method)
    return found


@cache  # not when the module is imported, which each process of the check does
def collected() -> dict[re.Pattern[Any], tuple[str, set[str]]]:
    """Return the patterns, each with its name and the methods by which it is used.

    A pattern in a container is used by those of the local names; if none is known, by searching.
    """
    found: dict[re.Pattern[Any], tuple[str, set[str]]] = {}
    sources = {module: inspect.getsource(module) for module in modules()}
    everywhere = uses_in("\n".join(sources.values()))
    for module, source in sources.items():
        within = uses_in(source)
        local = [uses for name, uses in within.items() if name.islower() and name[0] != "_"]
        for name, value in vars(module).items():
            for pattern in patterns_in(value) if value is not LazyPattern else ():
                methods = (
                    within.get(name)
                    or everywhere.get(name)
                    or set().union(*local) & set(METHODS[:4])
                    or {"search"}
                )
                full_name = f"{module.__name__.removeprefix('simcompare.')}.{name}"
                found.setdefault(pattern, (full_name, set()))[1].update(methods)
    for module, source in sources.items():
        for pattern, method in written_patterns(module, source):
            name = f"{module.__name__.removeprefix('simcompare.')}: {pattern.pattern!r}"
            found.setdefault(pattern, (name, {method}))
    return found


def characters_of(tree: Any) -> Iterator[str]:
    """Yield a character for each literal, range and category in the syntax tree of a pattern."""
    for kind, value in tree:
        if kind in {constants.LITERAL, constants.NOT_LITERAL}:
            yield chr(value)
        elif kind is constants.RANGE:
            yield from (chr(value[0]), chr(value[1]))
        elif kind is constants.CATEGORY:
            yield SAMPLES[value]
        elif kind is constants.IN:
            yield from characters_of(value)
        elif kind is constants.BRANCH:
            for branch in value[1]:
                yield from characters_of(branch)
        elif isinstance(value, tuple | parser.SubPattern):
            inner = value if isinstance(value, parser.SubPattern) else value[-1]
            if isinstance(inner, parser.SubPattern):
                yield from characters_of(inner)


def example(tree: Any, choose: random.Random) -> str:
    """Return a text that begins as a match of the pattern does, without regard to its assertions."""
    parts = []
    for kind, value in tree:
        if kind is constants.LITERAL:
            parts.append(chr(value))
        elif kind is constants.IN:
            inside = list(characters_of([part for part in value if part[0] is not constants.NEGATE]))
            if value[0][0] is constants.NEGATE:
                inside = [character for character in USUAL if character not in inside]
            parts.append(choose.choice(inside or ["a"]))
        elif kind in {constants.ANY, constants.NOT_LITERAL}:
            parts.append(choose.choice("a 中"))
        elif kind is constants.BRANCH:
            parts.append(example(choose.choice(value[1]), choose))
        elif kind in {constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT}:
            count = choose.randint(max(value[0], 0), min(value[0] + 2, value[1]))
            parts += [example(value[2], choose) for _time in range(min(count, 8))]
        elif kind is constants.SUBPATTERN:
            parts.append(example(value[-1], choose))
        elif kind is constants.ATOMIC_GROUP:
            parts.append(example(value, choose))
    return "".join(parts)


def hostile_texts(pattern: re.Pattern[Any]) -> Iterator[str]:
    """Yield texts to be repeated, and an end for each."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(
        source, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    )
    choose = random.Random(1)
    own = list(dict.fromkeys(characters_of(tree)))
    yield from dict.fromkeys([*USUAL, *(own if len(own) <= 16 else choose.sample(own, 16))])
    examples = {example(tree, choose) for _time in range(6)}
    for text in sorted(examples):
        cuts = {text[:end] for end in sorted({1, 2, 3, len(text) // 2, len(text) - 1, len(text)}) if end > 0}
        yield from sorted(cuts - {""})
    for _time in range(8):
        yield "".join(choose.choices([*own[:16], *USUAL], k=2))


def uses(pattern: re.Pattern[Any], methods: set[str]) -> Iterator[Callable[[Any], object]]:
    if methods - {"match", "fullmatch"}:
        yield lambda text: [None for _match in pattern.finditer(text)]
    else:
        for method in methods:
            yield getattr(pattern, method)


def seconds(use: Callable[[Any], object], text: Any, times: int = 1) -> float:
    """Return the processor time of the fastest of several calls."""
    least = float("inf")
    for _time in range(times):
        began = time.thread_time()
        use(text)
        least = min(least, time.thread_time() - began)
    return least


def grows_too_fast(pattern: re.Pattern[Any], use: Callable[[Any], object]) -> str | None:
    """Return a text for which a pattern takes longer than in proportion, or None."""
    for part in hostile_texts(pattern):
        for start, end in (("", ""), ("", "\0"), (part[:1], "\nxé")):

            def timed(length: int, times: int = 3) -> float:
                text = start + part * (length // len(part)) + end  # noqa: B023 - called in this round
                is_bytes = isinstance(pattern.pattern, bytes)
                return seconds(use, text.encode("latin-1", "replace") if is_bytes else text, times)

            length = next((n for n in LENGTHS if timed(n, 1) > SUSPICIOUS_SECONDS), None)
            if length is not None and timed(length) > SUSPICIOUS_SECONDS:
                if length <= FEW_CHARACTERS:
                    return f"{start!r} + {part!r} * n + {end!r}: slow for {length} characters"
                times = [timed(length), timed(2 * length), timed(4 * length)]
                growth = [after / before for before, after in pairwise(times)]
                if min(growth) > MOST_GROWTH:
                    return f"{start!r} + {part!r} * n + {end!r}: {growth} from {length} characters"
    return None


def test_that_the_patterns_of_all_modules_are_collected():
    assert len(collected()) > 300


@pytest.mark.parametrize("package", PACKAGES)
def test_that_no_pattern_takes_longer_than_in_proportion_to_the_text(package):
    slow = {}
    for pattern, (name, methods) in collected().items():
        if name.startswith(package):
            for use in uses(pattern, methods):
                if (text := grows_too_fast(pattern, use)) is not None:
                    slow[name] = text
    assert not slow


def test_that_unseen_text_in_an_endless_word_is_read_in_time(tmp_path):
    """The case that hung: a word of 200,000 letters with one white letter in it."""
    white = '<w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>x</w:t></w:r>'
    word = paragraph_xml("a" * 200_000).replace("</w:p>", f"{white}</w:p>") + paragraph_xml("b" * 100)
    path = write_body_xml(tmp_path / "essay.docx", word)
    began = time.process_time()
    assert load_document(path).text == "a" * 200_000 + "\n" + "b" * 100
    assert time.process_time() - began < 5
