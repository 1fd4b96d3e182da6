"""Chinese names in pinyin: readings of characters, Latin words that are such a name, and its variants.

Syllables have no tones, and v for ü; other ways to write "lü" are further readings.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from simcompare.pseudonyms.chinese_names import DOTS
from simcompare.pseudonyms.latin_names import BETWEEN_WORDS, IN_AN_ADDRESS, whole_words
from simcompare.pseudonyms.name_folding import MatchCondition, NameVariant, folded
from simcompare.text.comparable import is_han
from simcompare.text.word_lists import COMPOUND_SURNAMES, SURNAMES, SURNAMES_THAT_ARE_WORDS, surname_of

_AMBIGUOUS = """
    a ai an ban bang ben bin bing can cha chai chan chi da dan dang de di die ding dong du duo e en er fa
    fan fang fen gang gong gun ha hai han hang he hei hen hong hun ji ju jun ka kai kan ken kong la lai
    lan lang le li lie lin long lou lu ma man mao me mei men mi min ming mo mu na ne ni nu o pa pan pang
    pao pen pi pie pin ping po pu qi ran rang re ren run sa san sang sao se sen sha she shun si song sou
    su sun ta tai tan tang tao te ti tie ting tong tu tun wan wen wo wu yang ye yin you yu yuan
"""

_ENGLISH = """
    aiding aiming akamai alan alana alike along amending amin angela angelina anita anna anne anode
    antique anya apache aruba asian awake baiting balance banana banda bandana bane bangle banning beige
    bending bengali bianca bike binding binge bingo biting booming booting booze boxing buchanan burundi
    buying cache caiman canceling cane canine chacha chaining chance change chanting chase cheating cheese
    chile chili chime china chinese cinema congo cuba cuenta cuisine curie damage damian dana danae dance
    dane danger dangle dangling daniela dante dealing debate debian decaying deciding defending delaying
    delouse deluding deluge demanding demise depending deque detailing diana diane dilute dina dingle
    dining dioxin dongle douse duane dubai duke duncan duping eating editing elaine elena elian eliane
    elide elite emoji ending engage erica ernie exile exiting fabian fading fame fancier fatima fending
    foliage futile future gaining gala game gaming gaza gemini gene genie genoa genome genre geode gouache
    gouda guiana guidance guide guiding guile guinea guise guyana hague haifa haiku hana handing hanger
    hangman hanna hanning hannu hansen haying heading healing heating heidi helen helena helene henning
    house huge human humane hunting jingle juan juana julia julian juliana julianne julie julien julio
    june junta kanji karaoke keeping kenan kenji kenya keying kuala laila lana lance landing lane language
    langue laying leading leisure lena lending leona leonie lian liana licence license lima limiting lina
    linda linde line linen liner linger lingua lining linkage lisa longer longtime louse luanda luca
    lucene lucia lucian lucien luke lula lulu luna lunge lute machine machining magenta maier mailing
    maine malaise male mali malina manage manche mane mange manger mangle mangling mango mania manila
    manure maria marian marianne marie marina marine mario mateo mature maxima maya mayan meaning median
    megan melina menage mending menu miami mice michigan milan mile mina mine mingle mining minna minute
    misuse mixing moaning mobile mocha mode modeling module mona monica moore moose moreno moshe mouse
    mutate mute nadia nadine naming naomi needing nepali niche nigeria nina nuance nubian obama ocean oman
    orange osama outing panacea panama pancake panda panini paying pending pine pining pinning pooling
    populi puma quantile quasi queen querying quota quote quoting range reading reagan regaining relaxing
    relaying remaining reminding rename renaming renee residing resuming retailing retaining riding rouge
    ruining ruling rune running sagan sailing sake saline samoa sangha sanguine saying sealing seeding
    segue selina sending senile serene sewage shade shading shake shaken shaman shame shanti shaping share
    sheridan shine shining shunning siding siege siena sienna silence simone sinai subaru sudan suede
    suicide suite sulaiman sundance sunshine sure susan susana susanna sushi suzanne tangle tangling tango
    tania taobao tease teeming telugu tiling timing tina tingle tingling titan tonga touche tubing tuna
    tune tuning tunneling wage wake wanda wane wangle waning wanting weibo wenning woman women yankee
    yemen yucatan yuri
