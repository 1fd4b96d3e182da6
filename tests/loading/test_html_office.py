"""HTML saved by Word, WPS, LibreOffice and Google Docs: parts of the text are recognised by their markup."""

from simcompare.loading import load_document
from simcompare.model.document import BlockKind, DropReason

WORD_HEAD = """<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=gb2312">
<meta name=ProgId content=Word.Document><meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><o:DocumentProperties>
<o:Author>某某</o:Author></o:DocumentProperties></xml><![endif]-->
<style><!-- /* Style Definitions */ p.MsoNormal, li.MsoNormal {mso-style-parent:""; font-size:10.5pt;}
p.a, li.a {mso-style-name:"标题 2"; mso-outline-level:2;}
@page WordSection1 {size:595.3pt 841.9pt; mso-header:url("essay_files/header.htm") h1;} --></style></head>"""
WORD_BODY = """<body lang=ZH-CN style='tab-interval:21.0pt'><div class=WordSection1>
<p class=MsoTitle><span lang=EN-US>河边的</span>秋天<o:p></o:p></p>
<p class=MsoTocHeading>目录</p>
<p class=MsoToc1><!--[if supportFields]><span style='mso-element:field-begin'></span>TOC \\o "1-3"
<span style='mso-element:field-separator'></span><![endif]--><a href="#_Toc1">第一节<span
style='color:windowtext;display:none;mso-hide:screen'><span
style='mso-tab-count:1 dotted'>. </span>2</span></a></p>
<h1><a name="_Toc1">第一节</a></h1>
<p class=a>河水</p>
<p class=MsoNormal style='text-indent:21.0pt'>秋<span lang=EN-US><o:p></o:p></span>天到了<a
style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1" title=""><span class=MsoFootnoteReference><span
lang=EN-US><span style='mso-special-character:footnote'><![if !supportFootnotes]><span
class=MsoFootnoteReference>[1]</span><![endif]></span></span></span></a>，<ins cite="mailto:x"
datetime="2024-05-01T10:00">树叶</ins><del cite="mailto:x" datetime="2024-05-01T10:00">花瓣</del>落了。<span
style='mso-comment-reference:X_1'>老人</span><span class=MsoCommentReference><![if !supportAnnotations]><a
class=msocomanchor id="_anchor_1" href="#_msocom_1">[X1]</a><![endif]></span>坐在桥上。<o:p></o:p></p>
<p class=MsoListParagraph style='margin-left:21.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
lang=EN-US><span style='mso-list:Ignore'>1.<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;</span></span></span><![endif]>看水</p>
<p class=MsoListParagraph style='margin-left:21.0pt;mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span
style='font-family:Wingdings'><span style='mso-list:Ignore'>l<span>&nbsp;</span></span></span
><!--[endif]-->看树</p>
<p class=MsoQuote>“逝者如斯夫。”</p>
<p class=MsoNormal>有框<!--[if gte vml 1]><v:shape id="_x0000_s1" type="#_x0000_t202"><v:textbox
style='mso-next-textbox:#x'><![if !mso]><table><tr><td><![endif]><div>
<p class=MsoNormal>框里的话，只有在文档里看得见。</p></div>
<![if !mso]></td></tr></table><![endif]></v:textbox></v:shape><![endif]--><![if !vml]><img
src="image001.png" alt="文本框"><![endif]>的段落。</p>
<table class=MsoTableGrid border=1><tr><td><p class=MsoNormal>年<o:p></o:p></p></td>
<td><p class=MsoNormal>月</p></td></tr></table>
<p class=MsoNormal style='mso-hide:all;display:none'>藏起来的话</p>
</div><div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1>
<![endif]><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a style='mso-footnote-id:ftn1'
href="#_ftnref1" name="_ftn1" title=""><span class=MsoFootnoteReference>[1]</span></a>
说的是去年。</p></div></div>
<div style='mso-element:comment-list'><![if !supportAnnotations]><hr class=msocomoff><![endif]>
<div style='mso-element:comment'><p class=MsoCommentText>写得好</p></div></div></body></html>"""


def _load(tmp_path, markup, encoding="utf-8", name="essay.htm"):
    path = tmp_path / name
    path.write_bytes(markup.encode(encoding))
    return load_document(path)


def _lines(document):
    return [(block.kind, block.span.of(document.text)) for block in document.blocks]


