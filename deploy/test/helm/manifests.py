"""What must hold for every rendering of the chart, whatever the values."""

import collections

WORKLOADS = {"Deployment", "StatefulSet", "Rollout", "Job"}
SERVICES = ["gateway", "matchmaking", "settlement", "table"]
VOLUMES = {
    "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim",
    "projected", "secret",
}
COMPONENT = "app.kubernetes.io/component"


def pods(objects):
    """Gives (owner, labels, pod spec) of everything that makes pods."""
    for item in objects:
        if item["kind"] in WORKLOADS:
            template = item["spec"]["template"]
            yield item, template["metadata"]["labels"], template["spec"]
        elif item["kind"] == "Pod":
            yield item, item["metadata"]["labels"], item["spec"]


def of_kind(objects, *kinds):
    return [item for item in objects if item["kind"] in kinds]


def title(item):
    return f"{item['kind']} {item['metadata']['name']}"


def names_are_unique_and_short(objects):
    seen = collections.Counter((item["kind"], item["metadata"]["name"]) for item in objects)
    for (kind, name), count in seen.items():
        assert count == 1, f"{kind} {name} is there {count} times"
        # A StatefulSet's name gets a hash of 10 characters in a label.
        most = 52 if kind == "StatefulSet" else 63
        assert len(name) <= most, f"{kind} {name} is too long"


def pods_are_restricted(objects):
    """The `restricted` Pod Security Standard, for services, hooks and tests alike."""
    for item, _, spec in pods(objects):
        where = title(item)
        security = spec["securityContext"]
        assert security["runAsNonRoot"] is True, where
        assert security["seccompProfile"] == {"type": "RuntimeDefault"}, where
        assert security.get("runAsUser") != 0, where
        for key in ("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace"):
            assert not spec.get(key), f"{where}: {key}"
        for volume in spec.get("volumes") or []:
            kinds = set(volume) - {"name"}
            assert kinds <= VOLUMES, f"{where}: volume {volume}"
        for container in spec["containers"] + (spec.get("initContainers") or []):
            security = container["securityContext"]
            assert security["allowPrivilegeEscalation"] is False, where
            assert "ALL" in security["capabilities"]["drop"], where
            assert not security["capabilities"].get("add"), where
            assert not security.get("privileged"), where
            assert not any("hostPort" in port for port in container.get("ports") or []), where


def our_containers_are_bounded(objects):
    for item, _, spec in pods(objects):
        ours = [container for container in spec["containers"] if container["name"] == "parlor"]
        assert len(ours) == 1, title(item)
        assert ours[0]["securityContext"]["readOnlyRootFilesystem"] is True, title(item)
        resources = ours[0]["resources"]
        assert {"cpu", "memory"} <= set(resources["requests"]), title(item)
        assert "memory" in resources["limits"], title(item)
        assert "cpu" not in resources["limits"], f"{title(item)}: throttled by default"


def pods_have_no_kubernetes_token(objects):
    for item, _, spec in pods(objects):
        assert spec["automountServiceAccountToken"] is False, title(item)
        assert spec["enableServiceLinks"] is False, title(item)
    for item in of_kind(objects, "ServiceAccount"):
        assert item["automountServiceAccountToken"] is False, title(item)


def one_image_serves_all(objects):
    images = {
        container["image"]
        for _, _, spec in pods(objects)
        for container in spec["containers"]
        if container["name"] == "parlor"
    }
    assert len(images) == 1, images


def grace_covers_the_drain(objects):
    for item, _, spec in services(objects):
        container = ours(spec)
        drain_ms = int(variables(container)["PARLOR_SHUTDOWN_TIMEOUT_MS"])
        sleep = container["lifecycle"]["preStop"]["sleep"]["seconds"]
        grace = spec["terminationGracePeriodSeconds"]
        assert sleep >= 1, title(item)
        assert grace >= sleep + drain_ms / 1000 + 3, f"{title(item)}: {grace} s are too short"


