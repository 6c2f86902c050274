// safetensors files: an 8-byte length, a JSON header, the elements. docs/safetensors.md says what is accepted.
#pragma once

#include "files/named_arrays.h"

namespace mixgrad {

// Reads a file into arrays on `device`, in the header's order. Metadata is ignored. Refuses, with Status::format and the
// tensor's name, whatever the reference implementation refuses: offsets that overlap, leave gaps or do not cover the file, a
// size that is not that of shape and dtype, a damaged header; dtypes that mixgrad lacks with Status::unsupported.
NamedArrays read_safetensors(ByteSource& source, Device device);
// Blocks until values are computed. Every array needs a name of its own.
void write_safetensors(ByteSink& sink, Span<Array* const> arrays, Span<const std::string> names);
// True when these first bytes of a file can only be those of safetensors.
bool looks_like_safetensors(const char* bytes, size_t count);

}  // namespace mixgrad
