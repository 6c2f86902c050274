"""Roles and numbers by the variables of others, and the manifest for Kubernetes."""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

import pytest

from mixgrad.command import join, main
from mixgrad.distributed._tasks import nodes_of

SLURM = {"SLURM_STEP_ID": "0", "SLURM_JOB_ID": "71", "SLURM_NTASKS": "4", "SLURM_PROCID": "0"}
MPICH = {"PMI_SIZE": "4", "PMI_RANK": "3", "MPI_LOCALNRANKS": "4", "PMI_JOBID": "k"}


def variables(environment: dict[str, str], **given: Any) -> dict[str, str]:
    asked = {"beside": False, "num_servers": None, "host": None, "port": None, "keys": None, **given}
    return join.variables_of(argparse.Namespace(**asked), environment)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n1", ["n1"]),
        ("n[1-3]", ["n1", "n2", "n3"]),
        ("a[08-10,2],b", ["a08", "a09", "a10", "a2", "b"]),
        ("r[1-2]n[0-1]", ["r1n0", "r1n1", "r2n0", "r2n1"]),
        ("", []),
    ],
)
def test_lists_of_nodes(text: str, names: list[str]) -> None:
    assert nodes_of(text) == names


def test_tasks_without_servers_are_all_workers() -> None:
    torchrun = {"RANK": "0", "WORLD_SIZE": "3", "LOCAL_WORLD_SIZE": "3", "MASTER_PORT": "29500"}
    for given in ({**torchrun, "MASTER_ADDR": "localhost"}, {**SLURM, "SLURM_STEP_NODELIST": "node[5]"}):
        first = variables(given, num_servers=0)
        assert (first["DMLC_ROLE"], first["MIXGRAD_NUMBER"]) == ("worker", "0")
        assert first["DMLC_NUM_SERVER"] == "0"
        assert first["DMLC_NUM_WORKER"] == given.get("WORLD_SIZE", "4")
        assert first["DMLC_PS_ROOT_URI"] == "127.0.0.1"
        assert int(first["DMLC_PS_ROOT_PORT"]) > 0
    told = {"DMLC_PS_ROOT_URI": "192.0.2.1", "DMLC_PS_ROOT_PORT": "21", "DMLC_NUM_SERVER": "0"}
    last = variables({**MPICH, **told})
    assert (last["DMLC_ROLE"], last["MIXGRAD_NUMBER"], last["DMLC_NUM_WORKER"]) == ("worker", "3", "4")


def test_slurm() -> None:
    one = {**SLURM, "SLURM_STEP_NODELIST": "node[5]"}
    scheduler = variables(one)
    assert (scheduler["DMLC_ROLE"], scheduler["DMLC_NUM_WORKER"]) == ("scheduler", "2")
    last = variables({**one, "SLURM_PROCID": "3"})
    assert (last["DMLC_ROLE"], last["MIXGRAD_NUMBER"]) == ("worker", "1")
    # All tasks of a job say the same, those of another job something else.
    assert last["DMLC_PS_ROOT_PORT"] == scheduler["DMLC_PS_ROOT_PORT"]
    assert variables({**one, "SLURM_JOB_ID": "72"})["DMLC_PS_ROOT_PORT"] != last["DMLC_PS_ROOT_PORT"]
    many = {**SLURM, "SLURM_STEP_NODELIST": "192.0.2.[5-6]"}
    assert variables(many)["DMLC_PS_ROOT_URI"] == "192.0.2.5"
    assert variables(many, num_servers=2)["DMLC_NUM_WORKER"] == "1"
    with pytest.raises(ValueError, match="which other machines do not reach"):
        variables({**SLURM, "SLURM_STEP_NODELIST": "localhost,elsewhere"})
    with pytest.raises(ValueError, match="at least one worker"):
        variables(one, num_servers=3)
    beside = variables({**one, "SLURM_PROCID": "3"}, num_servers=4, beside=True)
    assert (beside["MIXGRAD_NUMBER"], beside["DMLC_NUM_WORKER"]) == ("3", "4")
    with pytest.raises(ValueError, match="expected at least 5, which run servers"):
        variables(one, num_servers=5, beside=True)
    with pytest.raises(ValueError, match="SLURM_PROCID is 'x'"):
        variables({**one, "SLURM_PROCID": "x"})


def test_mpich() -> None:
    found = variables(MPICH)
    assert (found["DMLC_ROLE"], found["MIXGRAD_NUMBER"]) == ("worker", "1")
    assert found["DMLC_PS_ROOT_URI"] == "127.0.0.1"
    with pytest.raises(ValueError, match="which host task 0 can listen; expected --host"):
        variables({**MPICH, "MPI_LOCALNRANKS": "2"})
    with pytest.raises(ValueError, match="which port"):
        variables({**MPICH, "PMI_JOBID": ""})


