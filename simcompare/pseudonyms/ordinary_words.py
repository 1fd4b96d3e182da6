"""Word lists: words of file names and texts that are not names, and names that are ordinary words."""

from functools import cache

from simcompare.text.thesaurus import STARTER, load_thesaurus
from simcompare.text.words import is_common_english

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
"""Words of file names that are not names, in comparable form."""

FUNCTION_WORDS = frozenset(
    {
        "a", "an", "and", "at", "by", "for", "from", "how", "in", "is", "my", "of", "on", "the", "to",
        "was", "with",
    }
)  # fmt: skip
"""English function words, which show that the words beside them are a title."""

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
"""Names that are ordinary words as well and do not indicate a person when they are alone."""

WORDS_OF_PHRASES = frozenset(
    {
        "a", "at", "ban", "bang", "bin", "can", "chat", "dang", "die", "fun", "gang", "go", "hang", "hen",
        "hun", "in", "is", "it", "lag", "led", "me", "men", "no", "on", "or", "pan", "pang", "pen", "pie",
        "pin", "ping", "ran", "rang", "sang", "she", "tan", "tang", "to", "up", "us", "wan", "we",
    }
)  # fmt: skip
"""Short names that are words of English phrases; in lower case they do not indicate a person."""

PARTICLES = frozenset(
    {
        "al", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "ibn", "la",
        "le", "ten", "ter", "van", "von", "zu", "zum", "zur",
    }
)  # fmt: skip
"""Particles inside a name, in lower case or capitalised."""

CHINESE_WORDS = frozenset(
    {"余晖", "余辉", "夏雨", "朱红", "杨柳", "江水", "白帆", "白杨", "白桦", "白鹭", "石榴", "金秋", "雷雨"}
)
"""Words of school essays that are names as well and too rare elsewhere to count as words by frequency."""

CHINESE_PEOPLE = frozenset(
    {
        "凤翔", "向东", "宁远", "安民", "张飞", "朱德", "李俊", "李强", "武松", "洪峰", "洪涛", "赵云",
        "金嫣",
    }
)  # fmt: skip
"""Names of people that are as frequent as words but are not words."""


_NAMES = """
    africa alaska albert alexander allen andrew arthur asia austin ben benjamin bernard billy brazil bruce
    campbell carl carlos carlton charles charlie china christopher chuck clark clinton daniel dave david
    edward elizabeth eric francis francisco francois franklin george gilbert gordon graham greg harris
    harrison harry hawkes henderson henry houston howard hudson india israel jackson james jan jeff jerry
    jesse jim joe john jones jose joseph kate kelly ken kennedy kent larry lee lewis lincoln london lori
    louis lynn margaret maria marshall mary massey michael mitchell montgomery moore morris morton neil
    olson orlando oxford paris paul perry philip rebecca richard richmond rick rico robert roger ron sam
    samuel smith stanford stanley stephen taylor thompson tim tom tracy virginia warren washington william
    williams wilson
"""
"""Names in the list of common words of English articles that are not ordinary words."""

