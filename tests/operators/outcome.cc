#include "outcome.h"

#include <cstring>
#include <exception>
#include <limits>
#include <new>

#include "exec/imperative/invoke.h"
#include "exec/planned/executor.h"
#include "exec/sparse/sparse.h"
#include "exec/tape/tape.h"
#include "graph/symbol.h"
#include "storage/guard.h"

using namespace mixgrad;

namespace operators {
namespace {

constexpr int64_t kMostRows = 1 << 20;  // of csr: as many begins of rows
constexpr int kMostPorts = 200;         // inputs or outputs of one call; their count is a parameter

std::vector<NamedValue> values_of(const Call& call) {
  std::vector<NamedValue> values;
  for (const auto& [name, value] : call.params) values.push_back({name.c_str(), Value(value.c_str())});
  return values;
}

double any_element(Random& random, const Input& input, double special) {
  if (random.chance(special)) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    return random.one_of<double>({std::numeric_limits<double>::quiet_NaN(), kInf, -kInf, -1, 0, -0.0, 1e9,
                                  -1e9, 2147483647, 2147483648, -2147483649.0, 9.3e18, -9.3e18, 1e30, 3.5e38,
                                  1e-40, 65504});
  }
  if (!input.whole) return input.low + (input.high - input.low) * random.unit();
  const double span = input.high - input.low + 1;
  return input.low + (span < 1e15 ? static_cast<double>(random.below(static_cast<int64_t>(span))) : 0);
}

ArrayRef cast(const ArrayRef& array, DType dtype) {
  static const Op& op = find_op("Cast");
  const NamedValue to[] = {{"dtype", Value(name_of(dtype))}};
  Array* const in[] = {array.get()};
  ArrayRef out;
  invoke(op, make_params(op, to), in, Span<ArrayRef>(&out, 1));
  return out;
}

ArrayRef array_of(const std::vector<double>& values, const Shape& shape, DType dtype) {
  const ArrayRef wide = Array::from_host(values.data(), shape, DType::float64, Device());
  return dtype == DType::float64 ? wide : cast(wide, dtype);
}

ArrayRef drawn(Random& random, const Input& input, double special) {
  check_extents(input.shape, size_of(input.dtype), "test");
  std::vector<double> values(static_cast<size_t>(input.shape.size()));
  for (double& value : values) value = any_element(random, input, special);
  return array_of(values, input.shape, input.dtype);
}

std::vector<ArrayRef> drawn_inputs(const Call& call) {
  Random random(call.seed);
  std::vector<ArrayRef> arrays;
  for (const Input& input : call.inputs) arrays.push_back(drawn(random, input, call.special));
  return arrays;
}

// Some of the inputs stored otherwise, where their number of axes allows it.
void store_sparsely(const Call& call, std::vector<ArrayRef>& arrays) {
  Random random(call.seed + 1);
  for (ArrayRef& array : arrays) {
    const int axes = array->shape().ndim();
    if (axes == 0 || array->shape()[0] > kMostRows || !random.chance(0.5)) continue;
    array = sparse::to_storage(*array, axes == 2 && random.chance(0.6) ? Storage::csr : Storage::row_sparse);
  }
}

ArrayRef head_for(const Array& output) {
  Random random(17);
  Input like;
  like.dtype = output.dtype(), like.shape = output.shape();
  like.low = 0.5, like.high = 1.5;
  return drawn(random, like, 0);
}

std::vector<Array*> pointers(const std::vector<ArrayRef>& arrays) {
  std::vector<Array*> all;
  for (const ArrayRef& array : arrays) all.push_back(array.get());
  return all;
}

void keep(Outcome& outcome, std::string name, const ArrayRef& array) {
  if (!array) return;
  const ArrayRef dense = array->sparse() ? sparse::to_storage(*array, Storage::dense) : array;
  dense->wait_to_read();  // before room for values that there are not
  std::vector<char> bytes(dense->bytes());
  dense->copy_to_host(bytes.data());
  outcome.values.push_back({std::move(name), std::move(bytes)});
}

bool wants_gradient(const Call& call, size_t i) {
  return is_float(call.inputs[i].dtype) && !call.op->mutates(static_cast<int>(i));
}

void eager_gradients(const Call& call, const std::vector<ArrayRef>& in, const std::vector<ArrayRef>& out,
                     Outcome& outcome) {
  std::vector<ArrayRef> heads, head_grads, variables;
  for (const ArrayRef& array : out) {
    if (!is_float(array->dtype()) || !array->link()) continue;
    heads.push_back(array);
    head_grads.push_back(head_for(*array));
  }
  for (size_t i = 0; i < in.size(); ++i) {
    if (wants_gradient(call, i)) variables.push_back(in[i]);
  }
  if (heads.empty() || variables.empty()) return;
  BackwardOptions options;
  options.create_graph = options.retain_graph = call.second_order;
  mode().recording = call.second_order;
  const std::vector<ArrayRef> first =
      run_gradients(pointers(heads), pointers(head_grads), pointers(variables), options);
  for (size_t i = 0; i < first.size(); ++i) keep(outcome, text("gradient ", i), first[i]);
  std::vector<ArrayRef> again, ones;
  for (const ArrayRef& gradient : first) {
    if (gradient && gradient->link() && is_float(gradient->dtype()))
      again.push_back(gradient), ones.push_back(head_for(*gradient));
  }
  if (!call.second_order || again.empty()) return;
  mode().recording = false;
  const std::vector<ArrayRef> second =
      run_gradients(pointers(again), pointers(ones), pointers(variables), {});
  for (size_t i = 0; i < second.size(); ++i) keep(outcome, text("second gradient ", i), second[i]);
}

void eager(const Call& call, Outcome& outcome) {
  const ParamsRef params = make_params(*call.op, values_of(call));
  std::vector<ArrayRef> in = drawn_inputs(call);
  if (call.seed % 4 == 0) store_sparsely(call, in);
  const int outputs = call.op->num_outputs(params->data());
  const auto visible = static_cast<size_t>(call.op->num_visible(params->data()));
  if (outputs > kMostPorts) fail(Status::unsupported, "[test] too many outputs");
  if (call.gradient) {
    for (size_t i = 0; i < in.size(); ++i) {
      if (wants_gradient(call, i))
        mark_variable(*in[i], zeros_of(in[i]->shape(), in[i]->dtype(), Device()), GradientRequest::write);
    }
  }
  std::vector<ArrayRef> out(static_cast<size_t>(outputs));
  mode().training = call.training;
  mode().recording = call.gradient;
  invoke(*call.op, params, pointers(in), out);
  mode().recording = false;
  // What serves the gradient alone has no meaning where there is none.
  for (size_t i = 0; i < (call.training ? out.size() : visible); ++i)
    keep(outcome, text("output ", i), out[i]);
  for (size_t i = 0; i < in.size(); ++i) {
    if (call.op->mutates(static_cast<int>(i))) keep(outcome, text("state ", i), in[i]);
  }
  out.resize(visible);
  if (call.gradient) eager_gradients(call, in, out, outcome);
}

void planned(const Call& call, Outcome& outcome) {
  std::vector<SymbolInput> inputs;
  for (size_t i = 0; i < call.inputs.size(); ++i) inputs.push_back({"", Symbol::variable(text("x", i))});
  const ParamsRef params = make_params(*call.op, values_of(call));
  if (call.op->num_inputs(params->data()) > kMostPorts || call.op->num_outputs(params->data()) > kMostPorts)
    fail(Status::unsupported, "[test] too many inputs or outputs");
  const Symbol symbol = Symbol::call(*call.op, values_of(call), "call", {}, inputs);
  const std::vector<ArrayRef> drawn = drawn_inputs(call);
  ExecutorArrays arrays;
  const auto given = [&](const std::string& name) -> size_t {
    if (name[0] != 'x') fail(Status::unsupported, "[test] input ", name, " is missing");
    return std::stoul(name.substr(1));
  };
  for (const std::string& name : symbol.list_arguments()) {
    const size_t i = given(name);
    const bool wanted = call.gradient && is_float(drawn[i]->dtype());
    arrays.arguments.push_back(drawn[i]);
    arrays.gradients.push_back(wanted ? head_for(*drawn[i]) : ArrayRef());
    arrays.requests.push_back(!wanted              ? GradientRequest::null
                              : call.seed % 3 == 0 ? GradientRequest::add
                                                   : GradientRequest::write);
  }
  for (const std::string& name : symbol.list_auxiliary_states())
    arrays.auxiliaries.push_back(drawn[given(name)]);
  Executor executor(symbol, Device(), arrays);
  for (int run = 0; run < 2; ++run) {
    executor.forward(call.training || call.gradient);
    std::vector<ArrayRef> heads;
    for (size_t i = 0; i < executor.outputs().size(); ++i) {
      keep(outcome, text("output ", i), executor.outputs()[i]);
      heads.push_back(head_for(*executor.outputs()[i]));
    }
    if (call.gradient) executor.backward(pointers(heads));
    for (size_t i = 0; i < arrays.gradients.size(); ++i)
      keep(outcome, text("gradient ", i), arrays.gradients[i]);
    for (size_t i = 0; i < arrays.auxiliaries.size(); ++i)
      keep(outcome, text("state ", i), arrays.auxiliaries[i]);
  }
}

Outcome run(void (*body)(const Call&, Outcome&), const Call& call, int byte) {
  Outcome outcome;
  storage::fill_new(byte);
  seed_random(call.seed);
  try {
    body(call, outcome);
  } catch (const Error& error) {
    outcome.error = error.message();
    outcome.ours = outcome.error[0] == '[' && error.status() != Status::internal;
    outcome.scarce = error.status() == Status::out_of_memory;
  } catch (const std::bad_alloc&) {
    outcome.error = "[memory] std::bad_alloc";
  } catch (const std::exception& error) {
    outcome.error = error.what();
    outcome.ours = false;
  }
  mode() = Mode();
  storage::fill_new(-1);
  return outcome;
}

}  // namespace

Outcome run_eager(const Call& call, int byte) { return run(eager, call, byte); }
Outcome run_executor(const Call& call, int byte) { return run(planned, call, byte); }

std::string difference(const Outcome& a, const Outcome& b) {
  if (a.scarce || b.scarce) return "";
  // Which of several values is named depends on the thread that meets one first.
  const auto kind = [](const Outcome& o) { return o.error.substr(0, o.error.find(']')); };
  if (kind(a) != kind(b)) return "'" + a.error + "' and '" + b.error + "'";
  for (size_t i = 0; i < a.values.size() && i < b.values.size(); ++i) {
    const auto &x = a.values[i].bytes, &y = b.values[i].bytes;
    if (x.size() != y.size()) return a.values[i].name + " has another size";
    for (size_t at = 0; at < x.size(); ++at) {
      if (x[at] != y[at])
        return text(a.values[i].name, " depends on fresh memory at byte ", at, " of ", x.size());
    }
  }
  return a.values.size() == b.values.size() ? "" : "another number of values";
}

}  // namespace operators
