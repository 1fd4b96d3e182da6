"""Response time in Chromium of the report of two documents of 300 pages, in milliseconds to the next frame.

    python tests/benchmarks/report_page_speed.py [PAGE.html ...]

Without pages, those of report_speed.py are made. Measured actions, up to the first frame that shows their
result: opening, a click on a match, next and previous match, hiding and showing a kind of match. The second
column is the processor time of the page's thread, which other programs do not lengthen.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from simcompare.report.html_report import render_html
from tests.benchmarks.report_speed import CHARACTERS, evidence
from tests.end2end.browser import Page, running_browser

TIMES = 7
UNTIL_SHOWN = """new Promise(done => {{
  const begin = performance.now();
  {action};
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin)));
}})"""
ACTIONS = {
    "click": "document.querySelectorAll('.pane.l .match')[{n} * 37 + 11].click()",
    "next": "document.querySelector('[data-step=\"1\"]').click()",
    "previous": "document.querySelector('[data-step=\"-1\"]').click()",
    "hide or show": "document.querySelector('input[data-kind=exact]').click()",
    "scroll to the end": "document.querySelector('.pane.l').scrollTop = {n}% 2 ? 0 : 1e9",
}
OPENED = """(() => {
  const [page] = performance.getEntriesByType('navigation');
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return [page.domContentLoadedEventEnd, paint ? paint.startTime : NaN, page.loadEventEnd];
})()"""


def worked_ms(page: Page) -> float:
    """Return the processor time of the page's thread since the page was opened."""
    metrics = page.call("Performance.getMetrics")["metrics"]
    return 1000 * next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def measure(page: Page, name: str) -> None:
    """Print the median and the longest time of each action."""
    page.wait_for("performance.getEntriesByName('first-contentful-paint').length > 0")
    loaded, painted, complete = page.value(OPENED)
    print(f"{name}: parsed {loaded:,.0f} ms, painted {painted:,.0f} ms, complete {complete:,.0f} ms")
    page.call("Performance.enable", timeDomain="threadTicks")
    for action, script in ACTIONS.items():
        before = worked_ms(page)
        waited = [page.value(UNTIL_SHOWN.format(action=script.format(n=n))) for n in range(TIMES)]
        worked = (worked_ms(page) - before) / TIMES
        print(
            f"  {action:18} median {statistics.median(waited):6,.0f} ms, at most {max(waited):6,.0f} ms; "
            f"worked {worked:6,.0f} ms each"
        )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, running_browser(Path(folder, "browser")) as browser:
        paths = [Path(argument).resolve() for argument in sys.argv[1:]]
        for language in [] if paths else CHARACTERS:
            paths.append(Path(folder, f"{language}.html"))
            paths[-1].write_text(render_html(evidence(language)), encoding="utf-8")
        for path in paths:
            size_mb = path.stat().st_size / 2**20
            page = browser.open(path, 1280, 800, {"prefers-color-scheme": "light"})
            measure(page, f"{path.name}, {size_mb:.1f} MB, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
