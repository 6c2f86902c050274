"""Joins files of the project into one C++ source and one C header.

All of namespace mixgrad also lies in an unnamed namespace: what the file does not export is its own, so the
compiler drops what nobody uses, and no name can meet one of another file. What is not a loop over numbers is
compiled for size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from amalgam_check import closes_project
from amalgam_sources import Source

# GCC for 32-bit ARM aligns literals by the options at the end of the file and reads them by those of the
# function, four bytes at a time: options per function do not mix there.
_COLD_BEGIN = """\
#if defined(__clang__)
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#elif defined(__GNUC__) && !defined(__arm__)
#pragma GCC push_options
#if __GNUC__ >= 12
#pragma GCC optimize("Oz")
#else
#pragma GCC optimize("Os")
#endif
#endif"""
_COLD_END = """\
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__) && !defined(__arm__)
#pragma GCC pop_options
#endif"""
# GNU's library exports what is made from its templates, whatever the file that makes it wants; containers are
# our own business. What the library itself holds must be declared before.
_HIDDEN_BEGIN = """\
#if defined(_GLIBCXX_VISIBILITY)
#pragma push_macro("_GLIBCXX_VISIBILITY")
#undef _GLIBCXX_VISIBILITY
#define _GLIBCXX_VISIBILITY(V) __attribute__((visibility("hidden")))
#endif"""
_THROWN = """\
#include <exception>
#include <iosfwd>
#include <new>
#if __has_include(<bits/functexcept.h>)
#include <bits/functexcept.h>
#endif
#if __has_include(<bits/hash_bytes.h>)
#include <bits/hash_bytes.h>
#endif"""
_HIDDEN_END = """\
#if defined(_GLIBCXX_VISIBILITY)
#pragma pop_macro("_GLIBCXX_VISIBILITY")
#endif"""
# A file with parts left out has functions that only those parts used. How wide vectors are passed is no one
# else's business. GCC 12 takes calls of functions without a body left for values never set, and an empty
# std::vector for a null pointer. Handles of the C header hold containers, which are hidden. Clang tells of
# loops that are not vectorised where they are compiled for size, and of functions declared before that.
_QUIET = """\
#if defined(__GNUC__)
#pragma GCC diagnostic push
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wnonnull"
#pragma GCC diagnostic ignored "-Wattributes"
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#pragma clang diagnostic ignored "-Wignored-attributes"
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#pragma GCC diagnostic ignored "-Wpsabi"
#endif"""
_QUIET_END = """\
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif"""
# What is compiled for speed, by the beginning of its path under cpp/: kernels, loops over what models hold,
# and small functions that these call, which GCC would not inline into them if they were compiled for size.
_HOT = """
kernels/ launch/launch.h launch/pointwise.h kernel_source/ op/scalar op/tile ops/unary_table
ops/nn/fused_epilogue base/build base/cpu base/dtype base/span base/checksum.cc files/weights.cc
ops/nn/dropout.cc ops/nn/lrn.cc ops/reduce/arg_reduce.cc ops/elementwise/where.cc
ops/optimizer/optimizer_norms.cc
"""
# Files among them without loops of their own: they drive others, or do what is seldom asked for.
_DRIVERS = """
convolution/conv_call convolution/conv_choice convolution/conv_depthwise_plan convolution/conv_direct
convolution/conv_grouped convolution/conv_kernel convolution/conv_plan convolution/conv_rule
convolution/conv_step_grad convolution/conv_whole convolution/conv_window_grad convolution/conv_winograd
convolution/conv_winograd_grad gemm/gemm gemm/gemm_sparse image/resample linalg/matrix_kernels
linalg/matrix_reflections loops/region math/math_special normalization/channel_norm random/random_samplers
reduce/reduce softmax/softmax_loop scratch
"""
# In networks with convolutions the innermost loops of products, convolutions and pooling alone take time.
_HOT_IN_CONVOLUTIONS = """
kernels/view kernels/math/math kernels/loops/transpose_tile kernels/loops/lanes kernels/gemm/gemm_kernel
kernels/gemm/gemm_sparse_kernel kernels/gemm/gemm_dots.h kernels/convolution/conv_tile
kernels/convolution/conv_epilogue kernels/convolution/conv_flat kernels/convolution/conv_depthwise_row
kernels/convolution/conv_winograd_transform kernels/pooling/pool_rows kernels/pooling/pool_block
ops/nn/conv_blocked.h ops/nn/fused_epilogue base/build base/cpu base/dtype base/span
"""
_HIDDEN = ("algorithm", "deque", "mutex", "numeric", "optional", "variant", "vector")
# Of these no part that the library itself holds is used, once texts and shared owners are the project's own.
_HIDDEN_FIRST = ("string_view", "memory")
_HELD = ("chrono", "exception", "new", "string", "system_error")  # by the library itself, in part
# Parts of the standard library of which the same is true. The rest is containers, texts and threads.
_LIGHT = (
    *("array", "atomic", "cmath", "cstddef", "cstdint", "cstring", "limits", "math.h", "type_traits"),
    "utility",
)

# Of the standard library's containers the ones that have brothers of the same meaning in cpp/containers/.
_SLIM = re.compile(
    r"\bstd::(string|vector|shared_ptr|make_shared|make_unique|enable_shared_from_this|unordered_(?:map|set)"
    r"|(?:any_of|fill|fill_n|find|find_if|none_of)(?=\()|(?:clamp|max|min)(?=[<(]))\b"
)
# What makes objects, whose memory does not fail in the single file (cpp/containers/memory.h); and memory for
# some that have a size of their own.
_NEW = re.compile(r"\bnew (?=[A-Z]\w*\W|double\[|(?:engine|ops)::)")
_ROOM = re.compile(r"::operator new\((?=sizeof[^,;]*\);)")
SLIM = tuple(f"cpp/containers/{name}.cc" for name in ("hash", "memory", "shared", "string", "vector"))


