"""A real browser without a screen, driven over the DevTools protocol through two pipes: no port, no driver.

The protocol: https://chromedevtools.github.io/devtools-protocol/. Messages are JSON, each ends with a NUL.
"""

import base64
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tests.helpers.patience import PATIENCE_S
from tests.helpers.programs import program_starter

_NAMES = () if sys.platform == "win32" else ("chromium", "chromium-browser", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, _NAMES)), None)
"""The browser, None where there is none that this can talk to."""

# Chromium reads at 3 and writes at 4 with --remote-debugging-pipe; the ends of our pipes lie beyond
_BEYOND = 10
_AS_3_AND_4 = """\
import os, sys
for theirs, ours in zip((3, 4), map(int, sys.argv[1:3])):
    os.dup2(ours, theirs)
os.execv(sys.argv[3], sys.argv[3:])
"""
_ARGUMENTS = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--force-color-profile=srgb",
    # whatever asked for an address would fail, and be seen to
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # it refuses its sandbox to root
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
]


class Browser:
    """Chromium, and the messages to and from it."""

    def __init__(self, commands: IO[bytes], answers: IO[bytes]) -> None:
        self._commands = commands
        self._answers: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._last = 0
        self.events: list[dict[str, Any]] = []
        """What it told without being asked, in order."""
        threading.Thread(target=self._read, args=(answers,), daemon=True).start()

    def _read(self, answers: IO[bytes]) -> None:
        waiting = b""
        while data := os.read(answers.fileno(), 1 << 16):
            *whole, waiting = (waiting + data).split(b"\0")
            for message in whole:
                self._answers.put(json.loads(message))
        self._answers.put(None)

    def call(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """Ask for something, and return the answer; events on the way are kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._commands.write(json.dumps(message).encode() + b"\0")
        self._commands.flush()
        while True:
            answer = self._answers.get(timeout=PATIENCE_S)
            assert answer is not None, "the browser has ended"
            if answer.get("id") == self._last:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return dict(answer["result"])
            self.events.append(answer)

    def open(self, path: Path, width_px: int, height_px: int, looks: Mapping[str, str]) -> "Page":
        """Open a file in a page of its own, and wait until it is shown."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        size = {"width": width_px, "height": height_px, "deviceScaleFactor": 1, "mobile": width_px < 600}
        page.call("Emulation.setDeviceMetricsOverride", **size)
        features = [{"name": name, "value": value} for name, value in looks.items()]
        page.call("Emulation.setEmulatedMedia", features=features)
        page.call("Page.navigate", url=path.as_uri())
        page.wait_for("document.readyState === 'complete'")
        return page


class Page:
    """A page that is open, and what a person does with it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the page for something."""
        return self._browser.call(method, self._session, **parameters)

    def value(self, script: str) -> Any:
        """Return what an expression of JavaScript gives; what it throws fails the test."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until an expression of JavaScript is true."""
        look = f"() => ({condition}) ? done() : setTimeout(look, 10)"
        self.value(f"new Promise(done => {{ const look = {look}; look(); }})")

    def click(self, selector: str) -> None:
        """Click into the first line of an element with the mouse, after bringing it into sight."""
        place = self.value(
            f"""(() => {{
              const element = document.querySelector({json.dumps(selector)});
              element.scrollIntoViewIfNeeded();
              const box = element.getClientRects()[0];
              return [box.left + Math.min(box.width / 2, 40), box.top + box.height / 2];
            }})()"""
        )
        at = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, **at)
        self._settle()

    def press(self, key: str) -> None:
        """Press a key: a letter, or the name of another."""
        text = {"text": key} if len(key) == 1 else {}
        codes = {"Escape": 27, "Tab": 9, "Enter": 13}
        code = codes.get(key) or ord(key.upper())
        shape = {"key": key, "windowsVirtualKeyCode": code}
        if key == "Enter":
            text = {"text": "\r"}
        self.call("Input.dispatchKeyEvent", type="keyDown", **shape, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **shape)
        self._settle()

    def _settle(self) -> None:
        # what was done is on the screen two frames later
        self.value(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        )

    def picture(self, place: Path) -> None:
        """Save what is to be seen as a PNG."""
        place.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def printed(self) -> bytes:
        """Return the page as it goes to paper, as a PDF."""
        done = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        return base64.b64decode(done["data"])

    def events(self, *methods: str) -> list[dict[str, Any]]:
        """Return the values of what the page told, of these kinds."""
        told = self._browser.events
        return [
            one["params"]
            for one in told
            if one.get("sessionId") == self._session and one["method"] in methods
        ]

    def complaints(self) -> list[str]:
        """Return errors, warnings and violations of the page's policy, in words."""
        said = [
            entry["entry"]["text"]
            for entry in self.events("Log.entryAdded")
            if entry["entry"]["level"] in {"error", "warning"}
        ]
        thrown = [one["exceptionDetails"]["text"] for one in self.events("Runtime.exceptionThrown")]
        printed = [str(one["args"]) for one in self.events("Runtime.consoleAPICalled")]
        return said + thrown + printed

    def requests(self) -> list[str]:
        """Return the addresses that the page asked for, without what it holds itself."""
        asked = [one["request"]["url"] for one in self.events("Network.requestWillBeSent")]
        return [url for url in asked if not url.startswith("data:")]


@contextmanager
def running_browser(folder: Path) -> Iterator[Browser]:
    """Run Chromium with its data in a folder."""
    import fcntl  # not where pipes have no numbers to hand on

    assert PROGRAM is not None
    their_read, our_write = os.pipe()
    our_read, their_write = os.pipe()
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, _BEYOND) for end in (their_read, their_write)]
    command = [sys.executable, "-c", _AS_3_AND_4, *map(str, theirs)]
    with program_starter() as start:
        process = start(
            [*command, PROGRAM, *_ARGUMENTS, f"--user-data-dir={folder}", "about:blank"],
            pass_fds=theirs,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder)},
        )
        for end in (their_read, their_write, *theirs):
            os.close(end)
        with os.fdopen(our_write, "wb") as commands, os.fdopen(our_read, "rb") as answers:
            browser = Browser(commands, answers)
            yield browser
            browser.call("Browser.close")
            process.wait(timeout=PATIENCE_S)
