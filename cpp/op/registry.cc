#include <algorithm>
#include <cstring>

#include "base/build.h"
#include "base/error.h"
#include "base/load.h"
#include "base/names.h"
#include "base/nearest.h"
#include "op/define.h"

namespace mixgrad {
namespace {

struct OpRegistry {
  NameTable names;
  std::vector<const Op*> named;  // by number of the name
  std::vector<std::unique_ptr<Op>> owned;
  std::vector<const Op*> sorted;
};

OpRegistry& op_registry() {
  static auto* registry =
      new OpRegistry();  // lives as long as the process: tasks may run during static destruction
  return *registry;
}

Strings all_names() {
  const NameTable& names = op_registry().names;
  Strings listed;
  for (size_t i = 0; i < names.size(); ++i) listed.push_back(names[i]);
  return listed;
}

void add_op_name(const std::string& name, const Op* op) {
  OpRegistry& registry = op_registry();
  if (registry.names.add(name) != registry.named.size())
    fail(Status::internal, "[", op->name, "] the name '", name, "' is registered twice");
  registry.named.push_back(op);
}

}  // namespace

const Op& register_op(std::unique_ptr<Op> op) {
  if (!op->on(Processor::host).forward && !op->is_pointwise && !op->stands_for_fn) {
    fail(Status::internal, "[", op->name,
         "] has no kernel; expected kernel() or pointwise() in its definition");
  }
  const bool complete = std::none_of(op->schema->fields.begin(), op->schema->fields.end(),
                                     [](const Field& f) { return f.required; });
  if (complete) op->defaults = ParamsRef(ParamsBox::make(*op->schema, nullptr).get());
  OpRegistry& registry = op_registry();
  registry.owned.push_back(std::move(op));
  const Op* added = registry.owned.back().get();
  add_op_name(added->name, added);
  for (const std::string& alias : added->aliases) add_op_name(alias, added);
  const auto place = std::upper_bound(registry.sorted.begin(), registry.sorted.end(), added,
                                      [](const Op* a, const Op* b) { return a->name < b->name; });
  registry.sorted.insert(place, added);
  return *added;
}

const Op* find_op_or_null(std::string_view name) {
  end_load();
  if (load_failed()) {
    fail(Status::out_of_memory, "[operator] looking for '", name,
         "': there was no memory for the operators when the library was loaded; expected a new process");
  }
  const OpRegistry& registry = op_registry();
  uint32_t found = registry.names.find(name);
  // MXNet's second names of operators that also took sparse arrays.
  const std::string_view sparse = "_sparse_";
  const size_t prefix = std::min(sparse.size(), name.size());
  if (found == NameTable::kMissing && std::string_view(name.data(), prefix) == sparse)
    found = registry.names.find(std::string_view(name.data() + prefix, name.size() - prefix));
  return found == NameTable::kMissing ? nullptr : registry.named[found];
}

const Op& find_op(std::string_view name) {
  if (const Op* op = find_op_or_null(name)) return *op;
  fail(Status::not_found, "[operator] no operator is called '", name, "'",
       kCompact ? text("; this single file was cut to ", all_ops().size(),
                       " operators (tools/amalgamate.py --model takes those of a network along)")
                : nearest_names(std::string(name), all_names()));
}

const std::vector<const Op*>& all_ops() {
  end_load();
  return load_failed() ? nothing_loaded<std::vector<const Op*>>() : op_registry().sorted;
}

ParamsRef make_params(const Op& op, Span<const NamedValue> values) {
  if (values.empty() && op.defaults) return op.defaults;
  const Ref<ParamsBox> box = ParamsBox::make(*op.schema, nullptr);
  uint64_t given = 0;
  size_t next = 0;
  for (const NamedValue& nv : values) {
    // Callers that give all parameters give them in order: then the next field is the one.
    const auto& fields = op.schema->fields;
    const bool in_order = next < fields.size() && fields[next].name == nv.name;
    const int i = in_order ? static_cast<int>(next) : op.schema->index_of(nv.name);
    next = static_cast<size_t>(i) + 1;
    if (kTraining && i < 0 && op.schema->others) {
      op.schema->others(box->mutable_data()).push_back({nv.name, nv.value.file_str()});
      continue;
    }
    if (i < 0) {
      std::string known;
      for (const Field& f : op.schema->fields) known += (known.empty() ? "" : ", ") + f.name;
      fail(Status::invalid_argument, "[", op.name, "] has no parameter '", nv.name, "'; it has ",
           known.empty() ? "none" : known);
    }
    op.schema->fields[static_cast<size_t>(i)].set(box->mutable_data(), nv.value, op.name.c_str());
    given |= uint64_t{1} << i;
  }
  for (size_t i = 0; i < op.schema->fields.size(); ++i) {
    const Field& f = op.schema->fields[i];
    if (f.required && !((given >> i) & 1)) {
      fail(Status::invalid_argument, "[", op.name, "] parameter '", f.name, "' (", f.type_str(),
           ") must be given");
    }
  }
  return ParamsRef(box.get());
}

Op::Op() : outputs() {}  // no memory: see spare_op
Op::Op(Op&& other) noexcept = default;
Op::Op(const Op& other) = default;
Op::~Op() = default;

Ref<ParamsBox> ParamsBox::make(const Schema& schema, const void* params) {
  void* const memory = ::operator new(sizeof(ParamsBox) + schema.size);
  try {
    schema.construct(static_cast<ParamsBox*>(memory) + 1, params);
  } catch (...) {
    ::operator delete(memory);
    throw;
  }
  return Ref<ParamsBox>(new (memory) ParamsBox(schema));
}

void ParamsBox::destroy() const {
  const Schema& schema = schema_;
  schema.destroy(const_cast<ParamsBox*>(this) + 1);
  ::operator delete(const_cast<ParamsBox*>(this));
}

double Op::cost(const void* params, Span<const Shape> in, int64_t out_elements) const {
  if (cost_fn) return cost_fn(*this, params, in);
  double elements = static_cast<double>(out_elements);
  for (const Shape& s : in) elements += static_cast<double>(s.size());
  return elements * element_cost;
}

int Op::num_inputs(const void* params) const {
  if (num_inputs_fn) return num_inputs_fn(*this, params);
  return variadic ? -1 : static_cast<int>(inputs.size());
}
int Op::num_outputs(const void* params) const {
  return num_outputs_fn ? num_outputs_fn(*this, params) : static_cast<int>(outputs.size());
}
int Op::num_visible(const void* params) const {
  return num_visible_fn ? num_visible_fn(*this, params) : num_outputs(params);
}
std::string Op::input_name(int i) const {
  if ((variadic && i == 0) || static_cast<size_t>(i) >= inputs.size()) return text("arg", i);
  return inputs[static_cast<size_t>(i)].name;
}

// By the text of the graphs, in which the operator's name is a string of its own.
bool Op::subgraphs_run_program(const void* params) const {
  for (int i = 0; i < num_subgraphs; ++i) {
    const OwnedValue text = schema->fields[static_cast<size_t>(i)].get(params);
    if (std::strstr(text.get().string, "\"Custom\"")) return true;
  }
  return false;
}

const char* CallArgs::name() const { return op->name.c_str(); }

}  // namespace mixgrad
