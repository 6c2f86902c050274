// Calls of operators whose work goes to a stream.
#pragma once

#include <memory>

#include "device/stream.h"
#include "launch/launch.h"

namespace mixgrad {

// As launch(), in the body of a task of that stream: gives it the work and returns. The views hold addresses of devices; `keep`
// owns what `call` points to. Throws Status::unsupported where the operator has no kernel for the device.
void launch_on(Stream& stream, const Launch& call, std::shared_ptr<const void> keep, Span<const View> in,
               Span<const View> out);

}  // namespace mixgrad
