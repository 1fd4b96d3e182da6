"""Client of AT-SPI for screen_reader.py: walks the tree of the window for some seconds and prints counts.

Runs in the system's Python, which has the module dbus (Debian: python3-dbus).
"""

import random
import sys
import time
from collections import Counter

import dbus
from dbus.connection import Connection

ACCESSIBLE, TABLE, TEXT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Table", "org.a11y.atspi.Text"
REGISTRY, ROOT = "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"
GONE = ("UnknownObject", "UnknownMethod", "UnknownInterface", "InvalidArgs", "Failed")
MOST_CHILDREN, CELLS_OF_A_TABLE = 60, 40
NAMED_ROLES = (
    "push button",
    "check box",
    "radio button",
    "combo box",
    "slider",
    "spin button",
    "table",
    "entry",
)
Reference = tuple[str, str]


class Reader:
    """Walks the tree and counts what it finds."""

    def __init__(self, bus: Connection) -> None:
        self._bus = bus
        self.counts: Counter[str] = Counter()
        self.nameless: Counter[str] = Counter()
        self.roles: Counter[str] = Counter()

    def ask(self, of: Reference, interface: str, method: str, *values: object) -> object:
        """Call a method; None if the object has gone meanwhile. Other errors, as of a crash, are raised."""
        self.counts["queries"] += 1
        try:
            return self._bus.call_blocking(of[0], of[1], interface, method, None, values, timeout=20)
        except dbus.DBusException as error:
            if not error.get_dbus_name().endswith(GONE):
                raise
            self.counts["objects that had gone"] += 1
            return None

    def property_of(self, of: Reference, interface: str, name: str) -> object:
        """Read a property of an object."""
        return self.ask(of, "org.freedesktop.DBus.Properties", "Get", interface, name)

    def walk(self, of: Reference, until: float) -> None:
        """Read an object and everything below it."""
        if time.monotonic() > until:
            return
        self.counts["objects"] += 1
        name = str(self.property_of(of, ACCESSIBLE, "Name") or "")
        role = str(self.ask(of, ACCESSIBLE, "GetRoleName"))
        self.roles[role] += 1
        self.property_of(of, ACCESSIBLE, "Description")
        self.ask(of, ACCESSIBLE, "GetState")
        interfaces = self.ask(of, ACCESSIBLE, "GetInterfaces") or ()
        if role in NAMED_ROLES and not name:
            above = self.property_of(of, ACCESSIBLE, "Parent")
            self.nameless[f"{role} in {self.property_of((above[0], above[1]), ACCESSIBLE, 'Name')!s}"] += 1
        if TABLE in interfaces:
            self._read_cells(of)
        if TEXT in interfaces:
            self.ask(of, TEXT, "GetText", dbus.Int32(0), dbus.Int32(-1))
        count = int(self.property_of(of, ACCESSIBLE, "ChildCount") or 0)
        chosen = (
            range(count) if count <= MOST_CHILDREN else sorted(random.sample(range(count), MOST_CHILDREN))
        )
        for index in chosen:
            child = self.ask(of, ACCESSIBLE, "GetChildAtIndex", dbus.Int32(index))
            if child and str(child[1]) != "/org/a11y/atspi/null":
                self.walk((str(child[0]), str(child[1])), until)

    def _read_cells(self, of: Reference) -> None:
        rows = int(self.property_of(of, TABLE, "NRows") or 0)
        columns = int(self.property_of(of, TABLE, "NColumns") or 0)
        for _cell in range(CELLS_OF_A_TABLE if rows and columns else 0):
            place = dbus.Int32(random.randrange(rows)), dbus.Int32(random.randrange(columns))
            cell = self.ask(of, TABLE, "GetAccessibleAt", *place)
            if cell and str(cell[1]) != "/org/a11y/atspi/null":
                self.counts["cells of tables"] += 1
                words = self.property_of((str(cell[0]), str(cell[1])), ACCESSIBLE, "Name")
                self.counts["cells with words"] += bool(words)


def accessibility_bus() -> Connection:
    """Connect to the bus of assistive programs."""
    launcher = dbus.SessionBus().get_object("org.a11y.Bus", "/org/a11y/bus")
    return dbus.bus.BusConnection(str(launcher.GetAddress(dbus_interface="org.a11y.Bus")))


def window_of(reader: Reader) -> Reference:
    """Wait until the program has registered."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for name, path in reader.ask((REGISTRY, ROOT), ACCESSIBLE, "GetChildren") or ():
            return str(name), str(path)
        time.sleep(0.2)
    raise SystemExit("the window did not register with the bus of assistive programs")


def main() -> None:
    """Read for as many seconds as the first argument says."""
    reader = Reader(accessibility_bus())
    end = time.monotonic() + float(sys.argv[1])
    window = window_of(reader)
    while time.monotonic() < end:
        reader.walk(window, end)
        reader.counts["walks"] += 1
    print(dict(reader.counts), "roles:", dict(reader.roles.most_common()), "nameless:", dict(reader.nameless))


if __name__ == "__main__":
    main()
