"""Pictures that two documents have in common: copies that are found, and different pictures called alike.

    python tests/benchmarks/pictures.py [FOLDER]

Charts, photographs, diagrams and code made by this program, and the pictures of at least 100 pixels a side in
the files of FOLDER, by default ../shared/docs, are changed as a copy may be. Also printed: how long the
pictures of a class take, and how much longer a Word file and a PDF with ten pictures take to be read and
prepared than without looking at the pictures. Cropped and turned copies are found only with OpenCV, of the
extra `ocr`.
"""

import io
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from unittest import mock

import docx
import numpy as np
import typst
from docx.shared import Cm
from PIL import Image, ImageDraw, ImageOps

from simcompare.cohort import shared_pictures
from simcompare.comparison.prepared_document import prepare_document
from simcompare.loading import load_document
from simcompare.loading.shared import pictures as loading_pictures
from simcompare.loading.shared.pictures import PictureCollector
from simcompare.model.document import FilePicture
from simcompare.model.errors import FileError
from simcompare.model.settings import ComparisonSettings

SHARED = Path(__file__).parents[3] / "shared" / "docs"
EACH = 55
PIXELS = 900, 600
LEAST_REAL_PX = 100
WORDS = [
    "plan",
    "data",
    "model",
    "user",
    "server",
    "query",
    "result",
    "sample",
    "error",
    "rate",
    "cost",
    "price",
    "year",
    "month",
    "total",
]


def photo(chance: random.Random) -> Image.Image:
    """Clouds of several sizes and fine noise, as bright and dark areas of a photograph."""
    noise, size = np.random.default_rng(chance.randrange(2**32)), PIXELS
    layers = np.zeros((size[1], size[0], 3))
    for cells in (4, 8, 16, 32, 64):
        grid = noise.normal(size=(cells, cells, 3)) * 200 / cells**0.6
        layers += np.asarray(
            [Image.fromarray(grid[..., part].astype(np.float32)).resize(size, 3) for part in range(3)]
        ).transpose(1, 2, 0)
    return Image.fromarray(np.clip(layers + 128 + noise.normal(size=layers.shape) * 5, 0, 255).astype("u1"))


def chart(chance: random.Random) -> Image.Image:
    """Bars, lines or sectors as an office program draws them, with axes, grid and labels."""
    picture = Image.new("RGB", PIXELS, "white")
    draw, kind = ImageDraw.Draw(picture), chance.randrange(3)
    colours = ["#4472c4", "#ed7d31", "#a5a5a5", "#ffc000", "#5b9bd5", "#70ad47"]
    draw.text((350, 12), " ".join(chance.sample(WORDS, 3)), "black", font_size=26)
    if kind == 2:
        at, box = chance.uniform(0, 360), (250, 90, 650, 490)
        for colour in colours[: chance.randint(3, 6)]:
            end = at + chance.uniform(25, 110)
            draw.pieslice(box, at, end, colour)
            at = end
        return picture
    for line in range(6):
        draw.line((80, 80 + 84 * line, 860, 80 + 84 * line), "#d9d9d9")
        draw.text((30, 70 + 84 * line), str(100 - 20 * line), "black", font_size=18)
    count, series = chance.randint(4, 9), chance.randint(1, 3)
    for number in range(series):
        heights = [chance.uniform(20, 420) for _bar in range(count)]
        places = [110 + 740 * bar / count for bar in range(count)]
        if kind == 0:
            wide = 560 / count / series
            for x, height in zip(places, heights, strict=True):
                draw.rectangle(
                    (x + wide * number, 500 - height, x + wide * (number + 1), 500), colours[number]
                )
        else:
            points = [(x, 500 - height) for x, height in zip(places, heights, strict=True)]
            draw.line(points, colours[number], 5)
    for bar in range(count):
        draw.text((110 + 740 * bar / count, 510), chance.choice(WORDS), "black", font_size=18)
    return picture


def diagram(chance: random.Random) -> Image.Image:
    """Boxes with words, arrows between them."""
    picture = Image.new("RGB", PIXELS, chance.choice(["white", "white", "#f7f7f0"]))
    draw, middle = ImageDraw.Draw(picture), None
    for _box in range(chance.randint(4, 9)):
        x, y = chance.randrange(20, 680), chance.randrange(20, 500)
        wide, high = chance.randint(120, 220), chance.randint(50, 90)
        if middle:
            draw.line((*middle, x + wide / 2, y + high / 2), "black", 3)
        fill = chance.choice(["white", "#dae8fc", "#d5e8d4", "#ffe6cc", "#f8cecc"])
        draw.rounded_rectangle((x, y, x + wide, y + high), 10, fill, "black", 3)
        draw.text((x + 12, y + 14), " ".join(chance.sample(WORDS, 2)), "black", font_size=22)
        middle = x + wide / 2, y + high / 2
    return picture


