#include "onednn/backend.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "base/cpu.h"
#include "kernels/scratch.h"
#include "onednn/context.h"

namespace mixgrad::onednn {
namespace {

using nn_backend::ConvShape;

enum class Use : int64_t { product, forward, data_grad, weight_grad };

// Up to kMostAxes numbers, one per axis.
struct Axes {
  int64_t item[kMostAxes] = {};
  int size = 0;
  Axes() = default;
  Axes(std::initializer_list<int64_t> items) {
    for (const int64_t value : items) add(value);
  }
  void add(int64_t value) { item[size++] = value; }
};

MemoryDesc strided(const Axes& extents, int type, const Axes& strides) {
  return create<MemoryDesc>(&Library::memory_desc_create_with_strides, extents.size, extents.item, type,
                            strides.item);
}
MemoryDesc tagged(const Axes& extents, int type, int tag) {
  return create<MemoryDesc>(&Library::memory_desc_create_with_tag, extents.size, extents.item, type, tag);
}
// Densely, the axes in order, but for the one that comes last (-1: none is moved).
MemoryDesc dense(const Axes& extents, int type, int last = -1) {
  Axes strides = extents;
  int64_t step = 1;
  if (last >= 0) {
    strides.item[last] = 1;
    step = extents.item[last];
  }
  for (int i = extents.size - 1; i >= 0; --i) {
    if (i == last) continue;
    strides.item[i] = step;
    step *= extents.item[i];
  }
  return strided(extents, type, strides);
}

struct ProductCall {
  DType dtype;
  const Gemm* gemm;
};

Recipe make_product(const Context& context, const void* given) {
  const auto& call = *static_cast<const ProductCall*>(given);
  const Gemm& g = *call.gemm;
  const int type = type_of(call.dtype);
  const MemoryDesc a = strided({g.m, g.k}, type, g.transpose_a ? Axes{1, g.lda} : Axes{g.lda, 1});
  const MemoryDesc b = strided({g.k, g.n}, type, g.transpose_b ? Axes{1, g.ldb} : Axes{g.ldb, 1});
  const MemoryDesc c = strided({g.m, g.n}, type, {g.ldc, 1});
  Recipe recipe;
  if (g.bias) recipe.bias = strided({1, g.n}, type, {g.n, 1});
  const auto desc = create<PrimitiveDesc>(&Library::matmul_primitive_desc_create, context.engine(), a.get(),
                                          b.get(), recipe.bias.get(), c.get(), nullptr);
  recipe.primitive = create<Primitive>(&Library::primitive_create, desc.get());
  recipe.in[0] = context.input_layouts(a, a.get());
  recipe.in[1] = context.input_layouts(b, b.get());
  recipe.out = context.output_layouts(c, c.get());
  recipe.in_name[0] = kArgSrc;
  recipe.in_name[1] = kArgWeights;
  recipe.out_name = kArgDst;
  return recipe;
}

// Row-major, without the cost of a primitive. Our own product is faster when a side is short.
bool float_product(const Gemm& g) {
  constexpr double kLeast = 1e8;
  constexpr int64_t kShortest = 128;
  if (g.bias || g.end || std::min({g.m, g.n, g.k}) < kShortest) return false;
  if (static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k) < kLeast) return false;
  if (best_isa() != Isa::avx512) return false;  // lowered for a test
  if (!Context::get()) return false;            // the library's own objects of this thread may be gone, too
  const TeamLimit team;
  return library().sgemm(g.transpose_a ? 'T' : 'N', g.transpose_b ? 'T' : 'N', g.m, g.n, g.k,
                         static_cast<float>(g.alpha), static_cast<const float*>(g.a), g.lda,
                         static_cast<const float*>(g.b), g.ldb, g.accumulate ? 1.0f : 0.0f,
                         static_cast<float*>(g.c), g.ldc) == kSuccess;
}

// Large products of float32 run a few per cent above our own; hardware products of bfloat16 are beyond it.
bool product(DType dtype, const Gemm& g) {
  if (dtype == DType::float32) return float_product(g);
  constexpr double kLeast = 1e6;  // products that pay for a call into the library
  static const bool fast = library().get_effective_cpu_isa() >= kAvx512Bfloat16;
  if (dtype != DType::bfloat16 || !fast || g.accumulate || g.alpha != 1) return false;
  if (static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k) < kLeast) return false;
  if (best_isa() != Isa::avx512) return false;  // lowered for a test
  Context* const context = Context::get();
  if (!context) return false;
  const TeamLimit team;
  Key key;
  for (const int64_t v :
       {static_cast<int64_t>(Use::product), static_cast<int64_t>(dtype), static_cast<int64_t>(team.threads()),
        g.m, g.n, g.k, g.lda, g.ldb, g.ldc, static_cast<int64_t>(g.transpose_a),
        static_cast<int64_t>(g.transpose_b), static_cast<int64_t>(g.bias != nullptr)}) {
    key.add(v);
  }
  const ProductCall call{dtype, &g};
  const Recipe& recipe = context->recipe_for(key, make_product, &call);
  if (!recipe.primitive) return false;
  context->run(recipe, g.a, g.b, g.bias, g.c);
  return true;
}

