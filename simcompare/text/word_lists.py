"""Word lists: function words of Chinese and English, and Chinese surnames."""

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
