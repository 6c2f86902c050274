"""Words of MXNet that are not there yet, and of PyTorch and NumPy, with what to use instead."""

from __future__ import annotations

import re
import sys
from functools import reduce

# What modules are called in messages.
SHORT = {
    "mixgrad": "mx",
    "mixgrad.ndarray": "mx.nd",
    "mixgrad.symbol": "mx.sym",
    "mixgrad.module": "mx.mod",
    "mixgrad.ndarray.ops": "mx.nd.op",
    **{
        f"mixgrad.{name}": f"mx.{name}"
        for name in [
            "attribute",
            "autograd",
            "base",
            "callback",
            "context",
            "contrib",
            "engine",
            "error",
            "image",
            "executor",
            "executor_manager",
            "libinfo",
            "misc",
            "rtc",
            "util",
            "io",
            "kvstore",
            "log",
            "lr_scheduler",
            "metric",
            "model",
            "models",
            "monitor",
            "name",
            "optimizer",
            "passes",
            "profiler",
            "random",
            "registry",
            "rnn",
            "runtime",
            "summary",
            "test_utils",
        ]
    },
    "mixgrad.initializer": "mx.init",
    "mixgrad.visualization": "mx.viz",
    "mixgrad.optimizer.contrib": "mx.optimizer.contrib",
    **{
        f"mixgrad.{name}": f"mx.{name}"
        for name in ["gluon.loss", "gluon.nn", "nn", "nn.functional", "optim", "optim.lr_scheduler"]
    },
    **{
        f"mixgrad.{module}.{name}": f"mx.{short}.{name}"
        for module, short in (("ndarray", "nd"), ("symbol", "sym"))
        for name in ("contrib", "image", "linalg", "op", "random", "sparse")
    },
}

_ARRAYS = "arrays and their functions are in mx.nd, on which mx.autograd records gradients"

_ONNX = "networks go out as -symbol.json and .params files"

# Modules of MXNet 1.9.1 that are missing.
ABSENT = {
    "th": "functions of Torch cannot be called; " + _ARRAYS,
    "torch": "functions of Torch cannot be called; " + _ARRAYS,
    "library": "operators of your own are C++ in the source tree; functions are mx.autograd.Function",
    "onnx": _ONNX,
    "contrib.onnx": _ONNX,
    "notebook": "mx.summary.Writer writes what TensorBoard draws; mx.callback.progress shows a bar",
    "amp": "it is mx.contrib.amp; optimisers have multi_precision=True for weights of 16 bits",
}

_TENSOR = "mx.nd.array makes an array, whose class is mx.nd.NDArray"
_SCALED = "mx.nd.random.uniform, normal, randint and randn"

# What has no place in `mx`.
_TOP = {
    "Tensor": _TENSOR,
    "tensor": _TENSOR,
    "as_tensor": _TENSOR,
    "utils": "data are given by mx.gluon.data.DataLoader, mx.io.NDArrayIter and the like",
    "cuda": "devices are mx.gpu(i); mx.num_gpus() says how many there are",
    "device": "devices are mx.cpu(i) and mx.gpu(i), of the class mx.Context",
    "manual_seed": "it is mx.random.seed",
    "seed": "it is mx.random.seed",
    "save": "it is mx.nd.save for arrays, such as those of state_dict(), and save of a symbol",
    "load": "it is mx.nd.load for arrays, mx.sym.load for symbols",
    "grad": "it is mx.autograd.grad",
    "record": "it is mx.autograd.record",
    "backward": "it is mx.autograd.backward",
    "compile": "it is mx.jit",
    "rand": _SCALED,
    "float32": "dtypes are text or NumPy's, as in dtype='float32'",
    "float16": "dtypes are text or NumPy's, as in dtype='float16'",
    "float64": "dtypes are text or NumPy's, as in dtype='float64'",
    "int32": "dtypes are text or NumPy's, as in dtype='int32'",
    "int64": "dtypes are text or NumPy's, as in dtype='int64'",
    "train": "mx.mod.Module has fit",
    "set_num_threads": "it is mx.engine.set_num_threads",
}