_RARER_WORDS = """
    abbey abbot alder ally amber angel angle apple archer armada armour arrow ash ashes aspen aster aurora
    azure bacon badger bailiff baker barber bard barker barley barn baron barrel barren basil bass bath
    beacon bean bear beau beaver bee beech belle bellow bellows bench bender berry bin birch bis bishop
    blade blanc blanca bland blank blessing bleu bloom blunt boar bolt bon bonny boon boot booth borrow
    bough bower bowl bowler brace bracken brand brandy braun bread breeze brewer briar brick bride bridges
    brier brisk broom brother brun buck buckle buckler bud bun bunny bunting burger burrow bushel butcher
    butler butter cal candy cane cannon canon cant canter cape caper carpenter carrier carter carver castles
    cedar cellar chalk chamber chambers chandler chant chapel chaplain chapman charm chaste chat cherry
    chess chien childs chip chips clapper clarity clement clerk cliff clinker cloud clove clover coach coal
    coat cobbler cock coddle coffin coin coll collar collier colt comb combs constable constant cooper coral
    cork corny cotter cotton couch coward cowl crab craft crane crass craven creed crest cricket crisp crook
    crow crown cuff curtain cutler cutter dabble daffy daft dally dame dapper darling dart dash dear del
    dell den denim derby dew dial dill dingle dock dole dolly dolphin donkey dot dove downs drake dram
    draper drought drum drummer duck duke dulce dusty dyer dyke easter ebony egg ein eine elle ember emerald
    emery ende esta este eve fairy falcon fang farrier fawn fein fen fender fern ferret fest fiddle fiddler
    finch finger fisher fisherman flag fleet fletcher flint flor flora flowered fodder foil fold forester
    forge forte fountain fowl fowler frisk frock frost fry fuchs fuller funk furlong gabe gaffer gale galley
    gallo gamble gambler gander gardener garland garlic garner garnet garret gate gates gaunt gay gayer
    gentry gill ginger girdle glazer glee gloom glover goad goat gong goodly goose gore gory gosling gown
    gran grande granger grass graves greed grey grieve grim gris groom gross grosse grout grove guild gull
    gulley gully gum gunner gust gut gypsy hack hackle haddock haggard hail hale halls halter ham hammer
    hang hank harbor harbour hardy hare harness harper harrier harrow hart hatch hatcher hatchet hatter haus
    hawk hawker hawthorn hay haze hazel heath heaven hedge heifer helm hemp hen herb herd heron herring herz
    hewer hick hills hitch hoard hobby hoch hog holder hollow homer hone hood hook hooker hooper hooter
    hoover hopper horn hornet hound howl huddle huff hull hurdle husk hutch hyacinth ides ihr imp ink
    innocence isle ivory jabber jackal jam jasmine jasper jeans jerk jersey jest jester jet jig jingle
    jockey joiner jolly jolt juniper juste keeper kern kernel kettle kiln kindle kipper kit kite kitty klein
    klug knack knave knell knight knot kurz lackey ladle lago laird lamb lamp lance lander larch lark lash
    latch lather laurel lavender lawn leaf leaky leal leather leech lemon leper les lever liar libre lichen
    lilac limb lime linden linen linnet lintel lion livery loader lobe lobo lock lodge loft lord lorry lucky
    lupin lupo lurcher luz lynx lyric mace mackerel maestro magnolia maid maler mallet malt mandarin mane
    mangle manly mantle maple mar marble marigold mariner marlin marrow marry marshal marte mas mat mata
    matt maze mead medal meddle melody mercer merry messenger mettle mia mie mill mills miner minnow
    minstrel mint mio mist misty moat mole mongrel monk moody moor moose mop morena morn morrow mortar moss
    mote mould mouse mullet munch musk musket mustard muzzle myrtle nail neat nero nettle neve newt
    nightingale nimble ning noble noir noon nope norm nugget nutter oak oar oats ogle ohne onion opal oracle
    orchard osprey otter owl paddock pagan painter palm pang pansy paradise parish parrot parson partridge
    patch pauper paz peach peacock pear peas peck peel peer peg pellet pepper perla petal petit petite
    pewter phoenix piano pickle pigeon pike pilgrim pinch pine ping pinner pitch pitcher plain plait plank
    plover pluck plum plumber plume pocket poet pole pond pony poplar poppy porter potter pound powder prado
    prawn primrose privet proctor prudence prune pry puck pudding puddle puerta pug purple quail quaint
    quarry quaver quill rack raddle raft rainbow raisin ram ranger rank rash rattle raven rayon reader reed
    reef regal regent reich rein rider rill rind ring ringer rio rios ripper ripple roach robe rocket rocky
    rod rogue rolls romp rood rook rooster roper rosy rot rover rowan rowdy rower rudder rue ruffle rumble
    runner russet rust rye saber sable saddle saddler sadler saffron sailor saint sala salt salter sands
    sang sapling satin saucer savage savanna savannah savior sawyer scales scarf schon schwarz scout scribe
    scythe seal seaman sear sera sergeant sexton shackle shade shadow shark sheaf shelf shell shepherd
    sherry shingle ship shoal shoemaker shovel shrub shutter sickle sienna sierra sing singleton sinker
    skies skinner skip skipper slack slate slaughter slay sledge sleet slim sling slipper sloop sly smelter
    smiley smithy snail snare snipe snowy sol solace soldier solo sonny soot sorrel sparks sparrow spear
    speck spice spicer spike spinner spires sprat springer sprout spruce spry squire squires stack stag
    stair stamp starch stark starling steel steer stew steward stoker stolz storey stout straight stringer
    stubble stump sunshine surgeon swain swallow swank sweet sweeting swindle sword swords sycamore tab tad
    tailor tallboy tallow tally tan tang tanner tansy taper tapper tar tarn tart tatter tawny teal temper
    temperance tennis tern terrace thatcher thicket thimble thistle thorn thorns thrift thrush thunder thyme
    tickle tide tiff tiger tiller timer tinder tingle tinker tinsel tipper toad tobacco toddle toil toller
    tomb topaz topper torch torre towel tower towers tracer trader treasure trench trey trickle tripe
    trooper trotter trout trowel trump trundle tuck tucker tulip turf turner turnip turtle twain twig twine
    twist twitch umber una unity upright usher vale valentine vane varnish vault velvet verde verity vernal
    vetch vicar vida villain vine viola violin viper viva vixen vogue wadding waddle wafer wagon waiter
    walnut wan wand warble warden ware warp warrior wasp waters wax weal weaver weaving wedge weed weir
    weise weiss wells wharf wheat wheel wheeler whelp whip whisker whistle whistler whiting whittle wick
    wicker wicket widow widower wilder wilderness willow willows wily wimple winder winger wink winner wire
    wisp wit witch witty wizard woe wolves wont woodcock woodland woodman woodpecker wool workman worm
    worthy wrangler wren wright wringer yarn yen yeoman yew yolk yon yule zart zenith zephyr
"""
"""Less common words that are names as well: trades, plants, animals, some of other languages."""


_PEOPLE_AND_PLACES, _WORDS_BESIDE = frozenset(_NAMES.split()), frozenset(_RARER_WORDS.split())


@cache
def is_ordinary_word(word: str) -> bool:
    """Return whether a word, in lower case without accents, is in a dictionary and is not only a name."""
    if word in ORDINARY_NAMES or word in _WORDS_BESIDE or _has_synonyms(word):
        return True
    return is_common_english(word) and word not in _PEOPLE_AND_PLACES


def _has_synonyms(word: str) -> bool:
    thesaurus = load_thesaurus(STARTER)
    return thesaurus is not None and bool(thesaurus.groups(word))
