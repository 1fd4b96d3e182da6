"""Recall and precision of the replacement of students' names by pseudonyms.

    python -m tests.benchmarks.anonymity [--show 30]

Recall: an invented class of 40 students (Chinese with shared surnames, compound surnames and given names of
one and two characters; English; Uyghur, with middle dots) is written in about 30 forms a name, inside
sentences, in texts of the student and of others, and so is a class whose names are ordinary words. A form
counts as found if each letter, character and digit of its identifying part (between angle brackets) is
replaced, and as listed if it is replaced or overlaps a place that is listed before an export.

Precision: ordinary texts in which no student of the class occurs, from a folder beside the checkout, and a
class of essays with its own list. Replaced words are counted against all words. Namesakes, people who have
the whole name, the given name of two characters or the Latin name of a student, are counted apart, and so is
personal data (addresses, numbers of telephones), which is replaced whoever it belongs to.

The last line of each counts what is listed before an export because it may still name someone.
"""

import argparse
import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pypinyin import Style, lazy_pinyin

from simcompare.pseudonyms.name_folding import folded
from simcompare.pseudonyms.pseudonyms import Pseudonyms, make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.text.words import cut_mixed_text, surname_of
from tests.helpers.documents import SHARED

CHINESE = """
    张伟 張偉|张丽 張麗|张雨桐 張雨桐|李强 李強|李小红 李小紅|李子轩 李子軒|王芳 王芳|王小明 王小明
    |王思远 王思遠|刘洋 劉洋|刘佳琪 劉佳琪|陈静 陳靜|陈浩然 陳浩然|杨帆 楊帆|黄晓东 黃曉東|赵磊 趙磊|周杰 周傑
    |吴梦洁 吳夢潔|徐鹏 徐鵬|孙悦 孫悅|马超群 馬超群|欧阳娜娜 歐陽娜娜|欧阳杰 歐陽傑|司马青云 司馬青雲
    |诸葛晓慧 諸葛曉慧|上官婷 上官婷
"""
"""Simplified and traditional form."""
ENGLISH = """
    John Smith|Emily Clarke|Mary O'Connor|Anna Kowalski|Sophie van Dijk|Daniel Fernandez|Katie Johnson
    |Thomas Müller|Mary-Ann Evans
"""
WORDS = """
    方圆 方圓|高峰 高峰|白云 白雲|田野 田野|史可 史可|高歌 高歌|江山 江山|黄金 黃金|马力 馬力|文明 文明
    |张扬 張揚|白雪 白雪|高兴 高興|陈列 陳列|高原 高原|和平 和平|万里 萬里|向阳 向陽|安静 安靜|何必 何必
    |金星 金星|周全 周全|王海洋 王海洋|李春天 李春天|张明月 張明月|刘阳光 劉陽光|陈希望 陳希望|赵朝阳 趙朝陽
    |孙建设 孫建設
"""
ENGLISH_WORDS = (
    "Will Young|Grace May|Rose Green|Mark Hope|Jack Frost|Summer Brown|Joy Wood|Frank Long|Faith King"
)
DOTTED = "阿卜杜拉·买买提|古丽娜尔·艾力|迪丽热巴·阿不都|麦麦提江·吐尔逊|阿依古丽·热合曼"

IN_CHINESE = (
    "昨天{}在操场上跑步。", "我和{}一起去了图书馆。", "{}的妈妈来接我们。", "老师表扬了{}。",
    "“{}！”我喊道。", "这个故事是{}写的，大家都喜欢。",
)  # fmt: skip
IN_ENGLISH = (
    "Yesterday {} went to the library.", "We asked {} about it.", "The story ({}) is long.",
    "It was {}'s idea, they said.", "I like {}, and so do you.",
)  # fmt: skip
AT_BEGINNING = ("{}，大家都笑了。", "放学以后，{}。", "“好的。”{}。")


class Form(NamedTuple):
    """A name as it is written; sentences: those in which it may be."""

    kind: str
    text: str
    sentences: tuple[str, ...]


class Pupil(NamedTuple):
    script: str
    name: str
    traditional: str = ""


def _pupils(chinese: str, english: str, dotted: str = "") -> list[Pupil]:
    return [
        *(Pupil("han", *pair.split()) for pair in chinese.split("|")),
        *(Pupil("latin", name.strip()) for name in english.split("|")),
        *(Pupil("dotted", name) for name in filter(None, dotted.split("|"))),
    ]


INVENTED = _pupils(CHINESE, ENGLISH, DOTTED)
ORDINARY_WORDS = _pupils(WORDS, ENGLISH_WORDS)


