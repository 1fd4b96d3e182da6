"""What the groups of Rich Text are for: the words that begin them ("destinations")."""

from simcompare.loading.rtf.state import Into
from simcompare.receipt import DropReason

# What nobody sees. So is every group behind `\*` that is not named below.
_OUT = (
    "aftncn aftnsep aftnsepc atnauthor atndate atnicn atnid atnparent atnref atntime atrfend atrfstart "
    "bkmkend bkmkstart blipuid buptim category colorschememapping comment company "
    "datafield datastore defchp defpap doccomm falt ffdeftext ffentrymcr ffexitmcr ffformat ffhelptext "
    "ffl ffname ffstattext filetbl formfield ftncn ftnsep ftnsepc hlinkbase keywords "
    "latentstyles listoverridetable listpicture listtable manager mmathPict mmathPr nonesttables "
    "nonshppict objclass objdata objname panose pgptbl pn pnseclvl printim private revtbl "
    "rsidtbl rxe shprslt subject tc tcn template themedata txe userprops xe xmlnstbl"
)
# Their own text is not for reading, but that of groups within them is.
_AROUND = "background do info object shp shpgrp shpinst shppict sp"
_TEXT = "dptxbxtext fldrslt mmath moMath moMathPara nesttableprops result rtf shptxt"
PURPOSES = (
    dict.fromkeys(_OUT.split(), Into.OUT)
    | dict.fromkeys(_AROUND.split(), Into.NOTHING)
    | dict.fromkeys(_TEXT.split(), Into.TEXT)
    | {
        "fonttbl": Into.FONTS,
        "colortbl": Into.COLOURS,
        "stylesheet": Into.STYLES,
        "title": Into.TITLE,
        "author": Into.AUTHOR,
        "operator": Into.LAST_AUTHOR,
        "generator": Into.PROGRAM,
        "creatim": Into.CREATED,
        "revtim": Into.LAST_SAVED,
        "fldinst": Into.COMMAND,
        "sn": Into.SHAPE_NAME,
        "sv": Into.SHAPE_VALUE,
        "pict": Into.PICTURE,
    }
)
BESIDE_THE_TEXT = (
    dict.fromkeys(("header", "headerl", "headerr", "headerf"), DropReason.PAGE_HEADER)
    | dict.fromkeys(("footer", "footerl", "footerr", "footerf"), DropReason.PAGE_FOOTER)
    | {"annotation": DropReason.COMMENT}
)
NOTES = "footnote"
BOXES = frozenset({"shptxt", "dptxbxtext"})
LIST_NUMBERS = frozenset({"listtext", "pntext"})
NAMES = frozenset({*PURPOSES, *BESIDE_THE_TEXT, NOTES, *BOXES, *LIST_NUMBERS, "field", "upr", "ud"})
EQUATIONS = frozenset({"mmath", "moMath", "moMathPara"})