def test_that_a_page_saved_by_word_gives_the_document(tmp_path):
    document = _load(tmp_path, WORD_HEAD + WORD_BODY, encoding="gbk")
    assert _lines(document) == [
        (BlockKind.TITLE, "河边的秋天"),
        (BlockKind.HEADING, "第一节"),
        (BlockKind.HEADING, "河水"),
        (BlockKind.PARAGRAPH, "秋天到了，树叶落了。老人坐在桥上。"),
        (BlockKind.LIST_ITEM, "1. 看水"),
        (BlockKind.LIST_ITEM, "看树"),
        (BlockKind.QUOTATION, "“逝者如斯夫。”"),
        (BlockKind.PARAGRAPH, "有框的段落。"),
        (BlockKind.PARAGRAPH, "框里的话，只有在文档里看得见。"),
        (BlockKind.TABLE_ROW, "年\t月"),
        (BlockKind.FOOTNOTE, "说的是去年。"),
    ]
    assert {(d.reason, d.characters) for d in document.receipt.dropped} == {
        (DropReason.TABLE_OF_CONTENTS, 7),
        (DropReason.DELETED_REVISION, 2),
        (DropReason.HIDDEN_TEXT, 5),
        (DropReason.COMMENT, 3),
    }
    assert [flag.excerpt for flag in document.receipt.flags] == ["藏起来的话"]
    assert document.title == "河边的秋天"


def test_that_a_filtered_page_of_word_gives_its_notes(tmp_path):
    document = _load(
        tmp_path,
        "<html><head><meta name=Generator content='Microsoft Word 15 (filtered)'></head><body>"
        "<p class=MsoNormal>The river<a href='#_ftn1' name='_ftnref1' title=''>"
        "<span class=MsoFootnoteReference><span>[1]</span></span></a> sings.</p><br clear=all><hr>"
        "<div id=ftn1><p class=MsoFootnoteText>"
        "<a href='#_ftnref1' name='_ftn1' title=''><span>[1]</span></a> In spring.</p></div></body></html>",
    )
    assert _lines(document) == [(BlockKind.PARAGRAPH, "The river sings."), (BlockKind.FOOTNOTE, "In spring.")]


def test_that_the_name_that_word_gives_a_page_is_not_its_title(tmp_path):
    head = WORD_HEAD.replace("<style>", "<title>新建文档</title><style>")
    body = "<body><p class=MsoNormal align=center>河边</p><p class=MsoNormal>秋天到了。</p></body></html>"
    assert _load(tmp_path, head + body).title == "河边"


def test_that_an_essay_by_word_with_many_links_is_no_web_page(tmp_path):
    links = "".join(f'<p class=MsoFooter><a href="https://example.org/{n}">来源{n}</a></p>' for n in range(9))
    document = _load(
        tmp_path, f"{WORD_HEAD}<body><p class=MsoHeader>甲</p>{links}<form></form></body></html>"
    )
    assert len(document.blocks) == 10
    assert document.receipt.dropped == ()


def test_that_text_of_a_box_and_its_fallback_is_read_once(tmp_path):
    box = "<p class=MsoNormal>The words in the box.</p>"
    document = _load(
        tmp_path,
        "<html><body><p>Before.</p>"
        f"<!--[if gte vml 1]><v:shape><v:textbox>{box}</v:textbox></v:shape><![endif]-->"
        f"<![if !vml]><table><tr><td>{box}</td></tr></table><![endif]><p>After.</p></body></html>",
    )
    assert document.text.split("\n") == ["Before.", "The words in the box.", "After."]


def test_that_headers_contents_and_notes_of_libreoffice_are_recognised(tmp_path):
    document = _load(
        tmp_path,
        '<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 7.4 (Linux)"/></head><body>'
        '<div title="header"><p>Class 3</p></div><div id="Table of Contents1" dir="ltr">'
        '<div id="Table of Contents1_Head" dir="ltr"><p>Contents</p></div>'
        '<p><a href="#a">River 1</a></p></div>'
        '<h1 class="western">River</h1><p style="line-height: 100%">It sings.<a class="sdfootnoteanc" '
        'name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a></p><div id="sdfootnote1">'
        '<p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>'
        'Always.</p></div><div title="footer"><p>1</p></div></body></html>',
    )
    assert [text for _kind, text in _lines(document)] == ["River", "It sings.", "Always."]
    assert document.blocks[-1].kind is BlockKind.FOOTNOTE
    assert {(d.reason, d.characters) for d in document.receipt.dropped} == {
        (DropReason.PAGE_HEADER, 6),
        (DropReason.TABLE_OF_CONTENTS, 14),
        (DropReason.PAGE_FOOTER, 1),
    }


