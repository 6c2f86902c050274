#include "exec/custom/custom.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "base/error.h"
#include "base/nearest.h"
#include "engine/caller.h"
#include "engine/profiler.h"
#include "exec/control_flow/subprogram.h"
#include "exec/imperative/mode.h"
#include "op/define.h"

namespace mixgrad::custom {
namespace {

struct Types {
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<Type>> by_name;
};
Types& types() {
  static auto* all = new Types;  // tasks may run during static destruction
  return *all;
}

std::shared_ptr<Type> find_type(const std::string& name) {
  {
    const std::lock_guard<std::mutex> lock(types().mutex);
    const auto found = types().by_name.find(name);
    if (found != types().by_name.end()) return found->second;
  }
  fail(Status::not_found, "[Custom] no operator of type '", name,
       "' is registered; expected one that the program registers first (mx.operator.register)",
       nearest_names(name, type_names()));
}

// The operators at work by the number that a forward call leaves for its backward call, whose parameters or graph own it.
struct Numbered;
struct Active {
  std::mutex mutex;
  std::unordered_map<int64_t, Numbered*> by_number;
  int64_t last = 0;
};
Active& active() {
  static auto* all = new Active;
  return *all;
}

struct Numbered {
  int64_t number = 0;
  const std::unique_ptr<Operator> made;
  std::vector<ArrayRef> states;  // as the last forward call left them
  explicit Numbered(std::unique_ptr<Operator> given) : made(std::move(given)) {}
  static std::shared_ptr<Numbered> make(std::unique_ptr<Operator> given) {
    const auto numbered = std::make_shared<Numbered>(std::move(given));
    const std::lock_guard<std::mutex> lock(active().mutex);
    numbered->number = ++active().last;
    active().by_number.emplace(numbered->number, numbered.get());
    return numbered;
  }
  ~Numbered() {
    const std::lock_guard<std::mutex> lock(active().mutex);
    active().by_number.erase(number);
  }
  Numbered(const Numbered&) = delete;
  Numbered& operator=(const Numbered&) = delete;
};

// What parameters stand for. Made without a lock, since it runs functions of the program, which may wait for locks of theirs;
// of two threads that come first one's is dropped.
struct State {
  std::atomic<Properties*> properties{nullptr};
  std::shared_ptr<void> of_call;  // the Numbered of the one call on arrays that has these parameters
  ~State() { delete properties.load(std::memory_order_acquire); }
};

struct Params {
  std::string op_type;
  NamedTexts others;
  std::shared_ptr<State> state = std::make_shared<State>();
  static void fields(Fields<Params>& f) {
    f.required("op_type", &Params::op_type, "The name that the operator was registered under.");
    f.others<&Params::others>();
  }

  Properties& properties() const {
    Properties* made = state->properties.load(std::memory_order_acquire);
    if (made) return *made;
    std::unique_ptr<Properties> mine = find_type(op_type)->make_properties(others);
    if (state->properties.compare_exchange_strong(made, mine.get(), std::memory_order_acq_rel))
      made = mine.release();
    return *made;
  }
};

template <class Fact, class Infer>
std::vector<Fact> facts_of(const Properties& of, const Infer& infer, Fact unknown) {
  const size_t arguments = of.arguments.size(), outputs = of.outputs.size();
  std::vector<Fact> facts(arguments + outputs + of.states.size(), unknown);
  for (size_t i = 0; i < arguments; ++i) facts[i] = infer.in(static_cast<int>(i));
  for (size_t i = 0; i < outputs; ++i) facts[arguments + i] = infer.out(static_cast<int>(i));
  for (size_t i = 0; i < of.states.size(); ++i)
    facts[arguments + outputs + i] = infer.in(static_cast<int>(arguments + i));
  return facts;
}

template <class Fact, class Infer>
void set_facts(const Properties& of, Infer& infer, const std::vector<Fact>& facts) {
  const size_t arguments = of.arguments.size(), outputs = of.outputs.size();
  for (size_t i = 0; i < arguments; ++i) infer.set_in(static_cast<int>(i), facts[i]);
  for (size_t i = 0; i < outputs; ++i) infer.set_out(static_cast<int>(i), facts[arguments + i]);
  for (size_t i = 0; i < of.states.size(); ++i)
    infer.set_in(static_cast<int>(arguments + i), facts[arguments + outputs + i]);
}

// A function of the program that meets shapes not known yet may fail on them: it is asked again when more is known.
template <class Fact, class Known, class Ask>
bool ask(const Properties& of, std::vector<Fact>& facts, Known known, Ask fn) {
  size_t found = 0;
  for (size_t i = 0; i < of.arguments.size(); ++i) found += known(facts[i]) ? 1 : 0;
  if (found == 0 && !of.arguments.empty()) return false;
  if (found == of.arguments.size()) {
    fn();
    return true;
  }
  try {
    fn();
    return true;
  } catch (const Error&) {
    return false;
  }
}

void custom_shape(const Params& p, ShapeInfer& s) {
  Properties& of = p.properties();
  std::vector<Shape> shapes = facts_of<Shape>(of, s, Shape::unknown());
  const auto known = [](const Shape& shape) { return shape.known(); };
  if (ask(of, shapes, known, [&] { of.infer_shape(Span<Shape>(shapes)); })) set_facts(of, s, shapes);
  s.set_out(s.num_outputs() - 1, Shape{1});
}

void custom_dtype(const Params& p, DTypeInfer& d) {
  Properties& of = p.properties();
  std::vector<DType> dtypes = facts_of<DType>(of, d, DType::unknown);
  const auto known = [](DType dtype) { return dtype != DType::unknown; };
  if (ask(of, dtypes, known, [&] { of.infer_dtype(Span<DType>(dtypes)); })) set_facts(of, d, dtypes);
  d.set_out(d.num_outputs() - 1, DType::int64);
}

// Inside a kernel, around a function of the program: it records nothing, and other tasks go on meanwhile.
class Foreign {
 public:
  Foreign(bool training, const std::string& name) : before_(mode()), profiled_(name, "pure_python") {
    mode().recording = false;
    mode().training = training;
  }
  ~Foreign() { mode() = before_; }
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;

