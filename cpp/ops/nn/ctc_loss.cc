// Connectionist temporal classification: minus the logarithm of the probability of a label sequence, over all
// ways of stretching it over the steps.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "op/define.h"

namespace mixgrad::ops::ctc_loss {
namespace {

enum class Blank { first, last };

struct CtcParams {
  bool use_data_lengths = false, use_label_lengths = false;
  Blank blank_label = Blank::first;
  static void fields(Fields<CtcParams>& f) {
    f.add("use_data_lengths", &CtcParams::use_data_lengths,
          "Whether data_lengths is given; else all steps count.")
        .add("use_label_lengths", &CtcParams::use_label_lengths,
             "Whether label_lengths is given; else labels end at the first padding.")
        .choice("blank_label", &CtcParams::blank_label, {"first", "last"},
                "Which class is the blank. first: labels are 1 to C - 1, padding is 0; last: 0 to C - 2, and "
                "-1.");
  }
};

void ctc_shape(const CtcParams& p, ShapeInfer& s) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  if (s.in(0).known_rank() && s.in(0).ndim() != 3) s.reject("data must be (steps, batch, classes)");
  s.set_in(0, {kAny, kAny, kAny});
  s.set_in(1, {s.in(0)[1], kAny});
  s.set_in(0, {kAny, s.in(1)[0], kAny});
  const int64_t batch = s.in(0)[1], steps = s.in(0)[0], labels = s.in(1)[1];
  for (int i = 2; i < 2 + p.use_data_lengths + p.use_label_lengths; ++i) s.set_in(i, {batch});
  if (steps >= 0 && labels > steps)
    s.reject("labels of up to ", labels, " classes do not fit ", steps, " steps");
  if (s.in(0)[2] == 0) s.reject("expected at least one class, the blank");
  s.set_out(0, {batch});
  s.set_out(1, s.in(0));
}

void ctc_dtype(const CtcParams&, DTypeInfer& d) {
  d.set_in(0, d.out(0));
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("data must be of a float dtype");
  for (int i = 1; i < d.num_inputs(); ++i) {
    if (d.in(i) == DType::unknown) d.set_in(i, d.in(0));
  }
  d.set_out(0, d.in(0));
  d.set_out(1, d.in(0));
}

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_sum(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNever ? a : a + std::log1p(std::exp(b - a));
}

// One sequence: its labels with blanks between and around.
struct Path {
  std::vector<int64_t> classes;
  int64_t needed = 0;  // steps it takes at least: labels, and a blank between equal neighbours
};

class Labels {
 public:
  Labels(const CtcParams& p, const KernelArgs& args) : p_(p), classes_(args.in[0].shape()[2]) {
    const Shape &data = args.in[0].shape(), &label = args.in[1].shape();
    width_ = label[1];
    values_.resize(static_cast<size_t>(args.in[1].size()));
    convert(args.in[1].data, args.in[1].dtype, values_.data(), DType::float64, args.in[1].size());
    size_t next = 2;
    steps_ = lengths(args, p.use_data_lengths, next, data[0], data[1], "data_lengths");
    counts_ = lengths(args, p.use_label_lengths, next, width_, data[1], "label_lengths");
  }

  int64_t steps(int64_t sequence) const { return steps_[static_cast<size_t>(sequence)]; }
  int64_t blank() const { return p_.blank_label == Blank::first ? 0 : classes_ - 1; }

  Path path(int64_t sequence) const {
    const double padding = p_.blank_label == Blank::first ? 0 : -1;
    const int64_t low = p_.blank_label == Blank::first ? 1 : 0, high = low + classes_ - 2;
    Path path;
    path.classes.push_back(blank());
    for (int64_t i = 0; i < counts_[static_cast<size_t>(sequence)]; ++i) {
      const double label = values_[static_cast<size_t>(sequence * width_ + i)];
      if (!p_.use_label_lengths && label == padding) break;
      if (!(label >= static_cast<double>(low) && label < static_cast<double>(high + 1))) {
        fail(Status::index, "[CTCLoss] label ", label, " at (", sequence, ", ", i,
             "); expected a class from ", low, " to ", high,
             p_.use_label_lengths ? "" : text(" or ", padding, " to pad"));
      }
      const auto k = static_cast<int64_t>(label);
      if (i > 0 && path.classes[path.classes.size() - 2] == k) ++path.needed;
      ++path.needed;
      path.classes.push_back(k);
      path.classes.push_back(blank());
    }
    return path;
  }

