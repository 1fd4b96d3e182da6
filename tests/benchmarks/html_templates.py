"""Pages and documents of a dozen kinds around a known text, as sites and office programs write them.

Each template takes an essay and other texts for its surroundings, and returns the file's bytes.
"""

# ruff: noqa: E501 - the lines are as long as those of the pages

import html
import quopri
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice


@dataclass(frozen=True, slots=True)
class Essay:
    """A title and paragraphs."""

    title: str
    paragraphs: Sequence[str]


Others = Sequence[Essay]


def _p(paragraphs: Sequence[str], attributes: str = "") -> str:
    return "".join(f"<p{attributes}>{html.escape(text)}</p>\n" for text in paragraphs)


def _links(others: Others, count: int = 20, tag: str = "li") -> str:
    titles = islice((other.title for other in others for _round in range(3)), count)
    return "".join(
        f'<{tag}><a href="https://www.example.com/a/{number}.html">{html.escape(title)}</a></{tag}>\n'
        for number, title in enumerate(titles)
    )


def _comments(others: Others) -> str:
    return "".join(
        f'<li class="comment"><div class="comment-author">User{number}</div><time>2024-03-0{number + 1}</time>'
        f"<p>{html.escape(other.paragraphs[0][:90])}</p><a href='#respond'>Reply</a></li>"
        for number, other in enumerate(others[:3])
    )


def _head(title: str, site: str, charset: str = "utf-8") -> str:
    scripts = "<script>var site={};</script>" * 3
    return (
        f'<head><meta charset="{charset}"><title>{html.escape(title)}{site}</title>'
        f'<link rel="stylesheet" href="/main.css">{scripts}</head>'
    )


def news(essay: Essay, others: Others) -> bytes:
    """A current news site."""
    return f"""<!DOCTYPE html><html>{_head(essay.title, " - Example News")}<body class="page">
<header class="site-header"><a href="/">Example News</a><nav class="main-nav"><ul>{_links(others, 12)}</ul></nav></header>
<div class="breadcrumb"><a href="/">Home</a> &gt; <a href="/life">Life</a></div>
<main><article class="article"><header><h1>{html.escape(essay.title)}</h1>
<div class="article-meta"><span>2024-03-01 10:00</span> <span>Example Agency</span></div></header>
<div class="article-content">{_p(essay.paragraphs)}</div>
<div class="share-bar"><button>WeChat</button><button>Weibo</button></div></article>
<aside class="sidebar"><h3>Most read</h3><ul>{_links(others)}</ul></aside></main>
<section class="related"><h3>Related</h3><ul>{_links(others[3:], 8)}</ul></section>
<section class="comments" id="comments"><h3>Comments</h3><ul>{_comments(others)}</ul></section>
<footer class="site-footer"><p>Copyright Example News. All rights reserved.</p><ul>{_links(others, 6)}</ul></footer>
</body></html>""".encode()


def old_portal(essay: Essay, others: Others) -> bytes:
    """A Chinese portal of about 2004: nested tables, line breaks instead of paragraphs, GB2312."""
    text = "<br><br>\n".join(f"　　{html.escape(paragraph)}" for paragraph in essay.paragraphs)
    page = f"""<html>{_head(essay.title, "_新闻中心_示例网", "gb2312")}<body>
<table width=950><tr>{_links(others, 12, "td")}</tr></table>
<table width=950><tr><td width=640 valign=top><table><tr><th class="f24"><h1>{html.escape(essay.title)}</h1></th></tr>
<tr><td class="from_info">http://www.example.com 2004年03月01日10:00 示例网</td></tr>
<tr><td class="l17"><div id="artibody">{text}</div></td></tr>
<tr><td class="toolbar"><a href="#">【评论】</a><a href="#">【收藏】</a><a href="#">【打印】</a></td></tr></table></td>
<td width=300 valign=top><table>{"".join(f"<tr>{_links(others[n:], 1, 'td')}</tr>" for n in range(9))}</table></td></tr></table>
<table><tr><td class="footer">示例网版权所有 <a href="http://www.example.com/about">关于我们</a></td></tr></table></body></html>"""
    return page.encode("gb18030")