def _number_forms(number: str, place: int) -> Iterator[Form]:
    both = (*IN_CHINESE[:3], *IN_ENGLISH[:3])
    full_width = "".join(chr(ord(digit) + 0xFEE0) for digit in number)
    yield Form("number", number, both)
    yield Form("full-width number", full_width, both)
    yield Form("spaced number", " ".join(number), both)
    yield Form("divided number", f"{number[:4]}-{number[4:6]}-{number[6:]}", both)
    yield Form("mobile number", f"1380013{place:04}", both)
    yield Form("identity number", f"11010120080101{place:03}X", both)


def _address_forms(surname: str, given: str, place: int) -> Iterator[Form]:
    both = (*IN_CHINESE[:3], *IN_ENGLISH[:3])
    yield Form("address", f"{surname}.{given}@school.example", both)
    yield Form("address with a year", f"{surname}{given}2008@qq.example", both)
    yield Form("abbreviated address", f"{surname}{given[:1]}{place}@school.example", both)


def _han_forms(name: str, traditional: str, place: int) -> Iterator[Form]:
    surname, given = name[: len(surname_of(name))], name[len(surname_of(name)) :]
    syllables = [lazy_pinyin(name)[: len(surname)], lazy_pinyin(name)[len(surname) :]]
    family, first = ("".join(part).capitalize() for part in syllables)
    toned = lazy_pinyin(name, Style.TONE)
    marked = ["".join(toned[: len(surname)]).capitalize(), "".join(toned[len(surname) :]).capitalize()]
    yield from (
        Form("name", name, IN_CHINESE),
        Form("spaced", " ".join(name), IN_CHINESE),
        Form("full-width space", f"{surname}\u3000{given}", IN_CHINESE),
        Form("middle dot", f"{surname}·{given}", IN_CHINESE),
        Form("zero-width", "\u200b".join(name), IN_CHINESE),
        Form("traditional", traditional, IN_CHINESE),
        Form("classmate", f"<{surname}>同学", IN_CHINESE[:5]),
        Form("little", f"小<{surname}>", IN_CHINESE),
        Form("old", f"老<{surname}>", IN_CHINESE),
        Form("given name, classmate", f"<{given}>同学", IN_CHINESE[:5]),
        Form("given name, speaking", f"<{given}>说", AT_BEGINNING),
        Form("Given Family", f"{first} {family}", IN_ENGLISH),
        Form("Family Given", f"{family} {first}", IN_ENGLISH),
        Form("capitals", f"{family} {first}".upper(), IN_ENGLISH),
        Form("joined", f"{family}{first}", IN_ENGLISH),
        Form("lower case", f"{family}_{first}".lower(), IN_ENGLISH),
        Form("G. Family", f"{first[0]}. {family}", IN_ENGLISH),
        Form("Family, G.", f"{family}, {first[0]}.", IN_ENGLISH),
        Form("F. Given", f"{family[0]}. {first}", IN_ENGLISH),
        Form("F.Given", f"{family[0]}.{first}", IN_ENGLISH),
        Form("tones", " ".join(marked), IN_ENGLISH),
        Form("hyphens", f"{family} {'-'.join(syllables[1]).capitalize()}", IN_ENGLISH),
        Form("over two lines", f"{family}\n{first}", IN_ENGLISH),
    )
    yield from _address_forms(family.lower(), first.lower(), place)


def _latin_forms(name: str, place: int) -> Iterator[Form]:
    first, *middle, last = name.split()
    family = " ".join([*middle, last])
    swapped = first[0] + first[2] + first[1] + first[3:] if first[1] != first[2] else first
    plain = re.sub(r"\W", "", last.lower().replace("ü", "u"))
    yield from (
        Form("name", name, (*IN_ENGLISH, *IN_CHINESE)),
        Form("Family, Given", f"{family}, {first}", IN_ENGLISH),
        Form("capitals", name.upper(), IN_ENGLISH),
        Form("joined", name.replace(" ", ""), IN_ENGLISH),
        Form("lower case", name.lower().replace(" ", "_"), IN_ENGLISH),
        Form("given name", first, (*IN_ENGLISH, *IN_CHINESE)),
        Form("surname", family, (*IN_ENGLISH, *IN_CHINESE)),
        Form("G. Family", f"{first[0]}. {family}", IN_ENGLISH),
        Form("G.Family", f"{first[0]}.{family}", IN_ENGLISH),
        Form("Family, G.", f"{family}, {first[0]}.", IN_ENGLISH),
        Form("Given F.", f"{first} {last[0]}.", IN_ENGLISH),
        Form("title", f"Mr. <{family}>", IN_ENGLISH),
        Form("middle initial", f"{first} Q. {family}", IN_ENGLISH),
        Form("hard space", name.replace(" ", "\u00a0"), IN_ENGLISH),
        Form("over two lines", name.replace(" ", "\n"), IN_ENGLISH),
        Form("full width", "".join(chr(ord(c) + 0xFEE0) if "A" <= c <= "z" else c for c in name), IN_ENGLISH),
        Form("tilted apostrophe", name.replace("'", "\u2019"), IN_ENGLISH),
        Form("swapped letters", swapped, IN_ENGLISH),
        Form("number after it", f"{first.lower()}_{plain}04", IN_ENGLISH),
        Form("classmate", f"<{first}>同学", IN_CHINESE[:5]),
    )
    yield from _address_forms(plain, re.sub(r"\W", "", first.lower()), place)


