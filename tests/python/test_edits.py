"""Edits, and what proves that they changed no more than they may."""

import hashlib
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from gainsay.python_udfs.annotate.annotators import find_outline, find_shadow_region, measure_crop
from gainsay.python_udfs.pixels import edits, masks
from gainsay.python_udfs.pixels.corruptions import Pixels
from gainsay.python_udfs.pixels.edits import apply_edit
from tests.python.test_hostile_pictures import FUNCTIONS, called
from tests.python.test_rendering import recipe, render

HORIZONTAL = '{"axis": "horizontal"}'


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture of 4 x 3 pixels, no two of them alike."""
    pixels = np.arange(36, dtype=np.uint8).reshape(3, 4, 3) * 5
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), pixels)
    return path


@pytest.mark.parametrize(
    ("axis", "expected"),
    [("horizontal", [[3, 2, 1, 0], [7, 6, 5, 4]]), ("vertical", [[4, 5, 6, 7], [0, 1, 2, 3]])],
)
def test_a_flip_mirrors_along_its_axis(axis: str, expected: list[list[int]]) -> None:
    pixels = np.repeat(np.arange(8, dtype=np.uint8).reshape(2, 4, 1), 3, axis=2)
    flipped = apply_edit("flip", pixels, f'{{"axis": "{axis}"}}', None)
    assert flipped[:, :, 0].tolist() == expected


@pytest.mark.parametrize("parameters", [None, "{}", "[]", "{", '{"axis": "both"}'])
def test_a_flip_names_its_axis(parameters: str | None) -> None:
    with pytest.raises(ValueError, match="flip: "):
        apply_edit("flip", np.zeros((2, 2, 3), np.uint8), parameters, None)


def _checked(picture: Path, folder: Path, file: str, parameters: str | None) -> dict[str, Any]:
    sha256 = hashlib.sha256(picture.read_bytes()).hexdigest()
    edited = folder / file
    edited_sha256 = hashlib.sha256(edited.read_bytes()).hexdigest() if edited.exists() else "0" * 64
    row = ["key", str(picture), None, sha256, file, edited_sha256, "flip", parameters, None]
    found: dict[str, Any] = called(FUNCTIONS["gs_check_edit"], [*row, str(folder), 10**6])[0]
    return found


def test_a_flip_is_written_without_loss_and_read_back(picture: Path, tmp_path: Path) -> None:
    [row] = render(recipe(picture, tmp_path / "out", family="flip", parameters=HORIZONTAL))
    assert row["rendered_file"].endswith(".png")
    assert _checked(picture, tmp_path / "out", row["rendered_file"], HORIZONTAL) == {
        "n_changed_elsewhere": 0, "n_changed_inside": 12, "error": None,
    }  # fmt: skip


def test_one_pixel_that_is_off_is_found(picture: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    pixels = cv2.flip(cv2.imread(str(picture)), 1)
    pixels[1, 2, 0] ^= 1
    cv2.imwrite(str(tmp_path / "out" / "b.png"), pixels)
    found = _checked(picture, tmp_path / "out", "b.png", HORIZONTAL)
    assert found["n_changed_elsewhere"] == 1


def test_what_cannot_be_compared_says_why(picture: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert "FileNotFoundError" in _checked(picture, out, "gone.png", HORIZONTAL)["error"]
    cv2.imwrite(str(out / "small.png"), np.zeros((2, 2, 3), np.uint8))
    found = _checked(picture, out, "small.png", HORIZONTAL)
    assert "sizes differ: (4, 3) and (2, 2)" in found["error"]


def test_a_picture_is_compared_once(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [row] = render(recipe(picture, tmp_path / "out", family="flip", parameters=HORIZONTAL))
    first = _checked(picture, tmp_path / "out", row["rendered_file"], HORIZONTAL)
    monkeypatch.setattr(edits, "_check_row", lambda row: pytest.fail(f"compared again: {row}"))
    assert _checked(picture, tmp_path / "out", row["rendered_file"], HORIZONTAL) == first


def _disc(side: int, center: tuple[int, int], radius: int) -> masks.Mask:
    return cv2.circle(np.zeros((side, side), np.uint8), center, radius, 1, cv2.FILLED)


def _verdict(family: str, pixels: Pixels, edited: Pixels, *recipe: str | None) -> tuple[int, int]:
    check = edits._EDITS[family].check
    parameters, rle = recipe
    found = check(pixels, edited, json.loads(parameters or "{}"), rle)
    return found.n_changed_elsewhere, found.n_changed_inside


def test_a_silhouette_is_black_on_white() -> None:
    pixels = np.full((9, 9, 3), 90, np.uint8)
    disc = _disc(9, (4, 4), 2)
    rle = masks.encode(disc)
    edited = apply_edit("silhouette", pixels, None, rle)
    assert (edited[disc > 0] == 0).all()
    assert (edited[disc == 0] == 255).all()
    assert _verdict("silhouette", pixels, edited, None, rle) == (0, 81)
    edited[0, 0] = 254
    assert _verdict("silhouette", pixels, edited, None, rle) == (1, 81)


def test_a_region_is_shown_by_its_outer_edge() -> None:
    pixels = np.full((60, 60, 3), 90, np.uint8)
    mask = np.zeros((60, 60), np.uint8)
    mask[15:45, 15:45] = 1
    mask[30, 30] = 0
    edited = apply_edit("region", pixels, None, masks.encode(mask))
    # white on the edge with black beside it; what lies within is left as it is, a hole as well
    assert (edited[30, 15] == 255).all()
    assert (edited[30, 12] == 0).all()
    assert (edited[22:39, 22:39] == 90).all()
    assert (edited[:10] == 90).all()


def test_a_zoom_is_a_crop_in_the_size_of_the_whole() -> None:
    rows, columns = np.mgrid[:10, :20]
    pixels = np.repeat((rows * 10 + columns * 3)[..., None], 3, 2).astype(np.uint8)
    crop = '{"left": 4, "top": 2, "width": 10, "height": 5}'
    edited = apply_edit("zoom", pixels, crop, None)
    assert edited.shape == pixels.shape
    assert np.abs(edited[4:6, 8:10].mean() - pixels[4:5, 8:9].mean()) < 5
    assert _verdict("zoom", pixels, edited, crop, None)[0] == 0


@pytest.mark.parametrize(
    "crop",
    [
        "{}",
        '{"left": 1.5, "top": 0, "width": 2, "height": 2}',
        '{"left": 0, "top": 0, "width": 0, "height": 2}',
        '{"left": -1, "top": 0, "width": 2, "height": 2}',
        '{"left": 2, "top": 0, "width": 4, "height": 2}',
    ],
)
def test_a_zoom_stays_in_its_picture(crop: str) -> None:
    with pytest.raises(ValueError, match="zoom: "):
        apply_edit("zoom", np.zeros((5, 5, 3), np.uint8), crop, None)


def _street() -> tuple[Pixels, masks.Mask]:
    """A bright ground of gentle texture, a post, and the shadow that it throws upwards."""
    noise = np.random.default_rng(5).integers(-6, 7, (200, 200, 1))
    pixels = np.clip(180 + noise + np.zeros((200, 200, 3)), 0, 255).astype(np.uint8)
    shadow = np.zeros((200, 200), np.uint8)
    cv2.line(shadow, (100, 100), (100, 50), 1, 9)
    pixels[shadow > 0] = pixels[shadow > 0] // 4
    return pixels, shadow


TURN: dict[str, float] = {
    "pivot_x": 100, "pivot_y": 100, "degrees": 60, "margin": 3, "ring": 15,
    "least_gain": 0.15, "most_gain": 0.9,
}  # fmt: skip


@pytest.mark.parametrize(("degrees", "tip"), [(180, (100, 145)), (60, (139, 78)), (-30, (78, 61))])
def test_a_shadow_leaves_one_place_and_takes_another(degrees: int, tip: tuple[int, int]) -> None:
    pixels, shadow = _street()
    parameters = json.dumps(TURN | {"degrees": degrees})
    rle = masks.encode(shadow)
    edited = apply_edit("shadow_turn", pixels, parameters, rle)
    # what lay in the shadow is as light as the ground, and the new place as dark as the old one
    assert edited[60, 100].mean() > 165
    assert edited[tip[1], tip[0]].mean() < 60
    elsewhere, inside = _verdict("shadow_turn", pixels, edited, parameters, rle)
    assert elsewhere == 0
    assert inside > 400
    edited[0, 0] ^= 1
    assert _verdict("shadow_turn", pixels, edited, parameters, rle)[0] == 1


def test_a_shadow_does_not_fall_on_objects() -> None:
    pixels, shadow = _street()
    wall = np.zeros((200, 200), np.uint8)
    wall[:, 120:] = 1
    parameters = json.dumps(TURN | {"objects": masks.encode(wall)})
    edited = apply_edit("shadow_turn", pixels, parameters, masks.encode(shadow))
    assert (edited[:, 120:] == pixels[:, 120:]).all()
    assert edited[89, 119].mean() < 60


def test_a_shadow_is_not_darkened_twice_and_must_be_seen() -> None:
    pixels, shadow = _street()
    other = np.zeros((200, 200), np.uint8)
    cv2.line(other, (100, 100), (100, 150), 1, 15)
    pixels[other > 0] = 45
    parameters = TURN | {"degrees": 180}
    edited = apply_edit("shadow_turn", pixels, json.dumps(parameters), masks.encode(shadow))
    assert (edited[110:145, 97:104] == 45).all()
    hidden = json.dumps(parameters | {"least_moved": 0.3})
    with pytest.raises(ValueError, match=r"fall where there was light, less than 0\.3"):
        apply_edit("shadow_turn", pixels, hidden, masks.encode(shadow))


def test_what_throws_a_shadow_does_not_run_into_the_ground() -> None:
    pixels, shadow = _street()
    # a red wall along the shadow's left side
    pixels[40:105, 60:92] = (40, 40, 200)
    edited = apply_edit("shadow_turn", pixels, json.dumps(TURN), masks.encode(shadow))
    ground = edited[55:75, 96:104].astype(int)
    assert np.abs(ground[..., 2] - ground[..., 0]).max() < 20


@pytest.mark.parametrize("missing", ["pivot_x", "degrees", "least_gain"])
def test_a_turn_names_what_it_lacks(missing: str) -> None:
    pixels, shadow = _street()
    parameters = json.dumps({name: value for name, value in TURN.items() if name != missing})
    with pytest.raises(ValueError, match=missing):
        apply_edit("shadow_turn", pixels, parameters, masks.encode(shadow))


def test_how_much_of_a_turned_shadow_is_left() -> None:
    column = np.zeros((9, 9), np.uint8)
    column[1:8, 4] = 1
    half = np.zeros((9, 9), np.uint8)
    half[5:] = 1
    rle = masks.encode(column)
    rows = [
        [rle, 9, 9, 4.0, 4.0, 180.0, None],
        [rle, 9, 9, 4.0, 7.0, 180.0, None],
        [rle, 9, 9, 4.0, 4.0, 180.0, masks.encode(half)],
        [rle, 9, 9, None, 4.0, 180.0, None],
        ["oo", 9, 9, 4.0, 4.0, 180.0, None],
    ]
    found = called(FUNCTIONS["gs_turned_shadow_shares"], *rows)
    shares = [row["visible_share"] for row in found]
    assert shares == [1.0, pytest.approx(2 / 7), pytest.approx(4 / 7), None, None]


@pytest.mark.parametrize(
    ("pivot", "degrees", "least", "most"),
    [
        # half a circle about its own centre maps a shadow onto itself: nothing moves
        ((100.0, 100.0), 180.0, 0.0, 0.03),
        ((100.0, 160.0), 180.0, 0.9, 1.02),
        ((100.0, 160.0), 60.0, 0.8, 1.02),
        ((100.0, 160.0), 30.0, 0.5, 1.02),
    ],
)
def test_how_much_of_a_turned_shadow_is_new(
    pivot: tuple[float, float], degrees: float, least: float, most: float
) -> None:
    ellipse = np.zeros((300, 240), np.uint8)
    cv2.ellipse(ellipse, (100, 100), (60, 12), 90.0, 0.0, 360.0, 1, cv2.FILLED)
    row = [masks.encode(ellipse), 300, 240, *pivot, degrees, None]
    [found] = called(FUNCTIONS["gs_turned_shadow_shares"], row)
    assert least <= found["moved_share"] <= most
    assert found["visible_share"] > 0.95


CHAIN = json.dumps(
    {"steps": [
        {"family": "shadow_turn", "parameters": TURN},
        {"family": "flip", "parameters": {"axis": "horizontal"}},
    ]}
)  # fmt: skip


def test_each_edit_of_a_chain_is_proved_alone() -> None:
    pixels, shadow = _street()
    rle = masks.encode(shadow)
    edited = apply_edit("chain", pixels, CHAIN, rle)
    assert (edited == cv2.flip(apply_edit("shadow_turn", pixels, json.dumps(TURN), rle), 1)).all()
    elsewhere, inside = _verdict("chain", pixels, edited, CHAIN, rle)
    assert elsewhere == 0
    assert inside > 400
    edited[3, 3] ^= 1
    assert _verdict("chain", pixels, edited, CHAIN, rle)[0] == 1


def test_a_chain_shows_the_step_that_changes_nothing() -> None:
    pixels = np.full((200, 200, 3), 128, np.uint8)
    steps = {"family": "flip", "parameters": {"axis": "vertical"}}
    chain = json.dumps({"steps": [steps, {"family": "silhouette"}]})
    rle = masks.encode(_disc(200, (50, 50), 9))
    assert _verdict("chain", pixels, apply_edit("chain", pixels, chain, rle), chain, rle) == (0, 0)


@pytest.mark.parametrize("steps", [None, [], [1, 2], [{"family": "chain"}, {"family": "flip"}]])
def test_a_chain_is_a_list_of_edits(steps: object) -> None:
    with pytest.raises(ValueError, match="chain: "):
        apply_edit("chain", np.zeros((2, 2, 3), np.uint8), json.dumps({"steps": steps}), None)


def test_the_region_of_a_shadow_and_its_ends() -> None:
    pixels, shadow = _street()
    found = find_shadow_region(pixels)
    region = masks.decode(found["rle"], 200, 200)
    assert np.count_nonzero(region != shadow) < 20
    assert found["area"] == np.count_nonzero(region)
    assert min(found["angle"], 180 - found["angle"]) < 2
    # the upper end first
    assert found["ends"][1] < 60
    assert found["ends"][3] > 90
    assert found["center"] == pytest.approx([100, 75], abs=3)
    assert found["others"] == []
    assert find_shadow_region(np.full((20, 20, 3), 200, np.uint8))["rle"] is None


def test_the_other_shadows_stand_by_size() -> None:
    pixels = np.full((200, 200, 3), 200, np.uint8)
    for center, axes, angle in (((100, 50), (40, 10), 0), ((50, 150), (9, 4), 0)):
        cv2.ellipse(pixels, center, axes, angle, 0, 360, (20, 20, 20), -1)
    cv2.ellipse(pixels, (150, 150), (6, 20), 0, 0, 360, (20, 20, 20), -1)
    found = find_shadow_region(pixels)
    assert found["angle"] == pytest.approx(90, abs=2)
    assert [min(other["angle"], 180 - other["angle"]) for other in found["others"]] == [
        pytest.approx(0, abs=2),
        pytest.approx(90, abs=2),
    ]
    assert found["others"][0]["area"] == pytest.approx(np.pi * 6 * 20, rel=0.1)


def test_checks_show_no_detail_and_parts_do() -> None:
    """Half of this crop is another surface; a check is finer than what counts."""
    rows, columns = np.indices((96, 128)) // 3
    checks = np.where((rows + columns) % 2 == 0, 40, 220).astype(np.uint8)
    pixels = np.repeat(checks[..., None], 3, axis=2)
    assert measure_crop(pixels, 0, 0, 128, 96, 60)["detail_share"] == 0
    pixels[:, 88:] = (0, 0, 200)
    assert measure_crop(pixels, 0, 0, 128, 96, 60)["detail_share"] == pytest.approx(5 / 16)
    assert measure_crop(pixels, 96, 0, 32, 96, 60) == {"detail_share": 0.0, "edge_share": 0.0}
    nothing = {"detail_share": None, "edge_share": None}
    assert measure_crop(pixels, 200, 0, 32, 32, 60) == nothing


@pytest.mark.parametrize("zoom", [1, 3])
def test_edges_of_a_crop_are_counted_at_one_size(zoom: int) -> None:
    """Twelve bars have twice as many edges as six, however many pixels the picture has."""
    shares = []
    for n_bars in (6, 12):
        columns = np.arange(128 * zoom) * n_bars * 2 // (128 * zoom) % 2
        bars = np.where(columns == 0, 20, 230).astype(np.uint8)
        pixels = np.repeat(np.tile(bars, (96 * zoom, 1))[..., None], 3, axis=2)
        shares.append(measure_crop(pixels, 0, 0, 128 * zoom, 96 * zoom, 60)["edge_share"])
    few, many = shares
    assert few == pytest.approx(11 / 128, abs=0.01)
    assert many == pytest.approx(23 / 128, abs=0.01)


def test_the_outline_of_what_stands_out() -> None:
    pixels = np.full((100, 100, 3), 230, np.uint8)
    cv2.rectangle(pixels, (30, 40), (59, 79), (20, 20, 20), cv2.FILLED)
    found = find_outline(pixels)
    assert found["bbox"] == pytest.approx([28, 38, 34, 44], abs=2)
    assert masks.decode(found["rle"], 100, 100)[60, 45] == 1
    assert find_outline(np.full((20, 20, 3), 200, np.uint8)) == {"rle": None, "bbox": None}