def div_portal(essay: Essay, others: Others) -> bytes:
    """A portal whose paragraphs are div elements with meaningless classes."""
    text = "".join(
        f'<div class="x{n % 3}"><span>{html.escape(p)}</span></div>' for n, p in enumerate(essay.paragraphs)
    )
    return f"""<!DOCTYPE html><html>{_head(essay.title, "_示例号")}<body>
<div class="top-nav" id="nav">{_links(others, 10, "span")}</div><div class="wrap"><div class="left-side">{_links(others, 4, "div")}</div>
<div class="main"><div class="hd"><h1>{html.escape(essay.title)}</h1><div class="info">2024-03-01 · 示例号</div></div>
<div class="bd" id="mp-editor">{text}</div><div class="statement">声明：该文观点仅代表作者本人。</div></div>
<div class="right-side sidebar"><div class="hot">{_links(others, 15, "div")}</div></div></div>
<div class="footer" id="footer">Copyright {_links(others, 5, "span")}</div></body></html>""".encode()


def wechat(essay: Essay, others: Others) -> bytes:
    """A WeChat article as the server sends it: hidden until its script has run."""
    text = "".join(
        f'<section style="line-height:2em"><span style="font-size:15px;color:#3e3e3e">{html.escape(p)}</span></section>'
        for p in essay.paragraphs
    )
    return f"""<!DOCTYPE html><html><head><meta charset="utf-8"><meta property="og:title" content="{html.escape(essay.title)}">
<title></title><script>var a=1</script></head><body id="activity-detail" class="zh_CN mm_appmsg">
<div id="js_article" class="rich_media"><div class="rich_media_inner"><h1 class="rich_media_title" id="activity-name">
{html.escape(essay.title)}</h1><div class="rich_media_meta_list"><a id="js_name">示例公众号</a><em>2024-03-01</em></div>
<div class="rich_media_content" id="js_content" style="visibility: hidden; opacity: 0;">{text}</div></div>
<div class="rich_media_tool"><a>阅读原文</a> 阅读 <span>赞</span></div><div id="js_pc_qr_code">微信扫一扫关注该公众号</div></div>
<div style="display:none">{_links(others, 3)}</div><script>var b=2</script><script>var c=3</script></body></html>""".encode()


def blog(essay: Essay, others: Others) -> bytes:
    """A WordPress blog."""
    return f"""<!DOCTYPE html><html>{_head(essay.title, " | A Blog")}<body class="single single-post">
<div id="page"><header id="masthead"><h1 class="site-title"><a href="/">A Blog</a></h1><nav id="site-navigation">
<ul class="menu">{_links(others, 6)}</ul></nav></header><div id="primary"><article id="post-1" class="post type-post">
<h1 class="entry-title">{html.escape(essay.title)}</h1><div class="entry-meta">Posted on March 1 by admin</div>
<div class="entry-content">{_p(essay.paragraphs)}<div class="sharedaddy"><h3>Share this:</h3><ul>{_links(others, 3)}</ul></div></div>
<footer class="entry-footer">Filed under: <a href="/c">Essays</a></footer></article>
<div id="comments" class="comments-area"><h2>3 thoughts</h2><ol class="comment-list">{_comments(others)}</ol>
<form id="commentform"><textarea name="comment"></textarea><input type="submit" value="Post"></form></div></div>
<div id="secondary" class="widget-area"><section class="widget"><h2>Recent posts</h2><ul>{_links(others, 10)}</ul></section></div>
<footer id="colophon">Proudly powered by a press</footer></div></body></html>""".encode()


