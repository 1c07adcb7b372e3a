#!/usr/bin/env python3
"""Checks custom resources against the schemas of the operators that read them.

    crds.py MODELS FILE…

MODELS is a folder in which the npm packages @kubernetes-models/* and typescript are installed. Two
checks: the packages' own validators (types, patterns, required fields), and the TypeScript compiler,
which knows which fields exist and refuses any other.
"""

import json
import pathlib
import subprocess
import sys

import yaml

# Where each group's models are; by kind where two operators share a group.
PACKAGES = {
    "argoproj.io": "argo-cd",
    "cert-manager.io": "cert-manager",
    "external-secrets.io": "external-secrets",
    "gateway.networking.k8s.io": "gateway-api",
    "monitoring.coreos.com": "prometheus-operator",
}
BY_KIND = {"Rollout": "argo-rollouts", "AnalysisTemplate": "argo-rollouts"}
# No package has models of it.
UNKNOWN = {"keda.sh"}


def custom(paths):
    for path in paths:
        for item in yaml.safe_load_all(pathlib.Path(path).read_text(encoding="utf-8")):
            group = item["apiVersion"].rpartition("/")[0] if item else ""
            if item and group not in UNKNOWN and ("." in group and not group.endswith(".k8s.io")
                                                  or group == "gateway.networking.k8s.io"):
                yield path, item


def model_of(item):
    group, version = item["apiVersion"].split("/")
    package = BY_KIND.get(item["kind"], PACKAGES[group])
    return f"@kubernetes-models/{package}/{group}/{version}/{item['kind']}", item["kind"]


def main():
    models, *paths = sys.argv[1:]
    folder = pathlib.Path(models)
    found = list(custom(paths))
    kinds = {item["kind"] for _, item in found}
    assert len(found) > 4, f"only {len(found)} custom resources in {len(paths)} files"
    imports, typed, checked = set(), [], []
    for number, (path, item) in enumerate(found):
        module, kind = model_of(item)
        where = json.dumps(f"{path}: {kind} {item['metadata']['name']}")
        literal = json.dumps(item)
        imports.add((module, kind))
        typed.append(f"// {where}\nexport const object{number}: I{kind} = {literal};")
        checked.append(f"check({where}, {kind}, {literal});")
    types = [f"import type {{ I{kind} }} from '{module}';" for module, kind in sorted(imports)]
    classes = [f"import {{ {kind} }} from '{module}';" for module, kind in sorted(imports)]
    (folder / "objects.ts").write_text("\n".join(types + typed) + "\n", encoding="utf-8")
    check = """let faults = 0;
function check(where, Model, object) {
  try { new Model(object).validate(); } catch (error) { faults += 1; console.log(where, error.message); }
}
"""
    ending = "process.exit(faults ? 1 : 0);"
    text = "\n".join([*classes, check, *checked, ending]) + "\n"
    (folder / "objects.mjs").write_text(text, encoding="utf-8")
    run = lambda *command: subprocess.run(command, cwd=folder, check=False).returncode
    options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"]
    faults = run("node", "objects.mjs") or run("node_modules/.bin/tsc", *options, "objects.ts")
    if faults:
        return 1
    print(f"{len(found)} custom resources of {len(kinds)} kinds are well formed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
