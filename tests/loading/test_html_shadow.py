"""Declared shadow trees of web pages: what a browser displays is read."""

import pytest

from simcompare.loading import load_document
from tests.loading.readings import dropped, lines

RIVER = "The river sings all the year round, the ferrymen say."
BRIDGE = "Old people sit on the bridge in the sun."


def _load(folder, body, name="page.html"):
    path = folder / name
    path.write_text(f"<!DOCTYPE html><html><head><title>x</title></head><body>{body}</body></html>", "utf-8")
    return load_document(path)


def _host(content, light="", mode="shadowrootmode=open"):
    return f"<x-a><template {mode}>{content}</template>{light}</x-a>"


IN_SHADOW = _host(f"<p>{RIVER}</p>")
HIDING = _host(f"<style>p {{display:none}}</style><p>{RIVER}</p>")


@pytest.mark.parametrize(
    "mode",
    ["shadowrootmode=open", "shadowrootmode=CLOSED", "shadowroot=open", "shadowmode='open' x"],
)  # fmt: skip
def test_that_the_text_of_a_shadow_tree_is_read(tmp_path, mode):
    assert lines(_load(tmp_path, _host(f"<p>{RIVER}</p>", mode=mode) + f"<p>{BRIDGE}</p>")) == [RIVER, BRIDGE]


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        (f"<p>{BRIDGE}</p><template><p>{RIVER}</p></template>", [BRIDGE]),
        (f"{_host(RIVER, mode='id=t shadowrootmode=none')}{BRIDGE}", [BRIDGE]),
        (_host(IN_SHADOW + f"<p>{BRIDGE}</p>"), [RIVER, BRIDGE]),
        (
            _host(
                "<h2><slot name=head>None</slot></h2><slot></slot><p>End.</p>",
                f"<p>{RIVER}</p><b slot=head>Head</b><p>{BRIDGE}</p>",
            ),
            ["Head", RIVER, BRIDGE, "End."],
        ),
        (_host("<p>Before</p><slot><p>Nothing here.</p></slot>"), ["Before", "Nothing here."]),
        (f"<p>See {_host('<i>the </i><slot></slot>', 'river')}, too.</p>", ["See the river, too."]),
        (_host(_host("<p>In <slot></slot></p>", "<slot></slot>"), "middle"), ["In middle"]),
        (HIDING + f"<p>{BRIDGE}</p>", [RIVER, BRIDGE]),
        (_host("one", "<template shadowroot=open>two</template>"), ["one"]),
    ],
)  # fmt: skip
def test_that_slots_and_nested_trees_are_read_as_displayed(tmp_path, body, seen):
    assert lines(_load(tmp_path, body)) == seen


def test_that_content_without_a_slot_is_left_out_and_counted(tmp_path):
    document = _load(tmp_path, _host(f"<p>{RIVER}</p>", f"<p>{BRIDGE}</p>"))
    assert (lines(document), dropped(document)) == ([RIVER], {"hidden_text": BRIDGE})


def test_that_the_article_of_a_site_is_found_in_a_shadow_tree(tmp_path):
    links = "".join(f"<li><a href='https://example.org/{n}'>Link {n}</a></li>" for n in range(30))
    article = "".join(f"<p>{RIVER} It is told in village {n}, and in the next one.</p>" for n in range(9))
    document = _load(
        tmp_path,
        f"<nav><ul>{links}</ul></nav><main><h1>Rivers</h1>{_host(article)}</main><footer>{links}</footer>",
    )
    assert document.text.count(RIVER) == 9
    assert "Link 3" not in document.text


def test_that_thousands_of_nested_shadow_trees_are_read_in_time(tmp_path):
    opening = "<x-a><template shadowrootmode=open><slot></slot>"
    assert _load(tmp_path, f"{opening * 100}{RIVER}{'</template></x-a>' * 100}").text == RIVER
    assert _load(tmp_path, RIVER + _host("<slot></slot>", "a") * 20_000).text[-3:] == "aaa"
