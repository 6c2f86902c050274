"""Records by s3:// from moto's server, which fails, stalls and cuts one answer in ten, and by http:// from
such a server.

    python tests/soak/remote_records.py [RECORDS]

All records must come once, in order, and by key. Needs s3fs, moto[server] and aiohttp; ends with 0 and says
so where they are missing. Connects to 127.0.0.1 only.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python" / "records"))
from unreliable_server import serve

import mixgrad as mx
from mixgrad.recordio import MXIndexedRecordIO, MXRecordIO, RemoteOptions

ROUNDS = ("fail", "stall", "cut")


class Unreliable:
    """A web application of which every tenth answer to GET with a range goes wrong."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self.lock = threading.Lock()
        self.requests, self.went_wrong = 0, []  # type: int, list[str]

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "GET" or "HTTP_RANGE" not in environ:
            answer: Iterable[bytes] = self.application(environ, start_response)
            return answer
        with self.lock:
            self.requests += 1
            fate = ROUNDS[len(self.went_wrong) % 3] if self.requests % 10 == 0 else ""
            if fate:
                self.went_wrong.append(fate)
        if fate == "fail":
            start_response("503 Slow Down", [("Content-Length", "0")])
            return [b""]
        if fate == "stall":
            time.sleep(3)
        content = b"".join(self.application(environ, start_response))
        return [content[: len(content) // 2] if fate == "cut" else content]


def check(name: str, uri: str, records: list[bytes], remote: RemoteOptions) -> None:
    begin = time.perf_counter()
    reader = MXRecordIO(uri, "r", remote=remote)
    for number, record in enumerate(records):
        assert reader.read() == record, f"{name}: record {number} differs"
    assert reader.read() is None
    parts = [MXRecordIO(uri, "r", part_index=i, num_parts=3, remote=remote) for i in range(3)]
    assert [x for part in parts for x in iter(part.read, None)] == records, f"{name}: parts differ"
    keyed = MXIndexedRecordIO(None, uri, "r", remote=remote)
    order = np.random.default_rng(1).permutation(len(records))[:100]
    assert keyed.read_batch(order) == [records[i] for i in order], f"{name}: records by key differ"
    size = sum(map(len, records)) / 1e6
    print(f"{name}: {len(records)} records ({size:.0f} MB) in order, in 3 parts, and 100 by key: "
          f"{time.perf_counter() - begin:.1f} s")  # fmt: skip


def main() -> int:
    try:
        import aiohttp  # noqa: F401
        import s3fs
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server
    except ImportError as missing:
        print(f"remote_records: skipped, {missing.name} is not installed")
        return 0
    rng = np.random.default_rng(0)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    records = [rng.bytes(int(rng.integers(150_000))) for _ in range(count)]
    remote = RemoteOptions(time_limit=1.0, request_bytes=512 * 1024, cache_bytes=8 << 20)

    with tempfile.TemporaryDirectory() as folder:
        with MXRecordIO(f"{folder}/a.rec", "w") as writer:
            for record in records:
                writer.write(record)
        content = Path(folder, "a.rec").read_bytes()
    with serve(content, every=10) as server:
        check("http", server.url, records, remote)
        print(f"  {server.requests} requests, of which {len(server.went_wrong)} went wrong")

    application = Unreliable(DomainDispatcherApplication(create_backend_app))
    moto = make_server("127.0.0.1", 0, application, threaded=True)
    threading.Thread(target=moto.serve_forever, daemon=True).start()
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{moto.server_port}", "AWS_MAX_ATTEMPTS": "1",
    }  # fmt: skip
    s3fs.S3FileSystem().mkdir("bucket")
    with MXIndexedRecordIO("s3://bucket/b.idx", "s3://bucket/b.rec", "w") as indexed:
        for key, record in enumerate(records):
            indexed.write_idx(key, record)
    check("s3", "s3://bucket/b.rec", records, remote)
    reader = MXIndexedRecordIO("s3://bucket/b.idx", "s3://bucket/b.rec", "r", remote=remote)
    assert reader.read_idx(count // 2) == records[count // 2]
    assert sorted(s3fs.S3FileSystem().ls("bucket")) == ["bucket/b.idx", "bucket/b.rec"]
    print(f"  {application.requests} requests, of which {len(application.went_wrong)} went wrong")
    try:
        MXRecordIO("s3://bucket/missing.rec", "r", remote=remote)
        raise AssertionError("a missing file was opened")
    except mx.base.MissingFileError as error:
        print(f"  {error}")
    moto.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
