"""Joins files of the project into one C++ source and one C header.

All of namespace mixgrad also lies in an unnamed namespace: what the file does not export is its own, so the
compiler drops what nobody uses, and no name can meet one of another file. What is not a loop over numbers is
compiled for size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from amalgam_check import closes_project
from amalgam_sources import Source, Tree

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
# What takes the place of the standard library's containers.
CONTAINERS = (
    "cpp/containers/std.h",
    *(f"cpp/containers/{n}.cc" for n in ("hash", "memory", "shared", "string", "vector")),
)


def joined(
    tree: Tree, sources: Sequence[Source], header: str, options: Mapping[str, bool], about: str
) -> str:
    """One C++ source of files in order, the header's text first."""
    around = {name: _part(tree, name) for name in ("begin", "cold_begin", "headers", "cold_end", "end")}
    included = {i.path for name in ("begin", "headers") for i in Source(name, around[name]).includes}
    parts = [f"// {about}"]
    parts += [f"#define {name} {int(value)}" for name, value in options.items()]
    parts += [around[name] for name in ("begin", "cold_begin", "headers", "cold_end")] + [header]
    hot = tuple(f"cpp/{name}" for name in _HOT.split())
    drivers = {f"cpp/kernels/{name}.cc" for name in _DRIVERS.split()}
    cold = False
    for source in sources:
        if source.floor == "mixgrad":
            continue
        if cold == (source.path.startswith(hot) and source.path not in drivers):
            parts.append(around["cold_end" if cold else "cold_begin"])
            cold = not cold
        parts.append(f"// ---- {source.path}\n{_enclosed(source, included)}")
    if cold:
        parts.append(around["cold_end"])
    return "\n\n".join([*parts, around["end"]]) + "\n"


def _part(tree: Tree, name: str) -> str:
    """What stands around the files, without the comments above it."""
    lines = (tree.root / "cpp/base/single_file" / f"{name}.inc").read_text(encoding="utf-8").split("\n")
    return "\n".join(line for line in lines if not line.startswith("//")).strip("\n")


def _enclosed(source: Source, included: set[str]) -> str:
    """The text without includes that stand above all files, its namespaces mixgrad in an unnamed one."""
    dropped = {i.line for i in source.includes if i.quoted or i.path in included}
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
