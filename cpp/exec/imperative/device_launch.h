// Calls of operators whose work goes to a stream.
#pragma once

#include <memory>

#include "device/stream.h"
#include "launch/launch.h"

namespace mixgrad {

// As launch(), in the body of a task of that stream: gives it the work and returns. The views hold addresses of devices; `keep`
// owns what `call` points to. A device with kernels of its own is given the call at once, with working memory of its pool; the
// host's kernels run when a simulated card comes to them. Throws Status::unsupported where the operator has no kernel for it.
void launch_on(Stream& stream, const Launch& call, std::shared_ptr<const void> keep, Span<const View> in,
               Span<const View> out);

}  // namespace mixgrad
