"""Data for examples and tests: downloads, the MNIST digits, an iterator that repeats one batch."""

from __future__ import annotations

import bz2
import gzip
import os
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Mapping
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from .._base_names import data_dir as _data_dir
from .._files import read_file, write_file
from ..base import FileError, MissingFileError
from ..io import DataBatch, DataIter, MNISTIter
from ..io.files import idx_array

__all__ = [
    "DummyIter",
    "download",
    "download_model",
    "get_bz2_data",
    "get_cifar10",
    "get_mnist",
    "get_mnist_iterator",
    "get_mnist_pkl",
    "get_mnist_ubyte",
    "get_zip_data",
]

# Where the digits can be had, as the files of the original page.
_MNIST_URL = "https://ossci-datasets.s3.amazonaws.com/mnist/"
_MNIST = {
    "train_data": "train-images-idx3-ubyte",
    "train_label": "train-labels-idx1-ubyte",
    "test_data": "t10k-images-idx3-ubyte",
    "test_label": "t10k-labels-idx1-ubyte",
}


def download(
    url: str,
    fname: Optional[str] = None,
    dirname: Optional[str] = None,
    overwrite: bool = False,
    retries: int = 5,
) -> str:
    """Fetch a file from the network unless it is there; it appears complete or not at all.

    Parameters
    ----------
    url : str
        Where from.
    fname : str, optional
        Name of the file; by default the last part of ``url``.
    dirname : str, optional
        Folder, made if it is not there.
    overwrite : bool
        Whether a file that is there is fetched again.
    retries : int
        How many times to try; at least 1.

    Returns
    -------
    str
        Path of the file.

    Examples
    --------
    >>> import mixgrad as mx, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("text")
    >>> path = mx.test_utils.download((folder / "a.txt").as_uri(), "b.txt", dirname=str(folder / "new"))
    >>> pathlib.Path(path).read_text()
    'text'
    """
    path = fname or urllib.parse.unquote(url.rstrip("/").rpartition("/")[2])
    if dirname is not None:
        os.makedirs(dirname, exist_ok=True)
        path = os.path.join(dirname, path)
    if os.path.exists(path) and not overwrite:
        return path
    for attempt in range(max(1, retries)):
        try:
            content = _fetched(url)
            break
        except (urllib.error.URLError, OSError, ValueError) as error:
            if attempt + 1 >= retries or isinstance(error, ValueError):
                raise FileError(f"[download] cannot fetch {url!r}: {error}") from None
    write_file(path, content, "download")
    return path


def _fetched(url: str) -> bytes:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == "file":
        return read_file(urllib.request.url2pathname(parts.path), "download")
    with urllib.request.urlopen(url, timeout=60) as response:
        content: bytes = response.read()
    return content


def get_zip_data(data_dir: str, url: str, data_origin_name: str) -> None:
    """Fetch an archive and unpack it, unless it is there.

    Parameters
    ----------
    data_dir : str
        The folder.
    url : str
        Where from.
    data_origin_name : str
        The name of the archive in the folder.
    """
    path = os.path.join(data_dir, data_origin_name)
    if not os.path.exists(path):
        download(url, data_origin_name, data_dir)
        with zipfile.ZipFile(path) as archive:
            archive.extractall(data_dir)


def get_bz2_data(data_dir: str, data_name: str, url: str, data_origin_name: str) -> None:
    """Fetch a file that bzip2 has packed, and unpack it, unless that is there.

    Parameters
    ----------
    data_dir : str
        The folder.
    data_name : str
        The file to make in it.
    url : str
        Where from.
    data_origin_name : str
        The name of the packed file in the folder, which is removed.
    """
    path, packed = os.path.join(data_dir, data_name), os.path.join(data_dir, data_origin_name)
    if not os.path.exists(path):
        download(url, data_origin_name, data_dir)
        write_file(path, bz2.decompress(read_file(packed, "get_bz2_data")), "get_bz2_data")
        os.remove(packed)


def _need_files(who: str, *paths: str) -> None:
    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        raise MissingFileError(
            f"[{who}] {', '.join(missing)}: not there, and the server that had them is gone; expected them "
            "at that place"
        )


def get_cifar10() -> None:
    """Check that the CIFAR-10 images are in ``data/cifar``: MXNet's server, which had them, is gone."""
    _need_files(
        "get_cifar10", *(f"data/cifar/{part}.{kind}" for part in ("train", "test") for kind in ("rec", "lst"))
    )


def get_mnist_pkl() -> None:
    """Check that ``data/mnist.pkl.gz`` is there: its server is gone. ``get_mnist`` has the digits."""
    _need_files("get_mnist_pkl", "data/mnist.pkl.gz")