# Functions on arrays, and on symbols: ours by theirs.
_FUNCTIONS = {
    "cat": "concat",
    "hstack": "concat(..., dim=1)",
    "vstack": "concat(..., dim=0)",
    "unsqueeze": "expand_dims",
    "permute": "transpose",
    "rollaxis": "transpose",
    "matmul": "dot for matrices, batch_dot for batches of them",
    "mm": "dot",
    "bmm": "batch_dot",
    "mv": "dot",
    "einsum": "dot, batch_dot and transpose",
    "clamp": "clip",
    "masked_fill": "where, which takes three arrays",
    "scatter_": "scatter_nd",
    "select": "where, take or pick",
    "gather": "pick or gather_nd",
    "index_select": "take",
    "scatter": "scatter_nd",
    "chunk": "split",
    "absolute": "abs",
    "asarray": "array",
    "tensor": "array",
    "as_tensor": "array",
    "Tensor": "array",
    "ndarray": "array",
    "randn": "random.randn or random.normal",
    "rand": "random.uniform",
    "randint": "random.randint",
    "randperm": "random.shuffle of an arange",
    "conv2d": "Convolution",
    "Conv2D": "Convolution",
    "Conv2d": "Convolution",
    "Conv2DTranspose": "Deconvolution",
    "Linear": "FullyConnected",
    "linear": "FullyConnected",
    "Dense": "FullyConnected",
    "dense": "FullyConnected",
    "max_pool2d": "Pooling(pool_type='max')",
    "MaxPool2d": "Pooling(pool_type='max')",
    "MaxPool2D": "Pooling(pool_type='max')",
    "avg_pool2d": "Pooling(pool_type='avg')",
    "BatchNorm2d": "BatchNorm",
    "ReLU": "relu, or Activation(act_type='relu')",
    "GELU": "LeakyReLU(act_type='gelu')",
    "gelu": "LeakyReLU(act_type='gelu')",
    "elu": "LeakyReLU(act_type='elu')",
    "leaky_relu": "LeakyReLU",
    "cross_entropy": "softmax_cross_entropy, or SoftmaxOutput in a network",
    "CrossEntropyLoss": "softmax_cross_entropy, or SoftmaxOutput in a network",
    "mse_loss": "LinearRegressionOutput in a network, or mean(square(a - b))",
    "std": "sqrt of the mean of square(a - mean); moments gives mean and variance",
    "var": "moments, which gives mean and variance",
    "average": "mean",
    "amax": "max",
    "amin": "min",
    "swapaxis": "swapaxes",
    "outer": "dot of a column and a row",
    "less": "lesser",
    "less_equal": "lesser_equal",
    "numel": "size_array",
    "isnan": "contrib.isnan",
    "isinf": "contrib.isinf",
    "isfinite": "contrib.isfinite",
    "LSTM": "RNN(mode='lstm'), or the cells of mx.rnn",
    "GRU": "RNN(mode='gru'), or the cells of mx.rnn",
    "save_params": "save",
    "load_params": "load",
}

_VALUES = {
    **dict.fromkeys(("boolean_mask", "masked_select"), "use a[mask.astype('bool')]"),
    **{name: f"use dtype='{name}'" for name in ("float16", "float32", "float64", "int32", "int64", "uint8")},
    **dict.fromkeys(("pi", "e", "inf", "nan"), "NumPy's constants serve, such as np.pi"),
    "newaxis": "use None",
    **{name: f"use mx.nd.sparse.{name}" for name in ("csr_matrix", "row_sparse_array")},
}

_ITERATORS = {
    "DataLoader": "it is mx.gluon.data.DataLoader or mx.io.NDArrayIter; your own derives from mx.io.DataIter",
    "Dataset": "it is mx.gluon.data.ArrayDataset or mx.io.NDArrayIter; your own derives from mx.io.DataIter",
}

_RANDOM = {
    "choice": "randint gives positions, which mx.nd.take picks",
    "permutation": "it is shuffle",
    "randperm": "it is shuffle, of an arange",
    "random": "it is uniform",
    "rand": "it is uniform",
    "seed": "it is mx.random.seed",
    "manual_seed": "it is mx.random.seed",
}

_LINALG = {
    "solve": "use potrf and trsm, or gemm2 with inverse",
    "inv": "it is inverse",
    "cholesky": "it is potrf",
    "eigh": "it is syevd",
    "qr": "it is gelqf",
    "norm": "it is mx.nd.norm",
    "matmul": "it is gemm2",
}

_ARRAY_OF_NN = "mx.np.array makes an array, whose class is mx.np.ndarray"

