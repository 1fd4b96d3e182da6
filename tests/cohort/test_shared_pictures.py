"""Pictures that documents have in common."""

import importlib.util

import pytest
from PIL import Image, ImageDraw, ImageOps

from simcompare.cohort.shared_pictures import Likeness, find_shared_pictures, mirrored_pictures
from simcompare.loading.shared.pictures import PictureCollector
from tests.helpers.shared_pictures import data_of, diagram, drawing, needs_opencv, table, text


def described(picture, form="PNG"):
    collector = PictureCollector()
    collector.add(data_of(picture, form))
    return collector.found[0]


def likeness(left, right):
    """Return how two pictures are alike, None if they are not."""
    found = find_shared_pictures({4: [left], 7: [right]})
    return found[4, 7][0].kind if found else None


def on_a_page(picture):
    page = Image.new("RGB", (700, 500), "white")
    page.paste(picture.resize((384, 256)), (90, 120))
    return ImageOps.expand(page, 2, "#666666")


CHANGED = {
    "half": lambda picture: picture.resize((240, 160)),
    "grey": lambda picture: picture.convert("L"),
    "border": lambda picture: ImageOps.expand(picture, 25, "white"),
    "screenshot": on_a_page,
}


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_that_a_changed_picture_is_similar(change):
    assert likeness(described(drawing(1)), described(change(drawing(1)))) is Likeness.SIMILAR


def test_that_a_picture_saved_as_jpeg_is_similar_and_the_same_file_the_same():
    assert likeness(described(drawing(1)), described(drawing(1), "JPEG")) is Likeness.SIMILAR
    assert likeness(described(drawing(1)), described(drawing(1))) is Likeness.SAME


def test_that_a_mirrored_picture_is_found():
    assert likeness(described(drawing(1)), described(ImageOps.mirror(drawing(1)))) is Likeness.MIRRORED


def test_that_different_pictures_are_not_alike():
    pictures = {seed: [described(drawing(seed))] for seed in range(40)}
    assert not find_shared_pictures(pictures)


def pie(first, second):
    picture = Image.new("RGB", (400, 400), "white")
    pen = ImageDraw.Draw(picture)
    ends = (0, first, second, 360)
    for start, end, colour in zip(ends, ends[1:], ("#4472c4", "#ed7d31", "#a5a5a5"), strict=False):
        pen.pieslice((20, 20, 380, 380), start, end, colour)
    return picture


def test_that_round_diagrams_of_different_shares_are_not_alike():
    pies = [described(pie(*ends)) for ends in ((100, 200), (140, 230), (80, 290), (170, 250), (60, 180))]
    assert not find_shared_pictures({place: [each] for place, each in enumerate(pies)})


def test_that_pictures_of_many_documents_and_of_the_template_do_not_count():
    badge, own, handed_out = (described(drawing(seed)) for seed in (1, 2, 3))
    pictures = {key: [badge, handed_out] for key in range(5)} | {key: [] for key in range(5, 12)}
    pictures[0], pictures[9] = [badge, own, handed_out], [own]
    found = find_shared_pictures(pictures, [handed_out])
    assert {pair: [each.left.number for each in shared] for pair, shared in found.items()} == {(0, 9): [1]}


def test_that_hundreds_of_pictures_are_compared():
    own = {key: [described(drawing(10 * key + number)) for number in range(3)] for key in range(100)}
    own[40][1] = own[70][2]
    found = find_shared_pictures(own)
    assert [(each.left, each.right) for each in found[40, 70]] == [(own[40][1], own[70][2])]
    assert len(found) < 10


def test_that_each_picture_has_one_counterpart_the_most_similar_one():
    picture, changed = described(drawing(1)), described(drawing(1), "JPEG")
    ((left, right),) = find_shared_pictures({0: [picture], 1: [changed, picture]}).items()
    assert left == (0, 1)
    assert [each.kind for each in right] == [Likeness.SAME]
    (turned,) = mirrored_pictures(right)
    assert (turned.left, turned.right) == (right[0].right, right[0].left)


def beside_text(picture):
    page = Image.new("RGB", (800, 620), "white")
    page.paste(picture, (40, 60))
    for line in range(9):
        ImageDraw.Draw(page).text(
            (60, 410 + 20 * line), f"{line} lines of the page, seen in a screenshot", "black"
        )
    return page


PARTS = {
    "cropped": lambda picture: picture.crop((60, 30, 470, 300)),
    "turned": lambda picture: picture.rotate(3, Image.Resampling.BICUBIC, True, fillcolor="white"),
    "within another": beside_text,
}


@needs_opencv
@pytest.mark.parametrize("change", PARTS.values(), ids=PARTS)
def test_that_a_part_of_a_picture_and_a_turned_one_are_found(change):
    assert likeness(described(diagram(1)), described(change(diagram(1)))) is Likeness.PART


@needs_opencv
def test_that_parts_of_different_diagrams_texts_and_tables_are_not_alike():
    kinds = (diagram, text, table)
    pictures = [described(make(seed)) for make in kinds for seed in range(20)]
    assert not find_shared_pictures({place: [each] for place, each in enumerate(pictures)})


@needs_opencv
def test_that_parts_of_pictures_of_many_documents_and_of_the_template_do_not_count():
    badge, handed_out, own = (diagram(seed) for seed in (1, 2, 3))
    pictures = {
        key: [described(badge.crop((8 * key, 0, 480, 320))), described(handed_out.crop((0, 40, 480, 320)))]
        for key in range(6)
    }
    pictures[0].append(described(own))
    pictures[5].append(described(PARTS["cropped"](own)))
    found = find_shared_pictures(pictures, [described(handed_out)])
    assert list(found) == [(0, 5)]
    assert [(each.kind, each.left, each.right) for each in found[0, 5]] == [
        (Likeness.PART, pictures[0][2], pictures[5][2])
    ]


def test_that_without_opencv_whole_pictures_alone_are_found(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert likeness(described(diagram(1)), described(PARTS["cropped"](diagram(1)))) is None
    assert likeness(described(diagram(1)), described(diagram(1).resize((240, 160)))) is Likeness.SIMILAR
