// Moving elements between memories: whose stream does it, and doing it. Nothing else in the library asks a stream to copy.
#pragma once

#include <cstddef>
#include <memory>

#include "device/device.h"
#include "device/stream.h"

namespace mixgrad {

// The stream of a copy: on one card that of its kernels, between devices the card's copy stream; null on the host.
Stream* copy_stream(Device from, Device to);
// As soon as `stream` comes to it, which `keep` may have to wait for (Stream::copy); without a stream at once. The ranges do not
// overlap.
void copy_bytes(Stream* stream, void* dst, const void* src, std::size_t bytes,
                std::shared_ptr<const void> keep = {});

}  // namespace mixgrad
