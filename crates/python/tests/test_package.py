"""The package itself: the examples in its README run, and its stubs are complete."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path

import bastide
import pytest
from bastide import _bastide

STUBS = Path(bastide.__file__).with_name("_bastide.pyi")


def test_the_lines_of_the_readme_run(tmp_path):
    examples = re.findall(r"```python\n(.*?)```", metadata("bastide").get_payload(), re.DOTALL)
    assert len(examples[0].strip().splitlines()) <= 10
    for example in examples:
        subprocess.run([sys.executable, "-c", example], check=True, cwd=tmp_path)
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


@pytest.mark.parametrize("name", ["Mods", "Game", "Simulation", "Encoding", "Stepper"])
def test_stubs_have_every_member(name):
    classes = {it.name: it for it in ast.parse(STUBS.read_text()).body if isinstance(it, ast.ClassDef)}
    said = {it.name for it in classes[name].body if isinstance(it, ast.FunctionDef)}
    inherited = set(dir(object)) | {"__doc__", "__module__", "__getstate__"}
    there = set(vars(getattr(_bastide, name))) - inherited
    assert said - inherited == there


@pytest.mark.parametrize("name", [name for name in bastide.__all__])
def test_everything_public_has_a_docstring(name):
    it = getattr(bastide, name)
    assert it.__doc__
    if isinstance(it, type):
        public = [member for key, member in vars(it).items() if not key.startswith("_")]
        assert all(member.__doc__ for member in public)


def test_types_hold_and_the_oldest_python_can_read_it(tmp_path):
    # Copies the package, because mypy treats files beside installed packages as one of those packages.
    package = tmp_path / "bastide"
    shutil.copytree(Path(bastide.__file__).parent, package, ignore=shutil.ignore_patterns("mods", "*.so", "__pycache__"))
    checked = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "bastide"]
    found = subprocess.run(checked, cwd=tmp_path, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    sources = list(package.glob("*.py*"))
    assert len(sources) > 4
    for source in sources:
        ast.parse(source.read_text(), feature_version=(3, 9))


def test_the_bots_are_listed():
    assert [name for name, _ in bastide.bots()][:3] == ["random", "novice", "greedy"]
