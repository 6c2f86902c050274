// Products summed over axes: dot, matmul, tensordot, einsum.
#include <cstring>
#include <string>
#include <vector>

#include "base/load.h"
#include "launch/composed.h"
#include "ops/numpy/numpy.h"

namespace mixgrad::ops::numpy_products {
namespace {

struct AxesParams {
  Shape a_axes_summed, b_axes_summed;
  static void fields(Fields<AxesParams>& f) {
    f.required("a_axes_summed", &AxesParams::a_axes_summed, "Axes of a to sum over.")
        .required("b_axes_summed", &AxesParams::b_axes_summed, "Those of b, in the same order.");
  }
};
struct CountParams {
  int32_t axes = 0;
  static void fields(Fields<CountParams>& f) {
    f.required("axes", &CountParams::axes, "How many of the last axes of a and the first of b.", at_least(0));
  }
};
struct SumParams {
  int32_t num_args = 0;
  std::string subscripts;
  int32_t optimize = 0;
  static void fields(Fields<SumParams>& f) {
    f.required("num_args", &SumParams::num_args, "Number of inputs.", at_least(1))
        .add("subscripts", &SumParams::subscripts,
             "A letter for each axis: 'ij,jk->ik'; '...' are all others.")
        .add("optimize", &SumParams::optimize, "Not used: products are taken from left to right.");
  }
};

// (k, m, n) from (k, m, s) and (k, s, n). Types other than floats are multiplied element by element.
Tensor stacked_product(const Tensor& a, const Tensor& b) {
  const int64_t k = a->shape()[0], m = a->shape()[1], s = a->shape()[2], n = b->shape()[2];
  if (a->shape().size() == 0 || b->shape().size() == 0)
    return apply("_full", {},
                 {{"shape", TupleValue(Shape{k, m, n})}, {"dtype", name_of(a->dtype())}, {"value", 0.0}});
  if (is_float(a->dtype())) return apply("batch_dot", {a, b});
  const Tensor all = reshape_to(a, {k, m, s, 1}) * reshape_to(b, {k, 1, s, n});
  return apply("_np_sum", {all}, {{"axis", TupleValue(Shape{2})}});
}

Shape range_of(int first, int last) {
  Shape axes;
  for (int i = first; i < last; ++i) axes.push_back(i);
  return axes;
}
int64_t size_over(const Shape& shape, const Shape& axes) {
  int64_t n = 1;
  for (const int64_t axis : axes) n *= shape[static_cast<int>(axis)];
  return n;
}
Shape all_but(const Shape& axes, int ndim) {
  Shape rest;
  for (int i = 0; i < ndim; ++i) {
    bool named = false;
    for (const int64_t axis : axes) named |= axis == i;
    if (!named) rest.push_back(i);
  }
  return rest;
}
Tensor ordered(const Tensor& x, const Shape& first, const Shape& second, const Shape& third = Shape()) {
  Shape order = first;
  for (const int64_t axis : second) order.push_back(axis);
  for (const int64_t axis : third) order.push_back(axis);
  bool same = true;
  for (int i = 0; i < order.ndim(); ++i) same &= order[i] == i;
  return same ? x : transpose_axes(x, order);
}
void append(Shape& out, const Shape& shape, const Shape& axes) {
  for (const int64_t axis : axes) out.push_back(shape[static_cast<int>(axis)]);
}

// Sums over pairs of axes; the others follow one another.
Tensor contracted(const Tensor& a, const Shape& a_axes, const Tensor& b, const Shape& b_axes,
                  const Composition& c) {
  const Shape &sa = a->shape(), &sb = b->shape();
  bool fits = a_axes.ndim() == b_axes.ndim();
  for (int i = 0; fits && i < a_axes.ndim(); ++i)
    fits = sa[static_cast<int>(a_axes[i])] == sb[static_cast<int>(b_axes[i])];
  if (!fits) c.reject("axes ", a_axes, " of the first and ", b_axes, " of the second differ");
  const Shape free_a = all_but(a_axes, sa.ndim()), free_b = all_but(b_axes, sb.ndim());
  const int64_t m = size_over(sa, free_a), s = size_over(sa, a_axes), n = size_over(sb, free_b);
  const Tensor left = reshape_to(ordered(a, free_a, a_axes), {1, m, s});
  const Tensor right = reshape_to(ordered(b, b_axes, free_b), {1, s, n});
  Shape out;
  append(out, sa, free_a);
  append(out, sb, free_b);
  return reshape_to(stacked_product(left, right), out);
}

Shape normalized(const Shape& axes, int ndim, const char* who) {
  Shape out;
  for (const int64_t axis : axes) out.push_back(normalize_axis(axis, ndim, who));
  return out;
}

Tensor dot_of(const Composition& c) {
  const Tensor a = c.in(0), b = c.in(1);
  const int na = a->shape().ndim(), nb = b->shape().ndim();
  if (na == 0 || nb == 0) return a * b;
  return contracted(a, {na - 1}, b, {nb > 1 ? nb - 2 : 0}, c);
}

Tensor matmul_of(const Composition& c) {
  Tensor a = c.in(0), b = c.in(1);
  const int na = a->shape().ndim(), nb = b->shape().ndim();
  if (na == 0 || nb == 0) c.reject("expected at least one axis each");
  Shape sa = a->shape(), sb = b->shape();
  if (na == 1) sa.insert(0, 1);
  if (nb == 1) sb.push_back(1);
  const int64_t m = sa[sa.ndim() - 2], s = sa.back(), n = sb.back();
  if (sb[sb.ndim() - 2] != s) c.reject("expected the last axis of a and the last but one of b to be equal");
  const Shape stack = broadcast(Shape(sa.data(), sa.ndim() - 2), Shape(sb.data(), sb.ndim() - 2), c.name());
  Shape wide_a = stack, wide_b = stack;
  wide_a.push_back(m), wide_a.push_back(s), wide_b.push_back(s), wide_b.push_back(n);
  const int64_t k = stack.size();
  const Tensor product = stacked_product(reshape_to(broadcast_to(reshape_to(a, sa), wide_a), {k, m, s}),
                                         reshape_to(broadcast_to(reshape_to(b, sb), wide_b), {k, s, n}));
  Shape out = stack;
  if (na > 1) out.push_back(m);
  if (nb > 1) out.push_back(n);
  return reshape_to(product, out);
}

// An operand of einsum: its array and a label for each axis.
struct Labelled {
  Tensor array;
  std::string labels;
};
int place_of(const std::string& labels, char label) {
  const size_t at = labels.find(label);
  return at == std::string::npos ? -1 : static_cast<int>(at);
}

// Axes of one label become their diagonal.
Labelled without_twins(Labelled x) {
  for (size_t i = 0; i < x.labels.size(); ++i) {
    for (size_t j = x.labels.size() - 1; j > i; --j) {
      if (x.labels[i] != x.labels[j]) continue;
      x.array =
          apply("diag", {x.array}, {{"axis1", static_cast<int64_t>(i)}, {"axis2", static_cast<int64_t>(j)}});
      const char label = x.labels[i];
      x.labels.erase(j, 1);
      x.labels.erase(i, 1);
      x.labels.push_back(label);
      return without_twins(x);
    }
  }
  return x;
}
// Sums over labels that are not in `kept`.
Labelled summed(Labelled x, const std::string& kept) {
  Shape axes;
  std::string left;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    if (place_of(kept, x.labels[i]) < 0)
      axes.push_back(static_cast<int64_t>(i));
    else
      left.push_back(x.labels[i]);
  }
  if (axes.ndim() > 0) x.array = apply("_np_sum", {x.array}, {{"axis", TupleValue(axes)}});
  x.labels = left;
  return x;
}
// The product of two operands; labels that are in both and not in `kept` are summed over.
Labelled joined(const Labelled& x, const Labelled& y, const std::string& kept) {
  const Labelled a = summed(x, kept + y.labels), b = summed(y, kept + x.labels);
  Shape stack_a, sum_a, free_a, stack_b, sum_b, free_b, out;
  std::string labels;
  for (size_t i = 0; i < a.labels.size(); ++i) {
    const int other = place_of(b.labels, a.labels[i]);
    if (other < 0) continue;
    const bool stacks = place_of(kept, a.labels[i]) >= 0;
    (stacks ? stack_a : sum_a).push_back(static_cast<int64_t>(i));
    (stacks ? stack_b : sum_b).push_back(other);
    if (stacks) labels.push_back(a.labels[i]);
  }
  Shape used_a = stack_a, used_b = stack_b;
  for (const int64_t axis : sum_a) used_a.push_back(axis);
  for (const int64_t axis : sum_b) used_b.push_back(axis);
  const Shape &sa = a.array->shape(), &sb = b.array->shape();
  free_a = all_but(used_a, sa.ndim()), free_b = all_but(used_b, sb.ndim());
  for (const int64_t axis : free_a) labels.push_back(a.labels[static_cast<size_t>(axis)]);
  for (const int64_t axis : free_b) labels.push_back(b.labels[static_cast<size_t>(axis)]);
  append(out, sa, stack_a), append(out, sa, free_a), append(out, sb, free_b);
  const int64_t k = size_over(sa, stack_a), m = size_over(sa, free_a), s = size_over(sa, sum_a),
                n = size_over(sb, free_b);
  const Tensor left = reshape_to(ordered(a.array, stack_a, free_a, sum_a), {k, m, s});
  const Tensor right = reshape_to(ordered(b.array, stack_b, sum_b, free_b), {k, s, n});
  return {reshape_to(stacked_product(left, right), out), labels};
}

// Subscripts as one text per operand, '...' as labels from 1 on, counted from the last axis.
Tensor einsum_of(const SumParams& p, const Composition& c) {
  std::string text;
  for (const char letter : p.subscripts) {
    if (letter != ' ') text.push_back(letter);
  }
  const size_t arrow = text.find("->");
  std::string inputs = text.substr(0, arrow),
              output = arrow == std::string::npos ? "" : text.substr(arrow + 2);
  std::vector<Labelled> operands;
  int dots_most = 0;
  size_t from = 0;
  for (int i = 0; i < c.num_inputs(); ++i) {
    if (from > inputs.size()) c.reject("subscripts ", p.subscripts, " name fewer operands than there are");
    const size_t comma = inputs.find(',', from);
    std::string part = inputs.substr(from, comma == std::string::npos ? comma : comma - from);
    from = comma == std::string::npos ? inputs.size() + 1 : comma + 1;
    const int ndim = c.shape(i).ndim();
    const size_t dots = part.find("...");
    if (dots != std::string::npos) {
      const int many = ndim - (static_cast<int>(part.size()) - 3);
      if (many < 0) c.reject("subscripts ", p.subscripts, " have more letters than operand ", i, " has axes");
      std::string open;
      for (int k = many; k > 0; --k) open.push_back(static_cast<char>(k));
      part = part.substr(0, dots) + open + part.substr(dots + 3);
      dots_most = std::max(dots_most, many);
    }
    if (static_cast<int>(part.size()) != ndim)
      c.reject("subscripts ", p.subscripts, " do not have a letter for each axis of operand ", i);
    operands.push_back({c.in(i), part});
  }
  if (from <= inputs.size()) c.reject("subscripts ", p.subscripts, " name more operands than there are");
  std::string open;
  for (int k = dots_most; k > 0; --k) open.push_back(static_cast<char>(k));
  if (arrow == std::string::npos) {  // letters that come once, in order
    std::string letters = inputs, once;
    for (char letter = 'A'; letter <= 'z'; ++letter) {
      int count = 0;
      for (const char other : letters) count += other == letter ? 1 : 0;
      if (count == 1) once.push_back(letter);
    }
    output = open + once;
  } else if (output.find("...") != std::string::npos) {
    const size_t dots = output.find("...");
    output = output.substr(0, dots) + open + output.substr(dots + 3);
  }
  // Extents of labels; an axis of extent 1 goes with any.
  int64_t extent[128];
  std::fill(extent, extent + 128, int64_t{-1});
  for (const Labelled& x : operands) {
    for (size_t i = 0; i < x.labels.size(); ++i) {
      const auto label = static_cast<unsigned char>(x.labels[i]);
      const bool letter =
          (label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z') || label <= kMaxDims;
      if (!letter || label == 0) c.reject("subscripts ", p.subscripts, " hold what is no letter");
      const int64_t n = x.array->shape()[static_cast<int>(i)];
      if (extent[label] >= 0 && extent[label] != n && n != 1 && extent[label] != 1)
        c.reject("subscripts ", p.subscripts, " give axes of extents ", extent[label], " and ", n,
                 " one letter");
      if (extent[label] < 0 || extent[label] == 1) extent[label] = n;
    }
  }
  for (size_t i = 0; i < output.size(); ++i) {
    const auto label = static_cast<unsigned char>(output[i]);
    if (label >= 128 || extent[label] < 0 || output.find(output[i], i + 1) != std::string::npos)
      c.reject("subscripts ", p.subscripts, " ask for an axis that no operand has, or twice for one");
  }
  for (Labelled& x : operands) {
    Shape wide = x.array->shape();
    for (int i = 0; i < wide.ndim(); ++i)
      wide[i] = extent[static_cast<unsigned char>(x.labels[static_cast<size_t>(i)])];
    x.array = broadcast_to(x.array, wide);
    x = without_twins(x);
  }
  Labelled result = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) {
    std::string kept = output;
    for (size_t j = i + 1; j < operands.size(); ++j) kept += operands[j].labels;
    result = joined(result, operands[i], kept);
  }
  result = summed(result, output);
  Shape order;
  for (const char label : output) order.push_back(place_of(result.labels, label));
  return ordered(result.array, order, Shape());
}

template <class P>
Define<P> two_arrays(const char* name, Text doc) {
  Define<P> define(name);
  define.doc(doc)
      .origin("MXNet numpy tensordot")
      .input("a", "Any array.")
      .input("b", "Any array of that dtype.");
  return define;
}

const bool kRegistered = at_load([] {
  Define<> dot = two_arrays<NoParams>(
      "_np_dot", "Sum of products over the last axis of a and the last but one of b; a number multiplies.");
  composed(dot, [](const NoParams&, Composition& c) { c.set(0, dot_of(c)); })
      .shape([](const NoParams& p, ShapeInfer& s) {
        // A weight whose first extent is not known has that of the last axis of the data.
        if (s.known(0) && s.in(0).ndim() > 0 && s.in(1).known_rank() && s.in(1).ndim() == 2) {
          Shape weight = s.in(1);
          if (weight[0] == Shape::kUnknownDim) weight[0] = s.in(0).back(), s.set_in(1, weight);
        }
        composed_detail::infer([](const void*, Composition& c) { c.set(0, dot_of(c)); }, &p, s);
      })
      .done();
  Define<> matmul = two_arrays<NoParams>(
      "_npi_matmul", "Products of stacks of matrices, which broadcast; arrays of one axis are vectors.");
  composed(matmul, [](const NoParams&, Composition& c) { c.set(0, matmul_of(c)); }).done();
  Define<AxesParams> tensordot =
      two_arrays<AxesParams>("_npi_tensordot", "Sum of products over pairs of axes.");
  composed(tensordot, [](const AxesParams& p, Composition& c) {
    c.set(0, contracted(c.in(0), normalized(p.a_axes_summed, c.shape(0).ndim(), c.name()), c.in(1),
                        normalized(p.b_axes_summed, c.shape(1).ndim(), c.name()), c));
  }).done();
  Define<CountParams> counted = two_arrays<CountParams>(
      "_npi_tensordot_int_axes", "Sum of products over the last axes of a and the first of b.");
  composed(counted, [](const CountParams& p, Composition& c) {
    const int n = c.shape(0).ndim();
    if (p.axes > n || p.axes > c.shape(1).ndim())
      c.reject("axes is ", p.axes, "; expected at most as many as there are");
    c.set(0, contracted(c.in(0), range_of(n - p.axes, n), c.in(1), range_of(0, p.axes), c));
  }).done();
  Define<SumParams> einsum("_npi_einsum");
  einsum.doc("Sums of products by Einstein's convention.")
      .origin("MXNet _npi_einsum")
      .variadic("data", "Arrays of one dtype.", "num_args")
      .num_inputs([](const SumParams& p) { return int{p.num_args}; });
  composed(einsum, [](const SumParams& p, Composition& c) { c.set(0, einsum_of(p, c)); }).done();
});

}  // namespace
}  // namespace mixgrad::ops::numpy_products