def services(objects):
    """The pods of the four services."""
    found = [pod for pod in pods(objects) if pod[1][COMPONENT] in SERVICES and pod[0]["kind"] != "Pod"]
    names = sorted({labels[COMPONENT] for _, labels, _ in found})
    assert names == SERVICES, names
    return found


def ours(spec):
    return next(container for container in spec["containers"] if container["name"] == "parlor")


def variables(container):
    names = [entry["name"] for entry in container.get("env") or []]
    twice = [name for name, count in collections.Counter(names).items() if count > 1]
    assert not twice, f"set twice: {twice}"
    return {entry["name"]: entry.get("value") for entry in container.get("env") or []}


def secrets_are_files(objects):
    for item, _, spec in pods(objects):
        for name, value in variables(ours(spec)).items():
            secret = name.endswith(("_TOKEN", "_SECRET", "_PREVIOUS", "DATABASE_URL", "REDIS_URL"))
            embedded = str(value).startswith("sqlite:///var/lib/parlor/")
            if secret and not embedded:
                assert str(value).startswith("file:/etc/parlor/secrets/"), f"{title(item)}: {name}"
    assert not of_kind(objects, "Secret"), "a Secret is rendered"


def files_are_mounted(objects):
    """Every path that a variable names lies in a volume that exists."""
    for item, _, spec in pods(objects):
        container = ours(spec)
        mounts = {mount["mountPath"]: mount["name"] for mount in container.get("volumeMounts") or []}
        volumes = {volume["name"]: volume for volume in spec.get("volumes") or []}
        claims = item["spec"].get("volumeClaimTemplates") or []
        known = set(volumes) | {claim["metadata"]["name"] for claim in claims}
        assert set(mounts.values()) <= known, f"{title(item)}: {mounts} of {known}"
        for name, value in variables(container).items():
            path = str(value).removeprefix("file:").removeprefix("sqlite://")
            if not path.startswith("/"):
                continue
            folder, file = path.rsplit("/", 1)
            assert folder in mounts, f"{title(item)}: {name} is outside every mount: {path}"
            sources = volumes.get(mounts[folder], {}).get("projected", {}).get("sources")
            if sources:
                files = {key["path"] for source in sources for key in source["secret"]["items"]}
                assert file in files, f"{title(item)}: {path} is in no Secret"


def probes_are_separate(objects):
    for item, labels, spec in services(objects):
        container = ours(spec)
        asked = [container[f"{probe}Probe"] for probe in ("startup", "readiness", "liveness")]
        if "grpc" in asked[0]:
            names = [probe["grpc"]["service"] for probe in asked]
            assert names[0] == names[1] != names[2] == "liveness", f"{title(item)}: {names}"
            assert names[0].startswith(f"parlor.{labels[COMPONENT]}.v1."), names
            ports = {port["containerPort"] for port in container["ports"]}
            assert {probe["grpc"]["port"] for probe in asked} <= ports, title(item)
        else:
            paths = [probe["httpGet"]["path"] for probe in asked]
            assert paths == ["/readyz", "/readyz", "/livez"], f"{title(item)}: {paths}"


def selectors_never_change(objects):
    """Selectors and claim templates are immutable: no version in them."""
    for item in of_kind(objects, "Deployment", "StatefulSet", "Rollout"):
        selector = item["spec"]["selector"]["matchLabels"]
        labels = item["spec"]["template"]["metadata"]["labels"]
        assert selector.items() <= labels.items(), title(item)
        for claim in item["spec"].get("volumeClaimTemplates") or []:
            selector = selector | claim["metadata"].get("labels", {})
        assert not [key for key in selector if "version" in key or "chart" in key], title(item)