# Modules and losses: those of mx.nn by Gluon's names, and those of Gluon by PyTorch's.
_NN = {
    "Tensor": _ARRAY_OF_NN,
    "tensor": _ARRAY_OF_NN,
    "Dense": "it is Linear",
    "Activation": "each activation is a module of its own, such as ReLU",
    "HybridSequential": "it is Sequential; mx.jit makes a planned graph of one",
    "HybridBlock": "it is Module; mx.jit makes a planned graph of one",
    "Block": "it is Module",
    "SoftmaxCrossEntropyLoss": "it is CrossEntropyLoss",
    "L2Loss": "it is MSELoss",
    "DataLoader": "it is mx.nn.data.DataLoader",
    "save": "it is mx.nd.save, of what state_dict() gives",
    "load": "it is mx.nd.load, for load_state_dict",
}
_GLUON_NN = {
    "Linear": "it is Dense",
    "Module": "it is Block or HybridBlock; mx.nn.Module is that of PyTorch's habits",
    "ReLU": "it is Activation('relu')",
    "Sigmoid": "it is Activation('sigmoid')",
    "Tanh": "it is Activation('tanh')",
    **{f"BatchNorm{axes}d": "it is BatchNorm" for axes in (1, 2, 3)},
    **{f"AdaptiveAvgPool{axes}d": f"it is GlobalAvgPool{axes}D, for one window" for axes in (1, 2, 3)},
    "CrossEntropyLoss": "losses are in mx.gluon.loss: SoftmaxCrossEntropyLoss",
    "LSTM": "it is mx.gluon.rnn.LSTM",
    "GRU": "it is mx.gluon.rnn.GRU",
}
_GLUON_LOSS = {
    "CrossEntropyLoss": "it is SoftmaxCrossEntropyLoss",
    "NLLLoss": "it is SoftmaxCrossEntropyLoss(from_logits=True)",
    "MSELoss": "it is L2Loss, which halves the square",
    "BCELoss": "it is SigmoidBinaryCrossEntropyLoss(from_sigmoid=True)",
    "BCEWithLogitsLoss": "it is SigmoidBinaryCrossEntropyLoss",
    "SmoothL1Loss": "it is HuberLoss",
    "CosineSimilarity": "it is CosineEmbeddingLoss",
}

# Attributes of Gluon's blocks, and of Keras's models.
NN_MODULE = {
    **dict.fromkeys(
        ("save", "save_parameters", "save_weights"), "mx.nd.save(path, net.state_dict()) writes a file"
    ),
    **dict.fromkeys(
        ("load", "load_parameters", "load_weights"), "write net.load_state_dict(mx.nd.load(path))"
    ),
    "collect_params": "write net.named_parameters()",
    "initialize": "parameters have values from the start; mx.nn.init gives others",
    "hybridize": "mx.jit(net) makes a planned graph",
    "export": "mx.nn.GluonBlock(net) is a block, which has export",
    "compile": "mx.jit(net) makes a planned graph",
    "fit": "write the loop: loss.backward(), optimizer.step()",
    "summary": "print(net) shows its modules",
}

_MODULES = {
    "mixgrad.array_api": {
        "fft": "its results are complex numbers, which arrays do not hold; numpy.fft takes x.asnumpy()",
    },
    "mixgrad": _TOP,
    "mixgrad.nn": _NN,
    "mixgrad.gluon.nn": _GLUON_NN,
    "mixgrad.gluon.loss": _GLUON_LOSS,
    "mixgrad.io": _ITERATORS,
    "mixgrad.module": {
        "Sequential": "it is SequentialModule",
        "Model": "it is mx.mod.Module, or mx.model.FeedForward",
    },
    "mixgrad.random": _RANDOM,
    "mixgrad.ndarray.random": _RANDOM,
    **{f"mixgrad.{module}.linalg": _LINALG for module in ("ndarray", "symbol")},
    "mixgrad.contrib": {
        "onnx": _ONNX,
    },
    "mixgrad.symbol.random": _RANDOM,
    "mixgrad.summary": {"SummaryWriter": "it is mx.summary.Writer", "FileWriter": "it is mx.summary.Writer"},
    "mixgrad.callback": {"tqdm": "it is mx.callback.progress"},
    "mixgrad.autograd": {"enable_grad": "it is record", "GradientTape": "it is record"},
    "mixgrad.lr_scheduler": {
        "StepLR": "it is FactorScheduler",
        "MultiStepLR": "it is MultiFactorScheduler",
        "CosineAnnealingLR": "it is CosineScheduler",
    },
}


