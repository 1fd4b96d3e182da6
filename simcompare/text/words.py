"""Words: segmentation and tags of Han text, IDF, marker words, English stems, function words, surnames.

rjieba segments Han text exactly as jieba does, about twenty times faster, with words of the user too; tests
compare the two.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from simcompare.model.errors import FileError, FileNotReadableError, FileTooLargeError, os_errors_as
from simcompare.model.settings import UserWords
from simcompare.support.i18n import N_
from simcompare.support.resources import resource_path
from simcompare.text.thesaurus import comparable_words

FUNCTION_WORDS = frozenset(
    {
        # Chinese: prepositions, conjunctions, particles, pronouns
        "不过", "与", "为", "为了", "之", "也", "了", "于", "于是", "从", "他", "以", "以及", "但", "但是",
        "便", "倘若", "假如", "再", "到", "即使", "却", "又", "及", "只", "只有",
        "只要", "可", "可是", "吗", "呢", "吧", "和", "因", "因为", "因此", "在", "地", "她", "如果", "它",
        "对", "对于", "将", "就", "尽管", "已", "已经", "并", "并且", "当", "得", "我", "所以", "才", "把",
        "才能", "方", "是", "有", "正", "正在", "此", "然后", "然而",
        "由", "由于", "的", "着", "而", "而且", "自", "若", "虽", "虽然", "被", "让", "该", "跟", "过", "还",
        "这", "那", "都", "很", "太", "同", "向", "往", "给",
        # English
        "a", "about", "after", "also", "although", "among", "an", "and", "as", "at", "because", "before",
        "but", "by", "during", "for", "from", "he", "hence", "her", "his", "however", "i", "if", "in",
        "into", "is", "it", "its", "my", "of", "on", "onto", "or", "our", "over", "she", "since", "so",
        "than", "that", "the", "their", "then", "therefore", "they", "this", "though", "thus", "to", "too",
        "toward", "towards", "under", "until", "upon", "very", "was", "we", "when", "whereas", "which",
        "while", "with", "within", "yet", "you", "your",
    }
)  # fmt: skip
"""In comparable form."""

SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆"
    "范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文庞樊兰殷施洪翟安"
    "颜倪牛温芦季俞章鲁葛伍申尤毕聂柴焦欧丛邢祁耿齐梅庄童凌詹苗翁骆闻卜岳关阎辛管左路舒纪卓甘成古凤解柯房裴辜冉上官游"
    "阮蓝祝霍冷包司柏水窦云单洛景车甄曲封艾项屈鲍宁谷褚滕牟蒲储简栾麦宗戚沙佟米桑全宫查应娄费虞缪岑练楚盛戈原占邬臧隋"
    "党苟仇晏代晋仲宣桂井荆强羊池涂卞花居晁湛明容权和束吉鹿边楼闵植巴伏麻衣公木敖母茅揭靳衡喻鄢盘鄂伊丘初国但漆萧"
) - frozenset("上官")
"""Surnames of one character; traditional ones in simplified form."""

SURNAMES_THAT_ARE_WORDS = (
    "傅柳时席卫饶刁瞿来廉符奚穆郎邸冀谈姬屠连郜郁商蒙计迟巩竺匡鞠胥尚尧郗阳糜扬苑诸农经甯"
)
"""Surnames that identify a name in pinyin, but not in characters, where they are words."""
RARE_SURNAMES = SURNAMES_THAT_ARE_WORDS + (
    "华昌皮元平禹狄贝危支昝裘干贲杭钮嵇滑荣於惠家芮羿汲邴松富巫乌弓牧隗山宓蓬班仰秋暴厉戎祖幸韶蓟薄印宿怀从索咸籍蔺阴能苍"
    "双莘劳逄扶堵宰郦雍郤璩濮寿通扈燕郏浦别充慕茹习宦鱼慎庾终暨步都满弘寇广禄阙东殳沃利蔚越夔隆师厍勾融訾阚那空乜养须丰巢蒯相"
)
"""Surnames that need a given name behind them that is in no dictionary word with them."""

COMPOUND_SURNAMES = frozenset(
    {
        "万俟", "上官", "东方", "东郭", "乐正", "令狐", "仲孙", "公冶", "公孙", "公羊", "单于", "南宫",
        "南门", "司徒", "司空", "司马", "呼延", "夏侯", "太史", "宇文", "宗政", "尉迟", "左丘", "慕容",
        "拓跋", "欧阳", "淳于", "澹台", "濮阳", "独孤", "申屠", "百里", "皇甫", "端木", "第五", "西门",
        "诸葛", "赫连", "轩辕", "钟离", "长孙", "闻人", "闾丘", "鲜于",
    }
)  # fmt: skip


def surname_of(name: str) -> str:
    """Return the Chinese surname at the start of a name in simplified characters, or ""."""
    if name[:2] in COMPOUND_SURNAMES:
        return name[:2]
    return name[:1] if name[:1] in SURNAMES else ""


_RUN_SEPARATOR = "\n"
# rjieba needs 250 bytes for each character of its input, and hangs or ends the process if there is no memory;
# longer input is not faster either.
_CHARACTERS_PER_CALL = 100_000
# Characters read beyond a place where a long run is cut. The words before it do not depend on what follows.
_LOOK_AHEAD = 1_000


@lru_cache(maxsize=3)
def segmenter(own: UserWords | None = None) -> Any:
    """Import rjieba at its first use: it then loads its dictionary, for a fifth of a second.

    With words of the user, load them after jieba's dictionary as its `load_userdict` does: 40 MB, and half a
    second.
    """
    import rjieba  # noqa: PLC0415 - see above

    if own is None:
        return rjieba
    listed = (_jieba_folder() / "dict.txt").read_text(encoding="utf-8").split()
    words, counts = listed[::3], list(map(int, listed[1::3]))
    total, tags = sum(counts), dict(zip(words, listed[2::3], strict=True))
    # what only begins words has frequency 0 in jieba, and what is in none has 1
    frequencies = dict.fromkeys((word[0] for word in words), 0) | dict(zip(words, counts, strict=True))
    for word, *rest in map(str.split, own.text.splitlines()):
        has_frequency = bool(rest) and rest[0].isdecimal()
        frequency = int(rest[0]) if has_frequency else _suggested_frequency(word, frequencies, total)
        frequencies |= {word[0]: frequencies.get(word[0], 0), word: frequency}
        total += frequency
        tags[word] = rest[-1] if len(rest) > has_frequency else tags.get(word, "x")
    loaded = rjieba.Jieba.empty()  # type: ignore[no-untyped-call]
    for word, tag in tags.items():
        loaded.add_word(word, frequencies[word], tag)
    # jieba counts the former frequency of a word too; no word has this character
    loaded.add_word("\ue000", total - sum(frequencies.values()), "")
    return loaded


def _suggested_frequency(word: str, frequencies: dict[str, int], total: int) -> int:
    """Return the frequency from which a word is not cut, as jieba's `suggest_freq` does."""
    best = {len(word): (0.0, 0)}
    for start in reversed(range(len(word))):
        ends = [end for end in range(start + 1, len(word) + 1) if frequencies.get(word[start:end])]
        best[start] = max(
            (log(frequencies.get(word[start:end]) or 1) - log(total) + best[end][0], end)
            for end in ends or [start + 1]
        )
    share, start = 1.0, 0
    while start < len(word):
        start, before = best[start][1], start
        share *= frequencies.get(word[before:start], 1) / total
    return max(int(share * total) + 1, frequencies.get(word, 1))


