"""Writes tests/vectors/<recipe>.json for the recipes named on the command line: vectors signed here, judged by the SDKs."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

from rsa_frame import Recipe

HERE = Path(__file__).parent


def judged(recipe: Recipe, judge: list[str]) -> list[str]:
    if not judge:
        return ["no sdk"] * len(recipe.vectors)
    asked = json.dumps({"source": recipe.source, "vectors": recipe.vectors})
    run = subprocess.run(judge, input=asked, capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"{recipe.recipe}: {run.stderr}")
    return json.loads(run.stdout)


def differs(vector: dict) -> bool:
    return vector["sdk"] != "no sdk" and (vector["sdk"] == "accepts") != vector["accepted"]


def problems(recipe: Recipe) -> list[str]:
    names = [vector["name"] for vector in recipe.vectors]
    found = [f"twice: {name}" for name in set(names) if names.count(name) > 1]
    for vector in recipe.vectors:
        if differs(vector) != ("why" in vector):
            found.append(f"{vector['name']}: sdk {vector['sdk']}, accepted {vector['accepted']}, why {vector.get('why')}")
    return found


def report(recipe: Recipe) -> None:
    asked = sum(vector["sdk"] != "no sdk" for vector in recipe.vectors)
    print(f"{recipe.recipe}: {len(recipe.vectors)} vectors, {asked} judged, {sum(map(differs, recipe.vectors))} differ")
    for other, judge in recipe.others.items():
        for vector, verdict in zip(recipe.vectors, judged(recipe, judge), strict=True):
            if (verdict == "accepts") != (vector["sdk"] == "accepts"):
                print(f"  {other} {verdict}, sluice {'accepts' if vector['accepted'] else 'refuses'}: {vector['name']}")


def write(name: str, folder: Path) -> None:
    recipe: Recipe = importlib.import_module(f"{name}_vectors").recipe()
    for vector, verdict in zip(recipe.vectors, judged(recipe, recipe.judge), strict=True):
        vector["sdk"] = verdict
    if found := problems(recipe):
        raise SystemExit("\n".join([recipe.recipe, *found]))
    whole = {"recipe": recipe.recipe, "made_with": recipe.made_with, "source": recipe.source, "vectors": recipe.vectors}
    (folder / f"{recipe.recipe}.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
    report(recipe)


if __name__ == "__main__":
    for wanted in sys.argv[2:]:
        write(wanted, Path(sys.argv[1]))
