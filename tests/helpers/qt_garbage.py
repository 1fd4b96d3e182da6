"""Fixtures: the cyclic garbage collector runs in the GUI thread only, as in the program.

A cycle may hold a widget without a parent, such as the note popup of a closed window: collected in a worker
thread, the widget is destroyed there, and the process crashes (`GarbageCollector` in ui/app.py).
"""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def no_garbage_collected_in_workers() -> Iterator[None]:
    """Collect nothing during a test."""
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def garbage_collected_between_tests(
    no_garbage_collected_in_workers: None, request: pytest.FixtureRequest
) -> Iterator[None]:
    """Collect the garbage of each test after it, in the GUI thread."""
    yield
    if "application_looks" not in request.fixturenames:  # which collects it before it restores the looks
        request.node.funcargs.clear()
        collect_garbage()


def collect_garbage() -> None:
    """Collect the garbage of a test that has ended; clear its `funcargs` before, the values of its fixtures.

    pytest keeps these values until after the fixtures, and with them a closed window, whose popups without a
    parent would be styled whenever the style of the application changes: a tenth of the time of a test.
    """
    gc.collect()
    gc.freeze()  # modules that the test has imported: the next collections need not look at them