 private:
  static std::vector<int64_t> lengths(const KernelArgs& args, bool given, size_t& next, int64_t most,
                                      int64_t batch, const char* name) {
    std::vector<int64_t> values(static_cast<size_t>(batch), most);
    if (!given) return values;
    const View& view = args.in[next++];
    convert(view.data, view.dtype, values.data(), DType::int64, batch);
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] < 0 || values[i] > most)
        fail(Status::index, "[CTCLoss] ", name, " is ", values[i], " at ", i, "; expected 0 to ", most);
    }
    return values;
  }

  const CtcParams& p_;
  int64_t classes_, width_;
  std::vector<double> values_;
  std::vector<int64_t> steps_, counts_;
};

// Log probabilities of one sequence: (steps, classes).
template <class C>
void log_softmax_of(const C* x, int64_t stride, int64_t steps, int64_t classes, double* out) {
  for (int64_t t = 0; t < steps; ++t) {
    const C* row = x + t * stride;
    double top = static_cast<double>(row[0]), sum = 0;
    for (int64_t k = 1; k < classes; ++k) top = std::max(top, static_cast<double>(row[k]));
    for (int64_t k = 0; k < classes; ++k) sum += std::exp(static_cast<double>(row[k]) - top);
    const double base = top + std::log(sum);
    for (int64_t k = 0; k < classes; ++k) out[t * classes + k] = static_cast<double>(row[k]) - base;
  }
}

// Whether the path may go from place i - 2 straight to i.
bool skips(const Path& path, size_t i, int64_t blank) {
  return i >= 2 && path.classes[i] != blank && path.classes[i] != path.classes[i - 2];
}

// alpha[t, i]: log probability of all beginnings that are at place i of the path at step t.
void walk_forward(const Path& path, int64_t blank, const double* logs, int64_t steps, int64_t classes,
                  double* alpha) {
  const size_t n = path.classes.size();
  std::fill(alpha, alpha + n, kNever);
  for (size_t i = 0; i < std::min<size_t>(2, n); ++i) alpha[i] = logs[path.classes[i]];
  for (int64_t t = 1; t < steps; ++t) {
    const double* before = alpha;
    alpha += n;
    for (size_t i = 0; i < n; ++i) {
      double sum = before[i];
      if (i >= 1) sum = log_sum(sum, before[i - 1]);
      if (skips(path, i, blank)) sum = log_sum(sum, before[i - 2]);
      alpha[i] = sum + logs[t * classes + path.classes[i]];
    }
  }
}

// Adds to share[t, class] the probability, among all ways, of being at that class at step t. beta holds what
// follows.
void walk_back(const Path& path, int64_t blank, const double* logs, int64_t steps, int64_t classes,
               const double* alpha, double total, double* share) {
  const size_t n = path.classes.size();
  std::vector<double> beta(n, kNever), after(n);
  beta[n - 1] = 0;
  if (n > 1) beta[n - 2] = 0;
  for (int64_t t = steps - 1; t >= 0; --t) {
    for (size_t i = 0; i < n; ++i)
      share[t * classes + path.classes[i]] +=
          std::exp(alpha[static_cast<size_t>(t) * n + i] + beta[i] - total);
    for (size_t i = 0; i < n; ++i) after[i] = beta[i] + logs[t * classes + path.classes[i]];
    for (size_t i = 0; i < n; ++i) {
      double sum = after[i];
      if (i + 1 < n) sum = log_sum(sum, after[i + 1]);
      if (i + 2 < n && skips(path, i + 2, blank)) sum = log_sum(sum, after[i + 2]);
      beta[i] = sum;
    }
  }
}

