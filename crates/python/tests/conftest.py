"""Fixtures of several tests: bundled mods, written mods, and the command if it was built."""

from __future__ import annotations

import os
from pathlib import Path

import bastide
import pytest


@pytest.fixture(scope="session")
def base() -> bastide.Mods:
    return bastide.load("base")


@pytest.fixture
def write_mod(tmp_path: Path):
    """Writes a mod and returns the folder in which it is found."""

    def write(name: str, manifest: str, rules: str = "") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "mod.toml").write_text(manifest)
        if rules:
            (folder / "rules.rhai").write_text(rules)
        return tmp_path

    return write


@pytest.fixture(scope="session")
def command() -> str:
    """The `bastide` command, which `.ci/run` names."""
    path = os.environ.get("BASTIDE_COMMAND")
    if not path:
        pytest.skip("BASTIDE_COMMAND does not say where the command is")
    return path
