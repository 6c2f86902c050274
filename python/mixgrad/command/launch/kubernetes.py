"""A manifest by which Kubernetes runs a training.

A headless service gives names; the pods of a StatefulSet are the scheduler (0) and the servers (from 1 on),
those of an indexed Job the workers. In each, ``mixgrad join`` takes role and number from what Kubernetes
says. Keys come from a secret that the user makes of a folder of ``mixgrad keys``: the pods of each role mount
those of their role, in a folder for each pod, and each container sees its pod's folder alone.
"""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

from ...base import InvalidArgumentError
from .local import pairs

__all__ = ["manifest", "objects", "yaml_of"]

_PORT = 9091
_NAME = re.compile(r"[a-z]([-a-z0-9]{0,40}[a-z0-9])?")
_PLAIN = re.compile(r"[A-Za-z/][\w./-]*")
_KEYS = "/etc/mixgrad/keys"


def _scalar(value: Any) -> str:
    words = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in words:
        return value
    return json.dumps(value)  # whose scalars are YAML's


def yaml_of(value: Any, indent: str = "") -> str:
    """A tree of dicts, lists and scalars as YAML.

    >>> from mixgrad.command.launch.kubernetes import yaml_of
    >>> print(yaml_of({"a": [1, {"b": "x: y", "c": []}]}), end="")
    a:
      - 1
      - b: "x: y"
        c: []
    """
    lines = ""
    if isinstance(value, dict):
        for key, one in value.items():
            is_block = isinstance(one, (dict, list)) and one
            text = f"\n{yaml_of(one, indent + '  ')}" if is_block else f" {_scalar(one)}\n"
            lines += f"{indent}{_scalar(key)}:{text}"
        return lines
    for one in value:
        if isinstance(one, (dict, list)) and one:
            lines += f"{indent}- {yaml_of(one, indent + '  ').lstrip()}"
        else:
            lines += f"{indent}- {_scalar(one)}\n"
    return lines


def _keys(secret: str, secrets: dict[str, str]) -> dict[str, Any]:
    """A volume with a folder for each pod: what all know, and the pod's own secret, given by folder."""
    files = ((folder, key) for folder, own in secrets.items() for key in ("public.txt", own))
    items = [{"key": key, "path": f"{folder}/{key}"} for folder, key in files]
    return {"name": "keys", "secret": {"secretName": secret, "defaultMode": 0o400, "items": items}}


def _container(
    name: str, given: argparse.Namespace, servers: int, more: dict[str, Any], folder: str
) -> dict[str, Any]:
    variables: dict[str, Any] = {
        "DMLC_NUM_WORKER": str(given.num_workers),
        "DMLC_NUM_SERVER": str(servers),
        "DMLC_PS_ROOT_URI": f"{given.name}-store-0.{given.name}",
        "DMLC_PS_ROOT_PORT": str(_PORT),
        "DMLC_NODE_HOST": {"fieldRef": {"fieldPath": "status.podIP"}},
        "MIXGRAD_KEYS": _KEYS,
        **pairs(given.env),
        **more,
    }
    return {
        "name": name,
        "image": given.image,
        "command": [given.python or "python3", "-m", "mixgrad", "join", "--"],
        "args": given.command,
        "env": [
            {"name": key, "value": value} if isinstance(value, str) else {"name": key, "valueFrom": value}
            for key, value in variables.items()
        ],
        "volumeMounts": [{"name": "keys", "mountPath": _KEYS, "subPathExpr": folder, "readOnly": True}],
    }


def objects(given: argparse.Namespace, servers: int) -> list[dict[str, Any]]:
    """The service, the StatefulSet and the Job."""
    if not given.image:
        raise SystemExit("mixgrad launch: --manifest needs --image, which has mixgrad and the command")
    if not _NAME.fullmatch(given.name):
        raise InvalidArgumentError(
            f"[launch] --name is {given.name!r}; expected small letters, digits and -, at most 42"
        )
    name = given.name
    own = ["scheduler.secret", *(f"server-{i}.secret" for i in range(servers))]
    of_store = {f"{name}-store-{i}": secret for i, secret in enumerate(own)}
    of_worker = {f"worker-{i}": f"worker-{i}.secret" for i in range(given.num_workers)}
    of_pod = {"fieldRef": {"fieldPath": "metadata.name"}}

    def labels(part: str) -> dict[str, str]:
        return {"app.kubernetes.io/name": name, "app.kubernetes.io/component": part}

    store = {"MIXGRAD_POD": of_pod, **pairs(given.env_server)}
    work = {"DMLC_ROLE": "worker", **pairs(given.env_worker)}
    return [
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": name, "labels": labels("store")},
            "spec": {
                "clusterIP": "None",
                "publishNotReadyAddresses": True,
                "selector": labels("store"),
                "ports": [{"name": "scheduler", "port": _PORT}],
            },
        },
        {
            "apiVersion": "apps/v1",
            "kind": "StatefulSet",
            "metadata": {"name": f"{name}-store", "labels": labels("store")},
            "spec": {
                "serviceName": name,
                "replicas": 1 + servers,
                "podManagementPolicy": "Parallel",
                "selector": {"matchLabels": labels("store")},
                "template": {
                    "metadata": {"labels": labels("store")},
                    "spec": {
                        "containers": [_container("store", given, servers, store, "$(MIXGRAD_POD)")],
                        "volumes": [_keys(f"{name}-keys", of_store)],
                    },
                },
            },
        },
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": f"{name}-worker", "labels": labels("worker")},
            "spec": {
                "completionMode": "Indexed",
                "completions": given.num_workers,
                "parallelism": given.num_workers,
                "backoffLimit": given.restarts,
                "template": {
                    "metadata": {"labels": labels("worker")},
                    "spec": {
                        "restartPolicy": "Never",
                        "containers": [
                            _container("worker", given, servers, work, "worker-$(JOB_COMPLETION_INDEX)")
                        ],
                        "volumes": [_keys(f"{name}-keys", of_worker)],
                    },
                },
            },
        },
    ]


def manifest(given: argparse.Namespace, servers: int) -> str:
    """The objects as one file of YAML."""
    made = objects(given, servers)
    head = (
        f"# mixgrad keys keys -n {given.num_workers} -s {servers}\n"
        f"# kubectl create secret generic {given.name}-keys --from-file=keys\n"
        "# kubectl apply -f FILE; when the Job is complete: kubectl delete -f FILE\n"
    )
    return head + "---\n".join(yaml_of(one) for one in made)