def test_that_notes_and_comments_of_google_docs_are_recognised(tmp_path):
    document = _load(
        tmp_path,
        "<html><head><style>@import url(https://themes.googleusercontent.com/fonts/css);.c1{color:#000000}"
        ".c2{background-color:#ffffff;max-width:451pt}.c9{color:#ffffff}</style></head>"
        '<body class="c2 doc-content"><p class="c0 title" id="h.1"><span class="c1">On Rivers</span></p>'
        '<p class="c0"><span class="c1">They sing</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup>'
        '<span class="c1">.</span><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup>'
        '<span class="c9">unseen</span></p><hr class="c4"><div><p class="c5">'
        '<a href="#ftnt_ref1" id="ftnt1">[1]</a><span class="c1">&nbsp;In spring.</span></p></div>'
        '<div class="c8"><p class="c5"><a href="#cmnt_ref1" id="cmnt1">[a]</a>'
        '<span class="c1">Really?</span></p></div></body></html>',
    )
    assert [text for _kind, text in _lines(document)] == ["On Rivers", "They sing.", "In spring."]
    assert document.blocks[-1].kind is BlockKind.FOOTNOTE
    assert {d.reason: d.characters for d in document.receipt.dropped} == {
        DropReason.COMMENT: 10,
        DropReason.WHITE_TEXT: 6,
    }


def test_that_a_property_sheet_of_word_without_its_comment_is_no_text(tmp_path):
    document = _load(
        tmp_path,
        "<html><body><xml><w:WordDocument><w:View>Normal</w:View><w:PunctuationKerning/></w:WordDocument></xml>"
        "<p class=MsoNormal>In <st1:place w:st='on'>Paris</st1:place><o:p>&nbsp;</o:p></p></body></html>",
    )
    assert document.text == "In Paris"


GOOGLE_LISTS = """<html><head><style type="text/css">@import url(https://themes.googleusercontent.com/fonts/css?kit=x);
ol.lst-kix_ab-0.start{counter-reset:lst-ctn-kix_ab-0 0}ol.lst-kix_ab-1.start{counter-reset:lst-ctn-kix_ab-1 0}
ol.lst-kix_ab-0{list-style-type:none}ol.lst-kix_ab-1{list-style-type:none}ul.lst-kix_cd-0{list-style-type:none}
.lst-kix_ab-0>li{counter-increment:lst-ctn-kix_ab-0}.lst-kix_ab-1>li{counter-increment:lst-ctn-kix_ab-1}
.lst-kix_ab-0>li:before{content:"" counter(lst-ctn-kix_ab-0,decimal) ". "}
.lst-kix_ab-1>li:before{content:"(" counter(lst-ctn-kix_ab-1,lower-latin) ")  "}
.lst-kix_cd-0>li:before{content:"\\0025cf   "}</style></head><body class="c1 doc-content">
<p class="title"><span>四季的河</span></p>
<ol class="c2 lst-kix_ab-0 start" start="1"><li class="c0 li-bullet-0"><span>春天的河</span></li></ol>
<ol class="c2 lst-kix_ab-1 start" start="1"><li class="c0"><span>
河边</span></li><li><span>桥头</span></li></ol>
<p><span>一条小河。</span></p>
<ol class="c2 lst-kix_ab-0" start="2"><li class="c0"><span>夏天的河</span></li></ol>
<ol class="c2 lst-kix_ab-1 start" start="1"><li class="c0"><span>水里</span></li></ol>
<ul class="c2 lst-kix_cd-0 start"><li class="c0"><span>秋天的河</span></li></ul></body></html>"""


def test_that_the_lists_of_google_docs_keep_their_numbers(tmp_path):
    document = _load(tmp_path, GOOGLE_LISTS)
    assert document.text.split("\n") == [
        *(
            "四季的河",
            "1. 春天的河",
            "(a) 河边",
            "(b) 桥头",
            "一条小河。",
            "2. 夏天的河",
            "(a) 水里",
            "秋天的河",
        ),
    ]
    assert [block.kind for block in document.blocks].count(BlockKind.LIST_ITEM) == 6


def test_that_headings_that_a_sheet_numbers_keep_their_numbers(tmp_path):
    sheet = (
        "<style>body { counter-reset: chapter } h2 { counter-increment: chapter; counter-reset: part }"
        "h2::before { content: 'Part ' counter(chapter, upper-roman) '\\3a' !important }"
        "h3 { counter-increment: part } h3:before { content: counter(chapter) '.' counter(part) '\\2003' }"
        "p:before { content: '※' } em:hover:before { content: counter(part) }</style>"
    )
    body = "<h2>River</h2><h3>Bank</h3><h3>Bridge</h3><h2>Wind</h2><h3>Tree</h3><p>It <em>sings</em>.</p>"
    document = _load(tmp_path, f"<html><head>{sheet}</head><body>{body}</body></html>")
    assert document.text.split("\n") == [
        *("Part I: River", "1.1 Bank", "1.2 Bridge", "Part II: Wind", "2.1 Tree", "It sings."),
    ]
