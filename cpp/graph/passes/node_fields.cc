#include "graph/passes/node_fields.h"

#include "base/error.h"

namespace mixgrad {

namespace {

const Field& field_of(const Op& op, const char* field) {
  const int i = op.schema->index_of(field);
  if (i < 0) fail(Status::internal, "[", op.name, "] has no parameter '", field, "'");
  return op.schema->fields[static_cast<size_t>(i)];
}

}  // namespace

double number_of(const GraphNode& call, const char* field) {
  return field_of(*call.op, field).real(call.params->data());
}

int64_t integer_of(const GraphNode& call, const char* field) {
  return field_of(*call.op, field).integer(call.params->data());
}

std::string choice_of(const GraphNode& call, const char* field) {
  return field_of(*call.op, field).choice(call.params->data());
}

Shape tuple_of(const GraphNode& call, const char* field) {
  return field_of(*call.op, field).tuple(call.params->data());
}

ParamsRef params_like(const Op& op, const GraphNode& call, Span<const NamedValue> changes) {
  const Schema& schema = *op.schema;
  const Ref<ParamsBox> made = ParamsBox::make(schema, nullptr);
  for (const Field& field : schema.fields) {
    const int from = call.op->schema->index_of(field.name.c_str());
    if (from < 0) continue;
    field.copy(made->mutable_data(), call.op->schema->fields[static_cast<size_t>(from)], call.params->data());
  }
  for (const NamedValue& change : changes)
    field_of(op, change.name).set(made->mutable_data(), change.value, op.name.c_str());
  return ParamsRef(made.get());
}

}  // namespace mixgrad