def code(chance: random.Random) -> Image.Image:
    """A screenshot of lines of a program."""
    picture = Image.new("RGB", PIXELS, chance.choice(["white", "#1e1e1e"]))
    draw, ink = ImageDraw.Draw(picture), "black" if picture.getpixel((0, 0))[0] > 99 else "#d4d4d4"
    for line in range(chance.randint(10, 22)):
        words = " ".join(chance.choices(WORDS, k=chance.randint(1, 8)))
        draw.text((20 + 40 * chance.randrange(4), 20 + 26 * line), words, ink, font_size=20)
    return picture


def text(chance: random.Random) -> Image.Image:
    """A screenshot of a page of text."""
    picture, size = Image.new("RGB", PIXELS, "white"), chance.choice([16, 20, 24, 28])
    for y in range(20, 580, size * 3 // 2):
        words = " ".join(chance.choices(WORDS, k=chance.randint(6, 11)))
        ImageDraw.Draw(picture).text((30, y), words, "black", font_size=size)
    return picture


def table(chance: random.Random) -> Image.Image:
    """A screenshot of a table of numbers with lines between all cells."""
    picture = Image.new("RGB", PIXELS, "white")
    draw, rows, columns = ImageDraw.Draw(picture), chance.randint(5, 12), chance.randint(3, 7)
    wide, high = 840 // columns, 540 // rows
    for row in range(rows):
        for column in range(columns):
            x, y = 30 + column * wide, 30 + row * high
            draw.rectangle((x, y, x + wide, y + high), None, "black", 2)
            shown = f"{chance.uniform(0, 100):.2f}" if row and column else chance.choice(WORDS)
            draw.text((x + 8, y + 8), shown, "black", font_size=20)
    return picture


def _cropped(share: float) -> Callable[[Image.Image], Image.Image]:
    """Return a function that cuts a share of the area off, at other sides for each picture."""

    def change(picture: Image.Image) -> Image.Image:
        wide, high = (round(side * (1 - share) ** 0.5) for side in picture.size)
        chance = random.Random(sum(picture.resize((8, 8)).tobytes()))
        x, y = chance.randint(0, picture.width - wide), chance.randint(0, picture.height - high)
        return picture.crop((x, y, x + wide, y + high))

    return change


def _coded(picture: Image.Image, quality: int) -> Image.Image:
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=quality)
    return Image.open(written)


def _screenshot(picture: Image.Image) -> Image.Image:
    small = picture.resize((int(picture.width * 0.8), int(picture.height * 0.8)))
    page = Image.new("RGB", (small.width + 240, small.height + 160), "white")
    page.paste(small, (110, 70))
    return ImageOps.expand(page, 2, "#555555")


