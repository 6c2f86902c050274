// The gradients of a graph as an operator: what Symbol.gradient makes.
#include "exec/control_flow/control_flow.h"
#include "launch/launch.h"

namespace mixgrad::control_flow {
namespace {

struct GradientParams {
  std::string subgraph0;
  int32_t num_args = 0;
  Reals wrt;
  std::shared_ptr<SubgraphCache> cache = std::make_shared<SubgraphCache>();
  static void fields(Fields<GradientParams>& f) {
    f.required("subgraph0", &GradientParams::subgraph0, "The graph as JSON of a symbol.")
        .required("num_args", &GradientParams::num_args, "Number of inputs, the graph included.",
                  between(2, 65536))
        .required("wrt", &GradientParams::wrt, "Which inputs' gradients it gives.");
  }
};

struct GradientLayout {
  size_t inputs;
  std::vector<size_t> wrt;
  explicit GradientLayout(const GradientParams& p)
      : inputs(static_cast<size_t>(p.num_args) - 1), wrt(places_of("_gradient", "wrt", p.wrt, inputs)) {
    for (size_t i = 0; i < wrt.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (wrt[i] == wrt[j])
          fail(Status::invalid_argument, "[_gradient] wrt names input ", wrt[i], " twice");
      }
    }
  }
};

template <class Fact, class Infer>
void infer_gradient(const GradientParams& p, Infer& infer, Fact unknown) {
  const GradientLayout l(p);
  const Symbol graph = p.cache->symbol(p.subgraph0);
  std::vector<Fact> in, out(graph.size(), unknown);
  for (size_t i = 0; i < l.inputs; ++i) in.push_back(infer.in(static_cast<int>(i)));
  p.cache->infer(p.subgraph0, Span<Fact>(in), Span<Fact>(out));
  for (size_t i = 0; i < l.inputs; ++i) infer.set_in(static_cast<int>(i), in[i]);
  for (size_t k = 0; k < l.wrt.size(); ++k) infer.set_out(static_cast<int>(k), in[l.wrt[k]]);
}

void gradient_kernel(const GradientParams& p, KernelArgs& args) {
  const GradientLayout l(p);
  std::vector<size_t> all(l.inputs);
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  SubprogramKey key = key_of(args.in, all, args.training);
  key.wanted.assign(l.inputs, false);
  for (const size_t at : l.wrt) key.wanted[at] = true;
  const SubprogramLease program(*p.cache, p.subgraph0, key);
  const Pieces arena(1, program->arena_bytes());
  std::vector<Pieces> workspaces, ones;
  for (size_t i = 0; i < l.inputs; ++i) program->inputs[i] = bytes_of(args.in[i]);
  for (size_t k = 0; k < l.wrt.size(); ++k) program->gradients[l.wrt[k]] = bytes_of(args.out[k]);
  static const Op& ones_like = find_op("ones_like");
  for (size_t k = 0; k < program->num_outputs(); ++k) {
    workspaces.emplace_back(1, program->output_bytes(k));
    ones.emplace_back(1, program->output_bytes(k));
    program->outputs[k] = workspaces[k].data();
    program->head_gradients[k] = ones[k].data();
    View view = program->output_view(k);
    view.data = ones[k].data();
    const View in[] = {view}, out[] = {view};
    launch({&ones_like, ones_like.defaults->data()}, in, out);
  }
  program->forward(arena.data(), args.seed, args.stream, 0);
  program->backward(arena.data());
}

const Op& gradient_op =
    Define<GradientParams>("_gradient")
        .doc(
            "The gradients of a graph's outputs, each summed, with regard to some of its inputs; those of a "
            "loss "
            "are its own. Symbol.gradient makes it.")
        .origin("MXNet Symbol.gradient")
        .subgraphs(1)
        .variadic("data", "The inputs of the graph.", nullptr)
        .num_inputs([](const GradientParams& p) { return p.num_args - 1; })
        .num_outputs([](const GradientParams& p) { return static_cast<int>(p.wrt.size()); })
        .shape([](const GradientParams& p, ShapeInfer& s) { infer_gradient<Shape>(p, s, Shape::unknown()); })
        .dtype([](const GradientParams& p, DTypeInfer& d) { infer_gradient<DType>(p, d, DType::unknown); })
        .kernel(gradient_kernel)
        .element_cost(20)
        .random()
        .depends_on_mode();

}  // namespace
}  // namespace mixgrad::control_flow
