from treewright.progress import SILENT
from treewright.randomness import generator


def test_the_same_seed_gives_the_same_stream() -> None:
    assert generator(7).integers(1000, size=5).tolist() == [944, 625, 684, 897, 578]
    assert generator(7).random(9).tolist() != generator(8).random(9).tolist()


def test_silent_progress_passes_everything_through() -> None:
    SILENT.say("nothing")
    assert list(SILENT.track(iter("abc"), "letters")) == ["a", "b", "c"]
