"""Headless Chromium, controlled by the DevTools protocol over two pipes, without a port or a driver.

Protocol: https://chromedevtools.github.io/devtools-protocol/. Messages are JSON, terminated by NUL.
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
"""Path of the browser; None if none is installed or the platform is not supported."""

# With --remote-debugging-pipe Chromium reads from descriptor 3 and writes to 4; our pipes use higher ones.
_LOWEST_DESCRIPTOR = 10
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
    # requests to any host fail, and are recorded
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # the sandbox does not work for root
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
]


class Browser:
    """A running Chromium and the messages to and from it."""

    def __init__(self, commands: IO[bytes], answers: IO[bytes]) -> None:
        self._commands = commands
        self._answers: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._last = 0
        self._targets: list[str] = []
        self.events: list[dict[str, Any]] = []
        """Events in order."""
        threading.Thread(target=self._read, args=(answers,), daemon=True).start()

    def _read(self, answers: IO[bytes]) -> None:
        incomplete = b""
        while data := os.read(answers.fileno(), 1 << 16):
            *whole, incomplete = (incomplete + data).split(b"\0")
            for message in whole:
                self._answers.put(json.loads(message))
        self._answers.put(None)

    def call(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """Call a method and return its result; events received meanwhile are kept."""
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

    def open(self, path: Path, width_px: int, height_px: int, media: Mapping[str, str]) -> "Page":
        """Open a file in a new page and wait until it is loaded; `media` are CSS media features."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._targets.append(target)
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        size = {"width": width_px, "height": height_px, "deviceScaleFactor": 1, "mobile": width_px < 600}
        page.call("Emulation.setDeviceMetricsOverride", **size)
        features = [{"name": name, "value": value} for name, value in media.items()]
        page.call("Emulation.setEmulatedMedia", features=features)
        page.call("Page.navigate", url=path.as_uri())
        page.wait_for("document.readyState === 'complete'")
        return page

    def close_pages(self) -> None:
        """Close all pages, which would be painted further, and forget their events."""
        for target in self._targets:
            self.call("Target.closeTarget", targetId=target)
        self._targets.clear()
        self.events.clear()


class Page:
    """An open page with simulated user input."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method for this page."""
        return self._browser.call(method, self._session, **parameters)

    def value(self, script: str) -> Any:
        """Evaluate a JavaScript expression; fails if it throws."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until a JavaScript expression is true."""
        poll = f"() => ({condition}) ? done() : setTimeout(poll, 10)"
        self.value(f"new Promise(done => {{ const poll = {poll}; poll(); }})")

    def click(self, selector: str) -> None:
        """Scroll an element into view and click on its first line."""
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
        """Press a key, given as a letter or as the name of another key."""
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
        # changes are painted two frames later at the latest
        self.value(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        )

    def picture(self, place: Path) -> None:
        """Save a screenshot as PNG."""
        place.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def printed(self) -> bytes:
        """Print the page to PDF."""
        done = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        return base64.b64decode(done["data"])

    def events(self, *methods: str) -> list[dict[str, Any]]:
        """Parameters of the events of this page with these names."""
        return [
            event["params"]
            for event in self._browser.events
            if event.get("sessionId") == self._session and event["method"] in methods
        ]

    def error_messages(self) -> list[str]:
        """Errors, warnings, console output and violations of the content security policy."""
        logged = [
            entry["entry"]["text"]
            for entry in self.events("Log.entryAdded")
            if entry["entry"]["level"] in {"error", "warning"}
        ]
        thrown = [event["exceptionDetails"]["text"] for event in self.events("Runtime.exceptionThrown")]
        printed = [str(event["args"]) for event in self.events("Runtime.consoleAPICalled")]
        return logged + thrown + printed

    def requests(self) -> list[str]:
        """Requested URLs, except data URLs."""
        urls = [event["request"]["url"] for event in self.events("Network.requestWillBeSent")]
        return [url for url in urls if not url.startswith("data:")]


@contextmanager
def running_browser(folder: Path) -> Iterator[Browser]:
    """Run Chromium with `folder` as home and data folder."""
    import fcntl  # not available on Windows

    assert PROGRAM is not None
    their_read, our_write = os.pipe()
    our_read, their_write = os.pipe()
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, _LOWEST_DESCRIPTOR) for end in (their_read, their_write)]
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
