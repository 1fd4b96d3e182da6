"""Cached results of functions, freed with what they were computed from; patterns compiled at first use."""

import re
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from threading import RLock
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar


class LazyPattern:
    """Regular expression with the methods of `re.Pattern`, for modules with large patterns.

    Compiling all of them on import took a fifth of the start of the window, which needs none of them.
    """

    all: ClassVar[list["LazyPattern"]] = []
    """All patterns of the modules that are imported."""
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[Any]]
    sub: Callable[..., str]
    split: Callable[..., list[Any]]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern, self._flags = pattern, flags
        self.all.append(self)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        """Look up a method at its first use; from then on it is called without a function of ours between."""
        method = getattr(self.compiled, name)
        setattr(self, name, method)
        return method


Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class WeakCache(Generic[Parameters, Result]):
    """The latest results of a function whose first arguments are weakly referenced; thread-safe.

    `functools.lru_cache` would keep removed documents in memory. Arguments after the weak ones are compared
    by value. A result must not refer to the weak arguments itself.
    """

    def __init__(self, function: Callable[Parameters, Result], weak: int, most: int) -> None:
        self.function = function
        self._weak = weak
        self._most = most
        self._results: OrderedDict[Hashable, Result] = OrderedDict()
        self._references: dict[Hashable, list[weakref.ref[object]]] = {}
        self._lock = RLock()  # a reference may die while this thread holds it

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Return the result of the function for these arguments; kwargs are not supported."""
        assert not kwargs, "results are stored by positional arguments"
        owners, others = args[: self._weak], args[self._weak :]
        key = (*map(id, owners), *others)
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]
        result = self.function(*args, **kwargs)
        with self._lock:
            self._results[key] = result
            self._references[key] = [weakref.ref(owner, lambda _gone: self._forget(key)) for owner in owners]
            while len(self._results) > self._most:
                self._forget(next(iter(self._results)))
        return result

    def __len__(self) -> int:
        return len(self._results)

    def _forget(self, key: Hashable) -> None:
        with self._lock:
            self._results.pop(key, None)
            self._references.pop(key, None)


def weak_cache(
    *, weak: int, most: int
) -> Callable[[Callable[Parameters, Result]], WeakCache[Parameters, Result]]:
    """Cache the `most` latest results of a function as long as its first `weak` arguments exist."""

    def decorate(function: Callable[Parameters, Result]) -> WeakCache[Parameters, Result]:
        return WeakCache(function, weak, most)

    return decorate
