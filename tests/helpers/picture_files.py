"""Page images in the formats of cameras, scanners and screenshots; needs Pillow."""

from collections.abc import Iterator
from pathlib import Path

import pypdfium2

_SCALE = 0.5


def write_pictures(folder: Path, pdf: Path) -> Iterator[Path]:
    """Render the first pages of a PDF small, and write them in every format, depth and compression."""
    from PIL import Image

    document = pypdfium2.PdfDocument(pdf)
    page, *others = [
        document[number].render(scale=_SCALE).to_pil() for number in range(min(2, len(document)))
    ]
    document.close()
    grey = page.convert("L")
    turned = Image.Exif()
    turned[0x0112] = 6
    forms = {
        "colours.png": (page, {}),
        "palette.png": (page.convert("P"), {"transparency": 0}),
        "deep.png": (grey.point(lambda value: value * 257, "I").convert("I;16"), {}),
        "glass.png": (page.convert("RGBA"), {}),
        "photograph.jpg": (page, {"exif": turned, "quality": 60}),
        "progressive.jpg": (page, {"progressive": True}),
        "print.jpg": (page.convert("CMYK"), {}),
        "fax.tif": (grey.convert("1"), {"compression": "group4"}),
        "scan.tif": (page, {"compression": "tiff_lzw", "save_all": True, "append_images": others}),
        "photographs.tif": (page, {"compression": "jpeg"}),
        "floats.tif": (grey.convert("F"), {"compression": "tiff_adobe_deflate"}),
        "colours.bmp": (page, {}),
        "film.gif": (page, {"save_all": True, "append_images": others}),
        "lossy.webp": (page, {}),
        "lossless.webp": (page.convert("RGBA"), {"lossless": True}),
    }
    for name, (picture, settings) in forms.items():
        picture.save(folder / name, **settings)
        yield folder / name
