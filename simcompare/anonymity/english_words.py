"""Which words of English, and of names, are ordinary: in small letters they tell of nobody."""

from functools import cache

from simcompare.anonymity.ordinary_words import ORDINARY_NAMES
from simcompare.text.background import is_common_english
from simcompare.text.thesaurus import STARTER, load_thesaurus

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
"""Names that stand among the common words of English articles, and are no words."""

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
"""Words that are names as well and no common ones: trades, plants, animals, and some of other languages."""


_PEOPLE_AND_PLACES, _WORDS_BESIDE = frozenset(_NAMES.split()), frozenset(_RARER_WORDS.split())


@cache
def is_ordinary_word(word: str) -> bool:
    """Whether a dictionary has a word in small letters without accents, and not as a name alone."""
    if word in ORDINARY_NAMES or word in _WORDS_BESIDE or _has_synonyms(word):
        return True
    return is_common_english(word) and word not in _PEOPLE_AND_PLACES


def _has_synonyms(word: str) -> bool:
    thesaurus = load_thesaurus(STARTER)
    return thesaurus is not None and bool(thesaurus.groups(word))
