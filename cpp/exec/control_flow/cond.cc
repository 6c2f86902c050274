// One of two branches, by a condition.
#include "exec/control_flow/control_flow.h"

namespace mixgrad::control_flow {
namespace {

struct CondParams {
  std::string subgraph0, subgraph1, subgraph2;
  int32_t num_args = 0, num_outputs = 0;
  Reals cond_input_locs, then_input_locs, else_input_locs;
  std::shared_ptr<SubgraphCache> cache = std::make_shared<SubgraphCache>();
  static void fields(Fields<CondParams>& f) {
    f.required("subgraph0", &CondParams::subgraph0, "The condition as JSON of a symbol.")
        .required("subgraph1", &CondParams::subgraph1, "What is computed where it holds.")
        .required("subgraph2", &CondParams::subgraph2, "What is computed where it does not.")
        .required("num_args", &CondParams::num_args, "Number of inputs, the three graphs included.",
                  between(3, 65536))
        .required("num_outputs", &CondParams::num_outputs, "Number of outputs of either branch.",
                  between(1, 65535))
        .required("cond_input_locs", &CondParams::cond_input_locs,
                  "Which inputs the condition reads, in its order.")
        .required("then_input_locs", &CondParams::then_input_locs, "Which inputs the first branch reads.")
        .required("else_input_locs", &CondParams::else_input_locs, "Which inputs the second branch reads.");
  }
};

// One of the three graphs: 0 the condition, 1 and 2 the branches.
struct CondPart {
  const std::string& text;
  std::vector<size_t> places;  // per input of the graph the operator's
  size_t outputs;
};
CondPart part_of(const CondParams& p, int which) {
  const size_t inputs = static_cast<size_t>(p.num_args) - 3, outputs = static_cast<size_t>(p.num_outputs);
  if (which == 0) return {p.subgraph0, places_of("_cond", "cond_input_locs", p.cond_input_locs, inputs), 1};
  if (which == 1)
    return {p.subgraph1, places_of("_cond", "then_input_locs", p.then_input_locs, inputs), outputs};
  return {p.subgraph2, places_of("_cond", "else_input_locs", p.else_input_locs, inputs), outputs};
}

void check_branch(const CondParams& p, const CondPart& part) {
  const Symbol graph = p.cache->symbol(part.text);
  if (graph.size() != part.outputs || graph.list_arguments().size() != part.places.size()) {
    fail(Status::invalid_argument, "[_cond] a graph has ", graph.list_arguments().size(), " inputs and ",
         graph.size(), " outputs; expected ", part.places.size(), " and ", part.outputs);
  }
}

template <class Fact, class Infer>
void infer_parts(const CondParams& p, Infer& infer, Fact unknown) {
  for (int which = 0; which < 3; ++which) {
    const CondPart part = part_of(p, which);
    std::vector<Fact> in, out(part.outputs, unknown);
    for (const size_t place : part.places) in.push_back(infer.in(static_cast<int>(place)));
    check_branch(p, part);
    p.cache->infer(part.text, Span<Fact>(in), Span<Fact>(out));
    for (size_t i = 0; i < in.size(); ++i) infer.set_in(static_cast<int>(part.places[i]), in[i]);
    for (size_t k = 0; which > 0 && k < out.size(); ++k) infer.set_out(static_cast<int>(k), out[k]);
  }
}

void cond_shape(const CondParams& p, ShapeInfer& s) {
  infer_parts<Shape>(p, s, Shape::unknown());
  s.set_out(s.num_outputs() - 1, Shape{kTrailItems});
}

void cond_dtype(const CondParams& p, DTypeInfer& d) {
  infer_parts<DType>(p, d, DType::unknown);
  d.set_out(d.num_outputs() - 1, DType::int64);
}

void cond_kernel(const CondParams& p, KernelArgs& args) {
  const CondPart condition = part_of(p, 0);
  int branch = 2;
  {
    const SubprogramLease program(*p.cache, condition.text, key_of(args.in, condition.places, args.training));
    const Pieces arena(1, program->arena_bytes()), answer(1, program->output_bytes(0));
    for (size_t i = 0; i < condition.places.size(); ++i)
      program->inputs[i] = bytes_of(args.in[condition.places[i]]);
    program->outputs[0] = answer.data();
    program->forward(arena.data(), ~args.seed, args.stream, 0);
    if (is_true(answer.data(), program->output_dtype(0), program->output_bytes(0), "_cond")) branch = 1;
  }
  const CondPart part = part_of(p, branch);
  const SubprogramLease program(*p.cache, part.text, key_of(args.in, part.places, args.training));
  const Pieces arena(1, program->arena_bytes());
  for (size_t i = 0; i < part.places.size(); ++i) program->inputs[i] = bytes_of(args.in[part.places[i]]);
  for (size_t k = 0; k < part.outputs; ++k) program->outputs[k] = bytes_of(args.out[k]);
  program->forward(arena.data(), args.seed, args.stream, 0);
  write_trail(args, branch);
}

// Runs the branch again, then backward. Inputs that it does not read get zeros.
void cond_backward(const CondParams& p, BackwardArgs& args) {
  const Trail trail = read_trail(args);
  for (const View& gradient : args.in_grad) clear(gradient);
  const CondPart part = part_of(p, static_cast<int>(trail.steps));
  SubprogramKey key = key_of(args.in, part.places, args.training);
  for (const size_t place : part.places)
    key.wanted.push_back(is_float(args.in[place].dtype) && args.wants(static_cast<int>(place)));
  const SubprogramLease program(*p.cache, part.text, key);
  const Pieces arena(1, program->arena_bytes());
  std::vector<Pieces> workspaces;
  for (size_t k = 0; k < part.outputs; ++k) workspaces.emplace_back(1, program->output_bytes(k));
  for (size_t i = 0; i < part.places.size(); ++i) {
    program->inputs[i] = bytes_of(args.in[part.places[i]]);
    program->gradients[i] = bytes_of(args.in_grad[part.places[i]]);
  }
  for (size_t k = 0; k < part.outputs; ++k) {
    program->outputs[k] = workspaces[k].data();
    program->head_gradients[k] = bytes_of(args.out_grad[k]);
  }
  program->forward(arena.data(), static_cast<uint64_t>(trail.seed), static_cast<uint64_t>(trail.stream), 0);
  program->backward(arena.data());
}

const Op& cond_op = Define<CondParams>("_cond")
                        .doc(
                            "Computes one of two graphs, by whether a third gives a number other than 0. "
                            "mx.sym.contrib.cond makes it.")
                        .origin("MXNet _cond")
                        .subgraphs(3)
                        .variadic("data", "What condition and branches read.", nullptr)
                        .num_inputs([](const CondParams& p) { return p.num_args - 3; })
                        .num_outputs([](const CondParams& p) { return p.num_outputs + 1; })
                        .num_visible([](const CondParams& p) { return p.num_outputs; })
                        .shape(cond_shape)
                        .dtype(cond_dtype)
                        .kernel(cond_kernel)
                        .backward(cond_backward)
                        .grad_reads_outputs()
                        .element_cost(20)
                        .random()
                        .depends_on_mode();

}  // namespace
}  // namespace mixgrad::control_flow
