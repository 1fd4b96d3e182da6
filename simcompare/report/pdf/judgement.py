"""What a teacher decided and noted, as it stands in the report."""

from simcompare.report.pdf.runs import Run, Style, run
from simcompare.report.print_marks import DECISIONS
from simcompare.session.decisions import Decision


def judged(decision: str, name: str, note: str, size_pt: float) -> list[Run]:
    """Return a judgement with its note; nothing where there is neither."""
    runs = []
    if decision:
        sign, ink = DECISIONS[Decision(decision)]
        runs.append(run(sign + name, Style(size_pt, ink, is_bold=True)))
    if note:
        runs.append(run(f" – {note}" if decision else note, Style(size_pt)))
    return runs
