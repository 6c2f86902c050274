#include "graph/passes/node_fields.h"

#include "base/error.h"

namespace mixgrad {

OwnedValue field_of(const GraphNode& call, const char* field) noexcept(kCompact) {
  const int i = call.op->schema->index_of(field);
  if (i < 0) fail(Status::internal, "[", call.op->name, "] has no parameter '", field, "'");
  return call.op->schema->fields[static_cast<size_t>(i)].get(call.params->data());
}

double number_of(const GraphNode& call, const char* field) noexcept(kCompact) {
  const OwnedValue value = field_of(call, field);
  return value.get().kind == ValueKind::real ? value.get().real : static_cast<double>(value.get().integer);
}

int64_t integer_of(const GraphNode& call, const char* field) noexcept(kCompact) {
  return field_of(call, field).get().integer;
}

std::string choice_of(const GraphNode& call, const char* field) noexcept(kCompact) {
  const OwnedValue value = field_of(call, field);
  return value.get().kind == ValueKind::string ? value.get().string : value.get().str();
}

Shape tuple_of(const GraphNode& call, const char* field) noexcept(kCompact) {
  const OwnedValue value = field_of(call, field);
  Shape tuple;
  for (uint32_t i = 0; i < value.get().count; ++i) tuple.push_back(value.get().items[i].integer);
  return tuple;
}

ParamsRef params_like(const Op& op, const GraphNode& call, Span<const NamedValue> changes) {
  std::vector<OwnedValue> held;
  held.reserve(op.schema->fields.size());
  std::vector<NamedValue> values(changes.begin(), changes.end());
  for (const Field& field : op.schema->fields) {
    bool changed = false;
    for (const NamedValue& change : changes) changed |= field.name == change.name;
    const int from = call.op->schema->index_of(field.name.c_str());
    if (changed || from < 0) continue;
    held.push_back(call.op->schema->fields[static_cast<size_t>(from)].get(call.params->data()));
    values.push_back({field.name.c_str(), held.back().get()});
  }
  return make_params(op, values);
}

}  // namespace mixgrad
