"""Whether two files name the same person as their maker: what a teacher looks up when two essays agree."""

from collections.abc import Iterator

from simcompare.comparison.subject import Subject
from simcompare.i18n import _
from simcompare.receipt import Origin

_OF_PROGRAMS = frozenset(
    {
        "", "acer", "admin", "administrator", "apache poi", "asus", "author", "dell", "default", "guest",
        "home", "hp", "lenovo", "microsoft", "microsoft office user", "microsoft office 用户", "owner", "pc",
        "python-docx", "student", "teacher", "thinkpad", "unknown", "user", "windows user", "windows 用户",
        "word", "wps",
        "作者", "匿名", "学生", "微软中国", "微软用户", "教师", "未知", "用户", "管理员", "老师",
    }
)  # fmt: skip
"""What programs and computers name where nobody gave a name."""


def common_maker(left: Origin, right: Origin) -> str:
    """Return who made one file, or saved it last, and the other one as well; "" where that is nobody."""
    others = {_plain(name) for name in (right.author, right.last_saved_by)} - _OF_PROGRAMS
    return next((name for name in (left.author, left.last_saved_by) if _plain(name) in others), "")


def maker_facts(left: Subject, right: Subject) -> Iterator[tuple[str, str]]:
    """Yield who made both files under what that is called, nothing where that is nobody."""
    maker = common_maker(left.document.receipt.origin, right.document.receipt.origin)
    if maker:
        yield _("Same author"), maker


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
