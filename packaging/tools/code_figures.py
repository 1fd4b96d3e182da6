"""Print figures on the code of simcompare: budgets, sizes, import cycles, repeated class names.

Run as ``python3 packaging/tools/code_figures.py [FOLDER]``; FOLDER is another checkout. A function is counted
from its def line to its end, without its docstring. Imports inside functions count as imports.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

BUDGETS_LINES = {
    "cli": 3_880,
    "cohort": 4_770,
    "comparison": 7_180,
    "evaluation": 1_570,
    "export": 1_630,
    "fingerprint": 400,
    "library": 5_190,
    "loading": 18_380,
    "model": 1_170,
    "pseudonyms": 4_120,
    "redaction": 900,
    "report": 10_310,
    "session": 2_230,
    "support": 2_260,
    "text": 1_520,
    "ui": 38_800,
    ".": 270,
}
"""Most lines of each package in simcompare/; a budget is raised only to pay for a capability named for it."""


def package_lines(checkout: Path) -> Counter[str]:
    """Count the lines of each package in simcompare/; its own modules are the package "."."""
    lines = Counter[str]()
    for path in (checkout / "simcompare").rglob("*.py"):
        package = path.relative_to(checkout / "simcompare").parts[0]
        lines["." if package == path.name else package] += path.read_text(encoding="utf-8").count("\n")
    return lines


def function_lines(tree: ast.Module) -> Iterator[int]:
    """Yield the number of lines of each function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            docstring = first.end_lineno - first.lineno + 1 if ast.get_docstring(node) is not None else 0
            yield node.end_lineno - node.lineno + 1 - docstring


def imports(tree: ast.Module, modules: set[str]) -> set[str]:
    """List those of `modules` that a module imports."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            full_names = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= full_names & modules or {node.module}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names & modules


def module_trees(checkout: Path) -> dict[str, ast.Module]:
    """Parse each module of simcompare/, by its full name."""
    paths = sorted((checkout / "simcompare").rglob("*.py"))
    names = [".".join(path.relative_to(checkout).with_suffix("").parts) for path in paths]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    return {name.removesuffix(".__init__"): ast.parse(text) for name, text in zip(names, texts, strict=True)}


def import_cycles(trees: dict[str, ast.Module]) -> list[str]:
    """List groups of modules that import each other, directly or through others."""
    # the package itself only names again what modules define
    imported = {name: imports(tree, set(trees)) - {"simcompare"} for name, tree in trees.items()}
    reached = {module: set(targets) for module, targets in imported.items()}
    for via, onward in reached.items():  # Warshall's algorithm
        for targets in reached.values():
            targets.update(onward if via in targets else ())
    groups = ({other for other in reached[module] if module in reached[other]} for module in reached)
    return sorted({" ".join(sorted(group)) for group in groups if group})


def spread(values: list[int]) -> str:
    """Format the median and the 90th percentile."""
    return f"median {median(values):g}, p90 {quantiles(values, n=10)[-1]:.0f}"


def main() -> None:
    """Print the figures."""
    checkout = Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).resolve().parents[2]
    trees, lines = module_trees(checkout), dict[Path, int]()
    for path in sorted((checkout / "simcompare").rglob("*.py")):
        lines[path.relative_to(checkout)] = path.read_text(encoding="utf-8").count("\n")
    functions = [count for tree in trees.values() for count in function_lines(tree)]
    nodes = (node for tree in trees.values() for node in ast.walk(tree))
    classes = Counter(node.name.lstrip("_") for node in nodes if isinstance(node, ast.ClassDef))
    modules = {path: count for path, count in lines.items() if not path.name.startswith("__")}
    folders = Counter(path.parent for path in modules)
    print(f"{len(lines)} files of {sum(lines.values())} lines, {spread(list(lines.values()))}")
    used = package_lines(checkout)
    print(
        "lines of",
        ", ".join(f"{package} {used[package]} of {most}" for package, most in BUDGETS_LINES.items()),
    )
    print(f"{len(functions)} functions, lines {spread(functions)}")
    lists = {
        "import cycles": import_cycles(trees),
        "class names used twice (without _)": [f"{n} {count}" for n, count in classes.items() if count > 1],
        "folders with more than 14 modules": [f"{n} {count}" for n, count in folders.items() if count > 14],
        "files under 40 lines": [f"{path} {count}" for path, count in modules.items() if count < 40],
        "files over 400 lines": [f"{path} {count}" for path, count in modules.items() if count > 400],
    }
    for title, entries in lists.items():
        print("\n  ".join([f"{title}: {len(entries)}", *entries]))


if __name__ == "__main__":
    main()