"""

_PLACES = """
    anhui anqing anshan anyang aomen baoding baoji baotou beijing bengbu binzhou cangzhou changan
    changchun changjiang changsha changzhi changzhou chaoyang chaozhou chengde chengdu chenzhou chibi
    chongqing chuzhou dali dalian dandong danyang daqing datong dazhou deyang dezhou dingxi dongguan
    dongjing dongting dongying dunhuang emei foshan fujian fushun fuxin fuyang fuzhou gansu ganzhou
    gaoxiong gaozhou gongga guangan guangdong guangxi guangyuan guangzhou guilin guiyang guizhou gulangyu
    haidian haikou hainan handan hangzhou hanzhong hebei hebi hefei heihe heilongjiang henan hengshui
    hengyang heyuan heze hezhou hongkong huaian huaihe huaihua huainan huanghe huangpu huangshan huangshi
    huashan hubei huhehaote huizhou huludao hunan huzhou jiangmen jiangnan jiangsu jiangxi jiaozuo jiaxing
    jiayuguan jilin jinan jingdezhen jinggangshan jinhua jining jinmen jinzhong jinzhou jiujiang jiuquan
    jiuzhai jiuzhaigou kaifeng kashi kunlun kunming kunshan laiwu langfang lanzhou lasa leshan liangshan
    lianyungang liaocheng liaoning liaoyang lijiang linfen linyi lishui liuzhou longmen longyan luan
    luliang luohe luoyang lushan luzhou macao maoming meishan meizhou mengjin mianyang minjiang mudanjiang
    nanchang nanchong nanjing nankai nanning nanping nantong nanyang neijiang ningbo ningxia panjin
    panzhihua pingdingshan pingliang pingyao pudong putian putuo puxi puyang qianmen qilian qingdao
    qinghai qingyuan qinhuangdao qinling quanzhou qufu qujing quzhou rizhao ruian sanmenxia sanming sanxia
    sanya shaanxi shandong shanghai shangqiu shangrao shangrila shantou shanwei shanxi shaoguan shaolin
    shaoshan shaoxing shaoyang shenyang shenzhen shihezi shijiazhuang shiyan shizuishan shuozhou sichuan
    songhua songjiang songshan suihua suizhou suqian suzhou taian taibei taihang taihu taipei taishan
    taiwan taiyuan taizhou tangshan tiananmen tianjin tianjing tianshan tianshui tieling tongchuan tonghua
    tongji tongliao tongling tongzhou tulufan wangfujing weifang weihai weihe weinan wenchuan wenzhou
    wudang wuhai wuhan wuhu wulumuqi wutai wutaishan wuxi wuyi wuyishan wuyuan wuzhen wuzhou xiamen xian
    xianggang xiangshan xiangtan xiangyang xianyang xiaogan xihu xining xinjiang xinxiang xinyang xinyu
    xizang xuancheng xuchang xuzhou yaan yalong yanan yanbian yancheng yangjiang yangquan yangshuo
    yangzhou yanshan yantai yibin yichang yichun yinchuan yingkou yingtan yiwu yixing yiyang yongzhou
    yuanmingyuan yuelu yueyang yulin yumen yuncheng yunfu yungang yunnan yushan yuxi zaozhuang zhangjiajie
    zhangjiakou zhangye zhangzhou zhanjiang zhaoqing zhejiang zhengding zhengzhou zhenjiang zhongguancun
    zhongguo zhonghua zhongnan zhongshan zhoukou zhoushan zhouzhuang zhuhai zhujiang zhumadian zhuozhou
    zhuzhou zibo zigong zunyi
"""

_OTHERS = """
    baba baidu baijiu baozi bopomofo changcheng chuangye chunjie dalai dazibao dongfang dongzhi douyin
    duanwu erhu falungong fengshui ganbei gaokao gege gongan gongchang gongfu guangming guanxi guanyin
    guoqing guoyu guzheng hanfu hanyu hanyuan hanzi heping hongbao hongqi huangdi huaren huawei huiguo
    huiyi hukou hutong jianbing jianfei jiangshan jiaozi jiayou jiefang jinghu jingju jingxi jinianri
    kangxi kongfu kongzi kuomintang laoban laoshi laowai laozi liangzhu lixue longjing longteng luosifen
    luxun majiang mantou maotai mazu mengzi mianzi minyue moutai mulan mutan nihao nushu paocai pingan
    pinyin pipa putonghua qianlong qigong qinghua qingming qipao renmin renminbi ruyi sanguo shaobing
    shenzhou shifu shijie shuanghe shuihu shuihuzhuan sunwukong sunzi taichi taiji taijiquan taiping
    tangyuan tianxia tongzhi tudou weiqi weixin wushu wuxia xiangqi xiaomi xiexie xihongshi xinhua
    xiongmao xiyou xiyouji yamen yanjing yiheyuan yijing yinyang yuanxiao yuanxiaojie zhajiangmian
    zhongqiu zhongqiujie zhongwen zhuangzi zhuyin ziran zongzi zuguo zuowen zuoye