// Output 1 is the gradient of the losses' sum.
template <class C>
void ctc_forward(const CtcParams& p, KernelArgs& args) {
  const View &data = args.in[0], &loss = args.out[0];
  const int64_t batch = data.shape()[1], classes = data.shape()[2], stride = batch * classes;
  const Labels labels(p, args);
  Elements<C> scores(data, data.size()), losses(loss, loss.size()), grads(args.out[1], data.size());
  const C* x = scores.read(0, data.size());
  C *y = losses.write(0), *dx = grads.write(0);
  std::fill(dx, dx + data.size(), C(0));
  parallel_for(batch, 1, [&](int64_t begin, int64_t end) {
    std::vector<double> logs, alpha, share;
    for (int64_t b = begin; b < end; ++b) {
      const Path path = labels.path(b);
      const int64_t steps = labels.steps(b);
      const size_t n = path.classes.size();
      y[b] = C(0);
      if (steps == 0 || path.needed > steps) continue;
      logs.assign(static_cast<size_t>(steps * classes), 0);
      share.assign(static_cast<size_t>(steps * classes), 0);
      alpha.assign(static_cast<size_t>(steps) * n, 0);
      log_softmax_of(x + b * classes, stride, steps, classes, logs.data());
      walk_forward(path, labels.blank(), logs.data(), steps, classes, alpha.data());
      const double* last = alpha.data() + static_cast<size_t>(steps - 1) * n;
      const double total = n > 1 ? log_sum(last[n - 1], last[n - 2]) : last[0];
      y[b] = static_cast<C>(-total);
      walk_back(path, labels.blank(), logs.data(), steps, classes, alpha.data(), total, share.data());
      for (int64_t t = 0; t < steps; ++t) {
        for (int64_t k = 0; k < classes; ++k) {
          const auto at = static_cast<size_t>(t * classes + k);
          dx[t * stride + b * classes + k] = static_cast<C>(std::exp(logs[at]) - share[at]);
        }
      }
    }
  });
  losses.store(0, loss.size());
  grads.store(0, data.size());
}

template <class C>
void ctc_backward(BackwardArgs& args) {
  const View &head = args.out_grad[0], &saved = args.out[1], &grad = args.in_grad[0];
  const int64_t batch = saved.shape()[1], classes = saved.shape()[2];
  Elements<C> heads(head, head.size()), kept(saved, saved.size()), results(grad, grad.size());
  const C *factor = heads.read(0, head.size()), *from = kept.read(0, saved.size());
  C* to = results.write(0);
  for (int64_t r = 0; r < saved.shape()[0] * batch; ++r) {
    for (int64_t k = r * classes; k < (r + 1) * classes; ++k) to[k] = factor[r % batch] * from[k];
  }
  results.store(0, grad.size());
}

const Op& op =
    Define<CtcParams>("CTCLoss")
        .alias("ctc_loss")
        .alias("_contrib_CTCLoss")
        .alias("_contrib_ctc_loss")
        .doc(
            "(batch,): minus the logarithm of the probability that softmax of data gives the labels, with "
            "blanks "
            "between them and repetitions. 0, without a gradient, where the labels do not fit the steps.")
        .origin("MXNet CTCLoss; Graves and others 2006")
        .input("data", "(steps, batch, classes): scores, one class being the blank.")
        .input("label", "(batch, labels): class numbers, padded. Receives no gradient.")
        .input("data_lengths", "(batch,): steps that count. Receives no gradient.")
        .input("label_lengths", "(batch,): labels that count. Receives no gradient.")
        .outputs({"output", "gradient"})
        .num_inputs([](const CtcParams& p) { return 2 + p.use_data_lengths + p.use_label_lengths; })
        .num_visible([](const CtcParams&) { return 1; })
        .shape(ctc_shape)
        .dtype(ctc_dtype)
        .kernel([](const CtcParams& p, KernelArgs& args) {
          if (args.in[0].dtype == DType::float64)
            ctc_forward<double>(p, args);
          else
            ctc_forward<float>(p, args);
        })
        .cost([](const CtcParams&, Span<const Shape> in) {
          const double rows = static_cast<double>(in[0][0] * in[0][1]);
          return 500 + rows * (12 * static_cast<double>(in[0][2]) + 200 * static_cast<double>(in[1][1]));
        })
        .grad_needs({}, {1})
        .backward_reads({0})
        .backward([](const CtcParams&, BackwardArgs& args) {
          for (int i = 1; i < static_cast<int>(args.in_grad.size()); ++i) {
            const View& none = args.in_grad[static_cast<size_t>(i)];
            if (args.wants(i)) std::memset(none.data, 0, none.bytes());
          }
          if (!args.wants(0)) return;
          if (args.in_grad[0].dtype == DType::float64)
            ctc_backward<double>(args);
          else
            ctc_backward<float>(args);
        });

}  // namespace
}  // namespace mixgrad::ops::ctc_loss