def _dotted_forms(name: str, place: int) -> Iterator[Form]:
    given, family = name.split("·")
    latin = ["".join(lazy_pinyin(word)).capitalize() for word in (given, family)]
    for dot in ("·", "•", "‧", "・", ".", "", " ", "-", "．", "∙", "●"):
        yield Form(f"dot {dot!a}", given + dot + family, IN_CHINESE)
    yield from (
        Form("given name", given, IN_CHINESE),
        Form("father's name", family, IN_CHINESE),
        Form("given name, speaking", f"<{given}>说", AT_BEGINNING),
        Form("given name, classmate", f"<{given}>同学", IN_CHINESE[:5]),
        Form("spaced", " ".join(name), IN_CHINESE),
        Form("Given Family", " ".join(latin), IN_ENGLISH),
        Form("capitals", " ".join(latin).upper(), IN_ENGLISH),
        Form("lower case", "_".join(latin).lower(), IN_ENGLISH),
        Form("joined", "".join(latin), IN_ENGLISH),
        Form("over two lines", f"{given}·\n{family}", IN_CHINESE),
    )
    yield from _address_forms(latin[1].lower(), latin[0].lower(), place)


def forms(pupils: Sequence[Pupil]) -> Iterator[tuple[int, Form]]:
    """Yield all forms with the index of their student."""
    for place, (script, name, traditional) in enumerate(pupils):
        if script == "han":
            own = _han_forms(name, traditional, place)
        else:
            own = _latin_forms(name, place) if script == "latin" else _dotted_forms(name, place)
        for form in (*own, *_number_forms(_number(place), place)):
            yield place, form._replace(kind=f"{script}: {form.kind}")


def _number(place: int) -> str:
    return f"20230901{place + 1:02}"


def pseudonyms_of(pupils: Sequence[Pupil]) -> Pseudonyms:
    """Return pseudonyms of a class, with a file for each student."""
    listed = [Student((pupil.name,), (_number(place),)) for place, pupil in enumerate(pupils)]
    files = [RecognisedStudent(Path(f"{n}.txt"), student.names[0], student.numbers[0])
             for n, student in enumerate(listed)]  # fmt: skip
    return make_pseudonyms(files, listed, "5e" * 16)


def measure_recall(title: str, pupils: Sequence[Pupil], show: int) -> None:
    names = pseudonyms_of(pupils)
    found, listed, total, wrong = Counter[str](), Counter[str](), Counter[str](), 0
    missed: defaultdict[str, list[str]] = defaultdict(list)
    labels = [names.label(owner) for n in range(len(pupils)) if (owner := names.owner_of(Path(f"{n}.txt")))]
    for place, form in forms(pupils):
        for number, sentence in enumerate(form.sentences):
            text, start, end = _written(sentence, form.text)
            # every second sentence is in the student's own text
            file = Path(f"{place}.txt" if number % 2 else "other.txt")
            changes = names.replacements(text, file)
            covered = {n for change in changes for n in range(change.start, change.end)}
            total[form.kind] += 1
            if all(n in covered or not text[n].isalnum() for n in range(start, end)):
                found[form.kind] += 1
            elif _is_listed(names, file, text, start, end):
                listed[form.kind] += 1
                missed[form.kind].append(names.replaced(text))
            else:
                missed[form.kind].append(f"NOT LISTED {names.replaced(text)}")
            texts = {change.text.strip() for change in changes} & set(labels)
            wrong += bool(texts - {labels[place]})
    for kind in total:
        if missed[kind]:
            examples = " | ".join(sorted(missed[kind], key=lambda text: not text.startswith("NOT"))[:show])
            print(f"{kind:32} {found[kind]:4} + {listed[kind]:3} listed of {total[kind]:4}  {examples}")
    places, replaced = sum(total.values()), sum(found.values())
    print(f"{title}: {len(pupils)} students, {len(total)} kinds of forms, {places} places")
    print(f"recall {replaced / places:.4f}, with the listed {(replaced + sum(listed.values())) / places:.4f}")
    print(f"other student's pseudonym {wrong}")