def segment(runs: Iterable[str], own: UserWords | None = None) -> Iterator[list[tuple[str, str]]]:
    """Segment each run of Han characters into (word, tag) pairs; tags are jieba's ("n", "v", "ns", ...).

    Runs must contain only Han characters. The concatenated words of a run equal the run.
    """
    tag = segmenter(own).tag
    for joined in _joined_batches(runs):
        if len(joined) > _CHARACTERS_PER_CALL:
            yield _segmented_in_parts(joined, tag)
            continue
        run: list[tuple[str, str]] = []
        for word_and_tag in tag(joined):
            if word_and_tag[0] == _RUN_SEPARATOR:
                yield run
                run = []
            else:
                run.append(word_and_tag)
        yield run


def _segmented_in_parts(run: str, tag: Callable[[str], list[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Segment a run too long for one call; each part begins where a word of the part before it ends.

    Equal words are one object: 3 million characters have 2 million words.
    """
    words: list[tuple[str, str]] = []
    known: dict[tuple[str, str], tuple[str, str]] = {}
    start = 0
    while start < len(run):
        part = run[start : start + _CHARACTERS_PER_CALL]
        found = tag(part)
        end = len(part)
        # a word of the whole part is kept
        while start + len(part) < len(run) and len(found) > 1 and end > len(part) - _LOOK_AHEAD:
            end -= len(found.pop()[0])
        words += [known.setdefault(word_and_tag, word_and_tag) for word_and_tag in found]
        start += end
    return words


def _joined_batches(runs: Iterable[str]) -> Iterator[str]:
    """Join runs up to the batch size; a longer run is a batch of its own."""
    waiting: list[str] = []
    characters = 0
    for run in runs:
        if waiting and characters + len(run) > _CHARACTERS_PER_CALL:
            yield _RUN_SEPARATOR.join(waiting)
            waiting, characters = [], 0
        waiting.append(run)
        characters += len(run) + len(_RUN_SEPARATOR)
    if waiting:
        yield _RUN_SEPARATOR.join(waiting)


def cut_mixed_text(text: str, own: UserWords | None = None) -> list[str]:
    """Split a text of any script into tokens as `jieba.cut` does, including punctuation and blanks."""
    tokens: list[str] = segmenter(own).cut(text)
    return tokens


BACKGROUND_NAME = "background-1"
"""Part of every fingerprint's recipe; changed figures need a new name."""

# The median of jieba's list, which jieba itself assigns to Chinese words that are not in it.
_UNLISTED_CHINESE_IDF = 11.9547675029
# A text of random letters can have a million words: kept for ever, they take 100 MB.
_WORDS_KEPT = 1 << 16
# Just above the rarest listed English word; also for figures and for words of other scripts.
_UNLISTED_LATIN_IDF = 5.30


@lru_cache(maxsize=_WORDS_KEPT)
def inverse_document_frequency(word: str) -> float:
    """Return IDF = log(N/n + 0.01) of a word in the background, above 0 (Zhang & He, section 2.3)."""
    known = _chinese_idf(word) or _latin_idf().get(word)
    if known is not None:
        return known
    return _UNLISTED_LATIN_IDF if word.isascii() or not _is_han(word) else _UNLISTED_CHINESE_IDF


def is_listed_chinese(word: str) -> bool:
    return _chinese_idf(word) is not None


def is_common_english(word: str) -> bool:
    """Return whether a lower-case word is a common word of English articles; the list includes names."""
    return word in _latin_idf()


@cache
def marker_words() -> frozenset[str]:
    """Load the words that conclude, contrast or stress ("总之", "但是", "however"; Zhang & He, 3.2.2)."""
    files = ("markers-zh.txt", "markers-en.txt")
    return frozenset(line for name in files for line in lexicon_lines(name))


class _LineTable:
    """Lines of a word, a blank and a figure, found by the first eight bytes of the word.

    Each process that reads a text loads 270,000 of them: a dictionary took 0.1 s and 45 MB, this a quarter.
    """

    def __init__(self, lines: bytes) -> None:
        self._lines = b"\n" + lines + b"\n"
        breaks = np.flatnonzero(np.frombuffer(self._lines, np.uint8) == ord("\n"))[:-1].astype(np.int32)
        padded = self._lines + bytes(8)
        heads = np.ndarray(len(self._lines), ">u8", padded, offset=1, strides=(1,))[breaks].astype(np.uint64)
        order = np.argsort(heads)
        self._heads, self._breaks = heads[order].data, breaks[order].data

    def figure(self, word: str) -> float | None:
        line = f"\n{word} ".encode(errors="surrogatepass")
        head = line[1:9]
        place = bisect_left(self._heads, int.from_bytes(head.ljust(8, b"\0"), "big"))
        last = bisect_right(self._heads, int.from_bytes(head.ljust(8, b"\xff"), "big"), place)
        for start in self._breaks[place:last]:
            if self._lines.startswith(line, start):
                return float(self._lines[start + len(line) : self._lines.index(b"\n", start + 1)])
        return None


@lru_cache(maxsize=_WORDS_KEPT)
def _chinese_idf(word: str) -> float | None:
    """Return the IDF of a word that is in the list that jieba ships for its own keyword extraction."""
    return None if word.isascii() else _chinese_table().figure(word)


@cache
def _chinese_table() -> _LineTable:
    return _LineTable((_jieba_folder() / "analyse" / "idf.txt").read_bytes())


def _jieba_folder() -> Path:
    # importing jieba takes longer than all other modules of this package together
    package = find_spec("jieba")
    assert package is not None, "simcompare is installed with it"
    assert package.origin is not None, "a package of files"
    return Path(package.origin).parent


@cache
def _latin_idf() -> dict[str, float]:
    return {word: float(figure) for word, figure in map(str.split, lexicon_lines("background-en.tsv"))}


def lexicon_lines(name: str) -> list[str]:
    """Return the lines of a file of resources/lexicons, without comments."""
    lines = resource_path("lexicons", name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _is_han(word: str) -> bool:
    return "\u2e80" <= word[0] <= "\u9fff" or word[0] >= "\U00020000"


_MINIMUM_STEM_LENGTH = 3
# longest first; the rest must still look like a word
_ENDINGS = (
    "ingly", "edly", "ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e",
)  # fmt: skip


def stem(word: str) -> str:
    """Remove one common ending from an English word in comparable form; other words are unchanged.

    Simpler than Porter's stemmer and equally good for finding reworded sentences.
    """
    if not word.endswith(_ENDINGS) or not word.isascii() or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MINIMUM_STEM_LENGTH:
            return word.removesuffix(ending)
    return word


_MOST_WORDS, _MOST_BYTES = 10_000, 1_000_000
# jieba takes any line as a word, but finds none with blanks; with frequency 0 it would delete a word
_REST = "(?: [1-9][0-9]{0,8})?(?: [a-z]{1,16})?"
_LINE = re.compile(r"[^\s\ufffd]{1,32}" + _REST)
_USED = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]{1,32}" + _REST)


class UserWordError(FileError):
    template = N_(
        "{name}, line {line}: there must be a word in UTF-8 and, if wanted, a frequency and a tag after it, "
        "separated by one space, as in “云计算 5 n”."
    )


def read_user_words(path: Path) -> UserWords:
    """Read a list of words; those with other than Chinese characters have no effect. Raises FileError."""
    with os_errors_as(FileNotReadableError, path, (OSError, ValueError)), path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    lines = [line.strip() for line in data.decode("utf-8-sig", "replace").splitlines()]
    if len(data) > _MOST_BYTES or len(lines) > _MOST_WORDS:
        raise FileTooLargeError(path, cause=N_("it has more than 10,000 words"))
    for number, line in enumerate(lines, start=1):
        if line and not _LINE.fullmatch(line):
            raise UserWordError(path, line=number)
    entries = [line.split() for line in lines if line]
    words = comparable_words([word for word, *_rest in entries])
    rewritten = (" ".join([word, *rest]) for word, (_word, *rest) in zip(words, entries, strict=True))
    if not (text := "\n".join(filter(_USED.fullmatch, rewritten))):
        raise UserWordError(path, line=1)
    return UserWords(str(path), text)


def are_usable(words: UserWords) -> bool:
    """Return whether words that a session has are such as are read from a file."""
    lines = words.text.split("\n")
    return len(lines) <= _MOST_WORDS and all(map(_USED.fullmatch, lines))
