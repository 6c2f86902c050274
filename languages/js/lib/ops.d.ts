// Types of the operators. Written by tools/generate_languages.py: do not edit.
import type { DType, NDArray, Symbol } from "./index.js";

type Ints = number | readonly number[];
type Floats = number | readonly number[];

/** What every operator takes beside its parameters. */
export interface Options<T> {
  /** Of the node, on symbols. */
  name?: string;
  /** What is written in place of new arrays, on arrays. */
  out?: T | readonly T[];
}

export interface ActivationOptions<T> extends Options<T> {
  /**
   * Which function. One of "log_sigmoid", "relu", "sigmoid", "softrelu", "softsign", "tanh".
   */
  act_type?: "log_sigmoid" | "relu" | "sigmoid" | "softrelu" | "softsign" | "tanh";
}

export interface BatchNormOptions<T> extends Options<T> {
  /**
   * Added to the variance. Default: 0.001.
   */
  eps?: number;
  /**
   * Share of the old value in a moving average. Default: 0.9.
   */
  momentum?: number;
  /**
   * Takes gamma as 1 and gives it no gradient. Default: True.
   */
  fix_gamma?: boolean;
  /**
   * Normalises with the moving averages in training too, and leaves them. Default: False.
   */
  use_global_stats?: boolean;
  /**
   * Also gives mean and 1 / sqrt(variance + eps) per channel; they pass no gradient on. Default:
   * False.
   */
  output_mean_var?: boolean;
  /**
   * Axis of the channels. Default: 1.
   */
  axis?: number;
  /**
   * Accepted for MXNet's sake; changes nothing. Default: False.
   */
  cudnn_off?: boolean;
  /**
   * Accepted for MXNet's sake; changes nothing. Default: None.
   */
  min_calib_range?: number | null;
  /**
   * Accepted for MXNet's sake; changes nothing. Default: None.
   */
  max_calib_range?: number | null;
}

export interface BilinearSamplerOptions<T> extends Options<T> {
  /**
   * Accepted for MXNet's scripts; has no effect. Default: None.
   */
  cudnn_off?: boolean | null;
}

export interface CTCLossOptions<T> extends Options<T> {
  /**
   * Whether data_lengths is given; else all steps count. Default: False.
   */
  use_data_lengths?: boolean;
  /**
   * Whether label_lengths is given; else labels end at the first padding. Default: False.
   */
  use_label_lengths?: boolean;
  /**
   * Which class is the blank. first: labels are 1 to C - 1, padding is 0; last: 0 to C - 2, and -1.
   * One of "first", "last". Default: 'first'.
   */
  blank_label?: "first" | "last";
}

export interface CastOptions<T> extends Options<T> {
  /**
   * Element type of the output.
   */
  dtype?: DType;
}

export interface ConcatOptions<T> extends Options<T> {
  /**
   * The axis along which they follow one another. Default: 1.
   */
  dim?: number;
}

export interface ConvolutionOptions<T> extends Options<T> {
  /**
   * Extents of the window: (w,), (h, w) or (d, h, w).
   */
  kernel?: Ints;
  /**
   * Steps of the window; empty means ones. Default: ().
   */
  stride?: Ints;
  /**
   * Distance of the input elements under neighbouring weights; empty means ones. Default: ().
   */
  dilate?: Ints;
  /**
   * Zeros added at both ends of each axis; empty means none. Default: ().
   */
  pad?: Ints;
  /**
   * Channels of the output.
   */
  num_filter?: number;
  /**
   * Groups of channels that are convolved apart. Default: 1.
   */
  num_group?: number;
  /**
   * Accepted and ignored. Default: 1024.
   */
  workspace?: number;
  /**
   * Leave the bias out; the operator then has two inputs. Default: False.
   */
  no_bias?: boolean;
  /**
   * Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
   */
  cudnn_tune?: "fastest" | "limited_workspace" | "off" | null;
  /**
   * Accepted and ignored. Default: False.
   */
  cudnn_off?: boolean;
  /**
   * Order of axes; None is channels first. Channels-last weights are (num_filter, window...,
   * channels). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
   */
  layout?: "NCDHW" | "NCHW" | "NCW" | "NDHWC" | "NHWC" | "NWC" | null;
}

export interface CorrelationOptions<T> extends Options<T> {
  /**
   * Extent of the square patches, odd. Default: 1.
   */
  kernel_size?: number;
  /**
   * Largest displacement, in pixels. Default: 1.
   */
  max_displacement?: number;
  /**
   * Pixels between patches of data1. Default: 1.
   */
  stride1?: number;
  /**
   * Pixels between displacements. Default: 1.
   */
  stride2?: number;
  /**
   * Zeros around both images. Default: 0.
   */
  pad_size?: number;
  /**
   * Whether values are multiplied; else their absolute difference is taken. Default: True.
   */
  is_multiply?: boolean;
}

export interface CropOptions<T> extends Options<T> {
  /**
   * First row and column of the window. Default: (0, 0).
   */
  offset?: Ints;
  /**
   * Height and width of the window; only with one input. Default: (0, 0).
   */
  h_w?: Ints;
  /**
   * Put the window into the middle instead of at offset. Default: False.
   */
  center_crop?: boolean;
}

export interface CustomOptions<T> extends Options<T> {
  /**
   * The name that the operator was registered under.
   */
  op_type?: string;
}

export interface DeconvolutionOptions<T> extends Options<T> {
  /**
   * Extents of the window: (w,), (h, w) or (d, h, w).
   */
  kernel?: Ints;
  /**
   * Steps of the window over the output; empty means ones. Default: ().
   */
  stride?: Ints;
  /**
   * Distance of the output elements under neighbouring weights; empty means ones. Default: ().
   */
  dilate?: Ints;
  /**
   * Elements cut from both ends of each output axis; empty means none. Default: ().
   */
  pad?: Ints;
  /**
   * Elements added behind each output axis; less than stride. Empty means none. Default: ().
   */
  adj?: Ints;
  /**
   * Spatial extents of the output; pad and adj then follow from it. Default: ().
   */
  target_shape?: Ints;
  /**
   * Channels of the output.
   */
  num_filter?: number;
  /**
   * Groups of channels that are convolved apart. Default: 1.
   */
  num_group?: number;
  /**
   * Accepted and ignored. Default: 512.
   */
  workspace?: number;
  /**
   * Leave the bias out; the operator then has two inputs. Default: True.
   */
  no_bias?: boolean;
  /**
   * Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
   */
  cudnn_tune?: "fastest" | "limited_workspace" | "off" | null;
  /**
   * Accepted and ignored. Default: False.
   */
  cudnn_off?: boolean;
  /**
   * Order of axes; None is channels first. Channels-last weights are (channels, window...,
   * num_filter). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
   */
  layout?: "NCDHW" | "NCHW" | "NCW" | "NDHWC" | "NHWC" | "NWC" | null;
}

export interface DropoutOptions<T> extends Options<T> {
  /**
   * Part of the elements that become 0. Default: 0.5.
   */
  p?: number;
  /**
   * Whether to drop also when predicting. One of "always", "training". Default: 'training'.
   */
  mode?: "always" | "training";
  /**
   * Axes along which elements share one decision. Default: ().
   */
  axes?: Ints;
  /**
   * Accepted for MXNet's scripts; has no effect. Default: False.
   */
  cudnn_off?: boolean | null;
}

export interface EmbeddingOptions<T> extends Options<T> {
  /**
   * Number of rows of weight.
   */
  input_dim?: number;
  /**
   * Extent of a row.
   */
  output_dim?: number;
  /**
   * Dtype of weight where nothing else says it. Default: 'float32'.
   */
  dtype?: DType;
  /**
   * The gradient of weight is row_sparse. Default: False.
   */
  sparse_grad?: boolean;
}

export interface FullyConnectedOptions<T> extends Options<T> {
  /**
   * Extent of the last axis of the output.
   */
  num_hidden?: number;
  /**
   * Leave the bias out; the operator then has two inputs. Default: False.
   */
  no_bias?: boolean;
  /**
   * Treat every sample as one row; otherwise only the last axis is multiplied. Default: True.
   */
  flatten?: boolean;
}

export interface GridGeneratorOptions<T> extends Options<T> {
  /**
   * Whether data holds matrices or a shift in pixels for each position. One of "affine", "warp".
   */
  transform_type?: "affine" | "warp";
  /**
   * Of affine: height and width of the grid. Default: (0, 0).
   */
  target_shape?: Ints;
}

export interface GroupNormOptions<T> extends Options<T> {
  /**
   * Groups into which the channels of axis 1 fall. Default: 1.
   */
  num_groups?: number;
  /**
   * Added to the variance. Default: 1e-05.
   */
  eps?: number;
  /**
   * Also gives mean and standard deviation (N, groups), sqrt(variance + eps); they pass no gradient
   * on. Default: False.
   */
  output_mean_var?: boolean;
}

export interface IdentityAttachKLSparseRegOptions<T> extends Options<T> {
  /**
   * The mean that is aimed at. Default: 0.1.
   */
  sparseness_target?: number;
  /**
   * Factor of the added gradient. Default: 0.001.
   */
  penalty?: number;
  /**
   * Share of the old value in a moving average. Default: 0.9.
   */
  momentum?: number;
}

export interface InstanceNormOptions<T> extends Options<T> {
  /**
   * Added to the variance. Default: 0.001.
   */
  eps?: number;
}

export interface L2NormalizationOptions<T> extends Options<T> {
  /**
   * Added to the sum of squares. Default: 1e-10.
   */
  eps?: number;
  /**
   * Which elements of (N, C, ...) form a vector: the channels of a position, a whole sample, or the
   * positions of a channel. One of "channel", "instance", "spatial". Default: 'instance'.
   */
  mode?: "channel" | "instance" | "spatial";
}

export interface LRNOptions<T> extends Options<T> {
  /**
   * Weight of the sum of squares. Default: 0.0001.
   */
  alpha?: number;
  /**
   * Exponent. Default: 0.75.
   */
  beta?: number;
  /**
   * Constant beside the sum. Default: 2.0.
   */
  knorm?: number;
  /**
   * Channels of a window: the own one in the middle.
   */
  nsize?: number;
}

export interface LayerNormOptions<T> extends Options<T> {
  /**
   * Axis of the vectors. Default: -1.
   */
  axis?: number;
  /**
   * Added to the variance. Default: 1e-05.
   */
  eps?: number;
  /**
   * Also gives mean and standard deviation, sqrt(variance + eps); they pass no gradient on.
   * Default: False.
   */
  output_mean_var?: boolean;
}

export interface LeakyReLUOptions<T> extends Options<T> {
  /**
   * Which function. One of "elu", "gelu", "leaky", "prelu", "rrelu", "selu". Default: 'leaky'.
   */
  act_type?: "elu" | "gelu" | "leaky" | "prelu" | "rrelu" | "selu";
  /**
   * Slope below 0 of leaky, scale below 0 of elu. Default: 0.25.
   */
  slope?: number;
  /**
   * Smallest slope that rrelu draws. Default: 0.125.
   */
  lower_bound?: number;
  /**
   * Largest slope that rrelu draws. Default: 0.334.
   */
  upper_bound?: number;
}

export interface LinearRegressionOutputOptions<T> extends Options<T> {
  /**
   * Factor of the gradient. Default: 1.0.
   */
  grad_scale?: number;
}

export interface LogisticRegressionOutputOptions<T> extends Options<T> {
  /**
   * Factor of the gradient. Default: 1.0.
   */
  grad_scale?: number;
}

export interface MAERegressionOutputOptions<T> extends Options<T> {
  /**
   * Factor of the gradient. Default: 1.0.
   */
  grad_scale?: number;
}

export interface MakeLossOptions<T> extends Options<T> {
  /**
   * The gradient of every element. Default: 1.0.
   */
  grad_scale?: number;
  /**
   * Elements above it are valid. Default: 0.0.
   */
  valid_thresh?: number;
  /**
   * Divide the gradient by nothing, by the extent of the first of several axes, or by the number of
   * valid elements. One of "batch", "null", "valid". Default: 'null'.
   */
  normalization?: "batch" | "null" | "valid";
}

export interface PadOptions<T> extends Options<T> {
  /**
   * What the margin holds: one value, the nearest element, or a mirror image without the edge. One
   * of "constant", "edge", "reflect".
   */
  mode?: "constant" | "edge" | "reflect";
  /**
   * Two margins per axis: before and after.
   */
  pad_width?: Ints;
  /**
   * The value of mode 'constant'. Default: 0.0.
   */
  constant_value?: number;
}

export interface PoolingOptions<T> extends Options<T> {
  /**
   * Extents of the window: (w,), (h, w) or (d, h, w). Default: ().
   */
  kernel?: Ints;
  /**
   * What is taken of a window. One of "avg", "lp", "max", "sum". Default: 'max'.
   */
  pool_type?: "avg" | "lp" | "max" | "sum";
  /**
   * The window is the whole image; kernel, stride and pad are ignored. Default: False.
   */
  global_pool?: boolean;
  /**
   * Accepted and ignored. Default: False.
   */
  cudnn_off?: boolean;
  /**
   * Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride). One of
   * "full", "same", "valid". Default: 'valid'.
   */
  pooling_convention?: "full" | "same" | "valid";
  /**
   * Steps of the window; empty means ones. Default: ().
   */
  stride?: Ints;
  /**
   * Elements added at both ends of each axis; empty means none. Default: ().
   */
  pad?: Ints;
  /**
   * Power of the norm, 1, 2 or 3; for pool_type lp. Default: None.
   */
  p_value?: number | null;
  /**
   * Whether avg also counts padding; None is True. Default: None.
   */
  count_include_pad?: boolean | null;
  /**
   * Order of axes; None is channels first. One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC".
   * Default: None.
   */
  layout?: "NCDHW" | "NCHW" | "NCW" | "NDHWC" | "NHWC" | "NWC" | null;
}

export interface RNNOptions<T> extends Options<T> {
  /**
   * Units of a layer and direction.
   */
  state_size?: number;
  /**
   * Layers on top of one another.
   */
  num_layers?: number;
  /**
   * Also run every layer from the last step to the first. Default: False.
   */
  bidirectional?: boolean;
  /**
   * Kind of cell. One of "gru", "lstm", "rnn_relu", "rnn_tanh".
   */
  mode?: "gru" | "lstm" | "rnn_relu" | "rnn_tanh";
  /**
   * While training, part of the inputs of the layers above the first that become 0. Default: 0.0.
   */
  p?: number;
  /**
   * Also give the states after the last step. Default: False.
   */
  state_outputs?: boolean;
  /**
   * Of the LSTM: extent to which a matrix takes the state after every step. Default: None.
   */
  projection_size?: number | null;
  /**
   * Lower bound of the LSTM's cells; given together with the upper one. Default: None.
   */
  lstm_state_clip_min?: number | null;
  /**
   * Upper bound of the LSTM's cells. Default: None.
   */
  lstm_state_clip_max?: number | null;
  /**
   * With bounds: take NaN to the lower one. Default: False.
   */
  lstm_state_clip_nan?: boolean;
  /**
   * Whether sequence_length is given. Default: False.
   */
  use_sequence_length?: boolean;
}

