"""Joins files of the project into one C++ source and one C header.

All of namespace mixgrad also lies in an unnamed namespace: what the file does not export is its own, so the
compiler drops what nobody uses, and no name can meet one of another file. What is not a loop over numbers is
compiled for size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from cpp_scan import Source

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
# Where loops over numbers are: files with loops for each instruction set, and the innermost loops of
# products, convolutions and pooling. In networks with convolutions these alone take time. Others drive them.
_LOOPS = re.compile(r"\bMIXGRAD_(?:TARGET\w+|VECTORIZE)\b|\bvector_size\b")
_HAVE_LOOPS = ("cpp/op/", "cpp/launch/", "cpp/kernels/", "cpp/ops/")
_KERNELS = re.compile(
    r"cpp/kernels/(gemm/gemm_(kernel|sparse_kernel)|loops/transpose_tile"
    r"|convolution/conv_(tile|epilogue|flat|depthwise_row|winograd_transform)|pooling/pool_(rows|block))\.cc"
)
# Files that put what products and convolutions read in another order, and pooling of every kind.
_COPIES = re.compile(r"cpp/kernels/(gemm/gemm_pack|convolution/conv_(window|block)|pooling/pool_kernel)\.cc")
_FILES = re.compile(r"cpp/(base/checksum|files/weights)\.cc")  # loops over what models hold
# Headers of small functions, which GCC would not inline into such loops if they were compiled for size.
_SMALL = re.compile(
    r"cpp/(base/(build|cpu|dtype|span)|op/(?!define|given|op\.|params|tensor)\w+|(kernel_source|launch)/\w+"
    r"|(kernels|ops/\w+)/.*)\.h"
)
# Of these the ones that such innermost loops need.
_KERNELS_SMALL = re.compile(
    r"cpp/(base/(build|cpu|dtype|span)|kernels/(view|gemm/\w+|loops/(transpose_tile|lanes)|math/math\w*"
    r"|convolution/conv_(tile|epilogue|flat|depthwise_row|winograd_transform)|pooling/pool_(rows|block))"
    r"|ops/nn/(conv_blocked|fused_epilogue))\.h"
)
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

_PROTOTYPE = re.compile(r"^(?:MG_EXPORT|MXNET_DLL)\b[^;{]*?\b((?:mg_|MX)\w+)\([^;{]*\);\n?", re.MULTILINE)
_COMMENT = re.compile(r"/\*(?:[^*]|\*(?!/))*\*/\n\Z")


def enclosed(source: Source) -> str:
    """The text with what lies in namespace mixgrad also in an unnamed namespace."""
    code, text = source.code, source.text
    edits: list[tuple[int, int, str]] = []
    depth = 0
    position = 0
    pattern = re.compile(r"\bnamespace\s+mixgrad((?:::\w+)*)\s*\{|[{}]")
    while match := pattern.search(code, position):
        position = match.end()
        token = match.group()
        if token == "}":
            depth -= 1
        elif token == "{" or depth > 0:
            depth += 1
        else:
            end = _closing(code, match.end())
            inner = match.group(1)[2:]
            opening = "namespace mixgrad {\nnamespace {" + (f"\nnamespace {inner} {{" if inner else "")
            edits.append((match.start(), match.end(), opening))
            edits.append((end, end + 1, "}\n}" + ("\n}" if inner else "")))
            position = end + 1
    for start, end, new in reversed(edits):
        text = text[:start] + new + text[end:]
    return text


def _closing(code: str, start: int) -> int:
    """The place of the brace that closes the one before `start`."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.start()
    raise ValueError("a namespace is not closed")


