"""Sessions of earlier versions are opened: what they lack has its default."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

from simcompare.model.settings import ComparisonSettings, LeftOutSentence
from simcompare.session.session_data import Session
from simcompare.session.session_file import read_session, write_session


def test_that_a_session_of_version_1_is_opened(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "class.simcompare"
    write_session(session, path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    main = json.loads(members["session.json"])
    main["format_version"] = 1
    for review in main["reviews"]:
        del review["passages"]
    members["session.json"] = json.dumps(main).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    reviews = {pair: replace(review, passages={}) for pair, review in session.reviews.items()}
    assert read_session(path).reviews == reviews


def test_that_an_older_session_excludes_name_lines_and_leaves_no_sentence_out(tmp_path: Path) -> None:
    path = tmp_path / "class.simcompare"
    chosen = ComparisonSettings(exclude_name_lines=False, left_out=(LeftOutSentence("0" * 16, "好。"),))
    write_session(Session(settings=chosen), path)
    assert read_session(path).settings == chosen
    with zipfile.ZipFile(path) as archive:
        main = json.loads(archive.read("session.json"))
    del main["settings"]["exclude_name_lines"], main["settings"]["left_out"]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("session.json", json.dumps(main))
    assert read_session(path).settings == ComparisonSettings()
