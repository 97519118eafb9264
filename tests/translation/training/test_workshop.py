"""Parts that are finished are not made again, unless what they are made from has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.errors import DataError
from treewright.translation import Workshop
from treewright.translation.training.workshop import fingerprint


class Maker:
    def __init__(self, *, stops: bool = False) -> None:
        self.calls = 0
        self.stops = stops

    def __call__(self, path: Path) -> None:
        self.calls += 1
        path.write_text("half" if self.stops else "whole")
        if self.stops:
            raise KeyboardInterrupt


def test_a_part_is_made_once(tmp_path: Path) -> None:
    said: list[str] = []
    make = Maker()
    for _ in range(2):
        shop = Workshop(tmp_path / "work", said.append)
        path = shop.part("links", {"seed": 1, "sizes": (1, 2)}, make)
        assert path.read_text() == "whole"
    assert make.calls == 1
    assert said == [f"{path}: finished earlier, used again"]


@pytest.mark.parametrize("damage", ["origin", "record", "part"])
def test_a_part_is_made_again_if_anything_about_it_changed(tmp_path: Path, damage: str) -> None:
    make = Maker()
    shop = Workshop(tmp_path, lambda _: None)
    shop.part("links", {"seed": 1}, make)
    if damage == "record":
        (tmp_path / "links.json").write_text("{")
    if damage == "part":
        (tmp_path / "links").unlink()
    shop.part("links", {"seed": 2 if damage == "origin" else 1}, make)
    assert make.calls == 2


def test_a_part_that_was_interrupted_is_made_again(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, lambda _: None)
    shop.part("links", {"seed": 1}, Maker())
    with pytest.raises(KeyboardInterrupt):
        shop.part("links", {"seed": 2}, Maker(stops=True))
    for seed in (1, 2):
        make = Maker()
        assert shop.part("links", {"seed": seed}, make).read_text() == "whole"
        assert make.calls == 1


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot make this folder"):
        Workshop(tmp_path / "file", lambda _: None).part("links", {}, Maker())


def test_fingerprints_tell_texts_apart(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("a\n")
    other.write_text("b\n")
    assert fingerprint(one, other) != fingerprint(other, one)
    assert fingerprint(one) == fingerprint(one)
    with pytest.raises(DataError, match="cannot read it"):
        fingerprint(tmp_path / "none")
