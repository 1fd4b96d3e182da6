"""A checked class of ten students below one cover, with two copies, a draft, old work and hostile names."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Event

from simcompare.cohort.class_check import ClassCheck, ClassFiles, check_class
from simcompare.cohort.cohort_scoring import UnreadDocument
from simcompare.comparison.comparison_result import BothShares
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.errors import DamagedFileError
from simcompare.model.progress import no_tick
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.students import Student
from simcompare.session.decisions import Decision, NotedDecision, PairReview

MADE_AT = datetime(2026, 5, 6, 7, 8, tzinfo=UTC)
FOLDER = Path("/schule/甲班")
COVER = (
    "第一中学语文作业\n姓名：{name}\n学号：{number}\n题目：请写一件你亲身经历的事，不少于三百字，不得抄袭。\n"
)
STORIES = (
    "外婆家的院子里有一口老井，夏天井水凉得刺骨。我常把西瓜放进竹篮，慢慢沉到水底。",
    "火车穿过隧道的时候，车厢里忽然安静下来。对面的老人合上报纸，望着窗外漆黑的岩壁。",
    "实验室的灯一直亮到深夜，培养皿排成整齐的两行。老师教我们用显微镜数酵母菌的芽体。",
    "足球赛下半场开始前下起了暴雨，球鞋陷在泥里拔不出来。守门员滑倒以后，全队都笑了。",
    "邮局门口的绿色信箱已经锈了，但是仍然有人往里投信。邮递员每周三骑着自行车来取。",
    "菜市场最里面的豆腐摊总排着长队，摊主记得每个人的口味。奶奶喜欢老豆腐，我爱喝豆浆。",
    "图书馆三楼靠窗的座位总是空着，因为下午的阳光太晒。管理员在那里摆了一盆仙人掌。",
    "台风登陆那天学校停了电，我们点着蜡烛排练话剧。窗户被吹得哗哗响，没有人忘词。",
)
NAMES = ("王小明", "李雷", "韩梅梅", "赵敏", "孙立", "周杰", "吴倩", "郑强")
COPIER, SOURCE = "周杰", "王小明"
ABSENT, DAMAGED = Student(("陈静",), ("20260010",)), "20260009-杨磊.docx"
UNREAD = Student(("杨磊",), ("20260009",))
ATTACHMENT = "20260003-韩梅梅-数据.docx"
HOSTILE = "<script src=x>&\u202e=HYPERLINK"
"""Name of a file of which no student is known."""
LISTED = (*(Student((name,), (f"{20260001 + n}",)) for n, name in enumerate(NAMES)), UNREAD, ABSENT)
SECRETS = (
    *NAMES,
    *(student.numbers[0] for student in LISTED),
    "陈静",
    "杨磊",
    "20260009",
    "甲班",
    "HYPERLINK",
)
"""Names and numbers that no anonymous report may contain."""


def document(name: str, text: str) -> PreparedDocument:
    loaded = load_pasted(FOLDER / name, PastedText(text))
    return prepare_document(replace(loaded, path=FOLDER / name, sha256=name), "improved")


def handed_in(place: int, story: str, remark: str = "") -> PreparedDocument:
    number = f"{20260001 + place}"
    cover = COVER.format(name=NAMES[place], number=number)
    return document(f"{number}-{NAMES[place]}{remark}.txt", cover + story)


def class_files(stories: tuple[str, ...]) -> ClassFiles:
    """Return one essay of each student, a draft of the second one, and a damaged file."""
    damaged = FOLDER / DAMAGED
    return ClassFiles(
        (
            *(handed_in(place, story) for place, story in enumerate(stories)),
            handed_in(1, stories[1][:40], "（初稿）"),
        ),
        unread=(UnreadDocument(damaged, DamagedFileError(damaged, cause="torn")),),
        listed=LISTED,
    )


def with_limit(check: ClassCheck, limit: float) -> ClassCheck:
    """The check under a limit that a teacher chose."""
    return replace(check, school=replace(check.school, limit=limit)).with_linked_groups()


def checked(files: ClassFiles) -> ClassCheck:
    return check_class(files, ComparisonSettings(), MADE_AT, no_tick, Event())


@cache
def clean_class() -> ClassCheck:
    """Return the check of a class without copies."""
    return checked(class_files(STORIES))


@cache
def class_with_a_damaged_attachment() -> ClassCheck:
    """Return the check of a class in which a student handed in an essay and a damaged file."""
    files, attachment = class_files(STORIES), FOLDER / ATTACHMENT
    unread = UnreadDocument(attachment, DamagedFileError(attachment, cause="torn"))
    return checked(replace(files, unread=(*files.unread, unread)))


@cache
def class_with_a_copied_sentence() -> ClassCheck:
    """Return the check of a class in which a pair is unusual with a share below a half."""
    stories = list(STORIES)
    stories[5] = STORIES[5] + STORIES[0].partition("。")[2]
    return checked(class_files(tuple(stories)))


@cache
def class_with_copies() -> ClassCheck:
    """Return the check of a class with a pair marked as copied, one of no concern, and earlier work."""
    stories = list(STORIES)
    stories[5] = STORIES[5] + STORIES[0]
    files = class_files(tuple(stories))
    hostile = document(f"{HOSTILE}.txt", "吴倩说，" + STORIES[6])
    old = document("2024/旧作.txt", STORIES[3] + STORIES[7])
    check = checked(replace(files, submitted=(*files.submitted, hostile), old=(old,)))
    reviews = {
        frozenset((f"20260001-{SOURCE}.txt", f"20260006-{COPIER}.txt")): NotedDecision(
            Decision.COPIED, "=1+1 <b>see page 2</b>"
        ),
        frozenset((f"20260007-{NAMES[6]}.txt", f"{HOSTILE}.txt")): NotedDecision(
            Decision.FINE, "郑强 helped"
        ),
    }
    paths = [each.document.path.name for each in check.cohort.documents]
    pairs = tuple(
        replace(pair, review=PairReview(reviews[names]))
        if (names := frozenset((paths[pair.left], paths[pair.right]))) in reviews
        else pair
        for pair in check.cohort.pairs
    )
    return replace(check, cohort=replace(check.cohort, pairs=pairs))


def class_with_a_cleared_pair(decided: BothShares | None = (0.0, 0.0)) -> ClassCheck:
    """Return the check of a class whose one unusual pair was decided to be of no concern as a whole."""
    check = class_with_a_copied_sentence()
    pairs = tuple(
        replace(pair, review=PairReview(NotedDecision(Decision.FINE)), decided=decided)
        if check.is_unusual(pair)
        else pair
        for pair in check.cohort.pairs
    )
    return replace(check, cohort=replace(check.cohort, pairs=pairs))
