#!/usr/bin/env python3
"""Keeps flags, variables and chart values the same.

    settings.py write HELP    puts the settings of `parlor run --help` into values.schema.json
    settings.py check HELP FILE…
        fails unless the schema is up to date and every PARLOR_ variable in the files, rendered
        manifests or a compose file, is one that the program knows

HELP is a file with the output of `parlor run --help`.
"""

import json
import pathlib
import re
import sys

import yaml

SCHEMA = pathlib.Path(__file__).parents[3] / "charts/parlor/values.schema.json"

# Settings that the chart sets itself, from other values: not to be set a second time.
OWNED = re.compile(
    r"PARLOR_(\w+_LISTEN|(SETTLEMENT|MATCHMAKING|REDIS|SETTLEMENT_DATABASE)_URL|TABLE_URLS"
    r"|\w+_TLS_\w+|TLS_\w+|DATA_DIR|DEV|SHUTDOWN_TIMEOUT_MS"
    r"|SERVICE_TOKEN\w*|GATEWAY_TOKEN_SECRET\w*|GATEWAY_OPERATOR_JWKS|SETTLEMENT_WALLET_TOKEN|TABLE_DAILY_SECRET"
    r"|TABLE_STORE|TABLE_STORE_PATH|TABLE_POD_\w+|MATCHMAKING_STORE|MATCHMAKING_QUEUES_FILE)"
)
SERVICES = ["gateway", "matchmaking", "table", "settlement"]


def read_help(path):
    """Gives {variable: JSON schema} of what the help describes."""
    settings = {}
    text = pathlib.Path(path).read_text(encoding="utf-8")
    for part in re.split(r"\n(?= +(?:-\w, )?--[a-z])", text):
        variable = re.search(r"\[env: (PARLOR_\w+)", part)
        if not variable:
            continue
        flag = re.match(r"\s+(?:-\w, )?--([a-z0-9-]+)(.*)", part)
        # One variable may serve two flags, such as the URL of Redis; then no value is named after it.
        same = "PARLOR_" + flag[1].replace("-", "_").upper() == variable[1]
        assert same or OWNED.fullmatch(variable[1]), part
        settings[variable[1]] = schema_of(part, flag[2])
    assert len(settings) > 40, f"{path} holds only {len(settings)} settings: not the help of run?"
    return settings


def schema_of(part, after_flag):
    lines = part.strip().splitlines()[1:]
    text = [line.strip() for line in lines]
    description = " ".join(text[: text.index("")] if "" in text else text)
    description = re.sub(r" \[(env|default|possible values): .*", "", description)
    default = re.search(r"\[default: (.*?)\]", part, re.S)
    default = None if default is None else default[1].strip().strip('"')
    values = re.findall(r"^\s+- (\S+?):? ", part, re.M)
    inline = re.search(r"\[possible values: (.*?)\]", part)
    values = inline[1].split(", ") if inline else values
    schema = {"description": description}
    if values:
        schema["enum"] = values
    elif "..." in after_flag:
        schema |= {"type": "array", "items": {"type": "string"}}
    elif "<" not in after_flag:
        schema["type"] = "boolean"
    elif default is not None and re.fullmatch(r"-?\d+", default):
        schema["type"] = "integer"
    elif default is not None and re.fullmatch(r"-?\d+\.\d+", default):
        schema["type"] = "number"
    else:
        schema["type"] = ["string", "array"]
        schema["items"] = {"type": "string"}
    if default is not None and schema.get("type") in ("integer", "number"):
        schema["default"] = json.loads(default)
    elif default:
        schema["default"] = default
    return schema


def camel(variable, prefix):
    first, *rest = variable.removeprefix(prefix).lower().split("_")
    return first + "".join(word.capitalize() for word in rest)


def definitions(settings):
    """The schema's definitions of the settings: those of each service, and those of all."""
    groups = {service: {} for service in [*SERVICES, "shared"]}
    for variable, schema in sorted(settings.items()):
        if OWNED.fullmatch(variable):
            continue
        service = variable.split("_")[1].lower()
        group = service if service in SERVICES else "shared"
        prefix = f"PARLOR_{group.upper()}_" if group != "shared" else "PARLOR_"
        groups[group][camel(variable, prefix)] = schema
    return {
        f"{group}Settings": {
            "type": "object",
            "additionalProperties": False,
            "properties": properties,
        }
        for group, properties in groups.items()
    }


def rendered(paths):
    """Gives {variable: file} of the variables of all containers in the files."""
    found = {}
    for path in paths:
        for document in yaml.safe_load_all(pathlib.Path(path).read_text(encoding="utf-8")):
            for variable in variables(document):
                found.setdefault(variable, path)
    return found


def variables(node):
    if isinstance(node, dict):
        for entry in node.get("env") or []:
            if isinstance(entry, dict) and entry.get("name", "").startswith("PARLOR_"):
                yield entry["name"]
        # In a compose file they are a map.
        if isinstance(node.get("environment"), dict):
            yield from (name for name in node["environment"] if name.startswith("PARLOR_"))
        for value in node.values():
            yield from variables(value)
    elif isinstance(node, list):
        for value in node:
            yield from variables(value)


def main():
    command, help_path, *paths = sys.argv[1:]
    settings = read_help(help_path)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    wanted = definitions(settings)
    if command == "write":
        schema["definitions"] |= wanted
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        SCHEMA.write_text(text, encoding="utf-8")
        return 0
    faults = []
    for name, definition in wanted.items():
        has = schema["definitions"][name]["properties"]
        for key in sorted(has.keys() ^ definition["properties"].keys()):
            where = "the schema only" if key in has else "the program only"
            faults.append(f"{name}.{key} is known to {where}: run settings.py write")
        for key in sorted(has.keys() & definition["properties"].keys()):
            if has[key] != definition["properties"][key]:
                faults.append(f"{name}.{key} differs: run settings.py write")
    used = rendered(paths)
    assert len(used) > 15, f"only {len(used)} variables were found in the manifests"
    for variable, path in sorted(used.items()):
        if variable not in settings:
            faults.append(f"{path} sets {variable}, which the program does not know")
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
