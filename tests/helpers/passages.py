"""Short texts with and without passages in common, and the passages between two texts."""

from collections.abc import Sequence

from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.passages.term_cosine import SentenceTerms, sentence_terms
from simcompare.model.settings import PassageSettings
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import document_of

LIGHTHOUSE = [
    "The keeper climbed the hundred and twelve steps of the lighthouse every evening before the storm.",
    "He trimmed the wick, polished the brass and wrote the hour of the lighting into a heavy ledger.",
    "When the fishing boats returned from the northern banks, their lanterns answered his beam in turn.",
    "In winter the spray froze on the windows, and he scraped them clear with a blunt kitchen knife.",
]
GARDEN = [
    "My neighbour grows tomatoes and beans behind a row of old railway sleepers.",
    "Each spring she spreads compost that smells of coffee grounds and wet leaves.",
    "A robin follows her spade and steals the worms from under her boots.",
    "She never buys seeds but trades them with a retired postman.",
    "By August the whole street receives paper bags full of courgettes.",
]
TRAFFIC = [
    "City councils argue about whether cyclists deserve lanes of their own.",
    "Drivers complain that parking has become impossible near the market.",
    "A survey counted nine hundred bicycles crossing the bridge within an hour.",
    "Shopkeepers feared for their trade, yet sales rose after the road was closed.",
    "Buses now arrive on time because the junction no longer jams.",
]
ORCHARD = [
    "秋天的果园里弥漫着苹果的香味，爷爷背着竹筐走在最前面，小黄狗跟在他的脚后。",
    "我们踩着梯子把熟透的果子一个一个摘下来，轻轻放进铺着稻草的木箱里。",
    "傍晚的时候，拖拉机把装满的箱子运到镇上的合作社，大家坐在田埂上喝着热茶。",
    "奶奶把碰伤的苹果洗净切片，晒在屋顶的竹席上，留到过年时煮甜汤。",
]
LIBRARY = [
    "学校的图书馆上个月换了新的书架，管理员为每本书贴上了彩色标签。",
    "午休的时候，常常有同学靠着窗户安静地阅读科幻小说。",
    "借书卡可以用手机扫描，不再需要填写纸质表格。",
    "周五下午还有老师主持的读书会，讨论历史人物的故事。",
]
METRO = [
    "地铁五号线的工程队昨夜完成了隧道的最后一段开挖。",
    "专家介绍，盾构机在砂层中掘进时必须严格控制压力。",
    "沿线居民盼望通车以后上班时间能够缩短一半。",
    "车站的出入口将安装电梯，方便老人和推婴儿车的家长。",
]


def english(*sentences: Sequence[str]) -> str:
    """Join groups of sentences into a paragraph."""
    return " ".join(sentence for group in sentences for sentence in group)


def chinese(*sentences: Sequence[str]) -> str:
    return "".join(sentence for group in sentences for sentence in group)


def terms_of(text: str) -> SentenceTerms:
    return sentence_terms(prepare(document_of(text)))


def passages_between(left: str, right: str, settings: PassageSettings | None = None) -> Passages:
    return find_passages(terms_of(left), terms_of(right), settings or PassageSettings())


def shared_texts(left: str, right: str, settings: PassageSettings | None = None) -> list[tuple[str, str]]:
    """Return the text of each passage on both sides."""
    return [(p.left.of(left), p.right.of(right)) for p in passages_between(left, right, settings)]