struct ConvCall {
  Use use;
  DType dtype;
  bool bias;
  const ConvShape* shape;
};

// A convolution in oneDNN's terms: spatial axes in use, and descriptors of plain and free layouts.
struct ConvDescs {
  Axes strides, dilates, pad_low, pad_high;
  MemoryDesc data, weight, out, any_data, any_weight, any_out, bias;
};

ConvDescs describe(const ConvCall& call) {
  const ConvShape& s = *call.shape;
  const bool deep = s.in[0] != 1 || s.kernel[0] != 1 || s.out[0] != 1;
  const int type = type_of(call.dtype);
  ConvDescs d;
  Axes data{s.batch, s.channels}, out{s.batch, s.filters}, weight;
  if (s.groups > 1)
    weight = {s.groups, s.filters / s.groups, s.channels / s.groups};
  else
    weight = {s.filters, s.channels};
  for (int i = deep ? 0 : 1; i < 3; ++i) {
    data.add(s.in[i]);
    out.add(s.out[i]);
    weight.add(s.kernel[i]);
    d.strides.add(s.stride[i]);
    d.dilates.add(s.dilate[i] - 1);
    d.pad_low.add(s.pad[i]);
    d.pad_high.add((s.out[i] - 1) * s.stride[i] + s.dilate[i] * (s.kernel[i] - 1) + 1 - s.in[i] - s.pad[i]);
  }
  const int blocks = deep ? kBlocked5d : kBlocked4d, last = s.channels_last ? 1 : -1;
  d.data = s.data_blocked ? tagged(data, type, blocks) : dense(data, type, last);
  d.out = s.out_blocked ? tagged(out, type, blocks) : dense(out, type, last);
  d.weight = dense(weight, type, s.channels_last ? (s.groups > 1 ? 2 : 1) : -1);
  // Channels-last images stay as they are: every kernel takes them. Blocked ones mostly are what kernels like best.
  d.any_data = s.channels_last ? copy_of(d.data.get()) : tagged(data, type, kAny);
  d.any_out = s.channels_last ? copy_of(d.out.get()) : tagged(out, type, kAny);
  d.any_weight = tagged(weight, type, kAny);
  if (call.bias) d.bias = dense({s.filters}, type);
  return d;
}

