#!/usr/bin/env python3
"""Makes the table of values in the chart's README from values.yaml and values.schema.json.

    readme.py write     puts the tables between the README's markers
    readme.py check     fails when they are out of date

A value is documented by the comment before it that begins with `# --`. Settings of the services come
from the schema, into which settings.py puts what `parlor run --help` says.
"""

import json
import pathlib
import re
import sys

import yaml

CHART = pathlib.Path(__file__).parents[3] / "charts/parlor"
MARK = re.compile(r"(<!-- begin (\w+): made by deploy/test/helm/readme.py -->\n).*?(<!-- end -->)", re.S)


def documented():
    """Gives (path, description) of every value with a `# --` comment, in order."""
    stack, comment = [], None
    for line in (CHART / "values.yaml").read_text(encoding="utf-8").splitlines():
        text = line.strip()
        if text.startswith("# -- "):
            comment = text[5:]
        elif text.startswith("# ") and comment is not None:
            comment += " " + text[2:]
        else:
            key = re.match(r"( *)([A-Za-z0-9_.-]+):(?: |$)", line)
            if key:
                depth = len(key[1]) // 2
                stack = stack[:depth] + [key[2]]
                if comment is not None:
                    yield ".".join(stack), comment
            comment = None


def look_up(values, path):
    for key in path.split("."):
        values = values[key]
    return values


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def default_of(value):
    text = json.dumps(value)
    return f"`{cell(text)}`" if len(text) <= 60 else "see values.yaml"


def values_table():
    values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    rows = ["| Value | Default | Meaning |", "| --- | --- | --- |"]
    for path, text in documented():
        rows.append(f"| `{path}` | {default_of(look_up(values, path))} | {cell(text)} |")
    assert len(rows) > 100, f"only {len(rows)} values are documented"
    return rows


def settings_table():
    schema = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))["definitions"]
    rows = ["| Value | Variable | Default | Meaning |", "| --- | --- | --- | --- |"]
    groups = {
        "settings.": ("sharedSettings", "PARLOR_"),
        **{
            f"{service}.settings.": (f"{service}Settings", f"PARLOR_{service.upper()}_")
            for service in ("gateway", "matchmaking", "table", "settlement")
        },
    }
    for path, (definition, prefix) in groups.items():
        for name, setting in schema[definition]["properties"].items():
            variable = prefix + re.sub(r"([A-Z])", r"_\1", name).upper()
            default = default_of(setting["default"]) if "default" in setting else ""
            choices = f" One of {', '.join(setting['enum'])}." if "enum" in setting else ""
            text = setting["description"] + ("." if choices else "") + choices
            rows.append(f"| `{path}{name}` | `{variable}` | {default} | {cell(text)} |")
    return rows


def main():
    readme = CHART / "README.md"
    before = readme.read_text(encoding="utf-8")
    tables = {"values": values_table(), "settings": settings_table()}
    marks = [mark[2] for mark in MARK.finditer(before)]
    assert marks == ["settings", "values"], f"the README has the markers {marks}"
    after = MARK.sub(lambda mark: mark[1] + "\n".join(tables[mark[2]]) + "\n" + mark[3], before)
    if sys.argv[1] == "write":
        readme.write_text(after, encoding="utf-8")
    elif after != before:
        print("the chart's README is out of date: deploy/test/helm/readme.py write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
