"""The scripts in `examples` do what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_a_setting_is_balanced():
    script = [sys.executable, EXAMPLES / "balance.py", "--games", "60", "--bots", "random,greedy"]
    printed = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    assert "red wins" in printed and "True" in printed and "False" in printed


def test_the_environment_can_be_learned_from(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    import learner

    before, after = learner.learn("base", "greedy", 400)
    # These are 100 and 200 games. A policy that has learned nothing loses all of them.
    assert before < 0.05
    assert after > 0.35