def forum(essay: Essay, others: Others) -> bytes:
    """A thread of a Discuz forum; the essay is its first post."""

    def post(number: int, paragraphs: Sequence[str]) -> str:
        lines = "<br />\n".join(map(html.escape, paragraphs))
        return (
            f'<div id="post_{number}"><table class="plhin"><tr><td class="pls"><div class="authi">用户{number}</div>'
            f"<p>积分 {number}00</p></td><td class='plc'><div class='pct'><table><tr><td class='t_f' "
            f'id="postmessage_{number}">{lines}</td></tr></table></div><div class="po">回复 举报</div></td></tr></table></div>'
        )

    posts = [
        post(1, essay.paragraphs),
        *(post(n + 2, other.paragraphs[:1]) for n, other in enumerate(others[:3])),
    ]
    return f"""<!DOCTYPE html><html>{_head(essay.title, " - 示例论坛 - Powered by Discuz!")}<body id="nv_forum">
<div id="hd"><div class="nav"><ul>{_links(others, 8)}</ul></div></div><div id="pt">论坛 › 作文 › {html.escape(essay.title)}</div>
<div id="postlist"><h1 class="ts"><span id="thread_subject">{html.escape(essay.title)}</span></h1>{"".join(posts)}</div>
<form id="fastpostform"><textarea></textarea><button>发表回复</button></form><div id="ft">{_links(others, 5)}</div></body></html>""".encode()


def wiki(essay: Essay, others: Others) -> bytes:
    """A MediaWiki page: contents, edit links, notes, navigation boxes."""
    parts = []
    for number, paragraph in enumerate(essay.paragraphs):
        note = f'<sup class="reference"><a href="#cite_note-{number}">[{number + 1}]</a></sup>'
        parts.append(f"<p>{html.escape(paragraph)}{note if number % 3 == 0 else ''}</p>")
    contents = "".join(f'<li class="toclevel-1"><a href="#s{n}">{n} Part</a></li>' for n in range(5))
    return f"""<!DOCTYPE html><html class="client-nojs">{_head(essay.title, " - Example Encyclopedia")}<body class="mediawiki">
<div id="mw-navigation"><ul>{_links(others, 12)}</ul></div><div id="content"><h1 id="firstHeading">{html.escape(essay.title)}</h1>
<div id="mw-content-text"><div class="mw-parser-output"><div id="toc" class="toc"><h2>Contents</h2><ul>{contents}</ul></div>
{"".join(parts)}<table class="navbox"><tr><td><ul>{_links(others, 15)}</ul></td></tr></table></div></div>
<div id="catlinks">Categories: {_links(others, 3, "span")}</div></div><div id="footer"><ul><li>This page was last edited in March.</li>
{_links(others, 4)}</ul></div></body></html>""".encode()


def _unusual(name: str, markup: Callable[[Essay], str]) -> Callable[[Essay, Others], bytes]:
    """A page of a site whose article has unusual elements or classes."""

    def template(essay: Essay, others: Others) -> bytes:
        return f"""<!DOCTYPE html><html>{_head(essay.title, " - 示例网")}<body><div class="nav" id="nav"><ul>{_links(others, 12)}</ul></div>
<div class="main"><h1>{html.escape(essay.title)}</h1>{markup(essay)}</div><div class="sidebar"><ul>{_links(others, 15)}</ul></div>
<div class="comments"><ul>{_comments(others)}</ul></div><div class="footer">版权所有 {_links(others, 5, "span")}</div></body></html>""".encode()

    template.__name__ = name
    return template


def _in(opening: str, closing: str) -> Callable[[Essay], str]:
    return lambda essay: f"{opening}{_p(essay.paragraphs)}{closing}"


def _sections(essay: Essay) -> str:
    return "".join(f'<div class="s{n}"><h2>{n}</h2>{_p([p])}</div>' for n, p in enumerate(essay.paragraphs))


def plain(essay: Essay, _others: Others) -> bytes:
    """An essay written directly in HTML."""
    return (
        f"<html><head><title>{html.escape(essay.title)}</title></head><body><h1>{html.escape(essay.title)}</h1>"
        f"{_p(essay.paragraphs)}</body></html>"
    ).encode()


def with_sources(essay: Essay, others: Others) -> bytes:
    """An essay with its own style sheet and a dozen links to its sources, which are part of it."""
    return (
        f"<html><head><title>{html.escape(essay.title)}</title><style>body{{max-width:40em}}</style></head><body>"
        f"<h1>{html.escape(essay.title)}</h1>{_p(essay.paragraphs)}<ol>{_links(others, 12)}</ol></body></html>"
    ).encode()


