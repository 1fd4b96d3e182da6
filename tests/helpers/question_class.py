"""An invented class: eight essays on one question, whose words all of them use.

Two pairs share a passage. One is made of words of the question and is the longer part of its essays; in the
other, a student copied what nobody else tells.
"""

from pathlib import Path

QUESTION_WORDS = (
    "Students should not use mobile phones at school because mobile phones take the attention of "
    "students away from the lesson. If students use mobile phones in the lesson, students learn "
    "less at school, and a school should help students to learn and not to use mobile phones."
)
STORY = (
    "Last autumn our orchestra travelled to Trieste, and the cellist left her bow in the ferry "
    "terminal. A customs officer with a walrus moustache found it behind the vending machine and "
    "cycled after our coach."
)
_OWN = {
    "Adams": "My cousin repairs lighthouses, and nobody there asks what a ringtone is.",
    "Brown": "In the bakery downstairs the oven timer is the only thing that may beep.",
    "Clark": "I collect fossils; a trilobite has never answered a message in its life.",
    "Davis": "Our goalkeeper keeps a notebook of every penalty, written with a pencil stub.",
    "Evans": "The beekeeper next door taught me to sit still until the hive is calm.",
    "Frank": "When the reservoir froze, we skated to the island and lit a small lantern.",
    "Green": "Grandmother's accordion hangs in the hall, and each key has its own cough.",
    "Hayes": "The observatory opens on Fridays, when volunteers polish the old brass dome.",
}
_ON_THE_QUESTION = (
    "Mobile phones can help students in a lesson, so a school should not take mobile phones from students.",
    "A school should let students learn to use mobile phones, because students use phones away from school.",
    "I learn less in a lesson if mobile phones take my attention, and a school should help with it.",
    "Students at my school use mobile phones to learn, and their attention in the lesson is not less.",
    "If a school should take mobile phones away, students use the lesson to learn, and not mobile phones.",
    "It should help students if mobile phones are not at school, because students learn in the lesson.",
    "Attention is what students should learn at school, and mobile phones take it away from a lesson.",
    "My school should not help students to use mobile phones in the lesson because students learn less.",
)
_MORE = {
    "Clark": (
        "At the quarry the wind smells of wet slate. I label every find with ink and the date, "
        "and my aunt keeps the drawers dry with rice. Ammonites come from the lower ledge, sea "
        "urchins from the upper one."
    ),
    "Davis": (
        "Before a match he taps both posts and hums a waltz. The coach thinks that is "
        "superstition; our captain calls it geometry, since penalties mostly go low and left in "
        "the second half of the season."
    ),
}
OF_THE_QUESTION, COPIED = frozenset(("Adams.txt", "Brown.txt")), frozenset(("Clark.txt", "Davis.txt"))
LATE = "Young.txt"


def essays() -> dict[str, str]:
    """Return the texts by file name."""
    texts = {}
    for number, (name, own) in enumerate(_OWN.items()):
        words = [own, _ON_THE_QUESTION[number]]
        if f"{name}.txt" in OF_THE_QUESTION:
            words.append(QUESTION_WORDS)
        if f"{name}.txt" in COPIED:
            words += [STORY, _MORE[name]]
        texts[f"{name}.txt"] = "\n".join(words)
    return texts


def late_essay() -> str:
    """Return an essay with words of the copied story, which are not as rare any more."""
    return (
        "A cellist once told me that an orchestra is a ferry with a hundred rudders. My uncle, a "
        "customs officer, grew a moustache in autumn and shaved it at the terminal. I would "
        "rather cycle than wait for a coach."
    )


def write_class(folder: Path) -> list[Path]:
    """Write the essays to a folder; return their paths."""
    folder.mkdir()
    for name, text in essays().items():
        (folder / name).write_text(text, encoding="utf-8")
    return sorted(folder.iterdir())
