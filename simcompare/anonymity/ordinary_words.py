"""Words that are no name, or no sign of one, in the names of files and in texts."""

GENERAL_WORDS = frozenset(
    {
        "and", "assignment", "at", "by", "chinese", "class", "copy", "day", "doc", "document", "draft",
        "edited", "english", "essay", "exam", "final", "for", "from", "grade", "group", "history",
        "camscanner", "docx", "image", "img", "microsoft", "mmexport", "office", "photo", "picture",
        "screenshot", "word", "wps",
        "homework", "in", "my", "name", "new", "number", "of", "old", "on", "page", "paper", "report",
        "revised", "rewrite", "scan", "student", "submission", "task", "term", "test", "text", "the", "to",
        "unit", "untitled", "version", "week", "with", "上交", "习作", "作业", "作文", "修改", "修改稿",
        "初稿", "副本", "单元", "历史", "原文", "周记", "图片", "大作文", "姓名", "学号", "定稿", "寒假",
        "小作文", "微信", "打印", "扫描", "扫描件", "报告", "提交", "数学", "文本", "文档", "新建", "日记",
        "暑假", "最终", "最终版", "期中", "期末", "答卷", "练习", "终稿", "考试", "英语", "范文", "观后感",
        "论文", "译文", "试卷", "语文", "读后感", "附件", "wps图片", "wps文档", "微信图片", "微信文件",
        "截图", "文字", "文字文稿", "文本文档", "新建文档", "新建文本文档", "照片",
    }
)  # fmt: skip
"""Words of file names that are no name, in comparable form."""

FUNCTION_WORDS = frozenset(
    {
        "a", "an", "and", "at", "by", "for", "from", "how", "in", "is", "my", "of", "on", "the", "to",
        "was", "with",
    }
)  # fmt: skip
"""English words that tell that others beside them make a title."""

ORDINARY_NAMES = frozenset(
    {
        "an", "ann", "april", "art", "august", "autumn", "bay", "bell", "bill", "bird", "black", "bob",
        "brook", "brown", "bush", "carol", "case", "chance", "chase", "chin", "christian", "church",
        "cook", "cross", "crystal", "daisy", "dale", "dawn", "day", "dean", "do", "drew", "earl", "east",
        "english", "faith", "fan", "field", "fish", "flower", "ford", "forest", "fox", "frank", "french",
        "gene", "glen", "grace", "grant", "gray", "green", "hall", "he", "heather", "hill", "holly",
        "hope", "house", "ice", "iris", "ivy", "jack", "jade", "jay", "jean", "jewel", "joy", "june",
        "king", "lane", "lily", "long", "love", "man", "marina", "mark", "marsh", "martin", "mason", "may",
        "mercy", "miles", "miller", "min", "moon", "more", "mountain", "nick", "north", "olive", "page",
        "park", "pat", "pearl", "penny", "peter", "piper", "pope", "power", "price", "prince", "queen",
        "rain", "ray", "red", "rice", "rich", "river", "rob", "robin", "rock", "rose", "ruby", "rusty",
        "sage", "sally", "sandy", "scarlet", "sky", "so", "song", "sterling", "stone", "storm", "sue",
        "summer", "sun", "sunny", "swan", "temple", "thomas", "trinity", "victor", "violet", "wade",
        "walker", "ward", "west", "white", "will", "winter", "wolf", "wood", "woods", "worth", "yang",
        "ye", "you", "young",
    }
)  # fmt: skip
"""Names that are words as well: alone they are no sign of a person."""

WORDS_OF_PHRASES = frozenset(
    {
        "a", "at", "ban", "bang", "bin", "can", "chat", "dang", "die", "fun", "gang", "go", "hang", "hen",
        "hun", "in", "is", "it", "lag", "led", "me", "men", "no", "on", "or", "pan", "pang", "pen", "pie",
        "pin", "ping", "ran", "rang", "sang", "she", "tan", "tang", "to", "up", "us", "wan", "we",
    }
)  # fmt: skip
"""Names of few letters that stand beside others in a sentence: small ones are no sign of a person."""

PARTICLES = frozenset(
    {
        "al", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "ibn", "la",
        "le", "ten", "ter", "van", "von", "zu", "zum", "zur",
    }
)  # fmt: skip
"""Words within a name that are written small or with a capital letter."""

CHINESE_WORDS = frozenset(
    {"余晖", "余辉", "夏雨", "朱红", "杨柳", "江水", "白帆", "白杨", "白桦", "白鹭", "石榴", "金秋", "雷雨"}
)
"""Words of school essays that are names as well, and too rare elsewhere to be known as words."""

CHINESE_PEOPLE = frozenset(
    {
        "凤翔", "向东", "宁远", "安民", "张飞", "朱德", "李俊", "李强", "武松", "洪峰", "洪涛", "赵云",
        "金嫣",
    }
)  # fmt: skip
"""Names of people that are as common as words, and are none."""
