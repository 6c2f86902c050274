#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "c_api/recent_params.h"
#include "c_api/sized.h"
#include "exec/imperative/invoke.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::ArrayRef;
using mixgrad::Op;
using mixgrad::Status;

namespace {

// Texts derived from a field that the header hands out as borrowed strings.
struct FieldText {
  api::string type, default_text;
};

const api::vector<FieldText>& field_texts(const Op& op) {
  static auto* all = new api::unordered_map<const Op*, api::vector<FieldText>>();
  static auto* mutex = new std::mutex();
  const std::lock_guard<std::mutex> lock(*mutex);
  const auto found = all->find(&op);
  if (found != all->end()) return found->second;
  api::vector<FieldText> texts;
  const auto sample = mixgrad::ParamsBox::make(*op.schema, nullptr);
  for (const mixgrad::Field& f : op.schema->fields) {
    texts.push_back({f.type_str(), f.required ? "" : f.get(sample->data()).get().str()});
  }
  return all->emplace(&op, std::move(texts)).first->second;
}

// Up to this many outputs are handled without allocation.
constexpr int kFewOutputs = 4;

}  // namespace

extern "C" {

int32_t mg_op_get_num_ops(void) { return static_cast<int32_t>(mixgrad::all_ops().size()); }

const mg_op* mg_op_get(int32_t index) {
  if (index < 0 || index >= mg_op_get_num_ops()) return nullptr;
  return reinterpret_cast<const mg_op*>(mixgrad::all_ops()[static_cast<size_t>(index)]);
}

mg_status mg_op_find(const char* name, const mg_op** out) {
  return api::guard([&] {
    api::require(name, "mg_op_find", "name");
    api::require(out, "mg_op_find", "out");
    *out = reinterpret_cast<const mg_op*>(&mixgrad::find_op(name));
  });
}

const char* mg_op_get_name(const mg_op* op) { return op ? api::unwrap(op)->name.c_str() : nullptr; }
const char* mg_op_get_doc(const mg_op* op) { return op ? api::unwrap(op)->doc.c_str() : nullptr; }
const char* mg_op_get_origin(const mg_op* op) { return op ? api::unwrap(op)->origin.c_str() : nullptr; }
const char* mg_op_get_module(const mg_op* op) {
  return op ? api::unwrap(op)->python_module.c_str() : nullptr;
}
int32_t mg_op_get_num_aliases(const mg_op* op) {
  return op ? static_cast<int32_t>(api::unwrap(op)->aliases.size()) : 0;
}
const char* mg_op_get_alias(const mg_op* op, int32_t index) {
  if (!op) return nullptr;
  const auto& aliases = api::unwrap(op)->aliases;
  if (index < 0 || static_cast<size_t>(index) >= aliases.size()) return nullptr;
  return aliases[static_cast<size_t>(index)].c_str();
}
int32_t mg_op_get_num_inputs(const mg_op* op) {
  return op ? static_cast<int32_t>(api::unwrap(op)->inputs.size()) : 0;
}

mg_status mg_op_get_input(const mg_op* op, int32_t index, mg_port_info* info) {
  return api::guard([&] {
    api::require(op, "mg_op_get_input", "op");
    const auto& ports = api::unwrap(op)->inputs;
    if (index < 0 || static_cast<size_t>(index) >= ports.size()) {
      mixgrad::fail(Status::index, "[mg_op_get_input] ", index, " of ", ports.size(), " inputs");
    }
    const mixgrad::Port& port = ports[static_cast<size_t>(index)];
    const mg_port_info full{
        0, port.name.c_str(), port.doc.c_str(), port.mutates, port.auxiliary, api::unwrap(op)->variadic};
    api::write_struct(info, full, "mg_port_info", &mg_port_info::name, "mg_op_get_input");
  });
}

int32_t mg_op_get_num_params(const mg_op* op) {
  return op ? static_cast<int32_t>(api::unwrap(op)->schema->fields.size()) : 0;
}

mg_status mg_op_get_param(const mg_op* op, int32_t index, mg_param_info* info) {
  return api::guard([&] {
    api::require(op, "mg_op_get_param", "op");
    const auto& fields = api::unwrap(op)->schema->fields;
    if (index < 0 || static_cast<size_t>(index) >= fields.size()) {
      mixgrad::fail(Status::index, "[mg_op_get_param] ", index, " of ", fields.size(), " parameters");
    }
    const mixgrad::Field& field = fields[static_cast<size_t>(index)];
    const FieldText& texts = field_texts(*api::unwrap(op))[static_cast<size_t>(index)];
    const mg_param_info full{0,
                             field.name.c_str(),
                             texts.type.c_str(),
                             field.doc.c_str(),
                             field.required,
                             texts.default_text.c_str()};
    api::write_struct(info, full, "mg_param_info", &mg_param_info::name, "mg_op_get_param");
  });
}

int32_t mg_op_has(const mg_op* handle, const char* property) {
  if (!handle || !property) return 0;
  const Op& op = *api::unwrap(handle);
  const auto is = [&](const char* name) { return std::strcmp(property, name) == 0; };
  if (is("variadic")) return op.variadic;
  if (is("gradient")) return op.has_gradient();
  if (is("second_order")) return op.grad_fn != nullptr || op.zero_gradient;
  if (is("zero_gradient")) return op.zero_gradient;
  if (is("random")) return op.needs_random;
  if (is("mode")) return op.depends_on_mode;
  if (is("pointwise")) return op.is_pointwise;
  if (is("single_output")) return op.outputs.size() == 1 && !op.num_outputs_fn && !op.num_visible_fn;
  if (is("optional_inputs")) return op.num_inputs_fn != nullptr && !op.variadic;
  return 0;
}

const char* mg_op_get_num_inputs_param(const mg_op* op) {
  return op ? api::unwrap(op)->count_field : nullptr;
}

mg_status mg_op_arity(const mg_op* handle, int32_t num_params, const char* const* names,
                      const mg_value* values, int32_t* num_inputs, int32_t* num_outputs) {
  return api::guard([&] {
    api::require(handle, "mg_op_arity", "op");
    api::require(num_inputs, "mg_op_arity", "num_inputs");
    api::require(num_outputs, "mg_op_arity", "num_outputs");
    const Op& op = *api::unwrap(handle);
    api::vector<mixgrad::NamedValue> storage;
    const auto params =
        mixgrad::make_params(op, api::named_values(num_params, names, values, storage, "mg_op_arity"));
    const Op& variant = op.variant(params->data());
    *num_inputs = variant.num_inputs(params->data());
    *num_outputs = variant.num_visible(params->data());
  });
}

mg_status mg_op_call(const mg_op* handle, int32_t num_inputs, mg_array* const* inputs, int32_t num_params,
                     const char* const* names, const mg_value* values, int32_t* num_outputs,
                     mg_array** outputs) {
  return api::guard([&] {
    api::require(handle, "mg_op_call", "op");
    api::require(num_outputs, "mg_op_call", "num_outputs");
    const Op& named = *api::unwrap(handle);
    if (num_inputs < 0 || (num_inputs > 0 && !inputs))
      mixgrad::fail(Status::invalid_argument, "[", named.name, "] ", num_inputs, " inputs",
                    inputs ? "" : ", NULL");
    std::optional<api::RecentParams::Use> use;
    if (num_params != 0 || !named.defaults) {
      static thread_local std::unique_ptr<api::RecentParams> recent;  // a thread has little room of its own
      if (!recent) recent = api::make_unique<api::RecentParams>();
      use.emplace(*recent, named, num_params, names, values, "mg_op_call");
    }
    const mixgrad::ParamsRef& params = use ? use->params() : named.defaults;
    const Op& op = named.variant(params->data());
    for (int32_t i = 0; i < num_inputs; ++i) {
      if (!inputs[i]) mixgrad::fail(Status::invalid_argument, "[", op.name, "] input ", i, " is NULL");
    }
    const int total = op.num_outputs(params->data()), visible = op.num_visible(params->data());
    if (*num_outputs < visible) {
      mixgrad::fail(Status::invalid_argument, "[", op.name, "] has ", visible, " outputs; there is room for ",
                    *num_outputs);
    }
    if (visible > 0) api::require(outputs, "mg_op_call", "outputs");
    ArrayRef few[kFewOutputs];
    api::vector<ArrayRef> many;
    ArrayRef* out = few;
    if (total > kFewOutputs) {
      many.resize(static_cast<size_t>(total));
      out = many.data();
    }
    for (int i = 0; i < visible; ++i) {
      if (outputs[i]) out[i] = ArrayRef(api::unwrap(outputs[i]));
    }
    auto* const* in = reinterpret_cast<Array* const*>(inputs);
    mixgrad::invoke(op, params, {in, static_cast<size_t>(num_inputs)}, {out, static_cast<size_t>(total)},
                    true);
    for (int i = 0; i < visible; ++i) {
      if (!outputs[i]) outputs[i] = api::give(std::move(out[i]));
    }
    *num_outputs = visible;
  });
}

}  // extern "C"
