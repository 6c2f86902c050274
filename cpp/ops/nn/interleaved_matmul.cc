// The matrix products of attention on projections whose heads lie interleaved.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "kernels/gemm/gemm.h"
#include "op/define.h"

namespace mixgrad::ops::interleaved_matmul {
namespace {

struct HeadsParams {
  int32_t heads = 1;
  static void fields(Fields<HeadsParams>& f) {
    f.required("heads", &HeadsParams::heads, "Number of heads.", at_least(1));
  }
};

// (length, batch, heads * parts * dim): of each head `parts` matrices one after the other, such as query, key and value.
struct Projections {
  const View* view;
  int64_t heads, parts;
  int64_t length() const { return view->shape()[0]; }
  int64_t batch() const { return view->shape()[1]; }
  int64_t dim() const { return view->shape()[2] / (heads * parts); }
  int64_t row() const { return batch() * view->shape()[2]; }  // elements from one position to the next
  // Matrix `part` (length x dim) of one head.
  char* matrix(int64_t b, int64_t head, int64_t part) const {
    const int64_t at = b * view->shape()[2] + (head * parts + part) * dim();
    return view->as<char>() + static_cast<size_t>(at) * size_of(view->dtype);
  }
};

// (batch * heads, queries, keys): one matrix after the other.
char* scores_of(const View& view, int64_t i) {
  const int64_t size = view.shape()[1] * view.shape()[2];
  return view.as<char>() + static_cast<size_t>(i * size) * size_of(view.dtype);
}

template <class F>
void each_head(int64_t batch, int64_t heads, F run) {
  parallel_for(batch * heads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) run(i, i / heads, i % heads);
  });
}

struct Side {
  const void* data;
  int64_t row;
  bool transposed = false;
};
void product(DType dtype, int64_t m, int64_t n, int64_t k, Side a, Side b, void* c, int64_t row,
             double alpha = 1) {
  Gemm g;
  g.m = m;
  g.n = n;
  g.k = k;
  g.a = a.data;
  g.lda = a.row;
  g.transpose_a = a.transposed;
  g.b = b.data;
  g.ldb = b.row;
  g.transpose_b = b.transposed;
  g.c = c;
  g.ldc = row;
  g.alpha = alpha;
  gemm(dtype, g);
}

// Sums of no products are 0.
double score_scale(const Projections& q) {
  return 1 / std::sqrt(std::max(1.0, static_cast<double>(q.dim())));
}

// scores = queries * keys^T / sqrt(dim)
void score(const Projections& q, const Projections& k, int64_t key_part, const View& scores) {
  const double scale = score_scale(q);
  each_head(q.batch(), q.heads, [&](int64_t i, int64_t b, int64_t h) {
    product(scores.dtype, q.length(), k.length(), q.dim(), {q.matrix(b, h, 0), q.row()},
            {k.matrix(b, h, key_part), k.row(), true}, scores_of(scores, i), k.length(), scale);
  });
}
// Gradients of both, where wanted.
void score_grad(const Projections& q, const Projections& k, int64_t key_part, const View& scores_grad,
                const Projections& q_grad, const Projections& k_grad) {
  const double scale = score_scale(q);
  const int64_t n = q.length(), m = k.length(), d = q.dim();
  each_head(q.batch(), q.heads, [&](int64_t i, int64_t b, int64_t h) {
    const char* scores = scores_of(scores_grad, i);
    if (q_grad.view->data) {
      product(scores_grad.dtype, n, d, m, {scores, m}, {k.matrix(b, h, key_part), k.row()},
              q_grad.matrix(b, h, 0), q_grad.row(), scale);
    }
    if (k_grad.view->data) {
      product(scores_grad.dtype, m, d, n, {scores, m, true}, {q.matrix(b, h, 0), q.row()},
              k_grad.matrix(b, h, key_part), k_grad.row(), scale);
    }
  });
}

// out = attention * values, heads side by side
void weigh(const Projections& values, int64_t part, const View& attention, const Projections& out) {
  each_head(values.batch(), values.heads, [&](int64_t i, int64_t b, int64_t h) {
    product(attention.dtype, out.length(), values.dim(), values.length(),
            {scores_of(attention, i), values.length()}, {values.matrix(b, h, part), values.row()},
            out.matrix(b, h, 0), out.row());
  });
}
void weigh_grad(const Projections& values, int64_t part, const View& attention, const Projections& out_grad,
                const Projections& values_grad, const View& attention_grad) {
  const int64_t n = out_grad.length(), m = values.length(), d = values.dim();
  each_head(values.batch(), values.heads, [&](int64_t i, int64_t b, int64_t h) {
    const Side head{out_grad.matrix(b, h, 0), out_grad.row()};
    if (attention_grad.data) {
      product(attention.dtype, n, m, d, head, {values.matrix(b, h, part), values.row(), true},
              scores_of(attention_grad, i), m);
    }
    if (values_grad.view->data) {
      product(attention.dtype, m, d, n, {scores_of(attention, i), m, true}, head,
              values_grad.matrix(b, h, part), values_grad.row());
    }
  });
}