export interface ROIPoolingOptions<T> extends Options<T> {
  /**
   * Rows and columns of the grid.
   */
  pooled_size?: Ints;
  /**
   * Factor from the regions' coordinates to rows and columns of data.
   */
  spatial_scale?: number;
}

export interface ReshapeOptions<T> extends Options<T> {
  /**
   * Extents or codes: 0 keeps an extent, -1 is inferred, -2 keeps the rest, -3 merges two, -4
   * splits one. Default: ().
   */
  shape?: Ints;
  /**
   * Match the codes from the last axis. Default: False.
   */
  reverse?: boolean;
  /**
   * Older form of shape, in which 0 is inferred. Default: ().
   */
  target_shape?: Ints;
  /**
   * Keep the first extent; only with target_shape. Default: False.
   */
  keep_highest?: boolean;
}

export interface SVMOutputOptions<T> extends Options<T> {
  /**
   * Distance from the border below which a score costs. Default: 1.0.
   */
  margin?: number;
  /**
   * Factor of the gradient. Default: 1.0.
   */
  regularization_coefficient?: number;
  /**
   * Linear rather than squared hinge. Default: False.
   */
  use_linear?: boolean;
}

export interface SequenceLastOptions<T> extends Options<T> {
  /**
   * Whether sequence_length is given; otherwise all sequences are whole. Default: False.
   */
  use_sequence_length?: boolean;
  /**
   * Axis of time, 0 or 1; the other one counts sequences. Default: 0.
   */
  axis?: number;
}

export interface SequenceMaskOptions<T> extends Options<T> {
  /**
   * Whether sequence_length is given; otherwise nothing is masked. Default: False.
   */
  use_sequence_length?: boolean;
  /**
   * What masked elements become. Default: 0.0.
   */
  value?: number;
  /**
   * Axis of time, 0 or 1; the other one counts sequences. Default: 0.
   */
  axis?: number;
}

export interface SequenceReverseOptions<T> extends Options<T> {
  /**
   * Whether sequence_length is given; otherwise all sequences are whole. Default: False.
   */
  use_sequence_length?: boolean;
  /**
   * Axis of time, 0 or 1; the other one counts sequences. Default: 0.
   */
  axis?: number;
}

export interface SliceChannelOptions<T> extends Options<T> {
  /**
   * Number of equal parts.
   */
  num_outputs?: number;
  /**
   * The axis that is cut. Default: 1.
   */
  axis?: number;
  /**
   * Drop the axis; each part must have extent 1. Default: False.
   */
  squeeze_axis?: boolean;
}

export interface SoftmaxActivationOptions<T> extends Options<T> {
  /**
   * instance: over the last axis; channel: over axis 1. One of "channel", "instance". Default:
   * 'instance'.
   */
  mode?: "channel" | "instance";
}

export interface SoftmaxOutputOptions<T> extends Options<T> {
  /**
   * Factor of the gradient. Default: 1.0.
   */
  grad_scale?: number;
  /**
   * Label that stands for no class; without gradient when use_ignore is set. Default: -1.0.
   */
  ignore_label?: number;
  /**
   * Softmax over axis 1, with a label per position. Default: False.
   */
  multi_output?: boolean;
  /**
   * Whether ignore_label counts. Default: False.
   */
  use_ignore?: boolean;
  /**
   * Softmax over the last axis. Default: False.
   */
  preserve_shape?: boolean;
  /**
   * The gradient is divided by the batch size, by nothing, or by the number of labels that count.
   * One of "batch", "null", "valid". Default: 'null'.
   */
  normalization?: "batch" | "null" | "valid";
  /**
   * Multiplies the gradient by that of the output. Default: False.
   */
  out_grad?: boolean;
  /**
   * Share of the target spread evenly over the other classes; not with multi_output. Default: 0.0.
   */
  smooth_alpha?: number;
}

export interface SparseEmbeddingOptions<T> extends Options<T> {
  /**
   * Number of rows of weight.
   */
  input_dim?: number;
  /**
   * Extent of a row.
   */
  output_dim?: number;
  /**
   * Dtype of weight where nothing else says it. Default: 'float32'.
   */
  dtype?: DType;
  /**
   * Has no effect: gradients are always added in one order. Default: False.
   */
  deterministic?: boolean;
}

export interface SpatialTransformerOptions<T> extends Options<T> {
  /**
   * Height and width of the output. Default: (0, 0).
   */
  target_shape?: Ints;
  /**
   * Kind of map. One of "affine".
   */
  transform_type?: "affine";
  /**
   * Kind of interpolation. One of "bilinear".
   */
  sampler_type?: "bilinear";
  /**
   * Accepted for MXNet's scripts; has no effect. Default: None.
   */
  cudnn_off?: boolean | null;
}

export interface SwapAxisOptions<T> extends Options<T> {
  /**
   * One axis. Default: 0.
   */
  dim1?: number;
  /**
   * The other axis. Default: 0.
   */
  dim2?: number;
}

export interface UpSamplingOptions<T> extends Options<T> {
  /**
   * Factor of both extents of the first input.
   */
  scale?: number;
  /**
   * Number of channels; only for bilinear. Default: 0.
   */
  num_filter?: number;
  /**
   * Whether pixels are repeated, or spread by a window of weights. One of "bilinear", "nearest".
   */
  sample_type?: "bilinear" | "nearest";
  /**
   * What becomes of several inputs: their channels one after the other, or their sum. One of
   * "concat", "sum". Default: 'concat'.
   */
  multi_input_mode?: "concat" | "sum";
  /**
   * Accepted and ignored. Default: 512.
   */
  workspace?: number;
}

export interface AdagradUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Added under the root. Default: 1e-07.
   */
  epsilon?: number;
  /**
   * Weight decay: its multiple of the weight is added to the step. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
}

export interface AdamUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Part of the first moment that is kept. Default: 0.9.
   */
  beta1?: number;
  /**
   * Part of the second moment that is kept. Default: 0.999.
   */
  beta2?: number;
  /**
   * Added to the root of the second moment. Default: 1e-08.
   */
  epsilon?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Accepted for MXNet's sparse gradients; has no effect. Default: True.
   */
  lazy_update?: boolean;
}

export interface AllFiniteOptions<T> extends Options<T> {
  /**
   * False keeps a 0 that the given output holds, so that several calls add up. Default: True.
   */
  init_output?: boolean;
}

export interface AmpCastOptions<T> extends Options<T> {
  /**
   * Element type of the output.
   */
  dtype?: DType;
}

export interface AmpMulticastOptions<T> extends Options<T> {
  /**
   * Take the narrowest float type instead of the widest. Default: False.
   */
  cast_narrow?: boolean;
}

export interface ArgmaxOptions<T> extends Options<T> {
  /**
   * Axis to search; None searches the flattened array. Default: None.
   */
  axis?: number | null;
  /**
   * Keeps the searched axis, with extent 1. Default: False.
   */
  keepdims?: boolean;
}

export interface ArgminOptions<T> extends Options<T> {
  /**
   * Axis to search; None searches the flattened array. Default: None.
   */
  axis?: number | null;
  /**
   * Keeps the searched axis, with extent 1. Default: False.
   */
  keepdims?: boolean;
}

export interface ArgsortOptions<T> extends Options<T> {
  /**
   * The sorted axis; None sorts the flattened array. Default: -1.
   */
  axis?: number | null;
  /**
   * Smallest first. Default: True.
   */
  is_ascend?: boolean;
  /**
   * Element type of the indices. Default: 'float32'.
   */
  dtype?: DType;
}

export interface BatchDotOptions<T> extends Options<T> {
  /**
   * Use the transposes of lhs. Default: False.
   */
  transpose_a?: boolean;
  /**
   * Use the transposes of rhs. Default: False.
   */
  transpose_b?: boolean;
  /**
   * Accepted and ignored: results are dense. One of "csr", "default", "row_sparse". Default: None.
   */
  forward_stype?: "csr" | "default" | "row_sparse" | null;
}

export interface BroadcastAxisOptions<T> extends Options<T> {
  /**
   * Axes of extent 1. Default: ().
   */
  axis?: Ints;
  /**
   * The extents they get. Default: ().
   */
  size?: Ints;
}

export interface BroadcastLikeOptions<T> extends Options<T> {
  /**
   * Axes of lhs that grow; None is all. Default: None.
   */
  lhs_axes?: Ints | null;
  /**
   * Axes of rhs whose extents they take. Default: None.
   */
  rhs_axes?: Ints | null;
}

export interface BroadcastToOptions<T> extends Options<T> {
  /**
   * Extents of the output; 0 keeps the input's extent. Default: ().
   */
  shape?: Ints;
}

export interface CastStorageOptions<T> extends Options<T> {
  /**
   * Storage type of the result. One of "csr", "default", "row_sparse".
   */
  stype?: "csr" | "default" | "row_sparse";
}

export interface ClipOptions<T> extends Options<T> {
  /**
   * Smallest value of the output.
   */
  a_min?: number;
  /**
   * Largest value of the output.
   */
  a_max?: number;
}

export interface Col2imOptions<T> extends Options<T> {
  /**
   * Spatial extents of the output.
   */
  output_size?: Ints;
  /**
   * Extents of the window: (w,), (h, w) or (d, h, w).
   */
  kernel?: Ints;
  /**
   * Distance between windows; () is 1. Default: ().
   */
  stride?: Ints;
  /**
   * Distance between a window's elements; () is 1. Default: ().
   */
  dilate?: Ints;
  /**
   * Zeros assumed on either side; () is none. Default: ().
   */
  pad?: Ints;
}

export interface CumsumOptions<T> extends Options<T> {
  /**
   * Axis to sum along; None sums along the flattened array. Default: None.
   */
  axis?: number | null;
  /**
   * Element type of the output, in which the elements are summed; None is that of the input.
   * Default: None.
   */
  dtype?: DType | null;
}

export interface DepthToSpaceOptions<T> extends Options<T> {
  /**
   * Side b of the square blocks.
   */
  block_size?: number;
}

export interface DiagOptions<T> extends Options<T> {
  /**
   * Which diagonal: above the main one if positive, below it if negative. Default: 0.
   */
  k?: number;
  /**
   * Axis of the matrices' rows. Default: 0.
   */
  axis1?: number;
  /**
   * Axis of the matrices' columns. Default: 1.
   */
  axis2?: number;
}

export interface DotOptions<T> extends Options<T> {
  /**
   * Contract the first axis of lhs instead of its last. Default: False.
   */
  transpose_a?: boolean;
  /**
   * Contract the last axis of rhs instead of its first. Default: False.
   */
  transpose_b?: boolean;
  /**
   * Storage type of the result where an operand is sparse. One of "csr", "default", "row_sparse".
   * Default: None.
   */
  forward_stype?: "csr" | "default" | "row_sparse" | null;
}

export interface ExpandDimsOptions<T> extends Options<T> {
  /**
   * Where the new axis of extent 1 comes to lie.
   */
  axis?: number;
}

export interface FtmlUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Part of the first moment that is kept. Default: 0.6.
   */
  beta1?: number;
  /**
   * Part of the second moment that is kept. Default: 0.999.
   */
  beta2?: number;
  /**
   * Added to the root of the second moment. Default: 1e-08.
   */
  epsilon?: number;
  /**
   * How many updates there were, this one included.
   */
  t?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_grad?: number;
}

export interface FtrlUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Weight of the sum of absolute values: what keeps weights at 0. Default: 0.01.
   */
  lamda1?: number;
  /**
   * Added to the root of n. Default: 1.0.
   */
  beta?: number;
  /**
   * Weight of the sum of squares. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
}

export interface HardSigmoidOptions<T> extends Options<T> {
  /**
   * Slope. Default: 0.2.
   */
  alpha?: number;
  /**
   * Value at 0. Default: 0.5.
   */
  beta?: number;
}

export interface Im2colOptions<T> extends Options<T> {
  /**
   * Extents of the window: (w,), (h, w) or (d, h, w).
   */
  kernel?: Ints;
  /**
   * Distance between windows; () is 1. Default: ().
   */
  stride?: Ints;
  /**
   * Distance between a window's elements; () is 1. Default: ().
   */
  dilate?: Ints;
  /**
   * Zeros assumed on either side; () is none. Default: ().
   */
  pad?: Ints;
}

export interface LambUpdatePhase1Options<T> extends Options<T> {
  /**
   * Part of the first moment that is kept. Default: 0.9.
   */
  beta1?: number;
  /**
   * Part of the second moment that is kept. Default: 0.999.
   */
  beta2?: number;
  /**
   * Added to the root of the second moment. Default: 1e-06.
   */
  epsilon?: number;
  /**
   * How many updates there were, this one included.
   */
  t?: number;
  /**
   * Undo the start of the moments at 0. Default: True.
   */
  bias_correction?: boolean;
  /**
   * Weight decay: its multiple of the weight is added to the step.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
}

export interface LambUpdatePhase2Options<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Least value of r1; a negative one does not bound. Default: -1.0.
   */
  lower_bound?: number;
  /**
   * Greatest value of r1; a negative one does not bound. Default: -1.0.
   */
  upper_bound?: number;
}

export interface LinalgExtractdiagOptions<T> extends Options<T> {
  /**
   * Which diagonal: above 0 to the right of the main one. Default: 0.
   */
  offset?: number;
}

export interface LinalgExtracttrianOptions<T> extends Options<T> {
  /**
   * Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
   */
  offset?: number;
  /**
   * Which triangle, when offset is 0. Default: True.
   */
  lower?: boolean;
}

export interface LinalgGemmOptions<T> extends Options<T> {
  /**
   * Use the transposes of A. Default: False.
   */
  transpose_a?: boolean;
  /**
   * Use the transposes of B. Default: False.
   */
  transpose_b?: boolean;
  /**
   * Factor of the product. Default: 1.0.
   */
  alpha?: number;
  /**
   * Factor of C. Default: 1.0.
   */
  beta?: number;
  /**
   * Axis of the matrix rows; the columns are the last one. Default: -2.
   */
  axis?: number;
}

export interface LinalgGemm2Options<T> extends Options<T> {
  /**
   * Use the transposes of A. Default: False.
   */
  transpose_a?: boolean;
  /**
   * Use the transposes of B. Default: False.
   */
  transpose_b?: boolean;
  /**
   * Factor of the product. Default: 1.0.
   */
  alpha?: number;
  /**
   * Axis of the matrix rows; the columns are the last one. Default: -2.
   */
  axis?: number;
}

export interface LinalgMakediagOptions<T> extends Options<T> {
  /**
   * Which diagonal: above 0 to the right of the main one. Default: 0.
   */
  offset?: number;
}

export interface LinalgMaketrianOptions<T> extends Options<T> {
  /**
   * Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
   */
  offset?: number;
  /**
   * Which triangle, when offset is 0. Default: True.
   */
  lower?: boolean;
}

