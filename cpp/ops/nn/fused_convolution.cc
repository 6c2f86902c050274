// Convolution, the BatchNorm behind it, an addition and an activation in one operator: what the pass `fuse` makes of
// them for prediction.
#include <vector>

#include "base/parallel.h"
#include "kernels/convolution/conv_choice.h"
#include "kernels/scratch.h"
#include "ops/nn/conv_weights.h"
#include "ops/nn/fused_epilogue.h"

namespace mixgrad::ops::fused_convolution {
namespace {

using nn_backend::ConvShape;

struct FusedConvolutionParams : fused_epilogue::EpilogueParams {
  Shape kernel, stride, dilate, pad;
  int64_t num_filter = 0, num_group = 1;
  bool no_bias = false, norm = false, fix_gamma = true, residual = false;
  double eps = 1e-3;
  ConvLayout data_layout = ConvLayout::plain, out_layout = ConvLayout::plain;
  static void fields(Fields<FusedConvolutionParams>& f) {
    using P = FusedConvolutionParams;
    f.required("kernel", &P::kernel, "Extents of the window: (w,) or (h, w).")
        .required("stride", &P::stride, "Steps of the window.")
        .required("dilate", &P::dilate, "Distance of the input elements under neighbouring weights.")
        .required("pad", &P::pad, "Zeros added at both ends of each axis.")
        .required("num_filter", &P::num_filter, "Channels of the output.",
                  between(1, nn_backend::kMostWindow))
        .add("num_group", &P::num_group, "Groups of channels that are convolved apart.",
             between(1, nn_backend::kMostWindow))
        .add("no_bias", &P::no_bias, "There is no bias among the inputs.")
        .add("norm", &P::norm, "gamma, beta, moving_mean and moving_var of a BatchNorm are inputs.")
        .add("fix_gamma", &P::fix_gamma, "Takes gamma as 1.")
        .add("eps", &P::eps, "Added to the variance.", at_least(0))
        .add("residual", &P::residual, "The last input is added before the activation.")
        .choice("data_layout", &P::data_layout, {"plain", "blocked"},
                "blocked: data is (n, channels / 16 rounded up, in..., 16).")
        .choice("out_layout", &P::out_layout, {"plain", "blocked"}, "The same of output and residual.");
    fused_epilogue::add_fields(f);
  }
  int num_inputs() const { return 2 + !no_bias + 4 * norm + residual; }
};

void fused_conv_shape(const FusedConvolutionParams& p, ShapeInfer& s) {
  const int axes = p.kernel.ndim();
  if (axes < 1 || axes > 2) s.reject("kernel is ", p.kernel, "; expected 1 or 2 numbers");
  for (const Shape* tuple : {&p.kernel, &p.stride, &p.dilate, &p.pad}) {
    const int64_t least = tuple == &p.pad ? 0 : 1;
    bool fits = tuple->ndim() == axes;
    for (int i = 0; fits && i < axes; ++i)
      fits = (*tuple)[i] >= least && (*tuple)[i] <= nn_backend::kMostWindow;
    if (!fits) s.reject("a window has ", *tuple, "; expected ", axes, " numbers from ", least);
  }
  if (s.num_inputs() != p.num_inputs())
    s.reject("got ", s.num_inputs(), " inputs; expected ", p.num_inputs());
  const bool blocked = p.data_layout == ConvLayout::blocked;
  const Shape &data = s.in(0), &weight = s.in(1);
  if (!data.known() || !weight.known()) return;
  if (weight.ndim() != axes + 2 || p.num_filter % p.num_group != 0)
    s.reject("weight needs ", axes + 2, " axes, and num_filter whole groups");
  if (weight[1] > nn_backend::kMostWindow)
    s.reject("weight is ", weight, "; expected at most ", nn_backend::kMostWindow, " channels in a group");
  if (data.ndim() != axes + 2 + blocked) s.reject("data needs ", axes + 2 + blocked, " axes");
  const int64_t channels = weight[1] * p.num_group;
  Shape expected = data, filters{p.num_filter, weight[1]}, out{data[0]};
  expected[1] = blocked ? conv_blocks(channels) : channels;
  if (blocked) expected[axes + 2] = kConvBlock;
  s.set_in(0, expected);
  const bool to_blocked = p.out_layout == ConvLayout::blocked;
  out.push_back(to_blocked ? conv_blocks(p.num_filter) : p.num_filter);
  for (int i = 0; i < axes; ++i) {
    const int64_t over = data[2 + i] + 2 * p.pad[i] - p.dilate[i] * (p.kernel[i] - 1) - 1;
    if (over < 0) s.reject("the kernel is larger than spatial axis ", i, " with its padding");
    out.push_back(over / p.stride[i] + 1);
    filters.push_back(p.kernel[i]);
  }
  if (to_blocked) out.push_back(kConvBlock);
  s.set_in(1, filters);
  const int per_filter = !p.no_bias + 4 * p.norm;
  for (int i = 0; i < per_filter; ++i) s.set_in(2 + i, {p.num_filter});
  if (p.residual) s.set_in(2 + per_filter, out);
  s.set_out(0, out);
}

void fused_conv_dtype(const FusedConvolutionParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && d.in(0) != DType::float32) d.reject("expected float32");
}

ConvShape shape_of(const FusedConvolutionParams& p, const Shape& data, const Shape& weight,
                   const Shape& out) {
  ConvShape c;
  c.batch = data[0];
  c.channels = weight[1] * p.num_group;
  c.filters = p.num_filter;
  c.groups = p.num_group;
  for (int i = 0; i < p.kernel.ndim(); ++i) {
    const int at = 3 - p.kernel.ndim() + i;
    c.in[at] = data[2 + i];
    c.out[at] = out[2 + i];
    c.kernel[at] = p.kernel[i];
    c.stride[at] = p.stride[i];
    c.dilate[at] = p.dilate[i];
    c.pad[at] = p.pad[i];
  }
  return c;
}

conv_weights::Norm norm_of(const FusedConvolutionParams& p) {
  return {!p.no_bias, p.norm, p.fix_gamma, p.eps};
}

// Plan and weights of one convolution, and under which circumstances they were made.
struct Prepared {
  std::shared_ptr<const ConvPlan> plan;
  int threads = 0;
  bool library = false, fresh = false;
  uint64_t choice = 0;
  conv_weights::Kept weights;

