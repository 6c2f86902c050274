/* Operators of mixgrad for C99. Written by tools/generate_languages.py: do not edit.
 *
 * mx_NAME computes on arrays, mx_NAME_node makes a node of a graph. Inputs that are NULL are absent (arrays)
 * or become variables (symbols). Outputs: *out NULL receives a new array, another *out is written in place.
 * Parameters that are not set keep their defaults; options may be NULL. */
#ifndef MIXGRAD_OPS_H
#define MIXGRAD_OPS_H

#include "mixgrad_calls.h"

typedef struct mx_Activation_options {
  /* MX_TEXT. Which function. One of "log_sigmoid", "relu", "sigmoid", "softrelu", "softsign", "tanh". */
  mg_value act_type;
} mx_Activation_options;
/* The activation function named by act_type, element by element. data: Any array. */
static inline mg_status mx_Activation(mg_array* data,
                                      const mx_Activation_options* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"act_type"};
  int32_t one = 1;
  return mx_call("Activation", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Activation_node(const mg_symbol* data,
                                           const mx_Activation_options* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"act_type"};
  return mx_node("Activation", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_BatchNorm_options {
  /* MX_REAL. Added to the variance. Default: 0.001. */
  mg_value eps;
  /* MX_REAL. Share of the old value in a moving average. Default: 0.9. */
  mg_value momentum;
  /* MX_BOOL. Takes gamma as 1 and gives it no gradient. Default: True. */
  mg_value fix_gamma;
  /* MX_BOOL. Normalises with the moving averages in training too, and leaves them. Default: False. */
  mg_value use_global_stats;
  /* MX_BOOL. Also gives mean and 1 / sqrt(variance + eps) per channel; they pass no gradient on. Default:
   * False. */
  mg_value output_mean_var;
  /* MX_INT. Axis of the channels. Default: 1. */
  mg_value axis;
  /* MX_BOOL. Accepted for MXNet's sake; changes nothing. Default: False. */
  mg_value cudnn_off;
  /* MX_REAL. Accepted for MXNet's sake; changes nothing. Default: None. */
  mg_value min_calib_range;
  /* MX_REAL. Accepted for MXNet's sake; changes nothing. Default: None. */
  mg_value max_calib_range;
} mx_BatchNorm_options;
/* Each channel shifted and scaled to mean 0 and variance 1, then times gamma plus beta. In training the
 * statistics are those of the batch (its variance divides by the number of elements), and the moving
 * averages move towards them in the same call; in prediction the moving averages serve. data: Floats;
 * axis 1, or `axis`, holds the channels. gamma: (C,): scale; taken as 1 while fix_gamma is set. beta:
 * (C,): shift. moving_mean: (C,): moving average of means. moving_var: (C,): moving average of variances. */
static inline mg_status mx_BatchNorm(mg_array* data,
                                     mg_array* gamma,
                                     mg_array* beta,
                                     mg_array* moving_mean,
                                     mg_array* moving_var,
                                     const mx_BatchNorm_options* options,
                                     int32_t* num_outputs,
                                     mg_array** outputs) {
  mg_array* const inputs[] = {data, gamma, beta, moving_mean, moving_var};
  static const char* const names[] = {
      "eps", "momentum", "fix_gamma", "use_global_stats", "output_mean_var", "axis", "cudnn_off",
      "min_calib_range", "max_calib_range"
  };
  return mx_call("BatchNorm", 5, inputs, 9, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_BatchNorm_node(const mg_symbol* data,
                                          const mg_symbol* gamma,
                                          const mg_symbol* beta,
                                          const mg_symbol* moving_mean,
                                          const mg_symbol* moving_var,
                                          const mx_BatchNorm_options* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, gamma, beta, moving_mean, moving_var};
  static const char* const words[] = {"data", "gamma", "beta", "moving_mean", "moving_var"};
  static const char* const names[] = {
      "eps", "momentum", "fix_gamma", "use_global_stats", "output_mean_var", "axis", "cudnn_off",
      "min_calib_range", "max_calib_range"
  };
  return mx_node("BatchNorm", name, 5, words, inputs, 9, names, (const mg_value*)options, out);
}

typedef struct mx_BilinearSampler_options {
  /* MX_BOOL. Accepted for MXNet's scripts; has no effect. Default: None. */
  mg_value cudnn_off;
} mx_BilinearSampler_options;
/* (batch, channels, rows, columns): data at the positions of the grid, weighing the four pixels around
 * each. What lies outside of the image counts as 0. data: Images (batch, channels, height, width), float.
 * grid: (batch, 2, rows, columns): x, then y; -1 is the first pixel of the axis and 1 the last. */
static inline mg_status mx_BilinearSampler(mg_array* data,
                                           mg_array* grid,
                                           const mx_BilinearSampler_options* options,
                                           mg_array** out) {
  mg_array* const inputs[] = {data, grid};
  static const char* const names[] = {"cudnn_off"};
  int32_t one = 1;
  return mx_call("BilinearSampler", 2, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_BilinearSampler_node(const mg_symbol* data,
                                                const mg_symbol* grid,
                                                const mx_BilinearSampler_options* options,
                                                const char* name,
                                                mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, grid};
  static const char* const words[] = {"data", "grid"};
  static const char* const names[] = {"cudnn_off"};
  return mx_node("BilinearSampler", name, 2, words, inputs, 1, names, (const mg_value*)options, out);
}

/* A copy through which no gradient flows. data: Any array. */
static inline mg_status mx_BlockGrad(mg_array* data,
                                     const void* options,
                                     mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("BlockGrad", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_BlockGrad_node(const mg_symbol* data,
                                          const void* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("BlockGrad", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_CTCLoss_options {
  /* MX_BOOL. Whether data_lengths is given; else all steps count. Default: False. */
  mg_value use_data_lengths;
  /* MX_BOOL. Whether label_lengths is given; else labels end at the first padding. Default: False. */
  mg_value use_label_lengths;
  /* MX_TEXT. Which class is the blank. first: labels are 1 to C - 1, padding is 0; last: 0 to C - 2, and
   * -1. One of "first", "last". Default: 'first'. */
  mg_value blank_label;
} mx_CTCLoss_options;
/* (batch,): minus the logarithm of the probability that softmax of data gives the labels, with blanks
 * between them and repetitions. 0, without a gradient, where the labels do not fit the steps. data:
 * (steps, batch, classes): scores, one class being the blank. label: (batch, labels): class numbers,
 * padded. Receives no gradient. data_lengths: (batch,): steps that count. Receives no gradient.
 * label_lengths: (batch,): labels that count. Receives no gradient. */
static inline mg_status mx_CTCLoss(mg_array* data,
                                   mg_array* label,
                                   mg_array* data_lengths,
                                   mg_array* label_lengths,
                                   const mx_CTCLoss_options* options,
                                   int32_t* num_outputs,
                                   mg_array** outputs) {
  mg_array* const inputs[] = {data, label, data_lengths, label_lengths};
  static const char* const names[] = {"use_data_lengths", "use_label_lengths", "blank_label"};
  return mx_call("CTCLoss", 4, inputs, 3, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_CTCLoss_node(const mg_symbol* data,
                                        const mg_symbol* label,
                                        const mg_symbol* data_lengths,
                                        const mg_symbol* label_lengths,
                                        const mx_CTCLoss_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, label, data_lengths, label_lengths};
  static const char* const words[] = {"data", "label", "data_lengths", "label_lengths"};
  static const char* const names[] = {"use_data_lengths", "use_label_lengths", "blank_label"};
  return mx_node("CTCLoss", name, 4, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_Cast_options {
  /* MX_TEXT. Element type of the output. */
  mg_value dtype;
} mx_Cast_options;
/* Changes the element type. Floats are truncated toward zero to integers; anything but 0 is true. data:
 * Any array. */
static inline mg_status mx_Cast(mg_array* data,
                                const mx_Cast_options* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"dtype"};
  int32_t one = 1;
  return mx_call("Cast", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Cast_node(const mg_symbol* data,
                                     const mx_Cast_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"dtype"};
  return mx_node("Cast", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_Concat_options {
  /* MX_INT. The axis along which they follow one another. Default: 1. */
  mg_value dim;
} mx_Concat_options;
/* Joins arrays along an axis; their other extents agree. data: Arrays of one dtype. */
static inline mg_status mx_Concat(int32_t count,
                                  mg_array* const* data,
                                  const mx_Concat_options* options,
                                  mg_array** out) {
  static const char* const names[] = {"dim"};
  int32_t one = 1;
  return mx_call("Concat", count, data, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Concat_node(int32_t count,
                                       const mg_symbol* const* data,
                                       const mx_Concat_options* options,
                                       const char* name,
                                       mg_symbol** out) {
  static const char* const names[] = {"dim"};
  return mx_node("Concat", name, count, NULL, data, 1, names, (const mg_value*)options, out);
}

typedef struct mx_Convolution_options {
  /* MX_TUPLE of MX_INT. Extents of the window: (w,), (h, w) or (d, h, w). */
  mg_value kernel;
  /* MX_TUPLE of MX_INT. Steps of the window; empty means ones. Default: (). */
  mg_value stride;
  /* MX_TUPLE of MX_INT. Distance of the input elements under neighbouring weights; empty means ones.
   * Default: (). */
  mg_value dilate;
  /* MX_TUPLE of MX_INT. Zeros added at both ends of each axis; empty means none. Default: (). */
  mg_value pad;
  /* MX_INT. Channels of the output. */
  mg_value num_filter;
  /* MX_INT. Groups of channels that are convolved apart. Default: 1. */
  mg_value num_group;
  /* MX_INT. Accepted and ignored. Default: 1024. */
  mg_value workspace;
  /* MX_BOOL. Leave the bias out; the operator then has two inputs. Default: False. */
  mg_value no_bias;
  /* MX_TEXT. Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None. */
  mg_value cudnn_tune;
  /* MX_BOOL. Accepted and ignored. Default: False. */
  mg_value cudnn_off;
  /* MX_TEXT. Order of axes; None is channels first. Channels-last weights are (num_filter, window...,
   * channels). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None. */
  mg_value layout;
} mx_Convolution_options;
/* Sum of products of a window's weights with the input under it, at every place of the window. Data (n,
 * channels, in...) gives (n, num_filter, out...), where an output extent is floor((in + 2 pad - dilate
 * (kernel - 1) - 1) / stride) + 1. data: Float array with one, two or three spatial axes. weight:
 * (num_filter, channels / num_group, window...). bias: (num_filter,); absent with no_bias. */
static inline mg_status mx_Convolution(mg_array* data,
                                       mg_array* weight,
                                       mg_array* bias,
                                       const mx_Convolution_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {data, weight, bias};
  static const char* const names[] = {
      "kernel", "stride", "dilate", "pad", "num_filter", "num_group", "workspace", "no_bias", "cudnn_tune",
      "cudnn_off", "layout"
  };
  int32_t one = 1;
  return mx_call("Convolution", 3, inputs, 11, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Convolution_node(const mg_symbol* data,
                                            const mg_symbol* weight,
                                            const mg_symbol* bias,
                                            const mx_Convolution_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, weight, bias};
  static const char* const words[] = {"data", "weight", "bias"};
  static const char* const names[] = {
      "kernel", "stride", "dilate", "pad", "num_filter", "num_group", "workspace", "no_bias", "cudnn_tune",
      "cudnn_off", "layout"
  };
  return mx_node("Convolution", name, 3, words, inputs, 11, names, (const mg_value*)options, out);
}

typedef struct mx_Correlation_options {
  /* MX_INT. Extent of the square patches, odd. Default: 1. */
  mg_value kernel_size;
  /* MX_INT. Largest displacement, in pixels. Default: 1. */
  mg_value max_displacement;
  /* MX_INT. Pixels between patches of data1. Default: 1. */
  mg_value stride1;
  /* MX_INT. Pixels between displacements. Default: 1. */
  mg_value stride2;
  /* MX_INT. Zeros around both images. Default: 0. */
  mg_value pad_size;
  /* MX_BOOL. Whether values are multiplied; else their absolute difference is taken. Default: True. */
  mg_value is_multiply;
} mx_Correlation_options;
/* (batch, displacements, rows, columns): the mean over patch and channels of data1 times data2, or of
 * their absolute difference, for every displacement of the patch in data2, rows first. data1: Images
 * (batch, channels, height, width), float. data2: Images of the same shape. */
static inline mg_status mx_Correlation(mg_array* data1,
                                       mg_array* data2,
                                       const mx_Correlation_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {data1, data2};
  static const char* const names[] = {
      "kernel_size", "max_displacement", "stride1", "stride2", "pad_size", "is_multiply"
  };
  int32_t one = 1;
  return mx_call("Correlation", 2, inputs, 6, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Correlation_node(const mg_symbol* data1,
                                            const mg_symbol* data2,
                                            const mx_Correlation_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {data1, data2};
  static const char* const words[] = {"data1", "data2"};
  static const char* const names[] = {
      "kernel_size", "max_displacement", "stride1", "stride2", "pad_size", "is_multiply"
  };
  return mx_node("Correlation", name, 2, words, inputs, 6, names, (const mg_value*)options, out);
}

typedef struct mx_Crop_options {
  /* MX_TUPLE of MX_INT. First row and column of the window. Default: (0, 0). */
  mg_value offset;
  /* MX_TUPLE of MX_INT. Height and width of the window; only with one input. Default: (0, 0). */
  mg_value h_w;
  /* MX_BOOL. Put the window into the middle instead of at offset. Default: False. */
  mg_value center_crop;
} mx_Crop_options;
/* The window (batch, channels, h, w) of images at an offset or in the middle. Its size is h_w, or with
 * two inputs the height and width of the second one, which passes no gradient on. data: Images (batch,
 * channels, height, width) of any dtype. */
static inline mg_status mx_Crop(int32_t count,
                                mg_array* const* data,
                                const mx_Crop_options* options,
                                mg_array** out) {
  static const char* const names[] = {"offset", "h_w", "center_crop"};
  int32_t one = 1;
  return mx_call("Crop", count, data, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Crop_node(int32_t count,
                                     const mg_symbol* const* data,
                                     const mx_Crop_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  static const char* const names[] = {"offset", "h_w", "center_crop"};
  return mx_node("Crop", name, count, NULL, data, 3, names, (const mg_value*)options, out);
}

typedef struct mx_Custom_options {
  /* MX_TEXT. The name that the operator was registered under. */
  mg_value op_type;
} mx_Custom_options;
/* What an operator of the program computes: one that mx.operator.register has given a name. All
 * parameters but op_type are its own, as text. data: What the operator reads: its arguments, then its
 * states. */
static inline mg_status mx_Custom(int32_t count,
                                  mg_array* const* data,
                                  const mx_Custom_options* options,
                                  int32_t* num_outputs,
                                  mg_array** outputs) {
  static const char* const names[] = {"op_type"};
  return mx_call("Custom", count, data, 1, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_Custom_node(int32_t count,
                                       const mg_symbol* const* data,
                                       const mx_Custom_options* options,
                                       const char* name,
                                       mg_symbol** out) {
  static const char* const names[] = {"op_type"};
  return mx_node("Custom", name, count, NULL, data, 1, names, (const mg_value*)options, out);
}

typedef struct mx_Deconvolution_options {
  /* MX_TUPLE of MX_INT. Extents of the window: (w,), (h, w) or (d, h, w). */
  mg_value kernel;
  /* MX_TUPLE of MX_INT. Steps of the window over the output; empty means ones. Default: (). */
  mg_value stride;
  /* MX_TUPLE of MX_INT. Distance of the output elements under neighbouring weights; empty means ones.
   * Default: (). */
  mg_value dilate;
  /* MX_TUPLE of MX_INT. Elements cut from both ends of each output axis; empty means none. Default: (). */
  mg_value pad;
  /* MX_TUPLE of MX_INT. Elements added behind each output axis; less than stride. Empty means none.
   * Default: (). */
  mg_value adj;
  /* MX_TUPLE of MX_INT. Spatial extents of the output; pad and adj then follow from it. Default: (). */
  mg_value target_shape;
  /* MX_INT. Channels of the output. */
  mg_value num_filter;
  /* MX_INT. Groups of channels that are convolved apart. Default: 1. */
  mg_value num_group;
  /* MX_INT. Accepted and ignored. Default: 512. */
  mg_value workspace;
  /* MX_BOOL. Leave the bias out; the operator then has two inputs. Default: True. */
  mg_value no_bias;
  /* MX_TEXT. Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None. */
  mg_value cudnn_tune;
  /* MX_BOOL. Accepted and ignored. Default: False. */
  mg_value cudnn_off;
  /* MX_TEXT. Order of axes; None is channels first. Channels-last weights are (channels, window...,
   * num_filter). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None. */
  mg_value layout;
} mx_Deconvolution_options;
/* Transpose of Convolution: every input element adds its multiple of the window to the output. An output
 * extent is stride (in - 1) + dilate (kernel - 1) + 1 + adj - 2 pad. data: Float array with one, two or
 * three spatial axes. weight: (channels, num_filter / num_group, window...). bias: (num_filter,); absent
 * with no_bias. */
static inline mg_status mx_Deconvolution(mg_array* data,
                                         mg_array* weight,
                                         mg_array* bias,
                                         const mx_Deconvolution_options* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {data, weight, bias};
  static const char* const names[] = {
      "kernel", "stride", "dilate", "pad", "adj", "target_shape", "num_filter", "num_group", "workspace",
      "no_bias", "cudnn_tune", "cudnn_off", "layout"
  };
  int32_t one = 1;
  return mx_call("Deconvolution", 3, inputs, 13, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Deconvolution_node(const mg_symbol* data,
                                              const mg_symbol* weight,
                                              const mg_symbol* bias,
                                              const mx_Deconvolution_options* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, weight, bias};
  static const char* const words[] = {"data", "weight", "bias"};
  static const char* const names[] = {
      "kernel", "stride", "dilate", "pad", "adj", "target_shape", "num_filter", "num_group", "workspace",
      "no_bias", "cudnn_tune", "cudnn_off", "layout"
  };
  return mx_node("Deconvolution", name, 3, words, inputs, 13, names, (const mg_value*)options, out);
}

typedef struct mx_Dropout_options {
  /* MX_REAL. Part of the elements that become 0. Default: 0.5. */
  mg_value p;
  /* MX_TEXT. Whether to drop also when predicting. One of "always", "training". Default: 'training'. */
  mg_value mode;
  /* MX_TUPLE of MX_INT. Axes along which elements share one decision. Default: (). */
  mg_value axes;
  /* MX_BOOL. Accepted for MXNet's scripts; has no effect. Default: False. */
  mg_value cudnn_off;
} mx_Dropout_options;
/* While training, each element becomes 0 with probability p and is divided by 1 - p otherwise; when
 * predicting, unless mode is 'always', the output is the input. data: Any float array. */
static inline mg_status mx_Dropout(mg_array* data,
                                   const mx_Dropout_options* options,
                                   int32_t* num_outputs,
                                   mg_array** outputs) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"p", "mode", "axes", "cudnn_off"};
  return mx_call("Dropout", 1, inputs, 4, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_Dropout_node(const mg_symbol* data,
                                        const mx_Dropout_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"p", "mode", "axes", "cudnn_off"};
  return mx_node("Dropout", name, 1, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_Embedding_options {
  /* MX_INT. Number of rows of weight. */
  mg_value input_dim;
  /* MX_INT. Extent of a row. */
  mg_value output_dim;
  /* MX_TEXT. Dtype of weight where nothing else says it. Default: 'float32'. */
  mg_value dtype;
  /* MX_BOOL. The gradient of weight is row_sparse. Default: False. */
  mg_value sparse_grad;
} mx_Embedding_options;
/* The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped. data:
 * Indices of any shape and dtype; fractions are cut off. weight: (input_dim, output_dim) */
static inline mg_status mx_Embedding(mg_array* data,
                                     mg_array* weight,
                                     const mx_Embedding_options* options,
                                     mg_array** out) {
  mg_array* const inputs[] = {data, weight};
  static const char* const names[] = {"input_dim", "output_dim", "dtype", "sparse_grad"};
  int32_t one = 1;
  return mx_call("Embedding", 2, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Embedding_node(const mg_symbol* data,
                                          const mg_symbol* weight,
                                          const mx_Embedding_options* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, weight};
  static const char* const words[] = {"data", "weight"};
  static const char* const names[] = {"input_dim", "output_dim", "dtype", "sparse_grad"};
  return mx_node("Embedding", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

/* Merges all axes but the first: (N, a, b, ...) becomes (N, a*b*...). data: Any array; (N,) becomes (N,
 * 1). */
static inline mg_status mx_Flatten(mg_array* data,
                                   const void* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("Flatten", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_Flatten_node(const mg_symbol* data,
                                        const void* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("Flatten", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_FullyConnected_options {
  /* MX_INT. Extent of the last axis of the output. */
  mg_value num_hidden;
  /* MX_BOOL. Leave the bias out; the operator then has two inputs. Default: False. */
  mg_value no_bias;
  /* MX_BOOL. Treat every sample as one row; otherwise only the last axis is multiplied. Default: True. */
  mg_value flatten;
} mx_FullyConnected_options;
/* Product of every sample with the transposed weight, plus a bias: data (n, ...) and weight (num_hidden,
 * depth) give (n, num_hidden). data: Float array; the first axis counts samples. weight: (num_hidden,
 * depth), where depth is the size of one sample. bias: (num_hidden,); absent with no_bias. */
static inline mg_status mx_FullyConnected(mg_array* data,
                                          mg_array* weight,
                                          mg_array* bias,
                                          const mx_FullyConnected_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {data, weight, bias};
  static const char* const names[] = {"num_hidden", "no_bias", "flatten"};
  int32_t one = 1;
  return mx_call("FullyConnected", 3, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_FullyConnected_node(const mg_symbol* data,
                                               const mg_symbol* weight,
                                               const mg_symbol* bias,
                                               const mx_FullyConnected_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, weight, bias};
  static const char* const words[] = {"data", "weight", "bias"};
  static const char* const names[] = {"num_hidden", "no_bias", "flatten"};
  return mx_node("FullyConnected", name, 3, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_GridGenerator_options {
  /* MX_TEXT. Whether data holds matrices or a shift in pixels for each position. One of "affine", "warp". */
  mg_value transform_type;
  /* MX_TUPLE of MX_INT. Of affine: height and width of the grid. Default: (0, 0). */
  mg_value target_shape;
} mx_GridGenerator_options;
/* Grid (batch, 2, height, width) of positions (x, y), where -1 and 1 are the first and the last pixel of
 * an axis. affine multiplies 2 x 3 matrices by (x, y, 1) of every pixel; warp adds shifts, in pixels, to
 * every pixel's own position. data: affine: (batch, 6), the rows of the matrices. warp: (batch, 2,
 * height, width). */
static inline mg_status mx_GridGenerator(mg_array* data,
                                         const mx_GridGenerator_options* options,
                                         int32_t* num_outputs,
                                         mg_array** outputs) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"transform_type", "target_shape"};
  return mx_call("GridGenerator", 1, inputs, 2, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_GridGenerator_node(const mg_symbol* data,
                                              const mx_GridGenerator_options* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"transform_type", "target_shape"};
  return mx_node("GridGenerator", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_GroupNorm_options {
  /* MX_INT. Groups into which the channels of axis 1 fall. Default: 1. */
  mg_value num_groups;
  /* MX_REAL. Added to the variance. Default: 1e-05. */
  mg_value eps;
  /* MX_BOOL. Also gives mean and standard deviation (N, groups), sqrt(variance + eps); they pass no
   * gradient on. Default: False. */
  mg_value output_mean_var;
} mx_GroupNorm_options;
/* Each group of neighbouring channels of each sample shifted and scaled to mean 0 and variance 1, then
 * times gamma plus beta. data: (N, C, ...), floats. Statistics are computed in float or double. gamma:
 * (num_groups,): one per group. beta: (num_groups,): one per group. */
static inline mg_status mx_GroupNorm(mg_array* data,
                                     mg_array* gamma,
                                     mg_array* beta,
                                     const mx_GroupNorm_options* options,
                                     int32_t* num_outputs,
                                     mg_array** outputs) {
  mg_array* const inputs[] = {data, gamma, beta};
  static const char* const names[] = {"num_groups", "eps", "output_mean_var"};
  return mx_call("GroupNorm", 3, inputs, 3, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_GroupNorm_node(const mg_symbol* data,
                                          const mg_symbol* gamma,
                                          const mg_symbol* beta,
                                          const mx_GroupNorm_options* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, gamma, beta};
  static const char* const words[] = {"data", "gamma", "beta"};
  static const char* const names[] = {"num_groups", "eps", "output_mean_var"};
  return mx_node("GroupNorm", name, 3, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_IdentityAttachKLSparseReg_options {
  /* MX_REAL. The mean that is aimed at. Default: 0.1. */
  mg_value sparseness_target;
  /* MX_REAL. Factor of the added gradient. Default: 0.001. */
  mg_value penalty;
  /* MX_REAL. Share of the old value in a moving average. Default: 0.9. */
  mg_value momentum;
} mx_IdentityAttachKLSparseReg_options;
/* A copy of activations between 0 and 1. In training, to the gradient comes the Kullback-Leibler
 * divergence's between a target and each channel's moving average, times penalty: activations become
 * sparse. data: (batch, channels, ...), float. moving_avg: (channels,): moving average of means. */
static inline mg_status mx_IdentityAttachKLSparseReg(mg_array* data,
                                                     mg_array* moving_avg,
                                                     const mx_IdentityAttachKLSparseReg_options* options,
                                                     int32_t* num_outputs,
                                                     mg_array** outputs) {
  mg_array* const inputs[] = {data, moving_avg};
  static const char* const names[] = {"sparseness_target", "penalty", "momentum"};
  return mx_call("IdentityAttachKLSparseReg", 2, inputs, 3, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_IdentityAttachKLSparseReg_node(const mg_symbol* data,
                                                          const mg_symbol* moving_avg,
                                                          const mx_IdentityAttachKLSparseReg_options* options,
                                                          const char* name,
                                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, moving_avg};
  static const char* const words[] = {"data", "moving_avg"};
  static const char* const names[] = {"sparseness_target", "penalty", "momentum"};
  return mx_node("IdentityAttachKLSparseReg", name, 2, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_InstanceNorm_options {
  /* MX_REAL. Added to the variance. Default: 0.001. */
  mg_value eps;
} mx_InstanceNorm_options;
/* Each channel of each sample shifted and scaled to mean 0 and variance 1, then times gamma plus beta.
 * data: (N, C, ...), floats. Statistics are computed in float or double. gamma: (C,): one per channel.
 * beta: (C,): one per channel. */
static inline mg_status mx_InstanceNorm(mg_array* data,
                                        mg_array* gamma,
                                        mg_array* beta,
                                        const mx_InstanceNorm_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {data, gamma, beta};
  static const char* const names[] = {"eps"};
  int32_t one = 1;
  return mx_call("InstanceNorm", 3, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_InstanceNorm_node(const mg_symbol* data,
                                             const mg_symbol* gamma,
                                             const mg_symbol* beta,
                                             const mx_InstanceNorm_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, gamma, beta};
  static const char* const words[] = {"data", "gamma", "beta"};
  static const char* const names[] = {"eps"};
  return mx_node("InstanceNorm", name, 3, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_L2Normalization_options {
  /* MX_REAL. Added to the sum of squares. Default: 1e-10. */
  mg_value eps;
  /* MX_TEXT. Which elements of (N, C, ...) form a vector: the channels of a position, a whole sample, or
   * the positions of a channel. One of "channel", "instance", "spatial". Default: 'instance'. */
  mg_value mode;
} mx_L2Normalization_options;
/* Divides each vector by the square root of its sum of squares plus eps. data: (N, ...) for mode
 * instance, else (N, C, ...) with at least three axes. */
static inline mg_status mx_L2Normalization(mg_array* data,
                                           const mx_L2Normalization_options* options,
                                           mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"eps", "mode"};
  int32_t one = 1;
  return mx_call("L2Normalization", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_L2Normalization_node(const mg_symbol* data,
                                                const mx_L2Normalization_options* options,
                                                const char* name,
                                                mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"eps", "mode"};
  return mx_node("L2Normalization", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_LRN_options {
  /* MX_REAL. Weight of the sum of squares. Default: 0.0001. */
  mg_value alpha;
  /* MX_REAL. Exponent. Default: 0.75. */
  mg_value beta;
  /* MX_REAL. Constant beside the sum. Default: 2.0. */
  mg_value knorm;
  /* MX_INT. Channels of a window: the own one in the middle. */
  mg_value nsize;
} mx_LRN_options;
/* x / (knorm + alpha / nsize * s)^beta, where s is the sum of squares over the nsize channels around x's.
 * data: (N, C, ...), floats. */
static inline mg_status mx_LRN(mg_array* data,
                               const mx_LRN_options* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"alpha", "beta", "knorm", "nsize"};
  int32_t one = 1;
  return mx_call("LRN", 1, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_LRN_node(const mg_symbol* data,
                                    const mx_LRN_options* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"alpha", "beta", "knorm", "nsize"};
  return mx_node("LRN", name, 1, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_LayerNorm_options {
  /* MX_INT. Axis of the vectors. Default: -1. */
  mg_value axis;
  /* MX_REAL. Added to the variance. Default: 1e-05. */
  mg_value eps;
  /* MX_BOOL. Also gives mean and standard deviation, sqrt(variance + eps); they pass no gradient on.
   * Default: False. */
  mg_value output_mean_var;
} mx_LayerNorm_options;
/* Vectors along an axis, shifted and scaled to mean 0 and variance 1, then times gamma plus beta. data:
 * Floats, at least one axis. Statistics are computed in float or double. gamma: (extent of the axis,):
 * scale. beta: (extent of the axis,): shift. */
static inline mg_status mx_LayerNorm(mg_array* data,
                                     mg_array* gamma,
                                     mg_array* beta,
                                     const mx_LayerNorm_options* options,
                                     int32_t* num_outputs,
                                     mg_array** outputs) {
  mg_array* const inputs[] = {data, gamma, beta};
  static const char* const names[] = {"axis", "eps", "output_mean_var"};
  return mx_call("LayerNorm", 3, inputs, 3, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_LayerNorm_node(const mg_symbol* data,
                                          const mg_symbol* gamma,
                                          const mg_symbol* beta,
                                          const mx_LayerNorm_options* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, gamma, beta};
  static const char* const words[] = {"data", "gamma", "beta"};
  static const char* const names[] = {"axis", "eps", "output_mean_var"};
  return mx_node("LayerNorm", name, 3, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_LeakyReLU_options {
  /* MX_TEXT. Which function. One of "elu", "gelu", "leaky", "prelu", "rrelu", "selu". Default: 'leaky'. */
  mg_value act_type;
  /* MX_REAL. Slope below 0 of leaky, scale below 0 of elu. Default: 0.25. */
  mg_value slope;
  /* MX_REAL. Smallest slope that rrelu draws. Default: 0.125. */
  mg_value lower_bound;
  /* MX_REAL. Largest slope that rrelu draws. Default: 0.334. */
  mg_value upper_bound;
} mx_LeakyReLU_options;
/* max(data, 0) plus something below 0: slope * data (leaky), gamma * data (prelu), slope * (e^data - 1)
 * (elu), a scaled elu (selu), data times a random slope in training and the mean slope otherwise (rrelu),
 * or data * Phi(data) with the normal distribution's Phi (gelu). rrelu also returns the factors it
 * applied. data: Any float array. gamma: Of prelu alone: one slope, one per channel (axis 1), or an array
 * that broadcasts along data's first axes. */
static inline mg_status mx_LeakyReLU(mg_array* data,
                                     mg_array* gamma,
                                     const mx_LeakyReLU_options* options,
                                     int32_t* num_outputs,
                                     mg_array** outputs) {
  mg_array* const inputs[] = {data, gamma};
  static const char* const names[] = {"act_type", "slope", "lower_bound", "upper_bound"};
  return mx_call("LeakyReLU", 2, inputs, 4, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_LeakyReLU_node(const mg_symbol* data,
                                          const mg_symbol* gamma,
                                          const mx_LeakyReLU_options* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, gamma};
  static const char* const words[] = {"data", "gamma"};
  static const char* const names[] = {"act_type", "slope", "lower_bound", "upper_bound"};
  return mx_node("LeakyReLU", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_LinearRegressionOutput_options {
  /* MX_REAL. Factor of the gradient. Default: 1.0. */
  mg_value grad_scale;
} mx_LinearRegressionOutput_options;
/* The input unchanged. Its gradient is (out - label) * grad_scale / outputs per row, whatever the
 * gradient of the output: that of half the squared error. data: (N, ...), floats. label: As many values,
 * (N, ...). Receives no gradient. */
static inline mg_status mx_LinearRegressionOutput(mg_array* data,
                                                  mg_array* label,
                                                  const mx_LinearRegressionOutput_options* options,
                                                  mg_array** out) {
  mg_array* const inputs[] = {data, label};
  static const char* const names[] = {"grad_scale"};
  int32_t one = 1;
  return mx_call("LinearRegressionOutput", 2, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_LinearRegressionOutput_node(const mg_symbol* data,
                                                       const mg_symbol* label,
                                                       const mx_LinearRegressionOutput_options* options,
                                                       const char* name,
                                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, label};
  static const char* const words[] = {"data", "label"};
  static const char* const names[] = {"grad_scale"};
  return mx_node("LinearRegressionOutput", name, 2, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_LogisticRegressionOutput_options {
  /* MX_REAL. Factor of the gradient. Default: 1.0. */
  mg_value grad_scale;
} mx_LogisticRegressionOutput_options;
/* Sigmoid of the input. Its gradient is (out - label) * grad_scale / outputs per row, whatever the
 * gradient of the output: that of the cross entropy. data: (N, ...), floats. label: As many values, (N,
 * ...). Receives no gradient. */
static inline mg_status mx_LogisticRegressionOutput(mg_array* data,
                                                    mg_array* label,
                                                    const mx_LogisticRegressionOutput_options* options,
                                                    mg_array** out) {
  mg_array* const inputs[] = {data, label};
  static const char* const names[] = {"grad_scale"};
  int32_t one = 1;
  return mx_call("LogisticRegressionOutput", 2, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_LogisticRegressionOutput_node(const mg_symbol* data,
                                                         const mg_symbol* label,
                                                         const mx_LogisticRegressionOutput_options* options,
                                                         const char* name,
                                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, label};
  static const char* const words[] = {"data", "label"};
  static const char* const names[] = {"grad_scale"};
  return mx_node("LogisticRegressionOutput", name, 2, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_MAERegressionOutput_options {
  /* MX_REAL. Factor of the gradient. Default: 1.0. */
  mg_value grad_scale;
} mx_MAERegressionOutput_options;
/* The input unchanged. Its gradient is sign(out - label) * grad_scale / outputs per row, whatever the
 * gradient of the output: that of the absolute error. data: (N, ...), floats. label: As many values, (N,
 * ...). Receives no gradient. */
static inline mg_status mx_MAERegressionOutput(mg_array* data,
                                               mg_array* label,
                                               const mx_MAERegressionOutput_options* options,
                                               mg_array** out) {
  mg_array* const inputs[] = {data, label};
  static const char* const names[] = {"grad_scale"};
  int32_t one = 1;
  return mx_call("MAERegressionOutput", 2, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_MAERegressionOutput_node(const mg_symbol* data,
                                                    const mg_symbol* label,
                                                    const mx_MAERegressionOutput_options* options,
                                                    const char* name,
                                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, label};
  static const char* const words[] = {"data", "label"};
  static const char* const names[] = {"grad_scale"};
  return mx_node("MAERegressionOutput", name, 2, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_MakeLoss_options {
  /* MX_REAL. The gradient of every element. Default: 1.0. */
  mg_value grad_scale;
  /* MX_REAL. Elements above it are valid. Default: 0.0. */
  mg_value valid_thresh;
  /* MX_TEXT. Divide the gradient by nothing, by the extent of the first of several axes, or by the number
   * of valid elements. One of "batch", "null", "valid". Default: 'null'. */
  mg_value normalization;
} mx_MakeLoss_options;
/* A copy whose gradient is grad_scale, normalised as asked, whatever gradient arrives. data: The loss. */
static inline mg_status mx_MakeLoss(mg_array* data,
                                    const mx_MakeLoss_options* options,
                                    mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"grad_scale", "valid_thresh", "normalization"};
  int32_t one = 1;
  return mx_call("MakeLoss", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_MakeLoss_node(const mg_symbol* data,
                                         const mx_MakeLoss_options* options,
                                         const char* name,
                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"grad_scale", "valid_thresh", "normalization"};
  return mx_node("MakeLoss", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_Pad_options {
  /* MX_TEXT. What the margin holds: one value, the nearest element, or a mirror image without the edge.
   * One of "constant", "edge", "reflect". */
  mg_value mode;
  /* MX_TUPLE of MX_INT. Two margins per axis: before and after. */
  mg_value pad_width;
  /* MX_REAL. The value of mode 'constant'. Default: 0.0. */
  mg_value constant_value;
} mx_Pad_options;
/* Adds margins around an array of any rank. data: Any array. */
static inline mg_status mx_Pad(mg_array* data,
                               const mx_Pad_options* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"mode", "pad_width", "constant_value"};
  int32_t one = 1;
  return mx_call("Pad", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Pad_node(const mg_symbol* data,
                                    const mx_Pad_options* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"mode", "pad_width", "constant_value"};
  return mx_node("Pad", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_Pooling_options {
  /* MX_TUPLE of MX_INT. Extents of the window: (w,), (h, w) or (d, h, w). Default: (). */
  mg_value kernel;
  /* MX_TEXT. What is taken of a window. One of "avg", "lp", "max", "sum". Default: 'max'. */
  mg_value pool_type;
  /* MX_BOOL. The window is the whole image; kernel, stride and pad are ignored. Default: False. */
  mg_value global_pool;
  /* MX_BOOL. Accepted and ignored. Default: False. */
  mg_value cudnn_off;
  /* MX_TEXT. Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride). One of
   * "full", "same", "valid". Default: 'valid'. */
  mg_value pooling_convention;
  /* MX_TUPLE of MX_INT. Steps of the window; empty means ones. Default: (). */
  mg_value stride;
  /* MX_TUPLE of MX_INT. Elements added at both ends of each axis; empty means none. Default: (). */
  mg_value pad;
  /* MX_INT. Power of the norm, 1, 2 or 3; for pool_type lp. Default: None. */
  mg_value p_value;
  /* MX_BOOL. Whether avg also counts padding; None is True. Default: None. */
  mg_value count_include_pad;
  /* MX_TEXT. Order of axes; None is channels first. One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC",
   * "NWC". Default: None. */
  mg_value layout;
} mx_Pooling_options;
/* One value per place of a window that moves over the spatial axes: its largest element, mean, sum, or
 * (sum of x^p)^(1/p). Padding never is the largest. data: Float array with one, two or three spatial
 * axes. */
static inline mg_status mx_Pooling(mg_array* data,
                                   const mx_Pooling_options* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {
      "kernel", "pool_type", "global_pool", "cudnn_off", "pooling_convention", "stride", "pad", "p_value",
      "count_include_pad", "layout"
  };
  int32_t one = 1;
  return mx_call("Pooling", 1, inputs, 10, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Pooling_node(const mg_symbol* data,
                                        const mx_Pooling_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {
      "kernel", "pool_type", "global_pool", "cudnn_off", "pooling_convention", "stride", "pad", "p_value",
      "count_include_pad", "layout"
  };
  return mx_node("Pooling", name, 1, words, inputs, 10, names, (const mg_value*)options, out);
}

typedef struct mx_RNN_options {
  /* MX_INT. Units of a layer and direction. */
  mg_value state_size;
  /* MX_INT. Layers on top of one another. */
  mg_value num_layers;
  /* MX_BOOL. Also run every layer from the last step to the first. Default: False. */
  mg_value bidirectional;
  /* MX_TEXT. Kind of cell. One of "gru", "lstm", "rnn_relu", "rnn_tanh". */
  mg_value mode;
  /* MX_REAL. While training, part of the inputs of the layers above the first that become 0. Default:
   * 0.0. */
  mg_value p;
  /* MX_BOOL. Also give the states after the last step. Default: False. */
  mg_value state_outputs;
  /* MX_INT. Of the LSTM: extent to which a matrix takes the state after every step. Default: None. */
  mg_value projection_size;
  /* MX_REAL. Lower bound of the LSTM's cells; given together with the upper one. Default: None. */
  mg_value lstm_state_clip_min;
  /* MX_REAL. Upper bound of the LSTM's cells. Default: None. */
  mg_value lstm_state_clip_max;
  /* MX_BOOL. With bounds: take NaN to the lower one. Default: False. */
  mg_value lstm_state_clip_nan;
  /* MX_BOOL. Whether sequence_length is given. Default: False. */
  mg_value use_sequence_length;
} mx_RNN_options;
/* Layers of recurrent cells over whole sequences, in one or both directions: (steps, batch, directions *
 * units), and with state_outputs the states (and cells) after the last step. The input's products of all
 * steps are one matrix product. data: (steps, batch, inputs), float. parameters: All weights, then all
 * biases. Of every layer and direction: input weights (gates * units, inputs), state weights (gates *
 * units, units), projection (size, units); then input and state biases. Gates are in, forget, new, out of
 * the LSTM, and reset, update, new of the GRU. state: (layers * directions, batch, units): the states
 * before the first step. state_cell: Of the LSTM: (layers * directions, batch, units), the cells before
 * the first step. sequence_length: (batch,): steps that count. Later ones give 0 and leave the states.
 * Receives no gradient. */
static inline mg_status mx_RNN(mg_array* data,
                               mg_array* parameters,
                               mg_array* state,
                               mg_array* state_cell,
                               mg_array* sequence_length,
                               const mx_RNN_options* options,
                               int32_t* num_outputs,
                               mg_array** outputs) {
  mg_array* const inputs[] = {data, parameters, state, state_cell, sequence_length};
  static const char* const names[] = {
      "state_size", "num_layers", "bidirectional", "mode", "p", "state_outputs", "projection_size",
      "lstm_state_clip_min", "lstm_state_clip_max", "lstm_state_clip_nan", "use_sequence_length"
  };
  return mx_call("RNN", 5, inputs, 11, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_RNN_node(const mg_symbol* data,
                                    const mg_symbol* parameters,
                                    const mg_symbol* state,
                                    const mg_symbol* state_cell,
                                    const mg_symbol* sequence_length,
                                    const mx_RNN_options* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, parameters, state, state_cell, sequence_length};
  static const char* const words[] = {"data", "parameters", "state", "state_cell", "sequence_length"};
  static const char* const names[] = {
      "state_size", "num_layers", "bidirectional", "mode", "p", "state_outputs", "projection_size",
      "lstm_state_clip_min", "lstm_state_clip_max", "lstm_state_clip_nan", "use_sequence_length"
  };
  return mx_node("RNN", name, 5, words, inputs, 11, names, (const mg_value*)options, out);
}

typedef struct mx_ROIPooling_options {
  /* MX_TUPLE of MX_INT. Rows and columns of the grid. */
  mg_value pooled_size;
  /* MX_REAL. Factor from the regions' coordinates to rows and columns of data. */
  mg_value spatial_scale;
} mx_ROIPooling_options;
/* (regions, channels, rows, columns): each region of an image is divided into a grid, and every cell
 * gives the largest value in it, 0 where it lies outside of the image. data: Images (batch, channels,
 * height, width), float. rois: (regions, 5): the image's number, then left, top, right and bottom, all
 * inclusive. A negative number gives zeros. Receives no gradient. */
static inline mg_status mx_ROIPooling(mg_array* data,
                                      mg_array* rois,
                                      const mx_ROIPooling_options* options,
                                      int32_t* num_outputs,
                                      mg_array** outputs) {
  mg_array* const inputs[] = {data, rois};
  static const char* const names[] = {"pooled_size", "spatial_scale"};
  return mx_call("ROIPooling", 2, inputs, 2, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_ROIPooling_node(const mg_symbol* data,
                                           const mg_symbol* rois,
                                           const mx_ROIPooling_options* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, rois};
  static const char* const words[] = {"data", "rois"};
  static const char* const names[] = {"pooled_size", "spatial_scale"};
  return mx_node("ROIPooling", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_Reshape_options {
  /* MX_TUPLE of MX_INT. Extents or codes: 0 keeps an extent, -1 is inferred, -2 keeps the rest, -3 merges
   * two, -4 splits one. Default: (). */
  mg_value shape;
  /* MX_BOOL. Match the codes from the last axis. Default: False. */
  mg_value reverse;
  /* MX_TUPLE of MX_INT. Older form of shape, in which 0 is inferred. Default: (). */
  mg_value target_shape;
  /* MX_BOOL. Keep the first extent; only with target_shape. Default: False. */
  mg_value keep_highest;
} mx_Reshape_options;
/* The input's elements in order, in the shape that extents and codes ask for. data: Any array. */
static inline mg_status mx_Reshape(mg_array* data,
                                   const mx_Reshape_options* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"shape", "reverse", "target_shape", "keep_highest"};
  int32_t one = 1;
  return mx_call("Reshape", 1, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_Reshape_node(const mg_symbol* data,
                                        const mx_Reshape_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"shape", "reverse", "target_shape", "keep_highest"};
  return mx_node("Reshape", name, 1, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_SVMOutput_options {
  /* MX_REAL. Distance from the border below which a score costs. Default: 1.0. */
  mg_value margin;
  /* MX_REAL. Factor of the gradient. Default: 1.0. */
  mg_value regularization_coefficient;
  /* MX_BOOL. Linear rather than squared hinge. Default: False. */
  mg_value use_linear;
} mx_SVMOutput_options;
/* The scores unchanged. Their gradient is that of the hinge loss of each class against the rest, whatever
 * the gradient of the output. data: (N, C), scores of C classes. label: (N,), class numbers. Receives no
 * gradient. */
static inline mg_status mx_SVMOutput(mg_array* data,
                                     mg_array* label,
                                     const mx_SVMOutput_options* options,
                                     mg_array** out) {
  mg_array* const inputs[] = {data, label};
  static const char* const names[] = {"margin", "regularization_coefficient", "use_linear"};
  int32_t one = 1;
  return mx_call("SVMOutput", 2, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_SVMOutput_node(const mg_symbol* data,
                                          const mg_symbol* label,
                                          const mx_SVMOutput_options* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, label};
  static const char* const words[] = {"data", "label"};
  static const char* const names[] = {"margin", "regularization_coefficient", "use_linear"};
  return mx_node("SVMOutput", name, 2, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_SequenceLast_options {
  /* MX_BOOL. Whether sequence_length is given; otherwise all sequences are whole. Default: False. */
  mg_value use_sequence_length;
  /* MX_INT. Axis of time, 0 or 1; the other one counts sequences. Default: 0. */
  mg_value axis;
} mx_SequenceLast_options;
/* The last step of each sequence; a sequence of length 0 gives its first step. data: (T, N, ...), or (N,
 * T, ...) with axis 1. sequence_length: (N,); clipped to [0, T]. */
static inline mg_status mx_SequenceLast(mg_array* data,
                                        mg_array* sequence_length,
                                        const mx_SequenceLast_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {data, sequence_length};
  static const char* const names[] = {"use_sequence_length", "axis"};
  int32_t one = 1;
  return mx_call("SequenceLast", 2, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_SequenceLast_node(const mg_symbol* data,
                                             const mg_symbol* sequence_length,
                                             const mx_SequenceLast_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, sequence_length};
  static const char* const words[] = {"data", "sequence_length"};
  static const char* const names[] = {"use_sequence_length", "axis"};
  return mx_node("SequenceLast", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_SequenceMask_options {
  /* MX_BOOL. Whether sequence_length is given; otherwise nothing is masked. Default: False. */
  mg_value use_sequence_length;
  /* MX_REAL. What masked elements become. Default: 0.0. */
  mg_value value;
  /* MX_INT. Axis of time, 0 or 1; the other one counts sequences. Default: 0. */
  mg_value axis;
} mx_SequenceMask_options;
/* Sets every step behind the end of its sequence to a value. data: (T, N, ...), or (N, T, ...) with axis
 * 1. sequence_length: (N,); clipped to [0, T]. */
static inline mg_status mx_SequenceMask(mg_array* data,
                                        mg_array* sequence_length,
                                        const mx_SequenceMask_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {data, sequence_length};
  static const char* const names[] = {"use_sequence_length", "value", "axis"};
  int32_t one = 1;
  return mx_call("SequenceMask", 2, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_SequenceMask_node(const mg_symbol* data,
                                             const mg_symbol* sequence_length,
                                             const mx_SequenceMask_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, sequence_length};
  static const char* const words[] = {"data", "sequence_length"};
  static const char* const names[] = {"use_sequence_length", "value", "axis"};
  return mx_node("SequenceMask", name, 2, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_SequenceReverse_options {
  /* MX_BOOL. Whether sequence_length is given; otherwise all sequences are whole. Default: False. */
  mg_value use_sequence_length;
  /* MX_INT. Axis of time, 0 or 1; the other one counts sequences. Default: 0. */
  mg_value axis;
} mx_SequenceReverse_options;
/* Reverses the steps of each sequence and leaves what lies behind its end. data: (T, N, ...), or (N, T,
 * ...) with axis 1. sequence_length: (N,); clipped to [0, T]. */
static inline mg_status mx_SequenceReverse(mg_array* data,
                                           mg_array* sequence_length,
                                           const mx_SequenceReverse_options* options,
                                           mg_array** out) {
  mg_array* const inputs[] = {data, sequence_length};
  static const char* const names[] = {"use_sequence_length", "axis"};
  int32_t one = 1;
  return mx_call("SequenceReverse", 2, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_SequenceReverse_node(const mg_symbol* data,
                                                const mg_symbol* sequence_length,
                                                const mx_SequenceReverse_options* options,
                                                const char* name,
                                                mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, sequence_length};
  static const char* const words[] = {"data", "sequence_length"};
  static const char* const names[] = {"use_sequence_length", "axis"};
  return mx_node("SequenceReverse", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_SliceChannel_options {
  /* MX_INT. Number of equal parts. */
  mg_value num_outputs;
  /* MX_INT. The axis that is cut. Default: 1. */
  mg_value axis;
  /* MX_BOOL. Drop the axis; each part must have extent 1. Default: False. */
  mg_value squeeze_axis;
} mx_SliceChannel_options;
/* Cuts an array along an axis into equal parts. data: Any array with an extent that divides. */
static inline mg_status mx_SliceChannel(mg_array* data,
                                        const mx_SliceChannel_options* options,
                                        int32_t* num_outputs,
                                        mg_array** outputs) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"num_outputs", "axis", "squeeze_axis"};
  return mx_call("SliceChannel", 1, inputs, 3, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_SliceChannel_node(const mg_symbol* data,
                                             const mx_SliceChannel_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"num_outputs", "axis", "squeeze_axis"};
  return mx_node("SliceChannel", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_SoftmaxActivation_options {
  /* MX_TEXT. instance: over the last axis; channel: over axis 1. One of "channel", "instance". Default:
   * 'instance'. */
  mg_value mode;
} mx_SoftmaxActivation_options;
/* Softmax over the last axis, or over the channels of each position. data: (N, C, ...), floats. */
static inline mg_status mx_SoftmaxActivation(mg_array* data,
                                             const mx_SoftmaxActivation_options* options,
                                             mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"mode"};
  int32_t one = 1;
  return mx_call("SoftmaxActivation", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_SoftmaxActivation_node(const mg_symbol* data,
                                                  const mx_SoftmaxActivation_options* options,
                                                  const char* name,
                                                  mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"mode"};
  return mx_node("SoftmaxActivation", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_SoftmaxOutput_options {
  /* MX_REAL. Factor of the gradient. Default: 1.0. */
  mg_value grad_scale;
  /* MX_REAL. Label that stands for no class; without gradient when use_ignore is set. Default: -1.0. */
  mg_value ignore_label;
  /* MX_BOOL. Softmax over axis 1, with a label per position. Default: False. */
  mg_value multi_output;
  /* MX_BOOL. Whether ignore_label counts. Default: False. */
  mg_value use_ignore;
  /* MX_BOOL. Softmax over the last axis. Default: False. */
  mg_value preserve_shape;
  /* MX_TEXT. The gradient is divided by the batch size, by nothing, or by the number of labels that
   * count. One of "batch", "null", "valid". Default: 'null'. */
  mg_value normalization;
  /* MX_BOOL. Multiplies the gradient by that of the output. Default: False. */
  mg_value out_grad;
  /* MX_REAL. Share of the target spread evenly over the other classes; not with multi_output. Default:
   * 0.0. */
  mg_value smooth_alpha;
} mx_SoftmaxOutput_options;
/* Softmax whose gradient is softmax minus target: that of the cross entropy with the label. It ignores
 * the gradient of its output unless out_grad is set, and has no second derivative. data: (N, C) or (N, C,
 * ...): scores of C classes. Without multi_output and preserve_shape the axes after the first form one
 * vector. label: Class numbers, one per vector; or probabilities, of data's shape. Every class counts as
 * wrong where the number is none of them. Receives no gradient. */
static inline mg_status mx_SoftmaxOutput(mg_array* data,
                                         mg_array* label,
                                         const mx_SoftmaxOutput_options* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {data, label};
  static const char* const names[] = {
      "grad_scale", "ignore_label", "multi_output", "use_ignore", "preserve_shape", "normalization",
      "out_grad", "smooth_alpha"
  };
  int32_t one = 1;
  return mx_call("SoftmaxOutput", 2, inputs, 8, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_SoftmaxOutput_node(const mg_symbol* data,
                                              const mg_symbol* label,
                                              const mx_SoftmaxOutput_options* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, label};
  static const char* const words[] = {"data", "label"};
  static const char* const names[] = {
      "grad_scale", "ignore_label", "multi_output", "use_ignore", "preserve_shape", "normalization",
      "out_grad", "smooth_alpha"
  };
  return mx_node("SoftmaxOutput", name, 2, words, inputs, 8, names, (const mg_value*)options, out);
}

typedef struct mx_SparseEmbedding_options {
  /* MX_INT. Number of rows of weight. */
  mg_value input_dim;
  /* MX_INT. Extent of a row. */
  mg_value output_dim;
  /* MX_TEXT. Dtype of weight where nothing else says it. Default: 'float32'. */
  mg_value dtype;
  /* MX_BOOL. Has no effect: gradients are always added in one order. Default: False. */
  mg_value deterministic;
} mx_SparseEmbedding_options;
/* The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped. data:
 * Indices of any shape and dtype; fractions are cut off. weight: (input_dim, output_dim) */
static inline mg_status mx_SparseEmbedding(mg_array* data,
                                           mg_array* weight,
                                           const mx_SparseEmbedding_options* options,
                                           mg_array** out) {
  mg_array* const inputs[] = {data, weight};
  static const char* const names[] = {"input_dim", "output_dim", "dtype", "deterministic"};
  int32_t one = 1;
  return mx_call("_contrib_SparseEmbedding", 2, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_SparseEmbedding_node(const mg_symbol* data,
                                                const mg_symbol* weight,
                                                const mx_SparseEmbedding_options* options,
                                                const char* name,
                                                mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, weight};
  static const char* const words[] = {"data", "weight"};
  static const char* const names[] = {"input_dim", "output_dim", "dtype", "deterministic"};
  return mx_node("_contrib_SparseEmbedding", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_SpatialTransformer_options {
  /* MX_TUPLE of MX_INT. Height and width of the output. Default: (0, 0). */
  mg_value target_shape;
  /* MX_TEXT. Kind of map. One of "affine". */
  mg_value transform_type;
  /* MX_TEXT. Kind of interpolation. One of "bilinear". */
  mg_value sampler_type;
  /* MX_BOOL. Accepted for MXNet's scripts; has no effect. Default: None. */
  mg_value cudnn_off;
} mx_SpatialTransformer_options;
/* BilinearSampler of data at the grid that GridGenerator makes of the maps: (batch, channels, rows,
 * columns). data: Images (batch, channels, height, width), float. loc: (batch, 6): the rows of 2 x 3
 * matrices, from (x, y, 1) in the output to (x, y) in data. */
static inline mg_status mx_SpatialTransformer(mg_array* data,
                                              mg_array* loc,
                                              const mx_SpatialTransformer_options* options,
                                              int32_t* num_outputs,
                                              mg_array** outputs) {
  mg_array* const inputs[] = {data, loc};
  static const char* const names[] = {"target_shape", "transform_type", "sampler_type", "cudnn_off"};
  return mx_call("SpatialTransformer", 2, inputs, 4, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_SpatialTransformer_node(const mg_symbol* data,
                                                   const mg_symbol* loc,
                                                   const mx_SpatialTransformer_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, loc};
  static const char* const words[] = {"data", "loc"};
  static const char* const names[] = {"target_shape", "transform_type", "sampler_type", "cudnn_off"};
  return mx_node("SpatialTransformer", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_SwapAxis_options {
  /* MX_INT. One axis. Default: 0. */
  mg_value dim1;
  /* MX_INT. The other axis. Default: 0. */
  mg_value dim2;
} mx_SwapAxis_options;
/* Exchanges two axes. data: Any array. */
static inline mg_status mx_SwapAxis(mg_array* data,
                                    const mx_SwapAxis_options* options,
                                    mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"dim1", "dim2"};
  int32_t one = 1;
  return mx_call("SwapAxis", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_SwapAxis_node(const mg_symbol* data,
                                         const mx_SwapAxis_options* options,
                                         const char* name,
                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"dim1", "dim2"};
  return mx_node("SwapAxis", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_UpSampling_options {
  /* MX_INT. Factor of both extents of the first input. */
  mg_value scale;
  /* MX_INT. Number of channels; only for bilinear. Default: 0. */
  mg_value num_filter;
  /* MX_TEXT. Whether pixels are repeated, or spread by a window of weights. One of "bilinear", "nearest". */
  mg_value sample_type;
  /* MX_TEXT. What becomes of several inputs: their channels one after the other, or their sum. One of
   * "concat", "sum". Default: 'concat'. */
  mg_value multi_input_mode;
  /* MX_INT. Accepted and ignored. Default: 512. */
  mg_value workspace;
} mx_UpSampling_options;
/* Images (n, channels, height, width) enlarged `scale` times. nearest repeats pixels and takes any number
 * of inputs, each enlarged to the size that the first one gets; bilinear is a Deconvolution per channel,
 * with weights (channels, 1, k, k) as second input, k = 2 scale - scale % 2. data: Images of a float
 * dtype; for bilinear an image and the weights. */
static inline mg_status mx_UpSampling(int32_t count,
                                      mg_array* const* data,
                                      const mx_UpSampling_options* options,
                                      mg_array** out) {
  static const char* const names[] = {"scale", "num_filter", "sample_type", "multi_input_mode", "workspace"};
  int32_t one = 1;
  return mx_call("UpSampling", count, data, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_UpSampling_node(int32_t count,
                                           const mg_symbol* const* data,
                                           const mx_UpSampling_options* options,
                                           const char* name,
                                           mg_symbol** out) {
  static const char* const names[] = {"scale", "num_filter", "sample_type", "multi_input_mode", "workspace"};
  return mx_node("UpSampling", name, count, NULL, data, 5, names, (const mg_value*)options, out);
}

/* Absolute value. data: Any array. */
static inline mg_status mx_abs(mg_array* data,
                               const void* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("abs", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_abs_node(const mg_symbol* data,
                                    const void* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("abs", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_adagrad_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Added under the root. Default: 1e-07. */
  mg_value epsilon;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the step. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
} mx_adagrad_update_options;
/* history += g^2 with g = clip(rescale_grad * grad); the new weight is weight - lr * (g / sqrt(history +
 * epsilon) + wd * weight). weight: Weights, any float dtype. grad: Gradient, of the weight's shape.
 * history: Accumulated square of the gradient; changed in place. */
static inline mg_status mx_adagrad_update(mg_array* weight,
                                          mg_array* grad,
                                          mg_array* history,
                                          const mx_adagrad_update_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {weight, grad, history};
  static const char* const names[] = {"lr", "epsilon", "wd", "rescale_grad", "clip_gradient"};
  int32_t one = 1;
  return mx_call("_sparse_adagrad_update", 3, inputs, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_adagrad_update_node(const mg_symbol* weight,
                                               const mg_symbol* grad,
                                               const mg_symbol* history,
                                               const mx_adagrad_update_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, history};
  static const char* const words[] = {"weight", "grad", "history"};
  static const char* const names[] = {"lr", "epsilon", "wd", "rescale_grad", "clip_gradient"};
  return mx_node("_sparse_adagrad_update", name, 3, words, inputs, 5, names, (const mg_value*)options, out);
}

typedef struct mx_adam_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Part of the first moment that is kept. Default: 0.9. */
  mg_value beta1;
  /* MX_REAL. Part of the second moment that is kept. Default: 0.999. */
  mg_value beta2;
  /* MX_REAL. Added to the root of the second moment. Default: 1e-08. */
  mg_value epsilon;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_BOOL. Accepted for MXNet's sparse gradients; has no effect. Default: True. */
  mg_value lazy_update;
} mx_adam_update_options;
/* Adam without bias correction (scale lr for that): g = clip(rescale_grad * grad + wd * weight), mean =
 * beta1 * mean + (1 - beta1) * g, var = beta2 * var + (1 - beta2) * g^2; the new weight is weight - lr *
 * mean / (sqrt(var) + epsilon). weight: Weights, any float dtype. grad: Gradient, of the weight's shape.
 * mean: First moment; changed in place. var: Second moment; changed in place. */
static inline mg_status mx_adam_update(mg_array* weight,
                                       mg_array* grad,
                                       mg_array* mean,
                                       mg_array* var,
                                       const mx_adam_update_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {weight, grad, mean, var};
  static const char* const names[] = {
      "lr", "beta1", "beta2", "epsilon", "wd", "rescale_grad", "clip_gradient", "lazy_update"
  };
  int32_t one = 1;
  return mx_call("adam_update", 4, inputs, 8, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_adam_update_node(const mg_symbol* weight,
                                            const mg_symbol* grad,
                                            const mg_symbol* mean,
                                            const mg_symbol* var,
                                            const mx_adam_update_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, mean, var};
  static const char* const words[] = {"weight", "grad", "mean", "var"};
  static const char* const names[] = {
      "lr", "beta1", "beta2", "epsilon", "wd", "rescale_grad", "clip_gradient", "lazy_update"
  };
  return mx_node("adam_update", name, 4, words, inputs, 8, names, (const mg_value*)options, out);
}

/* Sum of any number of arrays of one shape and dtype. args: The arrays. */
static inline mg_status mx_add_n(int32_t count,
                                 mg_array* const* args,
                                 const void* options,
                                 mg_array** out) {
  (void)options;
  int32_t one = 1;
  return mx_call("add_n", count, args, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_add_n_node(int32_t count,
                                      const mg_symbol* const* args,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  (void)options;
  return mx_node("add_n", name, count, NULL, args, 0, NULL, NULL, out);
}

typedef struct mx_all_finite_options {
  /* MX_BOOL. False keeps a 0 that the given output holds, so that several calls add up. Default: True. */
  mg_value init_output;
} mx_all_finite_options;
/* 1 if no element is infinite or NaN, else 0; float32 of shape (1,). data: Any array. */
static inline mg_status mx_all_finite(mg_array* data,
                                      const mx_all_finite_options* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"init_output"};
  int32_t one = 1;
  return mx_call("all_finite", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_all_finite_node(const mg_symbol* data,
                                           const mx_all_finite_options* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"init_output"};
  return mx_node("all_finite", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_amp_cast_options {
  /* MX_TEXT. Element type of the output. */
  mg_value dtype;
} mx_amp_cast_options;
/* Changes the element type of floats; arrays of float64 and of integers are copied. data: Any array. */
static inline mg_status mx_amp_cast(mg_array* data,
                                    const mx_amp_cast_options* options,
                                    mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"dtype"};
  int32_t one = 1;
  return mx_call("amp_cast", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_amp_cast_node(const mg_symbol* data,
                                         const mx_amp_cast_options* options,
                                         const char* name,
                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"dtype"};
  return mx_node("amp_cast", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_amp_multicast_options {
  /* MX_BOOL. Take the narrowest float type instead of the widest. Default: False. */
  mg_value cast_narrow;
} mx_amp_multicast_options;
/* Brings floats of several types to the widest type among them; arrays of float64 and of integers are
 * copied. data: Arrays of any shapes. */
static inline mg_status mx_amp_multicast(int32_t count,
                                         mg_array* const* data,
                                         const mx_amp_multicast_options* options,
                                         int32_t* num_outputs,
                                         mg_array** outputs) {
  static const char* const names[] = {"cast_narrow"};
  return mx_call("amp_multicast", count, data, 1, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_amp_multicast_node(int32_t count,
                                              const mg_symbol* const* data,
                                              const mx_amp_multicast_options* options,
                                              const char* name,
                                              mg_symbol** out) {
  static const char* const names[] = {"cast_narrow"};
  return mx_node("amp_multicast", name, count, NULL, data, 1, names, (const mg_value*)options, out);
}

/* Inverse cosine, in [0, pi]; NaN beyond 1. data: Any array. */
static inline mg_status mx_arccos(mg_array* data,
                                  const void* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("arccos", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_arccos_node(const mg_symbol* data,
                                       const void* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("arccos", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Inverse hyperbolic cosine; NaN below 1. data: Any array. */
static inline mg_status mx_arccosh(mg_array* data,
                                   const void* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("arccosh", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_arccosh_node(const mg_symbol* data,
                                        const void* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("arccosh", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Inverse sine, in [-pi/2, pi/2]; NaN beyond 1. data: Any array. */
static inline mg_status mx_arcsin(mg_array* data,
                                  const void* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("arcsin", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_arcsin_node(const mg_symbol* data,
                                       const void* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("arcsin", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Inverse hyperbolic sine. data: Any array. */
static inline mg_status mx_arcsinh(mg_array* data,
                                   const void* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("arcsinh", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_arcsinh_node(const mg_symbol* data,
                                        const void* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("arcsinh", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Inverse tangent, in (-pi/2, pi/2). data: Any array. */
static inline mg_status mx_arctan(mg_array* data,
                                  const void* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("arctan", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_arctan_node(const mg_symbol* data,
                                       const void* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("arctan", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Inverse hyperbolic tangent; NaN beyond 1. data: Any array. */
static inline mg_status mx_arctanh(mg_array* data,
                                   const void* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("arctanh", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_arctanh_node(const mg_symbol* data,
                                        const void* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("arctanh", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_argmax_options {
  /* MX_INT. Axis to search; None searches the flattened array. Default: None. */
  mg_value axis;
  /* MX_BOOL. Keeps the searched axis, with extent 1. Default: False. */
  mg_value keepdims;
} mx_argmax_options;
/* Place of the largest element along an axis: the first one, or the first NaN. data: Any array. The
 * places come in its dtype, which must be able to hold them. */
static inline mg_status mx_argmax(mg_array* data,
                                  const mx_argmax_options* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "keepdims"};
  int32_t one = 1;
  return mx_call("argmax", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_argmax_node(const mg_symbol* data,
                                       const mx_argmax_options* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "keepdims"};
  return mx_node("argmax", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

/* Place of the largest element along axis 1: classes from an array of scores (N, C, ...). data: Scores,
 * at least two axes. */
static inline mg_status mx_argmax_channel(mg_array* data,
                                          const void* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("argmax_channel", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_argmax_channel_node(const mg_symbol* data,
                                               const void* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("argmax_channel", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_argmin_options {
  /* MX_INT. Axis to search; None searches the flattened array. Default: None. */
  mg_value axis;
  /* MX_BOOL. Keeps the searched axis, with extent 1. Default: False. */
  mg_value keepdims;
} mx_argmin_options;
/* Place of the smallest element along an axis: the first one, or the first NaN. data: Any array. The
 * places come in its dtype, which must be able to hold them. */
static inline mg_status mx_argmin(mg_array* data,
                                  const mx_argmin_options* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "keepdims"};
  int32_t one = 1;
  return mx_call("argmin", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_argmin_node(const mg_symbol* data,
                                       const mx_argmin_options* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "keepdims"};
  return mx_node("argmin", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_argsort_options {
  /* MX_INT. The sorted axis; None sorts the flattened array. Default: -1. */
  mg_value axis;
  /* MX_BOOL. Smallest first. Default: True. */
  mg_value is_ascend;
  /* MX_TEXT. Element type of the indices. Default: 'float32'. */
  mg_value dtype;
} mx_argsort_options;
/* Indices that sort along an axis. Equal elements keep their order; NaN counts as larger than all. data:
 * Any array. */
static inline mg_status mx_argsort(mg_array* data,
                                   const mx_argsort_options* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "is_ascend", "dtype"};
  int32_t one = 1;
  return mx_call("argsort", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_argsort_node(const mg_symbol* data,
                                        const mx_argsort_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "is_ascend", "dtype"};
  return mx_node("argsort", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_batch_dot_options {
  /* MX_BOOL. Use the transposes of lhs. Default: False. */
  mg_value transpose_a;
  /* MX_BOOL. Use the transposes of rhs. Default: False. */
  mg_value transpose_b;
  /* MX_TEXT. Accepted and ignored: results are dense. One of "csr", "default", "row_sparse". Default:
   * None. */
  mg_value forward_stype;
} mx_batch_dot_options;
/* Matrix products over the last two axes; all leading axes are equal. lhs: Float array of at least two
 * axes. rhs: Float array of the same dtype and number of axes. */
static inline mg_status mx_batch_dot(mg_array* lhs,
                                     mg_array* rhs,
                                     const mx_batch_dot_options* options,
                                     mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  static const char* const names[] = {"transpose_a", "transpose_b", "forward_stype"};
  int32_t one = 1;
  return mx_call("batch_dot", 2, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_batch_dot_node(const mg_symbol* lhs,
                                          const mg_symbol* rhs,
                                          const mx_batch_dot_options* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  static const char* const names[] = {"transpose_a", "transpose_b", "forward_stype"};
  return mx_node("batch_dot", name, 2, words, inputs, 3, names, (const mg_value*)options, out);
}

/* out[i] = a[i, indices[i]]; indices outside are clipped. a: (N, C) indices: (N,) */
static inline mg_status mx_batch_take(mg_array* a,
                                      mg_array* indices,
                                      const void* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {a, indices};
  (void)options;
  int32_t one = 1;
  return mx_call("batch_take", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_batch_take_node(const mg_symbol* a,
                                           const mg_symbol* indices,
                                           const void* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {a, indices};
  static const char* const words[] = {"a", "indices"};
  (void)options;
  return mx_node("batch_take", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Sum of two arrays. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_add(mg_array* lhs,
                                         mg_array* rhs,
                                         const void* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_add", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_add_node(const mg_symbol* lhs,
                                              const mg_symbol* rhs,
                                              const void* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_add", name, 2, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_broadcast_axis_options {
  /* MX_TUPLE of MX_INT. Axes of extent 1. Default: (). */
  mg_value axis;
  /* MX_TUPLE of MX_INT. The extents they get. Default: (). */
  mg_value size;
} mx_broadcast_axis_options;
/* Repeats axes of extent 1 up to the given sizes. data: Any array. */
static inline mg_status mx_broadcast_axis(mg_array* data,
                                          const mx_broadcast_axis_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "size"};
  int32_t one = 1;
  return mx_call("broadcast_axis", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_broadcast_axis_node(const mg_symbol* data,
                                               const mx_broadcast_axis_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "size"};
  return mx_node("broadcast_axis", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

/* Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0. lhs: First
 * operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_div(mg_array* lhs,
                                         mg_array* rhs,
                                         const void* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_div", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_div_node(const mg_symbol* lhs,
                                              const mg_symbol* rhs,
                                              const void* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_div", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* 1 where x == y, else 0. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_equal(mg_array* lhs,
                                           mg_array* rhs,
                                           const void* options,
                                           mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_equal", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_equal_node(const mg_symbol* lhs,
                                                const mg_symbol* rhs,
                                                const void* options,
                                                const char* name,
                                                mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_equal", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Quotient of two arrays, rounded down as by Python's //; an integer divided by 0 gives 0. lhs: First
 * operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_floor_divide(mg_array* lhs,
                                                  mg_array* rhs,
                                                  const void* options,
                                                  mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_floor_divide", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_floor_divide_node(const mg_symbol* lhs,
                                                       const mg_symbol* rhs,
                                                       const void* options,
                                                       const char* name,
                                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_floor_divide", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* 1 where x > y, else 0. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_greater(mg_array* lhs,
                                             mg_array* rhs,
                                             const void* options,
                                             mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_greater", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_greater_node(const mg_symbol* lhs,
                                                  const mg_symbol* rhs,
                                                  const void* options,
                                                  const char* name,
                                                  mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_greater", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* 1 where x >= y, else 0. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_greater_equal(mg_array* lhs,
                                                   mg_array* rhs,
                                                   const void* options,
                                                   mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_greater_equal", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_greater_equal_node(const mg_symbol* lhs,
                                                        const mg_symbol* rhs,
                                                        const void* options,
                                                        const char* name,
                                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_greater_equal", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Length of the vector (x, y). lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_hypot(mg_array* lhs,
                                           mg_array* rhs,
                                           const void* options,
                                           mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_hypot", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_hypot_node(const mg_symbol* lhs,
                                                const mg_symbol* rhs,
                                                const void* options,
                                                const char* name,
                                                mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_hypot", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* 1 where x < y, else 0. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_lesser(mg_array* lhs,
                                            mg_array* rhs,
                                            const void* options,
                                            mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_lesser", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_lesser_node(const mg_symbol* lhs,
                                                 const mg_symbol* rhs,
                                                 const void* options,
                                                 const char* name,
                                                 mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_lesser", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* 1 where x <= y, else 0. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_lesser_equal(mg_array* lhs,
                                                  mg_array* rhs,
                                                  const void* options,
                                                  mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_lesser_equal", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_lesser_equal_node(const mg_symbol* lhs,
                                                       const mg_symbol* rhs,
                                                       const void* options,
                                                       const char* name,
                                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_lesser_equal", name, 2, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_broadcast_like_options {
  /* MX_TUPLE of MX_INT. Axes of lhs that grow; None is all. Default: None. */
  mg_value lhs_axes;
  /* MX_TUPLE of MX_INT. Axes of rhs whose extents they take. Default: None. */
  mg_value rhs_axes;
} mx_broadcast_like_options;
/* Repeats axes of extent 1 of lhs until they have rhs's extents, on all axes or on pairs of axes. lhs:
 * The elements. rhs: Gives extents; its elements are not read. */
static inline mg_status mx_broadcast_like(mg_array* lhs,
                                          mg_array* rhs,
                                          const mx_broadcast_like_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  static const char* const names[] = {"lhs_axes", "rhs_axes"};
  int32_t one = 1;
  return mx_call("broadcast_like", 2, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_broadcast_like_node(const mg_symbol* lhs,
                                               const mg_symbol* rhs,
                                               const mx_broadcast_like_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  static const char* const names[] = {"lhs_axes", "rhs_axes"};
  return mx_node("broadcast_like", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

/* 1 where both are not 0, else 0. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_logical_and(mg_array* lhs,
                                                 mg_array* rhs,
                                                 const void* options,
                                                 mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_logical_and", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_logical_and_node(const mg_symbol* lhs,
                                                      const mg_symbol* rhs,
                                                      const void* options,
                                                      const char* name,
                                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_logical_and", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* 1 where either is not 0, else 0. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_logical_or(mg_array* lhs,
                                                mg_array* rhs,
                                                const void* options,
                                                mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_logical_or", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_logical_or_node(const mg_symbol* lhs,
                                                     const mg_symbol* rhs,
                                                     const void* options,
                                                     const char* name,
                                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_logical_or", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* 1 where exactly one is not 0, else 0. lhs: First operand. rhs: Second operand; shapes broadcast as in
 * NumPy. */
static inline mg_status mx_broadcast_logical_xor(mg_array* lhs,
                                                 mg_array* rhs,
                                                 const void* options,
                                                 mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_logical_xor", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_logical_xor_node(const mg_symbol* lhs,
                                                      const mg_symbol* rhs,
                                                      const void* options,
                                                      const char* name,
                                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_logical_xor", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Larger of two values. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_maximum(mg_array* lhs,
                                             mg_array* rhs,
                                             const void* options,
                                             mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_maximum", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_maximum_node(const mg_symbol* lhs,
                                                  const mg_symbol* rhs,
                                                  const void* options,
                                                  const char* name,
                                                  mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_maximum", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Smaller of two values. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_minimum(mg_array* lhs,
                                             mg_array* rhs,
                                             const void* options,
                                             mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_minimum", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_minimum_node(const mg_symbol* lhs,
                                                  const mg_symbol* rhs,
                                                  const void* options,
                                                  const char* name,
                                                  mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_minimum", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0. lhs: First operand. rhs:
 * Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_mod(mg_array* lhs,
                                         mg_array* rhs,
                                         const void* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_mod", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_mod_node(const mg_symbol* lhs,
                                              const mg_symbol* rhs,
                                              const void* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_mod", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Product of two arrays, element by element. lhs: First operand. rhs: Second operand; shapes broadcast as
 * in NumPy. */
static inline mg_status mx_broadcast_mul(mg_array* lhs,
                                         mg_array* rhs,
                                         const void* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_mul", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_mul_node(const mg_symbol* lhs,
                                              const mg_symbol* rhs,
                                              const void* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_mul", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* 1 where x != y, else 0. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_not_equal(mg_array* lhs,
                                               mg_array* rhs,
                                               const void* options,
                                               mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_not_equal", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_not_equal_node(const mg_symbol* lhs,
                                                    const mg_symbol* rhs,
                                                    const void* options,
                                                    const char* name,
                                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_not_equal", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* First operand raised to the power of the second. lhs: First operand. rhs: Second operand; shapes
 * broadcast as in NumPy. */
static inline mg_status mx_broadcast_power(mg_array* lhs,
                                           mg_array* rhs,
                                           const void* options,
                                           mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_power", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_power_node(const mg_symbol* lhs,
                                                const mg_symbol* rhs,
                                                const void* options,
                                                const char* name,
                                                mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_power", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Difference of two arrays. lhs: First operand. rhs: Second operand; shapes broadcast as in NumPy. */
static inline mg_status mx_broadcast_sub(mg_array* lhs,
                                         mg_array* rhs,
                                         const void* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("broadcast_sub", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_broadcast_sub_node(const mg_symbol* lhs,
                                              const mg_symbol* rhs,
                                              const void* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("broadcast_sub", name, 2, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_broadcast_to_options {
  /* MX_TUPLE of MX_INT. Extents of the output; 0 keeps the input's extent. Default: (). */
  mg_value shape;
} mx_broadcast_to_options;
/* Repeats axes of extent 1 until the array has the shape. data: Extents agree with the shape or are 1;
 * missing leading axes count as 1. */
static inline mg_status mx_broadcast_to(mg_array* data,
                                        const mx_broadcast_to_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"shape"};
  int32_t one = 1;
  return mx_call("broadcast_to", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_broadcast_to_node(const mg_symbol* data,
                                             const mx_broadcast_to_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"shape"};
  return mx_node("broadcast_to", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_cast_storage_options {
  /* MX_TEXT. Storage type of the result. One of "csr", "default", "row_sparse". */
  mg_value stype;
} mx_cast_storage_options;
/* The same elements in another storage type: a part of them stored (row_sparse, csr) or all. data: At
 * least one axis; two for csr. */
static inline mg_status mx_cast_storage(mg_array* data,
                                        const mx_cast_storage_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"stype"};
  int32_t one = 1;
  return mx_call("cast_storage", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_cast_storage_node(const mg_symbol* data,
                                             const mx_cast_storage_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"stype"};
  return mx_node("cast_storage", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

/* Cube root. data: Any array. */
static inline mg_status mx_cbrt(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("cbrt", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_cbrt_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("cbrt", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Smallest integer not below data. data: Any array. */
static inline mg_status mx_ceil(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("ceil", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_ceil_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("ceil", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_clip_options {
  /* MX_REAL. Smallest value of the output. */
  mg_value a_min;
  /* MX_REAL. Largest value of the output. */
  mg_value a_max;
} mx_clip_options;
/* Values below a_min become a_min, values above a_max become a_max; NaN stays. data: Any array. */
static inline mg_status mx_clip(mg_array* data,
                                const mx_clip_options* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"a_min", "a_max"};
  int32_t one = 1;
  return mx_call("clip", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_clip_node(const mg_symbol* data,
                                     const mx_clip_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"a_min", "a_max"};
  return mx_node("clip", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_col2im_options {
  /* MX_TUPLE of MX_INT. Spatial extents of the output. */
  mg_value output_size;
  /* MX_TUPLE of MX_INT. Extents of the window: (w,), (h, w) or (d, h, w). */
  mg_value kernel;
  /* MX_TUPLE of MX_INT. Distance between windows; () is 1. Default: (). */
  mg_value stride;
  /* MX_TUPLE of MX_INT. Distance between a window's elements; () is 1. Default: (). */
  mg_value dilate;
  /* MX_TUPLE of MX_INT. Zeros assumed on either side; () is none. Default: (). */
  mg_value pad;
} mx_col2im_options;
/* Adds columns to the places of their windows: the adjoint of im2col, not its inverse. data: (N, C *
 * window size, number of windows) */
static inline mg_status mx_col2im(mg_array* data,
                                  const mx_col2im_options* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"output_size", "kernel", "stride", "dilate", "pad"};
  int32_t one = 1;
  return mx_call("col2im", 1, inputs, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_col2im_node(const mg_symbol* data,
                                       const mx_col2im_options* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"output_size", "kernel", "stride", "dilate", "pad"};
  return mx_node("col2im", name, 1, words, inputs, 5, names, (const mg_value*)options, out);
}

/* Cosine of an angle in radians. data: Any array. */
static inline mg_status mx_cos(mg_array* data,
                               const void* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("cos", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_cos_node(const mg_symbol* data,
                                    const void* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("cos", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Hyperbolic cosine. data: Any array. */
static inline mg_status mx_cosh(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("cosh", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_cosh_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("cosh", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_cumsum_options {
  /* MX_INT. Axis to sum along; None sums along the flattened array. Default: None. */
  mg_value axis;
  /* MX_TEXT. Element type of the output, in which the elements are summed; None is that of the input.
   * Default: None. */
  mg_value dtype;
} mx_cumsum_options;
/* Running sums along an axis. Those of float16 are rounded at each step. a: Any array. */
static inline mg_status mx_cumsum(mg_array* a,
                                  const mx_cumsum_options* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {a};
  static const char* const names[] = {"axis", "dtype"};
  int32_t one = 1;
  return mx_call("cumsum", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_cumsum_node(const mg_symbol* a,
                                       const mx_cumsum_options* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {a};
  static const char* const words[] = {"a"};
  static const char* const names[] = {"axis", "dtype"};
  return mx_node("cumsum", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

/* Radians to degrees. data: Any array. */
static inline mg_status mx_degrees(mg_array* data,
                                   const void* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("degrees", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_degrees_node(const mg_symbol* data,
                                        const void* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("degrees", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_depth_to_space_options {
  /* MX_INT. Side b of the square blocks. */
  mg_value block_size;
} mx_depth_to_space_options;
/* Spreads channels over space: (N, b*b*C, H, W) becomes (N, C, H*b, W*b), where channel (i*b + j)*C + c
 * fills row i and column j of each block. data: (N, b*b*C, H, W) */
static inline mg_status mx_depth_to_space(mg_array* data,
                                          const mx_depth_to_space_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"block_size"};
  int32_t one = 1;
  return mx_call("depth_to_space", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_depth_to_space_node(const mg_symbol* data,
                                               const mx_depth_to_space_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"block_size"};
  return mx_node("depth_to_space", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_diag_options {
  /* MX_INT. Which diagonal: above the main one if positive, below it if negative. Default: 0. */
  mg_value k;
  /* MX_INT. Axis of the matrices' rows. Default: 0. */
  mg_value axis1;
  /* MX_INT. Axis of the matrices' columns. Default: 1. */
  mg_value axis2;
} mx_diag_options;
/* The k-th diagonal of the matrices along two axes, as a new last axis; of a 1-d array the square matrix
 * with that diagonal and zeros elsewhere. data: At least one axis. */
static inline mg_status mx_diag(mg_array* data,
                                const mx_diag_options* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"k", "axis1", "axis2"};
  int32_t one = 1;
  return mx_call("diag", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_diag_node(const mg_symbol* data,
                                     const mx_diag_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"k", "axis1", "axis2"};
  return mx_node("diag", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_dot_options {
  /* MX_BOOL. Contract the first axis of lhs instead of its last. Default: False. */
  mg_value transpose_a;
  /* MX_BOOL. Contract the last axis of rhs instead of its first. Default: False. */
  mg_value transpose_b;
  /* MX_TEXT. Storage type of the result where an operand is sparse. One of "csr", "default",
   * "row_sparse". Default: None. */
  mg_value forward_stype;
} mx_dot_options;
/* Sum of products over the last axis of lhs and the first axis of rhs; the other axes follow one another,
 * those of lhs first. Two vectors give shape (1,). lhs: Float array of at least one axis. rhs: Float
 * array of the same dtype. */
static inline mg_status mx_dot(mg_array* lhs,
                               mg_array* rhs,
                               const mx_dot_options* options,
                               mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  static const char* const names[] = {"transpose_a", "transpose_b", "forward_stype"};
  int32_t one = 1;
  return mx_call("dot", 2, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_dot_node(const mg_symbol* lhs,
                                    const mg_symbol* rhs,
                                    const mx_dot_options* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  static const char* const names[] = {"transpose_a", "transpose_b", "forward_stype"};
  return mx_node("dot", name, 2, words, inputs, 3, names, (const mg_value*)options, out);
}

/* Sum of two arrays. lhs: First operand. rhs: Second operand, of the same shape. */
static inline mg_status mx_elemwise_add(mg_array* lhs,
                                        mg_array* rhs,
                                        const void* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("elemwise_add", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_elemwise_add_node(const mg_symbol* lhs,
                                             const mg_symbol* rhs,
                                             const void* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("elemwise_add", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0. lhs: First
 * operand. rhs: Second operand, of the same shape. */
static inline mg_status mx_elemwise_div(mg_array* lhs,
                                        mg_array* rhs,
                                        const void* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("elemwise_div", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_elemwise_div_node(const mg_symbol* lhs,
                                             const mg_symbol* rhs,
                                             const void* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("elemwise_div", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Product of two arrays, element by element. lhs: First operand. rhs: Second operand, of the same shape. */
static inline mg_status mx_elemwise_mul(mg_array* lhs,
                                        mg_array* rhs,
                                        const void* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("elemwise_mul", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_elemwise_mul_node(const mg_symbol* lhs,
                                             const mg_symbol* rhs,
                                             const void* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("elemwise_mul", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Difference of two arrays. lhs: First operand. rhs: Second operand, of the same shape. */
static inline mg_status mx_elemwise_sub(mg_array* lhs,
                                        mg_array* rhs,
                                        const void* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("elemwise_sub", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_elemwise_sub_node(const mg_symbol* lhs,
                                             const mg_symbol* rhs,
                                             const void* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  (void)options;
  return mx_node("elemwise_sub", name, 2, words, inputs, 0, NULL, NULL, out);
}

/* Error function. data: Any array. */
static inline mg_status mx_erf(mg_array* data,
                               const void* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("erf", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_erf_node(const mg_symbol* data,
                                    const void* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("erf", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Inverse of the error function. data: Any array. */
static inline mg_status mx_erfinv(mg_array* data,
                                  const void* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("erfinv", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_erfinv_node(const mg_symbol* data,
                                       const void* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("erfinv", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* e^data. data: Any array. */
static inline mg_status mx_exp(mg_array* data,
                               const void* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("exp", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_exp_node(const mg_symbol* data,
                                    const void* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("exp", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_expand_dims_options {
  /* MX_INT. Where the new axis of extent 1 comes to lie. */
  mg_value axis;
} mx_expand_dims_options;
/* Inserts an axis of extent 1. data: Any array. */
static inline mg_status mx_expand_dims(mg_array* data,
                                       const mx_expand_dims_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis"};
  int32_t one = 1;
  return mx_call("expand_dims", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_expand_dims_node(const mg_symbol* data,
                                            const mx_expand_dims_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis"};
  return mx_node("expand_dims", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

/* e^data - 1, exact near 0. data: Any array. */
static inline mg_status mx_expm1(mg_array* data,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("expm1", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_expm1_node(const mg_symbol* data,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("expm1", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* lhs with one element of each row replaced; an index outside of the row replaces none. lhs: (rows,
 * columns). mhs: (rows,): the new elements. rhs: (rows,): their columns; fractions are cut off. */
static inline mg_status mx_fill_element_0index(mg_array* lhs,
                                               mg_array* mhs,
                                               mg_array* rhs,
                                               const void* options,
                                               mg_array** out) {
  mg_array* const inputs[] = {lhs, mhs, rhs};
  (void)options;
  int32_t one = 1;
  return mx_call("fill_element_0index", 3, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_fill_element_0index_node(const mg_symbol* lhs,
                                                    const mg_symbol* mhs,
                                                    const mg_symbol* rhs,
                                                    const void* options,
                                                    const char* name,
                                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, mhs, rhs};
  static const char* const words[] = {"lhs", "mhs", "rhs"};
  (void)options;
  return mx_node("fill_element_0index", name, 3, words, inputs, 0, NULL, NULL, out);
}

/* Integer part: rounded toward 0. data: Any array. */
static inline mg_status mx_fix(mg_array* data,
                               const void* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("fix", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_fix_node(const mg_symbol* data,
                                    const void* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("fix", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Largest integer not above data. data: Any array. */
static inline mg_status mx_floor(mg_array* data,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("floor", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_floor_node(const mg_symbol* data,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("floor", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_ftml_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Part of the first moment that is kept. Default: 0.6. */
  mg_value beta1;
  /* MX_REAL. Part of the second moment that is kept. Default: 0.999. */
  mg_value beta2;
  /* MX_REAL. Added to the root of the second moment. Default: 1e-08. */
  mg_value epsilon;
  /* MX_INT. How many updates there were, this one included. */
  mg_value t;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_grad;
} mx_ftml_update_options;
/* Follow the moving leader: v is the second moment of g = clip(rescale_grad * grad + wd * weight), d the
 * inverse of a step size, z accumulates; the new weight is -z / d. weight: Weights, any float dtype.
 * grad: Gradient, of the weight's shape. d: Inverse step size; changed in place. v: Second moment;
 * changed in place. z: Accumulated gradient; changed in place. */
static inline mg_status mx_ftml_update(mg_array* weight,
                                       mg_array* grad,
                                       mg_array* d,
                                       mg_array* v,
                                       mg_array* z,
                                       const mx_ftml_update_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {weight, grad, d, v, z};
  static const char* const names[] = {
      "lr", "beta1", "beta2", "epsilon", "t", "wd", "rescale_grad", "clip_grad"
  };
  int32_t one = 1;
  return mx_call("ftml_update", 5, inputs, 8, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_ftml_update_node(const mg_symbol* weight,
                                            const mg_symbol* grad,
                                            const mg_symbol* d,
                                            const mg_symbol* v,
                                            const mg_symbol* z,
                                            const mx_ftml_update_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, d, v, z};
  static const char* const words[] = {"weight", "grad", "d", "v", "z"};
  static const char* const names[] = {
      "lr", "beta1", "beta2", "epsilon", "t", "wd", "rescale_grad", "clip_grad"
  };
  return mx_node("ftml_update", name, 5, words, inputs, 8, names, (const mg_value*)options, out);
}

typedef struct mx_ftrl_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Weight of the sum of absolute values: what keeps weights at 0. Default: 0.01. */
  mg_value lamda1;
  /* MX_REAL. Added to the root of n. Default: 1.0. */
  mg_value beta;
  /* MX_REAL. Weight of the sum of squares. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
} mx_ftrl_update_options;
/* Follow the regularised leader: with g = clip(rescale_grad * grad), n sums g^2 and z sums g minus what
 * the weight accounts for; weights whose |z| is at most lamda1 become 0. weight: Weights, any float
 * dtype. grad: Gradient, of the weight's shape. z: Accumulated gradient; changed in place. n: Accumulated
 * square of the gradient; changed in place. */
static inline mg_status mx_ftrl_update(mg_array* weight,
                                       mg_array* grad,
                                       mg_array* z,
                                       mg_array* n,
                                       const mx_ftrl_update_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {weight, grad, z, n};
  static const char* const names[] = {"lr", "lamda1", "beta", "wd", "rescale_grad", "clip_gradient"};
  int32_t one = 1;
  return mx_call("ftrl_update", 4, inputs, 6, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_ftrl_update_node(const mg_symbol* weight,
                                            const mg_symbol* grad,
                                            const mg_symbol* z,
                                            const mg_symbol* n,
                                            const mx_ftrl_update_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, z, n};
  static const char* const words[] = {"weight", "grad", "z", "n"};
  static const char* const names[] = {"lr", "lamda1", "beta", "wd", "rescale_grad", "clip_gradient"};
  return mx_node("ftrl_update", name, 4, words, inputs, 6, names, (const mg_value*)options, out);
}

/* Gamma function. data: Any array. */
static inline mg_status mx_gamma(mg_array* data,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("gamma", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_gamma_node(const mg_symbol* data,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("gamma", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Logarithm of the absolute value of the gamma function. data: Any array. */
static inline mg_status mx_gammaln(mg_array* data,
                                   const void* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("gammaln", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_gammaln_node(const mg_symbol* data,
                                        const void* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("gammaln", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Slices data[indices[0], ..., indices[M-1]]: shape indices.shape[1:] + data.shape[M:]. Negative indices
 * count from the end. data: At least M axes. indices: (M, ...); any dtype, fractions are cut off. */
static inline mg_status mx_gather_nd(mg_array* data,
                                     mg_array* indices,
                                     const void* options,
                                     mg_array** out) {
  mg_array* const inputs[] = {data, indices};
  (void)options;
  int32_t one = 1;
  return mx_call("gather_nd", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_gather_nd_node(const mg_symbol* data,
                                          const mg_symbol* indices,
                                          const void* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, indices};
  static const char* const words[] = {"data", "indices"};
  (void)options;
  return mx_node("gather_nd", name, 2, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_hard_sigmoid_options {
  /* MX_REAL. Slope. Default: 0.2. */
  mg_value alpha;
  /* MX_REAL. Value at 0. Default: 0.5. */
  mg_value beta;
} mx_hard_sigmoid_options;
/* alpha * data + beta, held between 0 and 1. data: Any array. */
static inline mg_status mx_hard_sigmoid(mg_array* data,
                                        const mx_hard_sigmoid_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"alpha", "beta"};
  int32_t one = 1;
  return mx_call("hard_sigmoid", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_hard_sigmoid_node(const mg_symbol* data,
                                             const mx_hard_sigmoid_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"alpha", "beta"};
  return mx_node("hard_sigmoid", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

/* A copy of the input. data: Any array. */
static inline mg_status mx_identity(mg_array* data,
                                    const void* options,
                                    mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("_copy", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_identity_node(const mg_symbol* data,
                                         const void* options,
                                         const char* name,
                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("_copy", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_im2col_options {
  /* MX_TUPLE of MX_INT. Extents of the window: (w,), (h, w) or (d, h, w). */
  mg_value kernel;
  /* MX_TUPLE of MX_INT. Distance between windows; () is 1. Default: (). */
  mg_value stride;
  /* MX_TUPLE of MX_INT. Distance between a window's elements; () is 1. Default: (). */
  mg_value dilate;
  /* MX_TUPLE of MX_INT. Zeros assumed on either side; () is none. Default: (). */
  mg_value pad;
} mx_im2col_options;
/* The windows of each image as columns: (N, C, ...) becomes (N, C * window size, number of windows).
 * data: (N, C, w), (N, C, h, w) or (N, C, d, h, w) */
static inline mg_status mx_im2col(mg_array* data,
                                  const mx_im2col_options* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"kernel", "stride", "dilate", "pad"};
  int32_t one = 1;
  return mx_call("im2col", 1, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_im2col_node(const mg_symbol* data,
                                       const mx_im2col_options* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"kernel", "stride", "dilate", "pad"};
  return mx_node("im2col", name, 1, words, inputs, 4, names, (const mg_value*)options, out);
}

/* (product of all rows, columns): column k is the Kronecker product of the columns k of all matrices.
 * args: Matrices (rows, columns) with the same number of columns; at most 15. */
static inline mg_status mx_khatri_rao(int32_t count,
                                      mg_array* const* args,
                                      const void* options,
                                      mg_array** out) {
  (void)options;
  int32_t one = 1;
  return mx_call("khatri_rao", count, args, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_khatri_rao_node(int32_t count,
                                           const mg_symbol* const* args,
                                           const void* options,
                                           const char* name,
                                           mg_symbol** out) {
  (void)options;
  return mx_node("khatri_rao", name, count, NULL, args, 0, NULL, NULL, out);
}

typedef struct mx_lamb_update_phase1_options {
  /* MX_REAL. Part of the first moment that is kept. Default: 0.9. */
  mg_value beta1;
  /* MX_REAL. Part of the second moment that is kept. Default: 0.999. */
  mg_value beta2;
  /* MX_REAL. Added to the root of the second moment. Default: 1e-06. */
  mg_value epsilon;
  /* MX_INT. How many updates there were, this one included. */
  mg_value t;
  /* MX_BOOL. Undo the start of the moments at 0. Default: True. */
  mg_value bias_correction;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the step. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
} mx_lamb_update_phase1_options;
/* First half of LAMB: the moments of clip(rescale_grad * grad) and the direction mean / (sqrt(var) +
 * epsilon) + wd * weight. weight: Weights, any float dtype. grad: Gradient, of the weight's shape. mean:
 * First moment; changed in place. var: Second moment; changed in place. */
static inline mg_status mx_lamb_update_phase1(mg_array* weight,
                                              mg_array* grad,
                                              mg_array* mean,
                                              mg_array* var,
                                              const mx_lamb_update_phase1_options* options,
                                              mg_array** out) {
  mg_array* const inputs[] = {weight, grad, mean, var};
  static const char* const names[] = {
      "beta1", "beta2", "epsilon", "t", "bias_correction", "wd", "rescale_grad", "clip_gradient"
  };
  int32_t one = 1;
  return mx_call("lamb_update_phase1", 4, inputs, 8, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_lamb_update_phase1_node(const mg_symbol* weight,
                                                   const mg_symbol* grad,
                                                   const mg_symbol* mean,
                                                   const mg_symbol* var,
                                                   const mx_lamb_update_phase1_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, mean, var};
  static const char* const words[] = {"weight", "grad", "mean", "var"};
  static const char* const names[] = {
      "beta1", "beta2", "epsilon", "t", "bias_correction", "wd", "rescale_grad", "clip_gradient"
  };
  return mx_node("lamb_update_phase1", name, 4, words, inputs, 8, names, (const mg_value*)options, out);
}

typedef struct mx_lamb_update_phase2_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Least value of r1; a negative one does not bound. Default: -1.0. */
  mg_value lower_bound;
  /* MX_REAL. Greatest value of r1; a negative one does not bound. Default: -1.0. */
  mg_value upper_bound;
} mx_lamb_update_phase2_options;
/* Second half of LAMB: weight - lr * (r1 / r2) * g, with the bounded norm r1; the ratio is 1 where a norm
 * is 0. weight: Weights, any float dtype. g: The direction from lamb_update_phase1. r1: Norm of the
 * weight, one element. r2: Norm of g, one element. */
static inline mg_status mx_lamb_update_phase2(mg_array* weight,
                                              mg_array* g,
                                              mg_array* r1,
                                              mg_array* r2,
                                              const mx_lamb_update_phase2_options* options,
                                              mg_array** out) {
  mg_array* const inputs[] = {weight, g, r1, r2};
  static const char* const names[] = {"lr", "lower_bound", "upper_bound"};
  int32_t one = 1;
  return mx_call("lamb_update_phase2", 4, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_lamb_update_phase2_node(const mg_symbol* weight,
                                                   const mg_symbol* g,
                                                   const mg_symbol* r1,
                                                   const mg_symbol* r2,
                                                   const mx_lamb_update_phase2_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, g, r1, r2};
  static const char* const words[] = {"weight", "g", "r1", "r2"};
  static const char* const names[] = {"lr", "lower_bound", "upper_bound"};
  return mx_node("lamb_update_phase2", name, 4, words, inputs, 3, names, (const mg_value*)options, out);
}

/* Adjugates of square matrices: determinant times inverse, which exists for singular matrices too. Its
 * own gradient divides by the determinant. A: (..., n, n), a float dtype. */
static inline mg_status mx_linalg_adjugate(mg_array* A,
                                           const void* options,
                                           mg_array** out) {
  mg_array* const inputs[] = {A};
  (void)options;
  int32_t one = 1;
  return mx_call("_linalg_adjugate", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_linalg_adjugate_node(const mg_symbol* A,
                                                const void* options,
                                                const char* name,
                                                mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  (void)options;
  return mx_node("_linalg_adjugate", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Determinants of square matrices. A: (..., n, n), a float dtype. */
static inline mg_status mx_linalg_det(mg_array* A,
                                      const void* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {A};
  (void)options;
  int32_t one = 1;
  return mx_call("_linalg_det", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_linalg_det_node(const mg_symbol* A,
                                           const void* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  (void)options;
  return mx_node("_linalg_det", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_linalg_extractdiag_options {
  /* MX_INT. Which diagonal: above 0 to the right of the main one. Default: 0. */
  mg_value offset;
} mx_linalg_extractdiag_options;
/* A diagonal of square matrices, as the last axis. A: (..., n, n). */
static inline mg_status mx_linalg_extractdiag(mg_array* A,
                                              const mx_linalg_extractdiag_options* options,
                                              mg_array** out) {
  mg_array* const inputs[] = {A};
  static const char* const names[] = {"offset"};
  int32_t one = 1;
  return mx_call("_linalg_extractdiag", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_extractdiag_node(const mg_symbol* A,
                                                   const mx_linalg_extractdiag_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  static const char* const names[] = {"offset"};
  return mx_node("_linalg_extractdiag", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_linalg_extracttrian_options {
  /* MX_INT. Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0. */
  mg_value offset;
  /* MX_BOOL. Which triangle, when offset is 0. Default: True. */
  mg_value lower;
} mx_linalg_extracttrian_options;
/* A triangle of square matrices, as the last axis: a lower one row by row, an upper one column by column.
 * A: (..., n, n). */
static inline mg_status mx_linalg_extracttrian(mg_array* A,
                                               const mx_linalg_extracttrian_options* options,
                                               mg_array** out) {
  mg_array* const inputs[] = {A};
  static const char* const names[] = {"offset", "lower"};
  int32_t one = 1;
  return mx_call("_linalg_extracttrian", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_extracttrian_node(const mg_symbol* A,
                                                    const mx_linalg_extracttrian_options* options,
                                                    const char* name,
                                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  static const char* const names[] = {"offset", "lower"};
  return mx_node("_linalg_extracttrian", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

/* LQ factorisation A = L Q: Q has orthonormal rows, L is lower triangular. A: (..., m, n) with m at most
 * n and full rank, a float dtype. */
static inline mg_status mx_linalg_gelqf(mg_array* A,
                                        const void* options,
                                        int32_t* num_outputs,
                                        mg_array** outputs) {
  mg_array* const inputs[] = {A};
  (void)options;
  return mx_call("_linalg_gelqf", 1, inputs, 0, NULL, NULL, num_outputs, outputs);
}
static inline mg_status mx_linalg_gelqf_node(const mg_symbol* A,
                                             const void* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  (void)options;
  return mx_node("_linalg_gelqf", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_linalg_gemm_options {
  /* MX_BOOL. Use the transposes of A. Default: False. */
  mg_value transpose_a;
  /* MX_BOOL. Use the transposes of B. Default: False. */
  mg_value transpose_b;
  /* MX_REAL. Factor of the product. Default: 1.0. */
  mg_value alpha;
  /* MX_REAL. Factor of C. Default: 1.0. */
  mg_value beta;
  /* MX_INT. Axis of the matrix rows; the columns are the last one. Default: -2. */
  mg_value axis;
} mx_linalg_gemm_options;
/* alpha * op(A) op(B) + beta * C for stacks of matrices; all axes but those of rows and columns are
 * equal. A: Float array of at least two axes. B: Float array of the same dtype and number of axes. C: Of
 * the shape of the result. */
static inline mg_status mx_linalg_gemm(mg_array* A,
                                       mg_array* B,
                                       mg_array* C,
                                       const mx_linalg_gemm_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {A, B, C};
  static const char* const names[] = {"transpose_a", "transpose_b", "alpha", "beta", "axis"};
  int32_t one = 1;
  return mx_call("_linalg_gemm", 3, inputs, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_gemm_node(const mg_symbol* A,
                                            const mg_symbol* B,
                                            const mg_symbol* C,
                                            const mx_linalg_gemm_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {A, B, C};
  static const char* const words[] = {"A", "B", "C"};
  static const char* const names[] = {"transpose_a", "transpose_b", "alpha", "beta", "axis"};
  return mx_node("_linalg_gemm", name, 3, words, inputs, 5, names, (const mg_value*)options, out);
}

typedef struct mx_linalg_gemm2_options {
  /* MX_BOOL. Use the transposes of A. Default: False. */
  mg_value transpose_a;
  /* MX_BOOL. Use the transposes of B. Default: False. */
  mg_value transpose_b;
  /* MX_REAL. Factor of the product. Default: 1.0. */
  mg_value alpha;
  /* MX_INT. Axis of the matrix rows; the columns are the last one. Default: -2. */
  mg_value axis;
} mx_linalg_gemm2_options;
/* alpha * op(A) op(B) for stacks of matrices; all axes but those of rows and columns are equal. A: Float
 * array of at least two axes. B: Float array of the same dtype and number of axes. */
static inline mg_status mx_linalg_gemm2(mg_array* A,
                                        mg_array* B,
                                        const mx_linalg_gemm2_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {A, B};
  static const char* const names[] = {"transpose_a", "transpose_b", "alpha", "axis"};
  int32_t one = 1;
  return mx_call("_linalg_gemm2", 2, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_gemm2_node(const mg_symbol* A,
                                             const mg_symbol* B,
                                             const mx_linalg_gemm2_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {A, B};
  static const char* const words[] = {"A", "B"};
  static const char* const names[] = {"transpose_a", "transpose_b", "alpha", "axis"};
  return mx_node("_linalg_gemm2", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

/* Inverses of square matrices. A: (..., n, n), a float dtype. */
static inline mg_status mx_linalg_inverse(mg_array* A,
                                          const void* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {A};
  (void)options;
  int32_t one = 1;
  return mx_call("_linalg_inverse", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_linalg_inverse_node(const mg_symbol* A,
                                               const void* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  (void)options;
  return mx_node("_linalg_inverse", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_linalg_makediag_options {
  /* MX_INT. Which diagonal: above 0 to the right of the main one. Default: 0. */
  mg_value offset;
} mx_linalg_makediag_options;
/* Square matrices with the given diagonal and zeros elsewhere. A: (..., k), the items of a diagonal. */
static inline mg_status mx_linalg_makediag(mg_array* A,
                                           const mx_linalg_makediag_options* options,
                                           mg_array** out) {
  mg_array* const inputs[] = {A};
  static const char* const names[] = {"offset"};
  int32_t one = 1;
  return mx_call("_linalg_makediag", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_makediag_node(const mg_symbol* A,
                                                const mx_linalg_makediag_options* options,
                                                const char* name,
                                                mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  static const char* const names[] = {"offset"};
  return mx_node("_linalg_makediag", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_linalg_maketrian_options {
  /* MX_INT. Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0. */
  mg_value offset;
  /* MX_BOOL. Which triangle, when offset is 0. Default: True. */
  mg_value lower;
} mx_linalg_maketrian_options;
/* Square matrices with the given triangle and zeros elsewhere. A: (..., k (k + 1) / 2), the items of a
 * triangle. */
static inline mg_status mx_linalg_maketrian(mg_array* A,
                                            const mx_linalg_maketrian_options* options,
                                            mg_array** out) {
  mg_array* const inputs[] = {A};
  static const char* const names[] = {"offset", "lower"};
  int32_t one = 1;
  return mx_call("_linalg_maketrian", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_maketrian_node(const mg_symbol* A,
                                                 const mx_linalg_maketrian_options* options,
                                                 const char* name,
                                                 mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  static const char* const names[] = {"offset", "lower"};
  return mx_node("_linalg_maketrian", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_linalg_potrf_options {
  /* MX_BOOL. Which triangle is used; the other is not read. Default: True. */
  mg_value lower;
} mx_linalg_potrf_options;
/* Cholesky factors: lower triangular L with A = L L^T, or upper triangular U with A = U^T U. The gradient
 * of A is symmetric. A: (..., n, n) symmetric positive definite matrices of a float dtype. */
static inline mg_status mx_linalg_potrf(mg_array* A,
                                        const mx_linalg_potrf_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {A};
  static const char* const names[] = {"lower"};
  int32_t one = 1;
  return mx_call("_linalg_potrf", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_potrf_node(const mg_symbol* A,
                                             const mx_linalg_potrf_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  static const char* const names[] = {"lower"};
  return mx_node("_linalg_potrf", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_linalg_potri_options {
  /* MX_BOOL. Which triangle is used; the other is not read. Default: True. */
  mg_value lower;
} mx_linalg_potri_options;
/* The inverse of A = L L^T from its Cholesky factor L, or of A = U^T U from U. A: (..., n, n) Cholesky
 * factors of a float dtype. */
static inline mg_status mx_linalg_potri(mg_array* A,
                                        const mx_linalg_potri_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {A};
  static const char* const names[] = {"lower"};
  int32_t one = 1;
  return mx_call("_linalg_potri", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_potri_node(const mg_symbol* A,
                                             const mx_linalg_potri_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  static const char* const names[] = {"lower"};
  return mx_node("_linalg_potri", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

/* Signs of the determinants of square matrices and the logarithms of their sizes; 0 and -inf for singular
 * matrices, whose gradient is 0. A: (..., n, n), a float dtype. */
static inline mg_status mx_linalg_slogdet(mg_array* A,
                                          const void* options,
                                          int32_t* num_outputs,
                                          mg_array** outputs) {
  mg_array* const inputs[] = {A};
  (void)options;
  return mx_call("_linalg_slogdet", 1, inputs, 0, NULL, NULL, num_outputs, outputs);
}
static inline mg_status mx_linalg_slogdet_node(const mg_symbol* A,
                                               const void* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  (void)options;
  return mx_node("_linalg_slogdet", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Sums of the logarithms of the diagonals of square matrices. A: (..., n, n), a float dtype. */
static inline mg_status mx_linalg_sumlogdiag(mg_array* A,
                                             const void* options,
                                             mg_array** out) {
  mg_array* const inputs[] = {A};
  (void)options;
  int32_t one = 1;
  return mx_call("_linalg_sumlogdiag", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_linalg_sumlogdiag_node(const mg_symbol* A,
                                                  const void* options,
                                                  const char* name,
                                                  mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  (void)options;
  return mx_node("_linalg_sumlogdiag", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_linalg_syrk_options {
  /* MX_BOOL. Transpose of A times A, instead of A times its transpose. Default: False. */
  mg_value transpose;
  /* MX_REAL. Factor of the product. Default: 1.0. */
  mg_value alpha;
} mx_linalg_syrk_options;
/* alpha * A A^T, or alpha * A^T A, for a stack of matrices. A: (..., m, n), a float dtype. */
static inline mg_status mx_linalg_syrk(mg_array* A,
                                       const mx_linalg_syrk_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {A};
  static const char* const names[] = {"transpose", "alpha"};
  int32_t one = 1;
  return mx_call("_linalg_syrk", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_syrk_node(const mg_symbol* A,
                                            const mx_linalg_syrk_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {A};
  static const char* const words[] = {"A"};
  static const char* const names[] = {"transpose", "alpha"};
  return mx_node("_linalg_syrk", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_linalg_trmm_options {
  /* MX_BOOL. Use the transposes of A. Default: False. */
  mg_value transpose;
  /* MX_BOOL. A stands to the right. Default: False. */
  mg_value rightside;
  /* MX_BOOL. Which triangle of A is used; the other is not read. Default: True. */
  mg_value lower;
  /* MX_REAL. Factor of B. Default: 1.0. */
  mg_value alpha;
} mx_linalg_trmm_options;
/* alpha * op(A) B, or alpha * B op(A), with triangular A. A: (..., n, n) triangular matrices of a float
 * dtype. B: (..., n, m), or (..., m, n) when A stands to the right. */
static inline mg_status mx_linalg_trmm(mg_array* A,
                                       mg_array* B,
                                       const mx_linalg_trmm_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {A, B};
  static const char* const names[] = {"transpose", "rightside", "lower", "alpha"};
  int32_t one = 1;
  return mx_call("_linalg_trmm", 2, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_trmm_node(const mg_symbol* A,
                                            const mg_symbol* B,
                                            const mx_linalg_trmm_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {A, B};
  static const char* const words[] = {"A", "B"};
  static const char* const names[] = {"transpose", "rightside", "lower", "alpha"};
  return mx_node("_linalg_trmm", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_linalg_trsm_options {
  /* MX_BOOL. Use the transposes of A. Default: False. */
  mg_value transpose;
  /* MX_BOOL. A stands to the right. Default: False. */
  mg_value rightside;
  /* MX_BOOL. Which triangle of A is used; the other is not read. Default: True. */
  mg_value lower;
  /* MX_REAL. Factor of B. Default: 1.0. */
  mg_value alpha;
} mx_linalg_trsm_options;
/* The solution X of op(A) X = alpha * B, or of X op(A) = alpha * B, with triangular A. A: (..., n, n)
 * triangular matrices of a float dtype. B: (..., n, m), or (..., m, n) when A stands to the right. */
static inline mg_status mx_linalg_trsm(mg_array* A,
                                       mg_array* B,
                                       const mx_linalg_trsm_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {A, B};
  static const char* const names[] = {"transpose", "rightside", "lower", "alpha"};
  int32_t one = 1;
  return mx_call("_linalg_trsm", 2, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_linalg_trsm_node(const mg_symbol* A,
                                            const mg_symbol* B,
                                            const mx_linalg_trsm_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {A, B};
  static const char* const words[] = {"A", "B"};
  static const char* const names[] = {"transpose", "rightside", "lower", "alpha"};
  return mx_node("_linalg_trsm", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

/* Natural logarithm. data: Any array. */
static inline mg_status mx_log(mg_array* data,
                               const void* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("log", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_log_node(const mg_symbol* data,
                                    const void* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("log", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Logarithm to base 10. data: Any array. */
static inline mg_status mx_log10(mg_array* data,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("log10", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_log10_node(const mg_symbol* data,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("log10", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* log(1 + data), exact near 0. data: Any array. */
static inline mg_status mx_log1p(mg_array* data,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("log1p", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_log1p_node(const mg_symbol* data,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("log1p", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Logarithm to base 2. data: Any array. */
static inline mg_status mx_log2(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("log2", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_log2_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("log2", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* log(sigmoid(data)). data: Any array. */
static inline mg_status mx_log_sigmoid(mg_array* data,
                                       const void* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("log_sigmoid", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_log_sigmoid_node(const mg_symbol* data,
                                            const void* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("log_sigmoid", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_log_softmax_options {
  /* MX_INT. Axis along which the outputs sum to 1. Default: -1. */
  mg_value axis;
  /* MX_REAL. The input is divided by it; None is 1. Default: None. */
  mg_value temperature;
  /* MX_TEXT. Element type of the output, a float; None is that of the input. Default: None. */
  mg_value dtype;
  /* MX_BOOL. Takes `length`, the number of elements of each vector that count. Default: False. */
  mg_value use_length;
} mx_log_softmax_options;
/* Logarithm of the softmax, exact also where the softmax is almost 0. data: Floats. A vector of nothing
 * but -inf gives NaN. */
static inline mg_status mx_log_softmax(mg_array* data,
                                       const mx_log_softmax_options* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "temperature", "dtype", "use_length"};
  int32_t one = 1;
  return mx_call("log_softmax", 1, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_log_softmax_node(const mg_symbol* data,
                                            const mx_log_softmax_options* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "temperature", "dtype", "use_length"};
  return mx_node("log_softmax", name, 1, words, inputs, 4, names, (const mg_value*)options, out);
}

/* 1 where data is 0, else 0. data: Any array. */
static inline mg_status mx_logical_not(mg_array* data,
                                       const void* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("logical_not", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_logical_not_node(const mg_symbol* data,
                                            const void* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("logical_not", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* A copy whose gradient is 1, whatever gradient arrives. data: The loss. */
static inline mg_status mx_make_loss(mg_array* data,
                                     const void* options,
                                     mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("make_loss", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_make_loss_node(const mg_symbol* data,
                                          const void* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("make_loss", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_max_options {
  /* MX_TUPLE of MX_INT. Axis or axes to reduce; None and () mean all. Default: None. */
  mg_value axis;
  /* MX_BOOL. Keeps reduced axes, with extent 1. Default: False. */
  mg_value keepdims;
  /* MX_BOOL. Reduces all axes but those in `axis`. Default: False. */
  mg_value exclude;
} mx_max_options;
/* Largest element over axes; NaN if there is one. Every tied element receives the gradient. data: Any
 * array. Integers are joined in int64 and wrap to the input's dtype. */
static inline mg_status mx_max(mg_array* data,
                               const mx_max_options* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  int32_t one = 1;
  return mx_call("max", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_max_node(const mg_symbol* data,
                                    const mx_max_options* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  return mx_node("max", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_mean_options {
  /* MX_TUPLE of MX_INT. Axis or axes to reduce; None and () mean all. Default: None. */
  mg_value axis;
  /* MX_BOOL. Keeps reduced axes, with extent 1. Default: False. */
  mg_value keepdims;
  /* MX_BOOL. Reduces all axes but those in `axis`. Default: False. */
  mg_value exclude;
} mx_mean_options;
/* Arithmetic mean over axes; that of integers is truncated toward zero. data: Any array. Integers are
 * joined in int64 and wrap to the input's dtype. */
static inline mg_status mx_mean(mg_array* data,
                                const mx_mean_options* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  int32_t one = 1;
  return mx_call("mean", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_mean_node(const mg_symbol* data,
                                     const mx_mean_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  return mx_node("mean", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_min_options {
  /* MX_TUPLE of MX_INT. Axis or axes to reduce; None and () mean all. Default: None. */
  mg_value axis;
  /* MX_BOOL. Keeps reduced axes, with extent 1. Default: False. */
  mg_value keepdims;
  /* MX_BOOL. Reduces all axes but those in `axis`. Default: False. */
  mg_value exclude;
} mx_min_options;
/* Smallest element over axes; NaN if there is one. Every tied element receives the gradient. data: Any
 * array. Integers are joined in int64 and wrap to the input's dtype. */
static inline mg_status mx_min(mg_array* data,
                               const mx_min_options* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  int32_t one = 1;
  return mx_call("min", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_min_node(const mg_symbol* data,
                                    const mx_min_options* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  return mx_node("min", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

/* data * tanh(log(1 + e^data)). data: Any array. */
static inline mg_status mx_mish(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("mish", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_mish_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("mish", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_moments_options {
  /* MX_TUPLE of MX_INT. Axes to reduce; None means all. Default: None. */
  mg_value axes;
  /* MX_BOOL. Keeps reduced axes, with extent 1. Default: False. */
  mg_value keepdims;
} mx_moments_options;
/* Mean and variance over axes; the variance divides by the number of elements. data: Floats. */
static inline mg_status mx_moments(mg_array* data,
                                   const mx_moments_options* options,
                                   int32_t* num_outputs,
                                   mg_array** outputs) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axes", "keepdims"};
  return mx_call("moments", 1, inputs, 2, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_moments_node(const mg_symbol* data,
                                        const mx_moments_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axes", "keepdims"};
  return mx_node("moments", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_mp_lamb_update_phase1_options {
  /* MX_REAL. Part of the first moment that is kept. Default: 0.9. */
  mg_value beta1;
  /* MX_REAL. Part of the second moment that is kept. Default: 0.999. */
  mg_value beta2;
  /* MX_REAL. Added to the root of the second moment. Default: 1e-06. */
  mg_value epsilon;
  /* MX_INT. How many updates there were, this one included. */
  mg_value t;
  /* MX_BOOL. Undo the start of the moments at 0. Default: True. */
  mg_value bias_correction;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the step. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
} mx_mp_lamb_update_phase1_options;
/* lamb_update_phase1 in float32 from weight32; the direction is float32. weight: Weights, any float
 * dtype. grad: Gradient, of the weight's shape. mean: First moment; changed in place. var: Second moment;
 * changed in place. weight32: The weight in float32. */
static inline mg_status mx_mp_lamb_update_phase1(mg_array* weight,
                                                 mg_array* grad,
                                                 mg_array* mean,
                                                 mg_array* var,
                                                 mg_array* weight32,
                                                 const mx_mp_lamb_update_phase1_options* options,
                                                 mg_array** out) {
  mg_array* const inputs[] = {weight, grad, mean, var, weight32};
  static const char* const names[] = {
      "beta1", "beta2", "epsilon", "t", "bias_correction", "wd", "rescale_grad", "clip_gradient"
  };
  int32_t one = 1;
  return mx_call("mp_lamb_update_phase1", 5, inputs, 8, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_mp_lamb_update_phase1_node(const mg_symbol* weight,
                                                      const mg_symbol* grad,
                                                      const mg_symbol* mean,
                                                      const mg_symbol* var,
                                                      const mg_symbol* weight32,
                                                      const mx_mp_lamb_update_phase1_options* options,
                                                      const char* name,
                                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, mean, var, weight32};
  static const char* const words[] = {"weight", "grad", "mean", "var", "weight32"};
  static const char* const names[] = {
      "beta1", "beta2", "epsilon", "t", "bias_correction", "wd", "rescale_grad", "clip_gradient"
  };
  return mx_node("mp_lamb_update_phase1", name, 5, words, inputs, 8, names, (const mg_value*)options, out);
}

typedef struct mx_mp_lamb_update_phase2_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Least value of r1; a negative one does not bound. Default: -1.0. */
  mg_value lower_bound;
  /* MX_REAL. Greatest value of r1; a negative one does not bound. Default: -1.0. */
  mg_value upper_bound;
} mx_mp_lamb_update_phase2_options;
/* lamb_update_phase2 in float32 on weight32; the output is weight32 in the dtype of weight. weight:
 * Weights, any float dtype. g: The direction from mp_lamb_update_phase1, float32. r1: Norm of the weight,
 * one element, float32. r2: Norm of g, one element, float32. weight32: The weight in float32; updated in
 * place. */
static inline mg_status mx_mp_lamb_update_phase2(mg_array* weight,
                                                 mg_array* g,
                                                 mg_array* r1,
                                                 mg_array* r2,
                                                 mg_array* weight32,
                                                 const mx_mp_lamb_update_phase2_options* options,
                                                 mg_array** out) {
  mg_array* const inputs[] = {weight, g, r1, r2, weight32};
  static const char* const names[] = {"lr", "lower_bound", "upper_bound"};
  int32_t one = 1;
  return mx_call("mp_lamb_update_phase2", 5, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_mp_lamb_update_phase2_node(const mg_symbol* weight,
                                                      const mg_symbol* g,
                                                      const mg_symbol* r1,
                                                      const mg_symbol* r2,
                                                      const mg_symbol* weight32,
                                                      const mx_mp_lamb_update_phase2_options* options,
                                                      const char* name,
                                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, g, r1, r2, weight32};
  static const char* const words[] = {"weight", "g", "r1", "r2", "weight32"};
  static const char* const names[] = {"lr", "lower_bound", "upper_bound"};
  return mx_node("mp_lamb_update_phase2", name, 5, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_mp_nag_mom_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Part of the last step that is kept. Default: 0.0. */
  mg_value momentum;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
} mx_mp_nag_mom_update_options;
/* nag_mom_update in float32 on weight32; the output is weight32 in the dtype of weight. weight: Weights,
 * any float dtype. grad: Gradient, of the weight's shape. mom: The last step; changed in place. weight32:
 * The weight in float32; updated in place. */
static inline mg_status mx_mp_nag_mom_update(mg_array* weight,
                                             mg_array* grad,
                                             mg_array* mom,
                                             mg_array* weight32,
                                             const mx_mp_nag_mom_update_options* options,
                                             mg_array** out) {
  mg_array* const inputs[] = {weight, grad, mom, weight32};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient"};
  int32_t one = 1;
  return mx_call("mp_nag_mom_update", 4, inputs, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_mp_nag_mom_update_node(const mg_symbol* weight,
                                                  const mg_symbol* grad,
                                                  const mg_symbol* mom,
                                                  const mg_symbol* weight32,
                                                  const mx_mp_nag_mom_update_options* options,
                                                  const char* name,
                                                  mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, mom, weight32};
  static const char* const words[] = {"weight", "grad", "mom", "weight32"};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient"};
  return mx_node("mp_nag_mom_update", name, 4, words, inputs, 5, names, (const mg_value*)options, out);
}

typedef struct mx_mp_sgd_mom_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Part of the last step that is kept. Default: 0.0. */
  mg_value momentum;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_BOOL. Accepted for MXNet's sparse gradients; has no effect. Default: True. */
  mg_value lazy_update;
} mx_mp_sgd_mom_update_options;
/* sgd_mom_update in float32 on weight32; the output is weight32 in the dtype of weight. weight: Weights,
 * any float dtype. grad: Gradient, of the weight's shape. mom: The last step; changed in place. weight32:
 * The weight in float32; updated in place. */
static inline mg_status mx_mp_sgd_mom_update(mg_array* weight,
                                             mg_array* grad,
                                             mg_array* mom,
                                             mg_array* weight32,
                                             const mx_mp_sgd_mom_update_options* options,
                                             mg_array** out) {
  mg_array* const inputs[] = {weight, grad, mom, weight32};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient", "lazy_update"};
  int32_t one = 1;
  return mx_call("mp_sgd_mom_update", 4, inputs, 6, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_mp_sgd_mom_update_node(const mg_symbol* weight,
                                                  const mg_symbol* grad,
                                                  const mg_symbol* mom,
                                                  const mg_symbol* weight32,
                                                  const mx_mp_sgd_mom_update_options* options,
                                                  const char* name,
                                                  mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, mom, weight32};
  static const char* const words[] = {"weight", "grad", "mom", "weight32"};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient", "lazy_update"};
  return mx_node("mp_sgd_mom_update", name, 4, words, inputs, 6, names, (const mg_value*)options, out);
}

typedef struct mx_mp_sgd_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_BOOL. Accepted for MXNet's sparse gradients; has no effect. Default: True. */
  mg_value lazy_update;
} mx_mp_sgd_update_options;
/* sgd_update in float32 on weight32; the output is weight32 in the dtype of weight. weight: Weights, any
 * float dtype. grad: Gradient, of the weight's shape. weight32: The weight in float32; updated in place. */
static inline mg_status mx_mp_sgd_update(mg_array* weight,
                                         mg_array* grad,
                                         mg_array* weight32,
                                         const mx_mp_sgd_update_options* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {weight, grad, weight32};
  static const char* const names[] = {"lr", "wd", "rescale_grad", "clip_gradient", "lazy_update"};
  int32_t one = 1;
  return mx_call("mp_sgd_update", 3, inputs, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_mp_sgd_update_node(const mg_symbol* weight,
                                              const mg_symbol* grad,
                                              const mg_symbol* weight32,
                                              const mx_mp_sgd_update_options* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, weight32};
  static const char* const words[] = {"weight", "grad", "weight32"};
  static const char* const names[] = {"lr", "wd", "rescale_grad", "clip_gradient", "lazy_update"};
  return mx_node("mp_sgd_update", name, 3, words, inputs, 5, names, (const mg_value*)options, out);
}

typedef struct mx_multi_all_finite_options {
  /* MX_BOOL. False keeps a 0 that the given output holds, so that several calls add up. Default: True. */
  mg_value init_output;
} mx_multi_all_finite_options;
/* 1 if no element of any array is infinite or NaN, else 0; float32 of shape (1,). data: Arrays of any
 * shape and dtype. */
static inline mg_status mx_multi_all_finite(int32_t count,
                                            mg_array* const* data,
                                            const mx_multi_all_finite_options* options,
                                            mg_array** out) {
  static const char* const names[] = {"init_output"};
  int32_t one = 1;
  return mx_call("multi_all_finite", count, data, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_multi_all_finite_node(int32_t count,
                                                 const mg_symbol* const* data,
                                                 const mx_multi_all_finite_options* options,
                                                 const char* name,
                                                 mg_symbol** out) {
  static const char* const names[] = {"init_output"};
  return mx_node("multi_all_finite", name, count, NULL, data, 1, names, (const mg_value*)options, out);
}

typedef struct mx_multi_lars_options {
  /* MX_REAL. Factor of the rates. */
  mg_value eta;
  /* MX_REAL. Added to the divisor. */
  mg_value eps;
  /* MX_REAL. Factor of the gradients. Default: 1.0. */
  mg_value rescale_grad;
} mx_multi_lars_options;
/* Rate of each layer: with the norms w and g of weight and scaled gradient, lr * eta * w / (g + wd * w +
 * eps) where both are above 0, else lr. lrs: Learning rate of each layer. weights_sum_sq: Sum of squares
 * of each weight. grads_sum_sq: Sum of squares of each gradient. wds: Weight decay of each layer. */
static inline mg_status mx_multi_lars(mg_array* lrs,
                                      mg_array* weights_sum_sq,
                                      mg_array* grads_sum_sq,
                                      mg_array* wds,
                                      const mx_multi_lars_options* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {lrs, weights_sum_sq, grads_sum_sq, wds};
  static const char* const names[] = {"eta", "eps", "rescale_grad"};
  int32_t one = 1;
  return mx_call("multi_lars", 4, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_multi_lars_node(const mg_symbol* lrs,
                                           const mg_symbol* weights_sum_sq,
                                           const mg_symbol* grads_sum_sq,
                                           const mg_symbol* wds,
                                           const mx_multi_lars_options* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {lrs, weights_sum_sq, grads_sum_sq, wds};
  static const char* const words[] = {"lrs", "weights_sum_sq", "grads_sum_sq", "wds"};
  static const char* const names[] = {"eta", "eps", "rescale_grad"};
  return mx_node("multi_lars", name, 4, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_multi_mp_sgd_mom_update_options {
  /* MX_TUPLE of MX_REAL. Learning rate of each weight. */
  mg_value lrs;
  /* MX_TUPLE of MX_REAL. Weight decay of each weight. */
  mg_value wds;
  /* MX_REAL. Part of the last step that is kept. Default: 0.0. */
  mg_value momentum;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_INT. Number of weights. Default: 1. */
  mg_value num_weights;
} mx_multi_mp_sgd_mom_update_options;
/* mp_sgd_mom_update of several weights. data: For each weight in turn its weight, gradient and, as far as
 * the operator has them, the states and then weight32; these are changed in place. */
static inline mg_status mx_multi_mp_sgd_mom_update(int32_t count,
                                                   mg_array* const* data,
                                                   const mx_multi_mp_sgd_mom_update_options* options,
                                                   int32_t* num_outputs,
                                                   mg_array** outputs) {
  static const char* const names[] = {
      "lrs", "wds", "momentum", "rescale_grad", "clip_gradient", "num_weights"
  };
  return mx_call("multi_mp_sgd_mom_update", count, data, 6, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_multi_mp_sgd_mom_update_node(int32_t count,
                                                        const mg_symbol* const* data,
                                                        const mx_multi_mp_sgd_mom_update_options* options,
                                                        const char* name,
                                                        mg_symbol** out) {
  static const char* const names[] = {
      "lrs", "wds", "momentum", "rescale_grad", "clip_gradient", "num_weights"
  };
  return mx_node("multi_mp_sgd_mom_update", name, count, NULL, data, 6, names, (const mg_value*)options, out);
}

typedef struct mx_multi_mp_sgd_update_options {
  /* MX_TUPLE of MX_REAL. Learning rate of each weight. */
  mg_value lrs;
  /* MX_TUPLE of MX_REAL. Weight decay of each weight. */
  mg_value wds;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_INT. Number of weights. Default: 1. */
  mg_value num_weights;
} mx_multi_mp_sgd_update_options;
/* mp_sgd_update of several weights. data: For each weight in turn its weight, gradient and, as far as the
 * operator has them, the states and then weight32; these are changed in place. */
static inline mg_status mx_multi_mp_sgd_update(int32_t count,
                                               mg_array* const* data,
                                               const mx_multi_mp_sgd_update_options* options,
                                               int32_t* num_outputs,
                                               mg_array** outputs) {
  static const char* const names[] = {"lrs", "wds", "rescale_grad", "clip_gradient", "num_weights"};
  return mx_call("multi_mp_sgd_update", count, data, 5, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_multi_mp_sgd_update_node(int32_t count,
                                                    const mg_symbol* const* data,
                                                    const mx_multi_mp_sgd_update_options* options,
                                                    const char* name,
                                                    mg_symbol** out) {
  static const char* const names[] = {"lrs", "wds", "rescale_grad", "clip_gradient", "num_weights"};
  return mx_node("multi_mp_sgd_update", name, count, NULL, data, 5, names, (const mg_value*)options, out);
}

typedef struct mx_multi_sgd_mom_update_options {
  /* MX_TUPLE of MX_REAL. Learning rate of each weight. */
  mg_value lrs;
  /* MX_TUPLE of MX_REAL. Weight decay of each weight. */
  mg_value wds;
  /* MX_REAL. Part of the last step that is kept. Default: 0.0. */
  mg_value momentum;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_INT. Number of weights. Default: 1. */
  mg_value num_weights;
} mx_multi_sgd_mom_update_options;
/* sgd_mom_update of several weights. data: For each weight in turn its weight, gradient and, as far as
 * the operator has them, the states and then weight32; these are changed in place. */
static inline mg_status mx_multi_sgd_mom_update(int32_t count,
                                                mg_array* const* data,
                                                const mx_multi_sgd_mom_update_options* options,
                                                int32_t* num_outputs,
                                                mg_array** outputs) {
  static const char* const names[] = {
      "lrs", "wds", "momentum", "rescale_grad", "clip_gradient", "num_weights"
  };
  return mx_call("multi_sgd_mom_update", count, data, 6, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_multi_sgd_mom_update_node(int32_t count,
                                                     const mg_symbol* const* data,
                                                     const mx_multi_sgd_mom_update_options* options,
                                                     const char* name,
                                                     mg_symbol** out) {
  static const char* const names[] = {
      "lrs", "wds", "momentum", "rescale_grad", "clip_gradient", "num_weights"
  };
  return mx_node("multi_sgd_mom_update", name, count, NULL, data, 6, names, (const mg_value*)options, out);
}

typedef struct mx_multi_sgd_update_options {
  /* MX_TUPLE of MX_REAL. Learning rate of each weight. */
  mg_value lrs;
  /* MX_TUPLE of MX_REAL. Weight decay of each weight. */
  mg_value wds;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_INT. Number of weights. Default: 1. */
  mg_value num_weights;
} mx_multi_sgd_update_options;
/* sgd_update of several weights. data: For each weight in turn its weight, gradient and, as far as the
 * operator has them, the states and then weight32; these are changed in place. */
static inline mg_status mx_multi_sgd_update(int32_t count,
                                            mg_array* const* data,
                                            const mx_multi_sgd_update_options* options,
                                            int32_t* num_outputs,
                                            mg_array** outputs) {
  static const char* const names[] = {"lrs", "wds", "rescale_grad", "clip_gradient", "num_weights"};
  return mx_call("multi_sgd_update", count, data, 5, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_multi_sgd_update_node(int32_t count,
                                                 const mg_symbol* const* data,
                                                 const mx_multi_sgd_update_options* options,
                                                 const char* name,
                                                 mg_symbol** out) {
  static const char* const names[] = {"lrs", "wds", "rescale_grad", "clip_gradient", "num_weights"};
  return mx_node("multi_sgd_update", name, count, NULL, data, 5, names, (const mg_value*)options, out);
}

/* Sum of squares of each array, as a float32 array of num_arrays elements. data: Arrays of any shape and
 * dtype. */
static inline mg_status mx_multi_sum_sq(int32_t count,
                                        mg_array* const* data,
                                        const void* options,
                                        mg_array** out) {
  (void)options;
  int32_t one = 1;
  return mx_call("multi_sum_sq", count, data, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_multi_sum_sq_node(int32_t count,
                                             const mg_symbol* const* data,
                                             const void* options,
                                             const char* name,
                                             mg_symbol** out) {
  (void)options;
  return mx_node("multi_sum_sq", name, count, NULL, data, 0, NULL, NULL, out);
}

typedef struct mx_nag_mom_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Part of the last step that is kept. Default: 0.0. */
  mg_value momentum;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
} mx_nag_mom_update_options;
/* Nesterov's momentum: with m0 the old mom, mom = momentum * m0 - lr * (clip(rescale_grad * grad) + wd *
 * weight); the new weight is weight - momentum * m0 + (1 + momentum) * mom. weight: Weights, any float
 * dtype. grad: Gradient, of the weight's shape. mom: The last step; changed in place. */
static inline mg_status mx_nag_mom_update(mg_array* weight,
                                          mg_array* grad,
                                          mg_array* mom,
                                          const mx_nag_mom_update_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {weight, grad, mom};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient"};
  int32_t one = 1;
  return mx_call("nag_mom_update", 3, inputs, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_nag_mom_update_node(const mg_symbol* weight,
                                               const mg_symbol* grad,
                                               const mg_symbol* mom,
                                               const mx_nag_mom_update_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, mom};
  static const char* const words[] = {"weight", "grad", "mom"};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient"};
  return mx_node("nag_mom_update", name, 3, words, inputs, 5, names, (const mg_value*)options, out);
}

typedef struct mx_nanprod_options {
  /* MX_TUPLE of MX_INT. Axis or axes to reduce; None and () mean all. Default: None. */
  mg_value axis;
  /* MX_BOOL. Keeps reduced axes, with extent 1. Default: False. */
  mg_value keepdims;
  /* MX_BOOL. Reduces all axes but those in `axis`. Default: False. */
  mg_value exclude;
} mx_nanprod_options;
/* Product over axes, NaN counting as 1. data: Any array. Integers are joined in int64 and wrap to the
 * input's dtype. */
static inline mg_status mx_nanprod(mg_array* data,
                                   const mx_nanprod_options* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  int32_t one = 1;
  return mx_call("nanprod", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_nanprod_node(const mg_symbol* data,
                                        const mx_nanprod_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  return mx_node("nanprod", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_nansum_options {
  /* MX_TUPLE of MX_INT. Axis or axes to reduce; None and () mean all. Default: None. */
  mg_value axis;
  /* MX_BOOL. Keeps reduced axes, with extent 1. Default: False. */
  mg_value keepdims;
  /* MX_BOOL. Reduces all axes but those in `axis`. Default: False. */
  mg_value exclude;
} mx_nansum_options;
/* Sum over axes, NaN counting as 0. data: Any array. Integers are joined in int64 and wrap to the input's
 * dtype. */
static inline mg_status mx_nansum(mg_array* data,
                                  const mx_nansum_options* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  int32_t one = 1;
  return mx_call("nansum", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_nansum_node(const mg_symbol* data,
                                       const mx_nansum_options* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  return mx_node("nansum", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

/* -data. data: Any array. */
static inline mg_status mx_negative(mg_array* data,
                                    const void* options,
                                    mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("negative", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_negative_node(const mg_symbol* data,
                                         const void* options,
                                         const char* name,
                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("negative", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_norm_options {
  /* MX_INT. 1: sum of absolute values; 2: root of the sum of squares. Default: 2. */
  mg_value ord;
  /* MX_TUPLE of MX_INT. Axis or axes to reduce; None and () mean all. Default: None. */
  mg_value axis;
  /* MX_TEXT. Element type of the output; None is that of the input. Default: None. */
  mg_value out_dtype;
  /* MX_BOOL. Keeps reduced axes, with extent 1. Default: False. */
  mg_value keepdims;
} mx_norm_options;
/* Norm over axes: the sum of absolute values or the Euclidean length. data: Any array. */
static inline mg_status mx_norm(mg_array* data,
                                const mx_norm_options* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"ord", "axis", "out_dtype", "keepdims"};
  int32_t one = 1;
  return mx_call("norm", 1, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_norm_node(const mg_symbol* data,
                                     const mx_norm_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"ord", "axis", "out_dtype", "keepdims"};
  return mx_node("norm", name, 1, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_one_hot_options {
  /* MX_INT. Extent of the new last axis. */
  mg_value depth;
  /* MX_REAL. Value at the index. Default: 1.0. */
  mg_value on_value;
  /* MX_REAL. Value elsewhere. Default: 0.0. */
  mg_value off_value;
  /* MX_TEXT. Element type of the output. Default: 'float32'. */
  mg_value dtype;
} mx_one_hot_options;
/* A new last axis with on_value at each index and off_value elsewhere; an index outside gives only
 * off_value. indices: Any shape and dtype; fractions are cut off. */
static inline mg_status mx_one_hot(mg_array* indices,
                                   const mx_one_hot_options* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {indices};
  static const char* const names[] = {"depth", "on_value", "off_value", "dtype"};
  int32_t one = 1;
  return mx_call("one_hot", 1, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_one_hot_node(const mg_symbol* indices,
                                        const mx_one_hot_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {indices};
  static const char* const words[] = {"indices"};
  static const char* const names[] = {"depth", "on_value", "off_value", "dtype"};
  return mx_node("one_hot", name, 1, words, inputs, 4, names, (const mg_value*)options, out);
}

/* Ones with the shape and dtype of the input. data: Any array. */
static inline mg_status mx_ones_like(mg_array* data,
                                     const void* options,
                                     mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("ones_like", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_ones_like_node(const mg_symbol* data,
                                          const void* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("ones_like", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_pick_options {
  /* MX_INT. The axis from which one element is taken; None takes one of the flattened array. Default: -1. */
  mg_value axis;
  /* MX_BOOL. Keep the axis with extent 1. Default: False. */
  mg_value keepdims;
  /* MX_TEXT. Indices outside the axis are clipped or wrap around. One of "clip", "wrap". Default: 'clip'. */
  mg_value mode;
} mx_pick_options;
/* One element along an axis for every place of the others, by index. data: Any array. index: data's shape
 * without the axis, or with extent 1 there; any dtype, fractions are cut off. */
static inline mg_status mx_pick(mg_array* data,
                                mg_array* index,
                                const mx_pick_options* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data, index};
  static const char* const names[] = {"axis", "keepdims", "mode"};
  int32_t one = 1;
  return mx_call("pick", 2, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_pick_node(const mg_symbol* data,
                                     const mg_symbol* index,
                                     const mx_pick_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, index};
  static const char* const words[] = {"data", "index"};
  static const char* const names[] = {"axis", "keepdims", "mode"};
  return mx_node("pick", name, 2, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_preloaded_multi_mp_sgd_mom_update_options {
  /* MX_REAL. Part of the last step that is kept. Default: 0.0. */
  mg_value momentum;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_INT. Number of weights. Default: 1. */
  mg_value num_weights;
} mx_preloaded_multi_mp_sgd_mom_update_options;
/* mp_sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
 * float32. data: For each weight in turn its weight, gradient and, as far as the operator has them, the
 * states and then weight32; these are changed in place. */
static inline mg_status mx_preloaded_multi_mp_sgd_mom_update(int32_t count,
                                                             mg_array* const* data,
                                                             const mx_preloaded_multi_mp_sgd_mom_update_options* options,
                                                             int32_t* num_outputs,
                                                             mg_array** outputs) {
  static const char* const names[] = {"momentum", "rescale_grad", "clip_gradient", "num_weights"};
  return mx_call("preloaded_multi_mp_sgd_mom_update", count, data, 4, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_preloaded_multi_mp_sgd_mom_update_node(int32_t count,
                                                                  const mg_symbol* const* data,
                                                                  const mx_preloaded_multi_mp_sgd_mom_update_options* options,
                                                                  const char* name,
                                                                  mg_symbol** out) {
  static const char* const names[] = {"momentum", "rescale_grad", "clip_gradient", "num_weights"};
  return mx_node("preloaded_multi_mp_sgd_mom_update", name, count, NULL, data, 4, names, (const mg_value*)options, out);
}

typedef struct mx_preloaded_multi_mp_sgd_update_options {
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_INT. Number of weights. Default: 1. */
  mg_value num_weights;
} mx_preloaded_multi_mp_sgd_update_options;
/* mp_sgd_update of several weights; the last two inputs are the learning rates and the weight decays,
 * float32. data: For each weight in turn its weight, gradient and, as far as the operator has them, the
 * states and then weight32; these are changed in place. */
static inline mg_status mx_preloaded_multi_mp_sgd_update(int32_t count,
                                                         mg_array* const* data,
                                                         const mx_preloaded_multi_mp_sgd_update_options* options,
                                                         int32_t* num_outputs,
                                                         mg_array** outputs) {
  static const char* const names[] = {"rescale_grad", "clip_gradient", "num_weights"};
  return mx_call("preloaded_multi_mp_sgd_update", count, data, 3, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_preloaded_multi_mp_sgd_update_node(int32_t count,
                                                              const mg_symbol* const* data,
                                                              const mx_preloaded_multi_mp_sgd_update_options* options,
                                                              const char* name,
                                                              mg_symbol** out) {
  static const char* const names[] = {"rescale_grad", "clip_gradient", "num_weights"};
  return mx_node("preloaded_multi_mp_sgd_update", name, count, NULL, data, 3, names, (const mg_value*)options, out);
}

typedef struct mx_preloaded_multi_sgd_mom_update_options {
  /* MX_REAL. Part of the last step that is kept. Default: 0.0. */
  mg_value momentum;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_INT. Number of weights. Default: 1. */
  mg_value num_weights;
} mx_preloaded_multi_sgd_mom_update_options;
/* sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
 * float32. data: For each weight in turn its weight, gradient and, as far as the operator has them, the
 * states and then weight32; these are changed in place. */
static inline mg_status mx_preloaded_multi_sgd_mom_update(int32_t count,
                                                          mg_array* const* data,
                                                          const mx_preloaded_multi_sgd_mom_update_options* options,
                                                          int32_t* num_outputs,
                                                          mg_array** outputs) {
  static const char* const names[] = {"momentum", "rescale_grad", "clip_gradient", "num_weights"};
  return mx_call("preloaded_multi_sgd_mom_update", count, data, 4, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_preloaded_multi_sgd_mom_update_node(int32_t count,
                                                               const mg_symbol* const* data,
                                                               const mx_preloaded_multi_sgd_mom_update_options* options,
                                                               const char* name,
                                                               mg_symbol** out) {
  static const char* const names[] = {"momentum", "rescale_grad", "clip_gradient", "num_weights"};
  return mx_node("preloaded_multi_sgd_mom_update", name, count, NULL, data, 4, names, (const mg_value*)options, out);
}

typedef struct mx_preloaded_multi_sgd_update_options {
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_INT. Number of weights. Default: 1. */
  mg_value num_weights;
} mx_preloaded_multi_sgd_update_options;
/* sgd_update of several weights; the last two inputs are the learning rates and the weight decays,
 * float32. data: For each weight in turn its weight, gradient and, as far as the operator has them, the
 * states and then weight32; these are changed in place. */
static inline mg_status mx_preloaded_multi_sgd_update(int32_t count,
                                                      mg_array* const* data,
                                                      const mx_preloaded_multi_sgd_update_options* options,
                                                      int32_t* num_outputs,
                                                      mg_array** outputs) {
  static const char* const names[] = {"rescale_grad", "clip_gradient", "num_weights"};
  return mx_call("preloaded_multi_sgd_update", count, data, 3, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_preloaded_multi_sgd_update_node(int32_t count,
                                                           const mg_symbol* const* data,
                                                           const mx_preloaded_multi_sgd_update_options* options,
                                                           const char* name,
                                                           mg_symbol** out) {
  static const char* const names[] = {"rescale_grad", "clip_gradient", "num_weights"};
  return mx_node("preloaded_multi_sgd_update", name, count, NULL, data, 3, names, (const mg_value*)options, out);
}

typedef struct mx_prod_options {
  /* MX_TUPLE of MX_INT. Axis or axes to reduce; None and () mean all. Default: None. */
  mg_value axis;
  /* MX_BOOL. Keeps reduced axes, with extent 1. Default: False. */
  mg_value keepdims;
  /* MX_BOOL. Reduces all axes but those in `axis`. Default: False. */
  mg_value exclude;
} mx_prod_options;
/* Product over axes. data: Any array. Integers are joined in int64 and wrap to the input's dtype. */
static inline mg_status mx_prod(mg_array* data,
                                const mx_prod_options* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  int32_t one = 1;
  return mx_call("prod", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_prod_node(const mg_symbol* data,
                                     const mx_prod_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  return mx_node("prod", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

/* Degrees to radians. data: Any array. */
static inline mg_status mx_radians(mg_array* data,
                                   const void* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("radians", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_radians_node(const mg_symbol* data,
                                        const void* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("radians", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_random_exponential_options {
  /* MX_REAL. Rate, the inverse of the mean. Default: 1.0. */
  mg_value lam;
  /* MX_TUPLE of MX_INT. Extents of the output; by default those of the given output. Default: None. */
  mg_value shape;
  /* MX_TEXT. Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''. */
  mg_value ctx;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_random_exponential_options;
/* Numbers of the exponential distribution of rate lam. */
static inline mg_status mx_random_exponential(const mx_random_exponential_options* options,
                                              mg_array** out) {
  static const char* const names[] = {"lam", "shape", "ctx", "dtype"};
  int32_t one = 1;
  return mx_call("_random_exponential", 0, NULL, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_exponential_node(const mx_random_exponential_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  static const char* const names[] = {"lam", "shape", "ctx", "dtype"};
  return mx_node("_random_exponential", name, 0, NULL, NULL, 4, names, (const mg_value*)options, out);
}

typedef struct mx_random_gamma_options {
  /* MX_REAL. Shape. Default: 1.0. */
  mg_value alpha;
  /* MX_REAL. Scale: the mean is alpha * beta. Default: 1.0. */
  mg_value beta;
  /* MX_TUPLE of MX_INT. Extents of the output; by default those of the given output. Default: None. */
  mg_value shape;
  /* MX_TEXT. Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''. */
  mg_value ctx;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_random_gamma_options;
/* Numbers of the gamma distribution of shape alpha and scale beta. */
static inline mg_status mx_random_gamma(const mx_random_gamma_options* options,
                                        mg_array** out) {
  static const char* const names[] = {"alpha", "beta", "shape", "ctx", "dtype"};
  int32_t one = 1;
  return mx_call("_random_gamma", 0, NULL, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_gamma_node(const mx_random_gamma_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  static const char* const names[] = {"alpha", "beta", "shape", "ctx", "dtype"};
  return mx_node("_random_gamma", name, 0, NULL, NULL, 5, names, (const mg_value*)options, out);
}

typedef struct mx_random_generalized_negative_binomial_options {
  /* MX_REAL. Mean. Default: 1.0. */
  mg_value mu;
  /* MX_REAL. Dispersion: the variance is mu + alpha * mu^2. Default: 1.0. */
  mg_value alpha;
  /* MX_TUPLE of MX_INT. Extents of the output; by default those of the given output. Default: None. */
  mg_value shape;
  /* MX_TEXT. Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''. */
  mg_value ctx;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_random_generalized_negative_binomial_options;
/* Counts of mean mu and variance mu + alpha * mu^2, as floats. */
static inline mg_status mx_random_generalized_negative_binomial(const mx_random_generalized_negative_binomial_options* options,
                                                                mg_array** out) {
  static const char* const names[] = {"mu", "alpha", "shape", "ctx", "dtype"};
  int32_t one = 1;
  return mx_call("_random_generalized_negative_binomial", 0, NULL, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_generalized_negative_binomial_node(const mx_random_generalized_negative_binomial_options* options,
                                                                     const char* name,
                                                                     mg_symbol** out) {
  static const char* const names[] = {"mu", "alpha", "shape", "ctx", "dtype"};
  return mx_node("_random_generalized_negative_binomial", name, 0, NULL, NULL, 5, names, (const mg_value*)options, out);
}

typedef struct mx_random_negative_binomial_options {
  /* MX_REAL. Successes to wait for. Default: 1.0. */
  mg_value k;
  /* MX_REAL. Probability of success. Default: 1.0. */
  mg_value p;
  /* MX_TUPLE of MX_INT. Extents of the output; by default those of the given output. Default: None. */
  mg_value shape;
  /* MX_TEXT. Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''. */
  mg_value ctx;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_random_negative_binomial_options;
/* Failures before success number k, each trial succeeding with probability p, as floats. */
static inline mg_status mx_random_negative_binomial(const mx_random_negative_binomial_options* options,
                                                    mg_array** out) {
  static const char* const names[] = {"k", "p", "shape", "ctx", "dtype"};
  int32_t one = 1;
  return mx_call("_random_negative_binomial", 0, NULL, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_negative_binomial_node(const mx_random_negative_binomial_options* options,
                                                         const char* name,
                                                         mg_symbol** out) {
  static const char* const names[] = {"k", "p", "shape", "ctx", "dtype"};
  return mx_node("_random_negative_binomial", name, 0, NULL, NULL, 5, names, (const mg_value*)options, out);
}

typedef struct mx_random_normal_options {
  /* MX_REAL. Mean. Default: 0.0. */
  mg_value loc;
  /* MX_REAL. Standard deviation. Default: 1.0. */
  mg_value scale;
  /* MX_TUPLE of MX_INT. Extents of the output; by default those of the given output. Default: None. */
  mg_value shape;
  /* MX_TEXT. Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''. */
  mg_value ctx;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_random_normal_options;
/* Numbers of the normal distribution. */
static inline mg_status mx_random_normal(const mx_random_normal_options* options,
                                         mg_array** out) {
  static const char* const names[] = {"loc", "scale", "shape", "ctx", "dtype"};
  int32_t one = 1;
  return mx_call("_random_normal", 0, NULL, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_normal_node(const mx_random_normal_options* options,
                                              const char* name,
                                              mg_symbol** out) {
  static const char* const names[] = {"loc", "scale", "shape", "ctx", "dtype"};
  return mx_node("_random_normal", name, 0, NULL, NULL, 5, names, (const mg_value*)options, out);
}

typedef struct mx_random_pdf_dirichlet_options {
  /* MX_BOOL. Whether to give the logarithm of the density. Default: False. */
  mg_value is_log;
} mx_random_pdf_dirichlet_options;
/* Density of the Dirichlet distribution at vectors along the last axis. sample: (s..., m..., k): vectors
 * that sum to 1. A float dtype. alpha: (s..., k): concentrations. */
static inline mg_status mx_random_pdf_dirichlet(mg_array* sample,
                                                mg_array* alpha,
                                                const mx_random_pdf_dirichlet_options* options,
                                                mg_array** out) {
  mg_array* const inputs[] = {sample, alpha};
  static const char* const names[] = {"is_log"};
  int32_t one = 1;
  return mx_call("_random_pdf_dirichlet", 2, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_pdf_dirichlet_node(const mg_symbol* sample,
                                                     const mg_symbol* alpha,
                                                     const mx_random_pdf_dirichlet_options* options,
                                                     const char* name,
                                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {sample, alpha};
  static const char* const words[] = {"sample", "alpha"};
  static const char* const names[] = {"is_log"};
  return mx_node("_random_pdf_dirichlet", name, 2, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_random_pdf_exponential_options {
  /* MX_BOOL. Whether to give the logarithm of the density. Default: False. */
  mg_value is_log;
} mx_random_pdf_exponential_options;
/* Density of the exponential distribution, wherever the samples lie. sample: Samples; their shape begins
 * with that of the parameters. A float dtype. lam: Rates. */
static inline mg_status mx_random_pdf_exponential(mg_array* sample,
                                                  mg_array* lam,
                                                  const mx_random_pdf_exponential_options* options,
                                                  mg_array** out) {
  mg_array* const inputs[] = {sample, lam};
  static const char* const names[] = {"is_log"};
  int32_t one = 1;
  return mx_call("_random_pdf_exponential", 2, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_pdf_exponential_node(const mg_symbol* sample,
                                                       const mg_symbol* lam,
                                                       const mx_random_pdf_exponential_options* options,
                                                       const char* name,
                                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {sample, lam};
  static const char* const words[] = {"sample", "lam"};
  static const char* const names[] = {"is_log"};
  return mx_node("_random_pdf_exponential", name, 2, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_random_pdf_gamma_options {
  /* MX_BOOL. Whether to give the logarithm of the density. Default: False. */
  mg_value is_log;
} mx_random_pdf_gamma_options;
/* Density of the gamma distribution, here of rate beta: the mean is alpha / beta. sample: Samples; their
 * shape begins with that of the parameters. A float dtype. alpha: Shapes. beta: Rates, the inverse of the
 * scales that samplers take. */
static inline mg_status mx_random_pdf_gamma(mg_array* sample,
                                            mg_array* alpha,
                                            mg_array* beta,
                                            const mx_random_pdf_gamma_options* options,
                                            mg_array** out) {
  mg_array* const inputs[] = {sample, alpha, beta};
  static const char* const names[] = {"is_log"};
  int32_t one = 1;
  return mx_call("_random_pdf_gamma", 3, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_pdf_gamma_node(const mg_symbol* sample,
                                                 const mg_symbol* alpha,
                                                 const mg_symbol* beta,
                                                 const mx_random_pdf_gamma_options* options,
                                                 const char* name,
                                                 mg_symbol** out) {
  const mg_symbol* const inputs[] = {sample, alpha, beta};
  static const char* const words[] = {"sample", "alpha", "beta"};
  static const char* const names[] = {"is_log"};
  return mx_node("_random_pdf_gamma", name, 3, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_random_pdf_generalized_negative_binomial_options {
  /* MX_BOOL. Whether to give the logarithm of the density. Default: False. */
  mg_value is_log;
} mx_random_pdf_generalized_negative_binomial_options;
/* Probability of a count of mean mu and variance mu + alpha * mu^2; its gradient by the count is 0.
 * sample: Samples; their shape begins with that of the parameters. A float dtype. mu: Means. alpha:
 * Dispersions. */
static inline mg_status mx_random_pdf_generalized_negative_binomial(mg_array* sample,
                                                                    mg_array* mu,
                                                                    mg_array* alpha,
                                                                    const mx_random_pdf_generalized_negative_binomial_options* options,
                                                                    mg_array** out) {
  mg_array* const inputs[] = {sample, mu, alpha};
  static const char* const names[] = {"is_log"};
  int32_t one = 1;
  return mx_call("_random_pdf_generalized_negative_binomial", 3, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_pdf_generalized_negative_binomial_node(const mg_symbol* sample,
                                                                         const mg_symbol* mu,
                                                                         const mg_symbol* alpha,
                                                                         const mx_random_pdf_generalized_negative_binomial_options* options,
                                                                         const char* name,
                                                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {sample, mu, alpha};
  static const char* const words[] = {"sample", "mu", "alpha"};
  static const char* const names[] = {"is_log"};
  return mx_node("_random_pdf_generalized_negative_binomial", name, 3, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_random_pdf_negative_binomial_options {
  /* MX_BOOL. Whether to give the logarithm of the density. Default: False. */
  mg_value is_log;
} mx_random_pdf_negative_binomial_options;
/* Probability of so many failures before success number k; its gradient by the count is 0. sample:
 * Samples; their shape begins with that of the parameters. A float dtype. k: Successes to wait for. p:
 * Probabilities of success. */
static inline mg_status mx_random_pdf_negative_binomial(mg_array* sample,
                                                        mg_array* k,
                                                        mg_array* p,
                                                        const mx_random_pdf_negative_binomial_options* options,
                                                        mg_array** out) {
  mg_array* const inputs[] = {sample, k, p};
  static const char* const names[] = {"is_log"};
  int32_t one = 1;
  return mx_call("_random_pdf_negative_binomial", 3, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_pdf_negative_binomial_node(const mg_symbol* sample,
                                                             const mg_symbol* k,
                                                             const mg_symbol* p,
                                                             const mx_random_pdf_negative_binomial_options* options,
                                                             const char* name,
                                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {sample, k, p};
  static const char* const words[] = {"sample", "k", "p"};
  static const char* const names[] = {"is_log"};
  return mx_node("_random_pdf_negative_binomial", name, 3, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_random_pdf_normal_options {
  /* MX_BOOL. Whether to give the logarithm of the density. Default: False. */
  mg_value is_log;
} mx_random_pdf_normal_options;
/* Density of the normal distribution. sample: Samples; their shape begins with that of the parameters. A
 * float dtype. mu: Means. sigma: Standard deviations. */
static inline mg_status mx_random_pdf_normal(mg_array* sample,
                                             mg_array* mu,
                                             mg_array* sigma,
                                             const mx_random_pdf_normal_options* options,
                                             mg_array** out) {
  mg_array* const inputs[] = {sample, mu, sigma};
  static const char* const names[] = {"is_log"};
  int32_t one = 1;
  return mx_call("_random_pdf_normal", 3, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_pdf_normal_node(const mg_symbol* sample,
                                                  const mg_symbol* mu,
                                                  const mg_symbol* sigma,
                                                  const mx_random_pdf_normal_options* options,
                                                  const char* name,
                                                  mg_symbol** out) {
  const mg_symbol* const inputs[] = {sample, mu, sigma};
  static const char* const words[] = {"sample", "mu", "sigma"};
  static const char* const names[] = {"is_log"};
  return mx_node("_random_pdf_normal", name, 3, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_random_pdf_poisson_options {
  /* MX_BOOL. Whether to give the logarithm of the density. Default: False. */
  mg_value is_log;
} mx_random_pdf_poisson_options;
/* Probability of a count under the Poisson distribution; its gradient by the count is 0. sample: Samples;
 * their shape begins with that of the parameters. A float dtype. lam: Means. */
static inline mg_status mx_random_pdf_poisson(mg_array* sample,
                                              mg_array* lam,
                                              const mx_random_pdf_poisson_options* options,
                                              mg_array** out) {
  mg_array* const inputs[] = {sample, lam};
  static const char* const names[] = {"is_log"};
  int32_t one = 1;
  return mx_call("_random_pdf_poisson", 2, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_pdf_poisson_node(const mg_symbol* sample,
                                                   const mg_symbol* lam,
                                                   const mx_random_pdf_poisson_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  const mg_symbol* const inputs[] = {sample, lam};
  static const char* const words[] = {"sample", "lam"};
  static const char* const names[] = {"is_log"};
  return mx_node("_random_pdf_poisson", name, 2, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_random_pdf_uniform_options {
  /* MX_BOOL. Whether to give the logarithm of the density. Default: False. */
  mg_value is_log;
} mx_random_pdf_uniform_options;
/* Density 1 / (high - low), wherever the samples lie. sample: Samples; their shape begins with that of
 * the parameters. A float dtype. low: Ends of the intervals. high: The other ends. */
static inline mg_status mx_random_pdf_uniform(mg_array* sample,
                                              mg_array* low,
                                              mg_array* high,
                                              const mx_random_pdf_uniform_options* options,
                                              mg_array** out) {
  mg_array* const inputs[] = {sample, low, high};
  static const char* const names[] = {"is_log"};
  int32_t one = 1;
  return mx_call("_random_pdf_uniform", 3, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_pdf_uniform_node(const mg_symbol* sample,
                                                   const mg_symbol* low,
                                                   const mg_symbol* high,
                                                   const mx_random_pdf_uniform_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  const mg_symbol* const inputs[] = {sample, low, high};
  static const char* const words[] = {"sample", "low", "high"};
  static const char* const names[] = {"is_log"};
  return mx_node("_random_pdf_uniform", name, 3, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_random_poisson_options {
  /* MX_REAL. Mean. Default: 1.0. */
  mg_value lam;
  /* MX_TUPLE of MX_INT. Extents of the output; by default those of the given output. Default: None. */
  mg_value shape;
  /* MX_TEXT. Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''. */
  mg_value ctx;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_random_poisson_options;
/* Counts of the Poisson distribution of mean lam, as floats. */
static inline mg_status mx_random_poisson(const mx_random_poisson_options* options,
                                          mg_array** out) {
  static const char* const names[] = {"lam", "shape", "ctx", "dtype"};
  int32_t one = 1;
  return mx_call("_random_poisson", 0, NULL, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_poisson_node(const mx_random_poisson_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  static const char* const names[] = {"lam", "shape", "ctx", "dtype"};
  return mx_node("_random_poisson", name, 0, NULL, NULL, 4, names, (const mg_value*)options, out);
}

typedef struct mx_random_randint_options {
  /* MX_INT. Least number. */
  mg_value low;
  /* MX_INT. The number after the greatest. */
  mg_value high;
  /* MX_TUPLE of MX_INT. Extents of the output; by default those of the given output. Default: None. */
  mg_value shape;
  /* MX_TEXT. Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''. */
  mg_value ctx;
  /* MX_TEXT. int32 or int64; by default that of the given output, else int32. Default: None. */
  mg_value dtype;
} mx_random_randint_options;
/* Whole numbers spread evenly over [low, high). */
static inline mg_status mx_random_randint(const mx_random_randint_options* options,
                                          mg_array** out) {
  static const char* const names[] = {"low", "high", "shape", "ctx", "dtype"};
  int32_t one = 1;
  return mx_call("_random_randint", 0, NULL, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_randint_node(const mx_random_randint_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  static const char* const names[] = {"low", "high", "shape", "ctx", "dtype"};
  return mx_node("_random_randint", name, 0, NULL, NULL, 5, names, (const mg_value*)options, out);
}

typedef struct mx_random_uniform_options {
  /* MX_REAL. Least value. Default: 0.0. */
  mg_value low;
  /* MX_REAL. End of the interval, itself never drawn. Default: 1.0. */
  mg_value high;
  /* MX_TUPLE of MX_INT. Extents of the output; by default those of the given output. Default: None. */
  mg_value shape;
  /* MX_TEXT. Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''. */
  mg_value ctx;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_random_uniform_options;
/* Numbers spread evenly over [low, high). */
static inline mg_status mx_random_uniform(const mx_random_uniform_options* options,
                                          mg_array** out) {
  static const char* const names[] = {"low", "high", "shape", "ctx", "dtype"};
  int32_t one = 1;
  return mx_call("_random_uniform", 0, NULL, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_random_uniform_node(const mx_random_uniform_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  static const char* const names[] = {"low", "high", "shape", "ctx", "dtype"};
  return mx_node("_random_uniform", name, 0, NULL, NULL, 5, names, (const mg_value*)options, out);
}

typedef struct mx_ravel_multi_index_options {
  /* MX_TUPLE of MX_INT. Extents of the array that is indexed; the first one may be -1. Default: (). */
  mg_value shape;
} mx_ravel_multi_index_options;
/* Row-major flat index of each column of coordinates; not checked against the extents. data: (number of
 * axes, ...) */
static inline mg_status mx_ravel_multi_index(mg_array* data,
                                             const mx_ravel_multi_index_options* options,
                                             mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"shape"};
  int32_t one = 1;
  return mx_call("_ravel_multi_index", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_ravel_multi_index_node(const mg_symbol* data,
                                                  const mx_ravel_multi_index_options* options,
                                                  const char* name,
                                                  mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"shape"};
  return mx_node("_ravel_multi_index", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

/* 1 / cbrt(data). data: Any array. */
static inline mg_status mx_rcbrt(mg_array* data,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("rcbrt", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_rcbrt_node(const mg_symbol* data,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("rcbrt", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* 1 / data. data: Any array. */
static inline mg_status mx_reciprocal(mg_array* data,
                                      const void* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("reciprocal", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_reciprocal_node(const mg_symbol* data,
                                           const void* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("reciprocal", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* max(data, 0). data: Any array. */
static inline mg_status mx_relu(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("relu", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_relu_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("relu", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_repeat_options {
  /* MX_INT. How often each element occurs. */
  mg_value repeats;
  /* MX_INT. Along which axis; None takes the flattened array. Default: None. */
  mg_value axis;
} mx_repeat_options;
/* Repeats each element in place, along an axis or in the flattened array. data: Any array. */
static inline mg_status mx_repeat(mg_array* data,
                                  const mx_repeat_options* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"repeats", "axis"};
  int32_t one = 1;
  return mx_call("repeat", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_repeat_node(const mg_symbol* data,
                                       const mx_repeat_options* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"repeats", "axis"};
  return mx_node("repeat", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_reshape_like_options {
  /* MX_INT. First axis of lhs that is replaced; None is 0. Default: None. */
  mg_value lhs_begin;
  /* MX_INT. Axis of lhs where replacing ends; None is its rank. Default: None. */
  mg_value lhs_end;
  /* MX_INT. First axis of rhs that is taken; None is 0. Default: None. */
  mg_value rhs_begin;
  /* MX_INT. Axis of rhs where taking ends; None is its rank. Default: None. */
  mg_value rhs_end;
} mx_reshape_like_options;
/* lhs in the shape of rhs; with ranges, only axes [lhs_begin, lhs_end) turn into rhs's axes [rhs_begin,
 * rhs_end). lhs: The elements. rhs: Gives extents; its elements are not read. */
static inline mg_status mx_reshape_like(mg_array* lhs,
                                        mg_array* rhs,
                                        const mx_reshape_like_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {lhs, rhs};
  static const char* const names[] = {"lhs_begin", "lhs_end", "rhs_begin", "rhs_end"};
  int32_t one = 1;
  return mx_call("reshape_like", 2, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_reshape_like_node(const mg_symbol* lhs,
                                             const mg_symbol* rhs,
                                             const mx_reshape_like_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {lhs, rhs};
  static const char* const words[] = {"lhs", "rhs"};
  static const char* const names[] = {"lhs_begin", "lhs_end", "rhs_begin", "rhs_end"};
  return mx_node("reshape_like", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_reverse_options {
  /* MX_TUPLE of MX_INT. Axes to reverse. */
  mg_value axis;
} mx_reverse_options;
/* Reverses the order of elements along axes. data: Any array. */
static inline mg_status mx_reverse(mg_array* data,
                                   const mx_reverse_options* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis"};
  int32_t one = 1;
  return mx_call("reverse", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_reverse_node(const mg_symbol* data,
                                        const mx_reverse_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis"};
  return mx_node("reverse", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

/* Nearest integer; halves go down. data: Any array. */
static inline mg_status mx_rint(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("rint", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_rint_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("rint", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_rmsprop_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Part of the averaged square that is kept. Default: 0.95. */
  mg_value gamma1;
  /* MX_REAL. Added under the root. Default: 1e-08. */
  mg_value epsilon;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_REAL. New weights are bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_weights;
} mx_rmsprop_update_options;
/* g = clip(rescale_grad * grad + wd * weight), n = gamma1 * n + (1 - gamma1) * g^2; the new weight is
 * weight - lr * g / sqrt(n + epsilon). weight: Weights, any float dtype. grad: Gradient, of the weight's
 * shape. n: Averaged square of the gradient; changed in place. */
static inline mg_status mx_rmsprop_update(mg_array* weight,
                                          mg_array* grad,
                                          mg_array* n,
                                          const mx_rmsprop_update_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {weight, grad, n};
  static const char* const names[] = {
      "lr", "gamma1", "epsilon", "wd", "rescale_grad", "clip_gradient", "clip_weights"
  };
  int32_t one = 1;
  return mx_call("rmsprop_update", 3, inputs, 7, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_rmsprop_update_node(const mg_symbol* weight,
                                               const mg_symbol* grad,
                                               const mg_symbol* n,
                                               const mx_rmsprop_update_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, n};
  static const char* const words[] = {"weight", "grad", "n"};
  static const char* const names[] = {
      "lr", "gamma1", "epsilon", "wd", "rescale_grad", "clip_gradient", "clip_weights"
  };
  return mx_node("rmsprop_update", name, 3, words, inputs, 7, names, (const mg_value*)options, out);
}

typedef struct mx_rmspropalex_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Part of the averages that is kept. Default: 0.95. */
  mg_value gamma1;
  /* MX_REAL. Part of the last step that is kept. Default: 0.9. */
  mg_value gamma2;
  /* MX_REAL. Added under the root. Default: 1e-08. */
  mg_value epsilon;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_REAL. New weights are bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_weights;
} mx_rmspropalex_update_options;
/* RMSProp around the mean, with momentum: n and g average the squares and the gradients, delta = gamma2 *
 * delta - lr * grad / sqrt(n - g^2 + epsilon); the new weight is weight + delta. weight: Weights, any
 * float dtype. grad: Gradient, of the weight's shape. n: Averaged square of the gradient; changed in
 * place. g: Averaged gradient; changed in place. delta: The last step; changed in place. */
static inline mg_status mx_rmspropalex_update(mg_array* weight,
                                              mg_array* grad,
                                              mg_array* n,
                                              mg_array* g,
                                              mg_array* delta,
                                              const mx_rmspropalex_update_options* options,
                                              mg_array** out) {
  mg_array* const inputs[] = {weight, grad, n, g, delta};
  static const char* const names[] = {
      "lr", "gamma1", "gamma2", "epsilon", "wd", "rescale_grad", "clip_gradient", "clip_weights"
  };
  int32_t one = 1;
  return mx_call("rmspropalex_update", 5, inputs, 8, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_rmspropalex_update_node(const mg_symbol* weight,
                                                   const mg_symbol* grad,
                                                   const mg_symbol* n,
                                                   const mg_symbol* g,
                                                   const mg_symbol* delta,
                                                   const mx_rmspropalex_update_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, n, g, delta};
  static const char* const words[] = {"weight", "grad", "n", "g", "delta"};
  static const char* const names[] = {
      "lr", "gamma1", "gamma2", "epsilon", "wd", "rescale_grad", "clip_gradient", "clip_weights"
  };
  return mx_node("rmspropalex_update", name, 5, words, inputs, 8, names, (const mg_value*)options, out);
}

/* Nearest integer; halves go away from 0. data: Any array. */
static inline mg_status mx_round(mg_array* data,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("round", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_round_node(const mg_symbol* data,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("round", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* 1 / sqrt(data). data: Any array. */
static inline mg_status mx_rsqrt(mg_array* data,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("rsqrt", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_rsqrt_node(const mg_symbol* data,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("rsqrt", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_sample_exponential_options {
  /* MX_TUPLE of MX_INT. Extents of the block that each element of the parameters gives. Default: (). */
  mg_value shape;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_sample_exponential_options;
/* Numbers of exponential distributions. The output has the parameters' shape followed by `shape`;
 * parameters outside their range give NaN. lam: Rates, the inverse of the means. */
static inline mg_status mx_sample_exponential(mg_array* lam,
                                              const mx_sample_exponential_options* options,
                                              mg_array** out) {
  mg_array* const inputs[] = {lam};
  static const char* const names[] = {"shape", "dtype"};
  int32_t one = 1;
  return mx_call("_sample_exponential", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sample_exponential_node(const mg_symbol* lam,
                                                   const mx_sample_exponential_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  const mg_symbol* const inputs[] = {lam};
  static const char* const words[] = {"lam"};
  static const char* const names[] = {"shape", "dtype"};
  return mx_node("_sample_exponential", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_sample_gamma_options {
  /* MX_TUPLE of MX_INT. Extents of the block that each element of the parameters gives. Default: (). */
  mg_value shape;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_sample_gamma_options;
/* Numbers of gamma distributions. The output has the parameters' shape followed by `shape`; parameters
 * outside their range give NaN. alpha: Shapes. beta: Scales, of the shape of alpha: the mean is alpha *
 * beta. */
static inline mg_status mx_sample_gamma(mg_array* alpha,
                                        mg_array* beta,
                                        const mx_sample_gamma_options* options,
                                        mg_array** out) {
  mg_array* const inputs[] = {alpha, beta};
  static const char* const names[] = {"shape", "dtype"};
  int32_t one = 1;
  return mx_call("_sample_gamma", 2, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sample_gamma_node(const mg_symbol* alpha,
                                             const mg_symbol* beta,
                                             const mx_sample_gamma_options* options,
                                             const char* name,
                                             mg_symbol** out) {
  const mg_symbol* const inputs[] = {alpha, beta};
  static const char* const words[] = {"alpha", "beta"};
  static const char* const names[] = {"shape", "dtype"};
  return mx_node("_sample_gamma", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_sample_generalized_negative_binomial_options {
  /* MX_TUPLE of MX_INT. Extents of the block that each element of the parameters gives. Default: (). */
  mg_value shape;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_sample_generalized_negative_binomial_options;
/* Counts of mean mu and variance mu + alpha * mu^2, as floats. The output has the parameters' shape
 * followed by `shape`; parameters outside their range give NaN. mu: Means. alpha: Dispersions, of the
 * shape of mu. */
static inline mg_status mx_sample_generalized_negative_binomial(mg_array* mu,
                                                                mg_array* alpha,
                                                                const mx_sample_generalized_negative_binomial_options* options,
                                                                mg_array** out) {
  mg_array* const inputs[] = {mu, alpha};
  static const char* const names[] = {"shape", "dtype"};
  int32_t one = 1;
  return mx_call("_sample_generalized_negative_binomial", 2, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sample_generalized_negative_binomial_node(const mg_symbol* mu,
                                                                     const mg_symbol* alpha,
                                                                     const mx_sample_generalized_negative_binomial_options* options,
                                                                     const char* name,
                                                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {mu, alpha};
  static const char* const words[] = {"mu", "alpha"};
  static const char* const names[] = {"shape", "dtype"};
  return mx_node("_sample_generalized_negative_binomial", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_sample_multinomial_options {
  /* MX_TUPLE of MX_INT. Extents of the draws of one row; by default a single draw. Default: (). */
  mg_value shape;
  /* MX_BOOL. Also give the logarithm of each drawn index's probability. Default: False. */
  mg_value get_prob;
  /* MX_TEXT. Element type of the indices. Default: 'int32'. */
  mg_value dtype;
} mx_sample_multinomial_options;
/* Indices drawn with the probabilities in each row of data, of shape data.shape[:-1] + shape; with
 * get_prob also the logarithms of their probabilities, through which the gradient flows. data:
 * Probabilities (..., k) of k categories, each row summing to 1; float. */
static inline mg_status mx_sample_multinomial(mg_array* data,
                                              const mx_sample_multinomial_options* options,
                                              int32_t* num_outputs,
                                              mg_array** outputs) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"shape", "get_prob", "dtype"};
  return mx_call("_sample_multinomial", 1, inputs, 3, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_sample_multinomial_node(const mg_symbol* data,
                                                   const mx_sample_multinomial_options* options,
                                                   const char* name,
                                                   mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"shape", "get_prob", "dtype"};
  return mx_node("_sample_multinomial", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_sample_negative_binomial_options {
  /* MX_TUPLE of MX_INT. Extents of the block that each element of the parameters gives. Default: (). */
  mg_value shape;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_sample_negative_binomial_options;
/* Failures before success number k, as floats. The output has the parameters' shape followed by `shape`;
 * parameters outside their range give NaN. k: Successes to wait for. p: Probabilities of success, of the
 * shape of k. */
static inline mg_status mx_sample_negative_binomial(mg_array* k,
                                                    mg_array* p,
                                                    const mx_sample_negative_binomial_options* options,
                                                    mg_array** out) {
  mg_array* const inputs[] = {k, p};
  static const char* const names[] = {"shape", "dtype"};
  int32_t one = 1;
  return mx_call("_sample_negative_binomial", 2, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sample_negative_binomial_node(const mg_symbol* k,
                                                         const mg_symbol* p,
                                                         const mx_sample_negative_binomial_options* options,
                                                         const char* name,
                                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {k, p};
  static const char* const words[] = {"k", "p"};
  static const char* const names[] = {"shape", "dtype"};
  return mx_node("_sample_negative_binomial", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_sample_normal_options {
  /* MX_TUPLE of MX_INT. Extents of the block that each element of the parameters gives. Default: (). */
  mg_value shape;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_sample_normal_options;
/* Numbers of normal distributions. The output has the parameters' shape followed by `shape`; parameters
 * outside their range give NaN. mu: Means. sigma: Standard deviations, of the shape of mu. */
static inline mg_status mx_sample_normal(mg_array* mu,
                                         mg_array* sigma,
                                         const mx_sample_normal_options* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {mu, sigma};
  static const char* const names[] = {"shape", "dtype"};
  int32_t one = 1;
  return mx_call("_sample_normal", 2, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sample_normal_node(const mg_symbol* mu,
                                              const mg_symbol* sigma,
                                              const mx_sample_normal_options* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {mu, sigma};
  static const char* const words[] = {"mu", "sigma"};
  static const char* const names[] = {"shape", "dtype"};
  return mx_node("_sample_normal", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_sample_poisson_options {
  /* MX_TUPLE of MX_INT. Extents of the block that each element of the parameters gives. Default: (). */
  mg_value shape;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_sample_poisson_options;
/* Counts of Poisson distributions, as floats. The output has the parameters' shape followed by `shape`;
 * parameters outside their range give NaN. lam: Means. */
static inline mg_status mx_sample_poisson(mg_array* lam,
                                          const mx_sample_poisson_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {lam};
  static const char* const names[] = {"shape", "dtype"};
  int32_t one = 1;
  return mx_call("_sample_poisson", 1, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sample_poisson_node(const mg_symbol* lam,
                                               const mx_sample_poisson_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {lam};
  static const char* const words[] = {"lam"};
  static const char* const names[] = {"shape", "dtype"};
  return mx_node("_sample_poisson", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_sample_uniform_options {
  /* MX_TUPLE of MX_INT. Extents of the block that each element of the parameters gives. Default: (). */
  mg_value shape;
  /* MX_TEXT. Element type, a float; by default that of the given output, else float32. Default: None. */
  mg_value dtype;
} mx_sample_uniform_options;
/* Numbers spread evenly over [low, high). The output has the parameters' shape followed by `shape`;
 * parameters outside their range give NaN. low: Least values. high: Ends of the intervals, of the shape
 * of low. */
static inline mg_status mx_sample_uniform(mg_array* low,
                                          mg_array* high,
                                          const mx_sample_uniform_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {low, high};
  static const char* const names[] = {"shape", "dtype"};
  int32_t one = 1;
  return mx_call("_sample_uniform", 2, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sample_uniform_node(const mg_symbol* low,
                                               const mg_symbol* high,
                                               const mx_sample_uniform_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {low, high};
  static const char* const words[] = {"low", "high"};
  static const char* const names[] = {"shape", "dtype"};
  return mx_node("_sample_uniform", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_scatter_nd_options {
  /* MX_TUPLE of MX_INT. Extents of the array that is indexed. */
  mg_value shape;
} mx_scatter_nd_options;
/* Zeros of the given shape with data at the indexed places; where indices repeat, the last slice stays.
 * The gradient counts every repeated slice. data: indices.shape[1:] + shape[M:] indices: (M, ...); any
 * dtype, fractions are cut off. */
static inline mg_status mx_scatter_nd(mg_array* data,
                                      mg_array* indices,
                                      const mx_scatter_nd_options* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {data, indices};
  static const char* const names[] = {"shape"};
  int32_t one = 1;
  return mx_call("scatter_nd", 2, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_scatter_nd_node(const mg_symbol* data,
                                           const mg_symbol* indices,
                                           const mx_scatter_nd_options* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, indices};
  static const char* const words[] = {"data", "indices"};
  static const char* const names[] = {"shape"};
  return mx_node("scatter_nd", name, 2, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_sgd_mom_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Part of the last step that is kept. Default: 0.0. */
  mg_value momentum;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_BOOL. Accepted for MXNet's sparse gradients; has no effect. Default: True. */
  mg_value lazy_update;
} mx_sgd_mom_update_options;
/* mom = momentum * mom - lr * (clip(rescale_grad * grad) + wd * weight); the new weight is weight + mom.
 * weight: Weights, any float dtype. grad: Gradient, of the weight's shape. mom: The last step; changed in
 * place. */
static inline mg_status mx_sgd_mom_update(mg_array* weight,
                                          mg_array* grad,
                                          mg_array* mom,
                                          const mx_sgd_mom_update_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {weight, grad, mom};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient", "lazy_update"};
  int32_t one = 1;
  return mx_call("sgd_mom_update", 3, inputs, 6, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sgd_mom_update_node(const mg_symbol* weight,
                                               const mg_symbol* grad,
                                               const mg_symbol* mom,
                                               const mx_sgd_mom_update_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, mom};
  static const char* const words[] = {"weight", "grad", "mom"};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient", "lazy_update"};
  return mx_node("sgd_mom_update", name, 3, words, inputs, 6, names, (const mg_value*)options, out);
}

typedef struct mx_sgd_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_BOOL. Accepted for MXNet's sparse gradients; has no effect. Default: True. */
  mg_value lazy_update;
} mx_sgd_update_options;
/* Step against the gradient: weight - lr * (clip(rescale_grad * grad) + wd * weight). weight: Weights,
 * any float dtype. grad: Gradient, of the weight's shape. */
static inline mg_status mx_sgd_update(mg_array* weight,
                                      mg_array* grad,
                                      const mx_sgd_update_options* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {weight, grad};
  static const char* const names[] = {"lr", "wd", "rescale_grad", "clip_gradient", "lazy_update"};
  int32_t one = 1;
  return mx_call("sgd_update", 2, inputs, 5, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sgd_update_node(const mg_symbol* weight,
                                           const mg_symbol* grad,
                                           const mx_sgd_update_options* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad};
  static const char* const words[] = {"weight", "grad"};
  static const char* const names[] = {"lr", "wd", "rescale_grad", "clip_gradient", "lazy_update"};
  return mx_node("sgd_update", name, 2, words, inputs, 5, names, (const mg_value*)options, out);
}

/* The extents of an array as int64. data: Any array; its elements are not read. */
static inline mg_status mx_shape_array(mg_array* data,
                                       const void* options,
                                       mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("shape_array", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_shape_array_node(const mg_symbol* data,
                                            const void* options,
                                            const char* name,
                                            mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("shape_array", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* The parts of data along its first axis, in random order; each part stays as it is. data: Any array. */
static inline mg_status mx_shuffle(mg_array* data,
                                   const void* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("_shuffle", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_shuffle_node(const mg_symbol* data,
                                        const void* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("_shuffle", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* 1 / (1 + e^-data). data: Any array. */
static inline mg_status mx_sigmoid(mg_array* data,
                                   const void* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("sigmoid", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_sigmoid_node(const mg_symbol* data,
                                        const void* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("sigmoid", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* -1, 0 or 1; 0 for NaN. data: Any array. */
static inline mg_status mx_sign(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("sign", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_sign_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("sign", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_signsgd_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Weight decay: lr times this part of the weight is taken off. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Accepted; changes no sign. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. Accepted; changes no sign. Default: -1.0. */
  mg_value clip_gradient;
} mx_signsgd_update_options;
/* Step by the gradient's sign: (1 - lr * wd) * weight - lr * sign(grad). weight: Weights, any float
 * dtype. grad: Gradient, of the weight's shape. */
static inline mg_status mx_signsgd_update(mg_array* weight,
                                          mg_array* grad,
                                          const mx_signsgd_update_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {weight, grad};
  static const char* const names[] = {"lr", "wd", "rescale_grad", "clip_gradient"};
  int32_t one = 1;
  return mx_call("signsgd_update", 2, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_signsgd_update_node(const mg_symbol* weight,
                                               const mg_symbol* grad,
                                               const mx_signsgd_update_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad};
  static const char* const words[] = {"weight", "grad"};
  static const char* const names[] = {"lr", "wd", "rescale_grad", "clip_gradient"};
  return mx_node("signsgd_update", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

typedef struct mx_signum_update_options {
  /* MX_REAL. Learning rate. */
  mg_value lr;
  /* MX_REAL. Part of the averaged gradient that is kept. Default: 0.0. */
  mg_value momentum;
  /* MX_REAL. Weight decay: its multiple of the weight is added to the gradient. Default: 0.0. */
  mg_value wd;
  /* MX_REAL. Factor of the gradient, applied first. Default: 1.0. */
  mg_value rescale_grad;
  /* MX_REAL. The gradient is bounded to plus and minus this; a negative value does not bound. Default:
   * -1.0. */
  mg_value clip_gradient;
  /* MX_REAL. Decay of the weight itself, apart from the gradient. Default: 0.0. */
  mg_value wd_lh;
} mx_signum_update_options;
/* Step by the sign of an averaged gradient: mom = momentum * mom - (1 - momentum) * (clip(rescale_grad *
 * grad) + wd * weight); the new weight is (1 - lr * wd_lh) * weight + lr * sign(mom). weight: Weights,
 * any float dtype. grad: Gradient, of the weight's shape. mom: Averaged negative gradient; changed in
 * place. */
static inline mg_status mx_signum_update(mg_array* weight,
                                         mg_array* grad,
                                         mg_array* mom,
                                         const mx_signum_update_options* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {weight, grad, mom};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient", "wd_lh"};
  int32_t one = 1;
  return mx_call("signum_update", 3, inputs, 6, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_signum_update_node(const mg_symbol* weight,
                                              const mg_symbol* grad,
                                              const mg_symbol* mom,
                                              const mx_signum_update_options* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {weight, grad, mom};
  static const char* const words[] = {"weight", "grad", "mom"};
  static const char* const names[] = {"lr", "momentum", "wd", "rescale_grad", "clip_gradient", "wd_lh"};
  return mx_node("signum_update", name, 3, words, inputs, 6, names, (const mg_value*)options, out);
}

/* Sine of an angle in radians. data: Any array. */
static inline mg_status mx_sin(mg_array* data,
                               const void* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("sin", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_sin_node(const mg_symbol* data,
                                    const void* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("sin", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Hyperbolic sine. data: Any array. */
static inline mg_status mx_sinh(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("sinh", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_sinh_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("sinh", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* The number of elements of an array as int64, shape (1,). data: Any array; its elements are not read. */
static inline mg_status mx_size_array(mg_array* data,
                                      const void* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("size_array", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_size_array_node(const mg_symbol* data,
                                           const void* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("size_array", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_slice_options {
  /* MX_TUPLE of MX_INT. First index per leading axis; None is the first in the direction of step. */
  mg_value begin;
  /* MX_TUPLE of MX_INT. Index after the last per leading axis; None goes to the end. */
  mg_value end;
  /* MX_TUPLE of MX_INT. Distance per leading axis; None is 1, negative walks backwards. Default: (). */
  mg_value step;
} mx_slice_options;
/* A box of the array: begin, end and step per leading axis, with Python's rules for None and negatives.
 * data: Any array. */
static inline mg_status mx_slice(mg_array* data,
                                 const mx_slice_options* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"begin", "end", "step"};
  int32_t one = 1;
  return mx_call("slice", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_slice_node(const mg_symbol* data,
                                      const mx_slice_options* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"begin", "end", "step"};
  return mx_node("slice", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_slice_axis_options {
  /* MX_INT. The axis. */
  mg_value axis;
  /* MX_INT. First index; negative counts from the end. */
  mg_value begin;
  /* MX_INT. Index after the last; None is the extent. */
  mg_value end;
} mx_slice_axis_options;
/* Elements [begin, end) along one axis. data: Any array. */
static inline mg_status mx_slice_axis(mg_array* data,
                                      const mx_slice_axis_options* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "begin", "end"};
  int32_t one = 1;
  return mx_call("slice_axis", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_slice_axis_node(const mg_symbol* data,
                                           const mx_slice_axis_options* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "begin", "end"};
  return mx_node("slice_axis", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_slice_like_options {
  /* MX_TUPLE of MX_INT. Axes to cut; () cuts all. Default: (). */
  mg_value axes;
} mx_slice_like_options;
/* The leading part of data that has shape_like's extents, on all axes or on some. data: Any array.
 * shape_like: Gives extents; its elements are not read. */
static inline mg_status mx_slice_like(mg_array* data,
                                      mg_array* shape_like,
                                      const mx_slice_like_options* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {data, shape_like};
  static const char* const names[] = {"axes"};
  int32_t one = 1;
  return mx_call("slice_like", 2, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_slice_like_node(const mg_symbol* data,
                                           const mg_symbol* shape_like,
                                           const mx_slice_like_options* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, shape_like};
  static const char* const words[] = {"data", "shape_like"};
  static const char* const names[] = {"axes"};
  return mx_node("slice_like", name, 2, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_smooth_l1_options {
  /* MX_REAL. Sigma: the parabola ends at |x| = 1 / sigma^2. Default: 1.0. */
  mg_value scalar;
} mx_smooth_l1_options;
/* Huber's loss: with s = scalar^2, s x^2 / 2 where |x| < 1 / s, |x| - 1 / (2 s) elsewhere. data: Any
 * float array. */
static inline mg_status mx_smooth_l1(mg_array* data,
                                     const mx_smooth_l1_options* options,
                                     mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"scalar"};
  int32_t one = 1;
  return mx_call("smooth_l1", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_smooth_l1_node(const mg_symbol* data,
                                          const mx_smooth_l1_options* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"scalar"};
  return mx_node("smooth_l1", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_softmax_options {
  /* MX_INT. Axis along which the outputs sum to 1. Default: -1. */
  mg_value axis;
  /* MX_REAL. The input is divided by it; None is 1. Default: None. */
  mg_value temperature;
  /* MX_TEXT. Element type of the output, a float; None is that of the input. Default: None. */
  mg_value dtype;
  /* MX_BOOL. Takes `length`, the number of elements of each vector that count. Default: False. */
  mg_value use_length;
} mx_softmax_options;
/* exp(x / temperature) along an axis, divided by its sum. Elements from `length` on are 0. data: Floats.
 * A vector of nothing but -inf gives NaN. length: Integers, of data's shape without the axis; with
 * use_length=True. */
static inline mg_status mx_softmax(mg_array* data,
                                   mg_array* length,
                                   const mx_softmax_options* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data, length};
  static const char* const names[] = {"axis", "temperature", "dtype", "use_length"};
  int32_t one = 1;
  return mx_call("softmax", 2, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_softmax_node(const mg_symbol* data,
                                        const mg_symbol* length,
                                        const mx_softmax_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, length};
  static const char* const words[] = {"data", "length"};
  static const char* const names[] = {"axis", "temperature", "dtype", "use_length"};
  return mx_node("softmax", name, 2, words, inputs, 4, names, (const mg_value*)options, out);
}

/* Sum over rows of -log(softmax(data)[label]). The label receives no gradient. data: (N, C), scores of C
 * classes. label: (N,), class numbers from 0 to C - 1. */
static inline mg_status mx_softmax_cross_entropy(mg_array* data,
                                                 mg_array* label,
                                                 const void* options,
                                                 mg_array** out) {
  mg_array* const inputs[] = {data, label};
  (void)options;
  int32_t one = 1;
  return mx_call("softmax_cross_entropy", 2, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_softmax_cross_entropy_node(const mg_symbol* data,
                                                      const mg_symbol* label,
                                                      const void* options,
                                                      const char* name,
                                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data, label};
  static const char* const words[] = {"data", "label"};
  (void)options;
  return mx_node("softmax_cross_entropy", name, 2, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_softmin_options {
  /* MX_INT. Axis along which the outputs sum to 1. Default: -1. */
  mg_value axis;
  /* MX_REAL. The input is divided by it; None is 1. Default: None. */
  mg_value temperature;
  /* MX_TEXT. Element type of the output, a float; None is that of the input. Default: None. */
  mg_value dtype;
  /* MX_BOOL. Takes `length`, the number of elements of each vector that count. Default: False. */
  mg_value use_length;
} mx_softmin_options;
/* The softmax of -x. data: Floats. A vector of nothing but -inf gives NaN. */
static inline mg_status mx_softmin(mg_array* data,
                                   const mx_softmin_options* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "temperature", "dtype", "use_length"};
  int32_t one = 1;
  return mx_call("softmin", 1, inputs, 4, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_softmin_node(const mg_symbol* data,
                                        const mx_softmin_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "temperature", "dtype", "use_length"};
  return mx_node("softmin", name, 1, words, inputs, 4, names, (const mg_value*)options, out);
}

/* log(1 + e^data), a smooth relu. data: Any array. */
static inline mg_status mx_softrelu(mg_array* data,
                                    const void* options,
                                    mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("softrelu", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_softrelu_node(const mg_symbol* data,
                                         const void* options,
                                         const char* name,
                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("softrelu", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* data / (1 + |data|). data: Any array. */
static inline mg_status mx_softsign(mg_array* data,
                                    const void* options,
                                    mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("softsign", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_softsign_node(const mg_symbol* data,
                                         const void* options,
                                         const char* name,
                                         mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("softsign", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_sort_options {
  /* MX_INT. The sorted axis; None sorts the flattened array. Default: -1. */
  mg_value axis;
  /* MX_BOOL. Smallest first. Default: True. */
  mg_value is_ascend;
} mx_sort_options;
/* Sorted along an axis. Equal elements keep their order; NaN counts as larger than all. data: Any array. */
static inline mg_status mx_sort(mg_array* data,
                                const mx_sort_options* options,
                                int32_t* num_outputs,
                                mg_array** outputs) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "is_ascend"};
  return mx_call("sort", 1, inputs, 2, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_sort_node(const mg_symbol* data,
                                     const mx_sort_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "is_ascend"};
  return mx_node("sort", name, 1, words, inputs, 2, names, (const mg_value*)options, out);
}

typedef struct mx_space_to_depth_options {
  /* MX_INT. Side b of the square blocks. */
  mg_value block_size;
} mx_space_to_depth_options;
/* Stacks blocks of space as channels; the inverse of depth_to_space. data: (N, C, H*b, W*b) */
static inline mg_status mx_space_to_depth(mg_array* data,
                                          const mx_space_to_depth_options* options,
                                          mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"block_size"};
  int32_t one = 1;
  return mx_call("space_to_depth", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_space_to_depth_node(const mg_symbol* data,
                                               const mx_space_to_depth_options* options,
                                               const char* name,
                                               mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"block_size"};
  return mx_node("space_to_depth", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

/* Square root; NaN below 0. data: Any array. */
static inline mg_status mx_sqrt(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("sqrt", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_sqrt_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("sqrt", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* data * data. data: Any array. */
static inline mg_status mx_square(mg_array* data,
                                  const void* options,
                                  mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("square", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_square_node(const mg_symbol* data,
                                       const void* options,
                                       const char* name,
                                       mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("square", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_squeeze_options {
  /* MX_TUPLE of MX_INT. Axes of extent 1 to drop; None drops all of them. Default: None. */
  mg_value axis;
} mx_squeeze_options;
/* Drops axes of extent 1; an array that consists of such axes keeps one. data: Any array. */
static inline mg_status mx_squeeze(mg_array* data,
                                   const mx_squeeze_options* options,
                                   mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis"};
  int32_t one = 1;
  return mx_call("squeeze", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_squeeze_node(const mg_symbol* data,
                                        const mx_squeeze_options* options,
                                        const char* name,
                                        mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis"};
  return mx_node("squeeze", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_stack_options {
  /* MX_INT. Where the new axis comes to lie in the output. Default: 0. */
  mg_value axis;
} mx_stack_options;
/* Joins arrays of one shape along a new axis. data: Arrays of one shape and dtype. */
static inline mg_status mx_stack(int32_t count,
                                 mg_array* const* data,
                                 const mx_stack_options* options,
                                 mg_array** out) {
  static const char* const names[] = {"axis"};
  int32_t one = 1;
  return mx_call("stack", count, data, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_stack_node(int32_t count,
                                      const mg_symbol* const* data,
                                      const mx_stack_options* options,
                                      const char* name,
                                      mg_symbol** out) {
  static const char* const names[] = {"axis"};
  return mx_node("stack", name, count, NULL, data, 1, names, (const mg_value*)options, out);
}

typedef struct mx_sum_options {
  /* MX_TUPLE of MX_INT. Axis or axes to reduce; None and () mean all. Default: None. */
  mg_value axis;
  /* MX_BOOL. Keeps reduced axes, with extent 1. Default: False. */
  mg_value keepdims;
  /* MX_BOOL. Reduces all axes but those in `axis`. Default: False. */
  mg_value exclude;
} mx_sum_options;
/* Sum over axes. The error of a float sum does not grow with its length. data: Any array. Integers are
 * joined in int64 and wrap to the input's dtype. */
static inline mg_status mx_sum(mg_array* data,
                               const mx_sum_options* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  int32_t one = 1;
  return mx_call("sum", 1, inputs, 3, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_sum_node(const mg_symbol* data,
                                    const mx_sum_options* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "keepdims", "exclude"};
  return mx_node("sum", name, 1, words, inputs, 3, names, (const mg_value*)options, out);
}

typedef struct mx_take_options {
  /* MX_INT. The indexed axis. Default: 0. */
  mg_value axis;
  /* MX_TEXT. Indices outside the axis are clipped, fail, or wrap around. One of "clip", "raise", "wrap".
   * Default: 'clip'. */
  mg_value mode;
} mx_take_options;
/* Slices of a at the indices along an axis: shape a[:axis] + indices.shape + a[axis+1:]. a: At least one
 * axis. indices: Any shape and dtype; fractions are cut off. */
static inline mg_status mx_take(mg_array* a,
                                mg_array* indices,
                                const mx_take_options* options,
                                mg_array** out) {
  mg_array* const inputs[] = {a, indices};
  static const char* const names[] = {"axis", "mode"};
  int32_t one = 1;
  return mx_call("take", 2, inputs, 2, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_take_node(const mg_symbol* a,
                                     const mg_symbol* indices,
                                     const mx_take_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {a, indices};
  static const char* const words[] = {"a", "indices"};
  static const char* const names[] = {"axis", "mode"};
  return mx_node("take", name, 2, words, inputs, 2, names, (const mg_value*)options, out);
}

/* Tangent of an angle in radians. data: Any array. */
static inline mg_status mx_tan(mg_array* data,
                               const void* options,
                               mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("tan", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_tan_node(const mg_symbol* data,
                                    const void* options,
                                    const char* name,
                                    mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("tan", name, 1, words, inputs, 0, NULL, NULL, out);
}

/* Hyperbolic tangent. data: Any array. */
static inline mg_status mx_tanh(mg_array* data,
                                const void* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("tanh", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_tanh_node(const mg_symbol* data,
                                     const void* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("tanh", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_tile_options {
  /* MX_TUPLE of MX_INT. Repetitions per axis, aligned with the last; missing ones are 1. */
  mg_value reps;
} mx_tile_options;
/* Lays copies of the whole array side by side along axes. data: Any array; missing leading axes count as
 * 1. */
static inline mg_status mx_tile(mg_array* data,
                                const mx_tile_options* options,
                                mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"reps"};
  int32_t one = 1;
  return mx_call("tile", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_tile_node(const mg_symbol* data,
                                     const mx_tile_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"reps"};
  return mx_node("tile", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

typedef struct mx_topk_options {
  /* MX_INT. The axis; None takes the flattened array. Default: -1. */
  mg_value axis;
  /* MX_INT. How many elements; below 1 all. Default: 1. */
  mg_value k;
  /* MX_TEXT. The elements, their indices, 1 where an element is among them, or elements and indices. One
   * of "both", "indices", "mask", "value". Default: 'indices'. */
  mg_value ret_typ;
  /* MX_BOOL. The smallest instead of the largest. Default: False. */
  mg_value is_ascend;
  /* MX_TEXT. Element type of the indices. Default: 'float32'. */
  mg_value dtype;
} mx_topk_options;
/* The k largest (or smallest) elements along an axis, in order, as values, indices or a mask. Of equal
 * elements the first ones are taken. data: Any array. */
static inline mg_status mx_topk(mg_array* data,
                                const mx_topk_options* options,
                                int32_t* num_outputs,
                                mg_array** outputs) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axis", "k", "ret_typ", "is_ascend", "dtype"};
  return mx_call("topk", 1, inputs, 5, names, (const mg_value*)options, num_outputs, outputs);
}
static inline mg_status mx_topk_node(const mg_symbol* data,
                                     const mx_topk_options* options,
                                     const char* name,
                                     mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axis", "k", "ret_typ", "is_ascend", "dtype"};
  return mx_node("topk", name, 1, words, inputs, 5, names, (const mg_value*)options, out);
}

typedef struct mx_transpose_options {
  /* MX_TUPLE of MX_INT. Axis i of the output is axis axes[i] of the input; () reverses all. Default: (). */
  mg_value axes;
} mx_transpose_options;
/* Permutes the axes. data: Any array. */
static inline mg_status mx_transpose(mg_array* data,
                                     const mx_transpose_options* options,
                                     mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"axes"};
  int32_t one = 1;
  return mx_call("transpose", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_transpose_node(const mg_symbol* data,
                                          const mx_transpose_options* options,
                                          const char* name,
                                          mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"axes"};
  return mx_node("transpose", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

/* Integer part: rounded toward 0. data: Any array. */
static inline mg_status mx_trunc(mg_array* data,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("trunc", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_trunc_node(const mg_symbol* data,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("trunc", name, 1, words, inputs, 0, NULL, NULL, out);
}

typedef struct mx_unravel_index_options {
  /* MX_TUPLE of MX_INT. Extents of the array that is indexed; the first one may be -1. Default: (). */
  mg_value shape;
} mx_unravel_index_options;
/* Coordinates of flat row-major indices: shape (number of axes,) + data.shape. What exceeds the array
 * stays in the first coordinate. data: Any shape. */
static inline mg_status mx_unravel_index(mg_array* data,
                                         const mx_unravel_index_options* options,
                                         mg_array** out) {
  mg_array* const inputs[] = {data};
  static const char* const names[] = {"shape"};
  int32_t one = 1;
  return mx_call("_unravel_index", 1, inputs, 1, names, (const mg_value*)options, &one, out);
}
static inline mg_status mx_unravel_index_node(const mg_symbol* data,
                                              const mx_unravel_index_options* options,
                                              const char* name,
                                              mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  static const char* const names[] = {"shape"};
  return mx_node("_unravel_index", name, 1, words, inputs, 1, names, (const mg_value*)options, out);
}

/* Elements of x where condition is not 0, of y elsewhere. Shapes broadcast as in NumPy; a condition with
 * one axis, as long as the first axis of x and y, selects rows. condition: Any dtype. x: Taken where the
 * condition is not 0. y: Taken where it is 0; of the dtype of x. */
static inline mg_status mx_where(mg_array* condition,
                                 mg_array* x,
                                 mg_array* y,
                                 const void* options,
                                 mg_array** out) {
  mg_array* const inputs[] = {condition, x, y};
  (void)options;
  int32_t one = 1;
  return mx_call("where", 3, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_where_node(const mg_symbol* condition,
                                      const mg_symbol* x,
                                      const mg_symbol* y,
                                      const void* options,
                                      const char* name,
                                      mg_symbol** out) {
  const mg_symbol* const inputs[] = {condition, x, y};
  static const char* const words[] = {"condition", "x", "y"};
  (void)options;
  return mx_node("where", name, 3, words, inputs, 0, NULL, NULL, out);
}

/* Zeros with the shape and dtype of the input. data: Any array. */
static inline mg_status mx_zeros_like(mg_array* data,
                                      const void* options,
                                      mg_array** out) {
  mg_array* const inputs[] = {data};
  (void)options;
  int32_t one = 1;
  return mx_call("zeros_like", 1, inputs, 0, NULL, NULL, &one, out);
}
static inline mg_status mx_zeros_like_node(const mg_symbol* data,
                                           const void* options,
                                           const char* name,
                                           mg_symbol** out) {
  const mg_symbol* const inputs[] = {data};
  static const char* const words[] = {"data"};
  (void)options;
  return mx_node("zeros_like", name, 1, words, inputs, 0, NULL, NULL, out);
}

#endif