Recipe make_conv(const Context& context, const void* given) {
  const auto& call = *static_cast<const ConvCall*>(given);
  const ConvDescs d = describe(call);
  const auto ahead = create<PrimitiveDesc>(
      &Library::convolution_forward_primitive_desc_create, context.engine(), kForwardTraining,
      kDirectConvolution, d.any_data.get(), d.any_weight.get(), d.bias.get(), d.any_out.get(), d.strides.item,
      d.dilates.item, d.pad_low.item, d.pad_high.item, nullptr);
  const auto layout = [&](const PrimitiveDesc& desc, int what) {
    return library().primitive_desc_query_md(desc.get(), what, 0);
  };
  Recipe recipe;
  const auto make = [&](const PrimitiveDesc& desc) {
    const char* kind = nullptr;
    expect_success(library().primitive_desc_query(desc.get(), kQueryImplementation, 0, &kind));
    // A reference implementation is no match for our own kernels.
    if (std::strstr(kind, "ref")) return false;
    recipe.primitive = create<Primitive>(&Library::primitive_create, desc.get());
    return true;
  };
  if (call.use == Use::forward) {
    if (!make(ahead)) return recipe;
    recipe.in[0] = context.input_layouts(d.data, layout(ahead, kQuerySrc));
    recipe.in[1] = context.input_layouts(d.weight, layout(ahead, kQueryWeights));
    recipe.out = context.output_layouts(d.out, layout(ahead, kQueryDst));
    recipe.in_name[0] = kArgSrc, recipe.in_name[1] = kArgWeights, recipe.out_name = kArgDst;
    if (d.bias) recipe.bias = copy_of(d.bias.get());
  } else if (call.use == Use::data_grad) {
    const auto back = create<PrimitiveDesc>(
        &Library::convolution_backward_data_primitive_desc_create, context.engine(), kDirectConvolution,
        d.any_data.get(), d.any_weight.get(), d.any_out.get(), d.strides.item, d.dilates.item, d.pad_low.item,
        d.pad_high.item, ahead.get(), nullptr);
    if (!make(back)) return recipe;
    recipe.in[0] = context.input_layouts(d.out, layout(back, kQueryDiffDst));
    recipe.in[1] = context.input_layouts(d.weight, layout(back, kQueryWeights));
    recipe.out = context.output_layouts(d.data, layout(back, kQueryDiffSrc));
    recipe.in_name[0] = kArgDiffDst, recipe.in_name[1] = kArgWeights, recipe.out_name = kArgDiffSrc;
  } else {
    const auto back = create<PrimitiveDesc>(
        &Library::convolution_backward_weights_primitive_desc_create, context.engine(), kDirectConvolution,
        d.any_data.get(), d.any_weight.get(), nullptr, d.any_out.get(), d.strides.item, d.dilates.item,
        d.pad_low.item, d.pad_high.item, ahead.get(), nullptr);
    if (!make(back)) return recipe;
    recipe.in[0] = context.input_layouts(d.data, layout(back, kQuerySrc));
    recipe.in[1] = context.input_layouts(d.out, layout(back, kQueryDiffDst));
    recipe.out = context.output_layouts(d.weight, layout(back, kQueryDiffWeights));
    recipe.in_name[0] = kArgSrc, recipe.in_name[1] = kArgDiffDst, recipe.out_name = kArgDiffWeights;
  }
  return recipe;
}

// Whether our own kernel is faster, measured on convolutions of residual networks with AVX-512: turning images and
// weights into blocked layouts must pay.
bool own_is_faster(Use use, const ConvShape& s) {
  const int64_t images = s.data_items() + s.out_items(), weights = s.weight_items();
  const bool depthwise = s.groups == s.channels;
  if (use == Use::data_grad && s.channels / s.groups < 8 && !depthwise) return true;
  if (weights > 20 * images) return true;
  if (use != Use::weight_grad) return false;
  return !depthwise && (weights > 8 * images || (s.kernel_size() == 1 && weights > images));
}

