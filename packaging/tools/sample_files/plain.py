"""Sample essays as plain text and as web pages."""

import html

from sample_files.essays import Essay

STYLE = """\
body { max-width: 40em; margin: 3em auto; padding: 0 1em; line-height: 1.7; font-family: serif; }
h1 { text-align: center; font-size: 1.6em; }
p { margin: 0; text-indent: 2em; text-align: justify; }"""


def text_of(essay: Essay) -> str:
    """Return the essay as plain text; paragraphs are indented by two full-width spaces."""
    return "".join(f"{line}\n" for line in (essay.title, *(f"\u3000\u3000{p}" for p in essay.paragraphs)))


def html_of(essay: Essay) -> str:
    """Return the essay as a small web page."""
    title = html.escape(essay.title)
    paragraphs = "\n".join(f"<p>{html.escape(text, quote=False)}</p>" for text in essay.paragraphs)
    return f"""<!DOCTYPE html>
<html lang="{"zh-CN" if essay.is_chinese else "en"}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
{STYLE}
</style>
</head>
<body>
<article>
<h1>{title}</h1>
{paragraphs}
</article>
</body>
</html>
"""
