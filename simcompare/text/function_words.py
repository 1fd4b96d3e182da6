"""Function words of Chinese and English."""

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