Key key_of(Use use, DType dtype, const ConvShape& s, bool bias, int threads) {
  Key key;
  key.add(static_cast<int64_t>(use) | static_cast<int64_t>(dtype) << 8 | static_cast<int64_t>(bias) << 16 |
          static_cast<int64_t>(s.channels_last) << 17 | static_cast<int64_t>(s.data_blocked) << 18 |
          static_cast<int64_t>(s.out_blocked) << 19 | static_cast<int64_t>(threads) << 20);
  for (const int64_t v : {s.batch, s.channels, s.filters, s.groups}) key.add(v);
  for (int i = 0; i < 3; ++i) {
    for (const int64_t v : {s.in[i], s.out[i], s.kernel[i], s.stride[i], s.dilate[i], s.pad[i]}) key.add(v);
  }
  return key;
}

// Images are taken a few at a time, so that their blocked copies stay in cache.
int64_t images_at_once(Use use, DType dtype, const ConvShape& s) {
  constexpr int64_t kBytes = 8 << 20;
  // Parts of a weight gradient are added in its dtype, so only floats are cut.
  if (s.channels_last || (s.data_blocked && s.out_blocked)) return s.batch;
  if (use == Use::weight_grad && dtype != DType::float32) return s.batch;
  const int64_t bytes = (s.data_items() + s.out_items()) / s.batch * static_cast<int64_t>(size_of(dtype));
  const int64_t fit = std::max<int64_t>(1, kBytes / bytes), parts = (s.batch + fit - 1) / fit;
  return (s.batch + parts - 1) / parts;
}

bool run_conv(Use use, DType dtype, const ConvShape& s, const void* first, const void* second,
              const void* bias, void* out) {
  constexpr double kLeast = 50000;
  if (type_of(dtype) == kNoType || s.products() < kLeast) return false;
  if (dtype == DType::float32 && !s.blocked() && own_is_faster(use, s)) return false;
  Context* const context = Context::get();
  if (!context) return false;
  const TeamLimit team;
  const int64_t step = images_at_once(use, dtype, s), item = static_cast<int64_t>(size_of(dtype));
  const int64_t data_step = s.data_items() / s.batch * item, out_step = s.out_items() / s.batch * item;
  for (int64_t n = 0; n < s.batch; n += step) {
    ConvShape part = s;
    part.batch = std::min(step, s.batch - n);
    const ConvCall call{use, dtype, bias != nullptr, &part};
    const Recipe& recipe =
        context->recipe_for(key_of(use, dtype, part, bias != nullptr, team.threads()), make_conv, &call);
    if (!recipe.primitive) return false;
    const char *images = static_cast<const char*>(first), *others = static_cast<const char*>(second);
    char* result = static_cast<char*>(out);
    if (use == Use::forward) {
      context->run(recipe, images + n * data_step, others, bias, result + n * out_step);
    } else if (use == Use::data_grad) {
      context->run(recipe, images + n * out_step, others, nullptr, result + n * data_step);
    } else if (n == 0) {
      context->run(recipe, images, others, nullptr, result);
    } else {
      const Scratch more = Scratch::of<float>(s.weight_items());
      context->run(recipe, images + n * data_step, others + n * out_step, nullptr, more.data());
      const float* from = more.as<float>();
      float* sum = reinterpret_cast<float*>(result);
      for (int64_t i = 0; i < s.weight_items(); ++i) sum[i] += from[i];
    }
  }
  return true;
}

bool conv_forward(DType dtype, const ConvShape& s, const void* data, const void* weight, const void* bias,
                  void* out) {
  return run_conv(Use::forward, dtype, s, data, weight, bias, out);
}
bool conv_data_grad(DType dtype, const ConvShape& s, const void* out_grad, const void* weight,
                    void* data_grad) {
  return run_conv(Use::data_grad, dtype, s, out_grad, weight, nullptr, data_grad);
}
bool conv_weight_grad(DType dtype, const ConvShape& s, const void* data, const void* out_grad,
                      void* weight_grad) {
  return run_conv(Use::weight_grad, dtype, s, data, out_grad, nullptr, weight_grad);
}

const nn_backend::Backend kBackend = {product, conv_forward, conv_data_grad, conv_weight_grad};

}  // namespace

const nn_backend::Backend& backend() { return kBackend; }

}  // namespace mixgrad::onednn
