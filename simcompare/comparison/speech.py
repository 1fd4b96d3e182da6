"""What people say in a story, told from quotations of a source: both stand in the same marks."""

import re

from simcompare.document import Span

_LONGEST_BEFORE, _LONGEST_AFTER = 40, 24

_SAY = "[说說讲講道问問喊叫答嚷劝勸骂罵笑喝吼唱念想]|告[诉訴].{0,6}|吩咐|提醒|安慰|嘀咕|念叨|感叹|嘟[囔哝]"
_SAYS_BEFORE = re.compile(
    rf"(?:{_SAY})[道着著了]?[：:，,]?\s*$"
    r"|\b(?:said|asked|replied|answered|shouted|whispered|cried|called|told\s\w+|added|thought|exclaimed"
    r"|laughed|yelled|begged|sighed|muttered|smiled)[,:]?\s*$",
    re.IGNORECASE,
)
_SAYS_AFTER = re.compile(
    rf"^\s*[，,]?\s*[^，。！？；：“”「」\s]{{0,14}}?(?:{_SAY})(?:[道着著了])?(?=[，。：！？,\s“「]|$)"
    r"|^\s*(?:(?:he|she|it|i|we|they|you|[A-Z]\w+|(?:my|our|the|his|her|a)\s\w+(?:\s\w+)?)\s)"
    r"(?:said|asked|replied|answered|shouted|whispered|cried|called|added|thought|exclaimed|laughed|yelled)\b"
    r"|^\s*(?:said|asked|replied|answered|shouted|whispered|cried|called|added|thought|exclaimed)\s"
    r"(?:he|she|i|we|they|the|my|his|her|our|[A-Z])"
)
_CITES = re.compile(
    "《|写|寫|俗[话話]|常言|古[人语語话話]|谚语|諺語|名言|格言|警句"
    "|[诗詩词詞书書文][中里上裡]|[诗詩]|所[说說言讲]|有[一]?句|[子诗詩又]曰|云[：:，]|指出|认为|認為|强调|強調|歌[词詞]|课文|課文"
    r"|\b(?:famously|writes?|wrote|according|states?|stated|argues?|argued|notes?|noted|proverb|saying"
    r"|quote[sd]?|poem|song|book|author|poet)\b",
    re.IGNORECASE,
)
_USED_TO_SAY = re.compile(
    r"曾|[说說][过過]|[常总總老][^，。]{0,4}[说說讲講]|[这這那][样樣][说說]|\b(?:once|says)\b", re.IGNORECASE
)
"""So a source is cited, unless it is somebody of the story."""
_CLOSE_TO_THE_WRITER = re.compile(
    "[爷爺]|奶|外[婆公]|姥|[妈媽爸爹娘]|母[亲親]|父[亲親]|[姐妹哥弟叔伯姑姨舅]|老[师師]|同[学學]|[邻鄰]居"
    r"|\b(?:grand\w+|grandma|grandpa|mother|father|mum|mom|dad|sister|brother|uncle|aunt|teacher|friend)\b",
    re.IGNORECASE,
)
_CITED_AFTER = re.compile(r"^\s*(?:[（(][^）)]{2,}[）)]|[\[［]\s*\d|[\u2460-\u2473¹²³]|——|—|--)")
_ASKS_OR_CALLS = ("？", "！", "?", "!")


def is_speech(text: str, quoted: Span, paragraph: Span) -> bool:
    """Whether what stands between two marks is said by somebody in a story, and no source is named.

    Somebody is said to say it, right before or behind, or it asks or calls without any words beside it.
    """
    before = text[max(paragraph.start, quoted.start - 1 - _LONGEST_BEFORE) : max(quoted.start - 1, 0)]
    after = text[quoted.end + 1 : min(paragraph.end, quoted.end + 1 + _LONGEST_AFTER)]
    clause = re.split(r"[。！？”」]|[.!?]\s", before)[-1]
    if _cites(clause) or _CITED_AFTER.match(after):
        return False
    said_after = _SAYS_AFTER.match(after)
    if said_after is not None:
        return not _cites(said_after[0])
    return _SAYS_BEFORE.search(clause) is not None or text[quoted.start : quoted.end].endswith(_ASKS_OR_CALLS)


def _cites(words: str) -> bool:
    """Whether words beside a quotation name a source: what a grandfather used to say is part of a story."""
    is_close = _CLOSE_TO_THE_WRITER.search(words) is not None
    return _CITES.search(words) is not None or (_USED_TO_SAY.search(words) is not None and not is_close)