CHANGES: dict[str, Callable[[Image.Image], Image.Image]] = {
    "half size": lambda picture: picture.resize((picture.width // 2, picture.height // 2)),
    "JPEG 40": lambda picture: _coded(picture, 40),
    "grey": lambda picture: picture.convert("L").convert("RGB"),
    "border": lambda picture: ImageOps.expand(picture, 30, "white"),
    "screenshot": _screenshot,
    "mirrored": ImageOps.mirror,
    "10% cropped": _cropped(0.1),
    "25% cropped": _cropped(0.25),
    "turned 2 degrees": lambda picture: picture.rotate(2, Image.Resampling.BICUBIC, True, fillcolor="white"),
}


def described(picture: Image.Image) -> FilePicture | None:
    written, collector = io.BytesIO(), PictureCollector()
    picture.save(written, "PNG")
    collector.add(written.getvalue())
    return next(iter(collector.found), None)


def real_pictures(folder: Path) -> Iterator[Image.Image]:
    """Yield the pictures of files as the reader sees them, each once."""
    seen: set[bytes] = set()
    taken: list[Image.Image] = []

    def taking(picture: Image.Image, *others: object) -> FilePicture | None:
        found = described_as(picture, *others)
        if found is not None and min(picture.size) >= LEAST_REAL_PX and found.pixels not in seen:
            seen.add(found.pixels)
            taken.append(picture.convert("RGB"))
        return found

    described_as = loading_pictures._described
    with mock.patch.object(loading_pictures, "_described", taking):
        for path in sorted(
            path for path in folder.rglob("*") if path.suffix.lower() in {".docx", ".pdf", ".odt"}
        ):
            try:
                load_document(path)
            except FileError:
                continue
            yield from taken
            taken.clear()


def report(name: str, pictures: Sequence[Image.Image]) -> None:
    """Print the share of changed copies that are found, and the different pictures that are called alike."""
    known = [(picture, own) for picture in pictures if (own := described(picture)) is not None]
    shares = []
    for change in CHANGES.values():
        copies = [described(change(picture)) for picture, _own in known]
        shares.append(sum(map(is_found, (own for _picture, own in known), copies)) / len(known))
    with (
        mock.patch.object(shared_pictures, "most_holders", return_value=len(known)),
        mock.patch.object(shared_pictures, "MOST_PICTURES_FOR_PARTS", len(known)),
    ):
        false = shared_pictures.find_shared_pictures({n: [own] for n, (_picture, own) in enumerate(known)})
    pairs = len(known) * (len(known) - 1) // 2
    print(
        f"{name:9} {len(known):4}",
        *(f"{share:.3f}" for share in shares),
        f"{len(false)} of {pairs}",
        sep="  ",
    )


def is_found(own: FilePicture, copy: FilePicture | None) -> bool:
    return copy is not None and bool(shared_pictures.find_shared_pictures({0: [own], 1: [copy]}))


def class_time(pictures: Sequence[Image.Image]) -> None:
    """Print how long 40 documents with 5 of the pictures each take, with and without parts of pictures."""
    chosen = random.Random(1).sample(pictures, 200)
    known = [own for picture in chosen if (own := described(picture)) is not None]
    held = {place: known[place::40] for place in range(40)}
    for with_parts in (False, True):
        begun = time.process_time()
        shared_pictures.find_shared_pictures(held, with_parts=with_parts)
        print(f"class of 40 with 5 pictures, {with_parts=}: {time.process_time() - begun:.2f} s")


def reading_times(folder: Path, chance: random.Random) -> None:
    """Print how long a Word file and a PDF of ten pictures take, with and without looking at them."""
    for form, quality in (("JPEG", 85), ("PNG", None)):
        written = []
        for make in (photo, chart, diagram, code) * 3:
            data = io.BytesIO()
            make(chance).save(data, form, **({} if quality is None else {"quality": quality}))
            written.append(data)
        for path in (_word_file(folder, written[:10]), _pdf_file(folder, written[:10])):
            seconds = {
                with_pictures: min(_seconds(path, with_pictures=with_pictures) for _turn in range(5))
                for with_pictures in (True, False)
            }
            ratio = seconds[True] / seconds[False]
            print(f"{path.suffix} with 10 {form}: {seconds[True]:.3f} s, {ratio:.2f} times that without")


def _seconds(path: Path, *, with_pictures: bool) -> float:
    begun = time.process_time()
    if with_pictures:
        prepare_document(load_document(path), ComparisonSettings().recipe)
    else:
        with mock.patch.object(PictureCollector, "add_drawn"):
            prepare_document(load_document(path), ComparisonSettings().recipe)
    return time.process_time() - begun


def _paragraphs() -> list[str]:
    return [" ".join(random.Random(n).choices(WORDS, k=120)).capitalize() + "." for n in range(30)]


def _word_file(folder: Path, pictures: Sequence[io.BytesIO]) -> Path:
    document = docx.Document()
    for number, text in enumerate(_paragraphs()):
        document.add_paragraph(text)
        if number < len(pictures):
            document.add_picture(pictures[number], Cm(10))
    path = folder / "essay.docx"
    document.save(str(path))
    return path


def _pdf_file(folder: Path, pictures: Sequence[io.BytesIO]) -> Path:
    """Typeset the same essay."""
    for number, data in enumerate(pictures):
        suffix = "png" if data.getvalue().startswith(b"\x89PNG") else "jpg"
        (folder / f"{number}.{suffix}").write_bytes(data.getvalue())
    names = sorted(path.name for path in folder.iterdir() if path.suffix in {".png", ".jpg"})
    shown = {number: f'#image("{name}", width: 10cm)' for number, name in enumerate(names)}
    source = folder / "essay.typ"
    source.write_text(
        "\n\n".join(f"{text}\n\n{shown.get(n, '')}" for n, text in enumerate(_paragraphs())), "utf-8"
    )
    path = folder / "essay.pdf"
    path.write_bytes(typst.compile(source))
    for name in names:
        (folder / name).unlink()
    return path


def main() -> None:
    chance = random.Random(20)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED
    made = {
        make.__name__: [make(chance) for _number in range(EACH)]
        for make in (photo, chart, diagram, code, text, table)
    }
    print("pictures       ", *CHANGES, "false", sep="  ")
    for name, pictures in made.items():
        report(name, pictures)
    real = list(real_pictures(folder)) if folder.is_dir() else []
    if real:
        report("real", real)
    everything = [*real, *(picture for pictures in made.values() for picture in pictures)]
    report("all", everything)
    class_time(everything)
    with tempfile.TemporaryDirectory() as temporary:
        reading_times(Path(temporary), chance)


if __name__ == "__main__":
    main()