def scaled_workloads_have_no_replicas(objects):
    named = {(item["kind"], item["metadata"]["name"]): item for item in objects}
    scaled = set()
    for item in of_kind(objects, "HorizontalPodAutoscaler", "ScaledObject"):
        target = item["spec"]["scaleTargetRef"]
        scaled.add((target["kind"], target["name"]))
        assert (target["kind"], target["name"]) in named, f"{title(item)}: its target is missing"
        kinds = [metric["type"] for metric in item["spec"].get("metrics", [])]
        assert kinds == sorted(kinds), f"{title(item)}: the API server would reorder {kinds}"
        least = item["spec"].get("minReplicas") or item["spec"].get("minReplicaCount")
        most = item["spec"].get("maxReplicas") or item["spec"].get("maxReplicaCount")
        assert 1 <= least <= most, title(item)
    for key, item in named.items():
        if key[0] in {"Deployment", "StatefulSet", "Rollout"}:
            assert ("replicas" in item["spec"]) != (key in scaled), title(item)


def budgets_let_nodes_drain(objects):
    for item in of_kind(objects, "PodDisruptionBudget"):
        assert "minAvailable" not in item["spec"], title(item)
        assert item["spec"]["unhealthyPodEvictionPolicy"] == "AlwaysAllow", title(item)
        selects(objects, item["spec"]["selector"]["matchLabels"], title(item))


def selects(objects, selector, where):
    """The pods that a selector matches, all of one component: at least one."""
    found = [
        (labels, spec) for _, labels, spec in pods(objects) if selector.items() <= labels.items()
    ]
    assert found, f"{where}: selects no pod"
    assert COMPONENT in selector, f"{where}: selects the pods of other releases or components"
    return found


def services_reach_their_pods(objects):
    for item in of_kind(objects, "Service"):
        for _, spec in selects(objects, item["spec"]["selector"], title(item)):
            names = {port["name"] for port in ours(spec).get("ports", [])}
            for port in item["spec"]["ports"]:
                assert port["targetPort"] in names, f"{title(item)}: {port}"
                assert port.get("appProtocol"), f"{title(item)}: {port}"


def network_policies_are_complete_and_agree(objects):
    """Each policy selects pods of ours, and whoever may call is let in at the other end."""
    policies = {
        item["spec"]["podSelector"]["matchLabels"][COMPONENT]: item["spec"]
        for item in of_kind(objects, "NetworkPolicy")
    }
    if not policies:
        return
    for item, labels, _ in pods(objects):
        assert labels[COMPONENT] in policies, f"{title(item)} has no policy"
    edges = {"egress": set(), "ingress": set()}
    for name, spec in policies.items():
        assert spec["policyTypes"] == ["Ingress", "Egress"], name
        for way, key in (("egress", "to"), ("ingress", "from")):
            for rule in spec.get(way) or []:
                assert rule, f"{name}: an empty {way} rule lets everybody through"
                for peer in rule.get(key) or []:
                    other = peer.get("podSelector", {}).get("matchLabels", {}).get(COMPONENT)
                    if other:
                        ends = (name, other) if way == "egress" else (other, name)
                        edges[way].add((*ends, rule["ports"][0]["port"]))
    assert edges["egress"] == edges["ingress"], edges["egress"] ^ edges["ingress"]
    assert ("gateway", "settlement", "grpc") in edges["egress"], edges


def objects_carry_the_standard_labels(objects):
    for item in objects:
        labels = item["metadata"].get("labels") or {}
        if labels:
            assert labels["app.kubernetes.io/part-of"] == "parlor", title(item)
            assert all(len(value) <= 63 for value in labels.values()), title(item)


CHECKS = [
    names_are_unique_and_short,
    pods_are_restricted,
    our_containers_are_bounded,
    pods_have_no_kubernetes_token,
    one_image_serves_all,
    grace_covers_the_drain,
    secrets_are_files,
    files_are_mounted,
    probes_are_separate,
    selectors_never_change,
    scaled_workloads_have_no_replicas,
    budgets_let_nodes_drain,
    services_reach_their_pods,
    network_policies_are_complete_and_agree,
    objects_carry_the_standard_labels,
]