def joined(
    sources: Sequence[Source], header: str, options: Mapping[str, bool], about: str, convolutions: bool
) -> str:
    """One C++ source of files in order, the header's text first.

    With `convolutions`, products, convolutions and pooling alone are compiled for speed.
    """
    system = sorted({i.path for s in sources for i in s.includes if not i.quoted and not i.conditional})
    parts = [f"// {about}"]
    parts += [f"#define {name} {int(value)}" for name, value in options.items()]
    light = [path for path in system if path in _LIGHT or path.endswith(".h")]
    hidden = [path for path in system if path in _HIDDEN]
    heavy = [path for path in system if path not in (*light, *hidden, *_HIDDEN_FIRST, *_HELD)]
    parts += [_QUIET, _THROWN, _HIDDEN_BEGIN, _includes(light), _HIDDEN_END, _COLD_BEGIN]
    parts += [_HIDDEN_BEGIN, _includes(_HIDDEN_FIRST), _HIDDEN_END, _includes(_HELD)]
    parts += [_HIDDEN_BEGIN, _includes(hidden), _HIDDEN_END, _includes(heavy), _COLD_END]
    parts += [header]
    hot = tuple(f"cpp/{name}" for name in (_HOT_IN_CONVOLUTIONS if convolutions else _HOT).split())
    drivers = {f"cpp/kernels/{name}.cc" for name in _DRIVERS.split()}
    cold = False
    for source in sources:
        if source.floor == "mixgrad":
            continue
        if cold == (source.path.startswith(hot) and source.path not in drivers):
            parts.append(_COLD_END if cold else _COLD_BEGIN)
            cold = not cold
        text = _enclosed(source, set(system))
        if source.floor != "containers":
            text = _NEW.sub("new (mixgrad::containers::kOrEnd) ", text)
            text = _ROOM.sub("mixgrad::containers::take_object_memory(", text)
            text = _SLIM.sub(r"mixgrad::containers::\1", text)
        parts.append(f"// ---- {source.path}\n{text}")
    if cold:
        parts.append(_COLD_END)
    parts.append(_QUIET_END)
    return "\n\n".join(parts) + "\n"


def _enclosed(source: Source, system: set[str]) -> str:
    """The text without includes that stand above all files, its namespaces mixgrad in an unnamed one."""
    dropped = {i.line for i in source.includes if i.quoted or i.path in system}
    dropped |= {d.line for d in source.directives if (d.word, d.rest) == ("pragma", "once")}
    code = {number for number, _ in source.lines}
    kept: list[str] = []
    for number, line in enumerate(source.text.split("\n"), 1):
        if number in dropped:
            continue
        opens = number in code and line.startswith("namespace mixgrad")
        kept += ["namespace {", line] if opens else [line]
        if number in code and closes_project(line):
            kept.append("}")
    return "\n".join(kept).strip("\n")


def _includes(paths: Iterable[str]) -> str:
    return "\n".join(f"#include <{path}>" for path in paths)


def header_of(headers: Iterable[str], interfaces: Iterable[Source], about: str, prefix: str) -> str:
    """One C header of the functions that files of cpp/c_api/ define, with the types and constants around.

    A prefix gives the functions other names for the linker; programs go on calling them by their own, so a
    source has one such header.
    """
    defined = {_function(line) for source in interfaces for _, line in source.lines if line[:1].isalpha()}
    named = sorted(name for name in defined if name.startswith(("mg_", "MX")))
    own = f"MIXGRAD_ALL_PREFIX_{prefix}"
    parts = [f"/* {about} */", "#ifndef MIXGRAD_ALL_H_", "#define MIXGRAD_ALL_H_", f"#define {own}"]
    if prefix:
        parts.append("\n".join(f"#define {name} {prefix}{name}" for name in named))
    parts += [_only_defined(text, defined) for text in headers]
    parts.append(f"#elif !defined({own})")
    parts.append('#error "a mixgrad-all.h of another --prefix is included already; a source can include one"')
    parts.append("#endif /* MIXGRAD_ALL_H_ */")
    return "\n".join(parts) + "\n"


def _function(line: str) -> str:
    """The word before the first parenthesis."""
    return (line.split("(")[0].split() or [""])[-1].lstrip("*") if "(" in line else ""


def _only_defined(header: str, defined: set[str]) -> str:
    """A C header without prototypes of functions that are not defined, and comments of such alone."""
    out: list[str] = []
    comment: list[str] = []  # that may turn out to be of nothing
    lines = iter(header.split("\n"))
    lost = False  # a prototype below the comment
    for line in lines:
        if line.startswith(("#pragma once", '#include "')):
            continue
        block = [line]
        if line.startswith(("MG_EXPORT", "MXNET_DLL", "/*")):
            end = "*/" if line.startswith("/*") else ");"
            while end not in block[-1]:
                block.append(next(lines))
        if line.startswith("/*") or not line.startswith(("MG_EXPORT", "MXNET_DLL")):
            out += [] if lost else comment
            comment, lost = [], False
        elif _function(line) not in defined:
            lost = True
            continue
        if line.startswith("/*") and "----" not in line:
            comment = block
        else:
            out += comment + block
            comment, lost = [], False
    out += comment
    return "\n".join(now for now, before in zip(out, ["", *out]) if now or before).strip("\n")
