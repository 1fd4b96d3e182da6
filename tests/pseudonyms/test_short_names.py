"""What students are called beside their names: short names, initials, nicknames and misspellings."""

from pathlib import Path

import pytest

from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from tests.pseudonyms.students import replaced

CALLED = {
    "张伟": "小张来了|老张说|和小张一起|伟同学很高兴|伟说过这句话|阿伟来了|W. Zhang|Z.Wei|Zhang, W.|Z. Wei"
    "|张·伟|张-伟|张*伟|Zhang Wei's|zhang_wei|wzhang",
    "李小红": "X. Li|L.Xiaohong|Li X.H.|Xiaohong's|XIAOHONG|Xiao-hong|红说：“好。”|李·小红",
    "欧阳娜娜": "小欧阳来了|N. Ouyang|O.Nana|O. Nana|娜娜同学|欧阳·娜娜",
    "赵朝阳": "Zhao, Z. met|Z. Zhaoyang|Zhao, C. met",
    "马力": "MaLi came|LiMa",
    "杨帆": "yang_fan|F. Yang|帆同学",
    "陈浩然": "浩然同学|浩然说他来|H. R. Chen|Haoran's",
    "阿卜杜拉·买买提": "阿卜杜拉∙买买提|阿卜杜拉●买买提|买买提来了|阿卜杜拉说",
    "John Smith": "Johnny|Jonh|Jhon Smith|John Smtih|john_smith04|Johnny's",
    "Grace Taylor": "we asked Grace about|Grace said|(Grace)|Grace同学|Grace's",
    "Sophie van Dijk": "SophievanDijk|S. van Dijk|VanDijk",
    "Mary O'Connor": "M. O’Connor|OConnor|O'Connor, Mary",
}
PARTS = (
    "张",
    "伟",
    "李小",
    "红",
    "欧",
    "娜",
    "帆",
    "浩",
    "阿卜",
    "买",
    "J",
    "G",
    "S",
    "O",
    "W",
    "Z",
    "X",
    "N",
    "F",
    "H",
)


@pytest.mark.parametrize("name", CALLED)
def test_that_nothing_is_left_of_what_a_student_is_called(name):
    for text in CALLED[name].split("|"):
        found = replaced(name, f"{text}，他们走了。")
        assert "Student 01" in found, text
        assert not any(part in found.replace("Student 01", "") for part in PARTS), text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("张伟", "从小张开嘴；最小张力；陈梓伟说；高大的伟人说"),
        ("王刚", "我刚说完，刚同学走了；为赋新词强说愁"),
        ("李新", "新同学来了；老李子树"),
        ("马丽", "小马过河；老马识途"),
        ("于雨", "小于三；等于说；雨说下就下"),
        ("Grace Hope", "Grace under fire; I hope so; Hope is green; say grace"),
        ("John Smith", "John's Johnsons and a Smithy: to join"),
        ("Brian Miller", "The brain of a miller; Brain and Mills"),
        ("何超", "Plan C. He said so. He can go."),
    ],
)
def test_that_ordinary_words_stay(name, text):
    assert replaced(name, text).replace("Student 01's", "John's") == text


SHORT = ("Song, Han", "Chen, Lin", "Wu, Yan", "Hu, Hong", "Smith, Jo", "Anna Ng", "Wen, Tao", "李伟")


@pytest.mark.parametrize("given", ["Han", "Lin", "Yan", "Hong", "Jo", "Ng", "Tao", "Wei"])
def test_that_a_short_given_name_is_replaced_in_a_sentence_and_listed_at_its_beginning(given):
    names = make_pseudonyms([RecognisedStudent(Path(f"{name}.txt"), name) for name in SHORT])
    text = f"Then {given} laughed. I saw {given}'s dog. We went with {given} to the lake. {given} said no."
    for file in (None, Path("Wu, Yan.txt")):
        assert given not in names.replaced(text, file)
        assert names.replaced("Hong Kong is in China, and the Han era ended.", file).startswith("Hong Kong")
    begun = f"{given} came late."
    listed = [possible.text for possible in names.possible_names({Path("a.txt"): begun})]
    assert listed == [given] or given not in names.replaced(begun)


def test_that_a_short_name_of_two_students_has_no_pseudonym():
    names = make_pseudonyms([], [Student(("Chen, Lin",)), Student(("Lin, Hua",))])
    assert names.replaced("Then Lin laughed.") == "Then a student laughed."


def test_that_names_of_several_students_have_no_pseudonym_and_misspelt_names_of_others_are_theirs():
    names = make_pseudonyms([], [Student((name,)) for name in ("张伟", "张文静", "Clara Ode", "Carla Fink")])
    assert names.replaced("W. Zhang") == "a student"
    labels = {owner.display_name: names.label(owner) for owner in names.owners}
    assert names.replaced("Carla and Clara") == f"{labels['Carla Fink']} and {labels['Clara Ode']}"


@pytest.mark.parametrize(
    "text",
    ["２０２３０９０１０２", "2 0 2 3 0 9 0 1 0 2", "2023-0901-02", "2023090\n102", "二〇二三〇九〇一〇二"],
)
def test_that_a_student_number_is_found_in_other_digits_and_over_lines(text):
    names = make_pseudonyms([], [Student(("张伟",), ("2023090102",))], "00" * 16)
    assert not any(c.isnumeric() for c in names.replaced(f"学号{text}。").replace("Student 01", ""))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Alex Petrov came.", "Student 03 came."),
        ("We met Sasha van Dijk.", "We met Student 01."),
        ("Yesterday Petrov came.", "Yesterday Student 03 came."),
        ("When Petrov came, Mr Petrov left.", "When Student 03 came, Mr Student 03 left."),
        ("Emma Petrov came.", "Student 02 Student 03 came."),
    ],
)
def test_that_a_given_name_before_a_replaced_surname_is_a_part_of_the_name(text, found):
    students = (Student(("Alexander Petrov",)), Student(("Emma Brooks",)), Student(("Tim van Dijk",)))
    assert make_pseudonyms([], students, "5e" * 16).replaced(text) == found


@pytest.mark.parametrize(
    ("name", "text", "listed"),
    [
        ("陈静怡", "环境安静怡人", "静怡"),
        ("王芳", "王芳芳是我表姐", "王芳"),
        ("张伟", "张伟大的母亲", "张伟"),
        ("Lan Nguyen", "我们有LAN party", "LAN"),
        ("Lan", "We had a LAN.", "LAN"),
        ("Will Young", "Young's modulus is large", "Young"),
        ("Mark Hope", "Mark my words", "Mark"),
        ("Alexander Petrov", "Alexander the Great won", "Alexander"),
        ("Alexander Petrov", "Alexander II was king", "Alexander"),
    ],
)
def test_that_a_longer_word_or_the_name_of_another_is_listed_and_not_cut(name, text, listed):
    names = make_pseudonyms([], (Student((name,)),), "5e" * 16)
    assert names.replaced(text) == text
    assert [possible.text for possible in names.possible_names({Path("a.txt"): text})] == [listed]


def test_that_a_name_before_a_verb_is_replaced_though_both_make_a_rare_word():
    assert replaced("李明", "那天李明说，李明人很好。") == "那天Student 01说，Student 01人很好。"