def test_the_innermost_starter_counts() -> None:
    assert variables({**SLURM, **MPICH, "SLURM_STEP_NODELIST": "n"})["DMLC_ROLE"] == "scheduler"
    torch = {"RANK": "1", "WORLD_SIZE": "3", "MASTER_PORT": "65535", "MASTER_ADDR": "192.0.2.9"}
    found = variables({**SLURM, **torch})
    assert (found["DMLC_ROLE"], found["DMLC_PS_ROOT_PORT"]) == ("server", "65534")


def test_nobody_says() -> None:
    with pytest.raises(ValueError, match="nobody says which task this is"):
        variables({})


def read_yaml(text: str) -> Any:
    """The part of YAML that the manifest is written in: blocks of two spaces, scalars plain or as JSON's."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]

    def scalar(word: str) -> Any:
        if word in ("true", "false"):
            return word == "true"
        return word if re.fullmatch(r"[A-Za-z/][\w./-]*", word) else json.loads(word)

    def block(indent: int) -> Any:
        if lines[0].startswith(" " * indent + "- "):
            found = []
            while lines and lines[0].startswith(" " * indent + "- "):
                rest = lines[0][indent + 2 :]
                if re.match(r'("[^"]*"|[\w./-]+):( |$)', rest):
                    lines[0] = " " * (indent + 2) + rest
                    found.append(block(indent + 2))
                else:
                    lines.pop(0)
                    found.append(scalar(rest))
            return found
        pairs = {}
        while lines and re.match(rf" {{{indent}}}[^ -]", lines[0]):
            name, _, rest = lines.pop(0).strip().partition(":")
            pairs[scalar(name)] = scalar(rest.strip()) if rest.strip() else block(indent + 2)
        return pairs

    found = block(0)
    assert not lines, lines[0]
    return found


# What Kubernetes wants of these objects, by its reference of the API: names of fields and their types.
POD = {
    "containers": [
        {
            "name": str,
            "image": str,
            "command": [str],
            "args": [str],
            "env": [{"name": str, "value?": str, "valueFrom?": {"fieldRef": {"fieldPath": str}}}],
            "volumeMounts": [{"name": str, "mountPath": str, "subPathExpr": str, "readOnly": bool}],
        }
    ],
    "volumes": [
        {
            "name": str,
            "secret": {"secretName": str, "defaultMode": int, "items": [{"key": str, "path": str}]},
        }
    ],
    "restartPolicy?": str,
}
LABELS = {"app.kubernetes.io/name": str, "app.kubernetes.io/component": str}
META = {"name": str, "labels": LABELS}
SCHEMAS: dict[str, Any] = {
    "Service": {
        "clusterIP": str,
        "publishNotReadyAddresses": bool,
        "selector": LABELS,
        "ports": [{"name": str, "port": int}],
    },
    "StatefulSet": {
        "serviceName": str,
        "replicas": int,
        "podManagementPolicy": str,
        "selector": {"matchLabels": LABELS},
        "template": {"metadata": {"labels": LABELS}, "spec": POD},
    },
    "Job": {
        "completionMode": str,
        "completions": int,
        "parallelism": int,
        "backoffLimit": int,
        "template": {"metadata": {"labels": LABELS}, "spec": POD},
    },
}
VERSIONS = {"Service": "v1", "StatefulSet": "apps/v1", "Job": "batch/v1"}


def check(value: Any, schema: Any, at: str) -> None:
    if isinstance(schema, type):
        assert type(value) is schema, f"{at} is {value!r}"
    elif isinstance(schema, list):
        assert isinstance(value, list) and value, at
        for number, one in enumerate(value):
            check(one, schema[0], f"{at}[{number}]")
    else:
        assert isinstance(value, dict), at
        known = {name.rstrip("?") for name in schema}
        assert set(value) <= known, f"{at}: {set(value) - known}"
        for name, one in schema.items():
            if name.rstrip("?") in value:
                check(value[name.rstrip("?")], one, f"{at}.{name}")
            else:
                assert name.endswith("?"), f"{at} lacks {name}"


def test_manifest(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["launch", "-n", "3", "-s", "2", "--manifest", "kubernetes", "--name", "digits"]
    words += ["--image", "example.org/mixgrad:1", "--env", "A=yes: no", "python", "train.py", "--rate", "0.1"]
    assert main(words) == 0
    objects = {one["kind"]: one for one in map(read_yaml, capsys.readouterr().out.split("---\n"))}
    assert list(objects) == ["Service", "StatefulSet", "Job"]
    for kind, one in objects.items():
        schema = {"apiVersion": str, "kind": str, "metadata": META, "spec": SCHEMAS[kind]}
        check(one, schema, kind)
        assert one["apiVersion"] == VERSIONS[kind]
    service, store, job = (objects[kind] for kind in SCHEMAS)
    assert store["spec"]["serviceName"] == service["metadata"]["name"]
    assert store["spec"]["selector"]["matchLabels"] == store["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"] == store["spec"]["template"]["metadata"]["labels"]
    assert (store["spec"]["replicas"], job["spec"]["completions"]) == (3, 3)
    container = job["spec"]["template"]["spec"]["containers"][0]
    assert container["args"] == ["python", "train.py", "--rate", "0.1"]
    assert {"name": "A", "value": "yes: no"} in container["env"]
    assert store["spec"]["template"]["spec"]["volumes"][0]["secret"]["defaultMode"] == 0o400


def environment_of(container: dict[str, Any], fields: dict[str, str]) -> dict[str, str]:
    """What a pod's process gets."""
    found = {}
    for one in container["env"]:
        path = one.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath")
        found[one["name"]] = one["value"] if path is None else fields[path]
    return found


