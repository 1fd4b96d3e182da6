# ruff: noqa: E501 - the texts are easier to look over in few lines
"""Correctness of encoding detection: languages by encodings by lengths.

    python -m tests.benchmarks.encodings_grid [--windows 20]

For each length, excerpts from different places of a text are encoded and decoded again; characters that an
encoding cannot represent are left out. A cell shows the percentage decoded correctly, and after a slash the
percentage decoded wrongly without being flagged as unsure.
"""

import argparse
import re

from opencc import OpenCC

from simcompare.loading.formats.plain.encodings import decode
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, ENGLISH_PARAGRAPHS

LENGTHS = (20, 50, 200, 2000)
UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")
CHINESE = "".join(CHINESE_PARAGRAPHS)
TEXTS = {
    "simplified": CHINESE,
    "traditional": OpenCC("s2t").convert(CHINESE),
    "english": " ".join(ENGLISH_PARAGRAPHS).replace("'", "’") + " “Why?” she asked – and the café was full.",
    "french": "Devant notre maison coule une petite rivière, et son eau chante toute l’année. Au printemps, les "
    "saules verdissent, les enfants jouent sur la berge et les vieux s’assoient au soleil près du pont. "
    "« Ce n’est pas un hasard », a dit la maîtresse, « mais où est la vérité ? » Nous avons été très étonnés "
    "de ça : l’élève qui copie commence par le début, même à l’école où tout le monde se connaît déjà. ",
    "german": "Vor unserem Haus fließt ein kleiner Fluss, und sein Wasser singt das ganze Jahr über. Im Frühling "
    "werden die Weiden grün, Kinder lassen Drachen steigen, und die Großen säen die Felder. Die Alten sitzen "
    "in der Sonne auf der Brücke und erzählen Geschichten. „Das ist kein Zufall“, sagte die Lehrerin schließlich. ",
    "polish": "Przed naszym domem płynie mała rzeka, a jej woda śpiewa przez cały rok. Wiosną wierzby zielenieją, "
    "dzieci puszczają latawce na brzegu, a dorośli obsiewają pola. Starzy ludzie siedzą w słońcu na moście "
    "i opowiadają dobrze znane historie; nikt się nie śpieszy. „To nie przypadek” – powiedziała nauczycielka. ",
    "czech": "Před naším domem teče malá řeka a její voda zpívá po celý rok. Na jaře se vrby zelenají, děti na "
    "břehu pouštějí draky a dospělí osévají pole. Staří lidé sedí na mostě na slunci a vyprávějí známé příběhy. ",
    "hungarian": "A házunk előtt egy kis folyó folyik, és a vize egész évben énekel. Tavasszal kizöldülnek a fűzfák, "
    "a gyerekek sárkányt eregetnek a parton, a felnőttek pedig bevetik a földeket. Az öregek a hídon ülnek. ",
    "russian": "Перед нашим домом течёт маленькая река, и вода её поёт круглый год. Весной зеленеют ивы, дети "
    "запускают на берегу воздушных змеев, а взрослые засевают поля. Старики сидят на мосту на солнце и "
    "рассказывают давно знакомые истории, и никто не торопится домой. «Это не случайно», – сказала учительница. ",
    "ukrainian": "Перед нашою хатою тече маленька річка, і вода її співає цілий рік. Навесні зеленіють верби, діти "
    "запускають на березі повітряних зміїв, а дорослі засівають поле. Старі люди сидять на мості й розповідають. ",
    "japanese": "家の前には小さな川が流れていて、その水は一年中歌っています。春になると柳が芽を出し、子どもたちは"
    "岸辺で凧を揚げ、大人たちは畑に種をまきます。先生が作文を書くように言ったとき、三十二人が同じ川について書きました。",
    "korean": "우리 집 앞에는 작은 강이 흐르고 그 물은 일 년 내내 노래를 부릅니다. 봄이 되면 버드나무가 푸르러지고 "
    "아이들은 강가에서 연을 날리며 어른들은 밭에 씨를 뿌립니다. 노인들은 다리 위에서 햇볕을 쬐며 이야기를 합니다. ",
    "greek": "Μπροστά από το σπίτι μας κυλά ένα μικρό ποτάμι και το νερό του τραγουδά όλο τον χρόνο. Την άνοιξη "
    "πρασινίζουν οι ιτιές και τα παιδιά πετούν χαρταετούς στην όχθη. Οι γέροι κάθονται στο γεφύρι στον ήλιο. ",
    "turkish": "Evimizin önünden küçük bir ırmak akar ve suyu bütün yıl şarkı söyler. İlkbaharda söğütler yeşerir, "
    "çocuklar kıyıda uçurtma uçurur, büyükler tarlaları eker. Yaşlılar köprüde güneşte oturup öyküler anlatır. ",
}  # fmt: skip
WESTERN = ("cp1252", "iso8859-1", "iso8859-15", "mac_roman")
ENCODINGS = {
    "simplified": ("gb2312", "gbk", "gb18030"),
    "traditional": ("big5", "cp950", "big5hkscs", "gbk"),
    "english": WESTERN,
    "french": WESTERN,
    "german": WESTERN,
    "polish": ("cp1250", "iso8859-2", "mac_latin2"),
    "czech": ("cp1250", "iso8859-2", "mac_latin2"),
    "hungarian": ("cp1250", "iso8859-2", "mac_latin2"),
    "russian": ("cp1251", "koi8_r", "mac_cyrillic", "cp866", "iso8859-5"),
    "ukrainian": ("cp1251", "koi8_u", "mac_cyrillic"),
    "japanese": ("shift_jis", "cp932", "euc_jp", "iso2022_jp"),
    "korean": ("euc_kr", "cp949"),
    "greek": ("cp1253", "iso8859-7"),
    "turkish": ("cp1254", "iso8859-9"),
}


def windows(text: str, encoding: str, length: int, count: int) -> list[str]:
    """Return excerpts of a text that the encoding can write and that are not ASCII only."""
    writable = text.encode(encoding, "ignore").decode(encoding, "ignore").lstrip("\ufeff")
    long = writable * (length // len(writable) + 2)
    found = [long[len(writable) * n // count :][:length] for n in range(count)]
    return [re.sub(r"\s+$", "", stretch) for stretch in found if not stretch.isascii()]


def round_trip(text: str, encoding: str) -> tuple[bool, bool]:
    """Return whether the text was decoded correctly, and whether the decoder was sure."""
    decoded = decode(text.encode(encoding))
    return decoded.text.lstrip("\ufeff") == text, decoded.sure


def main() -> None:
    """Print the grid."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--windows", type=int, default=20)
    options = parser.parse_args()
    print(f"{'language':12}{'encoding':14}" + "".join(f"{length:>12}" for length in LENGTHS))
    sums: dict[int, list[int]] = {length: [0, 0] for length in LENGTHS}
    for language, text in TEXTS.items():
        for encoding in (*UNICODE, *ENCODINGS[language]):
            row = ""
            for length in LENGTHS:
                found = [round_trip(w, encoding) for w in windows(text, encoding, length, options.windows)]
                right = sum(same for same, _sure in found)
                misled = sum(sure and not same for same, sure in found)
                sums[length][0] += right
                sums[length][1] += len(found)
                share = f"{100 * right / len(found):.0f}" if found else "-"
                row += f"{share + (f' / {100 * misled / len(found):.0f}' if misled else ''):>12}"
            print(f"{language:12}{encoding:14}{row}")
    print(f"{'all':26}" + "".join(f"{100 * right / count:12.1f}" for right, count in sums.values()))


if __name__ == "__main__":
    main()
