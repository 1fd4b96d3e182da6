"""Pages of Chinese blog platforms as browsers save them: the article alone is read."""

import pytest

from simcompare.loading import load_document
from tests.helpers.documents import SHARED
from tests.helpers.essay_files import ESSAYS
from tests.loading.readings import lines

# ruff: noqa: E501 - the lines are as long as those of the pages

TITLE, TEXT = ESSAYS["zh"]
OTHERS = [
    "渡口管理系统源码下载：本资源收录了某地渡口的登记表与全部源程序，适合初学者下载以后学习使用，欢迎交流。",
    "河边的四季：春天的河水最清，夏天的河水最急，秋天岸上开满了花，冬天的河面结了薄薄的一层冰，孩子们都不敢上去。",
    "怎样写好一篇游记？先要走到那里去，再要看得仔细，最后把看见的东西一件一件写下来，不要写没有看见的东西。",
]
SAVED = "<!-- saved from url=(0040)https://{site}/a/1 -->"
CODE = (
    "def count(boats):\n    total = 0\n    for boat in boats:\n        total += boat.number\n    return total"
)
NUMBERS = "".join(f"<li style='color:#999'>{n}</li>" for n in range(1, 6))


def _p(texts, attributes=""):
    return "".join(f"<p {attributes}>{text}</p>" for text in texts)


def _cards(site, mark, count=8):
    return "".join(
        f"<div class='{mark}-item'><a href='{site}/r/{n}'><h4>推荐第{n}篇</h4></a><div class='{mark}-desc'>{OTHERS[n % 3]}</div>"
        f"<span class='{mark}-meta'>阅读 {n}23 · 赞 {n}</span></div>"
        for n in range(count)
    )


def _page(site, head, body):
    return (
        f"<!DOCTYPE html>\n{SAVED.format(site=site)}\n<html lang='zh-CN'><head><meta charset='utf-8'><title>{head}</title>"
        f"<link rel='canonical' href='https://{site}/a/1'><script src='x_files/a.js'></script>"
        f"<link rel='stylesheet' href='x_files/a.css'></head><body>{body}</body></html>"
    )


def csdn(links="https://blog.csdn.net", code=True):
    block = f"<pre class='prettyprint'><code class='language-python has-numbering'>{CODE}</code><div class='hljs-button signin' data-title='登录后复制'></div><ul class='pre-numbering'>{NUMBERS}</ul></pre>"
    return _page(
        "blog.csdn.net",
        f"{TITLE}_河边的博客-CSDN博客",
        "<div id='csdn-toolbar'><ul class='toolbar-menus'><li><a href='/'>博客</a></li><li><a href='/d'>下载</a></li><li><a href='/l'>学习</a></li></ul><div class='toolbar-search'><input placeholder='搜CSDN'></div></div>"
        f"<div class='main_father'><main><div class='blog-content-box'><div class='article-header-box'><h1 class='title-article' id='articleContentId'>{TITLE}</h1>"
        "<div class='article-info-box'><span class='time'>最新推荐文章于 2024-05-02 10:00:00 发布</span><span class='read-count'>阅读量1.2k</span><span>收藏 12</span></div></div>"
        f"<article class='baidu_pl'><div id='article_content' class='article_content clearfix' style='height: 1820px; overflow: hidden;'><div id='content_views' class='markdown_views prism-atom-one-dark'>{block if code else ''}{_p(TEXT)}</div></div>"
        "<div class='hide-article-box'><a class='btn-readmore'>阅读全文</a></div></article></div>"
        f"<div class='recommend-box'>{_cards(links, 'recommend')}</div>"
        "<div class='comment-box'><div class='comment-list'>评论 3 条：写得好，学到了很多，谢谢作者。</div></div></main>"
        "<aside class='blog_container_aside'><div class='aside-box'><h3>热门文章</h3><ul><li><a href='/h/1'>怎样写好一篇游记 12345</a></li></ul></div><div class='aside-box'><h3>最新评论</h3><p>河边的四季：写得好。</p></div></aside></div>",
    )


