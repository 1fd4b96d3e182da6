"""CJK radicals that stand where a character should: PDF fonts and some students put them there.

NFKC maps the Kangxi radicals; the CJK Radicals Supplement has no compatibility mapping, so its
Equivalent_Unified_Ideograph (Unicode Character Database 14) is listed here.
"""

import unicodedata

_KANGXI = "".join(map(chr, range(0x2F00, 0x2FD6)))

_RADICALS = (
    "⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡"
    "⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁"
    "⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡"
    "⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳"
)
_IDEOGRAPHS = (
    "厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵旡日月歺母民氵"
    "氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿肉𦥑艹艹艹虎"
    "衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐"
    "马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟"
)
EQUIVALENT_IDEOGRAPHS = str.maketrans(
    _KANGXI + _RADICALS, unicodedata.normalize("NFKC", _KANGXI) + _IDEOGRAPHS
)
"""For `str.translate`: each radical to the ideograph a reader takes it for."""
