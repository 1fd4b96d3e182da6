"""Why something was taken for a name, and what stays, in the language of the moment."""

from collections.abc import Sequence

from simcompare.anonymity.students import Ground, Recognised
from simcompare.i18n import N_, _, ngettext
from simcompare.report.phrases import enumerated, first_of

_GROUNDS = {
    Ground.LISTED: N_("on the list of students"),
    Ground.SEVERAL: N_("several students on the list have this name"),
    Ground.PERSONAL_NAME: N_("looks like a personal name"),
    Ground.BESIDE_NUMBER: N_("stands beside a number"),
    Ground.SAME_PLACE: N_("stands where other files have a name"),
    Ground.DIGITS: N_("a long number"),
    Ground.FOLDER: N_("in the name of the folder"),
    Ground.OPENING: N_("in the first lines of the text"),
}
_MOST_NAMES = 3


def ground_in_words(recognised: Recognised) -> str:
    """Return why the name of a file was taken for that of a student, or its number; nothing for neither."""
    ground = recognised.name_ground or recognised.number_ground
    return "" if ground is None else _(_GROUNDS[ground])


def ordinary_names_in_words(names: Sequence[str]) -> str:
    """Return what becomes of names that are words as well; nothing where there are none."""
    if not names:
        return ""
    text = ngettext(
        "{names} is a name and an ordinary word. It is replaced only where a text clearly speaks of a "
        "person; read the texts before you send them.",
        "{names} are names and ordinary words. They are replaced only where a text clearly speaks of a "
        "person; read the texts before you send them.",
        len(names),
    )
    return text.format(names=enumerated(first_of(names, _MOST_NAMES)))
