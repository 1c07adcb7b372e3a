#!/usr/bin/env python3
"""Holds alerts, dashboards, runbooks and the services' metrics together.

Every metric that an alert or a dashboard reads is made by a service; every alert has a runbook, a
test and a severity; every query of a dashboard is PromQL (promtool must be on the PATH).
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
ALERTS = sorted(ROOT.glob("deploy/alerts/*.yaml"))
DASHBOARDS = sorted(ROOT.glob("deploy/dashboards/*.json"))
RUNBOOKS = ROOT / "deploy/runbooks"
NAME = re.compile(r"\bparlor_[a-z0-9_]+")


def made():
    """Names that the services give to instruments."""
    names = set()
    for path in ROOT.glob("services/*/src/**/*.rs"):
        names |= set(re.findall(r'"(parlor_[a-z0-9_]+)"', path.read_text(encoding="utf-8")))
    return names


def is_made(name, names):
    bare = re.sub(r"_(bucket|count|sum|total)$", "", name)
    return name in names or bare in names


def rules():
    for path in ALERTS:
        for group in yaml.safe_load(path.read_text(encoding="utf-8"))["groups"]:
            yield from group["rules"]


def panels():
    for path in DASHBOARDS:
        dashboard = json.loads(path.read_text(encoding="utf-8"))
        for panel in dashboard["panels"]:
            for target in panel.get("targets", []):
                yield path.stem, panel, target["expr"]


def metrics_are_made():
    names = made()
    assert len(names) > 15, f"only {len(names)} instruments were found"
    queries = [(rule.get("alert", "a recording rule"), rule["expr"]) for rule in rules()]
    queries += [(f"{board}: {panel['title']}", expr) for board, panel, expr in panels()]
    for where, expr in queries:
        for name in NAME.findall(expr):
            if not is_made(name, names):
                yield f"{where} reads {name}, which no service makes"


def alerts_are_complete():
    alerts = [rule for rule in rules() if "alert" in rule]
    assert len(alerts) > 20, f"only {len(alerts)} alerts were found"
    tests = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("alerts/*.test.yaml"))
    for rule in alerts:
        name = rule["alert"]
        if not (RUNBOOKS / f"{name}.md").is_file():
            yield f"{name} has no runbook"
        # One test in which it fires: a sample of it is expected.
        if not re.search(rf'labels: \'{{alertname="{name}"}}\'', tests):
            yield f"{name} fires in no test"
        if rule["labels"].get("severity") not in ("critical", "warning"):
            yield f"{name} has no severity"
        if not {"summary", "description"} <= rule["annotations"].keys():
            yield f"{name} does not say what is wrong"
        for selector in re.findall(r"\{([^{}]*)\}", rule["expr"]):
            if "namespace=" not in selector:
                yield f"{name} looks at other releases: {{{selector}}}"
    names = {rule["alert"] for rule in alerts} | {"README", "failures"}
    for path in RUNBOOKS.glob("*.md"):
        if path.stem not in names:
            yield f"{path.name} is the runbook of no alert"
        for link in re.findall(r"\]\(([^)]+\.md)\)", path.read_text(encoding="utf-8")):
            if not (RUNBOOKS / link).is_file():
                yield f"{path.name} links to {link}, which is not there"


def dashboards_are_sound():
    assert {path.stem for path in DASHBOARDS} == {"edge", "matchmaking", "money", "play", "tables"}
    groups = []
    for path in DASHBOARDS:
        dashboard = json.loads(path.read_text(encoding="utf-8"))
        ids = [panel["id"] for panel in dashboard["panels"]]
        if len(ids) != len(set(ids)):
            yield f"{path.name}: two panels have one id"
        if dashboard["uid"] != f"parlor-{path.stem}":
            yield f"{path.name}: its uid is {dashboard['uid']}"
    for number, (board, panel, expr) in enumerate(panels()):
        if "$namespace" not in expr and "parlor:" not in expr:
            yield f"{board}: {panel['title']} looks at every namespace"
        if not panel.get("description"):
            yield f"{board}: {panel['title']} does not say what it shows"
        plain = expr.replace("$__rate_interval", "5m").replace("$namespace", "games")
        groups.append({"record": f"query:{number}", "expr": plain})
    yield from promql_faults(groups)


def promql_faults(groups):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump({"groups": [{"name": "dashboards", "rules": groups}]}, file)
        file.flush()
        done = subprocess.run(
            ["promtool", "check", "rules", file.name], capture_output=True, text=True, check=False
        )
    if done.returncode:
        yield done.stderr


def main():
    passed = failed = 0
    for check in (metrics_are_made, alerts_are_complete, dashboards_are_sound):
        faults = sorted(set(check()))
        for fault in faults:
            print(f"FAILED {fault}")
        passed += not faults
        failed += bool(faults)
    print(f"telemetry: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