"""

AMBIGUOUS_SYLLABLES = frozenset(_AMBIGUOUS.split())
"""Syllables that are words or short names in English texts, or French or German words."""
WORDS = frozenset(f"{_ENGLISH} {_PLACES} {_OTHERS}".split())
"""English words and names, places in China, and Chinese words that other languages write in pinyin.

Only those with the form of a name, from some 400,000 words of English articles, from handbooks and maps. They
are recognised as a name only if they are written as one, with capitals and separate words.
"""


_FINALS = {
    "": "a ai an ang ao e ei en er o ou",
    "b": "a ai an ang ao ei en eng i ian iao ie in ing o u",
    "p": "a ai an ang ao ei en eng i ian iao ie in ing o ou u",
    "m": "a ai an ang ao e ei en eng i ian iao ie in ing iu o ou u",
    "f": "a an ang ei en eng o ou u",
    "d": "a ai an ang ao e eng i ian iao ie ing iu ong ou u uan ui un uo",
    "t": "a ai an ang ao e eng i ian iao ie ing ong ou u uan ui un uo",
    "n": "a ai an ang ao e ei en eng i ian iang iao ie in ing iu ong ou u uan uo v ve ue yu yue",
    "l": "a ai an ang ao e ei eng i ia ian iang iao ie in ing iu ong ou u uan un uo v ve ue yu yue",
    "g": "a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo",
    "k": "a ai an ang ao e en eng ong ou u ua uai uan uang ui un uo",
    "h": "a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo",
    "j": "i ia ian iang iao ie in ing iong iu u uan ue un",
    "q": "i ia ian iang iao ie in ing iong iu u uan ue un",
    "x": "i ia ian iang iao ie in ing iong iu u uan ue un",
    "zh": "a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo",
    "ch": "a ai an ang ao e en eng i ong ou u uai uan uang ui un uo",
    "sh": "a ai an ang ao e ei en eng i ou u ua uai uan uang ui un uo",
    "r": "an ang ao e en eng i ong ou u uan ui un uo",
    "z": "a ai an ang ao e en eng i ong ou u uan ui un uo",
    "c": "a ai an ang ao e en eng i ong ou u uan ui un uo",
    "s": "a ai an ang ao e en eng i ong ou u uan ui un uo",
    "y": "a an ang ao e i in ing ong ou u uan ue un",
    "w": "a ai an ang ei en eng o u",
}
"""All syllables of pinyin: the finals of each initial."""
_SYLLABLES = frozenset(begin + final for begin, finals in _FINALS.items() for final in finals.split())
_SURNAME_READINGS = {
    "万俟": "mo qi", "单于": "chan yu", "尉迟": "yu chi", "澹台": "tan tai", "乐正": "yue zheng",
    "曾": "zeng", "单": "shan", "仇": "qiu", "解": "xie", "查": "zha", "盖": "ge", "区": "ou", "朴": "piao",
    "缪": "miao", "翟": "zhai", "黑": "he", "种": "chong", "秘": "bi", "员": "yun", "繁": "po", "召": "shao",
    "折": "she", "隗": "wei", "祭": "zhai", "卜": "bu", "覃": "qin",
}  # fmt: skip
"""Readings of surnames that differ from the first reading of the character dictionary."""
_OTHER_SURNAME_READINGS = {"乐": "yue", "柏": "bo"}
_READINGS_OF_A_CHARACTER = 2
_READINGS_OF_A_NAME = 12
_LONGEST_GIVEN_NAME = 2
_LONGEST_NAME_WITH_A_SURNAME = 3
_LONGEST_PIECES = 4
_SHORTEST_JOINED = 5
_PIECE = re.compile("[a-z]+")
_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class PinyinName:
    """A name in pinyin: the syllables of its words, the surname first.

    is_rare: one of the characters has an unusual reading.
    """

    words: tuple[tuple[str, ...], ...]
    is_rare: bool = False

    @property
    def joined(self) -> str:
        """All letters without separators."""
        return "".join(map("".join, self.words))

    @property
    def written(self) -> str:
        """The name in the usual form: "Li Xiaoming"."""
        return " ".join("".join(word).capitalize() for word in self.words)


def readings_of(name: str) -> list[PinyinName]:
    """Return the readings of a name in Chinese characters or in pinyin; empty for any other name."""
    form = folded(name).characters
    if any(map(is_han, form)):
        return list(_chinese_readings("".join(c for c in form if is_han(c) or DOTS.match(c))))
    return list(dict.fromkeys(_latin_readings(_PIECE.findall(folded(_CAMEL.sub(" ", name)).characters))))


def pinyin_keys(name: str) -> frozenset[str]:
    """Return the joined readings of a name, surname first, as keys that its variants have in common."""
    return frozenset(reading.joined for reading in readings_of(name))


def pinyin_of_words(words: Sequence[str]) -> str:
    """Return the words of a file name as a name in pinyin, "Li Xiaoming"; empty if they are not one.

    A name is a surname and one or two syllables, separate or joined in one word, and no English words.
    """
    pieces = [piece for word in words for piece in _PIECE.findall(folded(word).characters)]
    if "".join(pieces) in WORDS or AMBIGUOUS_SYLLABLES.union(WORDS).issuperset(pieces):
        return ""
    first = next(_latin_readings(pieces), None)
    if first is None or (len(pieces) == 1 and len(pieces[0]) < _SHORTEST_JOINED):
        return ""
    return first.written


# --- Chinese characters


def _chinese_readings(name: str) -> Iterator[PinyinName]:
    """Yield the readings of a name in simplified characters, usual readings first."""
    words = list(_words(name))
    syllables = [reading for number, word in words for reading in _readings(word, is_surname=number == 0)]
    found = sorted(product(*syllables), key=_rare_count)
    usual = (reading for reading in found if _rare_count(reading) < 2)
    lengths = [len(word) for _number, word in words]
    for reading in islice(usual, _READINGS_OF_A_NAME):
        yield PinyinName(_cut([text for text, _is_rare in reading], lengths), _rare_count(reading) > 0)


def _words(name: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a name with their numbers; the surname has number 0."""
    parts = [part for part in DOTS.split(name) if part]
    whole = "".join(parts)
    surname = surname_of(whole)
    if not surname and len(whole) <= _LONGEST_NAME_WITH_A_SURNAME:
        surname = whole[:1]
    if len(parts) > 1 or not surname:
        yield from enumerate(parts, 1)
    elif len(whole) > len(surname):
        yield from enumerate([surname, whole[len(surname) :]])