export interface LinalgPotrfOptions<T> extends Options<T> {
  /**
   * Which triangle is used; the other is not read. Default: True.
   */
  lower?: boolean;
}

export interface LinalgPotriOptions<T> extends Options<T> {
  /**
   * Which triangle is used; the other is not read. Default: True.
   */
  lower?: boolean;
}

export interface LinalgSyrkOptions<T> extends Options<T> {
  /**
   * Transpose of A times A, instead of A times its transpose. Default: False.
   */
  transpose?: boolean;
  /**
   * Factor of the product. Default: 1.0.
   */
  alpha?: number;
}

export interface LinalgTrmmOptions<T> extends Options<T> {
  /**
   * Use the transposes of A. Default: False.
   */
  transpose?: boolean;
  /**
   * A stands to the right. Default: False.
   */
  rightside?: boolean;
  /**
   * Which triangle of A is used; the other is not read. Default: True.
   */
  lower?: boolean;
  /**
   * Factor of B. Default: 1.0.
   */
  alpha?: number;
}

export interface LinalgTrsmOptions<T> extends Options<T> {
  /**
   * Use the transposes of A. Default: False.
   */
  transpose?: boolean;
  /**
   * A stands to the right. Default: False.
   */
  rightside?: boolean;
  /**
   * Which triangle of A is used; the other is not read. Default: True.
   */
  lower?: boolean;
  /**
   * Factor of B. Default: 1.0.
   */
  alpha?: number;
}

export interface LogSoftmaxOptions<T> extends Options<T> {
  /**
   * Axis along which the outputs sum to 1. Default: -1.
   */
  axis?: number;
  /**
   * The input is divided by it; None is 1. Default: None.
   */
  temperature?: number | null;
  /**
   * Element type of the output, a float; None is that of the input. Default: None.
   */
  dtype?: DType | null;
  /**
   * Takes `length`, the number of elements of each vector that count. Default: False.
   */
  use_length?: boolean | null;
}

export interface MaxOptions<T> extends Options<T> {
  /**
   * Axis or axes to reduce; None and () mean all. Default: None.
   */
  axis?: Ints | null;
  /**
   * Keeps reduced axes, with extent 1. Default: False.
   */
  keepdims?: boolean;
  /**
   * Reduces all axes but those in `axis`. Default: False.
   */
  exclude?: boolean;
}

export interface MeanOptions<T> extends Options<T> {
  /**
   * Axis or axes to reduce; None and () mean all. Default: None.
   */
  axis?: Ints | null;
  /**
   * Keeps reduced axes, with extent 1. Default: False.
   */
  keepdims?: boolean;
  /**
   * Reduces all axes but those in `axis`. Default: False.
   */
  exclude?: boolean;
}

export interface MinOptions<T> extends Options<T> {
  /**
   * Axis or axes to reduce; None and () mean all. Default: None.
   */
  axis?: Ints | null;
  /**
   * Keeps reduced axes, with extent 1. Default: False.
   */
  keepdims?: boolean;
  /**
   * Reduces all axes but those in `axis`. Default: False.
   */
  exclude?: boolean;
}

export interface MomentsOptions<T> extends Options<T> {
  /**
   * Axes to reduce; None means all. Default: None.
   */
  axes?: Ints | null;
  /**
   * Keeps reduced axes, with extent 1. Default: False.
   */
  keepdims?: boolean;
}

export interface MpLambUpdatePhase1Options<T> extends Options<T> {
  /**
   * Part of the first moment that is kept. Default: 0.9.
   */
  beta1?: number;
  /**
   * Part of the second moment that is kept. Default: 0.999.
   */
  beta2?: number;
  /**
   * Added to the root of the second moment. Default: 1e-06.
   */
  epsilon?: number;
  /**
   * How many updates there were, this one included.
   */
  t?: number;
  /**
   * Undo the start of the moments at 0. Default: True.
   */
  bias_correction?: boolean;
  /**
   * Weight decay: its multiple of the weight is added to the step.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
}

export interface MpLambUpdatePhase2Options<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Least value of r1; a negative one does not bound. Default: -1.0.
   */
  lower_bound?: number;
  /**
   * Greatest value of r1; a negative one does not bound. Default: -1.0.
   */
  upper_bound?: number;
}

export interface MpNagMomUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Part of the last step that is kept. Default: 0.0.
   */
  momentum?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
}

export interface MpSgdMomUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Part of the last step that is kept. Default: 0.0.
   */
  momentum?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Accepted for MXNet's sparse gradients; has no effect. Default: True.
   */
  lazy_update?: boolean;
}

export interface MpSgdUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Accepted for MXNet's sparse gradients; has no effect. Default: True.
   */
  lazy_update?: boolean;
}

export interface MultiAllFiniteOptions<T> extends Options<T> {
  /**
   * False keeps a 0 that the given output holds, so that several calls add up. Default: True.
   */
  init_output?: boolean;
}

export interface MultiLarsOptions<T> extends Options<T> {
  /**
   * Factor of the rates.
   */
  eta?: number;
  /**
   * Added to the divisor.
   */
  eps?: number;
  /**
   * Factor of the gradients. Default: 1.0.
   */
  rescale_grad?: number;
}

export interface MultiMpSgdMomUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate of each weight.
   */
  lrs?: Floats;
  /**
   * Weight decay of each weight.
   */
  wds?: Floats;
  /**
   * Part of the last step that is kept. Default: 0.0.
   */
  momentum?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Number of weights. Default: 1.
   */
  num_weights?: number;
}

export interface MultiMpSgdUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate of each weight.
   */
  lrs?: Floats;
  /**
   * Weight decay of each weight.
   */
  wds?: Floats;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Number of weights. Default: 1.
   */
  num_weights?: number;
}

export interface MultiSgdMomUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate of each weight.
   */
  lrs?: Floats;
  /**
   * Weight decay of each weight.
   */
  wds?: Floats;
  /**
   * Part of the last step that is kept. Default: 0.0.
   */
  momentum?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Number of weights. Default: 1.
   */
  num_weights?: number;
}

export interface MultiSgdUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate of each weight.
   */
  lrs?: Floats;
  /**
   * Weight decay of each weight.
   */
  wds?: Floats;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Number of weights. Default: 1.
   */
  num_weights?: number;
}

export interface NagMomUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Part of the last step that is kept. Default: 0.0.
   */
  momentum?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
}

export interface NanprodOptions<T> extends Options<T> {
  /**
   * Axis or axes to reduce; None and () mean all. Default: None.
   */
  axis?: Ints | null;
  /**
   * Keeps reduced axes, with extent 1. Default: False.
   */
  keepdims?: boolean;
  /**
   * Reduces all axes but those in `axis`. Default: False.
   */
  exclude?: boolean;
}

export interface NansumOptions<T> extends Options<T> {
  /**
   * Axis or axes to reduce; None and () mean all. Default: None.
   */
  axis?: Ints | null;
  /**
   * Keeps reduced axes, with extent 1. Default: False.
   */
  keepdims?: boolean;
  /**
   * Reduces all axes but those in `axis`. Default: False.
   */
  exclude?: boolean;
}

export interface NormOptions<T> extends Options<T> {
  /**
   * 1: sum of absolute values; 2: root of the sum of squares. Default: 2.
   */
  ord?: number;
  /**
   * Axis or axes to reduce; None and () mean all. Default: None.
   */
  axis?: Ints | null;
  /**
   * Element type of the output; None is that of the input. Default: None.
   */
  out_dtype?: DType | null;
  /**
   * Keeps reduced axes, with extent 1. Default: False.
   */
  keepdims?: boolean;
}

export interface OneHotOptions<T> extends Options<T> {
  /**
   * Extent of the new last axis.
   */
  depth?: number;
  /**
   * Value at the index. Default: 1.0.
   */
  on_value?: number;
  /**
   * Value elsewhere. Default: 0.0.
   */
  off_value?: number;
  /**
   * Element type of the output. Default: 'float32'.
   */
  dtype?: DType;
}

export interface PickOptions<T> extends Options<T> {
  /**
   * The axis from which one element is taken; None takes one of the flattened array. Default: -1.
   */
  axis?: number | null;
  /**
   * Keep the axis with extent 1. Default: False.
   */
  keepdims?: boolean;
  /**
   * Indices outside the axis are clipped or wrap around. One of "clip", "wrap". Default: 'clip'.
   */
  mode?: "clip" | "wrap";
}

export interface PreloadedMultiMpSgdMomUpdateOptions<T> extends Options<T> {
  /**
   * Part of the last step that is kept. Default: 0.0.
   */
  momentum?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Number of weights. Default: 1.
   */
  num_weights?: number;
}

export interface PreloadedMultiMpSgdUpdateOptions<T> extends Options<T> {
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Number of weights. Default: 1.
   */
  num_weights?: number;
}

export interface PreloadedMultiSgdMomUpdateOptions<T> extends Options<T> {
  /**
   * Part of the last step that is kept. Default: 0.0.
   */
  momentum?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Number of weights. Default: 1.
   */
  num_weights?: number;
}

export interface PreloadedMultiSgdUpdateOptions<T> extends Options<T> {
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Number of weights. Default: 1.
   */
  num_weights?: number;
}

export interface ProdOptions<T> extends Options<T> {
  /**
   * Axis or axes to reduce; None and () mean all. Default: None.
   */
  axis?: Ints | null;
  /**
   * Keeps reduced axes, with extent 1. Default: False.
   */
  keepdims?: boolean;
  /**
   * Reduces all axes but those in `axis`. Default: False.
   */
  exclude?: boolean;
}

