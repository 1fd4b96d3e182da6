"""Entry points of the programs `simcompare`, also as `python -m simcompare`, and `simcompare-gui`.

Worker processes import the script that started the program, and with it this module. The functions therefore
import the rest when called: a worker that imported the window took two more seconds to start.
"""

import builtins
import gc
import multiprocessing
import sys

# Importing makes 100,000 objects that stay: searching them for garbage took a twentieth of a short command.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


def run_command() -> None:
    multiprocessing.freeze_support()  # runs and ends here what a bundled program starts as a worker
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    from simcompare.cli.main import main  # noqa: PLC0415 - see above

    main()


def run_window() -> None:
    multiprocessing.freeze_support()  # see above
    gc.disable()  # modules live until the end; `GarbageCollector` takes over once the window is shown
    # PySide6 replaces the import by one that searches the source of each module for its name, for optional
    # features that we do not use; that took a sixth of the processor time of a start.
    usual_import = builtins.__import__
    try:
        import PySide6  # noqa: F401, PLC0415

        builtins.__import__ = usual_import
        from simcompare.ui.app import main  # noqa: PLC0415 - see above
    except ImportError as error:
        _exit_if_library_is_missing(error)
        raise
    main()


def _exit_if_library_is_missing(error: ImportError) -> None:
    """Exit with a sentence if an import failed for want of a library of the system, as pip installs none."""
    from simcompare.support import i18n, missing_libraries  # noqa: PLC0415 - see above

    library = missing_libraries.library_of(error)
    if library:
        i18n.set_language(i18n.system_language())
        missing = missing_libraries.missing_libraries([library])
        sys.exit(missing_libraries.missing_libraries_sentence(missing))


if __name__ == "__main__":
    run_command()
