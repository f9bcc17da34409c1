"""The wheel says what is inside it, as CycloneDX (maturin writes it)."""

import json
from importlib import metadata
from pathlib import Path

import pytest

#: Python 3.11 and later.
tomllib = pytest.importorskip("tomllib")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bill():
    try:
        files = metadata.files("kerneldoc") or []
    except metadata.PackageNotFoundError:
        pytest.skip("no wheel is installed beside this Python")
    (place,) = [file for file in files if file.name == "kerneldoc.cyclonedx.json"]
    return json.loads(place.read_text())


def test_every_crate_that_is_built_in_is_named_with_its_version(bill):
    assert bill["bomFormat"] == "CycloneDX"
    listed = {(part["name"], part["version"]) for part in bill["components"]}
    locked = {
        (crate["name"], crate["version"]) for crate in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    }
    direct = tomllib.loads((ROOT / "Cargo.toml").read_text())["dependencies"]
    assert {name for name, _ in listed & locked} >= set(direct)


def test_every_crate_names_its_licence(bill):
    assert [part["name"] for part in bill["components"] if not part.get("licenses")] == []