  Prepared();
  ~Prepared();
  void choose(const FusedConvolutionParams& p, const KernelArgs& args);
};

Prepared::Prepared() = default;
Prepared::~Prepared() = default;

void Prepared::choose(const FusedConvolutionParams& p, const KernelArgs& args) {
  const int team = team_allowed() ? num_threads() : 1;
  const bool active = nn_backend::active() != nullptr;
  const conv_weights::Norm norm = norm_of(p);
  const bool fresh_weights = !conv_weights::versions_known(args, static_cast<size_t>(1 + norm.inputs()));
  if (plan && threads == team && library == active && choice == conv_choice_version() &&
      fresh == fresh_weights)
    return;
  plan = nullptr;  // until there is one for what follows
  ConvProblem problem;
  problem.shape = shape_of(p, args.in[0].shape(), args.in[1].shape(), args.out[0].shape());
  problem.data = p.data_layout;
  problem.out = p.out_layout;
  problem.threads = threads = team;
  problem.fresh_weights = fresh = fresh_weights;
  library = active;
  choice = conv_choice_version();
  plan = ConvPlan::make(problem);
  if (!plan) {
    fail(Status::invalid_argument, "[_fused_convolution] ", p.num_group, " groups of ",
         problem.shape.channels, " channels have no algorithm for blocked images; expected plain ones");
  }
  conv_weights::Layers layers;
  layers.owner = plan;
  layers.norm = norm;
  layers.count = 1;
  conv_weights::Layer& layer = layers.layer[0];
  layer.plan = plan.get();
  layer.biases = plan->weight_items();
  layer.places = p.num_filter;
  layers.items = layer.biases + layer.places;
  weights.begin(std::move(layers));
}

void fused_conv_kernel(const FusedConvolutionParams& p, KernelArgs& args) {
  if (args.out[0].size() == 0) return;
  Prepared own;
  if (args.memory && !args.memory->kept) args.memory->kept = std::make_shared<Prepared>();
  Prepared& prepared = args.memory ? *static_cast<Prepared*>(args.memory->kept.get()) : own;
  prepared.choose(p, args);
  const float* const weights = prepared.weights.update(args);
  ConvEpilogue end = fused_epilogue::epilogue_of(p);
  end.bias = p.no_bias && !p.norm ? nullptr : weights + prepared.plan->weight_items();
  end.residual = p.residual ? args.in[args.in.size() - 1].as<float>() : nullptr;
  const Scratch scratch = Scratch::of<float>(prepared.plan->scratch_items());
  prepared.plan->run(args.in[0].as<float>(), weights, end, args.out[0].as<float>(), scratch.as<float>());
}

double fused_conv_cost(const FusedConvolutionParams& p, Span<const Shape> in) {
  double positions = static_cast<double>(in[0][0]);
  for (int i = 0; i < p.kernel.ndim(); ++i) {
    const int64_t over = in[0][2 + i] + 2 * p.pad[i] - p.dilate[i] * (p.kernel[i] - 1) - 1;
    positions *= static_cast<double>(over / p.stride[i] + 1);
  }
  return 1000 + nn_backend::products_cost(positions * static_cast<double>(in[1].size()));
}

const Op& op =
    Define<FusedConvolutionParams>("_fused_convolution")
        .doc(
            "activation(BatchNorm(Convolution(data, weight, bias)) + residual), float32, channels first, "
            "with "
            "BatchNorm's moving averages, for prediction: it has no gradient. Inputs in that order: data, "
            "weight, then those of bias, (gamma, beta, moving_mean, moving_var) and residual that there are. "
            "Graphs get it from the pass `fuse`; they keep the prepared weights until one of the parameters "
            "is "
            "written.")
        .variadic("data", "Data, weight and what the parameters ask for.", nullptr)
        .shape(fused_conv_shape)
        .dtype(fused_conv_dtype)
        .kernel(fused_conv_kernel)
        .keeps([](const FusedConvolutionParams& p) { return 1 + norm_of(p).inputs(); })
        .cost(fused_conv_cost);

}  // namespace
}  // namespace mixgrad::ops::fused_convolution
