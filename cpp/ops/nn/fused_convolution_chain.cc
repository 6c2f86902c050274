// Three fused convolutions of a network's inverted residual in one operator: what the pass `chain` makes of them.
#include <vector>

#include "base/parallel.h"
#include "kernels/scratch.h"
#include "ops/nn/conv_chain.h"
#include "ops/nn/conv_weights.h"
#include "ops/nn/fused_epilogue.h"

namespace mixgrad::ops::fused_convolution_chain {
namespace {

using nn_backend::ConvShape;

struct ConvolutionChainParams : fused_epilogue::EpilogueParams {
  Shape expand_kernel, expand_stride, expand_pad;
  Shape kernel, stride, dilate, pad;
  int64_t num_expanded = 0, num_filter = 0;
  bool no_bias = false, norm = false, fix_gamma = true, residual = false;
  double eps = 1e-3;
  ConvLayout data_layout = ConvLayout::blocked;
  ConvActivation inner = ConvActivation::none;
  float inner_low = 0, inner_high = 0;
  static void fields(Fields<ConvolutionChainParams>& f) {
    using P = ConvolutionChainParams;
    f.required("kernel", &P::kernel, "Extents (h, w) of the depthwise convolution's window.")
        .required("stride", &P::stride, "Its steps.")
        .required("dilate", &P::dilate, "Distance of the input elements under its neighbouring weights.")
        .required("pad", &P::pad, "Zeros added at both ends of each axis.")
        .required("num_expanded", &P::num_expanded, "Channels of the depthwise convolution.",
                  between(1, nn_backend::kMostWindow))
        .required("num_filter", &P::num_filter, "Channels of the output.",
                  between(1, nn_backend::kMostWindow))
        .add("expand_kernel", &P::expand_kernel, "Window of the first convolution; empty: there is none.")
        .add("expand_stride", &P::expand_stride, "Its steps.")
        .add("expand_pad", &P::expand_pad, "Its zeros at both ends of each axis.")
        .add("no_bias", &P::no_bias, "No convolution has a bias among the inputs.")
        .add("norm", &P::norm, "Each convolution has gamma, beta, moving_mean and moving_var.")
        .add("fix_gamma", &P::fix_gamma, "Takes each gamma as 1.")
        .add("eps", &P::eps, "Added to each variance.", at_least(0))
        .add("residual", &P::residual, "The last input is added at the end.")
        .choice("data_layout", &P::data_layout, {"plain", "blocked"},
                "blocked: data is (n, channels / 16 rounded up, h, w, 16), as residual and output are.")
        .choice("inner", &P::inner, fused_epilogue::kActivations, "What ends all convolutions but the last.")
        .add("inner_low", &P::inner_low, "As low, of inner.")
        .add("inner_high", &P::inner_high, "As high, of inner.");
    fused_epilogue::add_fields(f);
  }
  bool expands() const { return expand_kernel.ndim() > 0; }
  int layers() const { return expands() ? 3 : 2; }
  int per_layer() const { return 1 + !no_bias + 4 * norm; }
  int num_inputs() const { return 1 + layers() * per_layer() + residual; }
};

// Rows or columns of a window's output; 0 when the window is larger than its image with padding.
int64_t extent(int64_t in, int64_t kernel, int64_t stride, int64_t dilate, int64_t pad) {
  const int64_t over = in + 2 * pad - dilate * (kernel - 1) - 1;
  return over < 0 ? 0 : over / stride + 1;
}

conv_chain::Problem problem_of(const ConvolutionChainParams& p, const Shape& data, int64_t channels) {
  conv_chain::Problem problem;
  ConvShape &e = problem.expand, &d = problem.depthwise, &o = problem.project;
  problem.expands = p.expands();
  problem.data = p.data_layout;
  problem.threads = team_allowed() ? num_threads() : 1;
  e.batch = d.batch = o.batch = data[0];
  e.channels = channels, e.filters = p.num_expanded;
  d.channels = d.filters = d.groups = p.num_expanded;
  o.channels = p.num_expanded, o.filters = p.num_filter;
  for (int i = 0; i < 2; ++i) {
    const int at = 1 + i;
    e.in[at] = e.out[at] = data[2 + i];
    if (p.expands()) {
      e.kernel[at] = p.expand_kernel[i], e.stride[at] = p.expand_stride[i], e.pad[at] = p.expand_pad[i];
      e.out[at] = extent(e.in[at], e.kernel[at], e.stride[at], 1, e.pad[at]);
    }
    d.in[at] = e.out[at];
    d.kernel[at] = p.kernel[i], d.stride[at] = p.stride[i], d.dilate[at] = p.dilate[i], d.pad[at] = p.pad[i];
    d.out[at] = extent(d.in[at], p.kernel[i], p.stride[i], p.dilate[i], p.pad[i]);
    o.in[at] = o.out[at] = d.out[at];
  }
  return problem;
}

void chain_shape(const ConvolutionChainParams& p, ShapeInfer& s) {
  const auto check = [&](const Shape& tuple, int64_t least) {
    bool fits = tuple.ndim() == 2;
    for (int64_t n : tuple) fits = fits && n >= least && n <= nn_backend::kMostWindow;
    if (!fits) s.reject("a window has ", tuple, "; expected 2 numbers from ", least);
  };
  for (const Shape* tuple : {&p.kernel, &p.stride, &p.dilate}) check(*tuple, 1);
  check(p.pad, 0);
  if (p.expands()) {
    for (const Shape* tuple : {&p.expand_kernel, &p.expand_stride}) check(*tuple, 1);
    check(p.expand_pad, 0);
  }
  if (s.num_inputs() != p.num_inputs())
    s.reject("got ", s.num_inputs(), " inputs; expected ", p.num_inputs());
  const bool blocked = p.data_layout == ConvLayout::blocked;
  const Shape data = s.in(0), first = s.in(1);
  if (!data.known() || !first.known()) return;
  if (data.ndim() != 4 + blocked || first.ndim() != 4)
    s.reject("data needs ", 4 + blocked, " axes, and weights 4");
  const int64_t channels = p.expands() ? first[1] : p.num_expanded;
  Shape expected = data;
  expected[1] = blocked ? conv_blocks(channels) : channels;
  if (blocked) expected[4] = kConvBlock;
  s.set_in(0, expected);
  int at = 1;
  const auto weight = [&](Shape shape) {
    const int64_t filters = shape[0];
    s.set_in(at, std::move(shape));
    for (int i = 1; i < p.per_layer(); ++i) s.set_in(at + i, {filters});
    at += p.per_layer();
  };
  if (p.expands()) weight({p.num_expanded, channels, p.expand_kernel[0], p.expand_kernel[1]});
  weight({p.num_expanded, 1, p.kernel[0], p.kernel[1]});
  weight({p.num_filter, p.num_expanded, 1, 1});
  if (channels < 1) s.reject("weight is ", first, "; expected at least 1 channel");
  const conv_chain::Problem problem = problem_of(p, data, channels);
  const ConvShape& o = problem.project;
  for (int i = 1; i <= 2; ++i) {
    if (problem.expand.in[i] < 1 || problem.expand.out[i] < 1 || o.out[i] < 1)
      s.reject("a window is larger than its image with padding");
  }
  const Shape out = {data[0], conv_blocks(p.num_filter), o.out[1], o.out[2], kConvBlock};
  if (p.residual) s.set_in(at, out);
  s.set_out(0, out);
}

void chain_dtype(const ConvolutionChainParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && d.in(0) != DType::float32) d.reject("expected float32");
}

// The chain and its weights.
struct KeptChain {
  std::shared_ptr<const conv_chain::Chain> chain;
  conv_weights::Kept weights;

