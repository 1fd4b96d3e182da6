"""Start, poll and close processes in several threads; count polls that read what belongs to another process.

    [LD_PRELOAD=delays.so] python -m tests.benchmarks.process_race [--rounds 400] [--threads 6] [--plain]

Python polls all processes whenever it starts one. --plain uses multiprocessing as it is, without the lock of
`process_context`. A library that delays threads after they unlock a mutex makes the race frequent. The exit
status is 1 if a number was taken from another process, if a thread waits for longer than `_MOST_SECONDS`, or
if it failed.
"""

import argparse
import multiprocessing
import os
import sys
import threading
import time
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection

from simcompare.support.workers.worker_process import process_context

_MOST_SECONDS = 25.0
_HIGHEST_EXIT_CODE = 255
_MESSAGE = b"x" * 100


def echo(connection: Connection) -> None:
    """Answer until the other end is closed."""
    with suppress(EOFError, OSError):
        while True:
            connection.send(connection.recv())


def serve(context: multiprocessing.context.BaseContext, rounds: int, began: dict[int, float]) -> None:
    """Start, ask and end one process after the other."""
    own = threading.get_ident()
    for _round in range(rounds):
        began[own] = time.monotonic()
        ours, theirs = context.Pipe()
        process = context.Process(target=echo, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        ours.send(_MESSAGE)
        if ours.recv() != _MESSAGE:
            raise ValueError("answer of another process")
        ours.close()
        process.kill()
        process.join()
        process.close()
    del began[own]


def main() -> None:
    """Run the threads and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--threads", type=int, default=6)
    parser.add_argument("--plain", action="store_true")
    options = parser.parse_args()
    preload = "tests.helpers.worker_imports"
    context = multiprocessing.get_context("forkserver") if options.plain else process_context(preload)
    context.set_forkserver_preload([preload])
    taken, failed, began = list[int](), list[str](), dict[int, float]()
    read = forkserver.read_signed

    def read_and_check(descriptor: int) -> int:
        value = read(descriptor)
        if sys._getframe(1).f_code.co_name == "poll" and value > _HIGHEST_EXIT_CODE:
            taken.append(value)
        return value

    def run() -> None:
        try:
            serve(context, options.rounds, began)
        except Exception as error:
            failed.append(repr(error))
            del began[threading.get_ident()]

    forkserver.read_signed = read_and_check
    sys.setswitchinterval(0.0005)
    threads = [threading.Thread(target=run, daemon=True) for _number in range(options.threads)]
    for thread in threads:
        thread.start()
    waiting = 0
    while not waiting and any(thread.is_alive() for thread in threads):
        time.sleep(0.5)
        waiting = sum(time.monotonic() - since > _MOST_SECONDS for since in list(began.values()))
    print(f"{len(taken)} numbers of other processes read, {waiting} threads waiting, {len(failed)} failed")
    print(*sorted(set(failed)), sep="\n")
    sys.stdout.flush()
    os._exit(bool(taken or waiting or failed))


if __name__ == "__main__":
    main()
