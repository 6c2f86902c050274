// Sequences of different lengths in one array: masking what lies behind the end, the last step, reversal.
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/gather.h"
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::sequence {
namespace {

struct SequenceParams {
  bool use_sequence_length = false;
  int64_t axis = 0;
  static void fields(Fields<SequenceParams>& f) {
    f.add("use_sequence_length", &SequenceParams::use_sequence_length,
          "Whether sequence_length is given; otherwise all sequences are whole.")
        .add("axis", &SequenceParams::axis, "Axis of time, 0 or 1; the other one counts sequences.",
             between(0, 1));
  }
};

struct MaskParams {
  bool use_sequence_length = false;
  double value = 0;
  int64_t axis = 0;
  static void fields(Fields<MaskParams>& f) {
    f.add("use_sequence_length", &MaskParams::use_sequence_length,
          "Whether sequence_length is given; otherwise nothing is masked.")
        .add("value", &MaskParams::value, "What masked elements become.")
        .add("axis", &MaskParams::axis, "Axis of time, 0 or 1; the other one counts sequences.",
             between(0, 1));
  }
};

struct LastPlaceParams {
  bool use_sequence_length = false;
  int64_t axis = 0;
  Shape shape;
  static void fields(Fields<LastPlaceParams>& f) {
    f.add("use_sequence_length", &LastPlaceParams::use_sequence_length, "As of SequenceLast.")
        .add("axis", &LastPlaceParams::axis, "Axis of time.", between(0, 1))
        .required("shape", &LastPlaceParams::shape, "Extents of the output.");
  }
};

template <class P>
int sequence_inputs(const P& p) {
  return p.use_sequence_length ? 2 : 1;
}

// (time, sequence, inner) or (sequence, time, inner), in elements.
struct SequenceLayout {
  int64_t steps, sequences, inner, step_stride, sequence_stride;
  std::vector<int64_t> lengths;  // clipped to [0, steps]
};

SequenceLayout layout_of(bool use_length, int64_t axis, const Shape& shape, const View* lengths) {
  SequenceLayout l;
  l.steps = shape[static_cast<int>(axis)];
  l.sequences = shape[static_cast<int>(1 - axis)];
  l.inner = shape.size(2, shape.ndim());
  l.step_stride = axis == 0 ? l.sequences * l.inner : l.inner;
  l.sequence_stride = axis == 0 ? l.inner : l.steps * l.inner;
  l.lengths.assign(static_cast<size_t>(l.sequences), l.steps);
  if (!use_length) return l;
  convert(lengths->data, lengths->dtype, l.lengths.data(), DType::int64, l.sequences);
  for (int64_t& length : l.lengths) length = std::clamp<int64_t>(length, 0, l.steps);
  return l;
}

void check_sequences(int64_t axis, ShapeInfer& s, const Shape& data) {
  if (data.ndim() < 2) s.reject("expected at least two axes, time and sequences, in ", data);
  if (s.num_inputs() > 1) s.set_in(1, {data[static_cast<int>(1 - axis)]});
}

template <class P>
void infer_sequence(const P& p, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (s.in(0).known_rank()) check_sequences(p.axis, s, s.in(0));
}

template <class P>
void sequence_dtype(const P&, DTypeInfer& d) {
  if (d.num_inputs() == 2 && d.in(1) == DType::unknown) d.set_in(1, d.in(0));
  d.set_out(0, d.in(0));
}

// Calls body(sequence, step, offset of the step) for all pairs, divided over cores.
template <class Body>
void for_each_step(const SequenceLayout& l, Body body) {
  if (l.inner == 0) return;
  const bool time_first = l.step_stride > l.sequence_stride;
  const int64_t columns = time_first ? l.sequences : l.steps;
  parallel_for(l.steps * l.sequences, loop_grain(16384, {l.inner}), [&](int64_t begin, int64_t end) {
    int64_t row = begin / columns, column = begin % columns;
    for (int64_t at = begin; at < end; ++at) {
      body(time_first ? column : row, time_first ? row : column, at * l.inner);
      if (++column < columns) continue;
      column = 0;
      ++row;
    }
  });
}

template <class T>
void copy_step(const T* src, T* dst, int64_t n) {
  if (n < 16) {
    for (int64_t i = 0; i < n; ++i) dst[i] = src[i];
  } else {
    std::memcpy(dst, src, static_cast<size_t>(n) * sizeof(T));
  }
}

template <class T>
void mask_steps(const SequenceLayout& l, const T* in, T* out, T value) {
  for_each_step(l, [&](int64_t n, int64_t t, int64_t offset) {
    if (t >= l.lengths[static_cast<size_t>(n)]) {
      std::fill_n(out + offset, l.inner, value);
    } else {
      copy_step(in + offset, out + offset, l.inner);
    }
  });
}

template <class T>
void reverse_steps(const SequenceLayout& l, const T* in, T* out) {
  for_each_step(l, [&](int64_t n, int64_t t, int64_t offset) {
    const int64_t length = l.lengths[static_cast<size_t>(n)], from = t < length ? length - 1 - t : t;
    copy_step(in + offset + (from - t) * l.step_stride, out + offset, l.inner);
  });
}

// Calls run with a zero of the unsigned type as wide as the dtype.
template <class Run>
void with_item(DType dtype, Run run) {
  switch (size_of(dtype)) {
    case 1: return run(uint8_t{});
    case 2: return run(uint16_t{});
    case 4: return run(uint32_t{});
    default: return run(uint64_t{});
  }
}

void mask_kernel(const MaskParams& p, KernelArgs& args) {
  const View &in = args.in[0], &out = args.out[0];
  if (!p.use_sequence_length) return copy_elements(in, out);
  const SequenceLayout l = layout_of(true, p.axis, in.shape(), &args.in[1]);
  with_item(out.dtype, [&](auto item) {
    using T = decltype(item);
    convert(&p.value, DType::float64, &item, out.dtype, 1);
    mask_steps(l, in.as<T>(), out.as<T>(), item);
  });
}

void reverse_kernel(const SequenceParams& p, KernelArgs& args) {
  const View &in = args.in[0], &out = args.out[0];
  const SequenceLayout l =
      layout_of(p.use_sequence_length, p.axis, in.shape(), p.use_sequence_length ? &args.in[1] : nullptr);
  with_item(out.dtype, [&](auto item) {
    using T = decltype(item);
    reverse_steps(l, in.as<T>(), out.as<T>());
  });
}

// The last step of each sequence; the first one of a sequence of length 0.
IndexPlan last_plan(bool use_length, int64_t axis, const Shape& shape, const View* lengths) {
  const SequenceLayout l = layout_of(use_length, axis, shape, lengths);
  IndexPlan plan;
  plan.inner = l.inner;
  for (int64_t n = 0; n < l.sequences; ++n) {
    const int64_t last = std::max<int64_t>(l.lengths[static_cast<size_t>(n)] - 1, 0);
    plan.offsets.push_back(n * l.sequence_stride + last * l.step_stride);
  }
  return plan;
}

Shape last_shape(int64_t axis, const Shape& data, ShapeInfer& s) {
  check_sequences(axis, s, data);
  if (data[static_cast<int>(axis)] == 0) s.reject("sequences without steps have no last one");
  Shape out = data;
  out.erase(static_cast<int>(axis));
  return out;
}

Tensor apply_sequence(const char* op, Tensor first, Grad& g, bool use_length,
                      std::initializer_list<NamedValue> params) {
  std::vector<Tensor> inputs{std::move(first)};
  if (use_length) inputs.push_back(g.in(1));
  return apply(op, inputs, Span<const NamedValue>(params.begin(), params.size()));
}

const Op& mask =
    Define<MaskParams>("SequenceMask")
        .alias("_npx_sequence_mask")
        .doc("Sets every step behind the end of its sequence to a value.")
        .origin("MXNet SequenceMask")
        .input("data", "(T, N, ...), or (N, T, ...) with axis 1.")
        .input("sequence_length", "(N,); clipped to [0, T].")
        .num_inputs(sequence_inputs<MaskParams>)
        .shape(infer_sequence<MaskParams>)
        .dtype(sequence_dtype<MaskParams>)
        .kernel(mask_kernel)
        .grad_needs({1}, {})
        .grad([](const MaskParams& p, Grad& g) {
          g.set(0, apply_sequence("SequenceMask", g.out_grad(), g, p.use_sequence_length,
                                  {{"use_sequence_length", p.use_sequence_length}, {"axis", p.axis}}));
        });

const Op& reverse =
    Define<SequenceParams>("SequenceReverse")
        .doc("Reverses the steps of each sequence and leaves what lies behind its end.")
        .origin("MXNet SequenceReverse")
        .input("data", "(T, N, ...), or (N, T, ...) with axis 1.")
        .input("sequence_length", "(N,); clipped to [0, T].")
        .num_inputs(sequence_inputs<SequenceParams>)
        .shape(infer_sequence<SequenceParams>)
        .dtype(sequence_dtype<SequenceParams>)
        .kernel(reverse_kernel)
        .grad_needs({1}, {})
        .grad([](const SequenceParams& p, Grad& g) {
          g.set(0, apply_sequence("SequenceReverse", g.out_grad(), g, p.use_sequence_length,
                                  {{"use_sequence_length", p.use_sequence_length}, {"axis", p.axis}}));
        });

const Op& last =
    Define<SequenceParams>("SequenceLast")
        .doc("The last step of each sequence; a sequence of length 0 gives its first step.")
        .origin("MXNet SequenceLast")
        .input("data", "(T, N, ...), or (N, T, ...) with axis 1.")
        .input("sequence_length", "(N,); clipped to [0, T].")
        .num_inputs(sequence_inputs<SequenceParams>)
        .shape([](const SequenceParams& p, ShapeInfer& s) {
          if (s.known(0)) s.set_out(0, last_shape(p.axis, s.in(0), s));
        })
        .dtype(sequence_dtype<SequenceParams>)
        .kernel([](const SequenceParams& p, KernelArgs& args) {
          const View& in = args.in[0];
          gather_rows(last_plan(p.use_sequence_length, p.axis, in.shape(),
                                p.use_sequence_length ? &args.in[1] : nullptr),
                      in.data, args.out[0].data, size_of(in.dtype));
        })
        .grad_needs({1}, {})
        .grad([](const SequenceParams& p, Grad& g) {
          const TupleValue shape(g.in_shape(0));
          g.set(0, apply_sequence(
                       "_sequence_last_place", g.out_grad(), g, p.use_sequence_length,
                       {{"use_sequence_length", p.use_sequence_length}, {"axis", p.axis}, {"shape", shape}}));
        });

[[maybe_unused]] const GradientOp& last_place =
    DefineForGradients<LastPlaceParams>("_sequence_last_place")
        .doc("Zeros with data at the last step of each sequence: the gradient of SequenceLast.")
        .input("data", "(N, ...)")
        .input("sequence_length", "(N,); clipped to [0, T].")
        .num_inputs(sequence_inputs<LastPlaceParams>)
        .shape([](const LastPlaceParams& p, ShapeInfer& s) {
          s.set_in(0, last_shape(p.axis, p.shape, s));
          s.set_out(0, p.shape);
        })
        .dtype(sequence_dtype<LastPlaceParams>)
        .kernel([](const LastPlaceParams& p, KernelArgs& args) {
          const View& out = args.out[0];
          fill_elements(out, 0);
          scatter_rows(last_plan(p.use_sequence_length, p.axis, p.shape,
                                 p.use_sequence_length ? &args.in[1] : nullptr),
                       args.in[0].data, out.data, out.size(), size_of(out.dtype));
        })
        .grad_needs({1}, {})
        .grad([](const LastPlaceParams& p, Grad& g) {
          g.set(0, apply_sequence("SequenceLast", g.out_grad(), g, p.use_sequence_length,
                                  {{"use_sequence_length", p.use_sequence_length}, {"axis", p.axis}}));
        });

}  // namespace
}  // namespace mixgrad::ops::sequence
