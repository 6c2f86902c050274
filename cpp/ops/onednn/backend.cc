// Matrix products and convolutions by oneDNN.
#include <algorithm>
#include <cstring>

#include "base/cpu.h"
#include "op/nn_backend.h"
#include "op/scratch.h"
#include "ops/onednn/context.h"

namespace mixgrad::ops::onednn {
namespace {

using dnnl::memory;
using nn_backend::ConvShape;
using Dims = memory::dims;
using Tag = memory::format_tag;

enum class Use : int64_t { product, forward, data_grad, weight_grad };

// oneDNN's header would destroy its own at exit.
const dnnl::primitive_attr& plain_attributes() {
  static const auto* const attributes = new dnnl::primitive_attr;
  return *attributes;
}

struct ProductCall {
  DType dtype;
  const Gemm* gemm;
};

Recipe make_product(const void* context) {
  const auto& call = *static_cast<const ProductCall*>(context);
  const Gemm& g = *call.gemm;
  const memory::data_type type = type_of(call.dtype);
  const memory::desc a({g.m, g.k}, type, g.transpose_a ? Dims{1, g.lda} : Dims{g.lda, 1});
  const memory::desc b({g.k, g.n}, type, g.transpose_b ? Dims{1, g.ldb} : Dims{g.ldb, 1});
  const memory::desc c({g.m, g.n}, type, Dims{g.ldc, 1});
  Recipe recipe;
  if (g.bias) recipe.bias = memory::desc({1, g.n}, type, Dims{g.n, 1});
  const auto desc = g.bias ? dnnl::matmul::primitive_desc(engine(), a, b, recipe.bias, c, plain_attributes())
                           : dnnl::matmul::primitive_desc(engine(), a, b, c, plain_attributes());
  recipe.primitive = dnnl::matmul(desc);
  recipe.in[0] = input_layouts(a, a);
  recipe.in[1] = input_layouts(b, b);
  recipe.out = output_layouts(c, c);
  recipe.in_name[0] = DNNL_ARG_SRC;
  recipe.in_name[1] = DNNL_ARG_WEIGHTS;
  recipe.out_name = DNNL_ARG_DST;
  return recipe;
}

// Row-major, without the cost of a primitive. Our own product is faster when a side is short.
bool float_product(const Gemm& g) {
  constexpr double kLeast = 1e8;
  constexpr int64_t kShortest = 128;
  if (g.bias || g.end || std::min({g.m, g.n, g.k}) < kShortest) return false;
  if (static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k) < kLeast) return false;
  if (best_isa() != Isa::avx512) return false;  // lowered for a test
  const TeamLimit team;
  return dnnl::sgemm(g.transpose_a ? 'T' : 'N', g.transpose_b ? 'T' : 'N', g.m, g.n, g.k,
                     static_cast<float>(g.alpha), static_cast<const float*>(g.a), g.lda,
                     static_cast<const float*>(g.b), g.ldb, g.accumulate ? 1.0f : 0.0f,
                     static_cast<float*>(g.c), g.ldc) == dnnl::status::success;
}

// Large products of float32 run a few per cent above our own; hardware products of bfloat16 are beyond it.
bool product(DType dtype, const Gemm& g) {
  if (!usable()) return false;
  if (dtype == DType::float32) return float_product(g);
  constexpr double kLeast = 1e6;  // products that pay for a call into the library
  static const bool fast = dnnl::get_effective_cpu_isa() >= dnnl::cpu_isa::avx512_core_bf16;
  if (dtype != DType::bfloat16 || !fast || g.accumulate || g.alpha != 1) return false;
  if (static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k) < kLeast) return false;
  if (best_isa() != Isa::avx512) return false;  // lowered for a test
  const TeamLimit team;
  Key key;
  for (const int64_t v :
       {static_cast<int64_t>(Use::product), static_cast<int64_t>(dtype), static_cast<int64_t>(team.threads()),
        g.m, g.n, g.k, g.lda, g.ldb, g.ldc, static_cast<int64_t>(g.transpose_a),
        static_cast<int64_t>(g.transpose_b), static_cast<int64_t>(g.bias != nullptr)}) {
    key.add(v);
  }
  const ProductCall call{dtype, &g};
  const Recipe& recipe = recipe_for(key, make_product, &call);
  if (!recipe.served) return false;
  run(recipe, g.a, g.b, g.bias, g.c);
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
  Dims strides, dilates, pad_low, pad_high;
  memory::desc data, weight, out, any_data, any_weight, any_out, bias;
};

