// Tracing: operator calls of a thread become a graph.
#include "exec/tape/trace.h"

#include "c_api/handle.h"
#include "c_api/symbol.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;
using mixgrad::Trace;

namespace {

Trace* unwrap(mg_trace* trace) { return reinterpret_cast<Trace*>(trace); }
const Trace* unwrap(const mg_trace* trace) { return reinterpret_cast<const Trace*>(trace); }

}  // namespace

extern "C" {

mg_status mg_trace_begin(int32_t num_inputs, mg_array* const* inputs, mg_trace** out) {
  return api::guard([&] {
    api::require(out, "mg_trace_begin", "out");
    if (Trace::active()) mixgrad::fail(Status::unsupported, "[mg_trace_begin] a trace is active already");
    const auto arrays = api::arrays_from(inputs, num_inputs, "mg_trace_begin");
    Trace* const trace = new Trace(arrays);
    Trace::current() = trace;
    *out = reinterpret_cast<mg_trace*>(trace);
  });
}

int32_t mg_trace_is_active(void) { return Trace::active() != nullptr; }

mg_status mg_trace_end(mg_trace* trace, int32_t num_outputs, mg_array* const* outputs, mg_symbol** out) {
  return api::guard([&] {
    api::require(trace, "mg_trace_end", "trace");
    api::require(out, "mg_trace_end", "out");
    if (Trace::active() != unwrap(trace))
      mixgrad::fail(Status::invalid_argument, "[mg_trace_end] the trace is not active in this thread");
    const auto arrays = api::arrays_from(outputs, num_outputs, "mg_trace_end");
    if (arrays.empty()) mixgrad::fail(Status::invalid_argument, "[mg_trace_end] no outputs");
    *out = api::give(unwrap(trace)->finish(arrays));
    Trace::current() = nullptr;
  });
}

int32_t mg_trace_get_num_captured(const mg_trace* trace) {
  return trace ? static_cast<int32_t>(unwrap(trace)->captured().size()) : 0;
}

mg_status mg_trace_get_captured(const mg_trace* trace, int32_t index, mg_array** out) {
  return api::guard([&] {
    api::require(trace, "mg_trace_get_captured", "trace");
    api::require(out, "mg_trace_get_captured", "out");
    const auto& captured = unwrap(trace)->captured();
    if (index < 0 || static_cast<size_t>(index) >= captured.size())
      mixgrad::fail(Status::index, "[mg_trace_get_captured] ", index, " of ", captured.size());
    *out = api::give(captured[static_cast<size_t>(index)]);
  });
}

void mg_trace_destroy(mg_trace* trace) {
  if (trace && Trace::active() == unwrap(trace)) Trace::current() = nullptr;
  delete unwrap(trace);
}

}  // extern "C"