def download_model(
    model_name: str, dst_dir: str = "./", meta_info: Optional[Mapping[str, Mapping[str, str]]] = None
) -> tuple[Optional[str], int]:
    """Fetch a network and its parameters.

    Parameters
    ----------
    model_name : str
        Which of ``meta_info``.
    dst_dir : str
        Folder to put them in.
    meta_info : dict of dict, optional
        Addresses, ``symbol`` and ``params``, by names of models. There are none by default: the server of
        MXNet's models is gone.

    Returns
    -------
    str or None, int
        What ``mx.model.load_checkpoint`` takes; None where no address is known.
    """
    if meta_info is None:
        raise MissingFileError(
            f"[download_model] {model_name!r:.60}: the server of MXNet's models is gone; expected meta_info "
            "with addresses"
        )
    if model_name not in meta_info:
        return None, 0
    addresses = meta_info[model_name]
    for part in ("symbol", "params"):
        if part not in addresses:
            raise ValueError(f"[download_model] {model_name!r:.60} has no address of its {part}")
    download(addresses["symbol"], f"{model_name}-symbol.json", dst_dir)
    download(addresses["params"], f"{model_name}-0000.params", dst_dir)
    return os.path.join(dst_dir, model_name), 0


def _mnist_files(path: str, who: str) -> dict[str, str]:
    """The four files of digits, packed or not, in that folder or where ``vision.MNIST`` has them."""
    folders = [path, os.path.join(_data_dir(), "datasets", "mnist")]
    found: dict[str, str] = {}
    missing = []
    for key, name in _MNIST.items():
        places = (os.path.join(folder, name + end) for folder in folders for end in ("", ".gz"))
        place = next(filter(os.path.exists, places), None)
        if place is None:
            missing.append(name)
        else:
            found[key] = place
    if missing:
        raise MissingFileError(
            f"[{who}] {', '.join(missing)}: neither in {folders[0]!r} nor in {folders[1]!r}, and mixgrad "
            f"downloads nothing by itself; expected these files there, packed by gzip (.gz) or not. "
            f"{_MNIST_URL} has them: mx.test_utils.download({_MNIST_URL + missing[0] + '.gz'!r}, "
            f"dirname={path!r}) and so on"
        )
    return found


def get_mnist(path: str = "data") -> dict[str, npt.NDArray[Any]]:
    """Return the MNIST digits. Nothing is downloaded.

    Parameters
    ----------
    path : str
        Folder with the four idx files, packed by gzip or not; those that are missing there are looked for in
        ``datasets/mnist`` of ``mx.base.data_dir()``, as by ``gluon.data.vision.MNIST``.

    Returns
    -------
    dict of str to numpy.ndarray
        ``train_data`` (60000, 1, 28, 28) float32 in [0, 1], ``train_label`` (60000,), ``test_data`` and
        ``test_label`` of 10000.

    Raises
    ------
    MissingFileError
        A file is in neither folder; the error says which, and where it can be had.
    """
    arrays: dict[str, npt.NDArray[Any]] = {}
    for key, found in _mnist_files(path, "get_mnist").items():
        if key.endswith("label"):
            arrays[key] = idx_array(found, 1, "label files").astype(np.int8)
        else:
            arrays[key] = idx_array(found, 3, "image files")[:, np.newaxis].astype(np.float32) / 255
    return arrays


def get_mnist_ubyte(path: str = "data") -> None:
    """Put the four idx files of MNIST, found as by :func:`get_mnist`, into the folder ``path``, unpacked."""
    for key, found in _mnist_files(path, "get_mnist_ubyte").items():
        wanted = os.path.join(path, _MNIST[key])
        if found != wanted:
            os.makedirs(path, exist_ok=True)
            content = read_file(found, "get_mnist_ubyte")
            unpacked = gzip.decompress(content) if found.endswith(".gz") else content
            write_file(wanted, unpacked, "get_mnist_ubyte")


def get_mnist_iterator(
    batch_size: int, input_shape: tuple[int, ...], num_parts: int = 1, part_index: int = 0, path: str = "data"
) -> tuple[MNISTIter, MNISTIter]:
    """Return iterators over the digits for training and for validation.

    Parameters
    ----------
    batch_size : int
        Examples per batch.
    input_shape : tuple of int
        Of one example: three extents for images, one for rows of pixels.
    num_parts, part_index : int
        Which of several equal parts of the training digits.
    path : str
        See :func:`get_mnist_ubyte`.
    """
    get_mnist_ubyte(path)

    def batches(kind: str, **options: Any) -> MNISTIter:
        return MNISTIter(
            image=os.path.join(path, _MNIST[f"{kind}_data"]),
            label=os.path.join(path, _MNIST[f"{kind}_label"]),
            input_shape=input_shape,
            batch_size=batch_size,
            flat=len(input_shape) != 3,
            **options,
        )

    train = batches("train", shuffle=True, num_parts=num_parts, part_index=part_index)
    return train, batches("test", shuffle=False)


class DummyIter(DataIter):
    """Gives the first batch of another iterator again and again, for measuring speed.

    Parameters
    ----------
    real_iter : DataIter
        Where the batch comes from.

    Examples
    --------
    >>> import mixgrad as mx
    >>> same = mx.test_utils.DummyIter(mx.io.NDArrayIter(mx.nd.arange(4), batch_size=2))
    >>> same.next().data[0].asnumpy().tolist(), same.next().data[0].asnumpy().tolist()
    ([0.0, 1.0], [0.0, 1.0])
    """

    def __init__(self, real_iter: DataIter) -> None:
        super().__init__(real_iter.batch_size)
        self.real_iter = real_iter
        self.provide_data = real_iter.provide_data
        self.provide_label = real_iter.provide_label
        self.the_batch = next(real_iter)

    def next(self) -> DataBatch:
        """Return the batch."""
        return self.the_batch
