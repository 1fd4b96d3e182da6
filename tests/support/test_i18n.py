"""Languages: switched at run time; unknown ones are refused."""

from threading import Thread

import pytest

from simcompare.support.i18n import (
    LANGUAGES,
    N_,
    _,
    current_language,
    ngettext,
    set_language,
    system_language,
    using_language,
)


@pytest.mark.parametrize("language", ["de", "", "zh_CN", "EN", "../en"])
def test_that_an_unknown_language_is_refused(language):
    set_language("en")
    with pytest.raises(ValueError, match="no such language"):
        set_language(language)
    assert current_language() == "en"


def test_that_using_language_affects_one_thread_only():
    heard = []
    with using_language("zh"):
        assert (_("Cancel"), current_language()) == ("取消", "zh")
        listener = Thread(target=lambda: heard.append(_("Cancel")))
        listener.start()
        listener.join()
    assert heard == [_("Cancel")] == ["Cancel"]
    assert current_language() == "en"


def test_that_english_needs_no_catalogue():
    set_language("en")
    assert _("Some text that nobody translated.") == "Some text that nobody translated."
    assert ngettext("{count} page of {name}", "{count} pages of {name}", 1, name="{a}") == "1 page of {a}"
    assert ngettext("{count} page", "{count} pages", 2000) == "2,000 pages"


def test_that_an_empty_text_stays_empty():
    """gettext itself would return the catalogue header."""
    assert _("") == ""


def test_that_a_marked_text_is_unchanged_until_displayed():
    assert N_("Some text") == "Some text"


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LANG": "zh-Hans"}, "zh"),
        ({"LANG": "Chinese (Simplified)_China.936"}, "zh"),
        ({"LANG": "zhx_XX"}, "en"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
    ],
)
def test_that_the_language_of_the_system_is_found(monkeypatch, variables, language):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert system_language() == language
    assert language in LANGUAGES


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("张三", "张三的重复率"),
        ("Anna", "Anna 的重复率"),
        ("12 号（张三）", "12 号（张三）的重复率"),
        ("", " 的重复率"),
    ],
)
def test_that_no_blank_parts_a_chinese_name_from_chinese(name, text):
    with using_language("zh"):
        assert _("Share of {name}").format(name=name) == text
    assert _("{name} – anonymous").format(name="甲班") == "甲班 – anonymous"
