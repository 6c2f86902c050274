// Operators of mixgrad for C++17. Written by tools/generate_languages.py: do not edit.
//
// Every function serves arrays and symbols: op::relu(array) computes, op::relu(symbol) adds a node.
// Inputs that are left out are absent (arrays) or become variables (symbols). Options name what is not an
// array; their `name` is that of the node of a symbol.
#pragma once

#include "mixgrad/operator.hpp"

namespace mx {
namespace op {

/// Parameters of op::Activation.
class ActivationOptions : public Options<ActivationOptions> {
 public:
  /// Which function. One of "log_sigmoid", "relu", "sigmoid", "softrelu", "softsign", "tanh".
  ActivationOptions& act_type(std::string value) { return set("act_type", std::move(value)); }
};
/// The activation function named by act_type, element by element.
/// @param data Any array.
/// Source: MXNet Activation.
template <class T>
Single<T> Activation(const T& data,
                     const ActivationOptions& options = {}) {
  static const Operator self("Activation");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::BatchNorm.
class BatchNormOptions : public Options<BatchNormOptions> {
 public:
  /// Added to the variance. Default: 0.001.
  BatchNormOptions& eps(double value) { return set("eps", value); }
  /// Share of the old value in a moving average. Default: 0.9.
  BatchNormOptions& momentum(double value) { return set("momentum", value); }
  /// Takes gamma as 1 and gives it no gradient. Default: True.
  BatchNormOptions& fix_gamma(bool value) { return set("fix_gamma", value); }
  /// Normalises with the moving averages in training too, and leaves them. Default: False.
  BatchNormOptions& use_global_stats(bool value) { return set("use_global_stats", value); }
  /// Also gives mean and 1 / sqrt(variance + eps) per channel; they pass no gradient on. Default: False.
  BatchNormOptions& output_mean_var(bool value) { return set("output_mean_var", value); }
  /// Axis of the channels. Default: 1.
  BatchNormOptions& axis(int64_t value) { return set("axis", value); }
  /// Accepted for MXNet's sake; changes nothing. Default: False.
  BatchNormOptions& cudnn_off(bool value) { return set("cudnn_off", value); }
  /// Accepted for MXNet's sake; changes nothing. Default: None.
  BatchNormOptions& min_calib_range(double value) { return set("min_calib_range", value); }
  /// Accepted for MXNet's sake; changes nothing. Default: None.
  BatchNormOptions& max_calib_range(double value) { return set("max_calib_range", value); }
};
/// Each channel shifted and scaled to mean 0 and variance 1, then times gamma plus beta. In training the
/// statistics are those of the batch (its variance divides by the number of elements), and the moving
/// averages move towards them in the same call; in prediction the moving averages serve.
/// @param data Floats; axis 1, or `axis`, holds the channels.
/// @param gamma (C,): scale; taken as 1 while fix_gamma is set.
/// @param beta (C,): shift.
/// @param moving_mean (C,): moving average of means.
/// @param moving_var (C,): moving average of variances.
/// Source: MXNet BatchNorm; https://arxiv.org/abs/1502.03167.
template <class T>
Several<T> BatchNorm(const T& data,
                     const Same<T>& gamma = {},
                     const Same<T>& beta = {},
                     const Same<T>& moving_mean = {},
                     const Same<T>& moving_var = {},
                     const BatchNormOptions& options = {}) {
  static const Operator self("BatchNorm");
  return self.apply<T>({data, gamma, beta, moving_mean, moving_var}, options);
}
template <class T>
Several<T> BatchNorm(const T& data, const BatchNormOptions& options) {
  return BatchNorm<T>(data, {}, {}, {}, {}, options);
}

/// Parameters of op::BilinearSampler.
class BilinearSamplerOptions : public Options<BilinearSamplerOptions> {
 public:
  /// Accepted for MXNet's scripts; has no effect. Default: None.
  BilinearSamplerOptions& cudnn_off(bool value) { return set("cudnn_off", value); }
};
/// (batch, channels, rows, columns): data at the positions of the grid, weighing the four pixels around each.
/// What lies outside of the image counts as 0.
/// @param data Images (batch, channels, height, width), float.
/// @param grid (batch, 2, rows, columns): x, then y; -1 is the first pixel of the axis and 1 the last.
/// Source: MXNet BilinearSampler; Jaderberg and others 2015.
template <class T>
Single<T> BilinearSampler(const T& data,
                          const Same<T>& grid = {},
                          const BilinearSamplerOptions& options = {}) {
  static const Operator self("BilinearSampler");
  return self.apply_one<T>({data, grid}, options);
}
template <class T>
Single<T> BilinearSampler(const T& data, const BilinearSamplerOptions& options) {
  return BilinearSampler<T>(data, {}, options);
}

using BlockGradOptions = NoOptions;
/// A copy through which no gradient flows.
/// @param data Any array.
/// Source: MXNet BlockGrad.
template <class T>
Single<T> BlockGrad(const T& data,
                    const BlockGradOptions& options = {}) {
  static const Operator self("BlockGrad");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::CTCLoss.
class CTCLossOptions : public Options<CTCLossOptions> {
 public:
  /// Whether data_lengths is given; else all steps count. Default: False.
  CTCLossOptions& use_data_lengths(bool value) { return set("use_data_lengths", value); }
  /// Whether label_lengths is given; else labels end at the first padding. Default: False.
  CTCLossOptions& use_label_lengths(bool value) { return set("use_label_lengths", value); }
  /// Which class is the blank. first: labels are 1 to C - 1, padding is 0; last: 0 to C - 2, and -1. One of
  /// "first", "last". Default: 'first'.
  CTCLossOptions& blank_label(std::string value) { return set("blank_label", std::move(value)); }
};
/// (batch,): minus the logarithm of the probability that softmax of data gives the labels, with blanks
/// between them and repetitions. 0, without a gradient, where the labels do not fit the steps.
/// @param data (steps, batch, classes): scores, one class being the blank.
/// @param label (batch, labels): class numbers, padded. Receives no gradient.
/// @param data_lengths (batch,): steps that count. Receives no gradient.
/// @param label_lengths (batch,): labels that count. Receives no gradient.
/// Source: MXNet CTCLoss; Graves and others 2006.
template <class T>
Several<T> CTCLoss(const T& data,
                   const Same<T>& label = {},
                   const Same<T>& data_lengths = {},
                   const Same<T>& label_lengths = {},
                   const CTCLossOptions& options = {}) {
  static const Operator self("CTCLoss");
  return self.apply<T>({data, label, data_lengths, label_lengths}, options);
}
template <class T>
Several<T> CTCLoss(const T& data, const CTCLossOptions& options) {
  return CTCLoss<T>(data, {}, {}, {}, options);
}

/// Parameters of op::Cast.
class CastOptions : public Options<CastOptions> {
 public:
  /// Element type of the output.
  CastOptions& dtype(DType value) { return set("dtype", value); }
};
/// Changes the element type. Floats are truncated toward zero to integers; anything but 0 is true.
/// @param data Any array.
/// Source: MXNet Cast.
template <class T>
Single<T> Cast(const T& data,
               const CastOptions& options = {}) {
  static const Operator self("Cast");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::Concat.
class ConcatOptions : public Options<ConcatOptions> {
 public:
  /// The axis along which they follow one another. Default: 1.
  ConcatOptions& dim(int64_t value) { return set("dim", value); }
};
/// Joins arrays along an axis; their other extents agree.
/// @param data Arrays of one dtype.
/// Source: MXNet Concat.
template <class T>
Single<T> Concat(const std::vector<T>& data,
                 const ConcatOptions& options = {}) {
  static const Operator self("Concat");
  return self.apply_one<T>(data, options);
}

/// Parameters of op::Convolution.
class ConvolutionOptions : public Options<ConvolutionOptions> {
 public:
  /// Extents of the window: (w,), (h, w) or (d, h, w).
  ConvolutionOptions& kernel(Ints value) { return set("kernel", std::move(value)); }
  /// Steps of the window; empty means ones. Default: ().
  ConvolutionOptions& stride(Ints value) { return set("stride", std::move(value)); }
  /// Distance of the input elements under neighbouring weights; empty means ones. Default: ().
  ConvolutionOptions& dilate(Ints value) { return set("dilate", std::move(value)); }
  /// Zeros added at both ends of each axis; empty means none. Default: ().
  ConvolutionOptions& pad(Ints value) { return set("pad", std::move(value)); }
  /// Channels of the output.
  ConvolutionOptions& num_filter(int64_t value) { return set("num_filter", value); }
  /// Groups of channels that are convolved apart. Default: 1.
  ConvolutionOptions& num_group(int64_t value) { return set("num_group", value); }
  /// Accepted and ignored. Default: 1024.
  ConvolutionOptions& workspace(int64_t value) { return set("workspace", value); }
  /// Leave the bias out; the operator then has two inputs. Default: False.
  ConvolutionOptions& no_bias(bool value) { return set("no_bias", value); }
  /// Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
  ConvolutionOptions& cudnn_tune(std::string value) { return set("cudnn_tune", std::move(value)); }
  /// Accepted and ignored. Default: False.
  ConvolutionOptions& cudnn_off(bool value) { return set("cudnn_off", value); }
  /// Order of axes; None is channels first. Channels-last weights are (num_filter, window..., channels). One
  /// of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
  ConvolutionOptions& layout(std::string value) { return set("layout", std::move(value)); }
};
/// Sum of products of a window's weights with the input under it, at every place of the window. Data (n,
/// channels, in...) gives (n, num_filter, out...), where an output extent is floor((in + 2 pad - dilate
/// (kernel - 1) - 1) / stride) + 1.
/// @param data Float array with one, two or three spatial axes.
/// @param weight (num_filter, channels / num_group, window...).
/// @param bias (num_filter,); absent with no_bias.
/// Source: MXNet Convolution.
template <class T>
Single<T> Convolution(const T& data,
                      const Same<T>& weight = {},
                      const Same<T>& bias = {},
                      const ConvolutionOptions& options = {}) {
  static const Operator self("Convolution");
  return self.apply_one<T>({data, weight, bias}, options);
}
template <class T>
Single<T> Convolution(const T& data, const ConvolutionOptions& options) {
  return Convolution<T>(data, {}, {}, options);
}

/// Parameters of op::Correlation.
class CorrelationOptions : public Options<CorrelationOptions> {
 public:
  /// Extent of the square patches, odd. Default: 1.
  CorrelationOptions& kernel_size(int64_t value) { return set("kernel_size", value); }
  /// Largest displacement, in pixels. Default: 1.
  CorrelationOptions& max_displacement(int64_t value) { return set("max_displacement", value); }
  /// Pixels between patches of data1. Default: 1.
  CorrelationOptions& stride1(int64_t value) { return set("stride1", value); }
  /// Pixels between displacements. Default: 1.
  CorrelationOptions& stride2(int64_t value) { return set("stride2", value); }
  /// Zeros around both images. Default: 0.
  CorrelationOptions& pad_size(int64_t value) { return set("pad_size", value); }
  /// Whether values are multiplied; else their absolute difference is taken. Default: True.
  CorrelationOptions& is_multiply(bool value) { return set("is_multiply", value); }
};
/// (batch, displacements, rows, columns): the mean over patch and channels of data1 times data2, or of their
/// absolute difference, for every displacement of the patch in data2, rows first.
/// @param data1 Images (batch, channels, height, width), float.
/// @param data2 Images of the same shape.
/// Source: MXNet Correlation; Dosovitskiy and others 2015.
template <class T>
Single<T> Correlation(const T& data1,
                      const Same<T>& data2 = {},
                      const CorrelationOptions& options = {}) {
  static const Operator self("Correlation");
  return self.apply_one<T>({data1, data2}, options);
}
template <class T>
Single<T> Correlation(const T& data1, const CorrelationOptions& options) {
  return Correlation<T>(data1, {}, options);
}

/// Parameters of op::Crop.
class CropOptions : public Options<CropOptions> {
 public:
  /// First row and column of the window. Default: (0, 0).
  CropOptions& offset(Ints value) { return set("offset", std::move(value)); }
  /// Height and width of the window; only with one input. Default: (0, 0).
  CropOptions& h_w(Ints value) { return set("h_w", std::move(value)); }
  /// Put the window into the middle instead of at offset. Default: False.
  CropOptions& center_crop(bool value) { return set("center_crop", value); }
};
/// The window (batch, channels, h, w) of images at an offset or in the middle. Its size is h_w, or with two
/// inputs the height and width of the second one, which passes no gradient on.
/// @param data Images (batch, channels, height, width) of any dtype.
/// Source: MXNet Crop.
template <class T>
Single<T> Crop(const std::vector<T>& data,
               const CropOptions& options = {}) {
  static const Operator self("Crop");
  return self.apply_one<T>(data, options);
}

/// Parameters of op::Custom.
class CustomOptions : public Options<CustomOptions> {
 public:
  /// The name that the operator was registered under.
  CustomOptions& op_type(std::string value) { return set("op_type", std::move(value)); }
};
/// What an operator of the program computes: one that mx.operator.register has given a name. All parameters
/// but op_type are its own, as text.
/// @param data What the operator reads: its arguments, then its states.
/// Source: MXNet Custom.
template <class T>
Several<T> Custom(const std::vector<T>& data,
                  const CustomOptions& options = {}) {
  static const Operator self("Custom");
  return self.apply<T>(data, options);
}

/// Parameters of op::Deconvolution.
class DeconvolutionOptions : public Options<DeconvolutionOptions> {
 public:
  /// Extents of the window: (w,), (h, w) or (d, h, w).
  DeconvolutionOptions& kernel(Ints value) { return set("kernel", std::move(value)); }
  /// Steps of the window over the output; empty means ones. Default: ().
  DeconvolutionOptions& stride(Ints value) { return set("stride", std::move(value)); }
  /// Distance of the output elements under neighbouring weights; empty means ones. Default: ().
  DeconvolutionOptions& dilate(Ints value) { return set("dilate", std::move(value)); }
  /// Elements cut from both ends of each output axis; empty means none. Default: ().
  DeconvolutionOptions& pad(Ints value) { return set("pad", std::move(value)); }
  /// Elements added behind each output axis; less than stride. Empty means none. Default: ().
  DeconvolutionOptions& adj(Ints value) { return set("adj", std::move(value)); }
  /// Spatial extents of the output; pad and adj then follow from it. Default: ().
  DeconvolutionOptions& target_shape(Ints value) { return set("target_shape", std::move(value)); }
  /// Channels of the output.
  DeconvolutionOptions& num_filter(int64_t value) { return set("num_filter", value); }
  /// Groups of channels that are convolved apart. Default: 1.
  DeconvolutionOptions& num_group(int64_t value) { return set("num_group", value); }
  /// Accepted and ignored. Default: 512.
  DeconvolutionOptions& workspace(int64_t value) { return set("workspace", value); }
  /// Leave the bias out; the operator then has two inputs. Default: True.
  DeconvolutionOptions& no_bias(bool value) { return set("no_bias", value); }
  /// Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
  DeconvolutionOptions& cudnn_tune(std::string value) { return set("cudnn_tune", std::move(value)); }
  /// Accepted and ignored. Default: False.
  DeconvolutionOptions& cudnn_off(bool value) { return set("cudnn_off", value); }
  /// Order of axes; None is channels first. Channels-last weights are (channels, window..., num_filter). One
  /// of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
  DeconvolutionOptions& layout(std::string value) { return set("layout", std::move(value)); }
};
/// Transpose of Convolution: every input element adds its multiple of the window to the output. An output
/// extent is stride (in - 1) + dilate (kernel - 1) + 1 + adj - 2 pad.
/// @param data Float array with one, two or three spatial axes.
/// @param weight (channels, num_filter / num_group, window...).
/// @param bias (num_filter,); absent with no_bias.
/// Source: MXNet Deconvolution.
template <class T>
Single<T> Deconvolution(const T& data,
                        const Same<T>& weight = {},
                        const Same<T>& bias = {},
                        const DeconvolutionOptions& options = {}) {
  static const Operator self("Deconvolution");
  return self.apply_one<T>({data, weight, bias}, options);
}
template <class T>
Single<T> Deconvolution(const T& data, const DeconvolutionOptions& options) {
  return Deconvolution<T>(data, {}, {}, options);
}

/// Parameters of op::Dropout.
class DropoutOptions : public Options<DropoutOptions> {
 public:
  /// Part of the elements that become 0. Default: 0.5.
  DropoutOptions& p(double value) { return set("p", value); }
  /// Whether to drop also when predicting. One of "always", "training". Default: 'training'.
  DropoutOptions& mode(std::string value) { return set("mode", std::move(value)); }
  /// Axes along which elements share one decision. Default: ().
  DropoutOptions& axes(Ints value) { return set("axes", std::move(value)); }
  /// Accepted for MXNet's scripts; has no effect. Default: False.
  DropoutOptions& cudnn_off(bool value) { return set("cudnn_off", value); }
};
/// While training, each element becomes 0 with probability p and is divided by 1 - p otherwise; when
/// predicting, unless mode is 'always', the output is the input.
/// @param data Any float array.
/// Source: MXNet Dropout; Srivastava and others 2014.
template <class T>
Several<T> Dropout(const T& data,
                   const DropoutOptions& options = {}) {
  static const Operator self("Dropout");
  return self.apply<T>({data}, options);
}

/// Parameters of op::Embedding.
class EmbeddingOptions : public Options<EmbeddingOptions> {
 public:
  /// Number of rows of weight.
  EmbeddingOptions& input_dim(int64_t value) { return set("input_dim", value); }
  /// Extent of a row.
  EmbeddingOptions& output_dim(int64_t value) { return set("output_dim", value); }
  /// Dtype of weight where nothing else says it. Default: 'float32'.
  EmbeddingOptions& dtype(DType value) { return set("dtype", value); }
  /// The gradient of weight is row_sparse. Default: False.
  EmbeddingOptions& sparse_grad(bool value) { return set("sparse_grad", value); }
};
/// The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped.
/// @param data Indices of any shape and dtype; fractions are cut off.
/// @param weight (input_dim, output_dim)
/// Source: MXNet Embedding.
template <class T>
Single<T> Embedding(const T& data,
                    const Same<T>& weight = {},
                    const EmbeddingOptions& options = {}) {
  static const Operator self("Embedding");
  return self.apply_one<T>({data, weight}, options);
}
template <class T>
Single<T> Embedding(const T& data, const EmbeddingOptions& options) {
  return Embedding<T>(data, {}, options);
}

using FlattenOptions = NoOptions;
/// Merges all axes but the first: (N, a, b, ...) becomes (N, a*b*...).
/// @param data Any array; (N,) becomes (N, 1).
/// Source: MXNet Flatten.
template <class T>
Single<T> Flatten(const T& data,
                  const FlattenOptions& options = {}) {
  static const Operator self("Flatten");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::FullyConnected.
class FullyConnectedOptions : public Options<FullyConnectedOptions> {
 public:
  /// Extent of the last axis of the output.
  FullyConnectedOptions& num_hidden(int64_t value) { return set("num_hidden", value); }
  /// Leave the bias out; the operator then has two inputs. Default: False.
  FullyConnectedOptions& no_bias(bool value) { return set("no_bias", value); }
  /// Treat every sample as one row; otherwise only the last axis is multiplied. Default: True.
  FullyConnectedOptions& flatten(bool value) { return set("flatten", value); }
};
/// Product of every sample with the transposed weight, plus a bias: data (n, ...) and weight (num_hidden,
/// depth) give (n, num_hidden).
/// @param data Float array; the first axis counts samples.
/// @param weight (num_hidden, depth), where depth is the size of one sample.
/// @param bias (num_hidden,); absent with no_bias.
/// Source: MXNet FullyConnected.
template <class T>
Single<T> FullyConnected(const T& data,
                         const Same<T>& weight = {},
                         const Same<T>& bias = {},
                         const FullyConnectedOptions& options = {}) {
  static const Operator self("FullyConnected");
  return self.apply_one<T>({data, weight, bias}, options);
}
template <class T>
Single<T> FullyConnected(const T& data, const FullyConnectedOptions& options) {
  return FullyConnected<T>(data, {}, {}, options);
}

/// Parameters of op::GridGenerator.
class GridGeneratorOptions : public Options<GridGeneratorOptions> {
 public:
  /// Whether data holds matrices or a shift in pixels for each position. One of "affine", "warp".
  GridGeneratorOptions& transform_type(std::string value) { return set("transform_type", std::move(value)); }
  /// Of affine: height and width of the grid. Default: (0, 0).
  GridGeneratorOptions& target_shape(Ints value) { return set("target_shape", std::move(value)); }
};
/// Grid (batch, 2, height, width) of positions (x, y), where -1 and 1 are the first and the last pixel of an
/// axis. affine multiplies 2 x 3 matrices by (x, y, 1) of every pixel; warp adds shifts, in pixels, to every
/// pixel's own position.
/// @param data affine: (batch, 6), the rows of the matrices. warp: (batch, 2, height, width).
/// Source: MXNet GridGenerator; Jaderberg and others 2015.
template <class T>
Several<T> GridGenerator(const T& data,
                         const GridGeneratorOptions& options = {}) {
  static const Operator self("GridGenerator");
  return self.apply<T>({data}, options);
}

/// Parameters of op::GroupNorm.
class GroupNormOptions : public Options<GroupNormOptions> {
 public:
  /// Groups into which the channels of axis 1 fall. Default: 1.
  GroupNormOptions& num_groups(int64_t value) { return set("num_groups", value); }
  /// Added to the variance. Default: 1e-05.
  GroupNormOptions& eps(double value) { return set("eps", value); }
  /// Also gives mean and standard deviation (N, groups), sqrt(variance + eps); they pass no gradient on.
  /// Default: False.
  GroupNormOptions& output_mean_var(bool value) { return set("output_mean_var", value); }
};
/// Each group of neighbouring channels of each sample shifted and scaled to mean 0 and variance 1, then times
/// gamma plus beta.
/// @param data (N, C, ...), floats. Statistics are computed in float or double.
/// @param gamma (num_groups,): one per group.
/// @param beta (num_groups,): one per group.
/// Source: MXNet GroupNorm; https://arxiv.org/abs/1803.08494.
template <class T>
Several<T> GroupNorm(const T& data,
                     const Same<T>& gamma = {},
                     const Same<T>& beta = {},
                     const GroupNormOptions& options = {}) {
  static const Operator self("GroupNorm");
  return self.apply<T>({data, gamma, beta}, options);
}
template <class T>
Several<T> GroupNorm(const T& data, const GroupNormOptions& options) {
  return GroupNorm<T>(data, {}, {}, options);
}

/// Parameters of op::IdentityAttachKLSparseReg.
class IdentityAttachKLSparseRegOptions : public Options<IdentityAttachKLSparseRegOptions> {
 public:
  /// The mean that is aimed at. Default: 0.1.
  IdentityAttachKLSparseRegOptions& sparseness_target(double value) { return set("sparseness_target", value); }
  /// Factor of the added gradient. Default: 0.001.
  IdentityAttachKLSparseRegOptions& penalty(double value) { return set("penalty", value); }
  /// Share of the old value in a moving average. Default: 0.9.
  IdentityAttachKLSparseRegOptions& momentum(double value) { return set("momentum", value); }
};
/// A copy of activations between 0 and 1. In training, to the gradient comes the Kullback-Leibler
/// divergence's between a target and each channel's moving average, times penalty: activations become sparse.
/// @param data (batch, channels, ...), float.
/// @param moving_avg (channels,): moving average of means.
/// Source: MXNet IdentityAttachKLSparseReg.
template <class T>
Several<T> IdentityAttachKLSparseReg(const T& data,
                                     const Same<T>& moving_avg = {},
                                     const IdentityAttachKLSparseRegOptions& options = {}) {
  static const Operator self("IdentityAttachKLSparseReg");
  return self.apply<T>({data, moving_avg}, options);
}
template <class T>
Several<T> IdentityAttachKLSparseReg(const T& data, const IdentityAttachKLSparseRegOptions& options) {
  return IdentityAttachKLSparseReg<T>(data, {}, options);
}

/// Parameters of op::InstanceNorm.
class InstanceNormOptions : public Options<InstanceNormOptions> {
 public:
  /// Added to the variance. Default: 0.001.
  InstanceNormOptions& eps(double value) { return set("eps", value); }
};
/// Each channel of each sample shifted and scaled to mean 0 and variance 1, then times gamma plus beta.
/// @param data (N, C, ...), floats. Statistics are computed in float or double.
/// @param gamma (C,): one per channel.
/// @param beta (C,): one per channel.
/// Source: MXNet InstanceNorm; https://arxiv.org/abs/1607.08022.
template <class T>
Single<T> InstanceNorm(const T& data,
                       const Same<T>& gamma = {},
                       const Same<T>& beta = {},
                       const InstanceNormOptions& options = {}) {
  static const Operator self("InstanceNorm");
  return self.apply_one<T>({data, gamma, beta}, options);
}
template <class T>
Single<T> InstanceNorm(const T& data, const InstanceNormOptions& options) {
  return InstanceNorm<T>(data, {}, {}, options);
}

/// Parameters of op::L2Normalization.
class L2NormalizationOptions : public Options<L2NormalizationOptions> {
 public:
  /// Added to the sum of squares. Default: 1e-10.
  L2NormalizationOptions& eps(double value) { return set("eps", value); }
  /// Which elements of (N, C, ...) form a vector: the channels of a position, a whole sample, or the
  /// positions of a channel. One of "channel", "instance", "spatial". Default: 'instance'.
  L2NormalizationOptions& mode(std::string value) { return set("mode", std::move(value)); }
};
/// Divides each vector by the square root of its sum of squares plus eps.
/// @param data (N, ...) for mode instance, else (N, C, ...) with at least three axes.
/// Source: MXNet L2Normalization; ParseNet, https://arxiv.org/abs/1506.04579.
template <class T>
Single<T> L2Normalization(const T& data,
                          const L2NormalizationOptions& options = {}) {
  static const Operator self("L2Normalization");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::LRN.
class LRNOptions : public Options<LRNOptions> {
 public:
  /// Weight of the sum of squares. Default: 0.0001.
  LRNOptions& alpha(double value) { return set("alpha", value); }
  /// Exponent. Default: 0.75.
  LRNOptions& beta(double value) { return set("beta", value); }
  /// Constant beside the sum. Default: 2.0.
  LRNOptions& knorm(double value) { return set("knorm", value); }
  /// Channels of a window: the own one in the middle.
  LRNOptions& nsize(int64_t value) { return set("nsize", value); }
};
/// x / (knorm + alpha / nsize * s)^beta, where s is the sum of squares over the nsize channels around x's.
/// @param data (N, C, ...), floats.
/// Source: MXNet LRN; ImageNet classification with deep convolutional neural networks (2012).
template <class T>
Single<T> LRN(const T& data,
              const LRNOptions& options = {}) {
  static const Operator self("LRN");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::LayerNorm.
class LayerNormOptions : public Options<LayerNormOptions> {
 public:
  /// Axis of the vectors. Default: -1.
  LayerNormOptions& axis(int64_t value) { return set("axis", value); }
  /// Added to the variance. Default: 1e-05.
  LayerNormOptions& eps(double value) { return set("eps", value); }
  /// Also gives mean and standard deviation, sqrt(variance + eps); they pass no gradient on. Default: False.
  LayerNormOptions& output_mean_var(bool value) { return set("output_mean_var", value); }
};
/// Vectors along an axis, shifted and scaled to mean 0 and variance 1, then times gamma plus beta.
/// @param data Floats, at least one axis. Statistics are computed in float or double.
/// @param gamma (extent of the axis,): scale.
/// @param beta (extent of the axis,): shift.
/// Source: MXNet LayerNorm; https://arxiv.org/abs/1607.06450.
template <class T>
Several<T> LayerNorm(const T& data,
                     const Same<T>& gamma = {},
                     const Same<T>& beta = {},
                     const LayerNormOptions& options = {}) {
  static const Operator self("LayerNorm");
  return self.apply<T>({data, gamma, beta}, options);
}
template <class T>
Several<T> LayerNorm(const T& data, const LayerNormOptions& options) {
  return LayerNorm<T>(data, {}, {}, options);
}

/// Parameters of op::LeakyReLU.
class LeakyReLUOptions : public Options<LeakyReLUOptions> {
 public:
  /// Which function. One of "elu", "gelu", "leaky", "prelu", "rrelu", "selu". Default: 'leaky'.
  LeakyReLUOptions& act_type(std::string value) { return set("act_type", std::move(value)); }
  /// Slope below 0 of leaky, scale below 0 of elu. Default: 0.25.
  LeakyReLUOptions& slope(double value) { return set("slope", value); }
  /// Smallest slope that rrelu draws. Default: 0.125.
  LeakyReLUOptions& lower_bound(double value) { return set("lower_bound", value); }
  /// Largest slope that rrelu draws. Default: 0.334.
  LeakyReLUOptions& upper_bound(double value) { return set("upper_bound", value); }
};
/// max(data, 0) plus something below 0: slope * data (leaky), gamma * data (prelu), slope * (e^data - 1)
/// (elu), a scaled elu (selu), data times a random slope in training and the mean slope otherwise (rrelu), or
/// data * Phi(data) with the normal distribution's Phi (gelu). rrelu also returns the factors it applied.
/// @param data Any float array.
/// @param gamma Of prelu alone: one slope, one per channel (axis 1), or an array that broadcasts along data's
/// first axes.
/// Source: MXNet LeakyReLU.
template <class T>
Several<T> LeakyReLU(const T& data,
                     const Same<T>& gamma = {},
                     const LeakyReLUOptions& options = {}) {
  static const Operator self("LeakyReLU");
  return self.apply<T>({data, gamma}, options);
}
template <class T>
Several<T> LeakyReLU(const T& data, const LeakyReLUOptions& options) {
  return LeakyReLU<T>(data, {}, options);
}

/// Parameters of op::LinearRegressionOutput.
class LinearRegressionOutputOptions : public Options<LinearRegressionOutputOptions> {
 public:
  /// Factor of the gradient. Default: 1.0.
  LinearRegressionOutputOptions& grad_scale(double value) { return set("grad_scale", value); }
};
/// The input unchanged. Its gradient is (out - label) * grad_scale / outputs per row, whatever the gradient
/// of the output: that of half the squared error.
/// @param data (N, ...), floats.
/// @param label As many values, (N, ...). Receives no gradient.
/// Source: MXNet regression_output.
template <class T>
Single<T> LinearRegressionOutput(const T& data,
                                 const Same<T>& label = {},
                                 const LinearRegressionOutputOptions& options = {}) {
  static const Operator self("LinearRegressionOutput");
  return self.apply_one<T>({data, label}, options);
}
template <class T>
Single<T> LinearRegressionOutput(const T& data, const LinearRegressionOutputOptions& options) {
  return LinearRegressionOutput<T>(data, {}, options);
}

/// Parameters of op::LogisticRegressionOutput.
class LogisticRegressionOutputOptions : public Options<LogisticRegressionOutputOptions> {
 public:
  /// Factor of the gradient. Default: 1.0.
  LogisticRegressionOutputOptions& grad_scale(double value) { return set("grad_scale", value); }
};
/// Sigmoid of the input. Its gradient is (out - label) * grad_scale / outputs per row, whatever the gradient
/// of the output: that of the cross entropy.
/// @param data (N, ...), floats.
/// @param label As many values, (N, ...). Receives no gradient.
/// Source: MXNet regression_output.
template <class T>
Single<T> LogisticRegressionOutput(const T& data,
                                   const Same<T>& label = {},
                                   const LogisticRegressionOutputOptions& options = {}) {
  static const Operator self("LogisticRegressionOutput");
  return self.apply_one<T>({data, label}, options);
}
template <class T>
Single<T> LogisticRegressionOutput(const T& data, const LogisticRegressionOutputOptions& options) {
  return LogisticRegressionOutput<T>(data, {}, options);
}

/// Parameters of op::MAERegressionOutput.
class MAERegressionOutputOptions : public Options<MAERegressionOutputOptions> {
 public:
  /// Factor of the gradient. Default: 1.0.
  MAERegressionOutputOptions& grad_scale(double value) { return set("grad_scale", value); }
};
/// The input unchanged. Its gradient is sign(out - label) * grad_scale / outputs per row, whatever the
/// gradient of the output: that of the absolute error.
/// @param data (N, ...), floats.
/// @param label As many values, (N, ...). Receives no gradient.
/// Source: MXNet regression_output.
template <class T>
Single<T> MAERegressionOutput(const T& data,
                              const Same<T>& label = {},
                              const MAERegressionOutputOptions& options = {}) {
  static const Operator self("MAERegressionOutput");
  return self.apply_one<T>({data, label}, options);
}
template <class T>
Single<T> MAERegressionOutput(const T& data, const MAERegressionOutputOptions& options) {
  return MAERegressionOutput<T>(data, {}, options);
}

/// Parameters of op::MakeLoss.
class MakeLossOptions : public Options<MakeLossOptions> {
 public:
  /// The gradient of every element. Default: 1.0.
  MakeLossOptions& grad_scale(double value) { return set("grad_scale", value); }
  /// Elements above it are valid. Default: 0.0.
  MakeLossOptions& valid_thresh(double value) { return set("valid_thresh", value); }
  /// Divide the gradient by nothing, by the extent of the first of several axes, or by the number of valid
  /// elements. One of "batch", "null", "valid". Default: 'null'.
  MakeLossOptions& normalization(std::string value) { return set("normalization", std::move(value)); }
};
/// A copy whose gradient is grad_scale, normalised as asked, whatever gradient arrives.
/// @param data The loss.
/// Source: MXNet MakeLoss.
template <class T>
Single<T> MakeLoss(const T& data,
                   const MakeLossOptions& options = {}) {
  static const Operator self("MakeLoss");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::Pad.
class PadOptions : public Options<PadOptions> {
 public:
  /// What the margin holds: one value, the nearest element, or a mirror image without the edge. One of
  /// "constant", "edge", "reflect".
  PadOptions& mode(std::string value) { return set("mode", std::move(value)); }
  /// Two margins per axis: before and after.
  PadOptions& pad_width(Ints value) { return set("pad_width", std::move(value)); }
  /// The value of mode 'constant'. Default: 0.0.
  PadOptions& constant_value(double value) { return set("constant_value", value); }
};
/// Adds margins around an array of any rank.
/// @param data Any array.
/// Source: MXNet Pad.
template <class T>
Single<T> Pad(const T& data,
              const PadOptions& options = {}) {
  static const Operator self("Pad");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::Pooling.
class PoolingOptions : public Options<PoolingOptions> {
 public:
  /// Extents of the window: (w,), (h, w) or (d, h, w). Default: ().
  PoolingOptions& kernel(Ints value) { return set("kernel", std::move(value)); }
  /// What is taken of a window. One of "avg", "lp", "max", "sum". Default: 'max'.
  PoolingOptions& pool_type(std::string value) { return set("pool_type", std::move(value)); }
  /// The window is the whole image; kernel, stride and pad are ignored. Default: False.
  PoolingOptions& global_pool(bool value) { return set("global_pool", value); }
  /// Accepted and ignored. Default: False.
  PoolingOptions& cudnn_off(bool value) { return set("cudnn_off", value); }
  /// Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride). One of "full",
  /// "same", "valid". Default: 'valid'.
  PoolingOptions& pooling_convention(std::string value) { return set("pooling_convention", std::move(value)); }
  /// Steps of the window; empty means ones. Default: ().
  PoolingOptions& stride(Ints value) { return set("stride", std::move(value)); }
  /// Elements added at both ends of each axis; empty means none. Default: ().
  PoolingOptions& pad(Ints value) { return set("pad", std::move(value)); }
  /// Power of the norm, 1, 2 or 3; for pool_type lp. Default: None.
  PoolingOptions& p_value(int64_t value) { return set("p_value", value); }
  /// Whether avg also counts padding; None is True. Default: None.
  PoolingOptions& count_include_pad(bool value) { return set("count_include_pad", value); }
  /// Order of axes; None is channels first. One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default:
  /// None.
  PoolingOptions& layout(std::string value) { return set("layout", std::move(value)); }
};
/// One value per place of a window that moves over the spatial axes: its largest element, mean, sum, or (sum
/// of x^p)^(1/p). Padding never is the largest.
/// @param data Float array with one, two or three spatial axes.
/// Source: MXNet Pooling.
template <class T>
Single<T> Pooling(const T& data,
                  const PoolingOptions& options = {}) {
  static const Operator self("Pooling");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::RNN.
class RNNOptions : public Options<RNNOptions> {
 public:
  /// Units of a layer and direction.
  RNNOptions& state_size(int64_t value) { return set("state_size", value); }
  /// Layers on top of one another.
  RNNOptions& num_layers(int64_t value) { return set("num_layers", value); }
  /// Also run every layer from the last step to the first. Default: False.
  RNNOptions& bidirectional(bool value) { return set("bidirectional", value); }
  /// Kind of cell. One of "gru", "lstm", "rnn_relu", "rnn_tanh".
  RNNOptions& mode(std::string value) { return set("mode", std::move(value)); }
  /// While training, part of the inputs of the layers above the first that become 0. Default: 0.0.
  RNNOptions& p(double value) { return set("p", value); }
  /// Also give the states after the last step. Default: False.
  RNNOptions& state_outputs(bool value) { return set("state_outputs", value); }
  /// Of the LSTM: extent to which a matrix takes the state after every step. Default: None.
  RNNOptions& projection_size(int64_t value) { return set("projection_size", value); }
  /// Lower bound of the LSTM's cells; given together with the upper one. Default: None.
  RNNOptions& lstm_state_clip_min(double value) { return set("lstm_state_clip_min", value); }
  /// Upper bound of the LSTM's cells. Default: None.
  RNNOptions& lstm_state_clip_max(double value) { return set("lstm_state_clip_max", value); }
  /// With bounds: take NaN to the lower one. Default: False.
  RNNOptions& lstm_state_clip_nan(bool value) { return set("lstm_state_clip_nan", value); }
  /// Whether sequence_length is given. Default: False.
  RNNOptions& use_sequence_length(bool value) { return set("use_sequence_length", value); }
};
/// Layers of recurrent cells over whole sequences, in one or both directions: (steps, batch, directions *
/// units), and with state_outputs the states (and cells) after the last step. The input's products of all
/// steps are one matrix product.
/// @param data (steps, batch, inputs), float.
/// @param parameters All weights, then all biases. Of every layer and direction: input weights (gates *
/// units, inputs), state weights (gates * units, units), projection (size, units); then input and state
/// biases. Gates are in, forget, new, out of the LSTM, and reset, update, new of the GRU.
/// @param state (layers * directions, batch, units): the states before the first step.
/// @param state_cell Of the LSTM: (layers * directions, batch, units), the cells before the first step.
/// @param sequence_length (batch,): steps that count. Later ones give 0 and leave the states. Receives no
/// gradient.
/// Source: MXNet RNN; Hochreiter and Schmidhuber 1997; Cho and others 2014.
template <class T>
Several<T> RNN(const T& data,
               const Same<T>& parameters = {},
               const Same<T>& state = {},
               const Same<T>& state_cell = {},
               const Same<T>& sequence_length = {},
               const RNNOptions& options = {}) {
  static const Operator self("RNN");
  return self.apply<T>({data, parameters, state, state_cell, sequence_length}, options);
}
template <class T>
Several<T> RNN(const T& data, const RNNOptions& options) {
  return RNN<T>(data, {}, {}, {}, {}, options);
}

/// Parameters of op::ROIPooling.
class ROIPoolingOptions : public Options<ROIPoolingOptions> {
 public:
  /// Rows and columns of the grid.
  ROIPoolingOptions& pooled_size(Ints value) { return set("pooled_size", std::move(value)); }
  /// Factor from the regions' coordinates to rows and columns of data.
  ROIPoolingOptions& spatial_scale(double value) { return set("spatial_scale", value); }
};
/// (regions, channels, rows, columns): each region of an image is divided into a grid, and every cell gives
/// the largest value in it, 0 where it lies outside of the image.
/// @param data Images (batch, channels, height, width), float.
/// @param rois (regions, 5): the image's number, then left, top, right and bottom, all inclusive. A negative
/// number gives zeros. Receives no gradient.
/// Source: MXNet ROIPooling; Girshick 2015.
template <class T>
Several<T> ROIPooling(const T& data,
                      const Same<T>& rois = {},
                      const ROIPoolingOptions& options = {}) {
  static const Operator self("ROIPooling");
  return self.apply<T>({data, rois}, options);
}
template <class T>
Several<T> ROIPooling(const T& data, const ROIPoolingOptions& options) {
  return ROIPooling<T>(data, {}, options);
}

/// Parameters of op::Reshape.
class ReshapeOptions : public Options<ReshapeOptions> {
 public:
  /// Extents or codes: 0 keeps an extent, -1 is inferred, -2 keeps the rest, -3 merges two, -4 splits one.
  /// Default: ().
  ReshapeOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Match the codes from the last axis. Default: False.
  ReshapeOptions& reverse(bool value) { return set("reverse", value); }
  /// Older form of shape, in which 0 is inferred. Default: ().
  ReshapeOptions& target_shape(Ints value) { return set("target_shape", std::move(value)); }
  /// Keep the first extent; only with target_shape. Default: False.
  ReshapeOptions& keep_highest(bool value) { return set("keep_highest", value); }
};
/// The input's elements in order, in the shape that extents and codes ask for.
/// @param data Any array.
/// Source: MXNet Reshape.
template <class T>
Single<T> Reshape(const T& data,
                  const ReshapeOptions& options = {}) {
  static const Operator self("Reshape");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::SVMOutput.
class SVMOutputOptions : public Options<SVMOutputOptions> {
 public:
  /// Distance from the border below which a score costs. Default: 1.0.
  SVMOutputOptions& margin(double value) { return set("margin", value); }
  /// Factor of the gradient. Default: 1.0.
  SVMOutputOptions& regularization_coefficient(double value) { return set("regularization_coefficient", value); }
  /// Linear rather than squared hinge. Default: False.
  SVMOutputOptions& use_linear(bool value) { return set("use_linear", value); }
};
/// The scores unchanged. Their gradient is that of the hinge loss of each class against the rest, whatever
/// the gradient of the output.
/// @param data (N, C), scores of C classes.
/// @param label (N,), class numbers. Receives no gradient.
/// Source: MXNet SVMOutput; https://arxiv.org/abs/1306.0239.
template <class T>
Single<T> SVMOutput(const T& data,
                    const Same<T>& label = {},
                    const SVMOutputOptions& options = {}) {
  static const Operator self("SVMOutput");
  return self.apply_one<T>({data, label}, options);
}
template <class T>
Single<T> SVMOutput(const T& data, const SVMOutputOptions& options) {
  return SVMOutput<T>(data, {}, options);
}

/// Parameters of op::SequenceLast.
class SequenceLastOptions : public Options<SequenceLastOptions> {
 public:
  /// Whether sequence_length is given; otherwise all sequences are whole. Default: False.
  SequenceLastOptions& use_sequence_length(bool value) { return set("use_sequence_length", value); }
  /// Axis of time, 0 or 1; the other one counts sequences. Default: 0.
  SequenceLastOptions& axis(int64_t value) { return set("axis", value); }
};
/// The last step of each sequence; a sequence of length 0 gives its first step.
/// @param data (T, N, ...), or (N, T, ...) with axis 1.
/// @param sequence_length (N,); clipped to [0, T].
/// Source: MXNet SequenceLast.
template <class T>
Single<T> SequenceLast(const T& data,
                       const Same<T>& sequence_length = {},
                       const SequenceLastOptions& options = {}) {
  static const Operator self("SequenceLast");
  return self.apply_one<T>({data, sequence_length}, options);
}
template <class T>
Single<T> SequenceLast(const T& data, const SequenceLastOptions& options) {
  return SequenceLast<T>(data, {}, options);
}

/// Parameters of op::SequenceMask.
class SequenceMaskOptions : public Options<SequenceMaskOptions> {
 public:
  /// Whether sequence_length is given; otherwise nothing is masked. Default: False.
  SequenceMaskOptions& use_sequence_length(bool value) { return set("use_sequence_length", value); }
  /// What masked elements become. Default: 0.0.
  SequenceMaskOptions& value(double value) { return set("value", value); }
  /// Axis of time, 0 or 1; the other one counts sequences. Default: 0.
  SequenceMaskOptions& axis(int64_t value) { return set("axis", value); }
};
/// Sets every step behind the end of its sequence to a value.
/// @param data (T, N, ...), or (N, T, ...) with axis 1.
/// @param sequence_length (N,); clipped to [0, T].
/// Source: MXNet SequenceMask.
template <class T>
Single<T> SequenceMask(const T& data,
                       const Same<T>& sequence_length = {},
                       const SequenceMaskOptions& options = {}) {
  static const Operator self("SequenceMask");
  return self.apply_one<T>({data, sequence_length}, options);
}
template <class T>
Single<T> SequenceMask(const T& data, const SequenceMaskOptions& options) {
  return SequenceMask<T>(data, {}, options);
}

/// Parameters of op::SequenceReverse.
class SequenceReverseOptions : public Options<SequenceReverseOptions> {
 public:
  /// Whether sequence_length is given; otherwise all sequences are whole. Default: False.
  SequenceReverseOptions& use_sequence_length(bool value) { return set("use_sequence_length", value); }
  /// Axis of time, 0 or 1; the other one counts sequences. Default: 0.
  SequenceReverseOptions& axis(int64_t value) { return set("axis", value); }
};
/// Reverses the steps of each sequence and leaves what lies behind its end.
/// @param data (T, N, ...), or (N, T, ...) with axis 1.
/// @param sequence_length (N,); clipped to [0, T].
/// Source: MXNet SequenceReverse.
template <class T>
Single<T> SequenceReverse(const T& data,
                          const Same<T>& sequence_length = {},
                          const SequenceReverseOptions& options = {}) {
  static const Operator self("SequenceReverse");
  return self.apply_one<T>({data, sequence_length}, options);
}
template <class T>
Single<T> SequenceReverse(const T& data, const SequenceReverseOptions& options) {
  return SequenceReverse<T>(data, {}, options);
}

/// Parameters of op::SliceChannel.
class SliceChannelOptions : public Options<SliceChannelOptions> {
 public:
  /// Number of equal parts.
  SliceChannelOptions& num_outputs(int64_t value) { return set("num_outputs", value); }
  /// The axis that is cut. Default: 1.
  SliceChannelOptions& axis(int64_t value) { return set("axis", value); }
  /// Drop the axis; each part must have extent 1. Default: False.
  SliceChannelOptions& squeeze_axis(bool value) { return set("squeeze_axis", value); }
};
/// Cuts an array along an axis into equal parts.
/// @param data Any array with an extent that divides.
/// Source: MXNet SliceChannel.
template <class T>
Several<T> SliceChannel(const T& data,
                        const SliceChannelOptions& options = {}) {
  static const Operator self("SliceChannel");
  return self.apply<T>({data}, options);
}

/// Parameters of op::SoftmaxActivation.
class SoftmaxActivationOptions : public Options<SoftmaxActivationOptions> {
 public:
  /// instance: over the last axis; channel: over axis 1. One of "channel", "instance". Default: 'instance'.
  SoftmaxActivationOptions& mode(std::string value) { return set("mode", std::move(value)); }
};
/// Softmax over the last axis, or over the channels of each position.
/// @param data (N, C, ...), floats.
/// Source: MXNet SoftmaxActivation.
template <class T>
Single<T> SoftmaxActivation(const T& data,
                            const SoftmaxActivationOptions& options = {}) {
  static const Operator self("SoftmaxActivation");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::SoftmaxOutput.
class SoftmaxOutputOptions : public Options<SoftmaxOutputOptions> {
 public:
  /// Factor of the gradient. Default: 1.0.
  SoftmaxOutputOptions& grad_scale(double value) { return set("grad_scale", value); }
  /// Label that stands for no class; without gradient when use_ignore is set. Default: -1.0.
  SoftmaxOutputOptions& ignore_label(double value) { return set("ignore_label", value); }
  /// Softmax over axis 1, with a label per position. Default: False.
  SoftmaxOutputOptions& multi_output(bool value) { return set("multi_output", value); }
  /// Whether ignore_label counts. Default: False.
  SoftmaxOutputOptions& use_ignore(bool value) { return set("use_ignore", value); }
  /// Softmax over the last axis. Default: False.
  SoftmaxOutputOptions& preserve_shape(bool value) { return set("preserve_shape", value); }
  /// The gradient is divided by the batch size, by nothing, or by the number of labels that count. One of
  /// "batch", "null", "valid". Default: 'null'.
  SoftmaxOutputOptions& normalization(std::string value) { return set("normalization", std::move(value)); }
  /// Multiplies the gradient by that of the output. Default: False.
  SoftmaxOutputOptions& out_grad(bool value) { return set("out_grad", value); }
  /// Share of the target spread evenly over the other classes; not with multi_output. Default: 0.0.
  SoftmaxOutputOptions& smooth_alpha(double value) { return set("smooth_alpha", value); }
};
/// Softmax whose gradient is softmax minus target: that of the cross entropy with the label. It ignores the
/// gradient of its output unless out_grad is set, and has no second derivative.
/// @param data (N, C) or (N, C, ...): scores of C classes. Without multi_output and preserve_shape the axes
/// after the first form one vector.
/// @param label Class numbers, one per vector; or probabilities, of data's shape. Every class counts as wrong
/// where the number is none of them. Receives no gradient.
/// Source: MXNet SoftmaxOutput.
template <class T>
Single<T> SoftmaxOutput(const T& data,
                        const Same<T>& label = {},
                        const SoftmaxOutputOptions& options = {}) {
  static const Operator self("SoftmaxOutput");
  return self.apply_one<T>({data, label}, options);
}
template <class T>
Single<T> SoftmaxOutput(const T& data, const SoftmaxOutputOptions& options) {
  return SoftmaxOutput<T>(data, {}, options);
}

/// Parameters of op::SparseEmbedding.
class SparseEmbeddingOptions : public Options<SparseEmbeddingOptions> {
 public:
  /// Number of rows of weight.
  SparseEmbeddingOptions& input_dim(int64_t value) { return set("input_dim", value); }
  /// Extent of a row.
  SparseEmbeddingOptions& output_dim(int64_t value) { return set("output_dim", value); }
  /// Dtype of weight where nothing else says it. Default: 'float32'.
  SparseEmbeddingOptions& dtype(DType value) { return set("dtype", value); }
  /// Has no effect: gradients are always added in one order. Default: False.
  SparseEmbeddingOptions& deterministic(bool value) { return set("deterministic", value); }
};
/// The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped.
/// @param data Indices of any shape and dtype; fractions are cut off.
/// @param weight (input_dim, output_dim)
/// Source: MXNet Embedding.
template <class T>
Single<T> SparseEmbedding(const T& data,
                          const Same<T>& weight = {},
                          const SparseEmbeddingOptions& options = {}) {
  static const Operator self("_contrib_SparseEmbedding");
  return self.apply_one<T>({data, weight}, options);
}
template <class T>
Single<T> SparseEmbedding(const T& data, const SparseEmbeddingOptions& options) {
  return SparseEmbedding<T>(data, {}, options);
}

/// Parameters of op::SpatialTransformer.
class SpatialTransformerOptions : public Options<SpatialTransformerOptions> {
 public:
  /// Height and width of the output. Default: (0, 0).
  SpatialTransformerOptions& target_shape(Ints value) { return set("target_shape", std::move(value)); }
  /// Kind of map. One of "affine".
  SpatialTransformerOptions& transform_type(std::string value) { return set("transform_type", std::move(value)); }
  /// Kind of interpolation. One of "bilinear".
  SpatialTransformerOptions& sampler_type(std::string value) { return set("sampler_type", std::move(value)); }
  /// Accepted for MXNet's scripts; has no effect. Default: None.
  SpatialTransformerOptions& cudnn_off(bool value) { return set("cudnn_off", value); }
};
/// BilinearSampler of data at the grid that GridGenerator makes of the maps: (batch, channels, rows,
/// columns).
/// @param data Images (batch, channels, height, width), float.
/// @param loc (batch, 6): the rows of 2 x 3 matrices, from (x, y, 1) in the output to (x, y) in data.
/// Source: MXNet SpatialTransformer; Jaderberg and others 2015.
template <class T>
Several<T> SpatialTransformer(const T& data,
                              const Same<T>& loc = {},
                              const SpatialTransformerOptions& options = {}) {
  static const Operator self("SpatialTransformer");
  return self.apply<T>({data, loc}, options);
}
template <class T>
Several<T> SpatialTransformer(const T& data, const SpatialTransformerOptions& options) {
  return SpatialTransformer<T>(data, {}, options);
}

/// Parameters of op::SwapAxis.
class SwapAxisOptions : public Options<SwapAxisOptions> {
 public:
  /// One axis. Default: 0.
  SwapAxisOptions& dim1(int64_t value) { return set("dim1", value); }
  /// The other axis. Default: 0.
  SwapAxisOptions& dim2(int64_t value) { return set("dim2", value); }
};
/// Exchanges two axes.
/// @param data Any array.
/// Source: MXNet SwapAxis.
template <class T>
Single<T> SwapAxis(const T& data,
                   const SwapAxisOptions& options = {}) {
  static const Operator self("SwapAxis");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::UpSampling.
class UpSamplingOptions : public Options<UpSamplingOptions> {
 public:
  /// Factor of both extents of the first input.
  UpSamplingOptions& scale(int64_t value) { return set("scale", value); }
  /// Number of channels; only for bilinear. Default: 0.
  UpSamplingOptions& num_filter(int64_t value) { return set("num_filter", value); }
  /// Whether pixels are repeated, or spread by a window of weights. One of "bilinear", "nearest".
  UpSamplingOptions& sample_type(std::string value) { return set("sample_type", std::move(value)); }
  /// What becomes of several inputs: their channels one after the other, or their sum. One of "concat",
  /// "sum". Default: 'concat'.
  UpSamplingOptions& multi_input_mode(std::string value) { return set("multi_input_mode", std::move(value)); }
  /// Accepted and ignored. Default: 512.
  UpSamplingOptions& workspace(int64_t value) { return set("workspace", value); }
};
/// Images (n, channels, height, width) enlarged `scale` times. nearest repeats pixels and takes any number of
/// inputs, each enlarged to the size that the first one gets; bilinear is a Deconvolution per channel, with
/// weights (channels, 1, k, k) as second input, k = 2 scale - scale % 2.
/// @param data Images of a float dtype; for bilinear an image and the weights.
/// Source: MXNet UpSampling.
template <class T>
Single<T> UpSampling(const std::vector<T>& data,
                     const UpSamplingOptions& options = {}) {
  static const Operator self("UpSampling");
  return self.apply_one<T>(data, options);
}

using AbsOptions = NoOptions;
/// Absolute value.
/// @param data Any array.
/// Source: MXNet abs.
template <class T>
Single<T> abs(const T& data,
              const AbsOptions& options = {}) {
  static const Operator self("abs");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::adagrad_update.
class AdagradUpdateOptions : public Options<AdagradUpdateOptions> {
 public:
  /// Learning rate.
  AdagradUpdateOptions& lr(double value) { return set("lr", value); }
  /// Added under the root. Default: 1e-07.
  AdagradUpdateOptions& epsilon(double value) { return set("epsilon", value); }
  /// Weight decay: its multiple of the weight is added to the step. Default: 0.0.
  AdagradUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  AdagradUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  AdagradUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
};
/// history += g^2 with g = clip(rescale_grad * grad); the new weight is weight - lr * (g / sqrt(history +
/// epsilon) + wd * weight).
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param history Accumulated square of the gradient; changed in place.
/// Source: MXNet _sparse_adagrad_update; Duchi and others 2011.
template <class T>
Single<T> adagrad_update(const T& weight,
                         const Same<T>& grad = {},
                         const Same<T>& history = {},
                         const AdagradUpdateOptions& options = {}) {
  static const Operator self("_sparse_adagrad_update");
  return self.apply_one<T>({weight, grad, history}, options);
}
template <class T>
Single<T> adagrad_update(const T& weight, const AdagradUpdateOptions& options) {
  return adagrad_update<T>(weight, {}, {}, options);
}

/// Parameters of op::adam_update.
class AdamUpdateOptions : public Options<AdamUpdateOptions> {
 public:
  /// Learning rate.
  AdamUpdateOptions& lr(double value) { return set("lr", value); }
  /// Part of the first moment that is kept. Default: 0.9.
  AdamUpdateOptions& beta1(double value) { return set("beta1", value); }
  /// Part of the second moment that is kept. Default: 0.999.
  AdamUpdateOptions& beta2(double value) { return set("beta2", value); }
  /// Added to the root of the second moment. Default: 1e-08.
  AdamUpdateOptions& epsilon(double value) { return set("epsilon", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  AdamUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  AdamUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  AdamUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
  AdamUpdateOptions& lazy_update(bool value) { return set("lazy_update", value); }
};
/// Adam without bias correction (scale lr for that): g = clip(rescale_grad * grad + wd * weight), mean =
/// beta1 * mean + (1 - beta1) * g, var = beta2 * var + (1 - beta2) * g^2; the new weight is weight - lr *
/// mean / (sqrt(var) + epsilon).
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param mean First moment; changed in place.
/// @param var Second moment; changed in place.
/// Source: MXNet adam_update; Kingma and Ba 2014.
template <class T>
Single<T> adam_update(const T& weight,
                      const Same<T>& grad = {},
                      const Same<T>& mean = {},
                      const Same<T>& var = {},
                      const AdamUpdateOptions& options = {}) {
  static const Operator self("adam_update");
  return self.apply_one<T>({weight, grad, mean, var}, options);
}
template <class T>
Single<T> adam_update(const T& weight, const AdamUpdateOptions& options) {
  return adam_update<T>(weight, {}, {}, {}, options);
}

using AddNOptions = NoOptions;
/// Sum of any number of arrays of one shape and dtype.
/// @param args The arrays.
/// Source: MXNet add_n.
template <class T>
Single<T> add_n(const std::vector<T>& args,
                const AddNOptions& options = {}) {
  static const Operator self("add_n");
  return self.apply_one<T>(args, options);
}

/// Parameters of op::all_finite.
class AllFiniteOptions : public Options<AllFiniteOptions> {
 public:
  /// False keeps a 0 that the given output holds, so that several calls add up. Default: True.
  AllFiniteOptions& init_output(bool value) { return set("init_output", value); }
};
/// 1 if no element is infinite or NaN, else 0; float32 of shape (1,).
/// @param data Any array.
/// Source: MXNet all_finite.
template <class T>
Single<T> all_finite(const T& data,
                     const AllFiniteOptions& options = {}) {
  static const Operator self("all_finite");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::amp_cast.
class AmpCastOptions : public Options<AmpCastOptions> {
 public:
  /// Element type of the output.
  AmpCastOptions& dtype(DType value) { return set("dtype", value); }
};
/// Changes the element type of floats; arrays of float64 and of integers are copied.
/// @param data Any array.
/// Source: MXNet amp_cast.
template <class T>
Single<T> amp_cast(const T& data,
                   const AmpCastOptions& options = {}) {
  static const Operator self("amp_cast");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::amp_multicast.
class AmpMulticastOptions : public Options<AmpMulticastOptions> {
 public:
  /// Take the narrowest float type instead of the widest. Default: False.
  AmpMulticastOptions& cast_narrow(bool value) { return set("cast_narrow", value); }
};
/// Brings floats of several types to the widest type among them; arrays of float64 and of integers are
/// copied.
/// @param data Arrays of any shapes.
/// Source: MXNet amp_multicast.
template <class T>
Several<T> amp_multicast(const std::vector<T>& data,
                         const AmpMulticastOptions& options = {}) {
  static const Operator self("amp_multicast");
  return self.apply<T>(data, options);
}

using ArccosOptions = NoOptions;
/// Inverse cosine, in [0, pi]; NaN beyond 1.
/// @param data Any array.
/// Source: MXNet arccos.
template <class T>
Single<T> arccos(const T& data,
                 const ArccosOptions& options = {}) {
  static const Operator self("arccos");
  return self.apply_one<T>({data}, options);
}

using ArccoshOptions = NoOptions;
/// Inverse hyperbolic cosine; NaN below 1.
/// @param data Any array.
/// Source: MXNet arccosh.
template <class T>
Single<T> arccosh(const T& data,
                  const ArccoshOptions& options = {}) {
  static const Operator self("arccosh");
  return self.apply_one<T>({data}, options);
}

using ArcsinOptions = NoOptions;
/// Inverse sine, in [-pi/2, pi/2]; NaN beyond 1.
/// @param data Any array.
/// Source: MXNet arcsin.
template <class T>
Single<T> arcsin(const T& data,
                 const ArcsinOptions& options = {}) {
  static const Operator self("arcsin");
  return self.apply_one<T>({data}, options);
}

using ArcsinhOptions = NoOptions;
/// Inverse hyperbolic sine.
/// @param data Any array.
/// Source: MXNet arcsinh.
template <class T>
Single<T> arcsinh(const T& data,
                  const ArcsinhOptions& options = {}) {
  static const Operator self("arcsinh");
  return self.apply_one<T>({data}, options);
}

using ArctanOptions = NoOptions;
/// Inverse tangent, in (-pi/2, pi/2).
/// @param data Any array.
/// Source: MXNet arctan.
template <class T>
Single<T> arctan(const T& data,
                 const ArctanOptions& options = {}) {
  static const Operator self("arctan");
  return self.apply_one<T>({data}, options);
}

using ArctanhOptions = NoOptions;
/// Inverse hyperbolic tangent; NaN beyond 1.
/// @param data Any array.
/// Source: MXNet arctanh.
template <class T>
Single<T> arctanh(const T& data,
                  const ArctanhOptions& options = {}) {
  static const Operator self("arctanh");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::argmax.
class ArgmaxOptions : public Options<ArgmaxOptions> {
 public:
  /// Axis to search; None searches the flattened array. Default: None.
  ArgmaxOptions& axis(int64_t value) { return set("axis", value); }
  /// Keeps the searched axis, with extent 1. Default: False.
  ArgmaxOptions& keepdims(bool value) { return set("keepdims", value); }
};
/// Place of the largest element along an axis: the first one, or the first NaN.
/// @param data Any array. The places come in its dtype, which must be able to hold them.
/// Source: MXNet broadcast_reduce_op_index.
template <class T>
Single<T> argmax(const T& data,
                 const ArgmaxOptions& options = {}) {
  static const Operator self("argmax");
  return self.apply_one<T>({data}, options);
}

using ArgmaxChannelOptions = NoOptions;
/// Place of the largest element along axis 1: classes from an array of scores (N, C, ...).
/// @param data Scores, at least two axes.
/// Source: MXNet argmax_channel.
template <class T>
Single<T> argmax_channel(const T& data,
                         const ArgmaxChannelOptions& options = {}) {
  static const Operator self("argmax_channel");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::argmin.
class ArgminOptions : public Options<ArgminOptions> {
 public:
  /// Axis to search; None searches the flattened array. Default: None.
  ArgminOptions& axis(int64_t value) { return set("axis", value); }
  /// Keeps the searched axis, with extent 1. Default: False.
  ArgminOptions& keepdims(bool value) { return set("keepdims", value); }
};
/// Place of the smallest element along an axis: the first one, or the first NaN.
/// @param data Any array. The places come in its dtype, which must be able to hold them.
/// Source: MXNet broadcast_reduce_op_index.
template <class T>
Single<T> argmin(const T& data,
                 const ArgminOptions& options = {}) {
  static const Operator self("argmin");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::argsort.
class ArgsortOptions : public Options<ArgsortOptions> {
 public:
  /// The sorted axis; None sorts the flattened array. Default: -1.
  ArgsortOptions& axis(int64_t value) { return set("axis", value); }
  /// Smallest first. Default: True.
  ArgsortOptions& is_ascend(bool value) { return set("is_ascend", value); }
  /// Element type of the indices. Default: 'float32'.
  ArgsortOptions& dtype(DType value) { return set("dtype", value); }
};
/// Indices that sort along an axis. Equal elements keep their order; NaN counts as larger than all.
/// @param data Any array.
/// Source: MXNet argsort.
template <class T>
Single<T> argsort(const T& data,
                  const ArgsortOptions& options = {}) {
  static const Operator self("argsort");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::batch_dot.
class BatchDotOptions : public Options<BatchDotOptions> {
 public:
  /// Use the transposes of lhs. Default: False.
  BatchDotOptions& transpose_a(bool value) { return set("transpose_a", value); }
  /// Use the transposes of rhs. Default: False.
  BatchDotOptions& transpose_b(bool value) { return set("transpose_b", value); }
  /// Accepted and ignored: results are dense. One of "csr", "default", "row_sparse". Default: None.
  BatchDotOptions& forward_stype(std::string value) { return set("forward_stype", std::move(value)); }
};
/// Matrix products over the last two axes; all leading axes are equal.
/// @param lhs Float array of at least two axes.
/// @param rhs Float array of the same dtype and number of axes.
/// Source: MXNet batch_dot.
template <class T>
Single<T> batch_dot(const T& lhs,
                    const Same<T>& rhs = {},
                    const BatchDotOptions& options = {}) {
  static const Operator self("batch_dot");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> batch_dot(const T& lhs, const BatchDotOptions& options) {
  return batch_dot<T>(lhs, {}, options);
}

using BatchTakeOptions = NoOptions;
/// out[i] = a[i, indices[i]]; indices outside are clipped.
/// @param a (N, C)
/// @param indices (N,)
/// Source: MXNet batch_take.
template <class T>
Single<T> batch_take(const T& a,
                     const Same<T>& indices = {},
                     const BatchTakeOptions& options = {}) {
  static const Operator self("batch_take");
  return self.apply_one<T>({a, indices}, options);
}
template <class T>
Single<T> batch_take(const T& a, const BatchTakeOptions& options) {
  return batch_take<T>(a, {}, options);
}

using BroadcastAddOptions = NoOptions;
/// Sum of two arrays.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_add(const T& lhs,
                        const Same<T>& rhs = {},
                        const BroadcastAddOptions& options = {}) {
  static const Operator self("broadcast_add");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_add(const T& lhs, const BroadcastAddOptions& options) {
  return broadcast_add<T>(lhs, {}, options);
}

/// Parameters of op::broadcast_axis.
class BroadcastAxisOptions : public Options<BroadcastAxisOptions> {
 public:
  /// Axes of extent 1. Default: ().
  BroadcastAxisOptions& axis(Ints value) { return set("axis", std::move(value)); }
  /// The extents they get. Default: ().
  BroadcastAxisOptions& size(Ints value) { return set("size", std::move(value)); }
};
/// Repeats axes of extent 1 up to the given sizes.
/// @param data Any array.
/// Source: MXNet broadcast_axis.
template <class T>
Single<T> broadcast_axis(const T& data,
                         const BroadcastAxisOptions& options = {}) {
  static const Operator self("broadcast_axis");
  return self.apply_one<T>({data}, options);
}

using BroadcastDivOptions = NoOptions;
/// Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_div(const T& lhs,
                        const Same<T>& rhs = {},
                        const BroadcastDivOptions& options = {}) {
  static const Operator self("broadcast_div");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_div(const T& lhs, const BroadcastDivOptions& options) {
  return broadcast_div<T>(lhs, {}, options);
}

using BroadcastEqualOptions = NoOptions;
/// 1 where x == y, else 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_equal(const T& lhs,
                          const Same<T>& rhs = {},
                          const BroadcastEqualOptions& options = {}) {
  static const Operator self("broadcast_equal");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_equal(const T& lhs, const BroadcastEqualOptions& options) {
  return broadcast_equal<T>(lhs, {}, options);
}

using BroadcastFloorDivideOptions = NoOptions;
/// Quotient of two arrays, rounded down as by Python's //; an integer divided by 0 gives 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_floor_divide(const T& lhs,
                                 const Same<T>& rhs = {},
                                 const BroadcastFloorDivideOptions& options = {}) {
  static const Operator self("broadcast_floor_divide");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_floor_divide(const T& lhs, const BroadcastFloorDivideOptions& options) {
  return broadcast_floor_divide<T>(lhs, {}, options);
}

using BroadcastGreaterOptions = NoOptions;
/// 1 where x > y, else 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_greater(const T& lhs,
                            const Same<T>& rhs = {},
                            const BroadcastGreaterOptions& options = {}) {
  static const Operator self("broadcast_greater");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_greater(const T& lhs, const BroadcastGreaterOptions& options) {
  return broadcast_greater<T>(lhs, {}, options);
}

using BroadcastGreaterEqualOptions = NoOptions;
/// 1 where x >= y, else 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_greater_equal(const T& lhs,
                                  const Same<T>& rhs = {},
                                  const BroadcastGreaterEqualOptions& options = {}) {
  static const Operator self("broadcast_greater_equal");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_greater_equal(const T& lhs, const BroadcastGreaterEqualOptions& options) {
  return broadcast_greater_equal<T>(lhs, {}, options);
}

using BroadcastHypotOptions = NoOptions;
/// Length of the vector (x, y).
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_hypot(const T& lhs,
                          const Same<T>& rhs = {},
                          const BroadcastHypotOptions& options = {}) {
  static const Operator self("broadcast_hypot");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_hypot(const T& lhs, const BroadcastHypotOptions& options) {
  return broadcast_hypot<T>(lhs, {}, options);
}

using BroadcastLesserOptions = NoOptions;
/// 1 where x < y, else 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_lesser(const T& lhs,
                           const Same<T>& rhs = {},
                           const BroadcastLesserOptions& options = {}) {
  static const Operator self("broadcast_lesser");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_lesser(const T& lhs, const BroadcastLesserOptions& options) {
  return broadcast_lesser<T>(lhs, {}, options);
}

using BroadcastLesserEqualOptions = NoOptions;
/// 1 where x <= y, else 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_lesser_equal(const T& lhs,
                                 const Same<T>& rhs = {},
                                 const BroadcastLesserEqualOptions& options = {}) {
  static const Operator self("broadcast_lesser_equal");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_lesser_equal(const T& lhs, const BroadcastLesserEqualOptions& options) {
  return broadcast_lesser_equal<T>(lhs, {}, options);
}

/// Parameters of op::broadcast_like.
class BroadcastLikeOptions : public Options<BroadcastLikeOptions> {
 public:
  /// Axes of lhs that grow; None is all. Default: None.
  BroadcastLikeOptions& lhs_axes(Ints value) { return set("lhs_axes", std::move(value)); }
  /// Axes of rhs whose extents they take. Default: None.
  BroadcastLikeOptions& rhs_axes(Ints value) { return set("rhs_axes", std::move(value)); }
};
/// Repeats axes of extent 1 of lhs until they have rhs's extents, on all axes or on pairs of axes.
/// @param lhs The elements.
/// @param rhs Gives extents; its elements are not read.
/// Source: MXNet broadcast_like.
template <class T>
Single<T> broadcast_like(const T& lhs,
                         const Same<T>& rhs = {},
                         const BroadcastLikeOptions& options = {}) {
  static const Operator self("broadcast_like");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_like(const T& lhs, const BroadcastLikeOptions& options) {
  return broadcast_like<T>(lhs, {}, options);
}

using BroadcastLogicalAndOptions = NoOptions;
/// 1 where both are not 0, else 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_logical_and(const T& lhs,
                                const Same<T>& rhs = {},
                                const BroadcastLogicalAndOptions& options = {}) {
  static const Operator self("broadcast_logical_and");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_logical_and(const T& lhs, const BroadcastLogicalAndOptions& options) {
  return broadcast_logical_and<T>(lhs, {}, options);
}

using BroadcastLogicalOrOptions = NoOptions;
/// 1 where either is not 0, else 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_logical_or(const T& lhs,
                               const Same<T>& rhs = {},
                               const BroadcastLogicalOrOptions& options = {}) {
  static const Operator self("broadcast_logical_or");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_logical_or(const T& lhs, const BroadcastLogicalOrOptions& options) {
  return broadcast_logical_or<T>(lhs, {}, options);
}

using BroadcastLogicalXorOptions = NoOptions;
/// 1 where exactly one is not 0, else 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_logical_xor(const T& lhs,
                                const Same<T>& rhs = {},
                                const BroadcastLogicalXorOptions& options = {}) {
  static const Operator self("broadcast_logical_xor");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_logical_xor(const T& lhs, const BroadcastLogicalXorOptions& options) {
  return broadcast_logical_xor<T>(lhs, {}, options);
}

using BroadcastMaximumOptions = NoOptions;
/// Larger of two values.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_maximum(const T& lhs,
                            const Same<T>& rhs = {},
                            const BroadcastMaximumOptions& options = {}) {
  static const Operator self("broadcast_maximum");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_maximum(const T& lhs, const BroadcastMaximumOptions& options) {
  return broadcast_maximum<T>(lhs, {}, options);
}

using BroadcastMinimumOptions = NoOptions;
/// Smaller of two values.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_minimum(const T& lhs,
                            const Same<T>& rhs = {},
                            const BroadcastMinimumOptions& options = {}) {
  static const Operator self("broadcast_minimum");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_minimum(const T& lhs, const BroadcastMinimumOptions& options) {
  return broadcast_minimum<T>(lhs, {}, options);
}

using BroadcastModOptions = NoOptions;
/// Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_mod(const T& lhs,
                        const Same<T>& rhs = {},
                        const BroadcastModOptions& options = {}) {
  static const Operator self("broadcast_mod");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_mod(const T& lhs, const BroadcastModOptions& options) {
  return broadcast_mod<T>(lhs, {}, options);
}

using BroadcastMulOptions = NoOptions;
/// Product of two arrays, element by element.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_mul(const T& lhs,
                        const Same<T>& rhs = {},
                        const BroadcastMulOptions& options = {}) {
  static const Operator self("broadcast_mul");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_mul(const T& lhs, const BroadcastMulOptions& options) {
  return broadcast_mul<T>(lhs, {}, options);
}

using BroadcastNotEqualOptions = NoOptions;
/// 1 where x != y, else 0.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_not_equal(const T& lhs,
                              const Same<T>& rhs = {},
                              const BroadcastNotEqualOptions& options = {}) {
  static const Operator self("broadcast_not_equal");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_not_equal(const T& lhs, const BroadcastNotEqualOptions& options) {
  return broadcast_not_equal<T>(lhs, {}, options);
}

using BroadcastPowerOptions = NoOptions;
/// First operand raised to the power of the second.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_power(const T& lhs,
                          const Same<T>& rhs = {},
                          const BroadcastPowerOptions& options = {}) {
  static const Operator self("broadcast_power");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_power(const T& lhs, const BroadcastPowerOptions& options) {
  return broadcast_power<T>(lhs, {}, options);
}

using BroadcastSubOptions = NoOptions;
/// Difference of two arrays.
/// @param lhs First operand.
/// @param rhs Second operand; shapes broadcast as in NumPy.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> broadcast_sub(const T& lhs,
                        const Same<T>& rhs = {},
                        const BroadcastSubOptions& options = {}) {
  static const Operator self("broadcast_sub");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> broadcast_sub(const T& lhs, const BroadcastSubOptions& options) {
  return broadcast_sub<T>(lhs, {}, options);
}

/// Parameters of op::broadcast_to.
class BroadcastToOptions : public Options<BroadcastToOptions> {
 public:
  /// Extents of the output; 0 keeps the input's extent. Default: ().
  BroadcastToOptions& shape(Ints value) { return set("shape", std::move(value)); }
};
/// Repeats axes of extent 1 until the array has the shape.
/// @param data Extents agree with the shape or are 1; missing leading axes count as 1.
/// Source: MXNet broadcast_to.
template <class T>
Single<T> broadcast_to(const T& data,
                       const BroadcastToOptions& options = {}) {
  static const Operator self("broadcast_to");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::cast_storage.
class CastStorageOptions : public Options<CastStorageOptions> {
 public:
  /// Storage type of the result. One of "csr", "default", "row_sparse".
  CastStorageOptions& stype(std::string value) { return set("stype", std::move(value)); }
};
/// The same elements in another storage type: a part of them stored (row_sparse, csr) or all.
/// @param data At least one axis; two for csr.
/// Source: MXNet cast_storage.
template <class T>
Single<T> cast_storage(const T& data,
                       const CastStorageOptions& options = {}) {
  static const Operator self("cast_storage");
  return self.apply_one<T>({data}, options);
}

using CbrtOptions = NoOptions;
/// Cube root.
/// @param data Any array.
/// Source: MXNet cbrt.
template <class T>
Single<T> cbrt(const T& data,
               const CbrtOptions& options = {}) {
  static const Operator self("cbrt");
  return self.apply_one<T>({data}, options);
}

using CeilOptions = NoOptions;
/// Smallest integer not below data.
/// @param data Any array.
/// Source: MXNet ceil.
template <class T>
Single<T> ceil(const T& data,
               const CeilOptions& options = {}) {
  static const Operator self("ceil");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::clip.
class ClipOptions : public Options<ClipOptions> {
 public:
  /// Smallest value of the output.
  ClipOptions& a_min(double value) { return set("a_min", value); }
  /// Largest value of the output.
  ClipOptions& a_max(double value) { return set("a_max", value); }
};
/// Values below a_min become a_min, values above a_max become a_max; NaN stays.
/// @param data Any array.
/// Source: MXNet clip.
template <class T>
Single<T> clip(const T& data,
               const ClipOptions& options = {}) {
  static const Operator self("clip");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::col2im.
class Col2imOptions : public Options<Col2imOptions> {
 public:
  /// Spatial extents of the output.
  Col2imOptions& output_size(Ints value) { return set("output_size", std::move(value)); }
  /// Extents of the window: (w,), (h, w) or (d, h, w).
  Col2imOptions& kernel(Ints value) { return set("kernel", std::move(value)); }
  /// Distance between windows; () is 1. Default: ().
  Col2imOptions& stride(Ints value) { return set("stride", std::move(value)); }
  /// Distance between a window's elements; () is 1. Default: ().
  Col2imOptions& dilate(Ints value) { return set("dilate", std::move(value)); }
  /// Zeros assumed on either side; () is none. Default: ().
  Col2imOptions& pad(Ints value) { return set("pad", std::move(value)); }
};
/// Adds columns to the places of their windows: the adjoint of im2col, not its inverse.
/// @param data (N, C * window size, number of windows)
/// Source: MXNet col2im.
template <class T>
Single<T> col2im(const T& data,
                 const Col2imOptions& options = {}) {
  static const Operator self("col2im");
  return self.apply_one<T>({data}, options);
}

using CosOptions = NoOptions;
/// Cosine of an angle in radians.
/// @param data Any array.
/// Source: MXNet cos.
template <class T>
Single<T> cos(const T& data,
              const CosOptions& options = {}) {
  static const Operator self("cos");
  return self.apply_one<T>({data}, options);
}

using CoshOptions = NoOptions;
/// Hyperbolic cosine.
/// @param data Any array.
/// Source: MXNet cosh.
template <class T>
Single<T> cosh(const T& data,
               const CoshOptions& options = {}) {
  static const Operator self("cosh");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::cumsum.
class CumsumOptions : public Options<CumsumOptions> {
 public:
  /// Axis to sum along; None sums along the flattened array. Default: None.
  CumsumOptions& axis(int64_t value) { return set("axis", value); }
  /// Element type of the output, in which the elements are summed; None is that of the input. Default: None.
  CumsumOptions& dtype(DType value) { return set("dtype", value); }
};
/// Running sums along an axis. Those of float16 are rounded at each step.
/// @param a Any array.
/// Source: MXNet cumsum.
template <class T>
Single<T> cumsum(const T& a,
                 const CumsumOptions& options = {}) {
  static const Operator self("cumsum");
  return self.apply_one<T>({a}, options);
}

using DegreesOptions = NoOptions;
/// Radians to degrees.
/// @param data Any array.
/// Source: MXNet degrees.
template <class T>
Single<T> degrees(const T& data,
                  const DegreesOptions& options = {}) {
  static const Operator self("degrees");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::depth_to_space.
class DepthToSpaceOptions : public Options<DepthToSpaceOptions> {
 public:
  /// Side b of the square blocks.
  DepthToSpaceOptions& block_size(int64_t value) { return set("block_size", value); }
};
/// Spreads channels over space: (N, b*b*C, H, W) becomes (N, C, H*b, W*b), where channel (i*b + j)*C + c
/// fills row i and column j of each block.
/// @param data (N, b*b*C, H, W)
/// Source: MXNet depth_to_space.
template <class T>
Single<T> depth_to_space(const T& data,
                         const DepthToSpaceOptions& options = {}) {
  static const Operator self("depth_to_space");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::diag.
class DiagOptions : public Options<DiagOptions> {
 public:
  /// Which diagonal: above the main one if positive, below it if negative. Default: 0.
  DiagOptions& k(int64_t value) { return set("k", value); }
  /// Axis of the matrices' rows. Default: 0.
  DiagOptions& axis1(int64_t value) { return set("axis1", value); }
  /// Axis of the matrices' columns. Default: 1.
  DiagOptions& axis2(int64_t value) { return set("axis2", value); }
};
/// The k-th diagonal of the matrices along two axes, as a new last axis; of a 1-d array the square matrix
/// with that diagonal and zeros elsewhere.
/// @param data At least one axis.
/// Source: MXNet diag.
template <class T>
Single<T> diag(const T& data,
               const DiagOptions& options = {}) {
  static const Operator self("diag");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::dot.
class DotOptions : public Options<DotOptions> {
 public:
  /// Contract the first axis of lhs instead of its last. Default: False.
  DotOptions& transpose_a(bool value) { return set("transpose_a", value); }
  /// Contract the last axis of rhs instead of its first. Default: False.
  DotOptions& transpose_b(bool value) { return set("transpose_b", value); }
  /// Storage type of the result where an operand is sparse. One of "csr", "default", "row_sparse". Default:
  /// None.
  DotOptions& forward_stype(std::string value) { return set("forward_stype", std::move(value)); }
};
/// Sum of products over the last axis of lhs and the first axis of rhs; the other axes follow one another,
/// those of lhs first. Two vectors give shape (1,).
/// @param lhs Float array of at least one axis.
/// @param rhs Float array of the same dtype.
/// Source: MXNet dot.
template <class T>
Single<T> dot(const T& lhs,
              const Same<T>& rhs = {},
              const DotOptions& options = {}) {
  static const Operator self("dot");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> dot(const T& lhs, const DotOptions& options) {
  return dot<T>(lhs, {}, options);
}

using ElemwiseAddOptions = NoOptions;
/// Sum of two arrays.
/// @param lhs First operand.
/// @param rhs Second operand, of the same shape.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> elemwise_add(const T& lhs,
                       const Same<T>& rhs = {},
                       const ElemwiseAddOptions& options = {}) {
  static const Operator self("elemwise_add");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> elemwise_add(const T& lhs, const ElemwiseAddOptions& options) {
  return elemwise_add<T>(lhs, {}, options);
}

using ElemwiseDivOptions = NoOptions;
/// Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
/// @param lhs First operand.
/// @param rhs Second operand, of the same shape.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> elemwise_div(const T& lhs,
                       const Same<T>& rhs = {},
                       const ElemwiseDivOptions& options = {}) {
  static const Operator self("elemwise_div");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> elemwise_div(const T& lhs, const ElemwiseDivOptions& options) {
  return elemwise_div<T>(lhs, {}, options);
}

using ElemwiseMulOptions = NoOptions;
/// Product of two arrays, element by element.
/// @param lhs First operand.
/// @param rhs Second operand, of the same shape.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> elemwise_mul(const T& lhs,
                       const Same<T>& rhs = {},
                       const ElemwiseMulOptions& options = {}) {
  static const Operator self("elemwise_mul");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> elemwise_mul(const T& lhs, const ElemwiseMulOptions& options) {
  return elemwise_mul<T>(lhs, {}, options);
}

using ElemwiseSubOptions = NoOptions;
/// Difference of two arrays.
/// @param lhs First operand.
/// @param rhs Second operand, of the same shape.
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
template <class T>
Single<T> elemwise_sub(const T& lhs,
                       const Same<T>& rhs = {},
                       const ElemwiseSubOptions& options = {}) {
  static const Operator self("elemwise_sub");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> elemwise_sub(const T& lhs, const ElemwiseSubOptions& options) {
  return elemwise_sub<T>(lhs, {}, options);
}

using ErfOptions = NoOptions;
/// Error function.
/// @param data Any array.
/// Source: MXNet erf.
template <class T>
Single<T> erf(const T& data,
              const ErfOptions& options = {}) {
  static const Operator self("erf");
  return self.apply_one<T>({data}, options);
}

using ErfinvOptions = NoOptions;
/// Inverse of the error function.
/// @param data Any array.
/// Source: MXNet erfinv.
template <class T>
Single<T> erfinv(const T& data,
                 const ErfinvOptions& options = {}) {
  static const Operator self("erfinv");
  return self.apply_one<T>({data}, options);
}

using ExpOptions = NoOptions;
/// e^data.
/// @param data Any array.
/// Source: MXNet exp.
template <class T>
Single<T> exp(const T& data,
              const ExpOptions& options = {}) {
  static const Operator self("exp");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::expand_dims.
class ExpandDimsOptions : public Options<ExpandDimsOptions> {
 public:
  /// Where the new axis of extent 1 comes to lie.
  ExpandDimsOptions& axis(int64_t value) { return set("axis", value); }
};
/// Inserts an axis of extent 1.
/// @param data Any array.
/// Source: MXNet expand_dims.
template <class T>
Single<T> expand_dims(const T& data,
                      const ExpandDimsOptions& options = {}) {
  static const Operator self("expand_dims");
  return self.apply_one<T>({data}, options);
}

using Expm1Options = NoOptions;
/// e^data - 1, exact near 0.
/// @param data Any array.
/// Source: MXNet expm1.
template <class T>
Single<T> expm1(const T& data,
                const Expm1Options& options = {}) {
  static const Operator self("expm1");
  return self.apply_one<T>({data}, options);
}

using FillElement0indexOptions = NoOptions;
/// lhs with one element of each row replaced; an index outside of the row replaces none.
/// @param lhs (rows, columns).
/// @param mhs (rows,): the new elements.
/// @param rhs (rows,): their columns; fractions are cut off.
/// Source: MXNet fill_element_0index.
template <class T>
Single<T> fill_element_0index(const T& lhs,
                              const Same<T>& mhs = {},
                              const Same<T>& rhs = {},
                              const FillElement0indexOptions& options = {}) {
  static const Operator self("fill_element_0index");
  return self.apply_one<T>({lhs, mhs, rhs}, options);
}
template <class T>
Single<T> fill_element_0index(const T& lhs, const FillElement0indexOptions& options) {
  return fill_element_0index<T>(lhs, {}, {}, options);
}

using FixOptions = NoOptions;
/// Integer part: rounded toward 0.
/// @param data Any array.
/// Source: MXNet fix.
template <class T>
Single<T> fix(const T& data,
              const FixOptions& options = {}) {
  static const Operator self("fix");
  return self.apply_one<T>({data}, options);
}

using FloorOptions = NoOptions;
/// Largest integer not above data.
/// @param data Any array.
/// Source: MXNet floor.
template <class T>
Single<T> floor(const T& data,
                const FloorOptions& options = {}) {
  static const Operator self("floor");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::ftml_update.
class FtmlUpdateOptions : public Options<FtmlUpdateOptions> {
 public:
  /// Learning rate.
  FtmlUpdateOptions& lr(double value) { return set("lr", value); }
  /// Part of the first moment that is kept. Default: 0.6.
  FtmlUpdateOptions& beta1(double value) { return set("beta1", value); }
  /// Part of the second moment that is kept. Default: 0.999.
  FtmlUpdateOptions& beta2(double value) { return set("beta2", value); }
  /// Added to the root of the second moment. Default: 1e-08.
  FtmlUpdateOptions& epsilon(double value) { return set("epsilon", value); }
  /// How many updates there were, this one included.
  FtmlUpdateOptions& t(int64_t value) { return set("t", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  FtmlUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  FtmlUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  FtmlUpdateOptions& clip_grad(double value) { return set("clip_grad", value); }
};
/// Follow the moving leader: v is the second moment of g = clip(rescale_grad * grad + wd * weight), d the
/// inverse of a step size, z accumulates; the new weight is -z / d.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param d Inverse step size; changed in place.
/// @param v Second moment; changed in place.
/// @param z Accumulated gradient; changed in place.
/// Source: MXNet ftml_update; Zheng and Kwok 2017.
template <class T>
Single<T> ftml_update(const T& weight,
                      const Same<T>& grad = {},
                      const Same<T>& d = {},
                      const Same<T>& v = {},
                      const Same<T>& z = {},
                      const FtmlUpdateOptions& options = {}) {
  static const Operator self("ftml_update");
  return self.apply_one<T>({weight, grad, d, v, z}, options);
}
template <class T>
Single<T> ftml_update(const T& weight, const FtmlUpdateOptions& options) {
  return ftml_update<T>(weight, {}, {}, {}, {}, options);
}

/// Parameters of op::ftrl_update.
class FtrlUpdateOptions : public Options<FtrlUpdateOptions> {
 public:
  /// Learning rate.
  FtrlUpdateOptions& lr(double value) { return set("lr", value); }
  /// Weight of the sum of absolute values: what keeps weights at 0. Default: 0.01.
  FtrlUpdateOptions& lamda1(double value) { return set("lamda1", value); }
  /// Added to the root of n. Default: 1.0.
  FtrlUpdateOptions& beta(double value) { return set("beta", value); }
  /// Weight of the sum of squares. Default: 0.0.
  FtrlUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  FtrlUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  FtrlUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
};
/// Follow the regularised leader: with g = clip(rescale_grad * grad), n sums g^2 and z sums g minus what the
/// weight accounts for; weights whose |z| is at most lamda1 become 0.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param z Accumulated gradient; changed in place.
/// @param n Accumulated square of the gradient; changed in place.
/// Source: MXNet ftrl_update; McMahan and others 2013.
template <class T>
Single<T> ftrl_update(const T& weight,
                      const Same<T>& grad = {},
                      const Same<T>& z = {},
                      const Same<T>& n = {},
                      const FtrlUpdateOptions& options = {}) {
  static const Operator self("ftrl_update");
  return self.apply_one<T>({weight, grad, z, n}, options);
}
template <class T>
Single<T> ftrl_update(const T& weight, const FtrlUpdateOptions& options) {
  return ftrl_update<T>(weight, {}, {}, {}, options);
}

using GammaOptions = NoOptions;
/// Gamma function.
/// @param data Any array.
/// Source: MXNet gamma.
template <class T>
Single<T> gamma(const T& data,
                const GammaOptions& options = {}) {
  static const Operator self("gamma");
  return self.apply_one<T>({data}, options);
}

using GammalnOptions = NoOptions;
/// Logarithm of the absolute value of the gamma function.
/// @param data Any array.
/// Source: MXNet gammaln.
template <class T>
Single<T> gammaln(const T& data,
                  const GammalnOptions& options = {}) {
  static const Operator self("gammaln");
  return self.apply_one<T>({data}, options);
}

using GatherNdOptions = NoOptions;
/// Slices data[indices[0], ..., indices[M-1]]: shape indices.shape[1:] + data.shape[M:]. Negative indices
/// count from the end.
/// @param data At least M axes.
/// @param indices (M, ...); any dtype, fractions are cut off.
/// Source: MXNet gather_nd.
template <class T>
Single<T> gather_nd(const T& data,
                    const Same<T>& indices = {},
                    const GatherNdOptions& options = {}) {
  static const Operator self("gather_nd");
  return self.apply_one<T>({data, indices}, options);
}
template <class T>
Single<T> gather_nd(const T& data, const GatherNdOptions& options) {
  return gather_nd<T>(data, {}, options);
}

/// Parameters of op::hard_sigmoid.
class HardSigmoidOptions : public Options<HardSigmoidOptions> {
 public:
  /// Slope. Default: 0.2.
  HardSigmoidOptions& alpha(double value) { return set("alpha", value); }
  /// Value at 0. Default: 0.5.
  HardSigmoidOptions& beta(double value) { return set("beta", value); }
};
/// alpha * data + beta, held between 0 and 1.
/// @param data Any array.
/// Source: MXNet hard_sigmoid.
template <class T>
Single<T> hard_sigmoid(const T& data,
                       const HardSigmoidOptions& options = {}) {
  static const Operator self("hard_sigmoid");
  return self.apply_one<T>({data}, options);
}

using IdentityOptions = NoOptions;
/// A copy of the input.
/// @param data Any array.
/// Source: MXNet identity.
template <class T>
Single<T> identity(const T& data,
                   const IdentityOptions& options = {}) {
  static const Operator self("_copy");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::im2col.
class Im2colOptions : public Options<Im2colOptions> {
 public:
  /// Extents of the window: (w,), (h, w) or (d, h, w).
  Im2colOptions& kernel(Ints value) { return set("kernel", std::move(value)); }
  /// Distance between windows; () is 1. Default: ().
  Im2colOptions& stride(Ints value) { return set("stride", std::move(value)); }
  /// Distance between a window's elements; () is 1. Default: ().
  Im2colOptions& dilate(Ints value) { return set("dilate", std::move(value)); }
  /// Zeros assumed on either side; () is none. Default: ().
  Im2colOptions& pad(Ints value) { return set("pad", std::move(value)); }
};
/// The windows of each image as columns: (N, C, ...) becomes (N, C * window size, number of windows).
/// @param data (N, C, w), (N, C, h, w) or (N, C, d, h, w)
/// Source: MXNet im2col.
template <class T>
Single<T> im2col(const T& data,
                 const Im2colOptions& options = {}) {
  static const Operator self("im2col");
  return self.apply_one<T>({data}, options);
}

using KhatriRaoOptions = NoOptions;
/// (product of all rows, columns): column k is the Kronecker product of the columns k of all matrices.
/// @param args Matrices (rows, columns) with the same number of columns; at most 15.
/// Source: MXNet khatri_rao.
template <class T>
Single<T> khatri_rao(const std::vector<T>& args,
                     const KhatriRaoOptions& options = {}) {
  static const Operator self("khatri_rao");
  return self.apply_one<T>(args, options);
}

/// Parameters of op::lamb_update_phase1.
class LambUpdatePhase1Options : public Options<LambUpdatePhase1Options> {
 public:
  /// Part of the first moment that is kept. Default: 0.9.
  LambUpdatePhase1Options& beta1(double value) { return set("beta1", value); }
  /// Part of the second moment that is kept. Default: 0.999.
  LambUpdatePhase1Options& beta2(double value) { return set("beta2", value); }
  /// Added to the root of the second moment. Default: 1e-06.
  LambUpdatePhase1Options& epsilon(double value) { return set("epsilon", value); }
  /// How many updates there were, this one included.
  LambUpdatePhase1Options& t(int64_t value) { return set("t", value); }
  /// Undo the start of the moments at 0. Default: True.
  LambUpdatePhase1Options& bias_correction(bool value) { return set("bias_correction", value); }
  /// Weight decay: its multiple of the weight is added to the step.
  LambUpdatePhase1Options& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  LambUpdatePhase1Options& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  LambUpdatePhase1Options& clip_gradient(double value) { return set("clip_gradient", value); }
};
/// First half of LAMB: the moments of clip(rescale_grad * grad) and the direction mean / (sqrt(var) +
/// epsilon) + wd * weight.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param mean First moment; changed in place.
/// @param var Second moment; changed in place.
/// Source: MXNet lamb_update_phase1; You and others 2019.
template <class T>
Single<T> lamb_update_phase1(const T& weight,
                             const Same<T>& grad = {},
                             const Same<T>& mean = {},
                             const Same<T>& var = {},
                             const LambUpdatePhase1Options& options = {}) {
  static const Operator self("lamb_update_phase1");
  return self.apply_one<T>({weight, grad, mean, var}, options);
}
template <class T>
Single<T> lamb_update_phase1(const T& weight, const LambUpdatePhase1Options& options) {
  return lamb_update_phase1<T>(weight, {}, {}, {}, options);
}

/// Parameters of op::lamb_update_phase2.
class LambUpdatePhase2Options : public Options<LambUpdatePhase2Options> {
 public:
  /// Learning rate.
  LambUpdatePhase2Options& lr(double value) { return set("lr", value); }
  /// Least value of r1; a negative one does not bound. Default: -1.0.
  LambUpdatePhase2Options& lower_bound(double value) { return set("lower_bound", value); }
  /// Greatest value of r1; a negative one does not bound. Default: -1.0.
  LambUpdatePhase2Options& upper_bound(double value) { return set("upper_bound", value); }
};
/// Second half of LAMB: weight - lr * (r1 / r2) * g, with the bounded norm r1; the ratio is 1 where a norm is
/// 0.
/// @param weight Weights, any float dtype.
/// @param g The direction from lamb_update_phase1.
/// @param r1 Norm of the weight, one element.
/// @param r2 Norm of g, one element.
/// Source: MXNet lamb_update_phase2.
template <class T>
Single<T> lamb_update_phase2(const T& weight,
                             const Same<T>& g = {},
                             const Same<T>& r1 = {},
                             const Same<T>& r2 = {},
                             const LambUpdatePhase2Options& options = {}) {
  static const Operator self("lamb_update_phase2");
  return self.apply_one<T>({weight, g, r1, r2}, options);
}
template <class T>
Single<T> lamb_update_phase2(const T& weight, const LambUpdatePhase2Options& options) {
  return lamb_update_phase2<T>(weight, {}, {}, {}, options);
}

using LinalgAdjugateOptions = NoOptions;
/// Adjugates of square matrices: determinant times inverse, which exists for singular matrices too. Its own
/// gradient divides by the determinant.
/// @param A (..., n, n), a float dtype.
template <class T>
Single<T> linalg_adjugate(const T& A,
                          const LinalgAdjugateOptions& options = {}) {
  static const Operator self("_linalg_adjugate");
  return self.apply_one<T>({A}, options);
}

using LinalgDetOptions = NoOptions;
/// Determinants of square matrices.
/// @param A (..., n, n), a float dtype.
/// Source: MXNet linalg_det.
template <class T>
Single<T> linalg_det(const T& A,
                     const LinalgDetOptions& options = {}) {
  static const Operator self("_linalg_det");
  return self.apply_one<T>({A}, options);
}

/// Parameters of op::linalg_extractdiag.
class LinalgExtractdiagOptions : public Options<LinalgExtractdiagOptions> {
 public:
  /// Which diagonal: above 0 to the right of the main one. Default: 0.
  LinalgExtractdiagOptions& offset(int64_t value) { return set("offset", value); }
};
/// A diagonal of square matrices, as the last axis.
/// @param A (..., n, n).
/// Source: MXNet linalg_extractdiag.
template <class T>
Single<T> linalg_extractdiag(const T& A,
                             const LinalgExtractdiagOptions& options = {}) {
  static const Operator self("_linalg_extractdiag");
  return self.apply_one<T>({A}, options);
}

/// Parameters of op::linalg_extracttrian.
class LinalgExtracttrianOptions : public Options<LinalgExtracttrianOptions> {
 public:
  /// Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
  LinalgExtracttrianOptions& offset(int64_t value) { return set("offset", value); }
  /// Which triangle, when offset is 0. Default: True.
  LinalgExtracttrianOptions& lower(bool value) { return set("lower", value); }
};
/// A triangle of square matrices, as the last axis: a lower one row by row, an upper one column by column.
/// @param A (..., n, n).
/// Source: MXNet linalg_extracttrian.
template <class T>
Single<T> linalg_extracttrian(const T& A,
                              const LinalgExtracttrianOptions& options = {}) {
  static const Operator self("_linalg_extracttrian");
  return self.apply_one<T>({A}, options);
}

using LinalgGelqfOptions = NoOptions;
/// LQ factorisation A = L Q: Q has orthonormal rows, L is lower triangular.
/// @param A (..., m, n) with m at most n and full rank, a float dtype.
/// Source: MXNet linalg_gelqf; https://arxiv.org/abs/1710.08717.
template <class T>
Several<T> linalg_gelqf(const T& A,
                        const LinalgGelqfOptions& options = {}) {
  static const Operator self("_linalg_gelqf");
  return self.apply<T>({A}, options);
}

/// Parameters of op::linalg_gemm.
class LinalgGemmOptions : public Options<LinalgGemmOptions> {
 public:
  /// Use the transposes of A. Default: False.
  LinalgGemmOptions& transpose_a(bool value) { return set("transpose_a", value); }
  /// Use the transposes of B. Default: False.
  LinalgGemmOptions& transpose_b(bool value) { return set("transpose_b", value); }
  /// Factor of the product. Default: 1.0.
  LinalgGemmOptions& alpha(double value) { return set("alpha", value); }
  /// Factor of C. Default: 1.0.
  LinalgGemmOptions& beta(double value) { return set("beta", value); }
  /// Axis of the matrix rows; the columns are the last one. Default: -2.
  LinalgGemmOptions& axis(int64_t value) { return set("axis", value); }
};
/// alpha * op(A) op(B) + beta * C for stacks of matrices; all axes but those of rows and columns are equal.
/// @param A Float array of at least two axes.
/// @param B Float array of the same dtype and number of axes.
/// @param C Of the shape of the result.
/// Source: MXNet linalg_gemm.
template <class T>
Single<T> linalg_gemm(const T& A,
                      const Same<T>& B = {},
                      const Same<T>& C = {},
                      const LinalgGemmOptions& options = {}) {
  static const Operator self("_linalg_gemm");
  return self.apply_one<T>({A, B, C}, options);
}
template <class T>
Single<T> linalg_gemm(const T& A, const LinalgGemmOptions& options) {
  return linalg_gemm<T>(A, {}, {}, options);
}

/// Parameters of op::linalg_gemm2.
class LinalgGemm2Options : public Options<LinalgGemm2Options> {
 public:
  /// Use the transposes of A. Default: False.
  LinalgGemm2Options& transpose_a(bool value) { return set("transpose_a", value); }
  /// Use the transposes of B. Default: False.
  LinalgGemm2Options& transpose_b(bool value) { return set("transpose_b", value); }
  /// Factor of the product. Default: 1.0.
  LinalgGemm2Options& alpha(double value) { return set("alpha", value); }
  /// Axis of the matrix rows; the columns are the last one. Default: -2.
  LinalgGemm2Options& axis(int64_t value) { return set("axis", value); }
};
/// alpha * op(A) op(B) for stacks of matrices; all axes but those of rows and columns are equal.
/// @param A Float array of at least two axes.
/// @param B Float array of the same dtype and number of axes.
/// Source: MXNet linalg_gemm2.
template <class T>
Single<T> linalg_gemm2(const T& A,
                       const Same<T>& B = {},
                       const LinalgGemm2Options& options = {}) {
  static const Operator self("_linalg_gemm2");
  return self.apply_one<T>({A, B}, options);
}
template <class T>
Single<T> linalg_gemm2(const T& A, const LinalgGemm2Options& options) {
  return linalg_gemm2<T>(A, {}, options);
}

using LinalgInverseOptions = NoOptions;
/// Inverses of square matrices.
/// @param A (..., n, n), a float dtype.
/// Source: MXNet linalg_inverse.
template <class T>
Single<T> linalg_inverse(const T& A,
                         const LinalgInverseOptions& options = {}) {
  static const Operator self("_linalg_inverse");
  return self.apply_one<T>({A}, options);
}

/// Parameters of op::linalg_makediag.
class LinalgMakediagOptions : public Options<LinalgMakediagOptions> {
 public:
  /// Which diagonal: above 0 to the right of the main one. Default: 0.
  LinalgMakediagOptions& offset(int64_t value) { return set("offset", value); }
};
/// Square matrices with the given diagonal and zeros elsewhere.
/// @param A (..., k), the items of a diagonal.
/// Source: MXNet linalg_makediag.
template <class T>
Single<T> linalg_makediag(const T& A,
                          const LinalgMakediagOptions& options = {}) {
  static const Operator self("_linalg_makediag");
  return self.apply_one<T>({A}, options);
}

/// Parameters of op::linalg_maketrian.
class LinalgMaketrianOptions : public Options<LinalgMaketrianOptions> {
 public:
  /// Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
  LinalgMaketrianOptions& offset(int64_t value) { return set("offset", value); }
  /// Which triangle, when offset is 0. Default: True.
  LinalgMaketrianOptions& lower(bool value) { return set("lower", value); }
};
/// Square matrices with the given triangle and zeros elsewhere.
/// @param A (..., k (k + 1) / 2), the items of a triangle.
/// Source: MXNet linalg_maketrian.
template <class T>
Single<T> linalg_maketrian(const T& A,
                           const LinalgMaketrianOptions& options = {}) {
  static const Operator self("_linalg_maketrian");
  return self.apply_one<T>({A}, options);
}

/// Parameters of op::linalg_potrf.
class LinalgPotrfOptions : public Options<LinalgPotrfOptions> {
 public:
  /// Which triangle is used; the other is not read. Default: True.
  LinalgPotrfOptions& lower(bool value) { return set("lower", value); }
};
/// Cholesky factors: lower triangular L with A = L L^T, or upper triangular U with A = U^T U. The gradient of
/// A is symmetric.
/// @param A (..., n, n) symmetric positive definite matrices of a float dtype.
/// Source: MXNet linalg_potrf; https://arxiv.org/abs/1710.08717.
template <class T>
Single<T> linalg_potrf(const T& A,
                       const LinalgPotrfOptions& options = {}) {
  static const Operator self("_linalg_potrf");
  return self.apply_one<T>({A}, options);
}

/// Parameters of op::linalg_potri.
class LinalgPotriOptions : public Options<LinalgPotriOptions> {
 public:
  /// Which triangle is used; the other is not read. Default: True.
  LinalgPotriOptions& lower(bool value) { return set("lower", value); }
};
/// The inverse of A = L L^T from its Cholesky factor L, or of A = U^T U from U.
/// @param A (..., n, n) Cholesky factors of a float dtype.
/// Source: MXNet linalg_potri; https://arxiv.org/abs/1710.08717.
template <class T>
Single<T> linalg_potri(const T& A,
                       const LinalgPotriOptions& options = {}) {
  static const Operator self("_linalg_potri");
  return self.apply_one<T>({A}, options);
}

using LinalgSlogdetOptions = NoOptions;
/// Signs of the determinants of square matrices and the logarithms of their sizes; 0 and -inf for singular
/// matrices, whose gradient is 0.
/// @param A (..., n, n), a float dtype.
/// Source: MXNet linalg_slogdet.
template <class T>
Several<T> linalg_slogdet(const T& A,
                          const LinalgSlogdetOptions& options = {}) {
  static const Operator self("_linalg_slogdet");
  return self.apply<T>({A}, options);
}

using LinalgSumlogdiagOptions = NoOptions;
/// Sums of the logarithms of the diagonals of square matrices.
/// @param A (..., n, n), a float dtype.
/// Source: MXNet linalg_sumlogdiag.
template <class T>
Single<T> linalg_sumlogdiag(const T& A,
                            const LinalgSumlogdiagOptions& options = {}) {
  static const Operator self("_linalg_sumlogdiag");
  return self.apply_one<T>({A}, options);
}

/// Parameters of op::linalg_syrk.
class LinalgSyrkOptions : public Options<LinalgSyrkOptions> {
 public:
  /// Transpose of A times A, instead of A times its transpose. Default: False.
  LinalgSyrkOptions& transpose(bool value) { return set("transpose", value); }
  /// Factor of the product. Default: 1.0.
  LinalgSyrkOptions& alpha(double value) { return set("alpha", value); }
};
/// alpha * A A^T, or alpha * A^T A, for a stack of matrices.
/// @param A (..., m, n), a float dtype.
/// Source: MXNet linalg_syrk.
template <class T>
Single<T> linalg_syrk(const T& A,
                      const LinalgSyrkOptions& options = {}) {
  static const Operator self("_linalg_syrk");
  return self.apply_one<T>({A}, options);
}

/// Parameters of op::linalg_trmm.
class LinalgTrmmOptions : public Options<LinalgTrmmOptions> {
 public:
  /// Use the transposes of A. Default: False.
  LinalgTrmmOptions& transpose(bool value) { return set("transpose", value); }
  /// A stands to the right. Default: False.
  LinalgTrmmOptions& rightside(bool value) { return set("rightside", value); }
  /// Which triangle of A is used; the other is not read. Default: True.
  LinalgTrmmOptions& lower(bool value) { return set("lower", value); }
  /// Factor of B. Default: 1.0.
  LinalgTrmmOptions& alpha(double value) { return set("alpha", value); }
};
/// alpha * op(A) B, or alpha * B op(A), with triangular A.
/// @param A (..., n, n) triangular matrices of a float dtype.
/// @param B (..., n, m), or (..., m, n) when A stands to the right.
/// Source: MXNet linalg_trmm.
template <class T>
Single<T> linalg_trmm(const T& A,
                      const Same<T>& B = {},
                      const LinalgTrmmOptions& options = {}) {
  static const Operator self("_linalg_trmm");
  return self.apply_one<T>({A, B}, options);
}
template <class T>
Single<T> linalg_trmm(const T& A, const LinalgTrmmOptions& options) {
  return linalg_trmm<T>(A, {}, options);
}

/// Parameters of op::linalg_trsm.
class LinalgTrsmOptions : public Options<LinalgTrsmOptions> {
 public:
  /// Use the transposes of A. Default: False.
  LinalgTrsmOptions& transpose(bool value) { return set("transpose", value); }
  /// A stands to the right. Default: False.
  LinalgTrsmOptions& rightside(bool value) { return set("rightside", value); }
  /// Which triangle of A is used; the other is not read. Default: True.
  LinalgTrsmOptions& lower(bool value) { return set("lower", value); }
  /// Factor of B. Default: 1.0.
  LinalgTrsmOptions& alpha(double value) { return set("alpha", value); }
};
/// The solution X of op(A) X = alpha * B, or of X op(A) = alpha * B, with triangular A.
/// @param A (..., n, n) triangular matrices of a float dtype.
/// @param B (..., n, m), or (..., m, n) when A stands to the right.
/// Source: MXNet linalg_trsm.
template <class T>
Single<T> linalg_trsm(const T& A,
                      const Same<T>& B = {},
                      const LinalgTrsmOptions& options = {}) {
  static const Operator self("_linalg_trsm");
  return self.apply_one<T>({A, B}, options);
}
template <class T>
Single<T> linalg_trsm(const T& A, const LinalgTrsmOptions& options) {
  return linalg_trsm<T>(A, {}, options);
}

using LogOptions = NoOptions;
/// Natural logarithm.
/// @param data Any array.
/// Source: MXNet log.
template <class T>
Single<T> log(const T& data,
              const LogOptions& options = {}) {
  static const Operator self("log");
  return self.apply_one<T>({data}, options);
}

using Log10Options = NoOptions;
/// Logarithm to base 10.
/// @param data Any array.
/// Source: MXNet log10.
template <class T>
Single<T> log10(const T& data,
                const Log10Options& options = {}) {
  static const Operator self("log10");
  return self.apply_one<T>({data}, options);
}

using Log1pOptions = NoOptions;
/// log(1 + data), exact near 0.
/// @param data Any array.
/// Source: MXNet log1p.
template <class T>
Single<T> log1p(const T& data,
                const Log1pOptions& options = {}) {
  static const Operator self("log1p");
  return self.apply_one<T>({data}, options);
}

using Log2Options = NoOptions;
/// Logarithm to base 2.
/// @param data Any array.
/// Source: MXNet log2.
template <class T>
Single<T> log2(const T& data,
               const Log2Options& options = {}) {
  static const Operator self("log2");
  return self.apply_one<T>({data}, options);
}

using LogSigmoidOptions = NoOptions;
/// log(sigmoid(data)).
/// @param data Any array.
/// Source: MXNet log_sigmoid.
template <class T>
Single<T> log_sigmoid(const T& data,
                      const LogSigmoidOptions& options = {}) {
  static const Operator self("log_sigmoid");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::log_softmax.
class LogSoftmaxOptions : public Options<LogSoftmaxOptions> {
 public:
  /// Axis along which the outputs sum to 1. Default: -1.
  LogSoftmaxOptions& axis(int64_t value) { return set("axis", value); }
  /// The input is divided by it; None is 1. Default: None.
  LogSoftmaxOptions& temperature(double value) { return set("temperature", value); }
  /// Element type of the output, a float; None is that of the input. Default: None.
  LogSoftmaxOptions& dtype(DType value) { return set("dtype", value); }
  /// Takes `length`, the number of elements of each vector that count. Default: False.
  LogSoftmaxOptions& use_length(bool value) { return set("use_length", value); }
};
/// Logarithm of the softmax, exact also where the softmax is almost 0.
/// @param data Floats. A vector of nothing but -inf gives NaN.
/// Source: MXNet softmax.
template <class T>
Single<T> log_softmax(const T& data,
                      const LogSoftmaxOptions& options = {}) {
  static const Operator self("log_softmax");
  return self.apply_one<T>({data}, options);
}

using LogicalNotOptions = NoOptions;
/// 1 where data is 0, else 0.
/// @param data Any array.
/// Source: MXNet logical_not.
template <class T>
Single<T> logical_not(const T& data,
                      const LogicalNotOptions& options = {}) {
  static const Operator self("logical_not");
  return self.apply_one<T>({data}, options);
}

using MakeLossOptions2 = NoOptions;
/// A copy whose gradient is 1, whatever gradient arrives.
/// @param data The loss.
/// Source: MXNet make_loss.
template <class T>
Single<T> make_loss(const T& data,
                    const MakeLossOptions2& options = {}) {
  static const Operator self("make_loss");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::max.
class MaxOptions : public Options<MaxOptions> {
 public:
  /// Axis or axes to reduce; None and () mean all. Default: None.
  MaxOptions& axis(Ints value) { return set("axis", std::move(value)); }
  /// Keeps reduced axes, with extent 1. Default: False.
  MaxOptions& keepdims(bool value) { return set("keepdims", value); }
  /// Reduces all axes but those in `axis`. Default: False.
  MaxOptions& exclude(bool value) { return set("exclude", value); }
};
/// Largest element over axes; NaN if there is one. Every tied element receives the gradient.
/// @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
/// Source: MXNet broadcast_reduce_op.
template <class T>
Single<T> max(const T& data,
              const MaxOptions& options = {}) {
  static const Operator self("max");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::mean.
class MeanOptions : public Options<MeanOptions> {
 public:
  /// Axis or axes to reduce; None and () mean all. Default: None.
  MeanOptions& axis(Ints value) { return set("axis", std::move(value)); }
  /// Keeps reduced axes, with extent 1. Default: False.
  MeanOptions& keepdims(bool value) { return set("keepdims", value); }
  /// Reduces all axes but those in `axis`. Default: False.
  MeanOptions& exclude(bool value) { return set("exclude", value); }
};
/// Arithmetic mean over axes; that of integers is truncated toward zero.
/// @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
/// Source: MXNet broadcast_reduce_op.
template <class T>
Single<T> mean(const T& data,
               const MeanOptions& options = {}) {
  static const Operator self("mean");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::min.
class MinOptions : public Options<MinOptions> {
 public:
  /// Axis or axes to reduce; None and () mean all. Default: None.
  MinOptions& axis(Ints value) { return set("axis", std::move(value)); }
  /// Keeps reduced axes, with extent 1. Default: False.
  MinOptions& keepdims(bool value) { return set("keepdims", value); }
  /// Reduces all axes but those in `axis`. Default: False.
  MinOptions& exclude(bool value) { return set("exclude", value); }
};
/// Smallest element over axes; NaN if there is one. Every tied element receives the gradient.
/// @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
/// Source: MXNet broadcast_reduce_op.
template <class T>
Single<T> min(const T& data,
              const MinOptions& options = {}) {
  static const Operator self("min");
  return self.apply_one<T>({data}, options);
}

using MishOptions = NoOptions;
/// data * tanh(log(1 + e^data)).
/// @param data Any array.
/// Source: Misra 2019, arXiv:1908.08681.
template <class T>
Single<T> mish(const T& data,
               const MishOptions& options = {}) {
  static const Operator self("mish");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::moments.
class MomentsOptions : public Options<MomentsOptions> {
 public:
  /// Axes to reduce; None means all. Default: None.
  MomentsOptions& axes(Ints value) { return set("axes", std::move(value)); }
  /// Keeps reduced axes, with extent 1. Default: False.
  MomentsOptions& keepdims(bool value) { return set("keepdims", value); }
};
/// Mean and variance over axes; the variance divides by the number of elements.
/// @param data Floats.
/// Source: MXNet moments.
template <class T>
Several<T> moments(const T& data,
                   const MomentsOptions& options = {}) {
  static const Operator self("moments");
  return self.apply<T>({data}, options);
}

/// Parameters of op::mp_lamb_update_phase1.
class MpLambUpdatePhase1Options : public Options<MpLambUpdatePhase1Options> {
 public:
  /// Part of the first moment that is kept. Default: 0.9.
  MpLambUpdatePhase1Options& beta1(double value) { return set("beta1", value); }
  /// Part of the second moment that is kept. Default: 0.999.
  MpLambUpdatePhase1Options& beta2(double value) { return set("beta2", value); }
  /// Added to the root of the second moment. Default: 1e-06.
  MpLambUpdatePhase1Options& epsilon(double value) { return set("epsilon", value); }
  /// How many updates there were, this one included.
  MpLambUpdatePhase1Options& t(int64_t value) { return set("t", value); }
  /// Undo the start of the moments at 0. Default: True.
  MpLambUpdatePhase1Options& bias_correction(bool value) { return set("bias_correction", value); }
  /// Weight decay: its multiple of the weight is added to the step.
  MpLambUpdatePhase1Options& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  MpLambUpdatePhase1Options& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  MpLambUpdatePhase1Options& clip_gradient(double value) { return set("clip_gradient", value); }
};
/// lamb_update_phase1 in float32 from weight32; the direction is float32.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param mean First moment; changed in place.
/// @param var Second moment; changed in place.
/// @param weight32 The weight in float32.
/// Source: MXNet mp_lamb_update_phase1.
template <class T>
Single<T> mp_lamb_update_phase1(const T& weight,
                                const Same<T>& grad = {},
                                const Same<T>& mean = {},
                                const Same<T>& var = {},
                                const Same<T>& weight32 = {},
                                const MpLambUpdatePhase1Options& options = {}) {
  static const Operator self("mp_lamb_update_phase1");
  return self.apply_one<T>({weight, grad, mean, var, weight32}, options);
}
template <class T>
Single<T> mp_lamb_update_phase1(const T& weight, const MpLambUpdatePhase1Options& options) {
  return mp_lamb_update_phase1<T>(weight, {}, {}, {}, {}, options);
}

/// Parameters of op::mp_lamb_update_phase2.
class MpLambUpdatePhase2Options : public Options<MpLambUpdatePhase2Options> {
 public:
  /// Learning rate.
  MpLambUpdatePhase2Options& lr(double value) { return set("lr", value); }
  /// Least value of r1; a negative one does not bound. Default: -1.0.
  MpLambUpdatePhase2Options& lower_bound(double value) { return set("lower_bound", value); }
  /// Greatest value of r1; a negative one does not bound. Default: -1.0.
  MpLambUpdatePhase2Options& upper_bound(double value) { return set("upper_bound", value); }
};
/// lamb_update_phase2 in float32 on weight32; the output is weight32 in the dtype of weight.
/// @param weight Weights, any float dtype.
/// @param g The direction from mp_lamb_update_phase1, float32.
/// @param r1 Norm of the weight, one element, float32.
/// @param r2 Norm of g, one element, float32.
/// @param weight32 The weight in float32; updated in place.
/// Source: MXNet mp_lamb_update_phase2.
template <class T>
Single<T> mp_lamb_update_phase2(const T& weight,
                                const Same<T>& g = {},
                                const Same<T>& r1 = {},
                                const Same<T>& r2 = {},
                                const Same<T>& weight32 = {},
                                const MpLambUpdatePhase2Options& options = {}) {
  static const Operator self("mp_lamb_update_phase2");
  return self.apply_one<T>({weight, g, r1, r2, weight32}, options);
}
template <class T>
Single<T> mp_lamb_update_phase2(const T& weight, const MpLambUpdatePhase2Options& options) {
  return mp_lamb_update_phase2<T>(weight, {}, {}, {}, {}, options);
}

/// Parameters of op::mp_nag_mom_update.
class MpNagMomUpdateOptions : public Options<MpNagMomUpdateOptions> {
 public:
  /// Learning rate.
  MpNagMomUpdateOptions& lr(double value) { return set("lr", value); }
  /// Part of the last step that is kept. Default: 0.0.
  MpNagMomUpdateOptions& momentum(double value) { return set("momentum", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  MpNagMomUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  MpNagMomUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  MpNagMomUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
};
/// nag_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param mom The last step; changed in place.
/// @param weight32 The weight in float32; updated in place.
/// Source: MXNet mp_nag_mom_update.
template <class T>
Single<T> mp_nag_mom_update(const T& weight,
                            const Same<T>& grad = {},
                            const Same<T>& mom = {},
                            const Same<T>& weight32 = {},
                            const MpNagMomUpdateOptions& options = {}) {
  static const Operator self("mp_nag_mom_update");
  return self.apply_one<T>({weight, grad, mom, weight32}, options);
}
template <class T>
Single<T> mp_nag_mom_update(const T& weight, const MpNagMomUpdateOptions& options) {
  return mp_nag_mom_update<T>(weight, {}, {}, {}, options);
}

/// Parameters of op::mp_sgd_mom_update.
class MpSgdMomUpdateOptions : public Options<MpSgdMomUpdateOptions> {
 public:
  /// Learning rate.
  MpSgdMomUpdateOptions& lr(double value) { return set("lr", value); }
  /// Part of the last step that is kept. Default: 0.0.
  MpSgdMomUpdateOptions& momentum(double value) { return set("momentum", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  MpSgdMomUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  MpSgdMomUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  MpSgdMomUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
  MpSgdMomUpdateOptions& lazy_update(bool value) { return set("lazy_update", value); }
};
/// sgd_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param mom The last step; changed in place.
/// @param weight32 The weight in float32; updated in place.
/// Source: MXNet mp_sgd_mom_update.
template <class T>
Single<T> mp_sgd_mom_update(const T& weight,
                            const Same<T>& grad = {},
                            const Same<T>& mom = {},
                            const Same<T>& weight32 = {},
                            const MpSgdMomUpdateOptions& options = {}) {
  static const Operator self("mp_sgd_mom_update");
  return self.apply_one<T>({weight, grad, mom, weight32}, options);
}
template <class T>
Single<T> mp_sgd_mom_update(const T& weight, const MpSgdMomUpdateOptions& options) {
  return mp_sgd_mom_update<T>(weight, {}, {}, {}, options);
}

/// Parameters of op::mp_sgd_update.
class MpSgdUpdateOptions : public Options<MpSgdUpdateOptions> {
 public:
  /// Learning rate.
  MpSgdUpdateOptions& lr(double value) { return set("lr", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  MpSgdUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  MpSgdUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  MpSgdUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
  MpSgdUpdateOptions& lazy_update(bool value) { return set("lazy_update", value); }
};
/// sgd_update in float32 on weight32; the output is weight32 in the dtype of weight.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param weight32 The weight in float32; updated in place.
/// Source: MXNet mp_sgd_update.
template <class T>
Single<T> mp_sgd_update(const T& weight,
                        const Same<T>& grad = {},
                        const Same<T>& weight32 = {},
                        const MpSgdUpdateOptions& options = {}) {
  static const Operator self("mp_sgd_update");
  return self.apply_one<T>({weight, grad, weight32}, options);
}
template <class T>
Single<T> mp_sgd_update(const T& weight, const MpSgdUpdateOptions& options) {
  return mp_sgd_update<T>(weight, {}, {}, options);
}

/// Parameters of op::multi_all_finite.
class MultiAllFiniteOptions : public Options<MultiAllFiniteOptions> {
 public:
  /// False keeps a 0 that the given output holds, so that several calls add up. Default: True.
  MultiAllFiniteOptions& init_output(bool value) { return set("init_output", value); }
};
/// 1 if no element of any array is infinite or NaN, else 0; float32 of shape (1,).
/// @param data Arrays of any shape and dtype.
/// Source: MXNet multi_all_finite.
template <class T>
Single<T> multi_all_finite(const std::vector<T>& data,
                           const MultiAllFiniteOptions& options = {}) {
  static const Operator self("multi_all_finite");
  return self.apply_one<T>(data, options);
}

/// Parameters of op::multi_lars.
class MultiLarsOptions : public Options<MultiLarsOptions> {
 public:
  /// Factor of the rates.
  MultiLarsOptions& eta(double value) { return set("eta", value); }
  /// Added to the divisor.
  MultiLarsOptions& eps(double value) { return set("eps", value); }
  /// Factor of the gradients. Default: 1.0.
  MultiLarsOptions& rescale_grad(double value) { return set("rescale_grad", value); }
};
/// Rate of each layer: with the norms w and g of weight and scaled gradient, lr * eta * w / (g + wd * w +
/// eps) where both are above 0, else lr.
/// @param lrs Learning rate of each layer.
/// @param weights_sum_sq Sum of squares of each weight.
/// @param grads_sum_sq Sum of squares of each gradient.
/// @param wds Weight decay of each layer.
/// Source: MXNet multi_lars; You and others 2017.
template <class T>
Single<T> multi_lars(const T& lrs,
                     const Same<T>& weights_sum_sq = {},
                     const Same<T>& grads_sum_sq = {},
                     const Same<T>& wds = {},
                     const MultiLarsOptions& options = {}) {
  static const Operator self("multi_lars");
  return self.apply_one<T>({lrs, weights_sum_sq, grads_sum_sq, wds}, options);
}
template <class T>
Single<T> multi_lars(const T& lrs, const MultiLarsOptions& options) {
  return multi_lars<T>(lrs, {}, {}, {}, options);
}

/// Parameters of op::multi_mp_sgd_mom_update.
class MultiMpSgdMomUpdateOptions : public Options<MultiMpSgdMomUpdateOptions> {
 public:
  /// Learning rate of each weight.
  MultiMpSgdMomUpdateOptions& lrs(Reals value) { return set("lrs", std::move(value)); }
  /// Weight decay of each weight.
  MultiMpSgdMomUpdateOptions& wds(Reals value) { return set("wds", std::move(value)); }
  /// Part of the last step that is kept. Default: 0.0.
  MultiMpSgdMomUpdateOptions& momentum(double value) { return set("momentum", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  MultiMpSgdMomUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  MultiMpSgdMomUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Number of weights. Default: 1.
  MultiMpSgdMomUpdateOptions& num_weights(int64_t value) { return set("num_weights", value); }
};
/// mp_sgd_mom_update of several weights.
/// @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
/// and then weight32; these are changed in place.
/// Source: MXNet multi_mp_sgd_mom_update.
template <class T>
Several<T> multi_mp_sgd_mom_update(const std::vector<T>& data,
                                   const MultiMpSgdMomUpdateOptions& options = {}) {
  static const Operator self("multi_mp_sgd_mom_update");
  return self.apply<T>(data, options);
}

/// Parameters of op::multi_mp_sgd_update.
class MultiMpSgdUpdateOptions : public Options<MultiMpSgdUpdateOptions> {
 public:
  /// Learning rate of each weight.
  MultiMpSgdUpdateOptions& lrs(Reals value) { return set("lrs", std::move(value)); }
  /// Weight decay of each weight.
  MultiMpSgdUpdateOptions& wds(Reals value) { return set("wds", std::move(value)); }
  /// Factor of the gradient, applied first. Default: 1.0.
  MultiMpSgdUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  MultiMpSgdUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Number of weights. Default: 1.
  MultiMpSgdUpdateOptions& num_weights(int64_t value) { return set("num_weights", value); }
};
/// mp_sgd_update of several weights.
/// @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
/// and then weight32; these are changed in place.
/// Source: MXNet multi_mp_sgd_update.
template <class T>
Several<T> multi_mp_sgd_update(const std::vector<T>& data,
                               const MultiMpSgdUpdateOptions& options = {}) {
  static const Operator self("multi_mp_sgd_update");
  return self.apply<T>(data, options);
}

/// Parameters of op::multi_sgd_mom_update.
class MultiSgdMomUpdateOptions : public Options<MultiSgdMomUpdateOptions> {
 public:
  /// Learning rate of each weight.
  MultiSgdMomUpdateOptions& lrs(Reals value) { return set("lrs", std::move(value)); }
  /// Weight decay of each weight.
  MultiSgdMomUpdateOptions& wds(Reals value) { return set("wds", std::move(value)); }
  /// Part of the last step that is kept. Default: 0.0.
  MultiSgdMomUpdateOptions& momentum(double value) { return set("momentum", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  MultiSgdMomUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  MultiSgdMomUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Number of weights. Default: 1.
  MultiSgdMomUpdateOptions& num_weights(int64_t value) { return set("num_weights", value); }
};
/// sgd_mom_update of several weights.
/// @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
/// and then weight32; these are changed in place.
/// Source: MXNet multi_sgd_mom_update.
template <class T>
Several<T> multi_sgd_mom_update(const std::vector<T>& data,
                                const MultiSgdMomUpdateOptions& options = {}) {
  static const Operator self("multi_sgd_mom_update");
  return self.apply<T>(data, options);
}

/// Parameters of op::multi_sgd_update.
class MultiSgdUpdateOptions : public Options<MultiSgdUpdateOptions> {
 public:
  /// Learning rate of each weight.
  MultiSgdUpdateOptions& lrs(Reals value) { return set("lrs", std::move(value)); }
  /// Weight decay of each weight.
  MultiSgdUpdateOptions& wds(Reals value) { return set("wds", std::move(value)); }
  /// Factor of the gradient, applied first. Default: 1.0.
  MultiSgdUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  MultiSgdUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Number of weights. Default: 1.
  MultiSgdUpdateOptions& num_weights(int64_t value) { return set("num_weights", value); }
};
/// sgd_update of several weights.
/// @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
/// and then weight32; these are changed in place.
/// Source: MXNet multi_sgd_update.
template <class T>
Several<T> multi_sgd_update(const std::vector<T>& data,
                            const MultiSgdUpdateOptions& options = {}) {
  static const Operator self("multi_sgd_update");
  return self.apply<T>(data, options);
}

using MultiSumSqOptions = NoOptions;
/// Sum of squares of each array, as a float32 array of num_arrays elements.
/// @param data Arrays of any shape and dtype.
/// Source: MXNet multi_sum_sq.
template <class T>
Single<T> multi_sum_sq(const std::vector<T>& data,
                       const MultiSumSqOptions& options = {}) {
  static const Operator self("multi_sum_sq");
  return self.apply_one<T>(data, options);
}

/// Parameters of op::nag_mom_update.
class NagMomUpdateOptions : public Options<NagMomUpdateOptions> {
 public:
  /// Learning rate.
  NagMomUpdateOptions& lr(double value) { return set("lr", value); }
  /// Part of the last step that is kept. Default: 0.0.
  NagMomUpdateOptions& momentum(double value) { return set("momentum", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  NagMomUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  NagMomUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  NagMomUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
};
/// Nesterov's momentum: with m0 the old mom, mom = momentum * m0 - lr * (clip(rescale_grad * grad) + wd *
/// weight); the new weight is weight - momentum * m0 + (1 + momentum) * mom.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param mom The last step; changed in place.
/// Source: MXNet nag_mom_update.
template <class T>
Single<T> nag_mom_update(const T& weight,
                         const Same<T>& grad = {},
                         const Same<T>& mom = {},
                         const NagMomUpdateOptions& options = {}) {
  static const Operator self("nag_mom_update");
  return self.apply_one<T>({weight, grad, mom}, options);
}
template <class T>
Single<T> nag_mom_update(const T& weight, const NagMomUpdateOptions& options) {
  return nag_mom_update<T>(weight, {}, {}, options);
}

/// Parameters of op::nanprod.
class NanprodOptions : public Options<NanprodOptions> {
 public:
  /// Axis or axes to reduce; None and () mean all. Default: None.
  NanprodOptions& axis(Ints value) { return set("axis", std::move(value)); }
  /// Keeps reduced axes, with extent 1. Default: False.
  NanprodOptions& keepdims(bool value) { return set("keepdims", value); }
  /// Reduces all axes but those in `axis`. Default: False.
  NanprodOptions& exclude(bool value) { return set("exclude", value); }
};
/// Product over axes, NaN counting as 1.
/// @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
/// Source: MXNet broadcast_reduce_op.
template <class T>
Single<T> nanprod(const T& data,
                  const NanprodOptions& options = {}) {
  static const Operator self("nanprod");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::nansum.
class NansumOptions : public Options<NansumOptions> {
 public:
  /// Axis or axes to reduce; None and () mean all. Default: None.
  NansumOptions& axis(Ints value) { return set("axis", std::move(value)); }
  /// Keeps reduced axes, with extent 1. Default: False.
  NansumOptions& keepdims(bool value) { return set("keepdims", value); }
  /// Reduces all axes but those in `axis`. Default: False.
  NansumOptions& exclude(bool value) { return set("exclude", value); }
};
/// Sum over axes, NaN counting as 0.
/// @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
/// Source: MXNet broadcast_reduce_op.
template <class T>
Single<T> nansum(const T& data,
                 const NansumOptions& options = {}) {
  static const Operator self("nansum");
  return self.apply_one<T>({data}, options);
}

using NegativeOptions = NoOptions;
/// -data.
/// @param data Any array.
/// Source: MXNet negative.
template <class T>
Single<T> negative(const T& data,
                   const NegativeOptions& options = {}) {
  static const Operator self("negative");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::norm.
class NormOptions : public Options<NormOptions> {
 public:
  /// 1: sum of absolute values; 2: root of the sum of squares. Default: 2.
  NormOptions& ord(int64_t value) { return set("ord", value); }
  /// Axis or axes to reduce; None and () mean all. Default: None.
  NormOptions& axis(Ints value) { return set("axis", std::move(value)); }
  /// Element type of the output; None is that of the input. Default: None.
  NormOptions& out_dtype(DType value) { return set("out_dtype", value); }
  /// Keeps reduced axes, with extent 1. Default: False.
  NormOptions& keepdims(bool value) { return set("keepdims", value); }
};
/// Norm over axes: the sum of absolute values or the Euclidean length.
/// @param data Any array.
/// Source: MXNet norm.
template <class T>
Single<T> norm(const T& data,
               const NormOptions& options = {}) {
  static const Operator self("norm");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::one_hot.
class OneHotOptions : public Options<OneHotOptions> {
 public:
  /// Extent of the new last axis.
  OneHotOptions& depth(int64_t value) { return set("depth", value); }
  /// Value at the index. Default: 1.0.
  OneHotOptions& on_value(double value) { return set("on_value", value); }
  /// Value elsewhere. Default: 0.0.
  OneHotOptions& off_value(double value) { return set("off_value", value); }
  /// Element type of the output. Default: 'float32'.
  OneHotOptions& dtype(DType value) { return set("dtype", value); }
};
/// A new last axis with on_value at each index and off_value elsewhere; an index outside gives only
/// off_value.
/// @param indices Any shape and dtype; fractions are cut off.
/// Source: MXNet one_hot.
template <class T>
Single<T> one_hot(const T& indices,
                  const OneHotOptions& options = {}) {
  static const Operator self("one_hot");
  return self.apply_one<T>({indices}, options);
}

using OnesLikeOptions = NoOptions;
/// Ones with the shape and dtype of the input.
/// @param data Any array.
/// Source: MXNet ones_like.
template <class T>
Single<T> ones_like(const T& data,
                    const OnesLikeOptions& options = {}) {
  static const Operator self("ones_like");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::pick.
class PickOptions : public Options<PickOptions> {
 public:
  /// The axis from which one element is taken; None takes one of the flattened array. Default: -1.
  PickOptions& axis(int64_t value) { return set("axis", value); }
  /// Keep the axis with extent 1. Default: False.
  PickOptions& keepdims(bool value) { return set("keepdims", value); }
  /// Indices outside the axis are clipped or wrap around. One of "clip", "wrap". Default: 'clip'.
  PickOptions& mode(std::string value) { return set("mode", std::move(value)); }
};
/// One element along an axis for every place of the others, by index.
/// @param data Any array.
/// @param index data's shape without the axis, or with extent 1 there; any dtype, fractions are cut off.
/// Source: MXNet pick.
template <class T>
Single<T> pick(const T& data,
               const Same<T>& index = {},
               const PickOptions& options = {}) {
  static const Operator self("pick");
  return self.apply_one<T>({data, index}, options);
}
template <class T>
Single<T> pick(const T& data, const PickOptions& options) {
  return pick<T>(data, {}, options);
}

/// Parameters of op::preloaded_multi_mp_sgd_mom_update.
class PreloadedMultiMpSgdMomUpdateOptions : public Options<PreloadedMultiMpSgdMomUpdateOptions> {
 public:
  /// Part of the last step that is kept. Default: 0.0.
  PreloadedMultiMpSgdMomUpdateOptions& momentum(double value) { return set("momentum", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  PreloadedMultiMpSgdMomUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  PreloadedMultiMpSgdMomUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Number of weights. Default: 1.
  PreloadedMultiMpSgdMomUpdateOptions& num_weights(int64_t value) { return set("num_weights", value); }
};
/// mp_sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
/// float32.
/// @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
/// and then weight32; these are changed in place.
/// Source: MXNet preloaded_multi_mp_sgd_mom_update.
template <class T>
Several<T> preloaded_multi_mp_sgd_mom_update(const std::vector<T>& data,
                                             const PreloadedMultiMpSgdMomUpdateOptions& options = {}) {
  static const Operator self("preloaded_multi_mp_sgd_mom_update");
  return self.apply<T>(data, options);
}

/// Parameters of op::preloaded_multi_mp_sgd_update.
class PreloadedMultiMpSgdUpdateOptions : public Options<PreloadedMultiMpSgdUpdateOptions> {
 public:
  /// Factor of the gradient, applied first. Default: 1.0.
  PreloadedMultiMpSgdUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  PreloadedMultiMpSgdUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Number of weights. Default: 1.
  PreloadedMultiMpSgdUpdateOptions& num_weights(int64_t value) { return set("num_weights", value); }
};
/// mp_sgd_update of several weights; the last two inputs are the learning rates and the weight decays,
/// float32.
/// @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
/// and then weight32; these are changed in place.
/// Source: MXNet preloaded_multi_mp_sgd_update.
template <class T>
Several<T> preloaded_multi_mp_sgd_update(const std::vector<T>& data,
                                         const PreloadedMultiMpSgdUpdateOptions& options = {}) {
  static const Operator self("preloaded_multi_mp_sgd_update");
  return self.apply<T>(data, options);
}

/// Parameters of op::preloaded_multi_sgd_mom_update.
class PreloadedMultiSgdMomUpdateOptions : public Options<PreloadedMultiSgdMomUpdateOptions> {
 public:
  /// Part of the last step that is kept. Default: 0.0.
  PreloadedMultiSgdMomUpdateOptions& momentum(double value) { return set("momentum", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  PreloadedMultiSgdMomUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  PreloadedMultiSgdMomUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Number of weights. Default: 1.
  PreloadedMultiSgdMomUpdateOptions& num_weights(int64_t value) { return set("num_weights", value); }
};
/// sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
/// float32.
/// @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
/// and then weight32; these are changed in place.
/// Source: MXNet preloaded_multi_sgd_mom_update.
template <class T>
Several<T> preloaded_multi_sgd_mom_update(const std::vector<T>& data,
                                          const PreloadedMultiSgdMomUpdateOptions& options = {}) {
  static const Operator self("preloaded_multi_sgd_mom_update");
  return self.apply<T>(data, options);
}

/// Parameters of op::preloaded_multi_sgd_update.
class PreloadedMultiSgdUpdateOptions : public Options<PreloadedMultiSgdUpdateOptions> {
 public:
  /// Factor of the gradient, applied first. Default: 1.0.
  PreloadedMultiSgdUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  PreloadedMultiSgdUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Number of weights. Default: 1.
  PreloadedMultiSgdUpdateOptions& num_weights(int64_t value) { return set("num_weights", value); }
};
/// sgd_update of several weights; the last two inputs are the learning rates and the weight decays, float32.
/// @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
/// and then weight32; these are changed in place.
/// Source: MXNet preloaded_multi_sgd_update.
template <class T>
Several<T> preloaded_multi_sgd_update(const std::vector<T>& data,
                                      const PreloadedMultiSgdUpdateOptions& options = {}) {
  static const Operator self("preloaded_multi_sgd_update");
  return self.apply<T>(data, options);
}

/// Parameters of op::prod.
class ProdOptions : public Options<ProdOptions> {
 public:
  /// Axis or axes to reduce; None and () mean all. Default: None.
  ProdOptions& axis(Ints value) { return set("axis", std::move(value)); }
  /// Keeps reduced axes, with extent 1. Default: False.
  ProdOptions& keepdims(bool value) { return set("keepdims", value); }
  /// Reduces all axes but those in `axis`. Default: False.
  ProdOptions& exclude(bool value) { return set("exclude", value); }
};
/// Product over axes.
/// @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
/// Source: MXNet broadcast_reduce_op.
template <class T>
Single<T> prod(const T& data,
               const ProdOptions& options = {}) {
  static const Operator self("prod");
  return self.apply_one<T>({data}, options);
}

using RadiansOptions = NoOptions;
/// Degrees to radians.
/// @param data Any array.
/// Source: MXNet radians.
template <class T>
Single<T> radians(const T& data,
                  const RadiansOptions& options = {}) {
  static const Operator self("radians");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::random_exponential.
class RandomExponentialOptions : public Options<RandomExponentialOptions> {
 public:
  /// Rate, the inverse of the mean. Default: 1.0.
  RandomExponentialOptions& lam(double value) { return set("lam", value); }
  /// Extents of the output; by default those of the given output. Default: None.
  RandomExponentialOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
  RandomExponentialOptions& ctx(std::string value) { return set("ctx", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  RandomExponentialOptions& dtype(DType value) { return set("dtype", value); }
};
/// Numbers of the exponential distribution of rate lam.
/// Source: MXNet _random_exponential.
template <class T = NDArray>
Single<T> random_exponential(const RandomExponentialOptions& options = {}) {
  static const Operator self("_random_exponential");
  return self.apply_one<T>({}, options);
}

/// Parameters of op::random_gamma.
class RandomGammaOptions : public Options<RandomGammaOptions> {
 public:
  /// Shape. Default: 1.0.
  RandomGammaOptions& alpha(double value) { return set("alpha", value); }
  /// Scale: the mean is alpha * beta. Default: 1.0.
  RandomGammaOptions& beta(double value) { return set("beta", value); }
  /// Extents of the output; by default those of the given output. Default: None.
  RandomGammaOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
  RandomGammaOptions& ctx(std::string value) { return set("ctx", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  RandomGammaOptions& dtype(DType value) { return set("dtype", value); }
};
/// Numbers of the gamma distribution of shape alpha and scale beta.
/// Source: MXNet _random_gamma.
template <class T = NDArray>
Single<T> random_gamma(const RandomGammaOptions& options = {}) {
  static const Operator self("_random_gamma");
  return self.apply_one<T>({}, options);
}

/// Parameters of op::random_generalized_negative_binomial.
class RandomGeneralizedNegativeBinomialOptions : public Options<RandomGeneralizedNegativeBinomialOptions> {
 public:
  /// Mean. Default: 1.0.
  RandomGeneralizedNegativeBinomialOptions& mu(double value) { return set("mu", value); }
  /// Dispersion: the variance is mu + alpha * mu^2. Default: 1.0.
  RandomGeneralizedNegativeBinomialOptions& alpha(double value) { return set("alpha", value); }
  /// Extents of the output; by default those of the given output. Default: None.
  RandomGeneralizedNegativeBinomialOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
  RandomGeneralizedNegativeBinomialOptions& ctx(std::string value) { return set("ctx", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  RandomGeneralizedNegativeBinomialOptions& dtype(DType value) { return set("dtype", value); }
};
/// Counts of mean mu and variance mu + alpha * mu^2, as floats.
/// Source: MXNet _random_generalized_negative_binomial.
template <class T = NDArray>
Single<T> random_generalized_negative_binomial(const RandomGeneralizedNegativeBinomialOptions& options = {}) {
  static const Operator self("_random_generalized_negative_binomial");
  return self.apply_one<T>({}, options);
}

/// Parameters of op::random_negative_binomial.
class RandomNegativeBinomialOptions : public Options<RandomNegativeBinomialOptions> {
 public:
  /// Successes to wait for. Default: 1.0.
  RandomNegativeBinomialOptions& k(double value) { return set("k", value); }
  /// Probability of success. Default: 1.0.
  RandomNegativeBinomialOptions& p(double value) { return set("p", value); }
  /// Extents of the output; by default those of the given output. Default: None.
  RandomNegativeBinomialOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
  RandomNegativeBinomialOptions& ctx(std::string value) { return set("ctx", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  RandomNegativeBinomialOptions& dtype(DType value) { return set("dtype", value); }
};
/// Failures before success number k, each trial succeeding with probability p, as floats.
/// Source: MXNet _random_negative_binomial.
template <class T = NDArray>
Single<T> random_negative_binomial(const RandomNegativeBinomialOptions& options = {}) {
  static const Operator self("_random_negative_binomial");
  return self.apply_one<T>({}, options);
}

/// Parameters of op::random_normal.
class RandomNormalOptions : public Options<RandomNormalOptions> {
 public:
  /// Mean. Default: 0.0.
  RandomNormalOptions& loc(double value) { return set("loc", value); }
  /// Standard deviation. Default: 1.0.
  RandomNormalOptions& scale(double value) { return set("scale", value); }
  /// Extents of the output; by default those of the given output. Default: None.
  RandomNormalOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
  RandomNormalOptions& ctx(std::string value) { return set("ctx", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  RandomNormalOptions& dtype(DType value) { return set("dtype", value); }
};
/// Numbers of the normal distribution.
/// Source: MXNet _random_normal.
template <class T = NDArray>
Single<T> random_normal(const RandomNormalOptions& options = {}) {
  static const Operator self("_random_normal");
  return self.apply_one<T>({}, options);
}

/// Parameters of op::random_pdf_dirichlet.
class RandomPdfDirichletOptions : public Options<RandomPdfDirichletOptions> {
 public:
  /// Whether to give the logarithm of the density. Default: False.
  RandomPdfDirichletOptions& is_log(bool value) { return set("is_log", value); }
};
/// Density of the Dirichlet distribution at vectors along the last axis.
/// @param sample (s..., m..., k): vectors that sum to 1. A float dtype.
/// @param alpha (s..., k): concentrations.
/// Source: MXNet _random_pdf_dirichlet.
template <class T>
Single<T> random_pdf_dirichlet(const T& sample,
                               const Same<T>& alpha = {},
                               const RandomPdfDirichletOptions& options = {}) {
  static const Operator self("_random_pdf_dirichlet");
  return self.apply_one<T>({sample, alpha}, options);
}
template <class T>
Single<T> random_pdf_dirichlet(const T& sample, const RandomPdfDirichletOptions& options) {
  return random_pdf_dirichlet<T>(sample, {}, options);
}

/// Parameters of op::random_pdf_exponential.
class RandomPdfExponentialOptions : public Options<RandomPdfExponentialOptions> {
 public:
  /// Whether to give the logarithm of the density. Default: False.
  RandomPdfExponentialOptions& is_log(bool value) { return set("is_log", value); }
};
/// Density of the exponential distribution, wherever the samples lie.
/// @param sample Samples; their shape begins with that of the parameters. A float dtype.
/// @param lam Rates.
/// Source: MXNet _random_pdf_exponential.
template <class T>
Single<T> random_pdf_exponential(const T& sample,
                                 const Same<T>& lam = {},
                                 const RandomPdfExponentialOptions& options = {}) {
  static const Operator self("_random_pdf_exponential");
  return self.apply_one<T>({sample, lam}, options);
}
template <class T>
Single<T> random_pdf_exponential(const T& sample, const RandomPdfExponentialOptions& options) {
  return random_pdf_exponential<T>(sample, {}, options);
}

/// Parameters of op::random_pdf_gamma.
class RandomPdfGammaOptions : public Options<RandomPdfGammaOptions> {
 public:
  /// Whether to give the logarithm of the density. Default: False.
  RandomPdfGammaOptions& is_log(bool value) { return set("is_log", value); }
};
/// Density of the gamma distribution, here of rate beta: the mean is alpha / beta.
/// @param sample Samples; their shape begins with that of the parameters. A float dtype.
/// @param alpha Shapes.
/// @param beta Rates, the inverse of the scales that samplers take.
/// Source: MXNet _random_pdf_gamma.
template <class T>
Single<T> random_pdf_gamma(const T& sample,
                           const Same<T>& alpha = {},
                           const Same<T>& beta = {},
                           const RandomPdfGammaOptions& options = {}) {
  static const Operator self("_random_pdf_gamma");
  return self.apply_one<T>({sample, alpha, beta}, options);
}
template <class T>
Single<T> random_pdf_gamma(const T& sample, const RandomPdfGammaOptions& options) {
  return random_pdf_gamma<T>(sample, {}, {}, options);
}

/// Parameters of op::random_pdf_generalized_negative_binomial.
class RandomPdfGeneralizedNegativeBinomialOptions : public Options<RandomPdfGeneralizedNegativeBinomialOptions> {
 public:
  /// Whether to give the logarithm of the density. Default: False.
  RandomPdfGeneralizedNegativeBinomialOptions& is_log(bool value) { return set("is_log", value); }
};
/// Probability of a count of mean mu and variance mu + alpha * mu^2; its gradient by the count is 0.
/// @param sample Samples; their shape begins with that of the parameters. A float dtype.
/// @param mu Means.
/// @param alpha Dispersions.
/// Source: MXNet _random_pdf_generalized_negative_binomial.
template <class T>
Single<T> random_pdf_generalized_negative_binomial(const T& sample,
                                                   const Same<T>& mu = {},
                                                   const Same<T>& alpha = {},
                                                   const RandomPdfGeneralizedNegativeBinomialOptions& options = {}) {
  static const Operator self("_random_pdf_generalized_negative_binomial");
  return self.apply_one<T>({sample, mu, alpha}, options);
}
template <class T>
Single<T> random_pdf_generalized_negative_binomial(const T& sample, const RandomPdfGeneralizedNegativeBinomialOptions& options) {
  return random_pdf_generalized_negative_binomial<T>(sample, {}, {}, options);
}

/// Parameters of op::random_pdf_negative_binomial.
class RandomPdfNegativeBinomialOptions : public Options<RandomPdfNegativeBinomialOptions> {
 public:
  /// Whether to give the logarithm of the density. Default: False.
  RandomPdfNegativeBinomialOptions& is_log(bool value) { return set("is_log", value); }
};
/// Probability of so many failures before success number k; its gradient by the count is 0.
/// @param sample Samples; their shape begins with that of the parameters. A float dtype.
/// @param k Successes to wait for.
/// @param p Probabilities of success.
/// Source: MXNet _random_pdf_negative_binomial.
template <class T>
Single<T> random_pdf_negative_binomial(const T& sample,
                                       const Same<T>& k = {},
                                       const Same<T>& p = {},
                                       const RandomPdfNegativeBinomialOptions& options = {}) {
  static const Operator self("_random_pdf_negative_binomial");
  return self.apply_one<T>({sample, k, p}, options);
}
template <class T>
Single<T> random_pdf_negative_binomial(const T& sample, const RandomPdfNegativeBinomialOptions& options) {
  return random_pdf_negative_binomial<T>(sample, {}, {}, options);
}

/// Parameters of op::random_pdf_normal.
class RandomPdfNormalOptions : public Options<RandomPdfNormalOptions> {
 public:
  /// Whether to give the logarithm of the density. Default: False.
  RandomPdfNormalOptions& is_log(bool value) { return set("is_log", value); }
};
/// Density of the normal distribution.
/// @param sample Samples; their shape begins with that of the parameters. A float dtype.
/// @param mu Means.
/// @param sigma Standard deviations.
/// Source: MXNet _random_pdf_normal.
template <class T>
Single<T> random_pdf_normal(const T& sample,
                            const Same<T>& mu = {},
                            const Same<T>& sigma = {},
                            const RandomPdfNormalOptions& options = {}) {
  static const Operator self("_random_pdf_normal");
  return self.apply_one<T>({sample, mu, sigma}, options);
}
template <class T>
Single<T> random_pdf_normal(const T& sample, const RandomPdfNormalOptions& options) {
  return random_pdf_normal<T>(sample, {}, {}, options);
}

/// Parameters of op::random_pdf_poisson.
class RandomPdfPoissonOptions : public Options<RandomPdfPoissonOptions> {
 public:
  /// Whether to give the logarithm of the density. Default: False.
  RandomPdfPoissonOptions& is_log(bool value) { return set("is_log", value); }
};
/// Probability of a count under the Poisson distribution; its gradient by the count is 0.
/// @param sample Samples; their shape begins with that of the parameters. A float dtype.
/// @param lam Means.
/// Source: MXNet _random_pdf_poisson.
template <class T>
Single<T> random_pdf_poisson(const T& sample,
                             const Same<T>& lam = {},
                             const RandomPdfPoissonOptions& options = {}) {
  static const Operator self("_random_pdf_poisson");
  return self.apply_one<T>({sample, lam}, options);
}
template <class T>
Single<T> random_pdf_poisson(const T& sample, const RandomPdfPoissonOptions& options) {
  return random_pdf_poisson<T>(sample, {}, options);
}

/// Parameters of op::random_pdf_uniform.
class RandomPdfUniformOptions : public Options<RandomPdfUniformOptions> {
 public:
  /// Whether to give the logarithm of the density. Default: False.
  RandomPdfUniformOptions& is_log(bool value) { return set("is_log", value); }
};
/// Density 1 / (high - low), wherever the samples lie.
/// @param sample Samples; their shape begins with that of the parameters. A float dtype.
/// @param low Ends of the intervals.
/// @param high The other ends.
/// Source: MXNet _random_pdf_uniform.
template <class T>
Single<T> random_pdf_uniform(const T& sample,
                             const Same<T>& low = {},
                             const Same<T>& high = {},
                             const RandomPdfUniformOptions& options = {}) {
  static const Operator self("_random_pdf_uniform");
  return self.apply_one<T>({sample, low, high}, options);
}
template <class T>
Single<T> random_pdf_uniform(const T& sample, const RandomPdfUniformOptions& options) {
  return random_pdf_uniform<T>(sample, {}, {}, options);
}

/// Parameters of op::random_poisson.
class RandomPoissonOptions : public Options<RandomPoissonOptions> {
 public:
  /// Mean. Default: 1.0.
  RandomPoissonOptions& lam(double value) { return set("lam", value); }
  /// Extents of the output; by default those of the given output. Default: None.
  RandomPoissonOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
  RandomPoissonOptions& ctx(std::string value) { return set("ctx", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  RandomPoissonOptions& dtype(DType value) { return set("dtype", value); }
};
/// Counts of the Poisson distribution of mean lam, as floats.
/// Source: MXNet _random_poisson.
template <class T = NDArray>
Single<T> random_poisson(const RandomPoissonOptions& options = {}) {
  static const Operator self("_random_poisson");
  return self.apply_one<T>({}, options);
}

/// Parameters of op::random_randint.
class RandomRandintOptions : public Options<RandomRandintOptions> {
 public:
  /// Least number.
  RandomRandintOptions& low(int64_t value) { return set("low", value); }
  /// The number after the greatest.
  RandomRandintOptions& high(int64_t value) { return set("high", value); }
  /// Extents of the output; by default those of the given output. Default: None.
  RandomRandintOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
  RandomRandintOptions& ctx(std::string value) { return set("ctx", std::move(value)); }
  /// int32 or int64; by default that of the given output, else int32. Default: None.
  RandomRandintOptions& dtype(DType value) { return set("dtype", value); }
};
/// Whole numbers spread evenly over [low, high).
/// Source: MXNet _random_randint.
template <class T = NDArray>
Single<T> random_randint(const RandomRandintOptions& options = {}) {
  static const Operator self("_random_randint");
  return self.apply_one<T>({}, options);
}

/// Parameters of op::random_uniform.
class RandomUniformOptions : public Options<RandomUniformOptions> {
 public:
  /// Least value. Default: 0.0.
  RandomUniformOptions& low(double value) { return set("low", value); }
  /// End of the interval, itself never drawn. Default: 1.0.
  RandomUniformOptions& high(double value) { return set("high", value); }
  /// Extents of the output; by default those of the given output. Default: None.
  RandomUniformOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
  RandomUniformOptions& ctx(std::string value) { return set("ctx", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  RandomUniformOptions& dtype(DType value) { return set("dtype", value); }
};
/// Numbers spread evenly over [low, high).
/// Source: MXNet _random_uniform.
template <class T = NDArray>
Single<T> random_uniform(const RandomUniformOptions& options = {}) {
  static const Operator self("_random_uniform");
  return self.apply_one<T>({}, options);
}

/// Parameters of op::ravel_multi_index.
class RavelMultiIndexOptions : public Options<RavelMultiIndexOptions> {
 public:
  /// Extents of the array that is indexed; the first one may be -1. Default: ().
  RavelMultiIndexOptions& shape(Ints value) { return set("shape", std::move(value)); }
};
/// Row-major flat index of each column of coordinates; not checked against the extents.
/// @param data (number of axes, ...)
/// Source: MXNet ravel_multi_index.
template <class T>
Single<T> ravel_multi_index(const T& data,
                            const RavelMultiIndexOptions& options = {}) {
  static const Operator self("_ravel_multi_index");
  return self.apply_one<T>({data}, options);
}

using RcbrtOptions = NoOptions;
/// 1 / cbrt(data).
/// @param data Any array.
/// Source: MXNet rcbrt.
template <class T>
Single<T> rcbrt(const T& data,
                const RcbrtOptions& options = {}) {
  static const Operator self("rcbrt");
  return self.apply_one<T>({data}, options);
}

using ReciprocalOptions = NoOptions;
/// 1 / data.
/// @param data Any array.
/// Source: MXNet reciprocal.
template <class T>
Single<T> reciprocal(const T& data,
                     const ReciprocalOptions& options = {}) {
  static const Operator self("reciprocal");
  return self.apply_one<T>({data}, options);
}

using ReluOptions = NoOptions;
/// max(data, 0).
/// @param data Any array.
/// Source: MXNet relu.
template <class T>
Single<T> relu(const T& data,
               const ReluOptions& options = {}) {
  static const Operator self("relu");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::repeat.
class RepeatOptions : public Options<RepeatOptions> {
 public:
  /// How often each element occurs.
  RepeatOptions& repeats(int64_t value) { return set("repeats", value); }
  /// Along which axis; None takes the flattened array. Default: None.
  RepeatOptions& axis(int64_t value) { return set("axis", value); }
};
/// Repeats each element in place, along an axis or in the flattened array.
/// @param data Any array.
/// Source: MXNet repeat.
template <class T>
Single<T> repeat(const T& data,
                 const RepeatOptions& options = {}) {
  static const Operator self("repeat");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::reshape_like.
class ReshapeLikeOptions : public Options<ReshapeLikeOptions> {
 public:
  /// First axis of lhs that is replaced; None is 0. Default: None.
  ReshapeLikeOptions& lhs_begin(int64_t value) { return set("lhs_begin", value); }
  /// Axis of lhs where replacing ends; None is its rank. Default: None.
  ReshapeLikeOptions& lhs_end(int64_t value) { return set("lhs_end", value); }
  /// First axis of rhs that is taken; None is 0. Default: None.
  ReshapeLikeOptions& rhs_begin(int64_t value) { return set("rhs_begin", value); }
  /// Axis of rhs where taking ends; None is its rank. Default: None.
  ReshapeLikeOptions& rhs_end(int64_t value) { return set("rhs_end", value); }
};
/// lhs in the shape of rhs; with ranges, only axes [lhs_begin, lhs_end) turn into rhs's axes [rhs_begin,
/// rhs_end).
/// @param lhs The elements.
/// @param rhs Gives extents; its elements are not read.
/// Source: MXNet reshape_like.
template <class T>
Single<T> reshape_like(const T& lhs,
                       const Same<T>& rhs = {},
                       const ReshapeLikeOptions& options = {}) {
  static const Operator self("reshape_like");
  return self.apply_one<T>({lhs, rhs}, options);
}
template <class T>
Single<T> reshape_like(const T& lhs, const ReshapeLikeOptions& options) {
  return reshape_like<T>(lhs, {}, options);
}

/// Parameters of op::reverse.
class ReverseOptions : public Options<ReverseOptions> {
 public:
  /// Axes to reverse.
  ReverseOptions& axis(Ints value) { return set("axis", std::move(value)); }
};
/// Reverses the order of elements along axes.
/// @param data Any array.
/// Source: MXNet reverse.
template <class T>
Single<T> reverse(const T& data,
                  const ReverseOptions& options = {}) {
  static const Operator self("reverse");
  return self.apply_one<T>({data}, options);
}

using RintOptions = NoOptions;
/// Nearest integer; halves go down.
/// @param data Any array.
/// Source: MXNet rint.
template <class T>
Single<T> rint(const T& data,
               const RintOptions& options = {}) {
  static const Operator self("rint");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::rmsprop_update.
class RmspropUpdateOptions : public Options<RmspropUpdateOptions> {
 public:
  /// Learning rate.
  RmspropUpdateOptions& lr(double value) { return set("lr", value); }
  /// Part of the averaged square that is kept. Default: 0.95.
  RmspropUpdateOptions& gamma1(double value) { return set("gamma1", value); }
  /// Added under the root. Default: 1e-08.
  RmspropUpdateOptions& epsilon(double value) { return set("epsilon", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  RmspropUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  RmspropUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  RmspropUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// New weights are bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  RmspropUpdateOptions& clip_weights(double value) { return set("clip_weights", value); }
};
/// g = clip(rescale_grad * grad + wd * weight), n = gamma1 * n + (1 - gamma1) * g^2; the new weight is weight
/// - lr * g / sqrt(n + epsilon).
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param n Averaged square of the gradient; changed in place.
/// Source: MXNet rmsprop_update; Tieleman and Hinton 2012.
template <class T>
Single<T> rmsprop_update(const T& weight,
                         const Same<T>& grad = {},
                         const Same<T>& n = {},
                         const RmspropUpdateOptions& options = {}) {
  static const Operator self("rmsprop_update");
  return self.apply_one<T>({weight, grad, n}, options);
}
template <class T>
Single<T> rmsprop_update(const T& weight, const RmspropUpdateOptions& options) {
  return rmsprop_update<T>(weight, {}, {}, options);
}

/// Parameters of op::rmspropalex_update.
class RmspropalexUpdateOptions : public Options<RmspropalexUpdateOptions> {
 public:
  /// Learning rate.
  RmspropalexUpdateOptions& lr(double value) { return set("lr", value); }
  /// Part of the averages that is kept. Default: 0.95.
  RmspropalexUpdateOptions& gamma1(double value) { return set("gamma1", value); }
  /// Part of the last step that is kept. Default: 0.9.
  RmspropalexUpdateOptions& gamma2(double value) { return set("gamma2", value); }
  /// Added under the root. Default: 1e-08.
  RmspropalexUpdateOptions& epsilon(double value) { return set("epsilon", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  RmspropalexUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  RmspropalexUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  RmspropalexUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// New weights are bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  RmspropalexUpdateOptions& clip_weights(double value) { return set("clip_weights", value); }
};
/// RMSProp around the mean, with momentum: n and g average the squares and the gradients, delta = gamma2 *
/// delta - lr * grad / sqrt(n - g^2 + epsilon); the new weight is weight + delta.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param n Averaged square of the gradient; changed in place.
/// @param g Averaged gradient; changed in place.
/// @param delta The last step; changed in place.
/// Source: MXNet rmspropalex_update; Graves 2013.
template <class T>
Single<T> rmspropalex_update(const T& weight,
                             const Same<T>& grad = {},
                             const Same<T>& n = {},
                             const Same<T>& g = {},
                             const Same<T>& delta = {},
                             const RmspropalexUpdateOptions& options = {}) {
  static const Operator self("rmspropalex_update");
  return self.apply_one<T>({weight, grad, n, g, delta}, options);
}
template <class T>
Single<T> rmspropalex_update(const T& weight, const RmspropalexUpdateOptions& options) {
  return rmspropalex_update<T>(weight, {}, {}, {}, {}, options);
}

using RoundOptions = NoOptions;
/// Nearest integer; halves go away from 0.
/// @param data Any array.
/// Source: MXNet round.
template <class T>
Single<T> round(const T& data,
                const RoundOptions& options = {}) {
  static const Operator self("round");
  return self.apply_one<T>({data}, options);
}

using RsqrtOptions = NoOptions;
/// 1 / sqrt(data).
/// @param data Any array.
/// Source: MXNet rsqrt.
template <class T>
Single<T> rsqrt(const T& data,
                const RsqrtOptions& options = {}) {
  static const Operator self("rsqrt");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::sample_exponential.
class SampleExponentialOptions : public Options<SampleExponentialOptions> {
 public:
  /// Extents of the block that each element of the parameters gives. Default: ().
  SampleExponentialOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  SampleExponentialOptions& dtype(DType value) { return set("dtype", value); }
};
/// Numbers of exponential distributions. The output has the parameters' shape followed by `shape`; parameters
/// outside their range give NaN.
/// @param lam Rates, the inverse of the means.
/// Source: MXNet _sample_exponential.
template <class T>
Single<T> sample_exponential(const T& lam,
                             const SampleExponentialOptions& options = {}) {
  static const Operator self("_sample_exponential");
  return self.apply_one<T>({lam}, options);
}

/// Parameters of op::sample_gamma.
class SampleGammaOptions : public Options<SampleGammaOptions> {
 public:
  /// Extents of the block that each element of the parameters gives. Default: ().
  SampleGammaOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  SampleGammaOptions& dtype(DType value) { return set("dtype", value); }
};
/// Numbers of gamma distributions. The output has the parameters' shape followed by `shape`; parameters
/// outside their range give NaN.
/// @param alpha Shapes.
/// @param beta Scales, of the shape of alpha: the mean is alpha * beta.
/// Source: MXNet _sample_gamma.
template <class T>
Single<T> sample_gamma(const T& alpha,
                       const Same<T>& beta = {},
                       const SampleGammaOptions& options = {}) {
  static const Operator self("_sample_gamma");
  return self.apply_one<T>({alpha, beta}, options);
}
template <class T>
Single<T> sample_gamma(const T& alpha, const SampleGammaOptions& options) {
  return sample_gamma<T>(alpha, {}, options);
}

/// Parameters of op::sample_generalized_negative_binomial.
class SampleGeneralizedNegativeBinomialOptions : public Options<SampleGeneralizedNegativeBinomialOptions> {
 public:
  /// Extents of the block that each element of the parameters gives. Default: ().
  SampleGeneralizedNegativeBinomialOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  SampleGeneralizedNegativeBinomialOptions& dtype(DType value) { return set("dtype", value); }
};
/// Counts of mean mu and variance mu + alpha * mu^2, as floats. The output has the parameters' shape followed
/// by `shape`; parameters outside their range give NaN.
/// @param mu Means.
/// @param alpha Dispersions, of the shape of mu.
/// Source: MXNet _sample_generalized_negative_binomial.
template <class T>
Single<T> sample_generalized_negative_binomial(const T& mu,
                                               const Same<T>& alpha = {},
                                               const SampleGeneralizedNegativeBinomialOptions& options = {}) {
  static const Operator self("_sample_generalized_negative_binomial");
  return self.apply_one<T>({mu, alpha}, options);
}
template <class T>
Single<T> sample_generalized_negative_binomial(const T& mu, const SampleGeneralizedNegativeBinomialOptions& options) {
  return sample_generalized_negative_binomial<T>(mu, {}, options);
}

/// Parameters of op::sample_multinomial.
class SampleMultinomialOptions : public Options<SampleMultinomialOptions> {
 public:
  /// Extents of the draws of one row; by default a single draw. Default: ().
  SampleMultinomialOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Also give the logarithm of each drawn index's probability. Default: False.
  SampleMultinomialOptions& get_prob(bool value) { return set("get_prob", value); }
  /// Element type of the indices. Default: 'int32'.
  SampleMultinomialOptions& dtype(DType value) { return set("dtype", value); }
};
/// Indices drawn with the probabilities in each row of data, of shape data.shape[:-1] + shape; with get_prob
/// also the logarithms of their probabilities, through which the gradient flows.
/// @param data Probabilities (..., k) of k categories, each row summing to 1; float.
/// Source: MXNet _sample_multinomial.
template <class T>
Several<T> sample_multinomial(const T& data,
                              const SampleMultinomialOptions& options = {}) {
  static const Operator self("_sample_multinomial");
  return self.apply<T>({data}, options);
}

/// Parameters of op::sample_negative_binomial.
class SampleNegativeBinomialOptions : public Options<SampleNegativeBinomialOptions> {
 public:
  /// Extents of the block that each element of the parameters gives. Default: ().
  SampleNegativeBinomialOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  SampleNegativeBinomialOptions& dtype(DType value) { return set("dtype", value); }
};
/// Failures before success number k, as floats. The output has the parameters' shape followed by `shape`;
/// parameters outside their range give NaN.
/// @param k Successes to wait for.
/// @param p Probabilities of success, of the shape of k.
/// Source: MXNet _sample_negative_binomial.
template <class T>
Single<T> sample_negative_binomial(const T& k,
                                   const Same<T>& p = {},
                                   const SampleNegativeBinomialOptions& options = {}) {
  static const Operator self("_sample_negative_binomial");
  return self.apply_one<T>({k, p}, options);
}
template <class T>
Single<T> sample_negative_binomial(const T& k, const SampleNegativeBinomialOptions& options) {
  return sample_negative_binomial<T>(k, {}, options);
}

/// Parameters of op::sample_normal.
class SampleNormalOptions : public Options<SampleNormalOptions> {
 public:
  /// Extents of the block that each element of the parameters gives. Default: ().
  SampleNormalOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  SampleNormalOptions& dtype(DType value) { return set("dtype", value); }
};
/// Numbers of normal distributions. The output has the parameters' shape followed by `shape`; parameters
/// outside their range give NaN.
/// @param mu Means.
/// @param sigma Standard deviations, of the shape of mu.
/// Source: MXNet _sample_normal.
template <class T>
Single<T> sample_normal(const T& mu,
                        const Same<T>& sigma = {},
                        const SampleNormalOptions& options = {}) {
  static const Operator self("_sample_normal");
  return self.apply_one<T>({mu, sigma}, options);
}
template <class T>
Single<T> sample_normal(const T& mu, const SampleNormalOptions& options) {
  return sample_normal<T>(mu, {}, options);
}

/// Parameters of op::sample_poisson.
class SamplePoissonOptions : public Options<SamplePoissonOptions> {
 public:
  /// Extents of the block that each element of the parameters gives. Default: ().
  SamplePoissonOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  SamplePoissonOptions& dtype(DType value) { return set("dtype", value); }
};
/// Counts of Poisson distributions, as floats. The output has the parameters' shape followed by `shape`;
/// parameters outside their range give NaN.
/// @param lam Means.
/// Source: MXNet _sample_poisson.
template <class T>
Single<T> sample_poisson(const T& lam,
                         const SamplePoissonOptions& options = {}) {
  static const Operator self("_sample_poisson");
  return self.apply_one<T>({lam}, options);
}

/// Parameters of op::sample_uniform.
class SampleUniformOptions : public Options<SampleUniformOptions> {
 public:
  /// Extents of the block that each element of the parameters gives. Default: ().
  SampleUniformOptions& shape(Ints value) { return set("shape", std::move(value)); }
  /// Element type, a float; by default that of the given output, else float32. Default: None.
  SampleUniformOptions& dtype(DType value) { return set("dtype", value); }
};
/// Numbers spread evenly over [low, high). The output has the parameters' shape followed by `shape`;
/// parameters outside their range give NaN.
/// @param low Least values.
/// @param high Ends of the intervals, of the shape of low.
/// Source: MXNet _sample_uniform.
template <class T>
Single<T> sample_uniform(const T& low,
                         const Same<T>& high = {},
                         const SampleUniformOptions& options = {}) {
  static const Operator self("_sample_uniform");
  return self.apply_one<T>({low, high}, options);
}
template <class T>
Single<T> sample_uniform(const T& low, const SampleUniformOptions& options) {
  return sample_uniform<T>(low, {}, options);
}

/// Parameters of op::scatter_nd.
class ScatterNdOptions : public Options<ScatterNdOptions> {
 public:
  /// Extents of the array that is indexed.
  ScatterNdOptions& shape(Ints value) { return set("shape", std::move(value)); }
};
/// Zeros of the given shape with data at the indexed places; where indices repeat, the last slice stays. The
/// gradient counts every repeated slice.
/// @param data indices.shape[1:] + shape[M:]
/// @param indices (M, ...); any dtype, fractions are cut off.
/// Source: MXNet scatter_nd.
template <class T>
Single<T> scatter_nd(const T& data,
                     const Same<T>& indices = {},
                     const ScatterNdOptions& options = {}) {
  static const Operator self("scatter_nd");
  return self.apply_one<T>({data, indices}, options);
}
template <class T>
Single<T> scatter_nd(const T& data, const ScatterNdOptions& options) {
  return scatter_nd<T>(data, {}, options);
}

/// Parameters of op::sgd_mom_update.
class SgdMomUpdateOptions : public Options<SgdMomUpdateOptions> {
 public:
  /// Learning rate.
  SgdMomUpdateOptions& lr(double value) { return set("lr", value); }
  /// Part of the last step that is kept. Default: 0.0.
  SgdMomUpdateOptions& momentum(double value) { return set("momentum", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  SgdMomUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  SgdMomUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  SgdMomUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
  SgdMomUpdateOptions& lazy_update(bool value) { return set("lazy_update", value); }
};
/// mom = momentum * mom - lr * (clip(rescale_grad * grad) + wd * weight); the new weight is weight + mom.
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param mom The last step; changed in place.
/// Source: MXNet sgd_mom_update.
template <class T>
Single<T> sgd_mom_update(const T& weight,
                         const Same<T>& grad = {},
                         const Same<T>& mom = {},
                         const SgdMomUpdateOptions& options = {}) {
  static const Operator self("sgd_mom_update");
  return self.apply_one<T>({weight, grad, mom}, options);
}
template <class T>
Single<T> sgd_mom_update(const T& weight, const SgdMomUpdateOptions& options) {
  return sgd_mom_update<T>(weight, {}, {}, options);
}

/// Parameters of op::sgd_update.
class SgdUpdateOptions : public Options<SgdUpdateOptions> {
 public:
  /// Learning rate.
  SgdUpdateOptions& lr(double value) { return set("lr", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  SgdUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  SgdUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  SgdUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
  SgdUpdateOptions& lazy_update(bool value) { return set("lazy_update", value); }
};
/// Step against the gradient: weight - lr * (clip(rescale_grad * grad) + wd * weight).
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// Source: MXNet sgd_update.
template <class T>
Single<T> sgd_update(const T& weight,
                     const Same<T>& grad = {},
                     const SgdUpdateOptions& options = {}) {
  static const Operator self("sgd_update");
  return self.apply_one<T>({weight, grad}, options);
}
template <class T>
Single<T> sgd_update(const T& weight, const SgdUpdateOptions& options) {
  return sgd_update<T>(weight, {}, options);
}

using ShapeArrayOptions = NoOptions;
/// The extents of an array as int64.
/// @param data Any array; its elements are not read.
/// Source: MXNet shape_array.
template <class T>
Single<T> shape_array(const T& data,
                      const ShapeArrayOptions& options = {}) {
  static const Operator self("shape_array");
  return self.apply_one<T>({data}, options);
}

using ShuffleOptions = NoOptions;
/// The parts of data along its first axis, in random order; each part stays as it is.
/// @param data Any array.
/// Source: MXNet _shuffle.
template <class T>
Single<T> shuffle(const T& data,
                  const ShuffleOptions& options = {}) {
  static const Operator self("_shuffle");
  return self.apply_one<T>({data}, options);
}

using SigmoidOptions = NoOptions;
/// 1 / (1 + e^-data).
/// @param data Any array.
/// Source: MXNet sigmoid.
template <class T>
Single<T> sigmoid(const T& data,
                  const SigmoidOptions& options = {}) {
  static const Operator self("sigmoid");
  return self.apply_one<T>({data}, options);
}

using SignOptions = NoOptions;
/// -1, 0 or 1; 0 for NaN.
/// @param data Any array.
/// Source: MXNet sign.
template <class T>
Single<T> sign(const T& data,
               const SignOptions& options = {}) {
  static const Operator self("sign");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::signsgd_update.
class SignsgdUpdateOptions : public Options<SignsgdUpdateOptions> {
 public:
  /// Learning rate.
  SignsgdUpdateOptions& lr(double value) { return set("lr", value); }
  /// Weight decay: lr times this part of the weight is taken off. Default: 0.0.
  SignsgdUpdateOptions& wd(double value) { return set("wd", value); }
  /// Accepted; changes no sign. Default: 1.0.
  SignsgdUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// Accepted; changes no sign. Default: -1.0.
  SignsgdUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
};
/// Step by the gradient's sign: (1 - lr * wd) * weight - lr * sign(grad).
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// Source: MXNet signsgd_update.
template <class T>
Single<T> signsgd_update(const T& weight,
                         const Same<T>& grad = {},
                         const SignsgdUpdateOptions& options = {}) {
  static const Operator self("signsgd_update");
  return self.apply_one<T>({weight, grad}, options);
}
template <class T>
Single<T> signsgd_update(const T& weight, const SignsgdUpdateOptions& options) {
  return signsgd_update<T>(weight, {}, options);
}

/// Parameters of op::signum_update.
class SignumUpdateOptions : public Options<SignumUpdateOptions> {
 public:
  /// Learning rate.
  SignumUpdateOptions& lr(double value) { return set("lr", value); }
  /// Part of the averaged gradient that is kept. Default: 0.0.
  SignumUpdateOptions& momentum(double value) { return set("momentum", value); }
  /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
  SignumUpdateOptions& wd(double value) { return set("wd", value); }
  /// Factor of the gradient, applied first. Default: 1.0.
  SignumUpdateOptions& rescale_grad(double value) { return set("rescale_grad", value); }
  /// The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
  SignumUpdateOptions& clip_gradient(double value) { return set("clip_gradient", value); }
  /// Decay of the weight itself, apart from the gradient. Default: 0.0.
  SignumUpdateOptions& wd_lh(double value) { return set("wd_lh", value); }
};
/// Step by the sign of an averaged gradient: mom = momentum * mom - (1 - momentum) * (clip(rescale_grad *
/// grad) + wd * weight); the new weight is (1 - lr * wd_lh) * weight + lr * sign(mom).
/// @param weight Weights, any float dtype.
/// @param grad Gradient, of the weight's shape.
/// @param mom Averaged negative gradient; changed in place.
/// Source: MXNet signum_update.
template <class T>
Single<T> signum_update(const T& weight,
                        const Same<T>& grad = {},
                        const Same<T>& mom = {},
                        const SignumUpdateOptions& options = {}) {
  static const Operator self("signum_update");
  return self.apply_one<T>({weight, grad, mom}, options);
}
template <class T>
Single<T> signum_update(const T& weight, const SignumUpdateOptions& options) {
  return signum_update<T>(weight, {}, {}, options);
}

using SinOptions = NoOptions;
/// Sine of an angle in radians.
/// @param data Any array.
/// Source: MXNet sin.
template <class T>
Single<T> sin(const T& data,
              const SinOptions& options = {}) {
  static const Operator self("sin");
  return self.apply_one<T>({data}, options);
}

using SinhOptions = NoOptions;
/// Hyperbolic sine.
/// @param data Any array.
/// Source: MXNet sinh.
template <class T>
Single<T> sinh(const T& data,
               const SinhOptions& options = {}) {
  static const Operator self("sinh");
  return self.apply_one<T>({data}, options);
}

using SizeArrayOptions = NoOptions;
/// The number of elements of an array as int64, shape (1,).
/// @param data Any array; its elements are not read.
/// Source: MXNet size_array.
template <class T>
Single<T> size_array(const T& data,
                     const SizeArrayOptions& options = {}) {
  static const Operator self("size_array");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::slice.
class SliceOptions : public Options<SliceOptions> {
 public:
  /// First index per leading axis; None is the first in the direction of step.
  SliceOptions& begin(Ints value) { return set("begin", std::move(value)); }
  /// Index after the last per leading axis; None goes to the end.
  SliceOptions& end(Ints value) { return set("end", std::move(value)); }
  /// Distance per leading axis; None is 1, negative walks backwards. Default: ().
  SliceOptions& step(Ints value) { return set("step", std::move(value)); }
};
/// A box of the array: begin, end and step per leading axis, with Python's rules for None and negatives.
/// @param data Any array.
/// Source: MXNet slice.
template <class T>
Single<T> slice(const T& data,
                const SliceOptions& options = {}) {
  static const Operator self("slice");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::slice_axis.
class SliceAxisOptions : public Options<SliceAxisOptions> {
 public:
  /// The axis.
  SliceAxisOptions& axis(int64_t value) { return set("axis", value); }
  /// First index; negative counts from the end.
  SliceAxisOptions& begin(int64_t value) { return set("begin", value); }
  /// Index after the last; None is the extent.
  SliceAxisOptions& end(int64_t value) { return set("end", value); }
};
/// Elements [begin, end) along one axis.
/// @param data Any array.
/// Source: MXNet slice_axis.
template <class T>
Single<T> slice_axis(const T& data,
                     const SliceAxisOptions& options = {}) {
  static const Operator self("slice_axis");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::slice_like.
class SliceLikeOptions : public Options<SliceLikeOptions> {
 public:
  /// Axes to cut; () cuts all. Default: ().
  SliceLikeOptions& axes(Ints value) { return set("axes", std::move(value)); }
};
/// The leading part of data that has shape_like's extents, on all axes or on some.
/// @param data Any array.
/// @param shape_like Gives extents; its elements are not read.
/// Source: MXNet slice_like.
template <class T>
Single<T> slice_like(const T& data,
                     const Same<T>& shape_like = {},
                     const SliceLikeOptions& options = {}) {
  static const Operator self("slice_like");
  return self.apply_one<T>({data, shape_like}, options);
}
template <class T>
Single<T> slice_like(const T& data, const SliceLikeOptions& options) {
  return slice_like<T>(data, {}, options);
}

/// Parameters of op::smooth_l1.
class SmoothL1Options : public Options<SmoothL1Options> {
 public:
  /// Sigma: the parabola ends at |x| = 1 / sigma^2. Default: 1.0.
  SmoothL1Options& scalar(double value) { return set("scalar", value); }
};
/// Huber's loss: with s = scalar^2, s x^2 / 2 where |x| < 1 / s, |x| - 1 / (2 s) elsewhere.
/// @param data Any float array.
/// Source: MXNet smooth_l1.
template <class T>
Single<T> smooth_l1(const T& data,
                    const SmoothL1Options& options = {}) {
  static const Operator self("smooth_l1");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::softmax.
class SoftmaxOptions : public Options<SoftmaxOptions> {
 public:
  /// Axis along which the outputs sum to 1. Default: -1.
  SoftmaxOptions& axis(int64_t value) { return set("axis", value); }
  /// The input is divided by it; None is 1. Default: None.
  SoftmaxOptions& temperature(double value) { return set("temperature", value); }
  /// Element type of the output, a float; None is that of the input. Default: None.
  SoftmaxOptions& dtype(DType value) { return set("dtype", value); }
  /// Takes `length`, the number of elements of each vector that count. Default: False.
  SoftmaxOptions& use_length(bool value) { return set("use_length", value); }
};
/// exp(x / temperature) along an axis, divided by its sum. Elements from `length` on are 0.
/// @param data Floats. A vector of nothing but -inf gives NaN.
/// @param length Integers, of data's shape without the axis; with use_length=True.
/// Source: MXNet softmax.
template <class T>
Single<T> softmax(const T& data,
                  const Same<T>& length = {},
                  const SoftmaxOptions& options = {}) {
  static const Operator self("softmax");
  return self.apply_one<T>({data, length}, options);
}
template <class T>
Single<T> softmax(const T& data, const SoftmaxOptions& options) {
  return softmax<T>(data, {}, options);
}

using SoftmaxCrossEntropyOptions = NoOptions;
/// Sum over rows of -log(softmax(data)[label]). The label receives no gradient.
/// @param data (N, C), scores of C classes.
/// @param label (N,), class numbers from 0 to C - 1.
/// Source: MXNet softmax_cross_entropy.
template <class T>
Single<T> softmax_cross_entropy(const T& data,
                                const Same<T>& label = {},
                                const SoftmaxCrossEntropyOptions& options = {}) {
  static const Operator self("softmax_cross_entropy");
  return self.apply_one<T>({data, label}, options);
}
template <class T>
Single<T> softmax_cross_entropy(const T& data, const SoftmaxCrossEntropyOptions& options) {
  return softmax_cross_entropy<T>(data, {}, options);
}

/// Parameters of op::softmin.
class SoftminOptions : public Options<SoftminOptions> {
 public:
  /// Axis along which the outputs sum to 1. Default: -1.
  SoftminOptions& axis(int64_t value) { return set("axis", value); }
  /// The input is divided by it; None is 1. Default: None.
  SoftminOptions& temperature(double value) { return set("temperature", value); }
  /// Element type of the output, a float; None is that of the input. Default: None.
  SoftminOptions& dtype(DType value) { return set("dtype", value); }
  /// Takes `length`, the number of elements of each vector that count. Default: False.
  SoftminOptions& use_length(bool value) { return set("use_length", value); }
};
/// The softmax of -x.
/// @param data Floats. A vector of nothing but -inf gives NaN.
/// Source: MXNet softmax.
template <class T>
Single<T> softmin(const T& data,
                  const SoftminOptions& options = {}) {
  static const Operator self("softmin");
  return self.apply_one<T>({data}, options);
}

using SoftreluOptions = NoOptions;
/// log(1 + e^data), a smooth relu.
/// @param data Any array.
/// Source: MXNet softrelu.
template <class T>
Single<T> softrelu(const T& data,
                   const SoftreluOptions& options = {}) {
  static const Operator self("softrelu");
  return self.apply_one<T>({data}, options);
}

using SoftsignOptions = NoOptions;
/// data / (1 + |data|).
/// @param data Any array.
/// Source: MXNet softsign.
template <class T>
Single<T> softsign(const T& data,
                   const SoftsignOptions& options = {}) {
  static const Operator self("softsign");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::sort.
class SortOptions : public Options<SortOptions> {
 public:
  /// The sorted axis; None sorts the flattened array. Default: -1.
  SortOptions& axis(int64_t value) { return set("axis", value); }
  /// Smallest first. Default: True.
  SortOptions& is_ascend(bool value) { return set("is_ascend", value); }
};
/// Sorted along an axis. Equal elements keep their order; NaN counts as larger than all.
/// @param data Any array.
/// Source: MXNet sort.
template <class T>
Several<T> sort(const T& data,
                const SortOptions& options = {}) {
  static const Operator self("sort");
  return self.apply<T>({data}, options);
}

/// Parameters of op::space_to_depth.
class SpaceToDepthOptions : public Options<SpaceToDepthOptions> {
 public:
  /// Side b of the square blocks.
  SpaceToDepthOptions& block_size(int64_t value) { return set("block_size", value); }
};
/// Stacks blocks of space as channels; the inverse of depth_to_space.
/// @param data (N, C, H*b, W*b)
/// Source: MXNet space_to_depth.
template <class T>
Single<T> space_to_depth(const T& data,
                         const SpaceToDepthOptions& options = {}) {
  static const Operator self("space_to_depth");
  return self.apply_one<T>({data}, options);
}

using SqrtOptions = NoOptions;
/// Square root; NaN below 0.
/// @param data Any array.
/// Source: MXNet sqrt.
template <class T>
Single<T> sqrt(const T& data,
               const SqrtOptions& options = {}) {
  static const Operator self("sqrt");
  return self.apply_one<T>({data}, options);
}

using SquareOptions = NoOptions;
/// data * data.
/// @param data Any array.
/// Source: MXNet square.
template <class T>
Single<T> square(const T& data,
                 const SquareOptions& options = {}) {
  static const Operator self("square");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::squeeze.
class SqueezeOptions : public Options<SqueezeOptions> {
 public:
  /// Axes of extent 1 to drop; None drops all of them. Default: None.
  SqueezeOptions& axis(Ints value) { return set("axis", std::move(value)); }
};
/// Drops axes of extent 1; an array that consists of such axes keeps one.
/// @param data Any array.
/// Source: MXNet squeeze.
template <class T>
Single<T> squeeze(const T& data,
                  const SqueezeOptions& options = {}) {
  static const Operator self("squeeze");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::stack.
class StackOptions : public Options<StackOptions> {
 public:
  /// Where the new axis comes to lie in the output. Default: 0.
  StackOptions& axis(int64_t value) { return set("axis", value); }
};
/// Joins arrays of one shape along a new axis.
/// @param data Arrays of one shape and dtype.
/// Source: MXNet stack.
template <class T>
Single<T> stack(const std::vector<T>& data,
                const StackOptions& options = {}) {
  static const Operator self("stack");
  return self.apply_one<T>(data, options);
}

/// Parameters of op::sum.
class SumOptions : public Options<SumOptions> {
 public:
  /// Axis or axes to reduce; None and () mean all. Default: None.
  SumOptions& axis(Ints value) { return set("axis", std::move(value)); }
  /// Keeps reduced axes, with extent 1. Default: False.
  SumOptions& keepdims(bool value) { return set("keepdims", value); }
  /// Reduces all axes but those in `axis`. Default: False.
  SumOptions& exclude(bool value) { return set("exclude", value); }
};
/// Sum over axes. The error of a float sum does not grow with its length.
/// @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
/// Source: MXNet broadcast_reduce_op.
template <class T>
Single<T> sum(const T& data,
              const SumOptions& options = {}) {
  static const Operator self("sum");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::take.
class TakeOptions : public Options<TakeOptions> {
 public:
  /// The indexed axis. Default: 0.
  TakeOptions& axis(int64_t value) { return set("axis", value); }
  /// Indices outside the axis are clipped, fail, or wrap around. One of "clip", "raise", "wrap". Default:
  /// 'clip'.
  TakeOptions& mode(std::string value) { return set("mode", std::move(value)); }
};
/// Slices of a at the indices along an axis: shape a[:axis] + indices.shape + a[axis+1:].
/// @param a At least one axis.
/// @param indices Any shape and dtype; fractions are cut off.
/// Source: MXNet take.
template <class T>
Single<T> take(const T& a,
               const Same<T>& indices = {},
               const TakeOptions& options = {}) {
  static const Operator self("take");
  return self.apply_one<T>({a, indices}, options);
}
template <class T>
Single<T> take(const T& a, const TakeOptions& options) {
  return take<T>(a, {}, options);
}

using TanOptions = NoOptions;
/// Tangent of an angle in radians.
/// @param data Any array.
/// Source: MXNet tan.
template <class T>
Single<T> tan(const T& data,
              const TanOptions& options = {}) {
  static const Operator self("tan");
  return self.apply_one<T>({data}, options);
}

using TanhOptions = NoOptions;
/// Hyperbolic tangent.
/// @param data Any array.
/// Source: MXNet tanh.
template <class T>
Single<T> tanh(const T& data,
               const TanhOptions& options = {}) {
  static const Operator self("tanh");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::tile.
class TileOptions : public Options<TileOptions> {
 public:
  /// Repetitions per axis, aligned with the last; missing ones are 1.
  TileOptions& reps(Ints value) { return set("reps", std::move(value)); }
};
/// Lays copies of the whole array side by side along axes.
/// @param data Any array; missing leading axes count as 1.
/// Source: MXNet tile.
template <class T>
Single<T> tile(const T& data,
               const TileOptions& options = {}) {
  static const Operator self("tile");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::topk.
class TopkOptions : public Options<TopkOptions> {
 public:
  /// The axis; None takes the flattened array. Default: -1.
  TopkOptions& axis(int64_t value) { return set("axis", value); }
  /// How many elements; below 1 all. Default: 1.
  TopkOptions& k(int64_t value) { return set("k", value); }
  /// The elements, their indices, 1 where an element is among them, or elements and indices. One of "both",
  /// "indices", "mask", "value". Default: 'indices'.
  TopkOptions& ret_typ(std::string value) { return set("ret_typ", std::move(value)); }
  /// The smallest instead of the largest. Default: False.
  TopkOptions& is_ascend(bool value) { return set("is_ascend", value); }
  /// Element type of the indices. Default: 'float32'.
  TopkOptions& dtype(DType value) { return set("dtype", value); }
};
/// The k largest (or smallest) elements along an axis, in order, as values, indices or a mask. Of equal
/// elements the first ones are taken.
/// @param data Any array.
/// Source: MXNet topk.
template <class T>
Several<T> topk(const T& data,
                const TopkOptions& options = {}) {
  static const Operator self("topk");
  return self.apply<T>({data}, options);
}

/// Parameters of op::transpose.
class TransposeOptions : public Options<TransposeOptions> {
 public:
  /// Axis i of the output is axis axes[i] of the input; () reverses all. Default: ().
  TransposeOptions& axes(Ints value) { return set("axes", std::move(value)); }
};
/// Permutes the axes.
/// @param data Any array.
/// Source: MXNet transpose.
template <class T>
Single<T> transpose(const T& data,
                    const TransposeOptions& options = {}) {
  static const Operator self("transpose");
  return self.apply_one<T>({data}, options);
}

using TruncOptions = NoOptions;
/// Integer part: rounded toward 0.
/// @param data Any array.
/// Source: MXNet trunc.
template <class T>
Single<T> trunc(const T& data,
                const TruncOptions& options = {}) {
  static const Operator self("trunc");
  return self.apply_one<T>({data}, options);
}

/// Parameters of op::unravel_index.
class UnravelIndexOptions : public Options<UnravelIndexOptions> {
 public:
  /// Extents of the array that is indexed; the first one may be -1. Default: ().
  UnravelIndexOptions& shape(Ints value) { return set("shape", std::move(value)); }
};
/// Coordinates of flat row-major indices: shape (number of axes,) + data.shape. What exceeds the array stays
/// in the first coordinate.
/// @param data Any shape.
/// Source: MXNet unravel_index.
template <class T>
Single<T> unravel_index(const T& data,
                        const UnravelIndexOptions& options = {}) {
  static const Operator self("_unravel_index");
  return self.apply_one<T>({data}, options);
}

using WhereOptions = NoOptions;
/// Elements of x where condition is not 0, of y elsewhere. Shapes broadcast as in NumPy; a condition with one
/// axis, as long as the first axis of x and y, selects rows.
/// @param condition Any dtype.
/// @param x Taken where the condition is not 0.
/// @param y Taken where it is 0; of the dtype of x.
/// Source: MXNet where.
template <class T>
Single<T> where(const T& condition,
                const Same<T>& x = {},
                const Same<T>& y = {},
                const WhereOptions& options = {}) {
  static const Operator self("where");
  return self.apply_one<T>({condition, x, y}, options);
}
template <class T>
Single<T> where(const T& condition, const WhereOptions& options) {
  return where<T>(condition, {}, {}, options);
}

using ZerosLikeOptions = NoOptions;
/// Zeros with the shape and dtype of the input.
/// @param data Any array.
/// Source: MXNet zeros_like.
template <class T>
Single<T> zeros_like(const T& data,
                     const ZerosLikeOptions& options = {}) {
  static const Operator self("zeros_like");
  return self.apply_one<T>({data}, options);
}

}  // namespace op
}  // namespace mx