def word(essay: Essay, _others: Others) -> bytes:
    """A web page saved by Word or WPS, in GBK."""
    text = "".join(
        f"<p class=MsoNormal style='text-indent:21.0pt'><span style='font-family:宋体;mso-ascii-font-family:Calibri'>"
        f"{html.escape(p)}</span><span lang=EN-US><o:p></o:p></span></p>\n\n"
        for p in essay.paragraphs
    )
    return f"""<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta http-equiv=Content-Type content="text/html; charset=gb2312"><meta name=ProgId content=Word.Document>
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Print</w:View></w:WordDocument></xml><![endif]-->
<style><!-- p.MsoNormal {{mso-style-parent:""; font-size:10.5pt;}} --></style></head><body lang=ZH-CN><div class=WordSection1>
<p class=MsoTitle align=center><b><span style='font-size:18.0pt'>{html.escape(essay.title)}<o:p></o:p></span></b></p>
{text}</div></body></html>""".encode("gb18030")


def word_archive(essay: Essay, others: Others) -> bytes:
    """The same as a single-file archive."""
    page = word(essay, others)
    return (
        b'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="----=_Next"\r\n\r\n------=_Next\r\n'
        b'Content-Location: file:///C:/essay.htm\r\nContent-Type: text/html; charset="gb2312"\r\n'
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        + quopri.encodestring(page)
        + b"\r\n------=_Next--\r\n"
    )


def libreoffice(essay: Essay, _others: Others) -> bytes:
    """A web page saved by LibreOffice."""
    return f"""<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/>
<meta name="generator" content="LibreOffice 7.4.7.2 (Linux)"/><style>@page {{ size: 21cm 29.7cm }} p {{ line-height: 115% }}</style>
</head><body lang="zh-CN" dir="ltr"><div title="header"><p>Class 3</p></div><p align="center"><font size="5"><b>{html.escape(essay.title)}
</b></font></p>{_p(essay.paragraphs, ' style="margin-bottom: 0.11in"')}<div title="footer"><p>1</p></div></body></html>""".encode()


def google_docs(essay: Essay, _others: Others) -> bytes:
    """A web page saved by Google Docs."""
    text = "".join(f'<p class="c0"><span class="c1">{html.escape(p)}</span></p>' for p in essay.paragraphs)
    return (
        "<html><head><meta content='text/html; charset=UTF-8'><style>.c1{color:#000000;font-size:11pt}"
        ".c2{background-color:#ffffff;max-width:451.4pt}</style></head><body class='c2 doc-content'>"
        f'<p class="c0 title"><span class="c1">{html.escape(essay.title)}</span></p>{text}</body></html>'
    ).encode()


Template = Callable[[Essay, Others], bytes]
ARTICLES: tuple[Template, ...] = (news, old_portal, div_portal, wechat, blog, forum, wiki)
UNUSUAL: tuple[Template, ...] = (
    _unusual("comment_class", _in('<div class="comment-content">', "</div>")),
    _unusual("footer_class", _in('<div class="footer-text">', "</div>")),
    _unusual("aside", _in("<aside>", "</aside>")),
    _unusual("hidden", _in('<div style="display:none">', "</div>")),
    _unusual("form", _in("<form>", "</form>")),
    _unusual("text_area", lambda e: f"<textarea>{html.escape(chr(10).join(e.paragraphs))}</textarea>"),
    _unusual("links", lambda e: f"<a href='https://x.example.com/'>{_p(e.paragraphs)}</a>"),
    _unusual("sections", _sections),
)
"""Articles in elements that sites have for other things."""
DOCUMENTS: tuple[Template, ...] = (plain, with_sources, word, word_archive, libreoffice, google_docs)


def gold(template: Template, essay: Essay, others: Others) -> str:
    """Return the text that should be extracted from a page."""
    sources = [link.split("<")[0] for link in _links(others, 12).split('.html">')[1:]]
    numbered = [f"{number}. {html.unescape(source)}" for number, source in enumerate(sources, start=1)]
    added = numbered if template is with_sources else []
    return "\n".join([essay.title, *essay.paragraphs, *added])