export interface RandomExponentialOptions<T> extends Options<T> {
  /**
   * Rate, the inverse of the mean. Default: 1.0.
   */
  lam?: number;
  /**
   * Extents of the output; by default those of the given output. Default: None.
   */
  shape?: Ints | null;
  /**
   * Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
   */
  ctx?: string;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface RandomGammaOptions<T> extends Options<T> {
  /**
   * Shape. Default: 1.0.
   */
  alpha?: number;
  /**
   * Scale: the mean is alpha * beta. Default: 1.0.
   */
  beta?: number;
  /**
   * Extents of the output; by default those of the given output. Default: None.
   */
  shape?: Ints | null;
  /**
   * Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
   */
  ctx?: string;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface RandomGeneralizedNegativeBinomialOptions<T> extends Options<T> {
  /**
   * Mean. Default: 1.0.
   */
  mu?: number;
  /**
   * Dispersion: the variance is mu + alpha * mu^2. Default: 1.0.
   */
  alpha?: number;
  /**
   * Extents of the output; by default those of the given output. Default: None.
   */
  shape?: Ints | null;
  /**
   * Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
   */
  ctx?: string;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface RandomNegativeBinomialOptions<T> extends Options<T> {
  /**
   * Successes to wait for. Default: 1.0.
   */
  k?: number;
  /**
   * Probability of success. Default: 1.0.
   */
  p?: number;
  /**
   * Extents of the output; by default those of the given output. Default: None.
   */
  shape?: Ints | null;
  /**
   * Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
   */
  ctx?: string;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface RandomNormalOptions<T> extends Options<T> {
  /**
   * Mean. Default: 0.0.
   */
  loc?: number;
  /**
   * Standard deviation. Default: 1.0.
   */
  scale?: number;
  /**
   * Extents of the output; by default those of the given output. Default: None.
   */
  shape?: Ints | null;
  /**
   * Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
   */
  ctx?: string;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface RandomPdfDirichletOptions<T> extends Options<T> {
  /**
   * Whether to give the logarithm of the density. Default: False.
   */
  is_log?: boolean;
}

export interface RandomPdfExponentialOptions<T> extends Options<T> {
  /**
   * Whether to give the logarithm of the density. Default: False.
   */
  is_log?: boolean;
}

export interface RandomPdfGammaOptions<T> extends Options<T> {
  /**
   * Whether to give the logarithm of the density. Default: False.
   */
  is_log?: boolean;
}

export interface RandomPdfGeneralizedNegativeBinomialOptions<T> extends Options<T> {
  /**
   * Whether to give the logarithm of the density. Default: False.
   */
  is_log?: boolean;
}

export interface RandomPdfNegativeBinomialOptions<T> extends Options<T> {
  /**
   * Whether to give the logarithm of the density. Default: False.
   */
  is_log?: boolean;
}

export interface RandomPdfNormalOptions<T> extends Options<T> {
  /**
   * Whether to give the logarithm of the density. Default: False.
   */
  is_log?: boolean;
}

export interface RandomPdfPoissonOptions<T> extends Options<T> {
  /**
   * Whether to give the logarithm of the density. Default: False.
   */
  is_log?: boolean;
}

export interface RandomPdfUniformOptions<T> extends Options<T> {
  /**
   * Whether to give the logarithm of the density. Default: False.
   */
  is_log?: boolean;
}

export interface RandomPoissonOptions<T> extends Options<T> {
  /**
   * Mean. Default: 1.0.
   */
  lam?: number;
  /**
   * Extents of the output; by default those of the given output. Default: None.
   */
  shape?: Ints | null;
  /**
   * Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
   */
  ctx?: string;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface RandomRandintOptions<T> extends Options<T> {
  /**
   * Least number.
   */
  low?: number;
  /**
   * The number after the greatest.
   */
  high?: number;
  /**
   * Extents of the output; by default those of the given output. Default: None.
   */
  shape?: Ints | null;
  /**
   * Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
   */
  ctx?: string;
  /**
   * int32 or int64; by default that of the given output, else int32. Default: None.
   */
  dtype?: DType | null;
}

export interface RandomUniformOptions<T> extends Options<T> {
  /**
   * Least value. Default: 0.0.
   */
  low?: number;
  /**
   * End of the interval, itself never drawn. Default: 1.0.
   */
  high?: number;
  /**
   * Extents of the output; by default those of the given output. Default: None.
   */
  shape?: Ints | null;
  /**
   * Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
   */
  ctx?: string;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface RavelMultiIndexOptions<T> extends Options<T> {
  /**
   * Extents of the array that is indexed; the first one may be -1. Default: ().
   */
  shape?: Ints;
}

export interface RepeatOptions<T> extends Options<T> {
  /**
   * How often each element occurs.
   */
  repeats?: number;
  /**
   * Along which axis; None takes the flattened array. Default: None.
   */
  axis?: number | null;
}

export interface ReshapeLikeOptions<T> extends Options<T> {
  /**
   * First axis of lhs that is replaced; None is 0. Default: None.
   */
  lhs_begin?: number | null;
  /**
   * Axis of lhs where replacing ends; None is its rank. Default: None.
   */
  lhs_end?: number | null;
  /**
   * First axis of rhs that is taken; None is 0. Default: None.
   */
  rhs_begin?: number | null;
  /**
   * Axis of rhs where taking ends; None is its rank. Default: None.
   */
  rhs_end?: number | null;
}

export interface ReverseOptions<T> extends Options<T> {
  /**
   * Axes to reverse.
   */
  axis?: Ints;
}

export interface RmspropUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Part of the averaged square that is kept. Default: 0.95.
   */
  gamma1?: number;
  /**
   * Added under the root. Default: 1e-08.
   */
  epsilon?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * New weights are bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_weights?: number;
}

export interface RmspropalexUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Part of the averages that is kept. Default: 0.95.
   */
  gamma1?: number;
  /**
   * Part of the last step that is kept. Default: 0.9.
   */
  gamma2?: number;
  /**
   * Added under the root. Default: 1e-08.
   */
  epsilon?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * New weights are bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_weights?: number;
}

export interface SampleExponentialOptions<T> extends Options<T> {
  /**
   * Extents of the block that each element of the parameters gives. Default: ().
   */
  shape?: Ints;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface SampleGammaOptions<T> extends Options<T> {
  /**
   * Extents of the block that each element of the parameters gives. Default: ().
   */
  shape?: Ints;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface SampleGeneralizedNegativeBinomialOptions<T> extends Options<T> {
  /**
   * Extents of the block that each element of the parameters gives. Default: ().
   */
  shape?: Ints;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface SampleMultinomialOptions<T> extends Options<T> {
  /**
   * Extents of the draws of one row; by default a single draw. Default: ().
   */
  shape?: Ints;
  /**
   * Also give the logarithm of each drawn index's probability. Default: False.
   */
  get_prob?: boolean;
  /**
   * Element type of the indices. Default: 'int32'.
   */
  dtype?: DType;
}

export interface SampleNegativeBinomialOptions<T> extends Options<T> {
  /**
   * Extents of the block that each element of the parameters gives. Default: ().
   */
  shape?: Ints;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface SampleNormalOptions<T> extends Options<T> {
  /**
   * Extents of the block that each element of the parameters gives. Default: ().
   */
  shape?: Ints;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface SamplePoissonOptions<T> extends Options<T> {
  /**
   * Extents of the block that each element of the parameters gives. Default: ().
   */
  shape?: Ints;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface SampleUniformOptions<T> extends Options<T> {
  /**
   * Extents of the block that each element of the parameters gives. Default: ().
   */
  shape?: Ints;
  /**
   * Element type, a float; by default that of the given output, else float32. Default: None.
   */
  dtype?: DType | null;
}

export interface ScatterNdOptions<T> extends Options<T> {
  /**
   * Extents of the array that is indexed.
   */
  shape?: Ints;
}

export interface SgdMomUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Part of the last step that is kept. Default: 0.0.
   */
  momentum?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Accepted for MXNet's sparse gradients; has no effect. Default: True.
   */
  lazy_update?: boolean;
}

export interface SgdUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Accepted for MXNet's sparse gradients; has no effect. Default: True.
   */
  lazy_update?: boolean;
}

export interface SignsgdUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Weight decay: lr times this part of the weight is taken off. Default: 0.0.
   */
  wd?: number;
  /**
   * Accepted; changes no sign. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * Accepted; changes no sign. Default: -1.0.
   */
  clip_gradient?: number;
}

export interface SignumUpdateOptions<T> extends Options<T> {
  /**
   * Learning rate.
   */
  lr?: number;
  /**
   * Part of the averaged gradient that is kept. Default: 0.0.
   */
  momentum?: number;
  /**
   * Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
   */
  wd?: number;
  /**
   * Factor of the gradient, applied first. Default: 1.0.
   */
  rescale_grad?: number;
  /**
   * The gradient is bounded to plus and minus this; a negative value does not bound. Default: -1.0.
   */
  clip_gradient?: number;
  /**
   * Decay of the weight itself, apart from the gradient. Default: 0.0.
   */
  wd_lh?: number;
}

export interface SliceOptions<T> extends Options<T> {
  /**
   * First index per leading axis; None is the first in the direction of step.
   */
  begin?: Ints;
  /**
   * Index after the last per leading axis; None goes to the end.
   */
  end?: Ints;
  /**
   * Distance per leading axis; None is 1, negative walks backwards. Default: ().
   */
  step?: Ints;
}

export interface SliceAxisOptions<T> extends Options<T> {
  /**
   * The axis.
   */
  axis?: number;
  /**
   * First index; negative counts from the end.
   */
  begin?: number;
  /**
   * Index after the last; None is the extent.
   */
  end?: number | null;
}

export interface SliceLikeOptions<T> extends Options<T> {
  /**
   * Axes to cut; () cuts all. Default: ().
   */
  axes?: Ints;
}

export interface SmoothL1Options<T> extends Options<T> {
  /**
   * Sigma: the parabola ends at |x| = 1 / sigma^2. Default: 1.0.
   */
  scalar?: number;
}

export interface SoftmaxOptions<T> extends Options<T> {
  /**
   * Axis along which the outputs sum to 1. Default: -1.
   */
  axis?: number;
  /**
   * The input is divided by it; None is 1. Default: None.
   */
  temperature?: number | null;
  /**
   * Element type of the output, a float; None is that of the input. Default: None.
   */
  dtype?: DType | null;
  /**
   * Takes `length`, the number of elements of each vector that count. Default: False.
   */
  use_length?: boolean | null;
}

export interface SoftminOptions<T> extends Options<T> {
  /**
   * Axis along which the outputs sum to 1. Default: -1.
   */
  axis?: number;
  /**
   * The input is divided by it; None is 1. Default: None.
   */
  temperature?: number | null;
  /**
   * Element type of the output, a float; None is that of the input. Default: None.
   */
  dtype?: DType | null;
  /**
   * Takes `length`, the number of elements of each vector that count. Default: False.
   */
  use_length?: boolean | null;
}

export interface SortOptions<T> extends Options<T> {
  /**
   * The sorted axis; None sorts the flattened array. Default: -1.
   */
  axis?: number | null;
  /**
   * Smallest first. Default: True.
   */
  is_ascend?: boolean;
}

export interface SpaceToDepthOptions<T> extends Options<T> {
  /**
   * Side b of the square blocks.
   */
  block_size?: number;
}

export interface SqueezeOptions<T> extends Options<T> {
  /**
   * Axes of extent 1 to drop; None drops all of them. Default: None.
   */
  axis?: Ints | null;
}

export interface StackOptions<T> extends Options<T> {
  /**
   * Where the new axis comes to lie in the output. Default: 0.
   */
  axis?: number;
}

export interface SumOptions<T> extends Options<T> {
  /**
   * Axis or axes to reduce; None and () mean all. Default: None.
   */
  axis?: Ints | null;
  /**
   * Keeps reduced axes, with extent 1. Default: False.
   */
  keepdims?: boolean;
  /**
   * Reduces all axes but those in `axis`. Default: False.
   */
  exclude?: boolean;
}

export interface TakeOptions<T> extends Options<T> {
  /**
   * The indexed axis. Default: 0.
   */
  axis?: number;
  /**
   * Indices outside the axis are clipped, fail, or wrap around. One of "clip", "raise", "wrap".
   * Default: 'clip'.
   */
  mode?: "clip" | "raise" | "wrap";
}

export interface TileOptions<T> extends Options<T> {
  /**
   * Repetitions per axis, aligned with the last; missing ones are 1.
   */
  reps?: Ints;
}

export interface TopkOptions<T> extends Options<T> {
  /**
   * The axis; None takes the flattened array. Default: -1.
   */
  axis?: number | null;
  /**
   * How many elements; below 1 all. Default: 1.
   */
  k?: number;
  /**
   * The elements, their indices, 1 where an element is among them, or elements and indices. One of
   * "both", "indices", "mask", "value". Default: 'indices'.
   */
  ret_typ?: "both" | "indices" | "mask" | "value";
  /**
   * The smallest instead of the largest. Default: False.
   */
  is_ascend?: boolean;
  /**
   * Element type of the indices. Default: 'float32'.
   */
  dtype?: DType;
}

export interface TransposeOptions<T> extends Options<T> {
  /**
   * Axis i of the output is axis axes[i] of the input; () reverses all. Default: ().
   */
  axes?: Ints;
}

export interface UnravelIndexOptions<T> extends Options<T> {
  /**
   * Extents of the array that is indexed; the first one may be -1. Default: ().
   */
  shape?: Ints;
}

/** Operators on T: inputs first, then an object of parameters. Inputs may be left out on symbols. */
interface Operators<T, Several> {
  /**
   * The activation function named by act_type, element by element.
   * @param data Any array.
   */
  Activation(data: T, options?: ActivationOptions<T>): T;
  /**
   * Each channel shifted and scaled to mean 0 and variance 1, then times gamma plus beta. In
   * training the statistics are those of the batch (its variance divides by the number of
   * elements), and the moving averages move towards them in the same call; in prediction the moving
   * averages serve.
   * @param data Floats; axis 1, or `axis`, holds the channels.
   * @param gamma (C,): scale; taken as 1 while fix_gamma is set.
   * @param beta (C,): shift.
   * @param moving_mean (C,): moving average of means.
   * @param moving_var (C,): moving average of variances.
   */
  BatchNorm(data: T, gamma?: T | null, beta?: T | null, moving_mean?: T | null, moving_var?: T | null, options?: BatchNormOptions<T>): Several;
  BatchNorm(data: T, options: BatchNormOptions<T>): Several;
  /**
   * (batch, channels, rows, columns): data at the positions of the grid, weighing the four pixels
   * around each. What lies outside of the image counts as 0.
   * @param data Images (batch, channels, height, width), float.
   * @param grid (batch, 2, rows, columns): x, then y; -1 is the first pixel of the axis and 1 the
   * last.
   */
  BilinearSampler(data: T, grid?: T | null, options?: BilinearSamplerOptions<T>): T;
  BilinearSampler(data: T, options: BilinearSamplerOptions<T>): T;
  /**
   * A copy through which no gradient flows.
   * @param data Any array.
   */
  BlockGrad(data: T, options?: Options<T>): T;
  /**
   * (batch,): minus the logarithm of the probability that softmax of data gives the labels, with
   * blanks between them and repetitions. 0, without a gradient, where the labels do not fit the
   * steps.
   * @param data (steps, batch, classes): scores, one class being the blank.
   * @param label (batch, labels): class numbers, padded. Receives no gradient.
   * @param data_lengths (batch,): steps that count. Receives no gradient.
   * @param label_lengths (batch,): labels that count. Receives no gradient.
   */
  CTCLoss(data: T, label?: T | null, data_lengths?: T | null, label_lengths?: T | null, options?: CTCLossOptions<T>): Several;
  CTCLoss(data: T, options: CTCLossOptions<T>): Several;
  /**
   * Changes the element type. Floats are truncated toward zero to integers; anything but 0 is true.
   * @param data Any array.
   */
  Cast(data: T, options?: CastOptions<T>): T;
  /**
   * Joins arrays along an axis; their other extents agree.
   * @param data Arrays of one dtype.
   */
  Concat(data: readonly T[], options?: ConcatOptions<T>): T;
  /**
   * Sum of products of a window's weights with the input under it, at every place of the window.
   * Data (n, channels, in...) gives (n, num_filter, out...), where an output extent is floor((in +
   * 2 pad - dilate (kernel - 1) - 1) / stride) + 1.
   * @param data Float array with one, two or three spatial axes.
   * @param weight (num_filter, channels / num_group, window...).
   * @param bias (num_filter,); absent with no_bias.
   */
  Convolution(data: T, weight?: T | null, bias?: T | null, options?: ConvolutionOptions<T>): T;
  Convolution(data: T, options: ConvolutionOptions<T>): T;
  /**
   * (batch, displacements, rows, columns): the mean over patch and channels of data1 times data2,
   * or of their absolute difference, for every displacement of the patch in data2, rows first.
   * @param data1 Images (batch, channels, height, width), float.
   * @param data2 Images of the same shape.
   */
  Correlation(data1: T, data2?: T | null, options?: CorrelationOptions<T>): T;
  Correlation(data1: T, options: CorrelationOptions<T>): T;
  /**
   * The window (batch, channels, h, w) of images at an offset or in the middle. Its size is h_w, or
   * with two inputs the height and width of the second one, which passes no gradient on.
   * @param data Images (batch, channels, height, width) of any dtype.
   */
  Crop(data: readonly T[], options?: CropOptions<T>): T;
  /**
   * What an operator of the program computes: one that mx.operator.register has given a name. All
   * parameters but op_type are its own, as text.
   * @param data What the operator reads: its arguments, then its states.
   */
  Custom(data: readonly T[], options?: CustomOptions<T>): Several;
  /**
   * Transpose of Convolution: every input element adds its multiple of the window to the output. An
   * output extent is stride (in - 1) + dilate (kernel - 1) + 1 + adj - 2 pad.
   * @param data Float array with one, two or three spatial axes.
   * @param weight (channels, num_filter / num_group, window...).
   * @param bias (num_filter,); absent with no_bias.
   */
  Deconvolution(data: T, weight?: T | null, bias?: T | null, options?: DeconvolutionOptions<T>): T;
  Deconvolution(data: T, options: DeconvolutionOptions<T>): T;
  /**
   * While training, each element becomes 0 with probability p and is divided by 1 - p otherwise;
   * when predicting, unless mode is 'always', the output is the input.
   * @param data Any float array.
   */
  Dropout(data: T, options?: DropoutOptions<T>): Several;
  /**
   * The row of weight for every index: shape data.shape + (output_dim,). Indices outside are
   * clipped.
   * @param data Indices of any shape and dtype; fractions are cut off.
   * @param weight (input_dim, output_dim)
   */
  Embedding(data: T, weight?: T | null, options?: EmbeddingOptions<T>): T;
  Embedding(data: T, options: EmbeddingOptions<T>): T;
  /**
   * Merges all axes but the first: (N, a, b, ...) becomes (N, a*b*...).
   * @param data Any array; (N,) becomes (N, 1).
   */
  Flatten(data: T, options?: Options<T>): T;
  /**
   * Product of every sample with the transposed weight, plus a bias: data (n, ...) and weight
   * (num_hidden, depth) give (n, num_hidden).
   * @param data Float array; the first axis counts samples.
   * @param weight (num_hidden, depth), where depth is the size of one sample.
   * @param bias (num_hidden,); absent with no_bias.
   */
  FullyConnected(data: T, weight?: T | null, bias?: T | null, options?: FullyConnectedOptions<T>): T;
  FullyConnected(data: T, options: FullyConnectedOptions<T>): T;
  /**
   * Grid (batch, 2, height, width) of positions (x, y), where -1 and 1 are the first and the last
   * pixel of an axis. affine multiplies 2 x 3 matrices by (x, y, 1) of every pixel; warp adds
   * shifts, in pixels, to every pixel's own position.
   * @param data affine: (batch, 6), the rows of the matrices. warp: (batch, 2, height, width).
   */
  GridGenerator(data: T, options?: GridGeneratorOptions<T>): Several;
  /**
   * Each group of neighbouring channels of each sample shifted and scaled to mean 0 and variance 1,
   * then times gamma plus beta.
   * @param data (N, C, ...), floats. Statistics are computed in float or double.
   * @param gamma (num_groups,): one per group.
   * @param beta (num_groups,): one per group.
   */
  GroupNorm(data: T, gamma?: T | null, beta?: T | null, options?: GroupNormOptions<T>): Several;
  GroupNorm(data: T, options: GroupNormOptions<T>): Several;
  /**
   * A copy of activations between 0 and 1. In training, to the gradient comes the Kullback-Leibler
   * divergence's between a target and each channel's moving average, times penalty: activations
   * become sparse.
   * @param data (batch, channels, ...), float.
   * @param moving_avg (channels,): moving average of means.
   */
  IdentityAttachKLSparseReg(data: T, moving_avg?: T | null, options?: IdentityAttachKLSparseRegOptions<T>): Several;
  IdentityAttachKLSparseReg(data: T, options: IdentityAttachKLSparseRegOptions<T>): Several;
  /**
   * Each channel of each sample shifted and scaled to mean 0 and variance 1, then times gamma plus
   * beta.
   * @param data (N, C, ...), floats. Statistics are computed in float or double.
   * @param gamma (C,): one per channel.
   * @param beta (C,): one per channel.
   */
  InstanceNorm(data: T, gamma?: T | null, beta?: T | null, options?: InstanceNormOptions<T>): T;
  InstanceNorm(data: T, options: InstanceNormOptions<T>): T;
  /**
   * Divides each vector by the square root of its sum of squares plus eps.
   * @param data (N, ...) for mode instance, else (N, C, ...) with at least three axes.
   */
  L2Normalization(data: T, options?: L2NormalizationOptions<T>): T;
  /**
   * x / (knorm + alpha / nsize * s)^beta, where s is the sum of squares over the nsize channels
   * around x's.
   * @param data (N, C, ...), floats.
   */
  LRN(data: T, options?: LRNOptions<T>): T;
  /**
   * Vectors along an axis, shifted and scaled to mean 0 and variance 1, then times gamma plus beta.
   * @param data Floats, at least one axis. Statistics are computed in float or double.
   * @param gamma (extent of the axis,): scale.
   * @param beta (extent of the axis,): shift.
   */
  LayerNorm(data: T, gamma?: T | null, beta?: T | null, options?: LayerNormOptions<T>): Several;
  LayerNorm(data: T, options: LayerNormOptions<T>): Several;
  /**
   * max(data, 0) plus something below 0: slope * data (leaky), gamma * data (prelu), slope *
   * (e^data - 1) (elu), a scaled elu (selu), data times a random slope in training and the mean
   * slope otherwise (rrelu), or data * Phi(data) with the normal distribution's Phi (gelu). rrelu
   * also returns the factors it applied.
   * @param data Any float array.
   * @param gamma Of prelu alone: one slope, one per channel (axis 1), or an array that broadcasts
   * along data's first axes.
   */
  LeakyReLU(data: T, gamma?: T | null, options?: LeakyReLUOptions<T>): Several;
  LeakyReLU(data: T, options: LeakyReLUOptions<T>): Several;
  /**
   * The input unchanged. Its gradient is (out - label) * grad_scale / outputs per row, whatever the
   * gradient of the output: that of half the squared error.
   * @param data (N, ...), floats.
   * @param label As many values, (N, ...). Receives no gradient.
   */
  LinearRegressionOutput(data: T, label?: T | null, options?: LinearRegressionOutputOptions<T>): T;
  LinearRegressionOutput(data: T, options: LinearRegressionOutputOptions<T>): T;
  /**
   * Sigmoid of the input. Its gradient is (out - label) * grad_scale / outputs per row, whatever
   * the gradient of the output: that of the cross entropy.
   * @param data (N, ...), floats.
   * @param label As many values, (N, ...). Receives no gradient.
   */
  LogisticRegressionOutput(data: T, label?: T | null, options?: LogisticRegressionOutputOptions<T>): T;
  LogisticRegressionOutput(data: T, options: LogisticRegressionOutputOptions<T>): T;
  /**
   * The input unchanged. Its gradient is sign(out - label) * grad_scale / outputs per row, whatever
   * the gradient of the output: that of the absolute error.
   * @param data (N, ...), floats.
   * @param label As many values, (N, ...). Receives no gradient.
   */
  MAERegressionOutput(data: T, label?: T | null, options?: MAERegressionOutputOptions<T>): T;
  MAERegressionOutput(data: T, options: MAERegressionOutputOptions<T>): T;
  /**
   * A copy whose gradient is grad_scale, normalised as asked, whatever gradient arrives.
   * @param data The loss.
   */
  MakeLoss(data: T, options?: MakeLossOptions<T>): T;
  /**
   * Adds margins around an array of any rank.
   * @param data Any array.
   */
  Pad(data: T, options?: PadOptions<T>): T;
  /**
   * One value per place of a window that moves over the spatial axes: its largest element, mean,
   * sum, or (sum of x^p)^(1/p). Padding never is the largest.
   * @param data Float array with one, two or three spatial axes.
   */
  Pooling(data: T, options?: PoolingOptions<T>): T;
  /**
   * Layers of recurrent cells over whole sequences, in one or both directions: (steps, batch,
   * directions * units), and with state_outputs the states (and cells) after the last step. The
   * input's products of all steps are one matrix product.
   * @param data (steps, batch, inputs), float.
   * @param parameters All weights, then all biases. Of every layer and direction: input weights
   * (gates * units, inputs), state weights (gates * units, units), projection (size, units); then
   * input and state biases. Gates are in, forget, new, out of the LSTM, and reset, update, new of
   * the GRU.
   * @param state (layers * directions, batch, units): the states before the first step.
   * @param state_cell Of the LSTM: (layers * directions, batch, units), the cells before the first
   * step.
   * @param sequence_length (batch,): steps that count. Later ones give 0 and leave the states.
   * Receives no gradient.
   */
  RNN(data: T, parameters?: T | null, state?: T | null, state_cell?: T | null, sequence_length?: T | null, options?: RNNOptions<T>): Several;
  RNN(data: T, options: RNNOptions<T>): Several;
  /**
   * (regions, channels, rows, columns): each region of an image is divided into a grid, and every
   * cell gives the largest value in it, 0 where it lies outside of the image.
   * @param data Images (batch, channels, height, width), float.
   * @param rois (regions, 5): the image's number, then left, top, right and bottom, all inclusive.
   * A negative number gives zeros. Receives no gradient.
   */
  ROIPooling(data: T, rois?: T | null, options?: ROIPoolingOptions<T>): Several;
  ROIPooling(data: T, options: ROIPoolingOptions<T>): Several;
  /**
   * The input's elements in order, in the shape that extents and codes ask for.
   * @param data Any array.
   */
  Reshape(data: T, options?: ReshapeOptions<T>): T;
  /**
   * The scores unchanged. Their gradient is that of the hinge loss of each class against the rest,
   * whatever the gradient of the output.
   * @param data (N, C), scores of C classes.
   * @param label (N,), class numbers. Receives no gradient.
   */
  SVMOutput(data: T, label?: T | null, options?: SVMOutputOptions<T>): T;
  SVMOutput(data: T, options: SVMOutputOptions<T>): T;
  /**
   * The last step of each sequence; a sequence of length 0 gives its first step.
   * @param data (T, N, ...), or (N, T, ...) with axis 1.
   * @param sequence_length (N,); clipped to [0, T].
   */
  SequenceLast(data: T, sequence_length?: T | null, options?: SequenceLastOptions<T>): T;
  SequenceLast(data: T, options: SequenceLastOptions<T>): T;
  /**
   * Sets every step behind the end of its sequence to a value.
   * @param data (T, N, ...), or (N, T, ...) with axis 1.
   * @param sequence_length (N,); clipped to [0, T].
   */
  SequenceMask(data: T, sequence_length?: T | null, options?: SequenceMaskOptions<T>): T;
  SequenceMask(data: T, options: SequenceMaskOptions<T>): T;
  /**
   * Reverses the steps of each sequence and leaves what lies behind its end.
   * @param data (T, N, ...), or (N, T, ...) with axis 1.
   * @param sequence_length (N,); clipped to [0, T].
   */
  SequenceReverse(data: T, sequence_length?: T | null, options?: SequenceReverseOptions<T>): T;
  SequenceReverse(data: T, options: SequenceReverseOptions<T>): T;
  /**
   * Cuts an array along an axis into equal parts.
   * @param data Any array with an extent that divides.
   */
  SliceChannel(data: T, options?: SliceChannelOptions<T>): Several;
  /**
   * Softmax over the last axis, or over the channels of each position.
   * @param data (N, C, ...), floats.
   */
  SoftmaxActivation(data: T, options?: SoftmaxActivationOptions<T>): T;
  /**
   * Softmax whose gradient is softmax minus target: that of the cross entropy with the label. It
   * ignores the gradient of its output unless out_grad is set, and has no second derivative.
   * @param data (N, C) or (N, C, ...): scores of C classes. Without multi_output and preserve_shape
   * the axes after the first form one vector.
   * @param label Class numbers, one per vector; or probabilities, of data's shape. Every class
   * counts as wrong where the number is none of them. Receives no gradient.
   */
  SoftmaxOutput(data: T, label?: T | null, options?: SoftmaxOutputOptions<T>): T;
  SoftmaxOutput(data: T, options: SoftmaxOutputOptions<T>): T;
  /**
   * The row of weight for every index: shape data.shape + (output_dim,). Indices outside are
   * clipped.
   * @param data Indices of any shape and dtype; fractions are cut off.
   * @param weight (input_dim, output_dim)
   */
  SparseEmbedding(data: T, weight?: T | null, options?: SparseEmbeddingOptions<T>): T;
  SparseEmbedding(data: T, options: SparseEmbeddingOptions<T>): T;
  /**
   * BilinearSampler of data at the grid that GridGenerator makes of the maps: (batch, channels,
   * rows, columns).
   * @param data Images (batch, channels, height, width), float.
   * @param loc (batch, 6): the rows of 2 x 3 matrices, from (x, y, 1) in the output to (x, y) in
   * data.
   */
  SpatialTransformer(data: T, loc?: T | null, options?: SpatialTransformerOptions<T>): Several;
  SpatialTransformer(data: T, options: SpatialTransformerOptions<T>): Several;
  /**
   * Exchanges two axes.
   * @param data Any array.
   */
  SwapAxis(data: T, options?: SwapAxisOptions<T>): T;
  /**
   * Images (n, channels, height, width) enlarged `scale` times. nearest repeats pixels and takes
   * any number of inputs, each enlarged to the size that the first one gets; bilinear is a
   * Deconvolution per channel, with weights (channels, 1, k, k) as second input, k = 2 scale -
   * scale % 2.
   * @param data Images of a float dtype; for bilinear an image and the weights.
   */
  UpSampling(data: readonly T[], options?: UpSamplingOptions<T>): T;
  /**
   * Absolute value.
   * @param data Any array.
   */
  abs(data: T, options?: Options<T>): T;
  /**
   * history += g^2 with g = clip(rescale_grad * grad); the new weight is weight - lr * (g /
   * sqrt(history + epsilon) + wd * weight).
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param history Accumulated square of the gradient; changed in place.
   */
  adagrad_update(weight: T, grad?: T | null, history?: T | null, options?: AdagradUpdateOptions<T>): T;
  adagrad_update(weight: T, options: AdagradUpdateOptions<T>): T;
  /**
   * Adam without bias correction (scale lr for that): g = clip(rescale_grad * grad + wd * weight),
   * mean = beta1 * mean + (1 - beta1) * g, var = beta2 * var + (1 - beta2) * g^2; the new weight is
   * weight - lr * mean / (sqrt(var) + epsilon).
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param mean First moment; changed in place.
   * @param var Second moment; changed in place.
   */
  adam_update(weight: T, grad?: T | null, mean?: T | null, var_?: T | null, options?: AdamUpdateOptions<T>): T;
  adam_update(weight: T, options: AdamUpdateOptions<T>): T;
  /**
   * Sum of any number of arrays of one shape and dtype.
   * @param args The arrays.
   */
  add_n(args: readonly T[], options?: Options<T>): T;
  /**
   * 1 if no element is infinite or NaN, else 0; float32 of shape (1,).
   * @param data Any array.
   */
  all_finite(data: T, options?: AllFiniteOptions<T>): T;
  /**
   * Changes the element type of floats; arrays of float64 and of integers are copied.
   * @param data Any array.
   */
  amp_cast(data: T, options?: AmpCastOptions<T>): T;
  /**
   * Brings floats of several types to the widest type among them; arrays of float64 and of integers
   * are copied.
   * @param data Arrays of any shapes.
   */
  amp_multicast(data: readonly T[], options?: AmpMulticastOptions<T>): Several;
  /**
   * Inverse cosine, in [0, pi]; NaN beyond 1.
   * @param data Any array.
   */
  arccos(data: T, options?: Options<T>): T;
  /**
   * Inverse hyperbolic cosine; NaN below 1.
   * @param data Any array.
   */
  arccosh(data: T, options?: Options<T>): T;
  /**
   * Inverse sine, in [-pi/2, pi/2]; NaN beyond 1.
   * @param data Any array.
   */
  arcsin(data: T, options?: Options<T>): T;
  /**
   * Inverse hyperbolic sine.
   * @param data Any array.
   */
  arcsinh(data: T, options?: Options<T>): T;
  /**
   * Inverse tangent, in (-pi/2, pi/2).
   * @param data Any array.
   */
  arctan(data: T, options?: Options<T>): T;
  /**
   * Inverse hyperbolic tangent; NaN beyond 1.
   * @param data Any array.
   */
  arctanh(data: T, options?: Options<T>): T;
  /**
   * Place of the largest element along an axis: the first one, or the first NaN.
   * @param data Any array. The places come in its dtype, which must be able to hold them.
   */
  argmax(data: T, options?: ArgmaxOptions<T>): T;
  /**
   * Place of the largest element along axis 1: classes from an array of scores (N, C, ...).
   * @param data Scores, at least two axes.
   */
  argmax_channel(data: T, options?: Options<T>): T;
  /**
   * Place of the smallest element along an axis: the first one, or the first NaN.
   * @param data Any array. The places come in its dtype, which must be able to hold them.
   */
  argmin(data: T, options?: ArgminOptions<T>): T;
  /**
   * Indices that sort along an axis. Equal elements keep their order; NaN counts as larger than
   * all.
   * @param data Any array.
   */
  argsort(data: T, options?: ArgsortOptions<T>): T;
  /**
   * Matrix products over the last two axes; all leading axes are equal.
   * @param lhs Float array of at least two axes.
   * @param rhs Float array of the same dtype and number of axes.
   */
  batch_dot(lhs: T, rhs?: T | null, options?: BatchDotOptions<T>): T;
  batch_dot(lhs: T, options: BatchDotOptions<T>): T;
  /**
   * out[i] = a[i, indices[i]]; indices outside are clipped.
   * @param a (N, C)
   * @param indices (N,)
   */
  batch_take(a: T, indices?: T | null, options?: Options<T>): T;
  batch_take(a: T, options: Options<T>): T;
  /**
   * Sum of two arrays.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_add(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_add(lhs: T, options: Options<T>): T;
  /**
   * Repeats axes of extent 1 up to the given sizes.
   * @param data Any array.
   */
  broadcast_axis(data: T, options?: BroadcastAxisOptions<T>): T;
  /**
   * Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_div(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_div(lhs: T, options: Options<T>): T;
  /**
   * 1 where x == y, else 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_equal(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_equal(lhs: T, options: Options<T>): T;
  /**
   * Quotient of two arrays, rounded down as by Python's //; an integer divided by 0 gives 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_floor_divide(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_floor_divide(lhs: T, options: Options<T>): T;
  /**
   * 1 where x > y, else 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_greater(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_greater(lhs: T, options: Options<T>): T;
  /**
   * 1 where x >= y, else 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_greater_equal(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_greater_equal(lhs: T, options: Options<T>): T;
  /**
   * Length of the vector (x, y).
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_hypot(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_hypot(lhs: T, options: Options<T>): T;
  /**
   * 1 where x < y, else 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_lesser(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_lesser(lhs: T, options: Options<T>): T;
  /**
   * 1 where x <= y, else 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_lesser_equal(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_lesser_equal(lhs: T, options: Options<T>): T;
  /**
   * Repeats axes of extent 1 of lhs until they have rhs's extents, on all axes or on pairs of axes.
   * @param lhs The elements.
   * @param rhs Gives extents; its elements are not read.
   */
  broadcast_like(lhs: T, rhs?: T | null, options?: BroadcastLikeOptions<T>): T;
  broadcast_like(lhs: T, options: BroadcastLikeOptions<T>): T;
  /**
   * 1 where both are not 0, else 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_logical_and(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_logical_and(lhs: T, options: Options<T>): T;
  /**
   * 1 where either is not 0, else 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_logical_or(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_logical_or(lhs: T, options: Options<T>): T;
  /**
   * 1 where exactly one is not 0, else 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_logical_xor(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_logical_xor(lhs: T, options: Options<T>): T;
  /**
   * Larger of two values.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_maximum(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_maximum(lhs: T, options: Options<T>): T;
  /**
   * Smaller of two values.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_minimum(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_minimum(lhs: T, options: Options<T>): T;
  /**
   * Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_mod(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_mod(lhs: T, options: Options<T>): T;
  /**
   * Product of two arrays, element by element.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_mul(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_mul(lhs: T, options: Options<T>): T;
  /**
   * 1 where x != y, else 0.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_not_equal(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_not_equal(lhs: T, options: Options<T>): T;
  /**
   * First operand raised to the power of the second.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_power(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_power(lhs: T, options: Options<T>): T;
  /**
   * Difference of two arrays.
   * @param lhs First operand.
   * @param rhs Second operand; shapes broadcast as in NumPy.
   */
  broadcast_sub(lhs: T, rhs?: T | null, options?: Options<T>): T;
  broadcast_sub(lhs: T, options: Options<T>): T;
  /**
   * Repeats axes of extent 1 until the array has the shape.
   * @param data Extents agree with the shape or are 1; missing leading axes count as 1.
   */
  broadcast_to(data: T, options?: BroadcastToOptions<T>): T;
  /**
   * The same elements in another storage type: a part of them stored (row_sparse, csr) or all.
   * @param data At least one axis; two for csr.
   */
  cast_storage(data: T, options?: CastStorageOptions<T>): T;
  /**
   * Cube root.
   * @param data Any array.
   */
  cbrt(data: T, options?: Options<T>): T;
  /**
   * Smallest integer not below data.
   * @param data Any array.
   */
  ceil(data: T, options?: Options<T>): T;
  /**
   * Values below a_min become a_min, values above a_max become a_max; NaN stays.
   * @param data Any array.
   */
  clip(data: T, options?: ClipOptions<T>): T;
  /**
   * Adds columns to the places of their windows: the adjoint of im2col, not its inverse.
   * @param data (N, C * window size, number of windows)
   */
  col2im(data: T, options?: Col2imOptions<T>): T;
  /**
   * Cosine of an angle in radians.
   * @param data Any array.
   */
  cos(data: T, options?: Options<T>): T;
  /**
   * Hyperbolic cosine.
   * @param data Any array.
   */
  cosh(data: T, options?: Options<T>): T;
  /**
   * Running sums along an axis. Those of float16 are rounded at each step.
   * @param a Any array.
   */
  cumsum(a: T, options?: CumsumOptions<T>): T;
  /**
   * Radians to degrees.
   * @param data Any array.
   */
  degrees(data: T, options?: Options<T>): T;
  /**
   * Spreads channels over space: (N, b*b*C, H, W) becomes (N, C, H*b, W*b), where channel (i*b +
   * j)*C + c fills row i and column j of each block.
   * @param data (N, b*b*C, H, W)
   */
  depth_to_space(data: T, options?: DepthToSpaceOptions<T>): T;
  /**
   * The k-th diagonal of the matrices along two axes, as a new last axis; of a 1-d array the square
   * matrix with that diagonal and zeros elsewhere.
   * @param data At least one axis.
   */
  diag(data: T, options?: DiagOptions<T>): T;
  /**
   * Sum of products over the last axis of lhs and the first axis of rhs; the other axes follow one
   * another, those of lhs first. Two vectors give shape (1,).
   * @param lhs Float array of at least one axis.
   * @param rhs Float array of the same dtype.
   */
  dot(lhs: T, rhs?: T | null, options?: DotOptions<T>): T;
  dot(lhs: T, options: DotOptions<T>): T;
  /**
   * Sum of two arrays.
   * @param lhs First operand.
   * @param rhs Second operand, of the same shape.
   */
  elemwise_add(lhs: T, rhs?: T | null, options?: Options<T>): T;
  elemwise_add(lhs: T, options: Options<T>): T;
  /**
   * Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
   * @param lhs First operand.
   * @param rhs Second operand, of the same shape.
   */
  elemwise_div(lhs: T, rhs?: T | null, options?: Options<T>): T;
  elemwise_div(lhs: T, options: Options<T>): T;
  /**
   * Product of two arrays, element by element.
   * @param lhs First operand.
   * @param rhs Second operand, of the same shape.
   */
  elemwise_mul(lhs: T, rhs?: T | null, options?: Options<T>): T;
  elemwise_mul(lhs: T, options: Options<T>): T;
  /**
   * Difference of two arrays.
   * @param lhs First operand.
   * @param rhs Second operand, of the same shape.
   */
  elemwise_sub(lhs: T, rhs?: T | null, options?: Options<T>): T;
  elemwise_sub(lhs: T, options: Options<T>): T;
  /**
   * Error function.
   * @param data Any array.
   */
  erf(data: T, options?: Options<T>): T;
  /**
   * Inverse of the error function.
   * @param data Any array.
   */
  erfinv(data: T, options?: Options<T>): T;
  /**
   * e^data.
   * @param data Any array.
   */
  exp(data: T, options?: Options<T>): T;
  /**
   * Inserts an axis of extent 1.
   * @param data Any array.
   */
  expand_dims(data: T, options?: ExpandDimsOptions<T>): T;
  /**
   * e^data - 1, exact near 0.
   * @param data Any array.
   */
  expm1(data: T, options?: Options<T>): T;
  /**
   * lhs with one element of each row replaced; an index outside of the row replaces none.
   * @param lhs (rows, columns).
   * @param mhs (rows,): the new elements.
   * @param rhs (rows,): their columns; fractions are cut off.
   */
  fill_element_0index(lhs: T, mhs?: T | null, rhs?: T | null, options?: Options<T>): T;
  fill_element_0index(lhs: T, options: Options<T>): T;
  /**
   * Integer part: rounded toward 0.
   * @param data Any array.
   */
  fix(data: T, options?: Options<T>): T;
  /**
   * Largest integer not above data.
   * @param data Any array.
   */
  floor(data: T, options?: Options<T>): T;
  /**
   * Follow the moving leader: v is the second moment of g = clip(rescale_grad * grad + wd *
   * weight), d the inverse of a step size, z accumulates; the new weight is -z / d.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param d Inverse step size; changed in place.
   * @param v Second moment; changed in place.
   * @param z Accumulated gradient; changed in place.
   */
  ftml_update(weight: T, grad?: T | null, d?: T | null, v?: T | null, z?: T | null, options?: FtmlUpdateOptions<T>): T;
  ftml_update(weight: T, options: FtmlUpdateOptions<T>): T;
  /**
   * Follow the regularised leader: with g = clip(rescale_grad * grad), n sums g^2 and z sums g
   * minus what the weight accounts for; weights whose |z| is at most lamda1 become 0.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param z Accumulated gradient; changed in place.
   * @param n Accumulated square of the gradient; changed in place.
   */
  ftrl_update(weight: T, grad?: T | null, z?: T | null, n?: T | null, options?: FtrlUpdateOptions<T>): T;
  ftrl_update(weight: T, options: FtrlUpdateOptions<T>): T;
  /**
   * Gamma function.
   * @param data Any array.
   */
  gamma(data: T, options?: Options<T>): T;
  /**
   * Logarithm of the absolute value of the gamma function.
   * @param data Any array.
   */
  gammaln(data: T, options?: Options<T>): T;
  /**
   * Slices data[indices[0], ..., indices[M-1]]: shape indices.shape[1:] + data.shape[M:]. Negative
   * indices count from the end.
   * @param data At least M axes.
   * @param indices (M, ...); any dtype, fractions are cut off.
   */
  gather_nd(data: T, indices?: T | null, options?: Options<T>): T;
  gather_nd(data: T, options: Options<T>): T;
  /**
   * alpha * data + beta, held between 0 and 1.
   * @param data Any array.
   */
  hard_sigmoid(data: T, options?: HardSigmoidOptions<T>): T;
  /**
   * A copy of the input.
   * @param data Any array.
   */
  identity(data: T, options?: Options<T>): T;
  /**
   * The windows of each image as columns: (N, C, ...) becomes (N, C * window size, number of
   * windows).
   * @param data (N, C, w), (N, C, h, w) or (N, C, d, h, w)
   */
  im2col(data: T, options?: Im2colOptions<T>): T;
  /**
   * (product of all rows, columns): column k is the Kronecker product of the columns k of all
   * matrices.
   * @param args Matrices (rows, columns) with the same number of columns; at most 15.
   */
  khatri_rao(args: readonly T[], options?: Options<T>): T;
  /**
   * First half of LAMB: the moments of clip(rescale_grad * grad) and the direction mean /
   * (sqrt(var) + epsilon) + wd * weight.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param mean First moment; changed in place.
   * @param var Second moment; changed in place.
   */
  lamb_update_phase1(weight: T, grad?: T | null, mean?: T | null, var_?: T | null, options?: LambUpdatePhase1Options<T>): T;
  lamb_update_phase1(weight: T, options: LambUpdatePhase1Options<T>): T;
  /**
   * Second half of LAMB: weight - lr * (r1 / r2) * g, with the bounded norm r1; the ratio is 1
   * where a norm is 0.
   * @param weight Weights, any float dtype.
   * @param g The direction from lamb_update_phase1.
   * @param r1 Norm of the weight, one element.
   * @param r2 Norm of g, one element.
   */
  lamb_update_phase2(weight: T, g?: T | null, r1?: T | null, r2?: T | null, options?: LambUpdatePhase2Options<T>): T;
  lamb_update_phase2(weight: T, options: LambUpdatePhase2Options<T>): T;
  /**
   * Adjugates of square matrices: determinant times inverse, which exists for singular matrices
   * too. Its own gradient divides by the determinant.
   * @param A (..., n, n), a float dtype.
   */
  linalg_adjugate(A: T, options?: Options<T>): T;
  /**
   * Determinants of square matrices.
   * @param A (..., n, n), a float dtype.
   */
  linalg_det(A: T, options?: Options<T>): T;
  /**
   * A diagonal of square matrices, as the last axis.
   * @param A (..., n, n).
   */
  linalg_extractdiag(A: T, options?: LinalgExtractdiagOptions<T>): T;
  /**
   * A triangle of square matrices, as the last axis: a lower one row by row, an upper one column by
   * column.
   * @param A (..., n, n).
   */
  linalg_extracttrian(A: T, options?: LinalgExtracttrianOptions<T>): T;
  /**
   * LQ factorisation A = L Q: Q has orthonormal rows, L is lower triangular.
   * @param A (..., m, n) with m at most n and full rank, a float dtype.
   */
  linalg_gelqf(A: T, options?: Options<T>): Several;
  /**
   * alpha * op(A) op(B) + beta * C for stacks of matrices; all axes but those of rows and columns
   * are equal.
   * @param A Float array of at least two axes.
   * @param B Float array of the same dtype and number of axes.
   * @param C Of the shape of the result.
   */
  linalg_gemm(A: T, B?: T | null, C?: T | null, options?: LinalgGemmOptions<T>): T;
  linalg_gemm(A: T, options: LinalgGemmOptions<T>): T;
  /**
   * alpha * op(A) op(B) for stacks of matrices; all axes but those of rows and columns are equal.
   * @param A Float array of at least two axes.
   * @param B Float array of the same dtype and number of axes.
   */
  linalg_gemm2(A: T, B?: T | null, options?: LinalgGemm2Options<T>): T;
  linalg_gemm2(A: T, options: LinalgGemm2Options<T>): T;
  /**
   * Inverses of square matrices.
   * @param A (..., n, n), a float dtype.
   */
  linalg_inverse(A: T, options?: Options<T>): T;
  /**
   * Square matrices with the given diagonal and zeros elsewhere.
   * @param A (..., k), the items of a diagonal.
   */
  linalg_makediag(A: T, options?: LinalgMakediagOptions<T>): T;
  /**
   * Square matrices with the given triangle and zeros elsewhere.
   * @param A (..., k (k + 1) / 2), the items of a triangle.
   */
  linalg_maketrian(A: T, options?: LinalgMaketrianOptions<T>): T;
  /**
   * Cholesky factors: lower triangular L with A = L L^T, or upper triangular U with A = U^T U. The
   * gradient of A is symmetric.
   * @param A (..., n, n) symmetric positive definite matrices of a float dtype.
   */
  linalg_potrf(A: T, options?: LinalgPotrfOptions<T>): T;
  /**
   * The inverse of A = L L^T from its Cholesky factor L, or of A = U^T U from U.
   * @param A (..., n, n) Cholesky factors of a float dtype.
   */
  linalg_potri(A: T, options?: LinalgPotriOptions<T>): T;
  /**
   * Signs of the determinants of square matrices and the logarithms of their sizes; 0 and -inf for
   * singular matrices, whose gradient is 0.
   * @param A (..., n, n), a float dtype.
   */
  linalg_slogdet(A: T, options?: Options<T>): Several;
  /**
   * Sums of the logarithms of the diagonals of square matrices.
   * @param A (..., n, n), a float dtype.
   */
  linalg_sumlogdiag(A: T, options?: Options<T>): T;
  /**
   * alpha * A A^T, or alpha * A^T A, for a stack of matrices.
   * @param A (..., m, n), a float dtype.
   */
  linalg_syrk(A: T, options?: LinalgSyrkOptions<T>): T;
  /**
   * alpha * op(A) B, or alpha * B op(A), with triangular A.
   * @param A (..., n, n) triangular matrices of a float dtype.
   * @param B (..., n, m), or (..., m, n) when A stands to the right.
   */
  linalg_trmm(A: T, B?: T | null, options?: LinalgTrmmOptions<T>): T;
  linalg_trmm(A: T, options: LinalgTrmmOptions<T>): T;
  /**
   * The solution X of op(A) X = alpha * B, or of X op(A) = alpha * B, with triangular A.
   * @param A (..., n, n) triangular matrices of a float dtype.
   * @param B (..., n, m), or (..., m, n) when A stands to the right.
   */
  linalg_trsm(A: T, B?: T | null, options?: LinalgTrsmOptions<T>): T;
  linalg_trsm(A: T, options: LinalgTrsmOptions<T>): T;
  /**
   * Natural logarithm.
   * @param data Any array.
   */
  log(data: T, options?: Options<T>): T;
  /**
   * Logarithm to base 10.
   * @param data Any array.
   */
  log10(data: T, options?: Options<T>): T;
  /**
   * log(1 + data), exact near 0.
   * @param data Any array.
   */
  log1p(data: T, options?: Options<T>): T;
  /**
   * Logarithm to base 2.
   * @param data Any array.
   */
  log2(data: T, options?: Options<T>): T;
  /**
   * log(sigmoid(data)).
   * @param data Any array.
   */
  log_sigmoid(data: T, options?: Options<T>): T;
  /**
   * Logarithm of the softmax, exact also where the softmax is almost 0.
   * @param data Floats. A vector of nothing but -inf gives NaN.
   */
  log_softmax(data: T, options?: LogSoftmaxOptions<T>): T;
  /**
   * 1 where data is 0, else 0.
   * @param data Any array.
   */
  logical_not(data: T, options?: Options<T>): T;
  /**
   * A copy whose gradient is 1, whatever gradient arrives.
   * @param data The loss.
   */
  make_loss(data: T, options?: Options<T>): T;
  /**
   * Largest element over axes; NaN if there is one. Every tied element receives the gradient.
   * @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
   */
  max(data: T, options?: MaxOptions<T>): T;
  /**
   * Arithmetic mean over axes; that of integers is truncated toward zero.
   * @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
   */
  mean(data: T, options?: MeanOptions<T>): T;
  /**
   * Smallest element over axes; NaN if there is one. Every tied element receives the gradient.
   * @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
   */
  min(data: T, options?: MinOptions<T>): T;
  /**
   * data * tanh(log(1 + e^data)).
   * @param data Any array.
   */
  mish(data: T, options?: Options<T>): T;
  /**
   * Mean and variance over axes; the variance divides by the number of elements.
   * @param data Floats.
   */
  moments(data: T, options?: MomentsOptions<T>): Several;
  /**
   * lamb_update_phase1 in float32 from weight32; the direction is float32.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param mean First moment; changed in place.
   * @param var Second moment; changed in place.
   * @param weight32 The weight in float32.
   */
  mp_lamb_update_phase1(weight: T, grad?: T | null, mean?: T | null, var_?: T | null, weight32?: T | null, options?: MpLambUpdatePhase1Options<T>): T;
  mp_lamb_update_phase1(weight: T, options: MpLambUpdatePhase1Options<T>): T;
  /**
   * lamb_update_phase2 in float32 on weight32; the output is weight32 in the dtype of weight.
   * @param weight Weights, any float dtype.
   * @param g The direction from mp_lamb_update_phase1, float32.
   * @param r1 Norm of the weight, one element, float32.
   * @param r2 Norm of g, one element, float32.
   * @param weight32 The weight in float32; updated in place.
   */
  mp_lamb_update_phase2(weight: T, g?: T | null, r1?: T | null, r2?: T | null, weight32?: T | null, options?: MpLambUpdatePhase2Options<T>): T;
  mp_lamb_update_phase2(weight: T, options: MpLambUpdatePhase2Options<T>): T;
  /**
   * nag_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param mom The last step; changed in place.
   * @param weight32 The weight in float32; updated in place.
   */
  mp_nag_mom_update(weight: T, grad?: T | null, mom?: T | null, weight32?: T | null, options?: MpNagMomUpdateOptions<T>): T;
  mp_nag_mom_update(weight: T, options: MpNagMomUpdateOptions<T>): T;
  /**
   * sgd_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param mom The last step; changed in place.
   * @param weight32 The weight in float32; updated in place.
   */
  mp_sgd_mom_update(weight: T, grad?: T | null, mom?: T | null, weight32?: T | null, options?: MpSgdMomUpdateOptions<T>): T;
  mp_sgd_mom_update(weight: T, options: MpSgdMomUpdateOptions<T>): T;
  /**
   * sgd_update in float32 on weight32; the output is weight32 in the dtype of weight.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param weight32 The weight in float32; updated in place.
   */
  mp_sgd_update(weight: T, grad?: T | null, weight32?: T | null, options?: MpSgdUpdateOptions<T>): T;
  mp_sgd_update(weight: T, options: MpSgdUpdateOptions<T>): T;
  /**
   * 1 if no element of any array is infinite or NaN, else 0; float32 of shape (1,).
   * @param data Arrays of any shape and dtype.
   */
  multi_all_finite(data: readonly T[], options?: MultiAllFiniteOptions<T>): T;
  /**
   * Rate of each layer: with the norms w and g of weight and scaled gradient, lr * eta * w / (g +
   * wd * w + eps) where both are above 0, else lr.
   * @param lrs Learning rate of each layer.
   * @param weights_sum_sq Sum of squares of each weight.
   * @param grads_sum_sq Sum of squares of each gradient.
   * @param wds Weight decay of each layer.
   */
  multi_lars(lrs: T, weights_sum_sq?: T | null, grads_sum_sq?: T | null, wds?: T | null, options?: MultiLarsOptions<T>): T;
  multi_lars(lrs: T, options: MultiLarsOptions<T>): T;
  /**
   * mp_sgd_mom_update of several weights.
   * @param data For each weight in turn its weight, gradient and, as far as the operator has them,
   * the states and then weight32; these are changed in place.
   */
  multi_mp_sgd_mom_update(data: readonly T[], options?: MultiMpSgdMomUpdateOptions<T>): Several;
  /**
   * mp_sgd_update of several weights.
   * @param data For each weight in turn its weight, gradient and, as far as the operator has them,
   * the states and then weight32; these are changed in place.
   */
  multi_mp_sgd_update(data: readonly T[], options?: MultiMpSgdUpdateOptions<T>): Several;
  /**
   * sgd_mom_update of several weights.
   * @param data For each weight in turn its weight, gradient and, as far as the operator has them,
   * the states and then weight32; these are changed in place.
   */
  multi_sgd_mom_update(data: readonly T[], options?: MultiSgdMomUpdateOptions<T>): Several;
  /**
   * sgd_update of several weights.
   * @param data For each weight in turn its weight, gradient and, as far as the operator has them,
   * the states and then weight32; these are changed in place.
   */
  multi_sgd_update(data: readonly T[], options?: MultiSgdUpdateOptions<T>): Several;
  /**
   * Sum of squares of each array, as a float32 array of num_arrays elements.
   * @param data Arrays of any shape and dtype.
   */
  multi_sum_sq(data: readonly T[], options?: Options<T>): T;
  /**
   * Nesterov's momentum: with m0 the old mom, mom = momentum * m0 - lr * (clip(rescale_grad * grad)
   * + wd * weight); the new weight is weight - momentum * m0 + (1 + momentum) * mom.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param mom The last step; changed in place.
   */
  nag_mom_update(weight: T, grad?: T | null, mom?: T | null, options?: NagMomUpdateOptions<T>): T;
  nag_mom_update(weight: T, options: NagMomUpdateOptions<T>): T;
  /**
   * Product over axes, NaN counting as 1.
   * @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
   */
  nanprod(data: T, options?: NanprodOptions<T>): T;
  /**
   * Sum over axes, NaN counting as 0.
   * @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
   */
  nansum(data: T, options?: NansumOptions<T>): T;
  /**
   * -data.
   * @param data Any array.
   */
  negative(data: T, options?: Options<T>): T;
  /**
   * Norm over axes: the sum of absolute values or the Euclidean length.
   * @param data Any array.
   */
  norm(data: T, options?: NormOptions<T>): T;
  /**
   * A new last axis with on_value at each index and off_value elsewhere; an index outside gives
   * only off_value.
   * @param indices Any shape and dtype; fractions are cut off.
   */
  one_hot(indices: T, options?: OneHotOptions<T>): T;
  /**
   * Ones with the shape and dtype of the input.
   * @param data Any array.
   */
  ones_like(data: T, options?: Options<T>): T;
  /**
   * One element along an axis for every place of the others, by index.
   * @param data Any array.
   * @param index data's shape without the axis, or with extent 1 there; any dtype, fractions are
   * cut off.
   */
  pick(data: T, index?: T | null, options?: PickOptions<T>): T;
  pick(data: T, options: PickOptions<T>): T;
  /**
   * mp_sgd_mom_update of several weights; the last two inputs are the learning rates and the weight
   * decays, float32.
   * @param data For each weight in turn its weight, gradient and, as far as the operator has them,
   * the states and then weight32; these are changed in place.
   */
  preloaded_multi_mp_sgd_mom_update(data: readonly T[], options?: PreloadedMultiMpSgdMomUpdateOptions<T>): Several;
  /**
   * mp_sgd_update of several weights; the last two inputs are the learning rates and the weight
   * decays, float32.
   * @param data For each weight in turn its weight, gradient and, as far as the operator has them,
   * the states and then weight32; these are changed in place.
   */
  preloaded_multi_mp_sgd_update(data: readonly T[], options?: PreloadedMultiMpSgdUpdateOptions<T>): Several;
  /**
   * sgd_mom_update of several weights; the last two inputs are the learning rates and the weight
   * decays, float32.
   * @param data For each weight in turn its weight, gradient and, as far as the operator has them,
   * the states and then weight32; these are changed in place.
   */
  preloaded_multi_sgd_mom_update(data: readonly T[], options?: PreloadedMultiSgdMomUpdateOptions<T>): Several;
  /**
   * sgd_update of several weights; the last two inputs are the learning rates and the weight
   * decays, float32.
   * @param data For each weight in turn its weight, gradient and, as far as the operator has them,
   * the states and then weight32; these are changed in place.
   */
  preloaded_multi_sgd_update(data: readonly T[], options?: PreloadedMultiSgdUpdateOptions<T>): Several;
  /**
   * Product over axes.
   * @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
   */
  prod(data: T, options?: ProdOptions<T>): T;
  /**
   * Degrees to radians.
   * @param data Any array.
   */
  radians(data: T, options?: Options<T>): T;
  /**
   * Numbers of the exponential distribution of rate lam.
   */
  random_exponential(options?: RandomExponentialOptions<T>): T;
  /**
   * Numbers of the gamma distribution of shape alpha and scale beta.
   */
  random_gamma(options?: RandomGammaOptions<T>): T;
  /**
   * Counts of mean mu and variance mu + alpha * mu^2, as floats.
   */
  random_generalized_negative_binomial(options?: RandomGeneralizedNegativeBinomialOptions<T>): T;
  /**
   * Failures before success number k, each trial succeeding with probability p, as floats.
   */
  random_negative_binomial(options?: RandomNegativeBinomialOptions<T>): T;
  /**
   * Numbers of the normal distribution.
   */
  random_normal(options?: RandomNormalOptions<T>): T;
  /**
   * Density of the Dirichlet distribution at vectors along the last axis.
   * @param sample (s..., m..., k): vectors that sum to 1. A float dtype.
   * @param alpha (s..., k): concentrations.
   */
  random_pdf_dirichlet(sample: T, alpha?: T | null, options?: RandomPdfDirichletOptions<T>): T;
  random_pdf_dirichlet(sample: T, options: RandomPdfDirichletOptions<T>): T;
  /**
   * Density of the exponential distribution, wherever the samples lie.
   * @param sample Samples; their shape begins with that of the parameters. A float dtype.
   * @param lam Rates.
   */
  random_pdf_exponential(sample: T, lam?: T | null, options?: RandomPdfExponentialOptions<T>): T;
  random_pdf_exponential(sample: T, options: RandomPdfExponentialOptions<T>): T;
  /**
   * Density of the gamma distribution, here of rate beta: the mean is alpha / beta.
   * @param sample Samples; their shape begins with that of the parameters. A float dtype.
   * @param alpha Shapes.
   * @param beta Rates, the inverse of the scales that samplers take.
   */
  random_pdf_gamma(sample: T, alpha?: T | null, beta?: T | null, options?: RandomPdfGammaOptions<T>): T;
  random_pdf_gamma(sample: T, options: RandomPdfGammaOptions<T>): T;
  /**
   * Probability of a count of mean mu and variance mu + alpha * mu^2; its gradient by the count is
   * 0.
   * @param sample Samples; their shape begins with that of the parameters. A float dtype.
   * @param mu Means.
   * @param alpha Dispersions.
   */
  random_pdf_generalized_negative_binomial(sample: T, mu?: T | null, alpha?: T | null, options?: RandomPdfGeneralizedNegativeBinomialOptions<T>): T;
  random_pdf_generalized_negative_binomial(sample: T, options: RandomPdfGeneralizedNegativeBinomialOptions<T>): T;
  /**
   * Probability of so many failures before success number k; its gradient by the count is 0.
   * @param sample Samples; their shape begins with that of the parameters. A float dtype.
   * @param k Successes to wait for.
   * @param p Probabilities of success.
   */
  random_pdf_negative_binomial(sample: T, k?: T | null, p?: T | null, options?: RandomPdfNegativeBinomialOptions<T>): T;
  random_pdf_negative_binomial(sample: T, options: RandomPdfNegativeBinomialOptions<T>): T;
  /**
   * Density of the normal distribution.
   * @param sample Samples; their shape begins with that of the parameters. A float dtype.
   * @param mu Means.
   * @param sigma Standard deviations.
   */
  random_pdf_normal(sample: T, mu?: T | null, sigma?: T | null, options?: RandomPdfNormalOptions<T>): T;
  random_pdf_normal(sample: T, options: RandomPdfNormalOptions<T>): T;
  /**
   * Probability of a count under the Poisson distribution; its gradient by the count is 0.
   * @param sample Samples; their shape begins with that of the parameters. A float dtype.
   * @param lam Means.
   */
  random_pdf_poisson(sample: T, lam?: T | null, options?: RandomPdfPoissonOptions<T>): T;
  random_pdf_poisson(sample: T, options: RandomPdfPoissonOptions<T>): T;
  /**
   * Density 1 / (high - low), wherever the samples lie.
   * @param sample Samples; their shape begins with that of the parameters. A float dtype.
   * @param low Ends of the intervals.
   * @param high The other ends.
   */
  random_pdf_uniform(sample: T, low?: T | null, high?: T | null, options?: RandomPdfUniformOptions<T>): T;
  random_pdf_uniform(sample: T, options: RandomPdfUniformOptions<T>): T;
  /**
   * Counts of the Poisson distribution of mean lam, as floats.
   */
  random_poisson(options?: RandomPoissonOptions<T>): T;
  /**
   * Whole numbers spread evenly over [low, high).
   */
  random_randint(options?: RandomRandintOptions<T>): T;
  /**
   * Numbers spread evenly over [low, high).
   */
  random_uniform(options?: RandomUniformOptions<T>): T;
  /**
   * Row-major flat index of each column of coordinates; not checked against the extents.
   * @param data (number of axes, ...)
   */
  ravel_multi_index(data: T, options?: RavelMultiIndexOptions<T>): T;
  /**
   * 1 / cbrt(data).
   * @param data Any array.
   */
  rcbrt(data: T, options?: Options<T>): T;
  /**
   * 1 / data.
   * @param data Any array.
   */
  reciprocal(data: T, options?: Options<T>): T;
  /**
   * max(data, 0).
   * @param data Any array.
   */
  relu(data: T, options?: Options<T>): T;
  /**
   * Repeats each element in place, along an axis or in the flattened array.
   * @param data Any array.
   */
  repeat(data: T, options?: RepeatOptions<T>): T;
  /**
   * lhs in the shape of rhs; with ranges, only axes [lhs_begin, lhs_end) turn into rhs's axes
   * [rhs_begin, rhs_end).
   * @param lhs The elements.
   * @param rhs Gives extents; its elements are not read.
   */
  reshape_like(lhs: T, rhs?: T | null, options?: ReshapeLikeOptions<T>): T;
  reshape_like(lhs: T, options: ReshapeLikeOptions<T>): T;
  /**
   * Reverses the order of elements along axes.
   * @param data Any array.
   */
  reverse(data: T, options?: ReverseOptions<T>): T;
  /**
   * Nearest integer; halves go down.
   * @param data Any array.
   */
  rint(data: T, options?: Options<T>): T;
  /**
   * g = clip(rescale_grad * grad + wd * weight), n = gamma1 * n + (1 - gamma1) * g^2; the new
   * weight is weight - lr * g / sqrt(n + epsilon).
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param n Averaged square of the gradient; changed in place.
   */
  rmsprop_update(weight: T, grad?: T | null, n?: T | null, options?: RmspropUpdateOptions<T>): T;
  rmsprop_update(weight: T, options: RmspropUpdateOptions<T>): T;
  /**
   * RMSProp around the mean, with momentum: n and g average the squares and the gradients, delta =
   * gamma2 * delta - lr * grad / sqrt(n - g^2 + epsilon); the new weight is weight + delta.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param n Averaged square of the gradient; changed in place.
   * @param g Averaged gradient; changed in place.
   * @param delta The last step; changed in place.
   */
  rmspropalex_update(weight: T, grad?: T | null, n?: T | null, g?: T | null, delta?: T | null, options?: RmspropalexUpdateOptions<T>): T;
  rmspropalex_update(weight: T, options: RmspropalexUpdateOptions<T>): T;
  /**
   * Nearest integer; halves go away from 0.
   * @param data Any array.
   */
  round(data: T, options?: Options<T>): T;
  /**
   * 1 / sqrt(data).
   * @param data Any array.
   */
  rsqrt(data: T, options?: Options<T>): T;
  /**
   * Numbers of exponential distributions. The output has the parameters' shape followed by `shape`;
   * parameters outside their range give NaN.
   * @param lam Rates, the inverse of the means.
   */
  sample_exponential(lam: T, options?: SampleExponentialOptions<T>): T;
  /**
   * Numbers of gamma distributions. The output has the parameters' shape followed by `shape`;
   * parameters outside their range give NaN.
   * @param alpha Shapes.
   * @param beta Scales, of the shape of alpha: the mean is alpha * beta.
   */
  sample_gamma(alpha: T, beta?: T | null, options?: SampleGammaOptions<T>): T;
  sample_gamma(alpha: T, options: SampleGammaOptions<T>): T;
  /**
   * Counts of mean mu and variance mu + alpha * mu^2, as floats. The output has the parameters'
   * shape followed by `shape`; parameters outside their range give NaN.
   * @param mu Means.
   * @param alpha Dispersions, of the shape of mu.
   */
  sample_generalized_negative_binomial(mu: T, alpha?: T | null, options?: SampleGeneralizedNegativeBinomialOptions<T>): T;
  sample_generalized_negative_binomial(mu: T, options: SampleGeneralizedNegativeBinomialOptions<T>): T;
  /**
   * Indices drawn with the probabilities in each row of data, of shape data.shape[:-1] + shape;
   * with get_prob also the logarithms of their probabilities, through which the gradient flows.
   * @param data Probabilities (..., k) of k categories, each row summing to 1; float.
   */
  sample_multinomial(data: T, options?: SampleMultinomialOptions<T>): Several;
  /**
   * Failures before success number k, as floats. The output has the parameters' shape followed by
   * `shape`; parameters outside their range give NaN.
   * @param k Successes to wait for.
   * @param p Probabilities of success, of the shape of k.
   */
  sample_negative_binomial(k: T, p?: T | null, options?: SampleNegativeBinomialOptions<T>): T;
  sample_negative_binomial(k: T, options: SampleNegativeBinomialOptions<T>): T;
  /**
   * Numbers of normal distributions. The output has the parameters' shape followed by `shape`;
   * parameters outside their range give NaN.
   * @param mu Means.
   * @param sigma Standard deviations, of the shape of mu.
   */
  sample_normal(mu: T, sigma?: T | null, options?: SampleNormalOptions<T>): T;
  sample_normal(mu: T, options: SampleNormalOptions<T>): T;
  /**
   * Counts of Poisson distributions, as floats. The output has the parameters' shape followed by
   * `shape`; parameters outside their range give NaN.
   * @param lam Means.
   */
  sample_poisson(lam: T, options?: SamplePoissonOptions<T>): T;
  /**
   * Numbers spread evenly over [low, high). The output has the parameters' shape followed by
   * `shape`; parameters outside their range give NaN.
   * @param low Least values.
   * @param high Ends of the intervals, of the shape of low.
   */
  sample_uniform(low: T, high?: T | null, options?: SampleUniformOptions<T>): T;
  sample_uniform(low: T, options: SampleUniformOptions<T>): T;
  /**
   * Zeros of the given shape with data at the indexed places; where indices repeat, the last slice
   * stays. The gradient counts every repeated slice.
   * @param data indices.shape[1:] + shape[M:]
   * @param indices (M, ...); any dtype, fractions are cut off.
   */
  scatter_nd(data: T, indices?: T | null, options?: ScatterNdOptions<T>): T;
  scatter_nd(data: T, options: ScatterNdOptions<T>): T;
  /**
   * mom = momentum * mom - lr * (clip(rescale_grad * grad) + wd * weight); the new weight is weight
   * + mom.
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param mom The last step; changed in place.
   */
  sgd_mom_update(weight: T, grad?: T | null, mom?: T | null, options?: SgdMomUpdateOptions<T>): T;
  sgd_mom_update(weight: T, options: SgdMomUpdateOptions<T>): T;
  /**
   * Step against the gradient: weight - lr * (clip(rescale_grad * grad) + wd * weight).
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   */
  sgd_update(weight: T, grad?: T | null, options?: SgdUpdateOptions<T>): T;
  sgd_update(weight: T, options: SgdUpdateOptions<T>): T;
  /**
   * The extents of an array as int64.
   * @param data Any array; its elements are not read.
   */
  shape_array(data: T, options?: Options<T>): T;
  /**
   * The parts of data along its first axis, in random order; each part stays as it is.
   * @param data Any array.
   */
  shuffle(data: T, options?: Options<T>): T;
  /**
   * 1 / (1 + e^-data).
   * @param data Any array.
   */
  sigmoid(data: T, options?: Options<T>): T;
  /**
   * -1, 0 or 1; 0 for NaN.
   * @param data Any array.
   */
  sign(data: T, options?: Options<T>): T;
  /**
   * Step by the gradient's sign: (1 - lr * wd) * weight - lr * sign(grad).
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   */
  signsgd_update(weight: T, grad?: T | null, options?: SignsgdUpdateOptions<T>): T;
  signsgd_update(weight: T, options: SignsgdUpdateOptions<T>): T;
  /**
   * Step by the sign of an averaged gradient: mom = momentum * mom - (1 - momentum) *
   * (clip(rescale_grad * grad) + wd * weight); the new weight is (1 - lr * wd_lh) * weight + lr *
   * sign(mom).
   * @param weight Weights, any float dtype.
   * @param grad Gradient, of the weight's shape.
   * @param mom Averaged negative gradient; changed in place.
   */
  signum_update(weight: T, grad?: T | null, mom?: T | null, options?: SignumUpdateOptions<T>): T;
  signum_update(weight: T, options: SignumUpdateOptions<T>): T;
  /**
   * Sine of an angle in radians.
   * @param data Any array.
   */
  sin(data: T, options?: Options<T>): T;
  /**
   * Hyperbolic sine.
   * @param data Any array.
   */
  sinh(data: T, options?: Options<T>): T;
  /**
   * The number of elements of an array as int64, shape (1,).
   * @param data Any array; its elements are not read.
   */
  size_array(data: T, options?: Options<T>): T;
  /**
   * A box of the array: begin, end and step per leading axis, with Python's rules for None and
   * negatives.
   * @param data Any array.
   */
  slice(data: T, options?: SliceOptions<T>): T;
  /**
   * Elements [begin, end) along one axis.
   * @param data Any array.
   */
  slice_axis(data: T, options?: SliceAxisOptions<T>): T;
  /**
   * The leading part of data that has shape_like's extents, on all axes or on some.
   * @param data Any array.
   * @param shape_like Gives extents; its elements are not read.
   */
  slice_like(data: T, shape_like?: T | null, options?: SliceLikeOptions<T>): T;
  slice_like(data: T, options: SliceLikeOptions<T>): T;
  /**
   * Huber's loss: with s = scalar^2, s x^2 / 2 where |x| < 1 / s, |x| - 1 / (2 s) elsewhere.
   * @param data Any float array.
   */
  smooth_l1(data: T, options?: SmoothL1Options<T>): T;
  /**
   * exp(x / temperature) along an axis, divided by its sum. Elements from `length` on are 0.
   * @param data Floats. A vector of nothing but -inf gives NaN.
   * @param length Integers, of data's shape without the axis; with use_length=True.
   */
  softmax(data: T, length?: T | null, options?: SoftmaxOptions<T>): T;
  softmax(data: T, options: SoftmaxOptions<T>): T;
  /**
   * Sum over rows of -log(softmax(data)[label]). The label receives no gradient.
   * @param data (N, C), scores of C classes.
   * @param label (N,), class numbers from 0 to C - 1.
   */
  softmax_cross_entropy(data: T, label?: T | null, options?: Options<T>): T;
  softmax_cross_entropy(data: T, options: Options<T>): T;
  /**
   * The softmax of -x.
   * @param data Floats. A vector of nothing but -inf gives NaN.
   */
  softmin(data: T, options?: SoftminOptions<T>): T;
  /**
   * log(1 + e^data), a smooth relu.
   * @param data Any array.
   */
  softrelu(data: T, options?: Options<T>): T;
  /**
   * data / (1 + |data|).
   * @param data Any array.
   */
  softsign(data: T, options?: Options<T>): T;
  /**
   * Sorted along an axis. Equal elements keep their order; NaN counts as larger than all.
   * @param data Any array.
   */
  sort(data: T, options?: SortOptions<T>): Several;
  /**
   * Stacks blocks of space as channels; the inverse of depth_to_space.
   * @param data (N, C, H*b, W*b)
   */
  space_to_depth(data: T, options?: SpaceToDepthOptions<T>): T;
  /**
   * Square root; NaN below 0.
   * @param data Any array.
   */
  sqrt(data: T, options?: Options<T>): T;
  /**
   * data * data.
   * @param data Any array.
   */
  square(data: T, options?: Options<T>): T;
  /**
   * Drops axes of extent 1; an array that consists of such axes keeps one.
   * @param data Any array.
   */
  squeeze(data: T, options?: SqueezeOptions<T>): T;
  /**
   * Joins arrays of one shape along a new axis.
   * @param data Arrays of one shape and dtype.
   */
  stack(data: readonly T[], options?: StackOptions<T>): T;
  /**
   * Sum over axes. The error of a float sum does not grow with its length.
   * @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
   */
  sum(data: T, options?: SumOptions<T>): T;
  /**
   * Slices of a at the indices along an axis: shape a[:axis] + indices.shape + a[axis+1:].
   * @param a At least one axis.
   * @param indices Any shape and dtype; fractions are cut off.
   */
  take(a: T, indices?: T | null, options?: TakeOptions<T>): T;
  take(a: T, options: TakeOptions<T>): T;
  /**
   * Tangent of an angle in radians.
   * @param data Any array.
   */
  tan(data: T, options?: Options<T>): T;
  /**
   * Hyperbolic tangent.
   * @param data Any array.
   */
  tanh(data: T, options?: Options<T>): T;
  /**
   * Lays copies of the whole array side by side along axes.
   * @param data Any array; missing leading axes count as 1.
   */
  tile(data: T, options?: TileOptions<T>): T;
  /**
   * The k largest (or smallest) elements along an axis, in order, as values, indices or a mask. Of
   * equal elements the first ones are taken.
   * @param data Any array.
   */
  topk(data: T, options?: TopkOptions<T>): Several;
  /**
   * Permutes the axes.
   * @param data Any array.
   */
  transpose(data: T, options?: TransposeOptions<T>): T;
  /**
   * Integer part: rounded toward 0.
   * @param data Any array.
   */
  trunc(data: T, options?: Options<T>): T;
  /**
   * Coordinates of flat row-major indices: shape (number of axes,) + data.shape. What exceeds the
   * array stays in the first coordinate.
   * @param data Any shape.
   */
  unravel_index(data: T, options?: UnravelIndexOptions<T>): T;
  /**
   * Elements of x where condition is not 0, of y elsewhere. Shapes broadcast as in NumPy; a
   * condition with one axis, as long as the first axis of x and y, selects rows.
   * @param condition Any dtype.
   * @param x Taken where the condition is not 0.
   * @param y Taken where it is 0; of the dtype of x.
   */
  where(condition: T, x?: T | null, y?: T | null, options?: Options<T>): T;
  where(condition: T, options: Options<T>): T;
  /**
   * Zeros with the shape and dtype of the input.
   * @param data Any array.
   */
  zeros_like(data: T, options?: Options<T>): T;
}

export type ArrayOperators = Operators<NDArray, NDArray[]>;
export type SymbolOperators = Operators<Symbol, Symbol>;