ConvDescs describe(const ConvCall& call) {
  const ConvShape& s = *call.shape;
  const bool deep = s.in[0] != 1 || s.kernel[0] != 1 || s.out[0] != 1;
  const memory::data_type type = type_of(call.dtype);
  ConvDescs d;
  Dims data{s.batch, s.channels}, out{s.batch, s.filters}, weight;
  if (s.groups > 1)
    weight = {s.groups, s.filters / s.groups, s.channels / s.groups};
  else
    weight = {s.filters, s.channels};
  for (int i = deep ? 0 : 1; i < 3; ++i) {
    data.push_back(s.in[i]);
    out.push_back(s.out[i]);
    weight.push_back(s.kernel[i]);
    d.strides.push_back(s.stride[i]);
    d.dilates.push_back(s.dilate[i] - 1);
    d.pad_low.push_back(s.pad[i]);
    d.pad_high.push_back((s.out[i] - 1) * s.stride[i] + s.dilate[i] * (s.kernel[i] - 1) + 1 - s.in[i] -
                         s.pad[i]);
  }
  const Tag image = s.channels_last ? (deep ? Tag::ndhwc : Tag::nhwc) : (deep ? Tag::ncdhw : Tag::nchw);
  Tag kernel;
  if (s.channels_last)
    kernel = s.groups > 1 ? (deep ? Tag::godhwi : Tag::gohwi) : (deep ? Tag::odhwi : Tag::ohwi);
  else
    kernel = s.groups > 1 ? (deep ? Tag::goidhw : Tag::goihw) : (deep ? Tag::oidhw : Tag::oihw);
  const Tag blocks = deep ? Tag::nCdhw16c : Tag::nChw16c;
  d.data = memory::desc(data, type, s.data_blocked ? blocks : image);
  d.out = memory::desc(out, type, s.out_blocked ? blocks : image);
  d.weight = memory::desc(weight, type, kernel);
  // Channels-last images stay as they are: every kernel takes them. Blocked ones mostly are what kernels like best.
  d.any_data = s.channels_last ? d.data : memory::desc(data, type, Tag::any);
  d.any_out = s.channels_last ? d.out : memory::desc(out, type, Tag::any);
  d.any_weight = memory::desc(weight, type, Tag::any);
  if (call.bias) d.bias = memory::desc({s.filters}, type, Tag::a);
  return d;
}

