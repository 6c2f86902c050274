// A loop as long as a condition on its variables holds.
#include <functional>

#include "exec/control_flow/control_flow.h"

namespace mixgrad::control_flow {
namespace {

struct WhileParams {
  std::string subgraph0, subgraph1;
  int32_t num_args = 0, num_outputs = 0, num_out_data = 0, max_iterations = 0;
  Reals cond_input_locs, func_input_locs, func_var_locs;
  std::shared_ptr<SubgraphCache> cache = std::make_shared<SubgraphCache>();
  static void fields(Fields<WhileParams>& f) {
    f.required("subgraph0", &WhileParams::subgraph0, "The condition as JSON of a symbol.")
        .required("subgraph1", &WhileParams::subgraph1, "The body as JSON of a symbol.")
        .required("num_args", &WhileParams::num_args, "Number of inputs, condition and body included.",
                  between(2, 65536))
        .required("num_outputs", &WhileParams::num_outputs, "Number of outputs of the body.",
                  between(1, 65535))
        .required("num_out_data", &WhileParams::num_out_data,
                  "How many of these are stacked; the others are the next loop variables.", between(0, 65535))
        .required("max_iterations", &WhileParams::max_iterations, "The most steps it takes.", at_least(1))
        .required("cond_input_locs", &WhileParams::cond_input_locs,
                  "Which inputs the condition reads, in its order.")
        .required("func_input_locs", &WhileParams::func_input_locs,
                  "Which inputs the body reads, in its order.")
        .required("func_var_locs", &WhileParams::func_var_locs,
                  "Which inputs of the body are loop variables.");
  }
};

// The parameters, checked.
struct WhileLayout {
  size_t inputs, stacked, vars;
  std::vector<size_t> cond, func;  // per input of the graph the operator's
  std::vector<size_t> var_place;   // per loop variable its place in the body
  std::vector<size_t> var_input;   // ... and among the operator's inputs
  explicit WhileLayout(const WhileParams& p)
      : inputs(static_cast<size_t>(p.num_args) - 2),
        stacked(static_cast<size_t>(p.num_out_data)),
        vars(p.func_var_locs.size()),
        cond(places_of("_while_loop", "cond_input_locs", p.cond_input_locs, inputs)),
        func(places_of("_while_loop", "func_input_locs", p.func_input_locs, inputs)),
        var_place(places_of("_while_loop", "func_var_locs", p.func_var_locs, func.size())) {
    if (stacked + vars != static_cast<size_t>(p.num_outputs) || vars == 0) {
      fail(Status::invalid_argument, "[_while_loop] ", vars, " loop variables and ", stacked,
           " stacked outputs; expected at least one variable, and ", p.num_outputs, " together");
    }
    for (const size_t place : var_place) var_input.push_back(func[place]);
  }
};

void check_graph(const WhileParams& p, const std::string& text, size_t inputs, size_t outputs) {
  const Symbol graph = p.cache->symbol(text);
  if (graph.size() != outputs || graph.list_arguments().size() != inputs) {
    fail(Status::invalid_argument, "[_while_loop] a graph has ", graph.list_arguments().size(),
         " inputs and ", graph.size(), " outputs; expected ", inputs, " and ", outputs);
  }
}

template <class Fact>
std::vector<Fact> picked(const std::vector<Fact>& all, const std::vector<size_t>& places) {
  std::vector<Fact> out;
  for (const size_t place : places) out.push_back(all[place]);
  return out;
}

// Shapes and dtypes alike: what the two graphs make of what is known. `out` holds the body's outputs.
template <class Fact, class Infer>
void infer_both(const WhileParams& p, const WhileLayout& l, Infer& infer, Fact unknown,
                std::vector<Fact>& out) {
  std::vector<Fact> all;
  for (size_t i = 0; i < l.inputs; ++i) all.push_back(infer.in(static_cast<int>(i)));
  std::vector<Fact> func = picked(all, l.func);
  check_graph(p, p.subgraph1, l.func.size(), l.stacked + l.vars);
  p.cache->infer(p.subgraph1, Span<Fact>(func), Span<Fact>(out));
  for (size_t i = 0; i < func.size(); ++i) infer.set_in(static_cast<int>(l.func[i]), func[i]);
  for (size_t k = 0; k < l.vars; ++k) {
    const int input = static_cast<int>(l.var_input[k]), output = static_cast<int>(l.stacked + k);
    infer.set_in(input, out[l.stacked + k]);
    infer.set_in(input, infer.out(output));
    infer.set_out(output, infer.in(input));
  }
  for (size_t i = 0; i < l.inputs; ++i) all[i] = infer.in(static_cast<int>(i));
  std::vector<Fact> cond = picked(all, l.cond), result(1, unknown);
  check_graph(p, p.subgraph0, l.cond.size(), 1);
  p.cache->infer(p.subgraph0, Span<Fact>(cond), Span<Fact>(result));
  for (size_t i = 0; i < cond.size(); ++i) infer.set_in(static_cast<int>(l.cond[i]), cond[i]);
}

void while_shape(const WhileParams& p, ShapeInfer& s) {
  const WhileLayout l(p);
  std::vector<Shape> out(l.stacked + l.vars, Shape::unknown());
  infer_both<Shape>(p, l, s, Shape::unknown(), out);
  for (size_t k = 0; k < l.stacked; ++k) {
    Shape shape = out[k];
    if (shape.known_rank()) shape.insert(0, p.max_iterations);
    s.set_out(static_cast<int>(k), shape);
  }
  s.set_out(s.num_outputs() - 1, Shape{kTrailItems});
}

void while_dtype(const WhileParams& p, DTypeInfer& d) {
  const WhileLayout l(p);
  std::vector<DType> out(l.stacked + l.vars, DType::unknown);
  infer_both<DType>(p, l, d, DType::unknown, out);
  for (size_t k = 0; k < l.stacked; ++k) d.set_out(static_cast<int>(k), out[k]);
  d.set_out(d.num_outputs() - 1, DType::int64);
}

void while_kernel(const WhileParams& p, KernelArgs& args) {
  const WhileLayout l(p);
  const SubprogramLease cond(*p.cache, p.subgraph0, key_of(args.in, l.cond, args.training));
  const SubprogramLease func(*p.cache, p.subgraph1, key_of(args.in, l.func, args.training));
  const Pieces arena(1, std::max(cond->arena_bytes(), func->arena_bytes()));
  const Pieces answer(1, cond->output_bytes(0));
  std::vector<Pieces> workspaces;
  for (size_t k = 0; k < l.vars; ++k) workspaces.emplace_back(2, func->output_bytes(l.stacked + k));
  std::vector<char*> now;  // per input of the operator
  for (const View& view : args.in) now.push_back(bytes_of(view));
  int64_t steps = 0;
  for (; steps < p.max_iterations; ++steps) {
    cond->inputs = picked(now, l.cond);
    cond->outputs[0] = answer.data();
    cond->forward(arena.data(), ~args.seed, args.stream, steps);
    if (!is_true(answer.data(), cond->output_dtype(0), cond->output_bytes(0), "_while_loop")) break;
    func->inputs = picked(now, l.func);
    for (size_t k = 0; k < l.stacked; ++k)
      func->outputs[k] = bytes_of(args.out[k]) + static_cast<size_t>(steps) * func->output_bytes(k);
    for (size_t k = 0; k < l.vars; ++k)
      func->outputs[l.stacked + k] = workspaces[k].piece(static_cast<size_t>(steps % 2));
    func->forward(arena.data(), args.seed, args.stream, steps);
    for (size_t k = 0; k < l.vars; ++k) now[l.var_input[k]] = func->outputs[l.stacked + k];
  }
  for (size_t k = 0; k < l.stacked; ++k) {  // steps that were not taken
    const size_t done = static_cast<size_t>(steps) * func->output_bytes(k);
    if (args.out[k].bytes() > done) std::memset(bytes_of(args.out[k]) + done, 0, args.out[k].bytes() - done);
  }
  for (size_t k = 0; k < l.vars; ++k) {
    const View& out = args.out[l.stacked + k];
    if (out.bytes() > 0) std::memcpy(out.data, now[l.var_input[k]], out.bytes());
  }
  write_trail(args, steps);
}

// Runs the steps again, each in memory of its own, then backward from the last to the first.
void while_backward(const WhileParams& p, BackwardArgs& args) {
  const WhileLayout l(p);
  std::vector<bool> is_var(l.inputs, false);
  for (const size_t input : l.var_input) is_var[input] = true;
  SubprogramKey key = key_of(args.in, l.func, args.training);
  for (const size_t input : l.func)
    key.wanted.push_back(is_float(args.in[input].dtype) &&
                         (is_var[input] || args.wants(static_cast<int>(input))));
  const SubprogramLease func(*p.cache, p.subgraph1, key);
  const Trail trail = read_trail(args);
  const size_t steps = static_cast<size_t>(trail.steps);
  const Pieces arenas(steps, func->arena_bytes());
  std::vector<Pieces> history, stacked, shares;
  for (size_t k = 0; k < l.vars; ++k) {
    history.emplace_back(steps + 1, func->output_bytes(l.stacked + k));
    const View& first = args.in[l.var_input[k]];
    if (first.bytes() > 0) std::memcpy(history[k].piece(0), first.data, first.bytes());
  }
  for (size_t k = 0; k < l.stacked; ++k) stacked.emplace_back(steps, func->output_bytes(k));
  for (size_t i = 0; i < l.func.size(); ++i) shares.emplace_back(2, func->input_bytes(i));
  const auto visit = [&](size_t t) {
    for (size_t i = 0; i < l.func.size(); ++i) func->inputs[i] = bytes_of(args.in[l.func[i]]);
    for (size_t k = 0; k < l.vars; ++k) {
      func->inputs[l.var_place[k]] = history[k].piece(t);
      func->outputs[l.stacked + k] = history[k].piece(t + 1);
    }
    for (size_t k = 0; k < l.stacked; ++k) func->outputs[k] = stacked[k].piece(t);
  };
  for (size_t t = 0; t < steps; ++t) {
    visit(t);
    func->forward(arenas.piece(t), static_cast<uint64_t>(trail.seed), static_cast<uint64_t>(trail.stream),
                  static_cast<int64_t>(t));
  }
  for (const View& gradient : args.in_grad) clear(gradient);
  std::vector<char*> from;  // gradients of the variables that a step has made
  for (size_t k = 0; k < l.vars; ++k) from.push_back(bytes_of(args.out_grad[l.stacked + k]));
  for (size_t t = steps; t-- > 0;) {
    visit(t);
    for (size_t k = 0; k < l.stacked; ++k) {
      char* const head = bytes_of(args.out_grad[k]);
      func->head_gradients[k] = head ? head + t * func->output_bytes(k) : nullptr;
    }
    for (size_t k = 0; k < l.vars; ++k) func->head_gradients[l.stacked + k] = from[k];
    for (size_t i = 0; i < l.func.size(); ++i) func->gradients[i] = shares[i].piece(t % 2);
    func->backward(arenas.piece(t));
    for (size_t k = 0; k < l.vars; ++k)
      from[k] = key.wanted[l.var_place[k]] ? shares[l.var_place[k]].piece(t % 2) : nullptr;
    for (size_t i = 0; i < l.func.size(); ++i) {
      if (key.wanted[i] && !is_var[l.func[i]]) add_to(args.in_grad[l.func[i]], shares[i].piece(t % 2));
    }
  }
  for (size_t k = 0; k < l.vars; ++k) {
    const View& gradient = args.in_grad[l.var_input[k]];
    if (gradient.data && from[k] && is_float(gradient.dtype)) add_to(gradient, from[k]);
  }
}

const Op& while_op =
    Define<WhileParams>("_while_loop")
        .doc(
            "Runs a body as long as a condition holds; gives the body's outputs stacked, with zeros for "
            "steps not "
            "taken, then the last loop variables. mx.sym.contrib.while_loop makes it.")
        .origin("MXNet _while_loop")
        .subgraphs(2)
        .variadic("data", "What condition and body read: first values of loop variables, and the rest.",
                  nullptr)
        .num_inputs([](const WhileParams& p) { return p.num_args - 2; })
        .num_outputs([](const WhileParams& p) { return p.num_outputs + 1; })
        .num_visible([](const WhileParams& p) { return p.num_outputs; })
        .shape(while_shape)
        .dtype(while_dtype)
        .kernel(while_kernel)
        .backward(while_backward)
        .grad_reads_outputs()
        .element_cost(20)
        .random()
        .depends_on_mode();

}  // namespace
}  // namespace mixgrad::control_flow
