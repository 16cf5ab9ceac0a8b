r"""Which picture a name means, however a tool spells it: for annotations and manifests alike.

Tools write `./a.jpg`, `C:\data\a.jpg`, `images/a.jpg` without such a folder, `a%20b.jpg`,
an address, another letter case, an umlaut as a letter and its dots; Label Studio puts eight hex
digits before a name that was uploaded, and underscores for its blanks. A name is compared with
those of pictures that are there and opens nothing.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote

_UPLOADED: Final = re.compile(r"[0-9a-f]{8}-(?=.)")
# the query of an address in which a local file stands
_LOCAL_FILE: Final = re.compile(r"[?&]d=([^&]+)")

How = Literal["place", "name", "spelling"]


@dataclass(frozen=True)
class Match:
    """The picture that a name means: its path, of several none, and how many there are.

    `how`: by its place in the folder; by a part of its place, at least the name of the file; or by
    another spelling of it.
    """

    path: str | None
    n_pictures: int
    how: How | None = None


@dataclass(frozen=True)
class _Picture:
    path: str
    content: str
    parts: tuple[str, ...]


_NONE: Final = Match(None, 0)


class PictureNames:
    """The pictures of some folders by what a file may call them.

    `places` are their paths, each with its place in the folder that was searched; `contents` say
    which paths hold one and the same picture, where that is known; `beside` is the folder of the
    file that names them.
    """

    def __init__(
        self, places: Mapping[str, str], contents: Mapping[str, str], beside: str | None = None
    ) -> None:
        self._beside = None if beside is None else _composed(beside)
        self._by_place: dict[str, list[_Picture]] = defaultdict(list)
        self._by_name: dict[str, list[_Picture]] = defaultdict(list)
        # as Label Studio calls what was uploaded
        self._by_upload: dict[str, list[_Picture]] = defaultdict(list)
        self._places = places
        for path, place in sorted(places.items()):
            parts = _parts(_composed(place))
            picture = _Picture(path, contents.get(path, path), parts)
            for called in {_composed(place), _composed(path)}:
                self._by_place[called].append(picture)
            if parts:
                self._by_name[_folded(parts[-1])].append(picture)
                self._by_upload[_folded(parts[-1]).replace(" ", "_")].append(picture)

    def first(self, n_pictures: int) -> tuple[str, ...]:
        """The places of some pictures, to show how they are called here."""
        return tuple(sorted(self._places.values())[:n_pictures])

    def find(self, name: str) -> Match:
        """The picture that a name means: by its place, else by most of its last folders.

        Of pictures that fit equally well, one of another content makes it several.
        """
        name = _composed(name)
        # a name may begin or end with a blank
        if found := self._at(name):
            return _match(found, "place")
        name = name.strip()
        if ".." not in re.split(r"[/\\]", name) and (found := self._at("/".join(_parts(name)))):
            return _match(found, "place")
        ranked: dict[tuple[int, bool, int], list[_Picture]] = defaultdict(list)
        for number, (parts, is_upload) in enumerate(_spellings(name)):
            named = self._by_upload if is_upload else self._by_name
            for picture in named.get(_folded(parts[-1]), ()):
                n_alike, is_exact = _n_alike(parts, picture.parts)
                ranked[n_alike, is_exact, -number].append(picture)
        if not ranked:
            return _NONE
        best = max(ranked)
        _, is_exact, number = best
        return _match(ranked[best], "name" if is_exact and number == 0 else "spelling")

    def _at(self, place: str) -> list[_Picture]:
        """The pictures at a place in the folders, or beside the file that names them."""
        beside = self._by_place.get(f"{self._beside}/{place}", []) if self._beside else []
        return [*self._by_place.get(place, []), *beside]


def _match(found: list[_Picture], how: How) -> Match:
    n_pictures = len({picture.content for picture in found})
    return Match(found[0].path if n_pictures == 1 else None, n_pictures, how)


def _spellings(name: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """A name cut into folders and a file, as it is and as what tools make of one.

    With whether it is without the digits of an upload.
    """
    names = [name, unquote(name)]
    if local := _LOCAL_FILE.search(name):
        names.append(unquote(local[1]))
    elif "://" in name:
        names.append(unquote(re.split(r"[?#]", name)[0]))
    seen = set()
    for each in names:
        parts = _parts(_composed(each))
        if not parts:
            continue
        uploaded = _UPLOADED.sub("", parts[-1], count=1)
        for last in (parts[-1], uploaded):
            spelled = (*parts[:-1], last)
            if spelled not in seen:
                seen.add(spelled)
                yield spelled, last != parts[-1]


def _parts(name: str) -> tuple[str, ...]:
    """The folders and the file of a path, without those that say "here" or "above"."""
    parts = re.split(r"[/\\]", name)
    return tuple(part for part in parts if part not in ("", ".", ".."))


def _n_alike(first: Iterable[str], second: Iterable[str]) -> tuple[int, bool]:
    """How many parts are alike from the end on, and whether in their letters' case, too."""
    n_alike, is_exact = 0, True
    for one, other in zip(reversed([*first]), reversed([*second]), strict=False):
        if _folded(one) != _folded(other):
            break
        n_alike += 1
        is_exact = is_exact and one == other
    return n_alike, is_exact


def _composed(name: str) -> str:
    """A name as most systems spell it; others spell an umlaut as a letter and its dots."""
    return unicodedata.normalize("NFC", name)


def _folded(name: str) -> str:
    return name.casefold()
