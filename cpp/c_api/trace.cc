// Tracing: operator calls of a thread become a graph.
#include "exec/trace.h"

#include "c_api/handle.h"
#include "c_api/symbol.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;
using mixgrad::Trace;

namespace {

Trace& active_trace(const char* function) {
  Trace* trace = Trace::active();
  if (!trace) mixgrad::fail(Status::invalid_argument, "[", function, "] no trace is active in this thread");
  return *trace;
}

void end_trace() {
  delete Trace::active();
  Trace::current() = nullptr;
}

}  // namespace

extern "C" {

mg_status mg_trace_begin(int32_t num_inputs, mg_array* const* inputs) {
  return api::guard([&] {
    if (Trace::active()) mixgrad::fail(Status::unsupported, "[mg_trace_begin] a trace is active already");
    const auto arrays = api::arrays_from(inputs, num_inputs, "mg_trace_begin");
    Trace::current() = new Trace(arrays);
  });
}

int32_t mg_trace_is_active(void) { return Trace::active() != nullptr; }

mg_status mg_trace_end(int32_t num_outputs, mg_array* const* outputs, mg_symbol** symbol) {
  return api::guard([&] {
    Trace& trace = active_trace("mg_trace_end");
    api::require(symbol, "mg_trace_end", "symbol");
    const auto arrays = api::arrays_from(outputs, num_outputs, "mg_trace_end");
    if (arrays.empty()) mixgrad::fail(Status::invalid_argument, "[mg_trace_end] no outputs");
    *symbol = api::give(trace.finish(arrays));
  });
}

int32_t mg_trace_get_num_captured(void) {
  return Trace::active() ? static_cast<int32_t>(Trace::active()->captured().size()) : 0;
}

mg_status mg_trace_get_captured(int32_t index, mg_array** out) {
  return api::guard([&] {
    const auto& captured = active_trace("mg_trace_get_captured").captured();
    api::require(out, "mg_trace_get_captured", "out");
    if (index < 0 || static_cast<size_t>(index) >= captured.size())
      mixgrad::fail(Status::index, "[mg_trace_get_captured] ", index, " of ", captured.size());
    *out = api::give(captured[static_cast<size_t>(index)]);
  });
}

void mg_trace_close(void) { end_trace(); }

}  // extern "C"
