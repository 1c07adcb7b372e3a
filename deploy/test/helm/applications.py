#!/usr/bin/env python3
"""Writes the Applications that Argo CD would make of our ApplicationSet.

    applications.py FOLDER

Knows just what that needs: the git files generator, and templates that only name fields. As with
missingkey=error, a field that the generator does not give is an error.
"""

import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).parents[3]
SET = ROOT / "deploy/argocd/applications/applicationset.yaml"


def fill(node, fields):
    if isinstance(node, dict):
        return {key: fill(value, fields) for key, value in node.items()}
    if isinstance(node, list):
        return [fill(value, fields) for value in node]
    if isinstance(node, str):
        return re.sub(r"{{ \.(\w+) }}", lambda match: fields[match[1]], node)
    return node


def main():
    folder = pathlib.Path(sys.argv[1])
    spec = yaml.safe_load(SET.read_text(encoding="utf-8"))["spec"]
    assert spec["goTemplateOptions"] == ["missingkey=error"]
    names = []
    for pattern in spec["generators"][0]["git"]["files"]:
        for path in sorted(ROOT.glob(pattern["path"])):
            fields = yaml.safe_load(path.read_text(encoding="utf-8"))
            application = fill(spec["template"], fields)
            assert path.parent.name == fields["environment"], path
            assert "{{" not in str(application), application
            application |= {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application"}
            application["metadata"]["namespace"] = "argocd"
            name = application["metadata"]["name"]
            text = yaml.safe_dump(application, sort_keys=False)
            (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
            names.append(name)
    assert names == ["parlor-dev", "parlor-prod", "parlor-staging"], names


if __name__ == "__main__":
    main()
