#!/usr/bin/env python3
"""Tests the chart: which values it takes and refuses, and what it makes of them.

    chart.py FOLDER HELM…

Renders the cases beside this file and every environment with each of the helm binaries, and keeps
the last rendering of each good one in FOLDER as NAME.yaml.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

import yaml

import manifests

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
CHART = ROOT / "charts/parlor"


def render(helm, *values):
    """Gives (exit code, stdout, stderr) of `helm template`."""
    command = [helm, "template", "r", str(CHART), "--namespace", "games"]
    for path in values:
        command += ["--values", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def cases(name):
    return yaml.safe_load((HERE / f"cases/{name}.yaml").read_text(encoding="utf-8"))


def values_file(folder, case):
    path = pathlib.Path(folder, "values.yaml")
    path.write_text(yaml.safe_dump(case.get("values") or {}), encoding="utf-8")
    return path


def refuses(helm, case):
    with tempfile.TemporaryDirectory() as folder:
        base = HERE / "cases/base.yaml"
        code, out, error = render(helm, base, values_file(folder, case))
    assert code != 0, f"{case['name']}: was accepted"
    assert not out.strip(), f"{case['name']}: something was rendered all the same"
    assert case["says"] in error, f"{case['name']}: does not say {case['says']!r} but {error}"


def accepts(helm, case, folder):
    with tempfile.TemporaryDirectory() as temporary:
        values = [HERE / "cases/base.yaml", values_file(temporary, case)]
        text = sound(helm, case["name"], values)
    for expected in case.get("has", []):
        assert expected in text, f"{case['name']}: {expected!r} is missing"
    for unwanted in case.get("lacks", []):
        assert unwanted not in text, f"{case['name']}: {unwanted!r} is there"
    keep(folder, "case-" + case["name"].replace(" ", "-"), text)


def environment(helm, path, folder):
    keep(folder, path.parent.name, sound(helm, path.parent.name, [path]))


def sound(helm, name, values):
    """Renders twice, compares, and checks what must hold for every rendering."""
    code, text, error = render(helm, *values)
    assert code == 0, f"{name}: {error}"
    # A random password, a certificate made on the fly or a time would make Argo CD sync for ever.
    assert render(helm, *values)[1] == text, f"{name}: two renderings differ"
    objects = [item for item in yaml.safe_load_all(text) if item]
    for check in manifests.CHECKS:
        try:
            check(objects)
        except AssertionError as fault:
            raise AssertionError(f"{name}: {check.__name__}: {fault}") from fault
    return text


def keep(folder, name, text):
    pathlib.Path(folder, f"{name}.yaml").write_text(text, encoding="utf-8")


def without_comments(text):
    return [item for item in yaml.safe_load_all(text) if item]


def the_helms_agree(helms):
    base = HERE / "cases/base.yaml"
    prod = ROOT / "deploy/environments/prod/values.yaml"
    for values in (base, prod):
        first, *others = (without_comments(render(helm, values)[1]) for helm in helms)
        for other in others:
            assert other == first, f"{values}: the versions of helm render differently"


def templates_use_nothing_that_changes():
    pattern = re.compile(r"\b(rand\w+|gen\w+|lookup|now|uuidv4|shuffle|ago)\b")
    for path in CHART.rglob("templates/**/*"):
        if path.is_file():
            actions = re.findall(r"{{.*?}}", path.read_text(encoding="utf-8"), re.S)
            code = (re.sub(r'"[^"]*"|/\*.*?\*/', "", action, flags=re.S) for action in actions)
            for action in code:
                assert not pattern.search(action), f"{path.name}: {action}"


def tests(folder, helms):
    yield "templates use nothing that changes", templates_use_nothing_that_changes
    yield "the helms agree", lambda: the_helms_agree(helms)
    for helm in helms:
        version = subprocess.run(
            [helm, "version", "--template", "{{.Version}}"], capture_output=True, text=True, check=True
        ).stdout
        for path in sorted(ROOT.glob("deploy/environments/*/values.yaml")):
            yield f"{version} {path.parent.name}", lambda p=path, h=helm: environment(h, p, folder)
        for case in cases("good"):
            yield f"{version} takes {case['name']}", lambda c=case, h=helm: accepts(h, c, folder)
        for case in cases("bad"):
            yield f"{version} refuses {case['name']}", lambda c=case, h=helm: refuses(h, c)


def main():
    folder, *helms = sys.argv[1:]
    passed = failed = 0
    for name, test in tests(folder, helms):
        try:
            test()
            passed += 1
        except AssertionError as fault:
            failed += 1
            print(f"FAILED {name}\n  {fault}")
        except Exception:  # noqa: BLE001 - a broken test must not hide the others
            failed += 1
            print(f"FAILED {name}")
            traceback.print_exc()
    print(f"chart: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