def in_module(module: str, name: str) -> str:
    """What to say of a name that a module lacks; empty when nothing is known of it."""
    if module == "mixgrad" and name in ABSENT:
        return f"it is not there yet; {ABSENT[name]}"
    known = _MODULES.get(module, {}).get(name)
    if known:
        return known
    if module in ("mixgrad.ndarray", "mixgrad.symbol", "mixgrad.ndarray.ops"):
        if name in _VALUES:
            return _VALUES[name]
        if name in _FUNCTIONS and _has(module, _FUNCTIONS[name]):
            return f"use {_FUNCTIONS[name]}"
    if module == "mixgrad":
        from . import ndarray, symbol

        if name in dir(ndarray) or name in _FUNCTIONS:
            return f"functions of arrays are in mx.nd: mx.nd.{_FUNCTIONS.get(name, name)}"
        if name in dir(symbol):
            return f"functions of symbols are in mx.sym: mx.sym.{name}"
    return ""


def _has(module: str, text: str) -> bool:
    """Whether a module has the function that a text begins with: symbols lack some that arrays have."""
    path = re.split(r"[^\w.]", text)[0].split(".")
    return reduce(lambda found, part: getattr(found, part, None), path, sys.modules[module]) is not None  # type: ignore[arg-type,return-value]


_CAST = "write a.astype({!r})"
_LOOK = "take a NumPy copy, as in a.asnumpy().{}()"

# Attributes of PyTorch's tensors and NumPy's arrays.
ARRAY = {
    "numpy": "a.asnumpy() is a NumPy copy",
    "cpu": "write a.as_in_context(mx.cpu())",
    "cuda": "write a.as_in_context(mx.gpu())",
    "view": "a.reshape(shape) is a view of the same memory",
    "ravel": "write a.reshape(-1)",
    "permute": "write a.transpose(axes)",
    "t": "write a.T",
    "unsqueeze": "write a.expand_dims(axis)",
    "dim": "write a.ndim",
    "numel": "write a.size",
    "expand": "write a.broadcast_to(shape)",
    "clamp": "write a.clip(a_min, a_max)",
    "mm": "write mx.nd.dot(a, b), or a @ b",
    "matmul": "write a @ b",
    "dot": "write mx.nd.dot(a, b), or a @ b",
    "bmm": "write mx.nd.batch_dot(a, b)",
    "add": "write a + b",
    "sub": "write a - b",
    "mul": "write a * b",
    "div": "write a / b",
    "pow": "write a ** b",
    "eq": "write a == b",
    "ne": "write a != b",
    "gt": "write a > b",
    "lt": "write a < b",
    "add_": "write a += b",
    "sub_": "write a -= b",
    "mul_": "write a *= b",
    "div_": "write a /= b",
    "zero_": "write a[:] = 0",
    "fill_": "write a[:] = value",
    "fill": "write a[:] = value",
    "copy_": "write a[:] = b, or b.copyto(a)",
    "clone": "write a.copy()",
    "contiguous": "arrays are contiguous always",
    "is_contiguous": "arrays are contiguous always",
    "data": "a.detach() is the same memory without its gradient",
    "grad_fn": "a.requires_grad says whether a is recorded",
    "is_cuda": "a.context says where a is",
    "chunk": "write a.split(num_outputs, axis)",
    "index_select": "write a.take(indices, axis)",
    "gather": "write a.pick(index, axis), or mx.nd.gather_nd",
    "masked_fill": "write mx.nd.where(mask, x, a)",
    "std": "write a.asnumpy().std(), or mx.nd.moments for gradients",
    "var": "write a.asnumpy().var(), or mx.nd.moments for gradients",
    "cumsum": "write mx.nd.cumsum(a, axis)",
    **{name: _LOOK.format(name) for name in ("any", "all", "nonzero", "tobytes", "tofile")},
    "unique": "take a NumPy copy, as in np.unique(a.asnumpy())",
    "float": _CAST.format("float32"),
    "double": _CAST.format("float64"),
    "half": _CAST.format("float16"),
    "int": _CAST.format("int32"),
    "long": _CAST.format("int64"),
    "byte": _CAST.format("uint8"),
    "bool": _CAST.format("bool"),
    "type": _CAST.format("float32"),
}

