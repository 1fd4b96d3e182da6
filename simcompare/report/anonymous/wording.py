"""Why something was taken for a name, in the language of the moment."""

from simcompare.anonymity.students import Ground, Recognised
from simcompare.i18n import N_, _

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


def ground_in_words(recognised: Recognised) -> str:
    """Return why the name of a file was taken for that of a student, or its number; nothing for neither."""
    ground = recognised.name_ground or recognised.number_ground
    return "" if ground is None else _(_GROUNDS[ground])