void clear(const View& view) {
  if (view.data && view.bytes() > 0) std::memset(view.data, 0, view.bytes());
}

// What must hold of a projection; gives dim.
int64_t check_projection(const HeadsParams& p, ShapeInfer& s, int i, int64_t parts) {
  const Shape& shape = s.in(i);
  if (shape.ndim() != 3 || shape[2] % (p.heads * parts) != 0) {
    s.reject("expected projections (length, batch, heads * ", parts, " * dim) with ", p.heads, " heads");
  }
  return shape[2] / (p.heads * parts);
}
void check_attention(const HeadsParams& p, ShapeInfer& s, int64_t batch, int64_t keys) {
  const Shape& attention = s.in(1);
  if (attention.ndim() != 3 || attention[0] != batch * p.heads || attention[2] != keys)
    s.reject("expected attention of shape (", batch * p.heads, ", queries, ", keys, ")");
}

void float_dtype(const HeadsParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

double product_cost(const HeadsParams& p, Span<const Shape> in) {
  const Shape& first = in[0];
  if (first.ndim() != 3) return 0;
  const double keys = static_cast<double>(in[in.size() - 1].ndim() == 3 ? in[in.size() - 1][0] : 0);
  return 0.01 * static_cast<double>(first.size()) * std::max(keys / p.heads, 1.0);
}

struct SelfattParams : HeadsParams {
  bool quantized = false, enable_float_output = false;
  std::optional<float> min_calib_range, max_calib_range;
  static void fields(Fields<SelfattParams>& f) {
    f.required("heads", static_cast<int32_t SelfattParams::*>(&SelfattParams::heads), "Number of heads.",
               at_least(1))
        .add("quantized", &SelfattParams::quantized, "Must be false.")
        .add("enable_float_output", &SelfattParams::enable_float_output, "Accepted and ignored.")
        .add("min_calib_range", &SelfattParams::min_calib_range, "Accepted and ignored.")
        .add("max_calib_range", &SelfattParams::max_calib_range, "Accepted and ignored.");
  }
};
void refuse_quantized(const HeadsParams&, const ShapeInfer&) {}
void refuse_quantized(const SelfattParams& p, const ShapeInfer& s) {
  if (p.quantized) fail(Status::unsupported, "[", s.name(), "] quantized is True; expected False");
}

// Of the operator and of the form that MXNet's graphs for oneDNN have.
template <class P>
Define<P>& selfatt_qk_of(Define<P>& define) {
  return define
      .doc(
          "Products of queries and keys of one sequence, divided by the root of dim: (batch * heads, "
          "length, length).")
      .input("queries_keys_values", "(length, batch, heads * 3 * dim), of each head query, key and value.")
      .shape([](const P& p, ShapeInfer& s) {
        refuse_quantized(p, s);
        if (!s.known(0)) return;
        check_projection(p, s, 0, 3);
        s.set_out(0, {s.in(0)[1] * p.heads, s.in(0)[0], s.in(0)[0]});
      })
      .dtype([](const P& p, DTypeInfer& d) { float_dtype(p, d); })
      .kernel([](const P& p, KernelArgs& args) {
        const Projections all{&args.in[0], p.heads, 3};
        score(all, all, 1, args.out[0]);
      })
      .backward([](const P& p, BackwardArgs& args) {
        const Projections all{&args.in[0], p.heads, 3}, grad{&args.in_grad[0], p.heads, 3};
        clear(args.in_grad[0]);
        score_grad(all, all, 1, args.out_grad[0], grad, grad);
      })
      .cost([](const P& p, Span<const Shape> in) { return product_cost(p, in); });
}

template <class P>
Define<P>& selfatt_valatt_of(Define<P>& define) {
  return define.doc("Values of one sequence weighed by attention: (length, batch, heads * dim).")
      .input("queries_keys_values", "(length, batch, heads * 3 * dim), of each head query, key and value.")
      .input("attention", "(batch * heads, length, length).")
      .shape([](const P& p, ShapeInfer& s) {
        refuse_quantized(p, s);
        if (!s.known(0) || !s.known(1)) return;
        const int64_t dim = check_projection(p, s, 0, 3);
        check_attention(p, s, s.in(0)[1], s.in(0)[0]);
        if (s.in(1)[1] != s.in(0)[0]) s.reject("expected attention of ", s.in(0)[0], " queries");
        s.set_out(0, {s.in(0)[0], s.in(0)[1], p.heads * dim});
      })
      .dtype([](const P& p, DTypeInfer& d) { float_dtype(p, d); })
      .kernel([](const P& p, KernelArgs& args) {
        weigh({&args.in[0], p.heads, 3}, 2, args.in[1], {&args.out[0], p.heads, 1});
      })
      .backward([](const P& p, BackwardArgs& args) {
        clear(args.in_grad[0]);
        weigh_grad({&args.in[0], p.heads, 3}, 2, args.in[1], {&args.out_grad[0], p.heads, 1},
                   {&args.in_grad[0], p.heads, 3}, args.in_grad[1]);
      })
      .cost([](const P& p, Span<const Shape> in) { return product_cost(p, in); });
}

const Op& selfatt_qk = selfatt_qk_of(Define<HeadsParams>("_contrib_interleaved_matmul_selfatt_qk")
                                         .origin("MXNet _contrib_interleaved_matmul_selfatt_qk"));
const Op& selfatt_valatt = selfatt_valatt_of(Define<HeadsParams>("_contrib_interleaved_matmul_selfatt_valatt")
                                                 .origin("MXNet _contrib_interleaved_matmul_selfatt_valatt"));
#if MIXGRAD_TRAINING  // a single file for predictions has no room for the same operators twice
const Op& sg_selfatt_qk =
    selfatt_qk_of(Define<SelfattParams>("_sg_mkldnn_selfatt_qk").origin("MXNet _sg_mkldnn_selfatt_qk"));
const Op& sg_selfatt_valatt = selfatt_valatt_of(
    Define<SelfattParams>("_sg_mkldnn_selfatt_valatt").origin("MXNet _sg_mkldnn_selfatt_valatt"));
#endif

const Op& encdec_qk =
    Define<HeadsParams>("_contrib_interleaved_matmul_encdec_qk")
        .doc(
            "Products of queries of one sequence and keys of another, divided by the root of dim: "
            "(batch * heads, queries, keys).")
        .origin("MXNet _contrib_interleaved_matmul_encdec_qk")
        .input("queries", "(queries, batch, heads * dim).")
        .input("keys_values", "(keys, batch, heads * 2 * dim), of each head key and value.")
        .shape([](const HeadsParams& p, ShapeInfer& s) {
          if (!s.known(0) || !s.known(1)) return;
          if (check_projection(p, s, 0, 1) != check_projection(p, s, 1, 2) || s.in(0)[1] != s.in(1)[1])
            s.reject("expected queries and keys of one batch and dim");
          s.set_out(0, {s.in(0)[1] * p.heads, s.in(0)[0], s.in(1)[0]});
        })
        .dtype(float_dtype)
        .kernel([](const HeadsParams& p, KernelArgs& args) {
          score({&args.in[0], p.heads, 1}, {&args.in[1], p.heads, 2}, 0, args.out[0]);
        })
        .backward([](const HeadsParams& p, BackwardArgs& args) {
          clear(args.in_grad[1]);
          score_grad({&args.in[0], p.heads, 1}, {&args.in[1], p.heads, 2}, 0, args.out_grad[0],
                     {&args.in_grad[0], p.heads, 1}, {&args.in_grad[1], p.heads, 2});
        })
        .cost(product_cost);

const Op& encdec_valatt =
    Define<HeadsParams>("_contrib_interleaved_matmul_encdec_valatt")
        .doc("Values of another sequence weighed by attention: (queries, batch, heads * dim).")
        .origin("MXNet _contrib_interleaved_matmul_encdec_valatt")
        .input("keys_values", "(keys, batch, heads * 2 * dim), of each head key and value.")
        .input("attention", "(batch * heads, queries, keys).")
        .shape([](const HeadsParams& p, ShapeInfer& s) {
          if (!s.known(0) || !s.known(1)) return;
          const int64_t dim = check_projection(p, s, 0, 2);
          check_attention(p, s, s.in(0)[1], s.in(0)[0]);
          s.set_out(0, {s.in(1)[1], s.in(0)[1], p.heads * dim});
        })
        .dtype(float_dtype)
        .kernel([](const HeadsParams& p, KernelArgs& args) {
          weigh({&args.in[0], p.heads, 2}, 1, args.in[1], {&args.out[0], p.heads, 1});
        })
        .backward([](const HeadsParams& p, BackwardArgs& args) {
          clear(args.in_grad[0]);
          weigh_grad({&args.in[0], p.heads, 2}, 1, args.in[1], {&args.out_grad[0], p.heads, 1},
                     {&args.in_grad[0], p.heads, 2}, args.in_grad[1]);
        })
        .cost(product_cost);

}  // namespace
}  // namespace mixgrad::ops::interleaved_matmul
