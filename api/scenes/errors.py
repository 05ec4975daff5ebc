"""What can be wrong with a scene file before anything is played."""

from __future__ import annotations


class SceneError(Exception):
    """A scene file that cannot be played as it stands; `line` is where to look, when that is known."""

    def __init__(self, message: str, *, path: str, line: int | None = None) -> None:
        place = path if line is None else f"{path}:{line}"
        super().__init__(f"{place}: {message}")
        self.message = message
        self.path = path
        self.line = line