def _rare_count(reading: Sequence[tuple[str, bool]]) -> int:
    return sum(is_rare for _text, is_rare in reading)


def _readings(word: str, *, is_surname: bool) -> list[list[tuple[str, bool]]]:
    """Return the readings of each character of a word, each with whether it is rare."""
    if not is_surname:
        return [_with_rare(_dictionary(character)) for character in word]
    first = [_dictionary(character)[0] for character in word]
    usual = _SURNAME_READINGS.get(word, "").split() or first
    other = _OTHER_SURNAME_READINGS.get(word, "").split() or first
    return [_with_rare(list(dict.fromkeys(both))) for both in zip(usual, other, strict=True)]


def _with_rare(readings: Sequence[str]) -> list[tuple[str, bool]]:
    return [
        (reading.replace("v", letters), place > 0)
        for place, reading in enumerate(readings[:_READINGS_OF_A_CHARACTER])
        for letters in (("v", "u", "yu") if "v" in reading else ("",))
    ]


def _cut(syllables: Sequence[str], lengths: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    return tuple(tuple(syllables[end - length : end]) for end, length in zip(ends, lengths, strict=True))


@cache
def _dictionary(character: str) -> list[str]:
    """Return the readings of a character, the usual one first; the character itself if it has none."""
    # the phrase dictionary, without names, takes 50 MB and a third of a second to load
    os.environ.setdefault("PYPINYIN_NO_PHRASES", "1")
    from pypinyin import Style, pinyin  # noqa: PLC0415 - 13 MB and a tenth of a second, needed for names only

    [readings] = pinyin(character, style=Style.NORMAL, heteronym=True)
    return [text for text in dict.fromkeys(readings) if text in _SYLLABLES or text == character] or [
        character
    ]


# --- Latin words


def _latin_readings(pieces: Sequence[str]) -> Iterator[PinyinName]:
    """Yield the readings of Latin words as a name in pinyin, with the surname first or last."""
    if len(pieces) == 1:
        yield from _joined_readings(pieces[0])
    elif len(pieces) <= _LONGEST_PIECES:
        for most in (1, 2):
            yield from _with_surname(pieces[:most], pieces[most:])
            yield from _with_surname(pieces[-most:], pieces[:-most])


def _with_surname(surname: Sequence[str], given_name: Sequence[str]) -> Iterator[PinyinName]:
    known = _surnames().get("".join(surname))
    if known is None or not 0 < len(given_name) <= _LONGEST_GIVEN_NAME:
        return
    if len(given_name) > 1:
        cuts = [tuple(given_name)] if _SYLLABLES.issuperset(given_name) else []
    else:
        cuts = list(_syllables(given_name[0]))
    yield from (PinyinName((known, cut)) for cut in cuts)


def _joined_readings(word: str) -> Iterator[PinyinName]:
    if word in WORDS:
        return
    for end in range(1, len(word)):
        yield from _with_surname([word[:end]], [word[end:]])


def _syllables(word: str) -> Iterator[tuple[str, ...]]:
    """Yield the divisions of a word into one or two syllables."""
    if word in _SYLLABLES:
        yield (word,)
    for end in range(1, len(word)):
        if {word[:end], word[end:]} <= _SYLLABLES:
            yield word[:end], word[end:]


@cache
def _surnames() -> dict[str, tuple[str, ...]]:
    """Map the joined letters of each surname to its syllables."""
    names = (*SURNAMES, *SURNAMES_THAT_ARE_WORDS, *COMPOUND_SURNAMES)
    readings = (product(*_readings(name, is_surname=True)) for name in names)
    words = (tuple(text for text, _is_rare in reading) for found in readings for reading in found)
    return {"".join(word): word for word in words}


_TONE = r"(?:[1-5](?!\d))?"
_JOINED = r"(?:['\u2019\u02bc\u2018`\u00b4.\-\u2010\u2011\u2013]\s?)?"
_APART = r"[\s_]{1,2}"
_EITHER = rf"(?:{_APART}|{_JOINED})"
_WITHIN_ADDRESS = r"[._\-]{0,2}"
_SAFE_LETTERS = 6


def pinyin_variants(name: PinyinName) -> Iterator[NameVariant]:
    """Yield the variants of a name: either order, joined, spaced, hyphenated, with tone digits.

    A short name, or one whose syllables are words as well, must be capitalised, as "He An" in "He An and he",
    or be in a mail address.
    """
    letters = len(name.joined)
    for words in dict.fromkeys((name.words, name.words[::-1])):
        for pattern, condition in _patterns(words, letters):
            initial = words[0][0][0]
            yield NameVariant(whole_words(pattern), initial, letters, condition, is_rare=name.is_rare)


def _patterns(words: Sequence[Sequence[str]], letters: int) -> Iterator[tuple[str, MatchCondition]]:
    """Yield the patterns of a name with its words in this order, and their conditions."""
    wholes, syllables = ["".join(word) for word in words], [part for word in words for part in word]
    is_word = "".join(wholes) in WORDS
    is_distinctive = not (is_word or _are_words(wholes) or _are_words(syllables))
    if is_distinctive and letters >= _SAFE_LETTERS:
        yield _pattern(words, BETWEEN_WORDS % 0, _EITHER), MatchCondition.NONE
        return
    yield _pattern(words, BETWEEN_WORDS % 1, _JOINED), MatchCondition.CAPITALISED
    if len(syllables) > len(words):
        yield _pattern([[syllable] for syllable in syllables], _APART, ""), MatchCondition.CAPITALISED
    if not is_word:
        yield _pattern(words, "", ""), MatchCondition.CAPITALISED
        yield _WITHIN_ADDRESS.join(syllables) + IN_AN_ADDRESS, MatchCondition.NONE


def _are_words(parts: Iterable[str]) -> bool:
    """Return whether all parts of a name are words, so that they may follow each other in a sentence."""
    return all(part in AMBIGUOUS_SYLLABLES or part in WORDS for part in parts)


def _pattern(words: Sequence[Sequence[str]], between: str, within: str) -> str:
    """Join syllables into a pattern; `between` separates words, `within` the syllables of a word."""
    toned = [[f"({word[0]}){_TONE}", *(syllable + _TONE for syllable in word[1:])] for word in words]
    return between.join(within.join(word) for word in toned)