 private:
  const Mode before_;
  const engine::ProgramScope scope_;
  const engine::ProfiledScope profiled_;
};

// The program may keep arrays that it is given, so they are copies.
ArrayRef copy_of(const View& view) { return Array::from_host(view.data, view.shape(), view.dtype, Device()); }
// Of the pool's memory: fresh pages, as Array::zeros has them, cost more than clearing.
ArrayRef zeros_like(const View& view) {
  ArrayRef made = Array::empty(view.shape(), view.dtype, Device());
  if (view.bytes() > 0) std::memset(made->host_data(), 0, view.bytes());
  return made;
}

void copy_back(const ArrayRef& from, const View& to) { from->copy_to_host(to.data); }

std::shared_ptr<Numbered> make_numbered(const Params& p, Device device, Span<const View> in) {
  Properties& of = p.properties();
  std::vector<Shape> shapes;
  std::vector<DType> dtypes;
  for (const View& view : in) {
    shapes.push_back(view.shape());
    dtypes.push_back(view.dtype);
  }
  return Numbered::make(of.make_operator(device, shapes, dtypes));
}

// What a node of a graph keeps: an operator, and in a loop one for each step.
struct OfNode {
  std::unordered_map<uint64_t, std::shared_ptr<Numbered>> by_place;
};

Numbered* numbered_of_call(const Params& p, KernelArgs& args) {
  if (!args.memory) {
    if (!p.state->of_call) p.state->of_call = make_numbered(p, args.context->device, args.in);
    return static_cast<Numbered*>(p.state->of_call.get());
  }
  if (!args.memory->kept) args.memory->kept = std::make_shared<OfNode>();
  std::shared_ptr<Numbered>& at = static_cast<OfNode*>(args.memory->kept.get())->by_place[loop_place()];
  if (!at) at = make_numbered(p, args.context->device, args.in);
  return at.get();
}

void custom_kernel(const Params& p, KernelArgs& args) {
  const Foreign foreign(args.training, p.op_type);
  const Properties& of = p.properties();
  Numbered* const numbered = numbered_of_call(p, args);
  Operator::Arrays arrays;
  const size_t arguments = of.arguments.size();
  for (size_t i = 0; i < args.in.size(); ++i)
    (i < arguments ? arrays.inputs : arrays.states).push_back(copy_of(args.in[i]));
  for (size_t i = 0; i + 1 < args.out.size(); ++i) arrays.outputs.push_back(zeros_like(args.out[i]));
  numbered->made->forward(args.training, arrays);
  for (size_t i = 0; i + 1 < args.out.size(); ++i) copy_back(arrays.outputs[i], args.out[i]);
  numbered->states = arrays.states;
  // States change in training only, as those of all operators.
  for (size_t i = 0; args.training && i < arrays.states.size(); ++i)
    copy_back(arrays.states[i], args.in[arguments + i]);
  std::memcpy(args.out[args.out.size() - 1].data, &numbered->number, sizeof numbered->number);
}

Numbered& numbered_of(const View& number_view) {
  int64_t number = 0;
  std::memcpy(&number, number_view.data, sizeof number);
  const std::lock_guard<std::mutex> lock(active().mutex);
  const auto found = active().by_number.find(number);
  if (found == active().by_number.end())
    fail(Status::autograd, "[Custom] the operator of this gradient's forward call is gone");
  return *found->second;
}

void custom_backward(const Params& p, BackwardArgs& args) {
  const Foreign foreign(args.training, "_backward_" + p.op_type);
  const Properties& of = p.properties();
  const size_t outputs = of.outputs.size(), arguments = of.arguments.size();
  const Numbered& numbered = numbered_of(args.out[outputs]);
  Operator::Arrays arrays;
  std::vector<bool> wanted;
  arrays.states = numbered.states;
  for (size_t i = 0; i < arguments; ++i) {
    arrays.inputs.push_back(copy_of(args.in[i]));
    wanted.push_back(args.wants(static_cast<int>(i)));
    arrays.in_grads.push_back(zeros_like(args.in[i]));
  }
  for (size_t k = 0; k < outputs; ++k) {
    arrays.outputs.push_back(copy_of(args.out[k]));
    const View& head = args.out_grad[k];
    arrays.out_grads.push_back(head.data ? copy_of(head) : zeros_like(args.out[k]));
  }
  numbered.made->backward(arrays, wanted);
  for (size_t i = 0; i < args.in.size(); ++i) {
    if (!args.wants(static_cast<int>(i))) continue;
    if (i < arguments)
      copy_back(arrays.in_grads[i], args.in_grad[i]);
    else
      std::memset(args.in_grad[i].data, 0, args.in_grad[i].bytes());
  }
}

const Op& custom_variant(const Op& named, const void* params);

const Op& custom_op =
    Define<Params>("Custom")
        .alias("_npi_Custom")
        .doc(
            "What an operator of the program computes: one that mx.operator.register has given a name. All "
            "parameters but op_type are its own, as text.")
        .origin("MXNet Custom")
        .variadic("data", "What the operator reads: its arguments, then its states.", nullptr)
        .num_outputs([](const Params& p) { return static_cast<int>(p.properties().outputs.size()) + 1; })
        .num_visible([](const Params& p) { return static_cast<int>(p.properties().outputs.size()); })
        .shape(custom_shape)
        .dtype(custom_dtype)
        .kernel(custom_kernel)
        .backward(custom_backward)
        .grad_reads_outputs()
        .loss([](const Params& p) { return p.properties().is_loss; })
        .cost([](const Params&, Span<const Shape>) { return 2.0 * engine::small_task_ns; })
        .keeps([](const Params&) { return 0; })
        .random()
        .depends_on_mode()
        .variants(custom_variant);

// The operators by their inputs and outputs. They live as long as the process: graphs and tasks point to them.
struct Variants {
  std::mutex mutex;
  std::unordered_map<std::string, std::unique_ptr<Op>> by_names;
};

std::unique_ptr<Op> make_variant(const Op& named, const Properties& of) {
  auto op = std::make_unique<Op>();
  op->name = named.name;
  op->doc = named.doc;
  op->origin = named.origin;
  op->file = named.file;
  for (const Strings* names : {&of.arguments, &of.states}) {
    for (const std::string& name : *names) {
      op->inputs.emplace_back();
      op->inputs.back().name = name;
      op->inputs.back().mutates = op->inputs.back().auxiliary = names == &of.states;
    }
  }
  op->outputs.clear();
  for (const std::string& name : of.outputs) op->outputs.push_back({name, "", false, false});
  op->outputs.push_back({"number", "", false, false});
  op->has_states = !of.states.empty();
  op->schema = named.schema;
  op->num_outputs_fn = named.num_outputs_fn;
  op->num_visible_fn = named.num_visible_fn;
  op->shape_fn = named.shape_fn;
  op->dtype_fn = named.dtype_fn;
  op->kernels[0] = named.kernels[0];
  op->cost_fn = named.cost_fn;
  op->num_kept_fn = named.num_kept_fn;
  op->loss_fn = named.loss_fn;
  for (size_t i = 0; i < std::size(op->user_fn); ++i) op->user_fn[i] = named.user_fn[i];
  op->needs_random = op->acts = op->depends_on_mode = true;
  op->grad_out = named.grad_out;
  // States are what forward left in them.
  if (of.arguments.size() < 63) op->grad_in = (uint64_t{1} << of.arguments.size()) - 1;
  return op;
}

const Op& custom_variant(const Op& named, const void* params) {
  const Properties& of = static_cast<const Params*>(params)->properties();
  std::string key;
  for (const Strings* names : {&of.arguments, &of.outputs, &of.states}) {
    for (const std::string& name : *names) key += text(name.size(), ' ', name);
    key += '.';
  }
  static auto* variants = new Variants;
  const std::lock_guard<std::mutex> lock(variants->mutex);
  std::unique_ptr<Op>& op = variants->by_names[key];
  if (!op) op = make_variant(named, of);
  return *op;
}

}  // namespace

void register_type(const std::string& name, std::shared_ptr<Type> type) {
  const std::lock_guard<std::mutex> lock(types().mutex);
  types().by_name[name].swap(type);
}

Strings type_names() {
  Strings names;
  const std::lock_guard<std::mutex> lock(types().mutex);
  for (const auto& [name, type] : types().by_name) names.push_back(name);
  return names;
}

}  // namespace mixgrad::custom