def joined(
    sources: Iterable[Source], header: str, options: Mapping[str, int], about: str, convolutions: bool
) -> str:
    """One C++ source of files in order, the header's text first.

    With `convolutions`, products, convolutions and pooling alone are compiled for speed.
    """
    sources = list(sources)
    system = sorted({i.path for s in sources for i in s.includes if not i.quoted and not i.conditional})
    parts = [f"// {about}"]
    parts += [f"#define {name} {value}" for name, value in sorted(options.items())]
    light = [path for path in system if path in _LIGHT or path.endswith(".h")]
    hidden = [path for path in system if path in _HIDDEN]
    heavy = [path for path in system if path not in (*light, *hidden, *_HIDDEN_FIRST, *_HELD)]
    parts += [_QUIET, _THROWN, _HIDDEN_BEGIN, _includes(light), _HIDDEN_END, _COLD_BEGIN]
    parts += [_HIDDEN_BEGIN, _includes(_HIDDEN_FIRST), _HIDDEN_END, _includes(_HELD)]
    parts += [_HIDDEN_BEGIN, _includes(hidden), _HIDDEN_END, _includes(heavy), _COLD_END]
    parts += [header]
    cold = False
    for source in sources:
        if source.path.startswith("include/"):
            continue
        if cold == _is_hot(source, convolutions):
            parts.append(_COLD_END if cold else _COLD_BEGIN)
            cold = not cold
        slim = source.path.startswith("cpp/containers/")
        text = enclosed(source if slim else _never_out_of_memory(source))
        text = _without_includes(text, set(system))
        if not slim:
            text = _SLIM.sub(r"mixgrad::containers::\1", text)
        parts.append(f"// ---- {source.path}\n{text}")
    if cold:
        parts.append(_COLD_END)
    parts.append(_QUIET_END)
    return "\n\n".join(parts) + "\n"


def _never_out_of_memory(source: Source) -> Source:
    """The source with objects made where memory does not fail."""
    text = source.text
    for match in reversed(list(_NEW.finditer(source.code))):
        text = text[: match.end()] + "(mixgrad::containers::kOrEnd) " + text[match.end() :]
    return Source(source.path, _ROOM.sub("mixgrad::containers::take_object_memory(", text))


def _is_hot(source: Source, convolutions: bool) -> bool:
    """Whether the file is compiled for speed: it has loops over numbers."""
    if convolutions:
        return bool(_KERNELS.match(source.path) or _KERNELS_SMALL.match(source.path))
    if _KERNELS.match(source.path) or _COPIES.match(source.path) or _SMALL.match(source.path):
        return True
    loops = source.path.startswith(("cpp/op/", "cpp/launch/", "cpp/kernels/", "cpp/ops/")) and _LOOPS.search(
        source.code
    )
    return bool(loops or _FILES.match(source.path))


def _includes(paths: Iterable[str]) -> str:
    return "\n".join(f"#include <{path}>" for path in paths)


def _without_includes(text: str, system: set[str]) -> str:
    kept = []
    raw = False  # inside a raw string, where nothing is a directive
    for line in text.split("\n"):
        match = None if raw else re.match(r'\s*#\s*(?:include\s*(?:"[^"]+"|<([^>]+)>)|pragma\s+once)', line)
        if line.count('R"(') != line.count(')"'):
            raw = not raw
        if match and (match.group(1) is None or match.group(1) in system):
            continue
        kept.append(line)
    return "\n".join(kept).strip("\n")


def header_of(headers: Iterable[str], defined: set[str], about: str, prefix: str) -> str:
    """One C header of the functions that are defined, with the types and constants around them.

    A prefix gives the functions other names for the linker; programs go on calling them by their own, so a
    source has one such header.
    """
    own = f"MIXGRAD_ALL_PREFIX_{prefix}"
    parts = [f"/* {about} */", "#ifndef MIXGRAD_ALL_H_", "#define MIXGRAD_ALL_H_", f"#define {own}"]
    if prefix:
        parts.append("\n".join(f"#define {name} {prefix}{name}" for name in sorted(defined)))
    parts += [_only_defined(_header_body(text), defined) for text in headers]
    parts.append(f"#elif !defined({own})")
    parts.append('#error "a mixgrad-all.h of another --prefix is included already; a source can include one"')
    parts.append("#endif /* MIXGRAD_ALL_H_ */")
    return "\n".join(parts) + "\n"


def _header_body(text: str) -> str:
    lines = [
        line for line in text.split("\n") if not re.match(r'\s*#\s*pragma\s+once|\s*#\s*include\s*"', line)
    ]
    return "\n".join(lines).strip("\n")


def _only_defined(text: str, defined: set[str]) -> str:
    """Without prototypes of functions that are not defined, and comments that stand above them alone."""
    out: list[str] = []
    position = 0
    for match in _PROTOTYPE.finditer(text):
        out.append(text[position : match.start()])
        position = match.end()
        if match.group(1) in defined:
            out.append(match.group())
            continue
        before = "".join(out)
        comment = _COMMENT.search(before)
        follows = text[position : position + 9]
        alone = not follows.startswith(("MG_EXPORT", "MXNET_DLL"))
        if comment and alone and "----" not in comment.group():
            before = before[: comment.start()]
        out = [before]
    out.append(text[position:])
    return re.sub(r"\n{3,}", "\n\n", "".join(out))