# What is said otherwise of arrays of ``mx.np``.
NP_ARRAY = {
    "clamp": "write a.clip(min, max)",
    "clamp_": "write a[:] = a.clip(min, max)",
    "mm": "write a @ b",
    "bmm": "write a @ b",
    "mv": "write a @ b",
    "chunk": "write mx.np.array_split(a, chunks, axis)",
    "gather": "write a.pick(index, axis), or mx.np.take_along_axis(a, index, axis)",
    "masked_fill": "write mx.np.where(mask, value, a)",
    "masked_fill_": "write a[mask] = value",
    "masked_select": "write a[mask]",
    "where": "write mx.np.where(condition, a, b)",
    "unique": "write mx.np.unique(a)",
    "roll": "write mx.np.roll(a, shift, axis)",
    "repeat_interleave": "write a.repeat(n, axis)",
    "narrow": "write a[start : start + length], or a[:, start : start + length] for axis 1",
    "unbind": "write list(a), or for other axes list(a.swapaxes(0, axis))",
    "median": "write mx.np.median(a, axis)",
    **{name: f"write mx.np.{name}(a)" for name in ("isnan", "isinf", "tril", "triu")},
    "abs_": "write a[:] = abs(a)",
    "squeeze_": "write a.squeeze(axis)",
    "unsqueeze_": "write a.expand_dims(axis)",
    "amax": "write a.max(axis)",
    "amin": "write a.min(axis)",
    "logsumexp": "write mx.np.log(mx.np.exp(a).sum(axis))",
    "new": "write a.new_zeros(shape), or a.new_tensor(values)",
}

# Attributes of symbols: those of arrays that need values, and those of networks.
SYMBOL = {
    **dict.fromkeys(
        ("numpy", "item", "tolist", "data", "grad_fn"),
        "a symbol has no values; bind it, or call eval(x=array)",
    ),
    "shape": "infer_shape(data=(...)) says what follows from shapes of inputs",
    "dtype": "infer_type(data='float32') says what follows from dtypes of inputs",
    "ndim": "infer_shape(data=(...)) says what follows from shapes of inputs",
    "context": "a symbol has no device before it is bound",
    "parameters": "list_arguments() names them; a mx.mod.Module has their values (get_params)",
    "summary": "mx.viz.print_summary(symbol, shape={'data': (...)}) prints one",
    "fit": "mx.mod.Module(symbol).fit trains it",
    "predict": "mx.mod.Module(symbol) predicts",
    "view": "write reshape(shape)",
    "permute": "write transpose(axes=...)",
    "unsqueeze": "write expand_dims(axis=...)",
    "t": "write transpose()",
    "T": "write transpose()",
    "dot": "write mx.sym.dot(a, b)",
    "matmul": "write mx.sym.dot(a, b)",
    "clamp": "write clip(a_min, a_max)",
}

# Attributes of PyTorch's and Keras's models.
MODEL = {
    "parameters": "get_params() gives those with and those without gradients, by name",
    "state_dict": "get_params() gives all by name, save_params(file) writes them",
    "load_state_dict": "write set_params(arg_params, aux_params), or load_params(file)",
    "load_weights": "write load_params(file)",
    "save": "write save_checkpoint(prefix, epoch), or save_params(file)",
    "save_weights": "write save_params(file)",
    "eval": "the mode goes with each call: forward(batch, is_train=False)",
    "train": "the mode goes with each call: forward(batch, is_train=True); fit trains",
    "zero_grad": "each backward replaces gradients, unless bind got grad_req='add'",
    "step": "write update()",
    "compile": "write init_optimizer(optimizer='sgd'), or give fit the optimizer",
    "evaluate": "write score(data, 'acc')",
    "summary": "mx.viz.print_summary(module.symbol, shape={'data': (...)}) prints one",
    "cuda": "devices are given at the start: mx.mod.Module(symbol, context=mx.gpu())",
    "to": "devices are given at the start: mx.mod.Module(symbol, context=mx.gpu())",
}

# Attributes of PyTorch's optimisers.
STEPPER = {
    "step": "mx.optimizer.get_updater(optimizer)(index, grad, weight) makes one; modules have update()",
    "zero_grad": "each backward replaces gradients, unless attach_grad or bind got grad_req='add'",
    "param_groups": "rates of single weights are set by set_lr_mult and set_wd_mult",
    "state_dict": "mx.optimizer.get_updater(optimizer).get_states() are bytes of all states",
}