def zhihu_column():
    return _page(
        "zhuanlan.zhihu.com",
        f"{TITLE} - 知乎",
        "<div id='root'><div class='App'><div class='ColumnPageHeader-Wrapper'><div class='ColumnPageHeader'><a href='https://www.zhihu.com/'>首发于河边的专栏</a><button>关注</button><button>写文章</button></div></div>"
        f"<main class='App-main'><article class='Post-Main Post-NormalMain'><header class='Post-Header'><h1 class='Post-Title'>{TITLE}</h1><div class='AuthorInfo'><span class='UserLink'>河边人</span><div class='AuthorInfo-badgeText'>爱写游记的人</div></div><button>已关注</button></header>"
        f"<div class='Post-RichTextContainer'><div id='content'><div class='RichText ztext Post-RichText css-1g0fqss'>{_p(TEXT, 'data-pid=a1')}</div></div></div>"
        "<div class='ContentItem-time'>发布于 2024-05-02 10:00・IP 属地浙江</div><div class='Post-topicsAndReviewer'><a href='https://www.zhihu.com/topic/1'>渡口</a><a href='https://www.zhihu.com/topic/2'>游记</a></div>"
        "<div class='ContentItem-actions RichContent-actions'><button>赞同 123</button><button>12 条评论</button><button>分享</button><button>喜欢</button><button>收藏</button></div></article>"
        f"<div class='Recommendations-Main'><h3>推荐阅读</h3>{_cards('https://zhuanlan.zhihu.com', 'PostItem', 6)}</div>"
        "<div class='Comments-container'><div class='CommentItem'><a href='https://www.zhihu.com/people/a'>某人</a><div class='CommentContent'>写得真好，让我想起了小时候在河边的日子，那时候的渡口还有两条船。</div></div></div></main></div></div>",
    )


def zhihu_answer():
    def answer(texts):
        return (
            "<div class='List-item'><div class='ContentItem AnswerItem'><div class='AuthorInfo'><a href='https://www.zhihu.com/people/b'>河边人</a><div>爱写游记的人</div></div><span class='Voters'>123 人赞同了该回答</span>"
            f"<div class='RichContent RichContent--unescapable'><div class='RichContent-inner'><span class='RichText ztext CopyrightRichText-richText' itemprop='text'>{_p(texts, 'data-pid=b1')}</span></div>"
            "<div class='ContentItem-time'><a href='https://www.zhihu.com/question/1/answer/2'>发布于 2024-05-02 10:00</a></div><div class='RichContent-actions'><button>赞同 123</button><button>12 条评论</button></div></div></div></div>"
        )

    return _page(
        "www.zhihu.com",
        f"{TITLE} - 知乎",
        "<div id='root'><header class='AppHeader'><nav><a href='https://www.zhihu.com/follow'>关注</a><a href='https://www.zhihu.com/hot'>热榜</a><a href='https://www.zhihu.com/education'>知学堂</a></nav><button>登录/注册</button></header>"
        f"<div class='QuestionHeader'><div class='QuestionHeader-topics'><a href='https://www.zhihu.com/topic/1'>渡口</a></div><h1 class='QuestionHeader-title'>{TITLE}</h1><div class='NumberBoard'>关注者 12 被浏览 3,456</div><button>关注问题</button><button>写回答</button></div>"
        f"<div class='Question-main'><div class='QuestionAnswer-content'>{answer(TEXT)}</div><div class='MoreAnswers'><div class='List-header'>更多回答</div>{answer(OTHERS)}</div></div>"
        "<div class='Question-sideColumn'><div>关于作者</div><div>相关问题</div><a href='https://www.zhihu.com/question/3'>怎样写好一篇游记？</a><a href='https://www.zhihu.com/question/4'>河边有什么好玩的？</a></div></div>",
    )