def _is_listed(names: Pseudonyms, file: Path, text: str, start: int, end: int) -> bool:
    """Return whether a place that is listed before an export overlaps [start, end)."""
    return any(
        place < end and start < place + len(name.text)
        for name in names.possible_names({file: text})
        for _file, place in name.places
    )


def _written(sentence: str, form: str) -> tuple[str, int, int]:
    """Return a sentence with a form, and the offsets of its identifying part."""
    start = sentence.index("{}") + form.find("<") + 1 if "<" in form else sentence.index("{}")
    inner = form[form.find("<") + 1 : form.find(">")] if "<" in form else form
    plain = form.replace("<", "").replace(">", "")
    start = sentence.index("{}") + (form.find("<") if "<" in form else 0)
    return sentence.replace("{}", plain), start, start + len(inner)


def measure_precision(
    title: str, names: Pseudonyms, texts: dict[Path, str], show: int, *, with_namesakes: bool = True
) -> None:
    """Print the words that are wrongly replaced; with_namesakes: the names are not ordinary words."""
    pupils = names.students if with_namesakes else []
    known = {form for student in pupils for name in student.names for form in _namesakes(name)}
    words, ordinary, counts = 0, Counter[str](), Counter[str]()
    for file, text in texts.items():
        words += len(cut_mixed_text(text))
        owner = names.owner_of(file)
        own = owner.student.names + owner.student.numbers if owner and owner.student else ()
        for change in names.replacements(text, file if owner else None):
            written = text[change.start : change.end]
            if "personal data" in change.text:
                counts["personal data"] += 1
            elif (
                known.issuperset(re.findall(r"[^\W\d_]+", folded(written).characters))
                and written[0].isupper() >= written.isascii()
            ):
                counts["own names" if written in own else "namesakes"] += 1
            elif written not in own:
                context = text[max(change.start - 6, 0) : change.end + 6].replace("\n", "/")
                ordinary[f"{written} <{context}>"] += 1
    count = sum(ordinary.values())
    others = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()))
    print(f"{title}: {words} words, {count} wrong ({count / words * 20_000:.2f} in 20,000); {others}")
    for written, number in ordinary.most_common(show):
        print(f"    {number:3} {written!r}")
    possible = names.possible_names(texts)
    print(f"    {sum(len(name.places) for name in possible)} places may still name someone")


def _namesakes(name: str) -> Iterator[str]:
    """Yield what other people may be called: whole names, given names of two characters, Latin words."""
    form = folded(name).characters
    yield form
    if form[-3:].isascii():
        yield from re.findall(r"[^\W\d_]+", form)
    elif len(form) > 2:
        yield form[-2:]


def texts_of(*folders: str) -> dict[Path, str]:
    files = (path for folder in folders for path in sorted((SHARED / "bench" / folder).glob("*.txt")))
    return {path: path.read_text(encoding="utf-8", errors="replace") for path in files}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--show", type=int, default=3, help="number of places shown of each kind")
    show = parser.parse_args().show
    measure_recall("invented class", INVENTED, show)
    measure_recall("names that are ordinary words", ORDINARY_WORDS, show)
    names = pseudonyms_of(INVENTED)
    for folders in (
        ("zh-dev/src", "zh-dev/susp"),
        ("pan13-dev/src", "pan13-dev/susp"),
        ("class-en-dev/essays",),
    ):
        measure_precision(" ".join(folders), names, texts_of(*folders), show * 8)
    of_words = pseudonyms_of(ORDINARY_WORDS)
    for folder in ("zh-dev/susp", "class-en-dev/essays"):
        title = f"ordinary words, {folder}"
        measure_precision(title, of_words, texts_of(folder), show * 8, with_namesakes=False)
    with (SHARED / "bench" / "class-dev" / "roster.csv").open(encoding="utf-8-sig") as file:
        listed = [Student((row["姓名"],), (row["学号"],)) for row in csv.DictReader(file)]
    texts = texts_of("class-dev/essays")
    of_class = make_pseudonyms([], listed, "5e" * 16).including_files(texts)
    measure_precision("class-dev with its list", of_class, texts, show * 8)


if __name__ == "__main__":
    main()