Recipe make_conv(const void* context) {
  const auto& call = *static_cast<const ConvCall*>(context);
  const ConvDescs d = describe(call);
  const auto algorithm = dnnl::algorithm::convolution_direct;
  const auto kind = dnnl::prop_kind::forward_training;
  const auto ahead = call.bias ? dnnl::convolution_forward::primitive_desc(
                                     engine(), kind, algorithm, d.any_data, d.any_weight, d.bias, d.any_out,
                                     d.strides, d.dilates, d.pad_low, d.pad_high, plain_attributes())
                               : dnnl::convolution_forward::primitive_desc(
                                     engine(), kind, algorithm, d.any_data, d.any_weight, d.any_out,
                                     d.strides, d.dilates, d.pad_low, d.pad_high, plain_attributes());
  Recipe recipe;
  recipe.bias = d.bias;
  const auto set = [&](const dnnl::primitive_desc& desc, const Layouts& first, int first_name,
                       const Layouts& second, int second_name, const Layouts& out, int out_name) {
    // A reference implementation is no match for our own kernels.
    recipe.served = std::strstr(desc.impl_info_str(), "ref") == nullptr;
    recipe.in[0] = first, recipe.in_name[0] = first_name;
    recipe.in[1] = second, recipe.in_name[1] = second_name;
    recipe.out = out, recipe.out_name = out_name;
  };
  if (call.use == Use::forward) {
    recipe.primitive = dnnl::convolution_forward(ahead);
    set(ahead, input_layouts(d.data, ahead.src_desc()), DNNL_ARG_SRC,
        input_layouts(d.weight, ahead.weights_desc()), DNNL_ARG_WEIGHTS,
        output_layouts(d.out, ahead.dst_desc()), DNNL_ARG_DST);
  } else if (call.use == Use::data_grad) {
    const dnnl::convolution_backward_data::primitive_desc back(engine(), algorithm, d.any_data, d.any_weight,
                                                               d.any_out, d.strides, d.dilates, d.pad_low,
                                                               d.pad_high, ahead, plain_attributes());
    recipe.primitive = dnnl::convolution_backward_data(back);
    set(back, input_layouts(d.out, back.diff_dst_desc()), DNNL_ARG_DIFF_DST,
        input_layouts(d.weight, back.weights_desc()), DNNL_ARG_WEIGHTS,
        output_layouts(d.data, back.diff_src_desc()), DNNL_ARG_DIFF_SRC);
  } else {
    const dnnl::convolution_backward_weights::primitive_desc back(
        engine(), algorithm, d.any_data, d.any_weight, d.any_out, d.strides, d.dilates, d.pad_low, d.pad_high,
        ahead, plain_attributes());
    recipe.primitive = dnnl::convolution_backward_weights(back);
    set(back, input_layouts(d.data, back.src_desc()), DNNL_ARG_SRC,
        input_layouts(d.out, back.diff_dst_desc()), DNNL_ARG_DIFF_DST,
        output_layouts(d.weight, back.diff_weights_desc()), DNNL_ARG_DIFF_WEIGHTS);
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
  if (!usable() || type_of(dtype) == memory::data_type::undef || s.products() < kLeast) return false;
  if (dtype == DType::float32 && !s.blocked() && own_is_faster(use, s)) return false;
  const TeamLimit team;
  const int64_t step = images_at_once(use, dtype, s), item = static_cast<int64_t>(size_of(dtype));
  const int64_t data_step = s.data_items() / s.batch * item, out_step = s.out_items() / s.batch * item;
  for (int64_t n = 0; n < s.batch; n += step) {
    ConvShape part = s;
    part.batch = std::min(step, s.batch - n);
    const ConvCall call{use, dtype, bias != nullptr, &part};
    const Recipe& recipe =
        recipe_for(key_of(use, dtype, part, bias != nullptr, team.threads()), make_conv, &call);
    if (!recipe.served) return false;
    const char *images = static_cast<const char*>(first), *others = static_cast<const char*>(second);
    char* result = static_cast<char*>(out);
    if (use == Use::forward) {
      run(recipe, images + n * data_step, others, bias, result + n * out_step);
    } else if (use == Use::data_grad) {
      run(recipe, images + n * out_step, others, nullptr, result + n * data_step);
    } else if (n == 0) {
      run(recipe, images, others, nullptr, result);
    } else {
      const Scratch more = Scratch::of<float>(s.weight_items());
      run(recipe, images + n * data_step, others + n * out_step, nullptr, more.data());
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

const nn_backend::Backend kOneDnn = {product, conv_forward, conv_data_grad, conv_weight_grad};
const bool kRegistered = nn_backend::register_backend(&kOneDnn);

}  // namespace
}  // namespace mixgrad::ops::onednn
