"""Every scene file of the fixtures comes out as it says, here and at a server."""

from pathlib import Path

import pytest

from api.scenes.reading import read_scene

FIXTURES = Path(__file__).parents[2] / "fixtures"
SCENES = sorted(FIXTURES.rglob("*.toml"))


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_scene_comes_out_as_it_says(path, reported):
    assert reported(read_scene(path)) == ""
