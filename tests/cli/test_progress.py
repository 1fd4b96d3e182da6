"""Progress of long work on a standard error that is no terminal: a line every few seconds."""

import pytest

from simcompare.cli import output


def test_that_progress_lines_say_how_long_the_rest_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = [100.0]
    monkeypatch.setattr(output.time, "monotonic", lambda: seconds[0])
    with output.progress_bar("Comparing") as tick:
        for done, now in (
            (0, 111.0),
            (100, 112.0),
            (1_000, 122.0),
            (2_000, 123.0),
            (3_000, 142.0),
            (4_000, 200.0),
        ):
            seconds[0] = now
            tick(done, 4_000)
    assert capsys.readouterr().err.splitlines() == [
        "Comparing: 0 of 4,000 (0%)",
        "Comparing: 1,000 of 4,000 (25%) · 70 seconds left",
        "Comparing: 3,000 of 4,000 (75%) · 15 seconds left",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "5 seconds left"), (89, "90 seconds left"), (91, "2 minutes left"), (3599, "60 minutes left")],
)
def test_that_the_time_left_is_rounded_up(seconds, words):
    assert output.time_left_in_words(seconds) == words