def folder_of(pod: dict[str, Any], variables: dict[str, str]) -> dict[str, str]:
    """Keys by name of file, as the container of a pod sees them."""
    folder = pod["containers"][0]["volumeMounts"][0]["subPathExpr"]
    for name, value in variables.items():
        folder = folder.replace(f"$({name})", value)
    paths = {one["path"]: one["key"] for one in pod["volumes"][0]["secret"]["items"]}
    return {path.partition("/")[2]: key for path, key in paths.items() if path.startswith(f"{folder}/")}


def test_pods_have_their_own_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["launch", "-n", "12", "-s", "11", "--manifest", "kubernetes", "--image", "x", "python", "t.py"]
    assert main(words) == 0
    _, store, job = map(read_yaml, capsys.readouterr().out.split("---\n"))
    pods = [one["spec"]["template"]["spec"] for one in (store, job)]
    for i in range(12):
        own = [f"server-{i - 1}.secret" if i else "scheduler.secret", f"worker-{i}.secret"]
        fields = {"metadata.name": f"mixgrad-store-{i}", "status.podIP": "192.0.2.1"}
        for pod, secret, more in zip(pods, own, ({}, {"JOB_COMPLETION_INDEX": str(i)})):
            known = {**environment_of(pod["containers"][0], fields), **more}
            assert folder_of(pod, known) == {name: name for name in ("public.txt", secret)}
    kinds = [{one["key"].split("-")[0] for one in pod["volumes"][0]["secret"]["items"]} for pod in pods]
    assert kinds == [{"public.txt", "scheduler.secret", "server"}, {"public.txt", "worker"}]


def test_pods_know_their_roles(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["launch", "-n", "2", "-s", "2", "--manifest", "kubernetes", "--image", "x", "python", "t.py"]
    assert main(words) == 0
    _, store, job = map(read_yaml, capsys.readouterr().out.split("---\n"))
    roles = []
    for i in range(3):
        fields = {"metadata.name": f"mixgrad-store-{i}", "status.podIP": f"192.0.2.{i}"}
        environment = environment_of(store["spec"]["template"]["spec"]["containers"][0], fields)
        found = {**environment, **variables(environment)}
        roles.append((found["DMLC_ROLE"], found["MIXGRAD_NUMBER"]))
        # The scheduler listens at its own address, others look for it by name.
        assert found["DMLC_PS_ROOT_URI"] == ("192.0.2.0" if i == 0 else "mixgrad-store-0.mixgrad")
    assert roles == [("scheduler", "0"), ("server", "0"), ("server", "1")]
    container = job["spec"]["template"]["spec"]["containers"][0]
    environment = {**environment_of(container, {"status.podIP": "192.0.2.9"}), "JOB_COMPLETION_INDEX": "1"}
    found = {**environment, **variables(environment)}
    assert (found["DMLC_ROLE"], found["MIXGRAD_NUMBER"]) == ("worker", "1")


@pytest.mark.parametrize("name", ["Digits", "-x", "a_b", "a" * 43])
def test_names_that_kubernetes_refuses(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["launch", "-n", "1", "--manifest", "kubernetes", f"--name={name}", "--image", "x", "true"]
    assert main(words) == 1
    assert "small letters" in capsys.readouterr().err