  void choose(const ConvolutionChainParams& p, const KernelArgs& args);
};

void KeptChain::choose(const ConvolutionChainParams& p, const KernelArgs& args) {
  const conv_chain::Problem problem = problem_of(p, args.in[0].shape(), args.in[1].shape()[1]);
  if (chain && chain->problem().threads == problem.threads) return;
  if (!conv_chain::serves(problem)) {
    fail(Status::invalid_argument, "[_fused_convolution_chain] data ", args.in[0].shape(), " and weight ",
         args.in[1].shape(), "; expected 1x1 windows over blocked data, or fewer than 8 plain channels");
  }
  chain = std::make_shared<const conv_chain::Chain>(problem);
  conv_weights::Layers layers;
  layers.owner = chain;
  layers.norm = {!p.no_bias, p.norm, p.fix_gamma, p.eps};
  layers.items = chain->weight_items();
  layers.count = p.layers();
  for (int i = 0; i < p.layers(); ++i) {
    layers.layer[i] = chain->place_of(3 - p.layers() + i);
    layers.layer[i].first_input = static_cast<size_t>(1 + i * p.per_layer());
  }
  weights.begin(std::move(layers));
}

void chain_kernel(const ConvolutionChainParams& p, KernelArgs& args) {
  if (args.out[0].size() == 0) return;
  KeptChain own;
  if (args.memory && !args.memory->kept) args.memory->kept = std::make_shared<KeptChain>();
  KeptChain& kept = args.memory ? *static_cast<KeptChain*>(args.memory->kept.get()) : own;
  kept.choose(p, args);
  const float* const weights = kept.weights.update(args);
  ConvEpilogue end = fused_epilogue::epilogue_of(p), inner;
  inner.activation = p.inner, inner.low = p.inner_low, inner.high = p.inner_high;
  end.residual = p.residual ? args.in[args.in.size() - 1].as<float>() : nullptr;
  const Scratch scratch = Scratch::of<float>(kept.chain->scratch_items());
  kept.chain->run(args.in[0].as<float>(), weights, inner, end, args.out[0].as<float>(), scratch.as<float>());
}

double chain_cost(const ConvolutionChainParams& p, Span<const Shape> in) {
  const conv_chain::Problem problem = problem_of(p, in[0], in[1][1]);
  const double expand = p.expands() ? problem.expand.products() : 0;
  return 1000 + nn_backend::products_cost(expand + problem.depthwise.products() + problem.project.products());
}

const Op& op =
    Define<ConvolutionChainParams>("_fused_convolution_chain")
        .doc(
            "A convolution, a depthwise one and a 1x1 one, each with its BatchNorm and activation, for "
            "prediction: float32, with two axes of positions; it has no gradient. Inputs: data, then for "
            "each "
            "convolution weight and those of bias, (gamma, beta, moving_mean, moving_var) that there are, "
            "then "
            "residual. Graphs get it from the pass `chain`; what lies between the convolutions is computed a "
            "few rows at a time and takes no memory.")
        .variadic("data", "Data, weights and what the parameters ask for.", nullptr)
        .shape(chain_shape)
        .dtype(chain_dtype)
        .kernel(chain_kernel)
        .keeps([](const ConvolutionChainParams& p) { return p.layers() * p.per_layer(); })
        .cost(chain_cost);

}  // namespace
}  // namespace mixgrad::ops::fused_convolution_chain