def jianshu():
    return _page(
        "www.jianshu.com",
        f"{TITLE} - 简书",
        "<div id='__next'><header class='_3VTlxS'><nav class='_1CEL4l'><a href='https://www.jianshu.com/'>首页</a><a href='https://www.jianshu.com/apps'>下载APP</a><a href='https://www.jianshu.com/vips'>会员</a></nav></header>"
        f"<div class='_21bLU4 _3kbg6I'><div class='_3Pnjry'><div class='_1pUUKr'>赞</div></div><div class='_gp-ck' role='main'><section class='ouvJEz'><h1 class='_1RuRku' title='{TITLE}'>{TITLE}</h1><div class='rEsl9f'><div class='s-dsoj'><time>2024.05.02 10:00:00</time><span>字数 1,234</span><span>阅读 567</span></div></div>"
        f"<article class='_2rhmJa'>{_p(TEXT)}</article><div class='_1kCBjS'><span>3人点赞</span></div><div class='_19DgIp'></div><div class='_13lIbp'><a href='https://www.jianshu.com/nb/1'>日记本</a></div><div class='d0hShY'><span>更多精彩内容，就在简书APP</span></div></section>"
        f"<div id='note-page-comment'><div>全部评论 2</div><div class='_2IUqvs'><a href='https://www.jianshu.com/u/1'>读者一</a><div class='_2bDGm4'>写得真好，让我想起了小时候在河边的日子，那时候的渡口还有两条船。</div></div></div><section class='ouvJEz'><h3>推荐阅读<a href='https://www.jianshu.com/'>更多精彩内容</a></h3><ul>{_cards('https://www.jianshu.com', '_1bnhU9', 6)}</ul></section></div>"
        "<aside class='_2OwGUo'><section class='_3Z3nHf'><a href='https://www.jianshu.com/u/2'>河边人</a><p>总资产12</p></section><section><h3>被以下专题收入</h3><a href='https://www.jianshu.com/c/1'>游记</a></section></aside></div></div>",
    )


def wechat():
    return _page(
        "mp.weixin.qq.com",
        TITLE,
        f"<div id='js_article' class='rich_media'><div class='rich_media_inner'><div id='page-content'><div id='img-content' class='rich_media_wrp'><h1 class='rich_media_title' id='activity-name'>{TITLE}</h1>"
        "<div id='meta_content' class='rich_media_meta_list'><span class='rich_media_meta'>原创</span><a id='js_name'>河边的公众号</a><em id='publish_time'>2024年05月02日 10:00</em><em>浙江</em></div>"
        f"<div class='rich_media_content js_underline_content' id='js_content' style='visibility: hidden; opacity: 0;'><section><span>{'</span></section><section><span>'.join(TEXT)}</span></section></div>"
        "<div class='rich_media_tool'>阅读 1234 · 赞 12 · 在看 3</div></div></div></div></div>"
        "<div id='js_pc_qr_code'>微信扫一扫 关注该公众号</div><div class='weui-dialog'>知道了 取消 允许</div><script>var a = 1</script><script>var b = 1</script>",
    )


@pytest.mark.parametrize(
    "page",
    [
        csdn(code=False),
        csdn(links="", code=False),
        zhihu_column(),
        zhihu_answer(),
        jianshu(),
        wechat(),
    ],
    ids=["csdn", "csdn-relative", "zhihu-column", "zhihu-answer", "jianshu", "wechat"],
)
def test_that_the_article_of_a_saved_page_is_read_alone(tmp_path, page):
    path = tmp_path / "saved.html"
    path.write_text(page, encoding="utf-8")
    document = load_document(path)
    assert lines(document) == [TITLE, *TEXT]
    assert document.title == TITLE
    assert [drop.reason.value for drop in document.receipt.dropped] == ["navigation"]


@pytest.mark.parametrize(
    "numbers",
    [
        f"<ul class='pre-numbering'>{NUMBERS}</ul>",
        "<span class='line-numbers-rows'><span>1</span><span>2</span></span>",
        "<div class='gutter'>1\n2</div>",
    ],
)
def test_that_the_line_numbers_of_code_are_not_text(tmp_path, numbers):
    path = tmp_path / "code.html"
    path.write_text(
        f"<html><body><p>A.</p><pre class='line-numbers'><code>{CODE}</code>{numbers}</pre>", "utf-8"
    )
    assert lines(load_document(path)) == ["A.", *(line.strip() for line in CODE.split("\n"))]


def test_that_the_code_of_an_article_is_read_without_its_line_numbers(tmp_path):
    path = tmp_path / "saved.html"
    path.write_text(csdn(), encoding="utf-8")
    assert lines(load_document(path)) == [TITLE, *(line.strip() for line in CODE.split("\n")), *TEXT]


def test_that_the_article_of_the_given_page_is_read_alone():
    if not (path := SHARED / "cases" / "h02b_csdn_saved.html").exists():
        pytest.skip("no shared files beside this checkout")
    found = lines(load_document(path))
    assert found[:3] == ["统计渡口的船", "代码", "def count(boats):"]
    assert len(found) == 3 + 4 + 16
