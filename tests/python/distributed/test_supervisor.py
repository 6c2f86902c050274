"""What needs no processes: clusters, placement, the supervisor's threads, files of events."""

from __future__ import annotations

import struct
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import mixgrad as mx
from mixgrad.distributed import ClusterSpec, Cut, Saver, SharedVariables, Supervisor, SyncReplicas
from mixgrad.distributed.placement import key_on, server_of
from mixgrad.optimizer import Optimizer, get_updater, state_file
from mixgrad.summary.records import crc32c


def test_cluster_spec() -> None:
    cluster = ClusterSpec({"worker": {2: "c:1", 0: "a:1"}, "ps": ["[::1]:7"]})
    assert cluster.jobs == ["ps", "worker"] and cluster.task_indices("worker") == [0, 2]
    assert cluster.job_tasks("worker") == ["a:1", None, "c:1"]
    assert cluster.as_dict() == {"ps": ["[::1]:7"], "worker": {0: "a:1", 2: "c:1"}}
    assert ClusterSpec(cluster) == cluster and ClusterSpec(cluster.as_dict()) == cluster
    assert not ClusterSpec({})
    with pytest.raises(ValueError, match=r"no task 1; expected one of \[0, 2\]"):
        cluster.task_address("worker", 1)


@pytest.mark.parametrize(
    ("tasks", "text"),
    [
        (["host"], "expected host:port"),
        (["host:0"], "expected host:port"),
        (["host:70000"], "expected host:port"),
        (["a b:1"], "expected host:port"),
        (["a:1", "a:1"], "both at a:1"),
        ([7], "expected host:port"),
    ],
)
def test_addresses_that_are_none(tasks: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        ClusterSpec({"ps": tasks})


@pytest.mark.parametrize("index", [-1, 1.5, "0", None, 1 << 40])
def test_numbers_of_tasks(index: Any) -> None:
    with pytest.raises(ValueError, match="expected whole numbers from 0"):
        ClusterSpec({"ps": {1: "a:1", index: "b:1"}})


def test_names_of_jobs() -> None:
    jobs: Any = {1: ["a:1"], "ps": ["b:1"]}
    with pytest.raises(TypeError, match="expected text"):
        ClusterSpec(jobs)


def test_arguments_of_servers() -> None:
    cluster = {"ps": ["127.0.0.1:7"], "worker": ["127.0.0.1:8"]}
    number: Any = "first"
    with pytest.raises(ValueError, match="restarts is -1; expected 0 or more"):
        mx.distributed.Server(cluster, "ps", 0, restarts=-1)
    with pytest.raises(ValueError, match="expected a whole number"):
        mx.distributed.Server(cluster, "ps", number)


def test_one_process_is_one_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DMLC_ROLE", "server")
    cluster = {"ps": ["127.0.0.1:7"], "worker": ["127.0.0.1:8"]}
    with pytest.raises(ValueError, match="DMLC_ROLE is 'server' in this process already"):
        mx.distributed.Server(cluster, "worker", 0)
    with pytest.raises(ValueError, match="expected ps and worker"):
        mx.distributed.Server({**cluster, "chief": ["127.0.0.1:9"]}, "worker", 0)
    with pytest.raises(ValueError, match="expected numbers from 0 on"):
        mx.distributed.Server({**cluster, "ps": {1: "127.0.0.1:9"}}, "worker", 0)


def test_strategies() -> None:
    arrays = [mx.nd.zeros((size,)) for size in (10, 1, 2, 30, 1)]

    def tasks(strategy: Any) -> list[int]:
        setter = mx.distributed.replica_device_setter(ps_tasks=3, ps_strategy=strategy)
        return [setter.task_of(str(i), array) for i, array in enumerate(arrays)]

    assert tasks("round_robin") == [0, 1, 2, 0, 1]
    assert tasks("bytes") == [0, 1, 2, 1, 2]
    assert tasks(lambda name, size: size // 4 % 3) == [1, 1, 2, 0, 1]
    with pytest.raises(ValueError, match="expected less than 3"):
        tasks(lambda name, size: 3)
    with pytest.raises(ValueError, match="'round_robin', 'bytes'"):
        tasks("best")
    assert mx.distributed.replica_device_setter()("a", arrays[0]) == "/job:worker"
    cluster = {"ps": ["a:1", "b:1"], "worker": ["c:1"]}
    assert mx.distributed.replica_device_setter(cluster=cluster).tasks == 2


def test_keys_for_every_task() -> None:
    for tasks in (1, 2, 5):
        for task in range(tasks):
            key = key_on("weight", task, tasks)
            assert server_of(key, tasks) == task and key.startswith("weight")


def test_the_mean_of_replicas_and_the_count_of_steps() -> None:
    rule = SyncReplicas(mx.optimizer.SGD(learning_rate=0.5, momentum=0.9), 2)
    weight, steps = mx.nd.zeros((2,)), mx.nd.zeros((3,), dtype="float64")
    other, plain = mx.nd.zeros((2,)), get_updater(mx.optimizer.SGD(learning_rate=0.5, momentum=0.9))
    updater = get_updater(rule)
    for _ in range(3):
        updater("w", mx.nd.array([2, 4]), weight)
        plain("w", mx.nd.array([1, 2]), other)
        updater("global_step", mx.nd.array([1, 1, 0], dtype="float64"), steps)
    assert weight.asnumpy().tolist() == other.asnumpy().tolist()
    assert steps.asnumpy().tolist() == [3, 3, 3]


def test_rules_travel_to_servers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from mixgrad.distributed import replicas

    data = state_file.dump(SyncReplicas(mx.optimizer.Adam(), 2, 3))
    monkeypatch.setattr(Optimizer, "opt_registry", dict(Optimizer.opt_registry))
    with pytest.raises(ValueError, match="not registered here"):
        state_file.load(data)
    replicas.register()
    rule = state_file.load(data)
    assert rule.policy == "first:2" and isinstance(rule.optimizer, mx.optimizer.Adam)


@pytest.mark.parametrize("numbers", [(0, 1), (3, 2)])
def test_replicas_that_are_not_there(numbers: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at most one of each"):
        SyncReplicas(mx.optimizer.SGD(), *numbers)


def test_an_error_of_any_thread_stops_all() -> None:
    supervisor = Supervisor()
    ended = []

    def fills() -> None:
        while not supervisor.should_stop():
            time.sleep(0.005)
        ended.append(True)

    def fails() -> None:
        time.sleep(0.05)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"), supervisor.managed_session() as session:
        supervisor.start_queue_runners([fills, fails])
        while not supervisor.should_stop():
            session.run(time.sleep, 0.005)
    assert ended == [True]


def test_an_error_of_training_stops_threads() -> None:
    supervisor = Supervisor()
    beats: list[int] = []
    with pytest.raises(ZeroDivisionError), supervisor.managed_session() as session:
        supervisor.loop(0.005, beats.append, 1)
        while len(beats) < 3:
            time.sleep(0.005)
        session.run(lambda: 1 // 0)
    count = len(beats)
    time.sleep(0.05)
    assert len(beats) == count and supervisor.should_stop()


def told_with(error: BaseException) -> str:
    return "\n".join([*getattr(error, "__notes__", []), str(error.__context__)])


def test_an_error_of_training_is_not_that_of_a_thread() -> None:
    supervisor = Supervisor()

    def fails() -> None:
        raise OSError("the disk is gone")

    with pytest.raises(KeyError, match="no batch") as caught, supervisor.managed_session():
        supervisor.start(fails).join()
        raise KeyError("no batch")
    assert "a thread had failed before" in told_with(caught.value)
    assert "OSError: the disk is gone" in told_with(caught.value)


@pytest.mark.parametrize("who", ["training", "thread", "nobody"])
def test_threads_that_are_late_are_told_of(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mx.distributed.supervisor, "_LAST_SECONDS", 0.1)
    supervisor, over = Supervisor(), threading.Event()

    def stays() -> None:
        over.wait()

    def fails() -> None:
        raise OSError("the disk is gone")

    try:
        kind = {"training": KeyError, "thread": OSError, "nobody": mx.MXNetError}[who]
        with pytest.raises(kind) as caught, supervisor.managed_session():
            supervisor.start(stays)
            if who == "thread":
                supervisor.start(fails).join()
            if who == "training":
                raise KeyError("no batch")
    finally:
        over.set()
    assert "supervisor stays did not end in 0 s" in f"{caught.value}\n{told_with(caught.value)}"


class CountingSaver(Saver):
    """Notes whether a step was going on while it made a cut."""

    def __init__(self) -> None:
        super().__init__(SharedVariables({"w": mx.nd.zeros((1,))}, mx.optimizer.SGD()))
        self.is_stepping = False
        self.cuts: list[tuple[bool, str]] = []
        self.writers: set[str] = set()

    def cut(self) -> Any:
        self.cuts.append((self.is_stepping, threading.current_thread().name))
        return "a cut"

    def write(self, cut: Any, folder: Any) -> Path:
        self.writers.add(threading.current_thread().name)
        return Path(folder)


def test_cuts_are_made_between_steps_and_written_beside_them(tmp_path: Path) -> None:
    saver = CountingSaver()
    supervisor = Supervisor(logdir=tmp_path, saver=saver, save_model_secs=0.01)

    def step() -> None:
        saver.is_stepping = True
        time.sleep(0.004)
        saver.is_stepping = False

    with supervisor.managed_session() as session:
        while len(saver.cuts) < 5:
            session.run(step)
    trainer = threading.current_thread().name
    assert set(saver.cuts) == {(False, trainer)}
    assert len(saver.writers) == 2  # the last one by the trainer itself


def cut_of(step: int) -> Cut:
    return Cut({"w": mx.nd.ones((1,))}, mx.nd.array([step], dtype="float64"))


def test_what_was_just_written_stays(tmp_path: Path) -> None:
    saver = Saver(SharedVariables({"w": mx.nd.zeros((1,))}, mx.optimizer.SGD()), 2)

    def steps() -> list[int]:
        return sorted(int(path.stem.split("-")[1]) for path in tmp_path.iterdir())

    for step, left in ((100, [100]), (200, [100, 200]), (5, [5, 100, 200]), (300, [200, 300])):
        path = saver.write(cut_of(step), tmp_path)
        assert path.exists() and steps() == left
    assert saver.latest(tmp_path) == tmp_path / "model-300.params"


class SlowSaver(CountingSaver):
    """Notes how many writes go on at once."""

    def __init__(self) -> None:
        super().__init__()
        self.running = 0
        self.most = 0

    def write(self, cut: Any, folder: Any) -> Path:
        self.running += 1
        self.most = max(self.most, self.running)
        time.sleep(0.05)
        self.running -= 1
        return super().write(cut, folder)


def test_one_file_is_written_at_a_time(tmp_path: Path) -> None:
    saver = SlowSaver()
    supervisor = Supervisor(logdir=tmp_path, saver=saver, save_model_secs=0.001)
    with supervisor.managed_session() as session:
        while not saver.running:
            session.run(time.sleep, 0.001)
    assert len(saver.writers) == 2 and saver.most == 1


def test_a_supervisor_needs_a_folder() -> None:
    with pytest.raises(ValueError, match="there is no logdir"):
        Supervisor(summary=dict)
    with pytest.raises(ValueError, match="there is no saver"):
        Supervisor().save()
    Supervisor(is_chief=False, summary=dict)


def test_restore_takes_the_same_variables(tmp_path: Path) -> None:
    path = str(tmp_path / "model-7.params")
    mx.nd.save(path, {"w": mx.nd.ones((2,)), "global_step": mx.nd.array([7], dtype="int64")})
    variables = SharedVariables({"w": mx.nd.zeros((2,))}, mx.optimizer.SGD())
    saver = Saver(variables)
    assert str(saver.latest(tmp_path)) == path
    saver.restore(path)
    assert variables.values["w"].asnumpy().tolist() == [1, 1] and variables.global_step == 7
    for name, shape in (("v", (2,)), ("w", (3,))):
        with pytest.raises(ValueError, match="expected"):
            Saver(SharedVariables({name: mx.nd.zeros(shape)}, mx.optimizer.SGD())).restore(path)


def records(path: Path) -> list[bytes]:
    """Events of a file, whose checksums hold."""
    data, found = path.read_bytes(), []

    def check(part: bytes, masked: bytes) -> None:
        rotated = (struct.unpack("<I", masked)[0] - 0xA282EAD8) & 0xFFFFFFFF
        assert (rotated >> 17 | rotated << 15) & 0xFFFFFFFF == crc32c(part)

    while data:
        (size,) = struct.unpack("<Q", data[:8])
        check(data[:8], data[8:12])
        check(data[12 : 12 + size], data[12 + size : 16 + size])
        found.append(data[12 : 12 + size])
        data = data[16 + size :]
    return found


def fields(message: bytes) -> dict[int, Any]:
    """A message of Protocol Buffers: numbers of fields and raw values."""
    found: dict[int, Any] = {}
    place = 0

    def varint() -> int:
        nonlocal place
        number = shift = 0
        while True:
            byte = message[place]
            place += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    while place < len(message):
        tag = varint()
        if tag & 7 == 0:
            value: Any = varint()
        else:
            size = {1: 8, 5: 4}.get(tag & 7) or varint()
            value = message[place : place + size]
            place += size
        found.setdefault(tag >> 3, []).append(value)
    return found


def test_events(tmp_path: Path) -> None:
    supervisor = Supervisor(
        logdir=tmp_path, summary=lambda: {"loss": 0.5, "rate é": -2.0}, global_step=lambda: 300
    )
    with supervisor.managed_session():
        pass
    (path,) = tmp_path.iterdir()
    first, *others = (fields(one) for one in records(path))
    assert first[3] == [b"brain.Event:2"]
    assert [one[2] for one in others] == [[300], [300]]
    values = [fields(value) for one in others for value in fields(one[5][0])[1]]
    assert [one[1][0].decode() for one in values] == ["loss", "rate é"]
    assert [struct.unpack("<f", one[2][0])[0] for one in values] == [0.5, -2.0]
    (when,) = {struct.unpack("<d", one[1][0])[0] for one in others}
    assert abs(when - time.time()) < 60


def test_summaries_of_two_threads_stay_whole(tmp_path: Path) -> None:
    names = [str(i) for i in range(20)]
    supervisor = Supervisor(
        logdir=tmp_path, summary=lambda: dict.fromkeys(names, 1.0), save_summaries_secs=0.001
    )
    with supervisor.managed_session() as session:
        for _ in range(20):
            session.run(time.sleep, 0.002)
            supervisor._summarize()
    (path,) = tmp_path.iterdir()
    found = [fields(fields(fields(one)[5][0])[1][0])[1][0].decode() for one in records(path)[1:]]
    assert len(found) > 21 * len(names) and found == names * (len(found) // len(names))


def test_a_step_that_is_none_changes_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "model-1.params")
    for step in (mx.nd.array([float("nan")]), mx.nd.array([-5.0]), mx.nd.array([1.5]), mx.nd.ones((3,))):
        mx.nd.save(path, {"w": mx.nd.zeros((2,)), "global_step": step})
        variables = SharedVariables({"w": mx.nd.ones((2,))}, mx.optimizer.SGD())
        with pytest.raises(ValueError, match="expected one whole number from 0 on"):
            Saver(variables).restore(path)
        assert variables.values["w"].asnumpy().tolist() == [1, 1] and variables.first_step == 0


def test_a_folder_is_no_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "model-9.params").mkdir()
    assert Saver(SharedVariables({}, mx.optimizer.SGD())).latest(tmp_path) is None


def test_a_save_before_training_does_not_wait(tmp_path: Path) -> None:
    saver = Saver(SharedVariables({"w": mx.nd.ones((2,))}, mx.optimizer.SGD()))
    with pytest.raises(ValueError, match="expected prepare before save"):
        Supervisor(logdir=tmp_path, saver=saver).save()


def test_arguments_of_supervisors(tmp_path: Path) -> None:
    wrong: Any
    for wrong in (-1, float("nan"), "x"):
        with pytest.raises(ValueError, match="expected a number, 0 or more"):
            Supervisor(logdir=tmp_path, save_model_secs=wrong)
    wrong = 3
    with pytest.raises(TypeError, match="expected a Saver"):
        Supervisor(logdir=tmp_path, saver=wrong)
    with pytest.raises(TypeError, match="expected an exception"):
        Supervisor(logdir=tmp_path).request_stop(wrong)
