"""Run the self-test: print a line for each step, end with status 0 or 1, and leave no files.

The lines are in English and, but for names in errors, in ASCII: they are for those who package the program.
"""

import atexit
import os
import shutil
import sys
import threading
import time
import traceback
from multiprocessing.util import get_temp_dir
from pathlib import Path
from tempfile import mkdtemp

from simcompare.support.resources import DATA_FOLDER_VARIABLE
from simcompare.ui.main_window import MainWindow
from simcompare.ui.self_test.steps import StepFailedError, steps
from simcompare.ui.style.appearance import current_application

LIMIT_SECONDS = 300.0
"""Time limit: on a computer at a load of ten, all steps took 40 seconds."""
_REMOVAL_SECONDS = 10.0
"""Time limit for removing the folders, into which the main thread and the workers may still write."""
_PAUSE_SECONDS = 0.05


class SelfTest:
    """Self-test of the program that is about to start; it has a data folder of its own.

    report: file that the lines are also written to, as programs on Windows may have no console.
    """

    def __init__(self, report: Path | None) -> None:
        self._report = report
        if report is not None:
            report.write_text("", encoding="utf-8")
        self._folder = Path(mkdtemp(prefix="simcompare-self-test-"))
        # registered before the modules that keep files open in it until the program ends
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        os.environ[DATA_FOLDER_VARIABLE] = str(self._folder / "data")
        watchdog = threading.Timer(LIMIT_SECONDS, self._end_late)
        watchdog.daemon = True
        watchdog.start()

    def run(self, window: MainWindow) -> None:
        """Run all steps in a window that is shown, and end the program."""
        application = current_application()
        application.setQuitOnLastWindowClosed(False)  # the status would be 0
        failed = self._failed_in(window)
        window.quit_without_asking()
        application.processEvents()  # writes the preferences, which would otherwise be written at the end
        self._print("The self-test failed." if failed else "The self-test succeeded.")
        application.exit(int(failed))

    def _failed_in(self, window: MainWindow) -> bool:
        folder = self._folder / "reports"
        folder.mkdir()
        try:
            for done in steps(window, folder):
                self._print(f"OK: {done}")
            shutil.rmtree(folder)
            self._print("OK: The temporary files were removed.")
        except StepFailedError as error:
            self._print(f"Failed: {error}")
            return True
        except Exception:
            # a missing part can raise any error
            self._print(f"Failed: An unexpected error occurred.\n{traceback.format_exc()}")
            return True
        return False

    def _end_late(self) -> None:
        self._print(f"Failed: The self-test did not end within {LIMIT_SECONDS:.0f} seconds.")
        _remove_folders(self._folder, Path(get_temp_dir()))  # the other one has the sockets of the workers
        os._exit(1)  # the main thread may wait for ever

    def _print(self, line: str) -> None:
        if self._report is not None:
            with self._report.open("a", encoding="utf-8") as report:
                report.write(f"{line}\n")
        if sys.stdout is not None:  # as in a window without a console
            encoding = sys.stdout.encoding
            print(line.encode(encoding, "replace").decode(encoding), flush=True)  # noqa: T201 - its purpose


def _remove_folders(*folders: Path) -> None:
    """Remove folders again and again until they are gone or the time is up, as others may write into them."""
    deadline = time.monotonic() + _REMOVAL_SECONDS
    while time.monotonic() < deadline:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        if not any(folder.exists() for folder in folders):
            break
        time.sleep(_PAUSE_SECONDS)
