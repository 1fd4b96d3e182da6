"""Addresses and numbers that lead to a person: e-mail, telephone, identity number, accounts."""

from collections.abc import Iterator, Sequence

from simcompare.pseudonyms.name_finder import AMOUNT, NameMatch
from simcompare.pseudonyms.name_folding import folded
from simcompare.support.lazy_pattern import LazyPattern

_PERSONAL_DATA = LazyPattern(
    r"(?<![a-z0-9._%+\-])[a-z0-9._%+\-]{0,64}\s?(?:@|[\[(]at[\])])\s?[a-z0-9\-]{1,63}(?:\.[a-z0-9\-]{1,63})+"
    # 18 characters with a date of birth, after GB 11643
    r"|(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dx](?![\da-z])"
    r"|(?<![\d.])(?:\+?86[ \-]?)?1[3-9]\d[ \-]?\d{4}[ \-]?\d{4}(?![\d.]\d|\d)"
    rf"(?!{AMOUNT})"
    r"|(?<![\d.\-])(?:\(0\d{2,4}\)|0\d{2,4})[ \-]{0,2}(?<=\D)\d{3,4}[ \-]?\d{3,4}(?!\d)"
    r"|\+(?=(?:\D{0,3}\d){8})\d{1,3}(?:[ .()\-]{0,2}(?:0\) ?)?\d{2,9}){1,5}(?!\d)"
    r"|(?<!\d)\(?\d{3}\)?[ .\-]\d{3}[.\-]\d{4}(?!\d)"
    r"|(?:(?:电话|手机|微信|联系方式|身份证)(?:号码|号)?|(?<![a-z])(?:qq|wechat|weixin|tel|phone|mobile|whatsapp)(?:号|\s?(?:no\.?|number))?)"
    r"\s?(?:是|为|is|[:.#])?\s?"
    r"(?P<account>\(?0\d{2,4}[) \-]{1,2}\d{3,4}[ \-]?\d{3,4}(?!\d)|(?=[a-z_+\-]{0,20}\d)[a-z\d_+\-]{5,20}+)"
    rf"(?!{AMOUNT})"
)
_REST_OF_ACCOUNT = LazyPattern(r"_?\d{1,8}(?![^\W_])")
"""The end of the account of a named student: the year of "zhangwei2008"."""


def with_personal_data(text: str, names: Sequence[NameMatch]) -> Iterator[NameMatch]:
    """Yield the names and the personal data in a text, in order; data with names are those of their students.

    Data without a name have no students.
    """
    form = folded(text)
    spans: list[tuple[int, int, tuple[int, ...]]] = []
    for match in _PERSONAL_DATA.finditer(form.characters):
        start, end = match.span("account") if match["account"] else match.span()
        spans.append((int(form.starts[start]), int(form.ends[end - 1]), ()))
    for name in names:
        rest = _REST_OF_ACCOUNT.match(text, name.end)
        is_account = rest is not None and text[name.end - 1].isascii() and text[name.end - 1].isalpha()
        spans.append((name.start, rest.end() if rest and is_account else name.end, name.students))
    found: list[NameMatch] = []
    for start, end, students in sorted(spans):
        last = found[-1] if found else NameMatch(-1, -1, ())
        if start < last.end or (start == last.end and not (students and last.students)):
            both = tuple(dict.fromkeys((*last.students, *students)))
            found[-1] = NameMatch(last.start, max(end, last.end), both)
        else:
            found.append(NameMatch(start, end, students))
    yield from found