# Parameters of operators: ours, of which an operator has one, by theirs; "not" where they mean the opposite.
PARAMETERS = {
    "dim": ("axis", "axes", "dim1"),
    "dims": ("axes", "axis"),
    "axis": ("dim", "axes"),
    "axes": ("axis",),
    "keepdim": ("keepdims",),
    "keep_dims": ("keepdims",),
    "min": ("a_min",),
    "max": ("a_max",),
    "device": ("ctx",),
    "size": ("shape",),
    "p": ("ord",),
    "rate": ("p",),
    "descending": ("not is_ascend",),
    "num_classes": ("depth",),
    "out_features": ("num_hidden",),
    "units": ("num_hidden",),
    "out_channels": ("num_filter",),
    "filters": ("num_filter",),
    "channels": ("num_filter",),
    "kernel_size": ("kernel",),
    "pool_size": ("kernel",),
    "strides": ("stride",),
    "padding": ("pad", "pad_width"),
    "dilation": ("dilate",),
    "groups": ("num_group",),
    "bias": ("not no_bias",),
    "use_bias": ("not no_bias",),
    "activation": ("act_type",),
    "epsilon": ("eps",),
    "negative_slope": ("slope",),
    "alpha": ("slope",),
    "type": ("dtype",),
    "repeat": ("repeats", "reps"),
}

# Options of optimisers: ours by theirs, said where an optimiser has them.
OPTIMIZER: dict[str, str | tuple[str, ...]] = {
    "lr": ("learning_rate",),
    "weight_decay": ("wd",),
    "eps": ("epsilon",),
    "betas": ("beta1", "beta2"),
    "clipnorm": "it is clip_gradient, which limits each element",
    "params": "weights are given to update, or by mx.mod.Module",
    "scheduler": ("lr_scheduler",),
}

# Arguments of Module.
MODULE = {
    "ctx": "it is context",
    "device": "it is context",
    "arg_params": "they are given to init_params, set_params or fit",
    "optimizer": "it is given to fit or init_optimizer",
}

# Arguments of functions that make arrays.
CREATION: dict[str, str | tuple[str, ...]] = {
    "device": "it is ctx, such as ctx=mx.cpu() or ctx=mx.gpu(0)",
    "context": ("ctx",),
    "requires_grad": "call attach_grad() on the array",
    "pin_memory": "it is ctx=mx.cpu_pinned()",
    "order": "arrays are row-major",
    "copy": "array copies always; from_numpy and from_dlpack do not",
    "object": ("source_array",),
    "data": ("source_array",),
    "source": ("source_array",),
    "fill_value": ("val",),
    "value": ("val",),
    "size": ("shape",),
    "end": ("stop",),
    "steps": ("num",),
    "n": ("N",),
    "m": ("M",),
}

# Arguments of iterators, metrics, initialisers and schedules.
OPTIONS: dict[str, str | tuple[str, ...]] = {
    "batchsize": ("batch_size",),
    "k": ("top_k",),
    "gain": ("magnitude",),
    "std": ("sigma",),
    "step_size": ("step",),
    "milestones": ("step",),
    "gamma": ("factor",),
    "T_max": ("max_update",),
    "drop_last": "it is last_batch_handle='discard'",
    "labels": ("label",),
    "x": ("data",),
    "y": ("label",),
}

# Arguments of random functions.
RANDOM: dict[str, str | tuple[str, ...]] = {
    "size": ("shape",),
    "mean": ("loc", "lam"),
    "mu": ("loc", "lam"),
    "std": ("scale",),
    "sigma": ("scale",),
    "stddev": ("scale",),
    "minval": ("low",),
    "maxval": ("high",),
    "device": ("ctx",),
}

# Arguments of fit.
_OPTIONS = "options of the optimiser go into optimizer_params={{{!r}: ...}}"
FIT = {
    **{name: _OPTIONS.format(name) for name in ("learning_rate", "momentum", "wd", "clip_gradient", "beta1")},
    "lr": _OPTIONS.format("learning_rate"),
    "weight_decay": _OPTIONS.format("wd"),
    "lr_scheduler": _OPTIONS.format("lr_scheduler"),
    "epochs": "it is num_epoch",
    "num_epochs": "it is num_epoch",
    "nb_epoch": "it is num_epoch",
    "validation_data": "it is eval_data, as in fit((X, y), eval_data=(X_val, y_val))",
    "metrics": "it is eval_metric",
    "metric": "it is eval_metric",
    "loss": "a loss is part of the symbol, such as mx.sym.SoftmaxOutput",
    "callbacks": "they are batch_end_callback and epoch_end_callback",
    "ctx": "devices are given to the module: mx.mod.Module(symbol, context=mx.gpu())",
    "logger": "it is given to the module: mx.mod.Module(symbol, logger=...)",
}
