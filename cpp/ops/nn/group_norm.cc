// Normalisation of each group of channels of each sample: InstanceNorm and GroupNorm.
#include <cmath>
#include <limits>

#include "kernels/loops/convert.h"
#include "kernels/loops/strided.h"
#include "kernels/normalization/channel_norm.h"
#include "kernels/scratch.h"
#include "op/define.h"
#include "ops/nn/norm_grad.h"

namespace mixgrad::ops::group_norm {
namespace {

using channel_norm::Layout;
using Values = ScratchArray<double>;

struct GroupNormParams {
  int32_t num_groups = 1;
  double eps = 1e-5;
  bool output_mean_var = false;
  static void fields(Fields<GroupNormParams>& f) {
    f.add("num_groups", &GroupNormParams::num_groups, "Groups into which the channels of axis 1 fall.",
          at_least(1))
        .add("eps", &GroupNormParams::eps, "Added to the variance.", at_least(0))
        .add("output_mean_var", &GroupNormParams::output_mean_var,
             "Also gives mean and standard deviation (N, groups), sqrt(variance + eps); they pass no "
             "gradient on.");
  }
};

struct InstanceNormParams {
  double eps = 1e-3;
  static void fields(Fields<InstanceNormParams>& f) {
    f.add("eps", &InstanceNormParams::eps, "Added to the variance.", at_least(0));
  }
};

int64_t groups_of(const GroupNormParams& p, const Shape&) { return p.num_groups; }
int64_t groups_of(const InstanceNormParams&, const Shape& s) { return s[1]; }

// Every group of every sample as a channel of its own.
Layout group_layout(const Shape& s, int64_t groups) {
  const int64_t rows = s[0] * groups;
  return {1, rows, rows > 0 ? s.size() / rows : 0};
}

Values group_values(const View& v) {
  Values values(static_cast<size_t>(v.size()));
  convert(v.data, v.dtype, values.data(), DType::float64, v.size());
  return values;
}

struct GroupStatistics {
  Values mean, inverse;
};
GroupStatistics group_statistics(const View& x, const Layout& l, double eps) {
  GroupStatistics s{Values(static_cast<size_t>(l.channels)), Values(static_cast<size_t>(l.channels))};
  channel_norm::statistics(x, l, s.mean.data(), s.inverse.data());
  for (double& v : s.inverse) v = 1 / std::sqrt(v + eps);
  return s;
}

template <class P>
void group_kernel(const P& p, KernelArgs& args) {
  const View& x = args.in[0];
  if (x.size() == 0) {  // of groups without elements there is no mean
    for (size_t k = 1; k < args.out.size(); ++k)
      fill_view(args.out[k], std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const size_t groups = static_cast<size_t>(groups_of(p, x.shape()));
  const Layout l = group_layout(x.shape(), static_cast<int64_t>(groups));
  const GroupStatistics s = group_statistics(x, l, p.eps);
  const Values gamma = group_values(args.in[1]), beta = group_values(args.in[2]);
  Values scale = s.inverse, shift(scale.size());
  for (size_t r = 0; r < scale.size(); ++r) {
    scale[r] *= gamma[r % groups];
    shift[r] = beta[r % groups];
  }
  channel_norm::affine(x, args.out[0], l, s.mean.data(), scale.data(), shift.data());
  if (args.out.size() < 3) return;
  Values deviation = s.inverse;
  for (double& v : deviation) v = 1 / v;
  convert(s.mean.data(), DType::float64, args.out[1].data, args.out[1].dtype, l.channels);
  convert(deviation.data(), DType::float64, args.out[2].data, args.out[2].dtype, l.channels);
}

template <class P>
void group_backward(const P& p, BackwardArgs& args) {
  const View &dy = args.out_grad[0], &x = args.in[0];
  const size_t groups = static_cast<size_t>(groups_of(p, x.shape()));
  Values dgamma(groups, 0.0), dbeta(groups, 0.0);
  if (x.size() > 0) {
    const Layout l = group_layout(x.shape(), static_cast<int64_t>(groups));
    const GroupStatistics s = group_statistics(x, l, p.eps);
    const size_t rows = s.mean.size();
    Values sum(rows), along(rows);
    channel_norm::dots(dy, x, l, s.mean.data(), sum.data(), along.data());
    const Values gamma = group_values(args.in[1]);
    Values a(rows), b(rows), c(rows);
    const double n = static_cast<double>(l.inner);
    for (size_t r = 0; r < rows; ++r) {
      a[r] = gamma[r % groups] * s.inverse[r];
      b[r] = -a[r] * s.inverse[r] * s.inverse[r] * along[r] / n;
      c[r] = -a[r] * sum[r] / n;
      dgamma[r % groups] += along[r] * s.inverse[r];
      dbeta[r % groups] += sum[r];
    }
    if (args.wants(0)) {
      channel_norm::linear(dy, x, args.in_grad[0], l, s.mean.data(), a.data(), b.data(), c.data());
    }
  }
  for (int i : {1, 2}) {
    if (!args.wants(i)) continue;
    const View& to = args.in_grad[static_cast<size_t>(i)];
    convert((i == 1 ? dgamma : dbeta).data(), DType::float64, to.data, to.dtype, to.size());
  }
}

template <class P>
void group_grad(const P& p, Grad& g) {
  const Shape& shape = g.in_shape(0);
  const int64_t groups = groups_of(p, shape), n = shape.size() / std::max<int64_t>(1, shape[0] * groups);
  const Shape as{shape[0], groups, n}, across{1, groups, 1};
  const norm_grad::Whitened w = norm_grad::whiten(reshape_to(g.in(0), as), Shape{2}, n, p.eps);
  const Tensor dy = reshape_to(g.out_grad(), as);
  if (g.wants(0)) {
    const Tensor dx = norm_grad::whiten_gradient(w, dy * reshape_to(g.in(1), across), Shape{2}, n);
    g.set(0, reshape_to(dx, shape));
  }
  if (g.wants(1)) g.set(1, reshape_to(sum_to(dy * w.out, across), g.in_shape(1)));
  if (g.wants(2)) g.set(2, reshape_to(sum_to(dy, across), g.in_shape(2)));
}

template <class P>
void group_shape(const P& p, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (!s.in(0).known_rank()) return;
  const Shape& data = s.in(0);
  if (data.ndim() < 3) s.reject("data needs at least three axes, (N, C, ...)");
  if (data[1] < 0) return;
  const int64_t groups = groups_of(p, data);
  if (groups > 0 && data[1] % groups != 0) {
    s.reject("num_groups is ", groups, ", which does not divide the ", data[1], " channels");
  }
  for (int i : {1, 2}) s.set_in(i, Shape{groups});
  for (int i = 1; i < s.num_outputs(); ++i) s.set_out(i, Shape{data[0], groups});
}

template <class P>
Define<P> group_operator(const char* name, const char* doc, const char* of) {
  Define<P> define(name);
  define.doc(doc)
      .input("data", "(N, C, ...), floats. Statistics are computed in float or double.")
      .input("gamma", of)
      .input("beta", of)
      .shape(group_shape<P>)
      .kernel(group_kernel<P>)
      .cost([](const P&, Span<const Shape> in) { return 300 + 0.5 * static_cast<double>(in[0].size()); })
      .grad_needs({0, 1}, {})
      .grad(group_grad<P>)
      .backward(group_backward<P>);
  return define;
}

const bool kRegistered = [] {
  group_operator<InstanceNormParams>(
      "InstanceNorm",
      "Each channel of each sample shifted and scaled to mean 0 and variance 1, then "
      "times gamma plus beta.",
      "(C,): one per channel.")
      .origin("MXNet InstanceNorm; https://arxiv.org/abs/1607.08022")
      .done();
  group_operator<GroupNormParams>(
      "GroupNorm",
      "Each group of neighbouring channels of each sample shifted and scaled to mean 0 and "
      "variance 1, then times gamma plus beta.",
      "(num_groups,): one per group.")
      .origin("MXNet GroupNorm; https://arxiv.org/abs/1803.08494")
      .outputs({"out", "mean", "std"})
      .num_outputs([](const GroupNormParams& p) { return p.output_mean_var ? 3 : 1; })
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::group_norm
