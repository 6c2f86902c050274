# Operators. Written by tools/generate_languages.py: do not edit.
#
# mx.nd.<operator> applies one to arrays, mx.symbol.<operator> makes a node of a graph. Shapes and axes in
# parameters are those of the library: the reverse of R's dimensions.

#' The activation function named by act_type, element by element.
#' @param data Any array.
#' @param act_type Which function. One of "log_sigmoid", "relu", "sigmoid", "softrelu", "softsign", "tanh".
mx.nd.Activation <- function(data, act_type) {
  mx.apply("Activation", list(data), list(`act_type` = act_type), c("str"), TRUE)
}

#' The activation function named by act_type, element by element.
#' @param data Any array.
#' @param act_type Which function. One of "log_sigmoid", "relu", "sigmoid", "softrelu", "softsign", "tanh".
mx.symbol.Activation <- function(data, act_type, name = NULL) {
  mx.node("Activation", list(data), list(`act_type` = act_type), c("str"), name)
}

#' Each channel shifted and scaled to mean 0 and variance 1, then times gamma plus beta. In training the
#' statistics are those of the batch (its variance divides by the number of elements), and the moving averages
#' move towards them in the same call; in prediction the moving averages serve.
#' @param data Floats; axis 1, or `axis`, holds the channels.
#' @param gamma (C,): scale; taken as 1 while fix_gamma is set.
#' @param beta (C,): shift.
#' @param moving_mean (C,): moving average of means.
#' @param moving_var (C,): moving average of variances.
#' @param eps Added to the variance. Default: 0.001.
#' @param momentum Share of the old value in a moving average. Default: 0.9.
#' @param fix_gamma Takes gamma as 1 and gives it no gradient. Default: True.
#' @param use_global_stats Normalises with the moving averages in training too, and leaves them. Default:
#' False.
#' @param output_mean_var Also gives mean and 1 / sqrt(variance + eps) per channel; they pass no gradient on.
#' Default: False.
#' @param axis Axis of the channels. Default: 1.
#' @param cudnn_off Accepted for MXNet's sake; changes nothing. Default: False.
#' @param min_calib_range Accepted for MXNet's sake; changes nothing. Default: None.
#' @param max_calib_range Accepted for MXNet's sake; changes nothing. Default: None.
mx.nd.BatchNorm <- function(data, gamma, beta, moving_mean, moving_var, eps = 0.001, momentum = 0.9, fix_gamma = TRUE, use_global_stats = FALSE, output_mean_var = FALSE, axis = 1, cudnn_off = FALSE, min_calib_range = NULL, max_calib_range = NULL) {
  mx.apply("BatchNorm", list(data, gamma, beta, moving_mean, moving_var), list(`eps` = eps, `momentum` = momentum, `fix_gamma` = fix_gamma, `use_global_stats` = use_global_stats, `output_mean_var` = output_mean_var, `axis` = axis, `cudnn_off` = cudnn_off, `min_calib_range` = min_calib_range, `max_calib_range` = max_calib_range), c("float", "float", "bool", "bool", "bool", "int", "bool", "optional float", "optional float"), FALSE)
}

#' Each channel shifted and scaled to mean 0 and variance 1, then times gamma plus beta. In training the
#' statistics are those of the batch (its variance divides by the number of elements), and the moving averages
#' move towards them in the same call; in prediction the moving averages serve.
#' @param data Floats; axis 1, or `axis`, holds the channels.
#' @param gamma (C,): scale; taken as 1 while fix_gamma is set.
#' @param beta (C,): shift.
#' @param moving_mean (C,): moving average of means.
#' @param moving_var (C,): moving average of variances.
#' @param eps Added to the variance. Default: 0.001.
#' @param momentum Share of the old value in a moving average. Default: 0.9.
#' @param fix_gamma Takes gamma as 1 and gives it no gradient. Default: True.
#' @param use_global_stats Normalises with the moving averages in training too, and leaves them. Default:
#' False.
#' @param output_mean_var Also gives mean and 1 / sqrt(variance + eps) per channel; they pass no gradient on.
#' Default: False.
#' @param axis Axis of the channels. Default: 1.
#' @param cudnn_off Accepted for MXNet's sake; changes nothing. Default: False.
#' @param min_calib_range Accepted for MXNet's sake; changes nothing. Default: None.
#' @param max_calib_range Accepted for MXNet's sake; changes nothing. Default: None.
mx.symbol.BatchNorm <- function(data, gamma = NULL, beta = NULL, moving_mean = NULL, moving_var = NULL, eps = 0.001, momentum = 0.9, fix_gamma = TRUE, use_global_stats = FALSE, output_mean_var = FALSE, axis = 1, cudnn_off = FALSE, min_calib_range = NULL, max_calib_range = NULL, name = NULL) {
  mx.node("BatchNorm", list(data, gamma, beta, moving_mean, moving_var), list(`eps` = eps, `momentum` = momentum, `fix_gamma` = fix_gamma, `use_global_stats` = use_global_stats, `output_mean_var` = output_mean_var, `axis` = axis, `cudnn_off` = cudnn_off, `min_calib_range` = min_calib_range, `max_calib_range` = max_calib_range), c("float", "float", "bool", "bool", "bool", "int", "bool", "optional float", "optional float"), name)
}

#' (batch, channels, rows, columns): data at the positions of the grid, weighing the four pixels around each.
#' What lies outside of the image counts as 0.
#' @param data Images (batch, channels, height, width), float.
#' @param grid (batch, 2, rows, columns): x, then y; -1 is the first pixel of the axis and 1 the last.
#' @param cudnn_off Accepted for MXNet's scripts; has no effect. Default: None.
mx.nd.BilinearSampler <- function(data, grid, cudnn_off = NULL) {
  mx.apply("BilinearSampler", list(data, grid), list(`cudnn_off` = cudnn_off), c("optional bool"), TRUE)
}

#' (batch, channels, rows, columns): data at the positions of the grid, weighing the four pixels around each.
#' What lies outside of the image counts as 0.
#' @param data Images (batch, channels, height, width), float.
#' @param grid (batch, 2, rows, columns): x, then y; -1 is the first pixel of the axis and 1 the last.
#' @param cudnn_off Accepted for MXNet's scripts; has no effect. Default: None.
mx.symbol.BilinearSampler <- function(data, grid = NULL, cudnn_off = NULL, name = NULL) {
  mx.node("BilinearSampler", list(data, grid), list(`cudnn_off` = cudnn_off), c("optional bool"), name)
}

#' A copy through which no gradient flows.
#' @param data Any array.
mx.nd.BlockGrad <- function(data) {
  mx.apply("BlockGrad", list(data), list(), character(), TRUE)
}

#' A copy through which no gradient flows.
#' @param data Any array.
mx.symbol.BlockGrad <- function(data, name = NULL) {
  mx.node("BlockGrad", list(data), list(), character(), name)
}

#' (batch,): minus the logarithm of the probability that softmax of data gives the labels, with blanks between
#' them and repetitions. 0, without a gradient, where the labels do not fit the steps.
#' @param data (steps, batch, classes): scores, one class being the blank.
#' @param label (batch, labels): class numbers, padded. Receives no gradient.
#' @param data_lengths (batch,): steps that count. Receives no gradient.
#' @param label_lengths (batch,): labels that count. Receives no gradient.
#' @param use_data_lengths Whether data_lengths is given; else all steps count. Default: False.
#' @param use_label_lengths Whether label_lengths is given; else labels end at the first padding. Default:
#' False.
#' @param blank_label Which class is the blank. first: labels are 1 to C - 1, padding is 0; last: 0 to C - 2,
#' and -1. One of "first", "last". Default: 'first'.
mx.nd.CTCLoss <- function(data, label = NULL, data_lengths = NULL, label_lengths = NULL, use_data_lengths = FALSE, use_label_lengths = FALSE, blank_label = "first") {
  mx.apply("CTCLoss", list(data, label, data_lengths, label_lengths), list(`use_data_lengths` = use_data_lengths, `use_label_lengths` = use_label_lengths, `blank_label` = blank_label), c("bool", "bool", "str"), FALSE)
}

#' (batch,): minus the logarithm of the probability that softmax of data gives the labels, with blanks between
#' them and repetitions. 0, without a gradient, where the labels do not fit the steps.
#' @param data (steps, batch, classes): scores, one class being the blank.
#' @param label (batch, labels): class numbers, padded. Receives no gradient.
#' @param data_lengths (batch,): steps that count. Receives no gradient.
#' @param label_lengths (batch,): labels that count. Receives no gradient.
#' @param use_data_lengths Whether data_lengths is given; else all steps count. Default: False.
#' @param use_label_lengths Whether label_lengths is given; else labels end at the first padding. Default:
#' False.
#' @param blank_label Which class is the blank. first: labels are 1 to C - 1, padding is 0; last: 0 to C - 2,
#' and -1. One of "first", "last". Default: 'first'.
mx.symbol.CTCLoss <- function(data, label = NULL, data_lengths = NULL, label_lengths = NULL, use_data_lengths = FALSE, use_label_lengths = FALSE, blank_label = "first", name = NULL) {
  mx.node("CTCLoss", list(data, label, data_lengths, label_lengths), list(`use_data_lengths` = use_data_lengths, `use_label_lengths` = use_label_lengths, `blank_label` = blank_label), c("bool", "bool", "str"), name)
}

#' Changes the element type. Floats are truncated toward zero to integers; anything but 0 is true.
#' @param data Any array.
#' @param dtype Element type of the output.
mx.nd.Cast <- function(data, dtype) {
  mx.apply("Cast", list(data), list(`dtype` = dtype), c("dtype"), TRUE)
}

#' Changes the element type. Floats are truncated toward zero to integers; anything but 0 is true.
#' @param data Any array.
#' @param dtype Element type of the output.
mx.symbol.Cast <- function(data, dtype, name = NULL) {
  mx.node("Cast", list(data), list(`dtype` = dtype), c("dtype"), name)
}

#' Joins arrays along an axis; their other extents agree.
#' @param data Arrays of one dtype.
#' @param dim The axis along which they follow one another. Default: 1.
mx.nd.Concat <- function(..., dim = 1) {
  mx.apply("Concat", mx.varargs(...), list(`dim` = dim), c("int"), TRUE)
}

#' Joins arrays along an axis; their other extents agree.
#' @param data Arrays of one dtype.
#' @param dim The axis along which they follow one another. Default: 1.
mx.symbol.Concat <- function(..., dim = 1, name = NULL) {
  mx.node("Concat", mx.varargs(...), list(`dim` = dim), c("int"), name)
}

#' Sum of products of a window's weights with the input under it, at every place of the window. Data (n,
#' channels, in...) gives (n, num_filter, out...), where an output extent is floor((in + 2 pad - dilate
#' (kernel - 1) - 1) / stride) + 1.
#' @param data Float array with one, two or three spatial axes.
#' @param weight (num_filter, channels / num_group, window...).
#' @param bias (num_filter,); absent with no_bias.
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w).
#' @param stride Steps of the window; empty means ones. Default: ().
#' @param dilate Distance of the input elements under neighbouring weights; empty means ones. Default: ().
#' @param pad Zeros added at both ends of each axis; empty means none. Default: ().
#' @param num_filter Channels of the output.
#' @param num_group Groups of channels that are convolved apart. Default: 1.
#' @param workspace Accepted and ignored. Default: 1024.
#' @param no_bias Leave the bias out; the operator then has two inputs. Default: False.
#' @param cudnn_tune Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
#' @param cudnn_off Accepted and ignored. Default: False.
#' @param layout Order of axes; None is channels first. Channels-last weights are (num_filter, window...,
#' channels). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
mx.nd.Convolution <- function(data, weight = NULL, bias = NULL, kernel, stride = NULL, dilate = NULL, pad = NULL, num_filter, num_group = 1, workspace = 1024, no_bias = FALSE, cudnn_tune = NULL, cudnn_off = FALSE, layout = NULL) {
  mx.apply("Convolution", list(data, weight, bias), list(`kernel` = kernel, `stride` = stride, `dilate` = dilate, `pad` = pad, `num_filter` = num_filter, `num_group` = num_group, `workspace` = workspace, `no_bias` = no_bias, `cudnn_tune` = cudnn_tune, `cudnn_off` = cudnn_off, `layout` = layout), c("ints", "ints", "ints", "ints", "int", "int", "int", "bool", "optional str", "bool", "optional str"), TRUE)
}

#' Sum of products of a window's weights with the input under it, at every place of the window. Data (n,
#' channels, in...) gives (n, num_filter, out...), where an output extent is floor((in + 2 pad - dilate
#' (kernel - 1) - 1) / stride) + 1.
#' @param data Float array with one, two or three spatial axes.
#' @param weight (num_filter, channels / num_group, window...).
#' @param bias (num_filter,); absent with no_bias.
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w).
#' @param stride Steps of the window; empty means ones. Default: ().
#' @param dilate Distance of the input elements under neighbouring weights; empty means ones. Default: ().
#' @param pad Zeros added at both ends of each axis; empty means none. Default: ().
#' @param num_filter Channels of the output.
#' @param num_group Groups of channels that are convolved apart. Default: 1.
#' @param workspace Accepted and ignored. Default: 1024.
#' @param no_bias Leave the bias out; the operator then has two inputs. Default: False.
#' @param cudnn_tune Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
#' @param cudnn_off Accepted and ignored. Default: False.
#' @param layout Order of axes; None is channels first. Channels-last weights are (num_filter, window...,
#' channels). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
mx.symbol.Convolution <- function(data, weight = NULL, bias = NULL, kernel, stride = NULL, dilate = NULL, pad = NULL, num_filter, num_group = 1, workspace = 1024, no_bias = FALSE, cudnn_tune = NULL, cudnn_off = FALSE, layout = NULL, name = NULL) {
  mx.node("Convolution", list(data, weight, bias), list(`kernel` = kernel, `stride` = stride, `dilate` = dilate, `pad` = pad, `num_filter` = num_filter, `num_group` = num_group, `workspace` = workspace, `no_bias` = no_bias, `cudnn_tune` = cudnn_tune, `cudnn_off` = cudnn_off, `layout` = layout), c("ints", "ints", "ints", "ints", "int", "int", "int", "bool", "optional str", "bool", "optional str"), name)
}

#' (batch, displacements, rows, columns): the mean over patch and channels of data1 times data2, or of their
#' absolute difference, for every displacement of the patch in data2, rows first.
#' @param data1 Images (batch, channels, height, width), float.
#' @param data2 Images of the same shape.
#' @param kernel_size Extent of the square patches, odd. Default: 1.
#' @param max_displacement Largest displacement, in pixels. Default: 1.
#' @param stride1 Pixels between patches of data1. Default: 1.
#' @param stride2 Pixels between displacements. Default: 1.
#' @param pad_size Zeros around both images. Default: 0.
#' @param is_multiply Whether values are multiplied; else their absolute difference is taken. Default: True.
mx.nd.Correlation <- function(data1, data2, kernel_size = 1, max_displacement = 1, stride1 = 1, stride2 = 1, pad_size = 0, is_multiply = TRUE) {
  mx.apply("Correlation", list(data1, data2), list(`kernel_size` = kernel_size, `max_displacement` = max_displacement, `stride1` = stride1, `stride2` = stride2, `pad_size` = pad_size, `is_multiply` = is_multiply), c("int", "int", "int", "int", "int", "bool"), TRUE)
}

#' (batch, displacements, rows, columns): the mean over patch and channels of data1 times data2, or of their
#' absolute difference, for every displacement of the patch in data2, rows first.
#' @param data1 Images (batch, channels, height, width), float.
#' @param data2 Images of the same shape.
#' @param kernel_size Extent of the square patches, odd. Default: 1.
#' @param max_displacement Largest displacement, in pixels. Default: 1.
#' @param stride1 Pixels between patches of data1. Default: 1.
#' @param stride2 Pixels between displacements. Default: 1.
#' @param pad_size Zeros around both images. Default: 0.
#' @param is_multiply Whether values are multiplied; else their absolute difference is taken. Default: True.
mx.symbol.Correlation <- function(data1, data2 = NULL, kernel_size = 1, max_displacement = 1, stride1 = 1, stride2 = 1, pad_size = 0, is_multiply = TRUE, name = NULL) {
  mx.node("Correlation", list(data1, data2), list(`kernel_size` = kernel_size, `max_displacement` = max_displacement, `stride1` = stride1, `stride2` = stride2, `pad_size` = pad_size, `is_multiply` = is_multiply), c("int", "int", "int", "int", "int", "bool"), name)
}

#' The window (batch, channels, h, w) of images at an offset or in the middle. Its size is h_w, or with two
#' inputs the height and width of the second one, which passes no gradient on.
#' @param data Images (batch, channels, height, width) of any dtype.
#' @param offset First row and column of the window. Default: (0, 0).
#' @param h_w Height and width of the window; only with one input. Default: (0, 0).
#' @param center_crop Put the window into the middle instead of at offset. Default: False.
mx.nd.Crop <- function(..., offset = c(0, 0), h_w = c(0, 0), center_crop = FALSE) {
  mx.apply("Crop", mx.varargs(...), list(`offset` = offset, `h_w` = h_w, `center_crop` = center_crop), c("ints", "ints", "bool"), TRUE)
}

#' The window (batch, channels, h, w) of images at an offset or in the middle. Its size is h_w, or with two
#' inputs the height and width of the second one, which passes no gradient on.
#' @param data Images (batch, channels, height, width) of any dtype.
#' @param offset First row and column of the window. Default: (0, 0).
#' @param h_w Height and width of the window; only with one input. Default: (0, 0).
#' @param center_crop Put the window into the middle instead of at offset. Default: False.
mx.symbol.Crop <- function(..., offset = c(0, 0), h_w = c(0, 0), center_crop = FALSE, name = NULL) {
  mx.node("Crop", mx.varargs(...), list(`offset` = offset, `h_w` = h_w, `center_crop` = center_crop), c("ints", "ints", "bool"), name)
}

#' What an operator of the program computes: one that mx.operator.register has given a name. All parameters
#' but op_type are its own, as text.
#' @param data What the operator reads: its arguments, then its states.
#' @param op_type The name that the operator was registered under.
mx.nd.Custom <- function(..., op_type = NULL) {
  mx.apply("Custom", mx.varargs(...), list(`op_type` = op_type), c("str"), FALSE)
}

#' What an operator of the program computes: one that mx.operator.register has given a name. All parameters
#' but op_type are its own, as text.
#' @param data What the operator reads: its arguments, then its states.
#' @param op_type The name that the operator was registered under.
mx.symbol.Custom <- function(..., op_type = NULL, name = NULL) {
  mx.node("Custom", mx.varargs(...), list(`op_type` = op_type), c("str"), name)
}

#' Transpose of Convolution: every input element adds its multiple of the window to the output. An output
#' extent is stride (in - 1) + dilate (kernel - 1) + 1 + adj - 2 pad.
#' @param data Float array with one, two or three spatial axes.
#' @param weight (channels, num_filter / num_group, window...).
#' @param bias (num_filter,); absent with no_bias.
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w).
#' @param stride Steps of the window over the output; empty means ones. Default: ().
#' @param dilate Distance of the output elements under neighbouring weights; empty means ones. Default: ().
#' @param pad Elements cut from both ends of each output axis; empty means none. Default: ().
#' @param adj Elements added behind each output axis; less than stride. Empty means none. Default: ().
#' @param target_shape Spatial extents of the output; pad and adj then follow from it. Default: ().
#' @param num_filter Channels of the output.
#' @param num_group Groups of channels that are convolved apart. Default: 1.
#' @param workspace Accepted and ignored. Default: 512.
#' @param no_bias Leave the bias out; the operator then has two inputs. Default: True.
#' @param cudnn_tune Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
#' @param cudnn_off Accepted and ignored. Default: False.
#' @param layout Order of axes; None is channels first. Channels-last weights are (channels, window...,
#' num_filter). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
mx.nd.Deconvolution <- function(data, weight = NULL, bias = NULL, kernel, stride = NULL, dilate = NULL, pad = NULL, adj = NULL, target_shape = NULL, num_filter, num_group = 1, workspace = 512, no_bias = TRUE, cudnn_tune = NULL, cudnn_off = FALSE, layout = NULL) {
  mx.apply("Deconvolution", list(data, weight, bias), list(`kernel` = kernel, `stride` = stride, `dilate` = dilate, `pad` = pad, `adj` = adj, `target_shape` = target_shape, `num_filter` = num_filter, `num_group` = num_group, `workspace` = workspace, `no_bias` = no_bias, `cudnn_tune` = cudnn_tune, `cudnn_off` = cudnn_off, `layout` = layout), c("ints", "ints", "ints", "ints", "ints", "ints", "int", "int", "int", "bool", "optional str", "bool", "optional str"), TRUE)
}

#' Transpose of Convolution: every input element adds its multiple of the window to the output. An output
#' extent is stride (in - 1) + dilate (kernel - 1) + 1 + adj - 2 pad.
#' @param data Float array with one, two or three spatial axes.
#' @param weight (channels, num_filter / num_group, window...).
#' @param bias (num_filter,); absent with no_bias.
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w).
#' @param stride Steps of the window over the output; empty means ones. Default: ().
#' @param dilate Distance of the output elements under neighbouring weights; empty means ones. Default: ().
#' @param pad Elements cut from both ends of each output axis; empty means none. Default: ().
#' @param adj Elements added behind each output axis; less than stride. Empty means none. Default: ().
#' @param target_shape Spatial extents of the output; pad and adj then follow from it. Default: ().
#' @param num_filter Channels of the output.
#' @param num_group Groups of channels that are convolved apart. Default: 1.
#' @param workspace Accepted and ignored. Default: 512.
#' @param no_bias Leave the bias out; the operator then has two inputs. Default: True.
#' @param cudnn_tune Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
#' @param cudnn_off Accepted and ignored. Default: False.
#' @param layout Order of axes; None is channels first. Channels-last weights are (channels, window...,
#' num_filter). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
mx.symbol.Deconvolution <- function(data, weight = NULL, bias = NULL, kernel, stride = NULL, dilate = NULL, pad = NULL, adj = NULL, target_shape = NULL, num_filter, num_group = 1, workspace = 512, no_bias = TRUE, cudnn_tune = NULL, cudnn_off = FALSE, layout = NULL, name = NULL) {
  mx.node("Deconvolution", list(data, weight, bias), list(`kernel` = kernel, `stride` = stride, `dilate` = dilate, `pad` = pad, `adj` = adj, `target_shape` = target_shape, `num_filter` = num_filter, `num_group` = num_group, `workspace` = workspace, `no_bias` = no_bias, `cudnn_tune` = cudnn_tune, `cudnn_off` = cudnn_off, `layout` = layout), c("ints", "ints", "ints", "ints", "ints", "ints", "int", "int", "int", "bool", "optional str", "bool", "optional str"), name)
}

#' While training, each element becomes 0 with probability p and is divided by 1 - p otherwise; when
#' predicting, unless mode is 'always', the output is the input.
#' @param data Any float array.
#' @param p Part of the elements that become 0. Default: 0.5.
#' @param mode Whether to drop also when predicting. One of "always", "training". Default: 'training'.
#' @param axes Axes along which elements share one decision. Default: ().
#' @param cudnn_off Accepted for MXNet's scripts; has no effect. Default: False.
mx.nd.Dropout <- function(data, p = 0.5, mode = "training", axes = NULL, cudnn_off = FALSE) {
  mx.apply("Dropout", list(data), list(`p` = p, `mode` = mode, `axes` = axes, `cudnn_off` = cudnn_off), c("float", "str", "ints", "optional bool"), FALSE)
}

#' While training, each element becomes 0 with probability p and is divided by 1 - p otherwise; when
#' predicting, unless mode is 'always', the output is the input.
#' @param data Any float array.
#' @param p Part of the elements that become 0. Default: 0.5.
#' @param mode Whether to drop also when predicting. One of "always", "training". Default: 'training'.
#' @param axes Axes along which elements share one decision. Default: ().
#' @param cudnn_off Accepted for MXNet's scripts; has no effect. Default: False.
mx.symbol.Dropout <- function(data, p = 0.5, mode = "training", axes = NULL, cudnn_off = FALSE, name = NULL) {
  mx.node("Dropout", list(data), list(`p` = p, `mode` = mode, `axes` = axes, `cudnn_off` = cudnn_off), c("float", "str", "ints", "optional bool"), name)
}

#' The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped.
#' @param data Indices of any shape and dtype; fractions are cut off.
#' @param weight (input_dim, output_dim)
#' @param input_dim Number of rows of weight.
#' @param output_dim Extent of a row.
#' @param dtype Dtype of weight where nothing else says it. Default: 'float32'.
#' @param sparse_grad The gradient of weight is row_sparse. Default: False.
mx.nd.Embedding <- function(data, weight, input_dim, output_dim, dtype = "float32", sparse_grad = FALSE) {
  mx.apply("Embedding", list(data, weight), list(`input_dim` = input_dim, `output_dim` = output_dim, `dtype` = dtype, `sparse_grad` = sparse_grad), c("int", "int", "dtype", "bool"), TRUE)
}

#' The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped.
#' @param data Indices of any shape and dtype; fractions are cut off.
#' @param weight (input_dim, output_dim)
#' @param input_dim Number of rows of weight.
#' @param output_dim Extent of a row.
#' @param dtype Dtype of weight where nothing else says it. Default: 'float32'.
#' @param sparse_grad The gradient of weight is row_sparse. Default: False.
mx.symbol.Embedding <- function(data, weight = NULL, input_dim, output_dim, dtype = "float32", sparse_grad = FALSE, name = NULL) {
  mx.node("Embedding", list(data, weight), list(`input_dim` = input_dim, `output_dim` = output_dim, `dtype` = dtype, `sparse_grad` = sparse_grad), c("int", "int", "dtype", "bool"), name)
}

#' Merges all axes but the first: (N, a, b, ...) becomes (N, a*b*...).
#' @param data Any array; (N,) becomes (N, 1).
mx.nd.Flatten <- function(data) {
  mx.apply("Flatten", list(data), list(), character(), TRUE)
}

#' Merges all axes but the first: (N, a, b, ...) becomes (N, a*b*...).
#' @param data Any array; (N,) becomes (N, 1).
mx.symbol.Flatten <- function(data, name = NULL) {
  mx.node("Flatten", list(data), list(), character(), name)
}

#' Product of every sample with the transposed weight, plus a bias: data (n, ...) and weight (num_hidden,
#' depth) give (n, num_hidden).
#' @param data Float array; the first axis counts samples.
#' @param weight (num_hidden, depth), where depth is the size of one sample.
#' @param bias (num_hidden,); absent with no_bias.
#' @param num_hidden Extent of the last axis of the output.
#' @param no_bias Leave the bias out; the operator then has two inputs. Default: False.
#' @param flatten Treat every sample as one row; otherwise only the last axis is multiplied. Default: True.
mx.nd.FullyConnected <- function(data, weight = NULL, bias = NULL, num_hidden, no_bias = FALSE, flatten = TRUE) {
  mx.apply("FullyConnected", list(data, weight, bias), list(`num_hidden` = num_hidden, `no_bias` = no_bias, `flatten` = flatten), c("int", "bool", "bool"), TRUE)
}

#' Product of every sample with the transposed weight, plus a bias: data (n, ...) and weight (num_hidden,
#' depth) give (n, num_hidden).
#' @param data Float array; the first axis counts samples.
#' @param weight (num_hidden, depth), where depth is the size of one sample.
#' @param bias (num_hidden,); absent with no_bias.
#' @param num_hidden Extent of the last axis of the output.
#' @param no_bias Leave the bias out; the operator then has two inputs. Default: False.
#' @param flatten Treat every sample as one row; otherwise only the last axis is multiplied. Default: True.
mx.symbol.FullyConnected <- function(data, weight = NULL, bias = NULL, num_hidden, no_bias = FALSE, flatten = TRUE, name = NULL) {
  mx.node("FullyConnected", list(data, weight, bias), list(`num_hidden` = num_hidden, `no_bias` = no_bias, `flatten` = flatten), c("int", "bool", "bool"), name)
}

#' Grid (batch, 2, height, width) of positions (x, y), where -1 and 1 are the first and the last pixel of an
#' axis. affine multiplies 2 x 3 matrices by (x, y, 1) of every pixel; warp adds shifts, in pixels, to every
#' pixel's own position.
#' @param data affine: (batch, 6), the rows of the matrices. warp: (batch, 2, height, width).
#' @param transform_type Whether data holds matrices or a shift in pixels for each position. One of "affine",
#' "warp".
#' @param target_shape Of affine: height and width of the grid. Default: (0, 0).
mx.nd.GridGenerator <- function(data, transform_type, target_shape = c(0, 0)) {
  mx.apply("GridGenerator", list(data), list(`transform_type` = transform_type, `target_shape` = target_shape), c("str", "ints"), FALSE)
}

#' Grid (batch, 2, height, width) of positions (x, y), where -1 and 1 are the first and the last pixel of an
#' axis. affine multiplies 2 x 3 matrices by (x, y, 1) of every pixel; warp adds shifts, in pixels, to every
#' pixel's own position.
#' @param data affine: (batch, 6), the rows of the matrices. warp: (batch, 2, height, width).
#' @param transform_type Whether data holds matrices or a shift in pixels for each position. One of "affine",
#' "warp".
#' @param target_shape Of affine: height and width of the grid. Default: (0, 0).
mx.symbol.GridGenerator <- function(data, transform_type, target_shape = c(0, 0), name = NULL) {
  mx.node("GridGenerator", list(data), list(`transform_type` = transform_type, `target_shape` = target_shape), c("str", "ints"), name)
}

#' Each group of neighbouring channels of each sample shifted and scaled to mean 0 and variance 1, then times
#' gamma plus beta.
#' @param data (N, C, ...), floats. Statistics are computed in float or double.
#' @param gamma (num_groups,): one per group.
#' @param beta (num_groups,): one per group.
#' @param num_groups Groups into which the channels of axis 1 fall. Default: 1.
#' @param eps Added to the variance. Default: 1e-05.
#' @param output_mean_var Also gives mean and standard deviation (N, groups), sqrt(variance + eps); they pass
#' no gradient on. Default: False.
mx.nd.GroupNorm <- function(data, gamma, beta, num_groups = 1, eps = 1e-05, output_mean_var = FALSE) {
  mx.apply("GroupNorm", list(data, gamma, beta), list(`num_groups` = num_groups, `eps` = eps, `output_mean_var` = output_mean_var), c("int", "float", "bool"), FALSE)
}

#' Each group of neighbouring channels of each sample shifted and scaled to mean 0 and variance 1, then times
#' gamma plus beta.
#' @param data (N, C, ...), floats. Statistics are computed in float or double.
#' @param gamma (num_groups,): one per group.
#' @param beta (num_groups,): one per group.
#' @param num_groups Groups into which the channels of axis 1 fall. Default: 1.
#' @param eps Added to the variance. Default: 1e-05.
#' @param output_mean_var Also gives mean and standard deviation (N, groups), sqrt(variance + eps); they pass
#' no gradient on. Default: False.
mx.symbol.GroupNorm <- function(data, gamma = NULL, beta = NULL, num_groups = 1, eps = 1e-05, output_mean_var = FALSE, name = NULL) {
  mx.node("GroupNorm", list(data, gamma, beta), list(`num_groups` = num_groups, `eps` = eps, `output_mean_var` = output_mean_var), c("int", "float", "bool"), name)
}

#' A copy of activations between 0 and 1. In training, to the gradient comes the Kullback-Leibler divergence's
#' between a target and each channel's moving average, times penalty: activations become sparse.
#' @param data (batch, channels, ...), float.
#' @param moving_avg (channels,): moving average of means.
#' @param sparseness_target The mean that is aimed at. Default: 0.1.
#' @param penalty Factor of the added gradient. Default: 0.001.
#' @param momentum Share of the old value in a moving average. Default: 0.9.
mx.nd.IdentityAttachKLSparseReg <- function(data, moving_avg, sparseness_target = 0.1, penalty = 0.001, momentum = 0.9) {
  mx.apply("IdentityAttachKLSparseReg", list(data, moving_avg), list(`sparseness_target` = sparseness_target, `penalty` = penalty, `momentum` = momentum), c("float", "float", "float"), FALSE)
}

#' A copy of activations between 0 and 1. In training, to the gradient comes the Kullback-Leibler divergence's
#' between a target and each channel's moving average, times penalty: activations become sparse.
#' @param data (batch, channels, ...), float.
#' @param moving_avg (channels,): moving average of means.
#' @param sparseness_target The mean that is aimed at. Default: 0.1.
#' @param penalty Factor of the added gradient. Default: 0.001.
#' @param momentum Share of the old value in a moving average. Default: 0.9.
mx.symbol.IdentityAttachKLSparseReg <- function(data, moving_avg = NULL, sparseness_target = 0.1, penalty = 0.001, momentum = 0.9, name = NULL) {
  mx.node("IdentityAttachKLSparseReg", list(data, moving_avg), list(`sparseness_target` = sparseness_target, `penalty` = penalty, `momentum` = momentum), c("float", "float", "float"), name)
}

#' Each channel of each sample shifted and scaled to mean 0 and variance 1, then times gamma plus beta.
#' @param data (N, C, ...), floats. Statistics are computed in float or double.
#' @param gamma (C,): one per channel.
#' @param beta (C,): one per channel.
#' @param eps Added to the variance. Default: 0.001.
mx.nd.InstanceNorm <- function(data, gamma, beta, eps = 0.001) {
  mx.apply("InstanceNorm", list(data, gamma, beta), list(`eps` = eps), c("float"), TRUE)
}

#' Each channel of each sample shifted and scaled to mean 0 and variance 1, then times gamma plus beta.
#' @param data (N, C, ...), floats. Statistics are computed in float or double.
#' @param gamma (C,): one per channel.
#' @param beta (C,): one per channel.
#' @param eps Added to the variance. Default: 0.001.
mx.symbol.InstanceNorm <- function(data, gamma = NULL, beta = NULL, eps = 0.001, name = NULL) {
  mx.node("InstanceNorm", list(data, gamma, beta), list(`eps` = eps), c("float"), name)
}

#' Divides each vector by the square root of its sum of squares plus eps.
#' @param data (N, ...) for mode instance, else (N, C, ...) with at least three axes.
#' @param eps Added to the sum of squares. Default: 1e-10.
#' @param mode Which elements of (N, C, ...) form a vector: the channels of a position, a whole sample, or the
#' positions of a channel. One of "channel", "instance", "spatial". Default: 'instance'.
mx.nd.L2Normalization <- function(data, eps = 1e-10, mode = "instance") {
  mx.apply("L2Normalization", list(data), list(`eps` = eps, `mode` = mode), c("float", "str"), TRUE)
}

#' Divides each vector by the square root of its sum of squares plus eps.
#' @param data (N, ...) for mode instance, else (N, C, ...) with at least three axes.
#' @param eps Added to the sum of squares. Default: 1e-10.
#' @param mode Which elements of (N, C, ...) form a vector: the channels of a position, a whole sample, or the
#' positions of a channel. One of "channel", "instance", "spatial". Default: 'instance'.
mx.symbol.L2Normalization <- function(data, eps = 1e-10, mode = "instance", name = NULL) {
  mx.node("L2Normalization", list(data), list(`eps` = eps, `mode` = mode), c("float", "str"), name)
}

#' x / (knorm + alpha / nsize * s)^beta, where s is the sum of squares over the nsize channels around x's.
#' @param data (N, C, ...), floats.
#' @param alpha Weight of the sum of squares. Default: 0.0001.
#' @param beta Exponent. Default: 0.75.
#' @param knorm Constant beside the sum. Default: 2.0.
#' @param nsize Channels of a window: the own one in the middle.
mx.nd.LRN <- function(data, alpha = 0.0001, beta = 0.75, knorm = 2.0, nsize) {
  mx.apply("LRN", list(data), list(`alpha` = alpha, `beta` = beta, `knorm` = knorm, `nsize` = nsize), c("float", "float", "float", "int"), TRUE)
}

#' x / (knorm + alpha / nsize * s)^beta, where s is the sum of squares over the nsize channels around x's.
#' @param data (N, C, ...), floats.
#' @param alpha Weight of the sum of squares. Default: 0.0001.
#' @param beta Exponent. Default: 0.75.
#' @param knorm Constant beside the sum. Default: 2.0.
#' @param nsize Channels of a window: the own one in the middle.
mx.symbol.LRN <- function(data, alpha = 0.0001, beta = 0.75, knorm = 2.0, nsize, name = NULL) {
  mx.node("LRN", list(data), list(`alpha` = alpha, `beta` = beta, `knorm` = knorm, `nsize` = nsize), c("float", "float", "float", "int"), name)
}

#' Vectors along an axis, shifted and scaled to mean 0 and variance 1, then times gamma plus beta.
#' @param data Floats, at least one axis. Statistics are computed in float or double.
#' @param gamma (extent of the axis,): scale.
#' @param beta (extent of the axis,): shift.
#' @param axis Axis of the vectors. Default: -1.
#' @param eps Added to the variance. Default: 1e-05.
#' @param output_mean_var Also gives mean and standard deviation, sqrt(variance + eps); they pass no gradient
#' on. Default: False.
mx.nd.LayerNorm <- function(data, gamma, beta, axis = -1, eps = 1e-05, output_mean_var = FALSE) {
  mx.apply("LayerNorm", list(data, gamma, beta), list(`axis` = axis, `eps` = eps, `output_mean_var` = output_mean_var), c("int", "float", "bool"), FALSE)
}

#' Vectors along an axis, shifted and scaled to mean 0 and variance 1, then times gamma plus beta.
#' @param data Floats, at least one axis. Statistics are computed in float or double.
#' @param gamma (extent of the axis,): scale.
#' @param beta (extent of the axis,): shift.
#' @param axis Axis of the vectors. Default: -1.
#' @param eps Added to the variance. Default: 1e-05.
#' @param output_mean_var Also gives mean and standard deviation, sqrt(variance + eps); they pass no gradient
#' on. Default: False.
mx.symbol.LayerNorm <- function(data, gamma = NULL, beta = NULL, axis = -1, eps = 1e-05, output_mean_var = FALSE, name = NULL) {
  mx.node("LayerNorm", list(data, gamma, beta), list(`axis` = axis, `eps` = eps, `output_mean_var` = output_mean_var), c("int", "float", "bool"), name)
}

#' max(data, 0) plus something below 0: slope * data (leaky), gamma * data (prelu), slope * (e^data - 1)
#' (elu), a scaled elu (selu), data times a random slope in training and the mean slope otherwise (rrelu), or
#' data * Phi(data) with the normal distribution's Phi (gelu). rrelu also returns the factors it applied.
#' @param data Any float array.
#' @param gamma Of prelu alone: one slope, one per channel (axis 1), or an array that broadcasts along data's
#' first axes.
#' @param act_type Which function. One of "elu", "gelu", "leaky", "prelu", "rrelu", "selu". Default: 'leaky'.
#' @param slope Slope below 0 of leaky, scale below 0 of elu. Default: 0.25.
#' @param lower_bound Smallest slope that rrelu draws. Default: 0.125.
#' @param upper_bound Largest slope that rrelu draws. Default: 0.334.
mx.nd.LeakyReLU <- function(data, gamma = NULL, act_type = "leaky", slope = 0.25, lower_bound = 0.125, upper_bound = 0.334) {
  mx.apply("LeakyReLU", list(data, gamma), list(`act_type` = act_type, `slope` = slope, `lower_bound` = lower_bound, `upper_bound` = upper_bound), c("str", "float", "float", "float"), FALSE)
}

#' max(data, 0) plus something below 0: slope * data (leaky), gamma * data (prelu), slope * (e^data - 1)
#' (elu), a scaled elu (selu), data times a random slope in training and the mean slope otherwise (rrelu), or
#' data * Phi(data) with the normal distribution's Phi (gelu). rrelu also returns the factors it applied.
#' @param data Any float array.
#' @param gamma Of prelu alone: one slope, one per channel (axis 1), or an array that broadcasts along data's
#' first axes.
#' @param act_type Which function. One of "elu", "gelu", "leaky", "prelu", "rrelu", "selu". Default: 'leaky'.
#' @param slope Slope below 0 of leaky, scale below 0 of elu. Default: 0.25.
#' @param lower_bound Smallest slope that rrelu draws. Default: 0.125.
#' @param upper_bound Largest slope that rrelu draws. Default: 0.334.
mx.symbol.LeakyReLU <- function(data, gamma = NULL, act_type = "leaky", slope = 0.25, lower_bound = 0.125, upper_bound = 0.334, name = NULL) {
  mx.node("LeakyReLU", list(data, gamma), list(`act_type` = act_type, `slope` = slope, `lower_bound` = lower_bound, `upper_bound` = upper_bound), c("str", "float", "float", "float"), name)
}

#' The input unchanged. Its gradient is (out - label) * grad_scale / outputs per row, whatever the gradient of
#' the output: that of half the squared error.
#' @param data (N, ...), floats.
#' @param label As many values, (N, ...). Receives no gradient.
#' @param grad_scale Factor of the gradient. Default: 1.0.
mx.nd.LinearRegressionOutput <- function(data, label, grad_scale = 1.0) {
  mx.apply("LinearRegressionOutput", list(data, label), list(`grad_scale` = grad_scale), c("float"), TRUE)
}

#' The input unchanged. Its gradient is (out - label) * grad_scale / outputs per row, whatever the gradient of
#' the output: that of half the squared error.
#' @param data (N, ...), floats.
#' @param label As many values, (N, ...). Receives no gradient.
#' @param grad_scale Factor of the gradient. Default: 1.0.
mx.symbol.LinearRegressionOutput <- function(data, label = NULL, grad_scale = 1.0, name = NULL) {
  mx.node("LinearRegressionOutput", list(data, label), list(`grad_scale` = grad_scale), c("float"), name)
}

#' Sigmoid of the input. Its gradient is (out - label) * grad_scale / outputs per row, whatever the gradient
#' of the output: that of the cross entropy.
#' @param data (N, ...), floats.
#' @param label As many values, (N, ...). Receives no gradient.
#' @param grad_scale Factor of the gradient. Default: 1.0.
mx.nd.LogisticRegressionOutput <- function(data, label, grad_scale = 1.0) {
  mx.apply("LogisticRegressionOutput", list(data, label), list(`grad_scale` = grad_scale), c("float"), TRUE)
}

#' Sigmoid of the input. Its gradient is (out - label) * grad_scale / outputs per row, whatever the gradient
#' of the output: that of the cross entropy.
#' @param data (N, ...), floats.
#' @param label As many values, (N, ...). Receives no gradient.
#' @param grad_scale Factor of the gradient. Default: 1.0.
mx.symbol.LogisticRegressionOutput <- function(data, label = NULL, grad_scale = 1.0, name = NULL) {
  mx.node("LogisticRegressionOutput", list(data, label), list(`grad_scale` = grad_scale), c("float"), name)
}

#' The input unchanged. Its gradient is sign(out - label) * grad_scale / outputs per row, whatever the
#' gradient of the output: that of the absolute error.
#' @param data (N, ...), floats.
#' @param label As many values, (N, ...). Receives no gradient.
#' @param grad_scale Factor of the gradient. Default: 1.0.
mx.nd.MAERegressionOutput <- function(data, label, grad_scale = 1.0) {
  mx.apply("MAERegressionOutput", list(data, label), list(`grad_scale` = grad_scale), c("float"), TRUE)
}

#' The input unchanged. Its gradient is sign(out - label) * grad_scale / outputs per row, whatever the
#' gradient of the output: that of the absolute error.
#' @param data (N, ...), floats.
#' @param label As many values, (N, ...). Receives no gradient.
#' @param grad_scale Factor of the gradient. Default: 1.0.
mx.symbol.MAERegressionOutput <- function(data, label = NULL, grad_scale = 1.0, name = NULL) {
  mx.node("MAERegressionOutput", list(data, label), list(`grad_scale` = grad_scale), c("float"), name)
}

#' A copy whose gradient is grad_scale, normalised as asked, whatever gradient arrives.
#' @param data The loss.
#' @param grad_scale The gradient of every element. Default: 1.0.
#' @param valid_thresh Elements above it are valid. Default: 0.0.
#' @param normalization Divide the gradient by nothing, by the extent of the first of several axes, or by the
#' number of valid elements. One of "batch", "null", "valid". Default: 'null'.
mx.nd.MakeLoss <- function(data, grad_scale = 1.0, valid_thresh = 0.0, normalization = "null") {
  mx.apply("MakeLoss", list(data), list(`grad_scale` = grad_scale, `valid_thresh` = valid_thresh, `normalization` = normalization), c("float", "float", "str"), TRUE)
}

#' A copy whose gradient is grad_scale, normalised as asked, whatever gradient arrives.
#' @param data The loss.
#' @param grad_scale The gradient of every element. Default: 1.0.
#' @param valid_thresh Elements above it are valid. Default: 0.0.
#' @param normalization Divide the gradient by nothing, by the extent of the first of several axes, or by the
#' number of valid elements. One of "batch", "null", "valid". Default: 'null'.
mx.symbol.MakeLoss <- function(data, grad_scale = 1.0, valid_thresh = 0.0, normalization = "null", name = NULL) {
  mx.node("MakeLoss", list(data), list(`grad_scale` = grad_scale, `valid_thresh` = valid_thresh, `normalization` = normalization), c("float", "float", "str"), name)
}

#' Adds margins around an array of any rank.
#' @param data Any array.
#' @param mode What the margin holds: one value, the nearest element, or a mirror image without the edge. One
#' of "constant", "edge", "reflect".
#' @param pad_width Two margins per axis: before and after.
#' @param constant_value The value of mode 'constant'. Default: 0.0.
mx.nd.Pad <- function(data, mode, pad_width, constant_value = 0.0) {
  mx.apply("Pad", list(data), list(`mode` = mode, `pad_width` = pad_width, `constant_value` = constant_value), c("str", "ints", "float"), TRUE)
}

#' Adds margins around an array of any rank.
#' @param data Any array.
#' @param mode What the margin holds: one value, the nearest element, or a mirror image without the edge. One
#' of "constant", "edge", "reflect".
#' @param pad_width Two margins per axis: before and after.
#' @param constant_value The value of mode 'constant'. Default: 0.0.
mx.symbol.Pad <- function(data, mode, pad_width, constant_value = 0.0, name = NULL) {
  mx.node("Pad", list(data), list(`mode` = mode, `pad_width` = pad_width, `constant_value` = constant_value), c("str", "ints", "float"), name)
}

#' One value per place of a window that moves over the spatial axes: its largest element, mean, sum, or (sum
#' of x^p)^(1/p). Padding never is the largest.
#' @param data Float array with one, two or three spatial axes.
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w). Default: ().
#' @param pool_type What is taken of a window. One of "avg", "lp", "max", "sum". Default: 'max'.
#' @param global_pool The window is the whole image; kernel, stride and pad are ignored. Default: False.
#' @param cudnn_off Accepted and ignored. Default: False.
#' @param pooling_convention Rounding of output extents: valid rounds down, full up, same gives ceil(in /
#' stride). One of "full", "same", "valid". Default: 'valid'.
#' @param stride Steps of the window; empty means ones. Default: ().
#' @param pad Elements added at both ends of each axis; empty means none. Default: ().
#' @param p_value Power of the norm, 1, 2 or 3; for pool_type lp. Default: None.
#' @param count_include_pad Whether avg also counts padding; None is True. Default: None.
#' @param layout Order of axes; None is channels first. One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC".
#' Default: None.
mx.nd.Pooling <- function(data, kernel = NULL, pool_type = "max", global_pool = FALSE, cudnn_off = FALSE, pooling_convention = "valid", stride = NULL, pad = NULL, p_value = NULL, count_include_pad = NULL, layout = NULL) {
  mx.apply("Pooling", list(data), list(`kernel` = kernel, `pool_type` = pool_type, `global_pool` = global_pool, `cudnn_off` = cudnn_off, `pooling_convention` = pooling_convention, `stride` = stride, `pad` = pad, `p_value` = p_value, `count_include_pad` = count_include_pad, `layout` = layout), c("ints", "str", "bool", "bool", "str", "ints", "ints", "optional int", "optional bool", "optional str"), TRUE)
}

#' One value per place of a window that moves over the spatial axes: its largest element, mean, sum, or (sum
#' of x^p)^(1/p). Padding never is the largest.
#' @param data Float array with one, two or three spatial axes.
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w). Default: ().
#' @param pool_type What is taken of a window. One of "avg", "lp", "max", "sum". Default: 'max'.
#' @param global_pool The window is the whole image; kernel, stride and pad are ignored. Default: False.
#' @param cudnn_off Accepted and ignored. Default: False.
#' @param pooling_convention Rounding of output extents: valid rounds down, full up, same gives ceil(in /
#' stride). One of "full", "same", "valid". Default: 'valid'.
#' @param stride Steps of the window; empty means ones. Default: ().
#' @param pad Elements added at both ends of each axis; empty means none. Default: ().
#' @param p_value Power of the norm, 1, 2 or 3; for pool_type lp. Default: None.
#' @param count_include_pad Whether avg also counts padding; None is True. Default: None.
#' @param layout Order of axes; None is channels first. One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC".
#' Default: None.
mx.symbol.Pooling <- function(data, kernel = NULL, pool_type = "max", global_pool = FALSE, cudnn_off = FALSE, pooling_convention = "valid", stride = NULL, pad = NULL, p_value = NULL, count_include_pad = NULL, layout = NULL, name = NULL) {
  mx.node("Pooling", list(data), list(`kernel` = kernel, `pool_type` = pool_type, `global_pool` = global_pool, `cudnn_off` = cudnn_off, `pooling_convention` = pooling_convention, `stride` = stride, `pad` = pad, `p_value` = p_value, `count_include_pad` = count_include_pad, `layout` = layout), c("ints", "str", "bool", "bool", "str", "ints", "ints", "optional int", "optional bool", "optional str"), name)
}

#' Layers of recurrent cells over whole sequences, in one or both directions: (steps, batch, directions *
#' units), and with state_outputs the states (and cells) after the last step. The input's products of all
#' steps are one matrix product.
#' @param data (steps, batch, inputs), float.
#' @param parameters All weights, then all biases. Of every layer and direction: input weights (gates * units,
#' inputs), state weights (gates * units, units), projection (size, units); then input and state biases. Gates
#' are in, forget, new, out of the LSTM, and reset, update, new of the GRU.
#' @param state (layers * directions, batch, units): the states before the first step.
#' @param state_cell Of the LSTM: (layers * directions, batch, units), the cells before the first step.
#' @param sequence_length (batch,): steps that count. Later ones give 0 and leave the states. Receives no
#' gradient.
#' @param state_size Units of a layer and direction.
#' @param num_layers Layers on top of one another.
#' @param bidirectional Also run every layer from the last step to the first. Default: False.
#' @param mode Kind of cell. One of "gru", "lstm", "rnn_relu", "rnn_tanh".
#' @param p While training, part of the inputs of the layers above the first that become 0. Default: 0.0.
#' @param state_outputs Also give the states after the last step. Default: False.
#' @param projection_size Of the LSTM: extent to which a matrix takes the state after every step. Default:
#' None.
#' @param lstm_state_clip_min Lower bound of the LSTM's cells; given together with the upper one. Default:
#' None.
#' @param lstm_state_clip_max Upper bound of the LSTM's cells. Default: None.
#' @param lstm_state_clip_nan With bounds: take NaN to the lower one. Default: False.
#' @param use_sequence_length Whether sequence_length is given. Default: False.
mx.nd.RNN <- function(data, parameters = NULL, state = NULL, state_cell = NULL, sequence_length = NULL, state_size, num_layers, bidirectional = FALSE, mode, p = 0.0, state_outputs = FALSE, projection_size = NULL, lstm_state_clip_min = NULL, lstm_state_clip_max = NULL, lstm_state_clip_nan = FALSE, use_sequence_length = FALSE) {
  mx.apply("RNN", list(data, parameters, state, state_cell, sequence_length), list(`state_size` = state_size, `num_layers` = num_layers, `bidirectional` = bidirectional, `mode` = mode, `p` = p, `state_outputs` = state_outputs, `projection_size` = projection_size, `lstm_state_clip_min` = lstm_state_clip_min, `lstm_state_clip_max` = lstm_state_clip_max, `lstm_state_clip_nan` = lstm_state_clip_nan, `use_sequence_length` = use_sequence_length), c("int", "int", "bool", "str", "float", "bool", "optional int", "optional float", "optional float", "bool", "bool"), FALSE)
}

#' Layers of recurrent cells over whole sequences, in one or both directions: (steps, batch, directions *
#' units), and with state_outputs the states (and cells) after the last step. The input's products of all
#' steps are one matrix product.
#' @param data (steps, batch, inputs), float.
#' @param parameters All weights, then all biases. Of every layer and direction: input weights (gates * units,
#' inputs), state weights (gates * units, units), projection (size, units); then input and state biases. Gates
#' are in, forget, new, out of the LSTM, and reset, update, new of the GRU.
#' @param state (layers * directions, batch, units): the states before the first step.
#' @param state_cell Of the LSTM: (layers * directions, batch, units), the cells before the first step.
#' @param sequence_length (batch,): steps that count. Later ones give 0 and leave the states. Receives no
#' gradient.
#' @param state_size Units of a layer and direction.
#' @param num_layers Layers on top of one another.
#' @param bidirectional Also run every layer from the last step to the first. Default: False.
#' @param mode Kind of cell. One of "gru", "lstm", "rnn_relu", "rnn_tanh".
#' @param p While training, part of the inputs of the layers above the first that become 0. Default: 0.0.
#' @param state_outputs Also give the states after the last step. Default: False.
#' @param projection_size Of the LSTM: extent to which a matrix takes the state after every step. Default:
#' None.
#' @param lstm_state_clip_min Lower bound of the LSTM's cells; given together with the upper one. Default:
#' None.
#' @param lstm_state_clip_max Upper bound of the LSTM's cells. Default: None.
#' @param lstm_state_clip_nan With bounds: take NaN to the lower one. Default: False.
#' @param use_sequence_length Whether sequence_length is given. Default: False.
mx.symbol.RNN <- function(data, parameters = NULL, state = NULL, state_cell = NULL, sequence_length = NULL, state_size, num_layers, bidirectional = FALSE, mode, p = 0.0, state_outputs = FALSE, projection_size = NULL, lstm_state_clip_min = NULL, lstm_state_clip_max = NULL, lstm_state_clip_nan = FALSE, use_sequence_length = FALSE, name = NULL) {
  mx.node("RNN", list(data, parameters, state, state_cell, sequence_length), list(`state_size` = state_size, `num_layers` = num_layers, `bidirectional` = bidirectional, `mode` = mode, `p` = p, `state_outputs` = state_outputs, `projection_size` = projection_size, `lstm_state_clip_min` = lstm_state_clip_min, `lstm_state_clip_max` = lstm_state_clip_max, `lstm_state_clip_nan` = lstm_state_clip_nan, `use_sequence_length` = use_sequence_length), c("int", "int", "bool", "str", "float", "bool", "optional int", "optional float", "optional float", "bool", "bool"), name)
}

#' (regions, channels, rows, columns): each region of an image is divided into a grid, and every cell gives
#' the largest value in it, 0 where it lies outside of the image.
#' @param data Images (batch, channels, height, width), float.
#' @param rois (regions, 5): the image's number, then left, top, right and bottom, all inclusive. A negative
#' number gives zeros. Receives no gradient.
#' @param pooled_size Rows and columns of the grid.
#' @param spatial_scale Factor from the regions' coordinates to rows and columns of data.
mx.nd.ROIPooling <- function(data, rois, pooled_size, spatial_scale) {
  mx.apply("ROIPooling", list(data, rois), list(`pooled_size` = pooled_size, `spatial_scale` = spatial_scale), c("ints", "float"), FALSE)
}

#' (regions, channels, rows, columns): each region of an image is divided into a grid, and every cell gives
#' the largest value in it, 0 where it lies outside of the image.
#' @param data Images (batch, channels, height, width), float.
#' @param rois (regions, 5): the image's number, then left, top, right and bottom, all inclusive. A negative
#' number gives zeros. Receives no gradient.
#' @param pooled_size Rows and columns of the grid.
#' @param spatial_scale Factor from the regions' coordinates to rows and columns of data.
mx.symbol.ROIPooling <- function(data, rois = NULL, pooled_size, spatial_scale, name = NULL) {
  mx.node("ROIPooling", list(data, rois), list(`pooled_size` = pooled_size, `spatial_scale` = spatial_scale), c("ints", "float"), name)
}

#' The input's elements in order, in the shape that extents and codes ask for.
#' @param data Any array.
#' @param shape Extents or codes: 0 keeps an extent, -1 is inferred, -2 keeps the rest, -3 merges two, -4
#' splits one. Default: ().
#' @param reverse Match the codes from the last axis. Default: False.
#' @param target_shape Older form of shape, in which 0 is inferred. Default: ().
#' @param keep_highest Keep the first extent; only with target_shape. Default: False.
mx.nd.Reshape <- function(data, shape = NULL, reverse = FALSE, target_shape = NULL, keep_highest = FALSE) {
  mx.apply("Reshape", list(data), list(`shape` = shape, `reverse` = reverse, `target_shape` = target_shape, `keep_highest` = keep_highest), c("ints", "bool", "ints", "bool"), TRUE)
}

#' The input's elements in order, in the shape that extents and codes ask for.
#' @param data Any array.
#' @param shape Extents or codes: 0 keeps an extent, -1 is inferred, -2 keeps the rest, -3 merges two, -4
#' splits one. Default: ().
#' @param reverse Match the codes from the last axis. Default: False.
#' @param target_shape Older form of shape, in which 0 is inferred. Default: ().
#' @param keep_highest Keep the first extent; only with target_shape. Default: False.
mx.symbol.Reshape <- function(data, shape = NULL, reverse = FALSE, target_shape = NULL, keep_highest = FALSE, name = NULL) {
  mx.node("Reshape", list(data), list(`shape` = shape, `reverse` = reverse, `target_shape` = target_shape, `keep_highest` = keep_highest), c("ints", "bool", "ints", "bool"), name)
}

#' The scores unchanged. Their gradient is that of the hinge loss of each class against the rest, whatever the
#' gradient of the output.
#' @param data (N, C), scores of C classes.
#' @param label (N,), class numbers. Receives no gradient.
#' @param margin Distance from the border below which a score costs. Default: 1.0.
#' @param regularization_coefficient Factor of the gradient. Default: 1.0.
#' @param use_linear Linear rather than squared hinge. Default: False.
mx.nd.SVMOutput <- function(data, label, margin = 1.0, regularization_coefficient = 1.0, use_linear = FALSE) {
  mx.apply("SVMOutput", list(data, label), list(`margin` = margin, `regularization_coefficient` = regularization_coefficient, `use_linear` = use_linear), c("float", "float", "bool"), TRUE)
}

#' The scores unchanged. Their gradient is that of the hinge loss of each class against the rest, whatever the
#' gradient of the output.
#' @param data (N, C), scores of C classes.
#' @param label (N,), class numbers. Receives no gradient.
#' @param margin Distance from the border below which a score costs. Default: 1.0.
#' @param regularization_coefficient Factor of the gradient. Default: 1.0.
#' @param use_linear Linear rather than squared hinge. Default: False.
mx.symbol.SVMOutput <- function(data, label = NULL, margin = 1.0, regularization_coefficient = 1.0, use_linear = FALSE, name = NULL) {
  mx.node("SVMOutput", list(data, label), list(`margin` = margin, `regularization_coefficient` = regularization_coefficient, `use_linear` = use_linear), c("float", "float", "bool"), name)
}

#' The last step of each sequence; a sequence of length 0 gives its first step.
#' @param data (T, N, ...), or (N, T, ...) with axis 1.
#' @param sequence_length (N,); clipped to [0, T].
#' @param use_sequence_length Whether sequence_length is given; otherwise all sequences are whole. Default:
#' False.
#' @param axis Axis of time, 0 or 1; the other one counts sequences. Default: 0.
mx.nd.SequenceLast <- function(data, sequence_length = NULL, use_sequence_length = FALSE, axis = 0) {
  mx.apply("SequenceLast", list(data, sequence_length), list(`use_sequence_length` = use_sequence_length, `axis` = axis), c("bool", "int"), TRUE)
}

#' The last step of each sequence; a sequence of length 0 gives its first step.
#' @param data (T, N, ...), or (N, T, ...) with axis 1.
#' @param sequence_length (N,); clipped to [0, T].
#' @param use_sequence_length Whether sequence_length is given; otherwise all sequences are whole. Default:
#' False.
#' @param axis Axis of time, 0 or 1; the other one counts sequences. Default: 0.
mx.symbol.SequenceLast <- function(data, sequence_length = NULL, use_sequence_length = FALSE, axis = 0, name = NULL) {
  mx.node("SequenceLast", list(data, sequence_length), list(`use_sequence_length` = use_sequence_length, `axis` = axis), c("bool", "int"), name)
}

#' Sets every step behind the end of its sequence to a value.
#' @param data (T, N, ...), or (N, T, ...) with axis 1.
#' @param sequence_length (N,); clipped to [0, T].
#' @param use_sequence_length Whether sequence_length is given; otherwise nothing is masked. Default: False.
#' @param value What masked elements become. Default: 0.0.
#' @param axis Axis of time, 0 or 1; the other one counts sequences. Default: 0.
mx.nd.SequenceMask <- function(data, sequence_length = NULL, use_sequence_length = FALSE, value = 0.0, axis = 0) {
  mx.apply("SequenceMask", list(data, sequence_length), list(`use_sequence_length` = use_sequence_length, `value` = value, `axis` = axis), c("bool", "float", "int"), TRUE)
}

#' Sets every step behind the end of its sequence to a value.
#' @param data (T, N, ...), or (N, T, ...) with axis 1.
#' @param sequence_length (N,); clipped to [0, T].
#' @param use_sequence_length Whether sequence_length is given; otherwise nothing is masked. Default: False.
#' @param value What masked elements become. Default: 0.0.
#' @param axis Axis of time, 0 or 1; the other one counts sequences. Default: 0.
mx.symbol.SequenceMask <- function(data, sequence_length = NULL, use_sequence_length = FALSE, value = 0.0, axis = 0, name = NULL) {
  mx.node("SequenceMask", list(data, sequence_length), list(`use_sequence_length` = use_sequence_length, `value` = value, `axis` = axis), c("bool", "float", "int"), name)
}

#' Reverses the steps of each sequence and leaves what lies behind its end.
#' @param data (T, N, ...), or (N, T, ...) with axis 1.
#' @param sequence_length (N,); clipped to [0, T].
#' @param use_sequence_length Whether sequence_length is given; otherwise all sequences are whole. Default:
#' False.
#' @param axis Axis of time, 0 or 1; the other one counts sequences. Default: 0.
mx.nd.SequenceReverse <- function(data, sequence_length = NULL, use_sequence_length = FALSE, axis = 0) {
  mx.apply("SequenceReverse", list(data, sequence_length), list(`use_sequence_length` = use_sequence_length, `axis` = axis), c("bool", "int"), TRUE)
}

#' Reverses the steps of each sequence and leaves what lies behind its end.
#' @param data (T, N, ...), or (N, T, ...) with axis 1.
#' @param sequence_length (N,); clipped to [0, T].
#' @param use_sequence_length Whether sequence_length is given; otherwise all sequences are whole. Default:
#' False.
#' @param axis Axis of time, 0 or 1; the other one counts sequences. Default: 0.
mx.symbol.SequenceReverse <- function(data, sequence_length = NULL, use_sequence_length = FALSE, axis = 0, name = NULL) {
  mx.node("SequenceReverse", list(data, sequence_length), list(`use_sequence_length` = use_sequence_length, `axis` = axis), c("bool", "int"), name)
}

#' Cuts an array along an axis into equal parts.
#' @param data Any array with an extent that divides.
#' @param num_outputs Number of equal parts.
#' @param axis The axis that is cut. Default: 1.
#' @param squeeze_axis Drop the axis; each part must have extent 1. Default: False.
mx.nd.SliceChannel <- function(data, num_outputs, axis = 1, squeeze_axis = FALSE) {
  mx.apply("SliceChannel", list(data), list(`num_outputs` = num_outputs, `axis` = axis, `squeeze_axis` = squeeze_axis), c("int", "int", "bool"), FALSE)
}

#' Cuts an array along an axis into equal parts.
#' @param data Any array with an extent that divides.
#' @param num_outputs Number of equal parts.
#' @param axis The axis that is cut. Default: 1.
#' @param squeeze_axis Drop the axis; each part must have extent 1. Default: False.
mx.symbol.SliceChannel <- function(data, num_outputs, axis = 1, squeeze_axis = FALSE, name = NULL) {
  mx.node("SliceChannel", list(data), list(`num_outputs` = num_outputs, `axis` = axis, `squeeze_axis` = squeeze_axis), c("int", "int", "bool"), name)
}

#' Softmax over the last axis, or over the channels of each position.
#' @param data (N, C, ...), floats.
#' @param mode instance: over the last axis; channel: over axis 1. One of "channel", "instance". Default:
#' 'instance'.
mx.nd.SoftmaxActivation <- function(data, mode = "instance") {
  mx.apply("SoftmaxActivation", list(data), list(`mode` = mode), c("str"), TRUE)
}

#' Softmax over the last axis, or over the channels of each position.
#' @param data (N, C, ...), floats.
#' @param mode instance: over the last axis; channel: over axis 1. One of "channel", "instance". Default:
#' 'instance'.
mx.symbol.SoftmaxActivation <- function(data, mode = "instance", name = NULL) {
  mx.node("SoftmaxActivation", list(data), list(`mode` = mode), c("str"), name)
}

#' Softmax whose gradient is softmax minus target: that of the cross entropy with the label. It ignores the
#' gradient of its output unless out_grad is set, and has no second derivative.
#' @param data (N, C) or (N, C, ...): scores of C classes. Without multi_output and preserve_shape the axes
#' after the first form one vector.
#' @param label Class numbers, one per vector; or probabilities, of data's shape. Every class counts as wrong
#' where the number is none of them. Receives no gradient.
#' @param grad_scale Factor of the gradient. Default: 1.0.
#' @param ignore_label Label that stands for no class; without gradient when use_ignore is set. Default: -1.0.
#' @param multi_output Softmax over axis 1, with a label per position. Default: False.
#' @param use_ignore Whether ignore_label counts. Default: False.
#' @param preserve_shape Softmax over the last axis. Default: False.
#' @param normalization The gradient is divided by the batch size, by nothing, or by the number of labels that
#' count. One of "batch", "null", "valid". Default: 'null'.
#' @param out_grad Multiplies the gradient by that of the output. Default: False.
#' @param smooth_alpha Share of the target spread evenly over the other classes; not with multi_output.
#' Default: 0.0.
mx.nd.SoftmaxOutput <- function(data, label, grad_scale = 1.0, ignore_label = -1.0, multi_output = FALSE, use_ignore = FALSE, preserve_shape = FALSE, normalization = "null", out_grad = FALSE, smooth_alpha = 0.0) {
  mx.apply("SoftmaxOutput", list(data, label), list(`grad_scale` = grad_scale, `ignore_label` = ignore_label, `multi_output` = multi_output, `use_ignore` = use_ignore, `preserve_shape` = preserve_shape, `normalization` = normalization, `out_grad` = out_grad, `smooth_alpha` = smooth_alpha), c("float", "float", "bool", "bool", "bool", "str", "bool", "float"), TRUE)
}

#' Softmax whose gradient is softmax minus target: that of the cross entropy with the label. It ignores the
#' gradient of its output unless out_grad is set, and has no second derivative.
#' @param data (N, C) or (N, C, ...): scores of C classes. Without multi_output and preserve_shape the axes
#' after the first form one vector.
#' @param label Class numbers, one per vector; or probabilities, of data's shape. Every class counts as wrong
#' where the number is none of them. Receives no gradient.
#' @param grad_scale Factor of the gradient. Default: 1.0.
#' @param ignore_label Label that stands for no class; without gradient when use_ignore is set. Default: -1.0.
#' @param multi_output Softmax over axis 1, with a label per position. Default: False.
#' @param use_ignore Whether ignore_label counts. Default: False.
#' @param preserve_shape Softmax over the last axis. Default: False.
#' @param normalization The gradient is divided by the batch size, by nothing, or by the number of labels that
#' count. One of "batch", "null", "valid". Default: 'null'.
#' @param out_grad Multiplies the gradient by that of the output. Default: False.
#' @param smooth_alpha Share of the target spread evenly over the other classes; not with multi_output.
#' Default: 0.0.
mx.symbol.SoftmaxOutput <- function(data, label = NULL, grad_scale = 1.0, ignore_label = -1.0, multi_output = FALSE, use_ignore = FALSE, preserve_shape = FALSE, normalization = "null", out_grad = FALSE, smooth_alpha = 0.0, name = NULL) {
  mx.node("SoftmaxOutput", list(data, label), list(`grad_scale` = grad_scale, `ignore_label` = ignore_label, `multi_output` = multi_output, `use_ignore` = use_ignore, `preserve_shape` = preserve_shape, `normalization` = normalization, `out_grad` = out_grad, `smooth_alpha` = smooth_alpha), c("float", "float", "bool", "bool", "bool", "str", "bool", "float"), name)
}

#' The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped.
#' @param data Indices of any shape and dtype; fractions are cut off.
#' @param weight (input_dim, output_dim)
#' @param input_dim Number of rows of weight.
#' @param output_dim Extent of a row.
#' @param dtype Dtype of weight where nothing else says it. Default: 'float32'.
#' @param deterministic Has no effect: gradients are always added in one order. Default: False.
mx.nd.SparseEmbedding <- function(data, weight, input_dim, output_dim, dtype = "float32", deterministic = FALSE) {
  mx.apply("_contrib_SparseEmbedding", list(data, weight), list(`input_dim` = input_dim, `output_dim` = output_dim, `dtype` = dtype, `deterministic` = deterministic), c("int", "int", "dtype", "bool"), TRUE)
}

#' The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped.
#' @param data Indices of any shape and dtype; fractions are cut off.
#' @param weight (input_dim, output_dim)
#' @param input_dim Number of rows of weight.
#' @param output_dim Extent of a row.
#' @param dtype Dtype of weight where nothing else says it. Default: 'float32'.
#' @param deterministic Has no effect: gradients are always added in one order. Default: False.
mx.symbol.SparseEmbedding <- function(data, weight = NULL, input_dim, output_dim, dtype = "float32", deterministic = FALSE, name = NULL) {
  mx.node("_contrib_SparseEmbedding", list(data, weight), list(`input_dim` = input_dim, `output_dim` = output_dim, `dtype` = dtype, `deterministic` = deterministic), c("int", "int", "dtype", "bool"), name)
}

#' BilinearSampler of data at the grid that GridGenerator makes of the maps: (batch, channels, rows, columns).
#' @param data Images (batch, channels, height, width), float.
#' @param loc (batch, 6): the rows of 2 x 3 matrices, from (x, y, 1) in the output to (x, y) in data.
#' @param target_shape Height and width of the output. Default: (0, 0).
#' @param transform_type Kind of map. One of "affine".
#' @param sampler_type Kind of interpolation. One of "bilinear".
#' @param cudnn_off Accepted for MXNet's scripts; has no effect. Default: None.
mx.nd.SpatialTransformer <- function(data, loc, target_shape = c(0, 0), transform_type, sampler_type, cudnn_off = NULL) {
  mx.apply("SpatialTransformer", list(data, loc), list(`target_shape` = target_shape, `transform_type` = transform_type, `sampler_type` = sampler_type, `cudnn_off` = cudnn_off), c("ints", "str", "str", "optional bool"), FALSE)
}

#' BilinearSampler of data at the grid that GridGenerator makes of the maps: (batch, channels, rows, columns).
#' @param data Images (batch, channels, height, width), float.
#' @param loc (batch, 6): the rows of 2 x 3 matrices, from (x, y, 1) in the output to (x, y) in data.
#' @param target_shape Height and width of the output. Default: (0, 0).
#' @param transform_type Kind of map. One of "affine".
#' @param sampler_type Kind of interpolation. One of "bilinear".
#' @param cudnn_off Accepted for MXNet's scripts; has no effect. Default: None.
mx.symbol.SpatialTransformer <- function(data, loc = NULL, target_shape = c(0, 0), transform_type, sampler_type, cudnn_off = NULL, name = NULL) {
  mx.node("SpatialTransformer", list(data, loc), list(`target_shape` = target_shape, `transform_type` = transform_type, `sampler_type` = sampler_type, `cudnn_off` = cudnn_off), c("ints", "str", "str", "optional bool"), name)
}

#' Exchanges two axes.
#' @param data Any array.
#' @param dim1 One axis. Default: 0.
#' @param dim2 The other axis. Default: 0.
mx.nd.SwapAxis <- function(data, dim1 = 0, dim2 = 0) {
  mx.apply("SwapAxis", list(data), list(`dim1` = dim1, `dim2` = dim2), c("int", "int"), TRUE)
}

#' Exchanges two axes.
#' @param data Any array.
#' @param dim1 One axis. Default: 0.
#' @param dim2 The other axis. Default: 0.
mx.symbol.SwapAxis <- function(data, dim1 = 0, dim2 = 0, name = NULL) {
  mx.node("SwapAxis", list(data), list(`dim1` = dim1, `dim2` = dim2), c("int", "int"), name)
}

#' Images (n, channels, height, width) enlarged `scale` times. nearest repeats pixels and takes any number of
#' inputs, each enlarged to the size that the first one gets; bilinear is a Deconvolution per channel, with
#' weights (channels, 1, k, k) as second input, k = 2 scale - scale % 2.
#' @param data Images of a float dtype; for bilinear an image and the weights.
#' @param scale Factor of both extents of the first input.
#' @param num_filter Number of channels; only for bilinear. Default: 0.
#' @param sample_type Whether pixels are repeated, or spread by a window of weights. One of "bilinear",
#' "nearest".
#' @param multi_input_mode What becomes of several inputs: their channels one after the other, or their sum.
#' One of "concat", "sum". Default: 'concat'.
#' @param workspace Accepted and ignored. Default: 512.
mx.nd.UpSampling <- function(..., scale = NULL, num_filter = 0, sample_type = NULL, multi_input_mode = "concat", workspace = 512) {
  mx.apply("UpSampling", mx.varargs(...), list(`scale` = scale, `num_filter` = num_filter, `sample_type` = sample_type, `multi_input_mode` = multi_input_mode, `workspace` = workspace), c("int", "int", "str", "str", "int"), TRUE)
}

#' Images (n, channels, height, width) enlarged `scale` times. nearest repeats pixels and takes any number of
#' inputs, each enlarged to the size that the first one gets; bilinear is a Deconvolution per channel, with
#' weights (channels, 1, k, k) as second input, k = 2 scale - scale % 2.
#' @param data Images of a float dtype; for bilinear an image and the weights.
#' @param scale Factor of both extents of the first input.
#' @param num_filter Number of channels; only for bilinear. Default: 0.
#' @param sample_type Whether pixels are repeated, or spread by a window of weights. One of "bilinear",
#' "nearest".
#' @param multi_input_mode What becomes of several inputs: their channels one after the other, or their sum.
#' One of "concat", "sum". Default: 'concat'.
#' @param workspace Accepted and ignored. Default: 512.
mx.symbol.UpSampling <- function(..., scale = NULL, num_filter = 0, sample_type = NULL, multi_input_mode = "concat", workspace = 512, name = NULL) {
  mx.node("UpSampling", mx.varargs(...), list(`scale` = scale, `num_filter` = num_filter, `sample_type` = sample_type, `multi_input_mode` = multi_input_mode, `workspace` = workspace), c("int", "int", "str", "str", "int"), name)
}

#' Absolute value.
#' @param data Any array.
mx.nd.abs <- function(data) {
  mx.apply("abs", list(data), list(), character(), TRUE)
}

#' Absolute value.
#' @param data Any array.
mx.symbol.abs <- function(data, name = NULL) {
  mx.node("abs", list(data), list(), character(), name)
}

#' history += g^2 with g = clip(rescale_grad * grad); the new weight is weight - lr * (g / sqrt(history +
#' epsilon) + wd * weight).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param history Accumulated square of the gradient; changed in place.
#' @param lr Learning rate.
#' @param epsilon Added under the root. Default: 1e-07.
#' @param wd Weight decay: its multiple of the weight is added to the step. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.nd.adagrad_update <- function(weight, grad, history, lr, epsilon = 1e-07, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0) {
  mx.apply("_sparse_adagrad_update", list(weight, grad, history), list(`lr` = lr, `epsilon` = epsilon, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float", "float"), TRUE)
}

#' history += g^2 with g = clip(rescale_grad * grad); the new weight is weight - lr * (g / sqrt(history +
#' epsilon) + wd * weight).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param history Accumulated square of the gradient; changed in place.
#' @param lr Learning rate.
#' @param epsilon Added under the root. Default: 1e-07.
#' @param wd Weight decay: its multiple of the weight is added to the step. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.symbol.adagrad_update <- function(weight, grad = NULL, history = NULL, lr, epsilon = 1e-07, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, name = NULL) {
  mx.node("_sparse_adagrad_update", list(weight, grad, history), list(`lr` = lr, `epsilon` = epsilon, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float", "float"), name)
}

#' Adam without bias correction (scale lr for that): g = clip(rescale_grad * grad + wd * weight), mean = beta1
#' * mean + (1 - beta1) * g, var = beta2 * var + (1 - beta2) * g^2; the new weight is weight - lr * mean /
#' (sqrt(var) + epsilon).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mean First moment; changed in place.
#' @param var Second moment; changed in place.
#' @param lr Learning rate.
#' @param beta1 Part of the first moment that is kept. Default: 0.9.
#' @param beta2 Part of the second moment that is kept. Default: 0.999.
#' @param epsilon Added to the root of the second moment. Default: 1e-08.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.nd.adam_update <- function(weight, grad, mean, var, lr, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE) {
  mx.apply("adam_update", list(weight, grad, mean, var), list(`lr` = lr, `beta1` = beta1, `beta2` = beta2, `epsilon` = epsilon, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "float", "float", "float", "bool"), TRUE)
}

#' Adam without bias correction (scale lr for that): g = clip(rescale_grad * grad + wd * weight), mean = beta1
#' * mean + (1 - beta1) * g, var = beta2 * var + (1 - beta2) * g^2; the new weight is weight - lr * mean /
#' (sqrt(var) + epsilon).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mean First moment; changed in place.
#' @param var Second moment; changed in place.
#' @param lr Learning rate.
#' @param beta1 Part of the first moment that is kept. Default: 0.9.
#' @param beta2 Part of the second moment that is kept. Default: 0.999.
#' @param epsilon Added to the root of the second moment. Default: 1e-08.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.symbol.adam_update <- function(weight, grad = NULL, mean = NULL, var = NULL, lr, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE, name = NULL) {
  mx.node("adam_update", list(weight, grad, mean, var), list(`lr` = lr, `beta1` = beta1, `beta2` = beta2, `epsilon` = epsilon, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "float", "float", "float", "bool"), name)
}

#' Sum of any number of arrays of one shape and dtype.
#' @param args The arrays.
mx.nd.add_n <- function(...) {
  mx.apply("add_n", mx.varargs(...), list(), character(), TRUE)
}

#' Sum of any number of arrays of one shape and dtype.
#' @param args The arrays.
mx.symbol.add_n <- function(..., name = NULL) {
  mx.node("add_n", mx.varargs(...), list(), character(), name)
}

#' 1 if no element is infinite or NaN, else 0; float32 of shape (1,).
#' @param data Any array.
#' @param init_output False keeps a 0 that the given output holds, so that several calls add up. Default:
#' True.
mx.nd.all_finite <- function(data, init_output = TRUE) {
  mx.apply("all_finite", list(data), list(`init_output` = init_output), c("bool"), TRUE)
}

#' 1 if no element is infinite or NaN, else 0; float32 of shape (1,).
#' @param data Any array.
#' @param init_output False keeps a 0 that the given output holds, so that several calls add up. Default:
#' True.
mx.symbol.all_finite <- function(data, init_output = TRUE, name = NULL) {
  mx.node("all_finite", list(data), list(`init_output` = init_output), c("bool"), name)
}

#' Changes the element type of floats; arrays of float64 and of integers are copied.
#' @param data Any array.
#' @param dtype Element type of the output.
mx.nd.amp_cast <- function(data, dtype) {
  mx.apply("amp_cast", list(data), list(`dtype` = dtype), c("dtype"), TRUE)
}

#' Changes the element type of floats; arrays of float64 and of integers are copied.
#' @param data Any array.
#' @param dtype Element type of the output.
mx.symbol.amp_cast <- function(data, dtype, name = NULL) {
  mx.node("amp_cast", list(data), list(`dtype` = dtype), c("dtype"), name)
}

#' Brings floats of several types to the widest type among them; arrays of float64 and of integers are copied.
#' @param data Arrays of any shapes.
#' @param cast_narrow Take the narrowest float type instead of the widest. Default: False.
mx.nd.amp_multicast <- function(..., cast_narrow = FALSE) {
  mx.apply("amp_multicast", mx.varargs(...), list(`cast_narrow` = cast_narrow), c("bool"), FALSE)
}

#' Brings floats of several types to the widest type among them; arrays of float64 and of integers are copied.
#' @param data Arrays of any shapes.
#' @param cast_narrow Take the narrowest float type instead of the widest. Default: False.
mx.symbol.amp_multicast <- function(..., cast_narrow = FALSE, name = NULL) {
  mx.node("amp_multicast", mx.varargs(...), list(`cast_narrow` = cast_narrow), c("bool"), name)
}

#' Inverse cosine, in [0, pi]; NaN beyond 1.
#' @param data Any array.
mx.nd.arccos <- function(data) {
  mx.apply("arccos", list(data), list(), character(), TRUE)
}

#' Inverse cosine, in [0, pi]; NaN beyond 1.
#' @param data Any array.
mx.symbol.arccos <- function(data, name = NULL) {
  mx.node("arccos", list(data), list(), character(), name)
}

#' Inverse hyperbolic cosine; NaN below 1.
#' @param data Any array.
mx.nd.arccosh <- function(data) {
  mx.apply("arccosh", list(data), list(), character(), TRUE)
}

#' Inverse hyperbolic cosine; NaN below 1.
#' @param data Any array.
mx.symbol.arccosh <- function(data, name = NULL) {
  mx.node("arccosh", list(data), list(), character(), name)
}

#' Inverse sine, in [-pi/2, pi/2]; NaN beyond 1.
#' @param data Any array.
mx.nd.arcsin <- function(data) {
  mx.apply("arcsin", list(data), list(), character(), TRUE)
}

#' Inverse sine, in [-pi/2, pi/2]; NaN beyond 1.
#' @param data Any array.
mx.symbol.arcsin <- function(data, name = NULL) {
  mx.node("arcsin", list(data), list(), character(), name)
}

#' Inverse hyperbolic sine.
#' @param data Any array.
mx.nd.arcsinh <- function(data) {
  mx.apply("arcsinh", list(data), list(), character(), TRUE)
}

#' Inverse hyperbolic sine.
#' @param data Any array.
mx.symbol.arcsinh <- function(data, name = NULL) {
  mx.node("arcsinh", list(data), list(), character(), name)
}

#' Inverse tangent, in (-pi/2, pi/2).
#' @param data Any array.
mx.nd.arctan <- function(data) {
  mx.apply("arctan", list(data), list(), character(), TRUE)
}

#' Inverse tangent, in (-pi/2, pi/2).
#' @param data Any array.
mx.symbol.arctan <- function(data, name = NULL) {
  mx.node("arctan", list(data), list(), character(), name)
}

#' Inverse hyperbolic tangent; NaN beyond 1.
#' @param data Any array.
mx.nd.arctanh <- function(data) {
  mx.apply("arctanh", list(data), list(), character(), TRUE)
}

#' Inverse hyperbolic tangent; NaN beyond 1.
#' @param data Any array.
mx.symbol.arctanh <- function(data, name = NULL) {
  mx.node("arctanh", list(data), list(), character(), name)
}

#' Place of the largest element along an axis: the first one, or the first NaN.
#' @param data Any array. The places come in its dtype, which must be able to hold them.
#' @param axis Axis to search; None searches the flattened array. Default: None.
#' @param keepdims Keeps the searched axis, with extent 1. Default: False.
mx.nd.argmax <- function(data, axis = NULL, keepdims = FALSE) {
  mx.apply("argmax", list(data), list(`axis` = axis, `keepdims` = keepdims), c("optional int", "bool"), TRUE)
}

#' Place of the largest element along an axis: the first one, or the first NaN.
#' @param data Any array. The places come in its dtype, which must be able to hold them.
#' @param axis Axis to search; None searches the flattened array. Default: None.
#' @param keepdims Keeps the searched axis, with extent 1. Default: False.
mx.symbol.argmax <- function(data, axis = NULL, keepdims = FALSE, name = NULL) {
  mx.node("argmax", list(data), list(`axis` = axis, `keepdims` = keepdims), c("optional int", "bool"), name)
}

#' Place of the largest element along axis 1: classes from an array of scores (N, C, ...).
#' @param data Scores, at least two axes.
mx.nd.argmax_channel <- function(data) {
  mx.apply("argmax_channel", list(data), list(), character(), TRUE)
}

#' Place of the largest element along axis 1: classes from an array of scores (N, C, ...).
#' @param data Scores, at least two axes.
mx.symbol.argmax_channel <- function(data, name = NULL) {
  mx.node("argmax_channel", list(data), list(), character(), name)
}

#' Place of the smallest element along an axis: the first one, or the first NaN.
#' @param data Any array. The places come in its dtype, which must be able to hold them.
#' @param axis Axis to search; None searches the flattened array. Default: None.
#' @param keepdims Keeps the searched axis, with extent 1. Default: False.
mx.nd.argmin <- function(data, axis = NULL, keepdims = FALSE) {
  mx.apply("argmin", list(data), list(`axis` = axis, `keepdims` = keepdims), c("optional int", "bool"), TRUE)
}

#' Place of the smallest element along an axis: the first one, or the first NaN.
#' @param data Any array. The places come in its dtype, which must be able to hold them.
#' @param axis Axis to search; None searches the flattened array. Default: None.
#' @param keepdims Keeps the searched axis, with extent 1. Default: False.
mx.symbol.argmin <- function(data, axis = NULL, keepdims = FALSE, name = NULL) {
  mx.node("argmin", list(data), list(`axis` = axis, `keepdims` = keepdims), c("optional int", "bool"), name)
}

#' Indices that sort along an axis. Equal elements keep their order; NaN counts as larger than all.
#' @param data Any array.
#' @param axis The sorted axis; None sorts the flattened array. Default: -1.
#' @param is_ascend Smallest first. Default: True.
#' @param dtype Element type of the indices. Default: 'float32'.
mx.nd.argsort <- function(data, axis = -1, is_ascend = TRUE, dtype = "float32") {
  mx.apply("argsort", list(data), list(`axis` = axis, `is_ascend` = is_ascend, `dtype` = dtype), c("optional int", "bool", "dtype"), TRUE)
}

#' Indices that sort along an axis. Equal elements keep their order; NaN counts as larger than all.
#' @param data Any array.
#' @param axis The sorted axis; None sorts the flattened array. Default: -1.
#' @param is_ascend Smallest first. Default: True.
#' @param dtype Element type of the indices. Default: 'float32'.
mx.symbol.argsort <- function(data, axis = -1, is_ascend = TRUE, dtype = "float32", name = NULL) {
  mx.node("argsort", list(data), list(`axis` = axis, `is_ascend` = is_ascend, `dtype` = dtype), c("optional int", "bool", "dtype"), name)
}

#' Matrix products over the last two axes; all leading axes are equal.
#' @param lhs Float array of at least two axes.
#' @param rhs Float array of the same dtype and number of axes.
#' @param transpose_a Use the transposes of lhs. Default: False.
#' @param transpose_b Use the transposes of rhs. Default: False.
#' @param forward_stype Accepted and ignored: results are dense. One of "csr", "default", "row_sparse".
#' Default: None.
mx.nd.batch_dot <- function(lhs, rhs, transpose_a = FALSE, transpose_b = FALSE, forward_stype = NULL) {
  mx.apply("batch_dot", list(lhs, rhs), list(`transpose_a` = transpose_a, `transpose_b` = transpose_b, `forward_stype` = forward_stype), c("bool", "bool", "optional str"), TRUE)
}

#' Matrix products over the last two axes; all leading axes are equal.
#' @param lhs Float array of at least two axes.
#' @param rhs Float array of the same dtype and number of axes.
#' @param transpose_a Use the transposes of lhs. Default: False.
#' @param transpose_b Use the transposes of rhs. Default: False.
#' @param forward_stype Accepted and ignored: results are dense. One of "csr", "default", "row_sparse".
#' Default: None.
mx.symbol.batch_dot <- function(lhs, rhs = NULL, transpose_a = FALSE, transpose_b = FALSE, forward_stype = NULL, name = NULL) {
  mx.node("batch_dot", list(lhs, rhs), list(`transpose_a` = transpose_a, `transpose_b` = transpose_b, `forward_stype` = forward_stype), c("bool", "bool", "optional str"), name)
}

#' out[i] = a[i, indices[i]]; indices outside are clipped.
#' @param a (N, C)
#' @param indices (N,)
mx.nd.batch_take <- function(a, indices) {
  mx.apply("batch_take", list(a, indices), list(), character(), TRUE)
}

#' out[i] = a[i, indices[i]]; indices outside are clipped.
#' @param a (N, C)
#' @param indices (N,)
mx.symbol.batch_take <- function(a, indices = NULL, name = NULL) {
  mx.node("batch_take", list(a, indices), list(), character(), name)
}

#' Sum of two arrays.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_add <- function(lhs, rhs) {
  mx.apply("broadcast_add", list(lhs, rhs), list(), character(), TRUE)
}

#' Sum of two arrays.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_add <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_add", list(lhs, rhs), list(), character(), name)
}

#' Repeats axes of extent 1 up to the given sizes.
#' @param data Any array.
#' @param axis Axes of extent 1. Default: ().
#' @param size The extents they get. Default: ().
mx.nd.broadcast_axis <- function(data, axis = NULL, size = NULL) {
  mx.apply("broadcast_axis", list(data), list(`axis` = axis, `size` = size), c("ints", "ints"), TRUE)
}

#' Repeats axes of extent 1 up to the given sizes.
#' @param data Any array.
#' @param axis Axes of extent 1. Default: ().
#' @param size The extents they get. Default: ().
mx.symbol.broadcast_axis <- function(data, axis = NULL, size = NULL, name = NULL) {
  mx.node("broadcast_axis", list(data), list(`axis` = axis, `size` = size), c("ints", "ints"), name)
}

#' Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_div <- function(lhs, rhs) {
  mx.apply("broadcast_div", list(lhs, rhs), list(), character(), TRUE)
}

#' Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_div <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_div", list(lhs, rhs), list(), character(), name)
}

#' 1 where x == y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_equal <- function(lhs, rhs) {
  mx.apply("broadcast_equal", list(lhs, rhs), list(), character(), TRUE)
}

#' 1 where x == y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_equal <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_equal", list(lhs, rhs), list(), character(), name)
}

#' Quotient of two arrays, rounded down as by Python's //; an integer divided by 0 gives 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_floor_divide <- function(lhs, rhs) {
  mx.apply("broadcast_floor_divide", list(lhs, rhs), list(), character(), TRUE)
}

#' Quotient of two arrays, rounded down as by Python's //; an integer divided by 0 gives 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_floor_divide <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_floor_divide", list(lhs, rhs), list(), character(), name)
}

#' 1 where x > y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_greater <- function(lhs, rhs) {
  mx.apply("broadcast_greater", list(lhs, rhs), list(), character(), TRUE)
}

#' 1 where x > y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_greater <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_greater", list(lhs, rhs), list(), character(), name)
}

#' 1 where x >= y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_greater_equal <- function(lhs, rhs) {
  mx.apply("broadcast_greater_equal", list(lhs, rhs), list(), character(), TRUE)
}

#' 1 where x >= y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_greater_equal <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_greater_equal", list(lhs, rhs), list(), character(), name)
}

#' Length of the vector (x, y).
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_hypot <- function(lhs, rhs) {
  mx.apply("broadcast_hypot", list(lhs, rhs), list(), character(), TRUE)
}

#' Length of the vector (x, y).
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_hypot <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_hypot", list(lhs, rhs), list(), character(), name)
}

#' 1 where x < y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_lesser <- function(lhs, rhs) {
  mx.apply("broadcast_lesser", list(lhs, rhs), list(), character(), TRUE)
}

#' 1 where x < y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_lesser <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_lesser", list(lhs, rhs), list(), character(), name)
}

#' 1 where x <= y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_lesser_equal <- function(lhs, rhs) {
  mx.apply("broadcast_lesser_equal", list(lhs, rhs), list(), character(), TRUE)
}

#' 1 where x <= y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_lesser_equal <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_lesser_equal", list(lhs, rhs), list(), character(), name)
}

#' Repeats axes of extent 1 of lhs until they have rhs's extents, on all axes or on pairs of axes.
#' @param lhs The elements.
#' @param rhs Gives extents; its elements are not read.
#' @param lhs_axes Axes of lhs that grow; None is all. Default: None.
#' @param rhs_axes Axes of rhs whose extents they take. Default: None.
mx.nd.broadcast_like <- function(lhs, rhs, lhs_axes = NULL, rhs_axes = NULL) {
  mx.apply("broadcast_like", list(lhs, rhs), list(`lhs_axes` = lhs_axes, `rhs_axes` = rhs_axes), c("optional ints", "optional ints"), TRUE)
}

#' Repeats axes of extent 1 of lhs until they have rhs's extents, on all axes or on pairs of axes.
#' @param lhs The elements.
#' @param rhs Gives extents; its elements are not read.
#' @param lhs_axes Axes of lhs that grow; None is all. Default: None.
#' @param rhs_axes Axes of rhs whose extents they take. Default: None.
mx.symbol.broadcast_like <- function(lhs, rhs = NULL, lhs_axes = NULL, rhs_axes = NULL, name = NULL) {
  mx.node("broadcast_like", list(lhs, rhs), list(`lhs_axes` = lhs_axes, `rhs_axes` = rhs_axes), c("optional ints", "optional ints"), name)
}

#' 1 where both are not 0, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_logical_and <- function(lhs, rhs) {
  mx.apply("broadcast_logical_and", list(lhs, rhs), list(), character(), TRUE)
}

#' 1 where both are not 0, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_logical_and <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_logical_and", list(lhs, rhs), list(), character(), name)
}

#' 1 where either is not 0, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_logical_or <- function(lhs, rhs) {
  mx.apply("broadcast_logical_or", list(lhs, rhs), list(), character(), TRUE)
}

#' 1 where either is not 0, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_logical_or <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_logical_or", list(lhs, rhs), list(), character(), name)
}

#' 1 where exactly one is not 0, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_logical_xor <- function(lhs, rhs) {
  mx.apply("broadcast_logical_xor", list(lhs, rhs), list(), character(), TRUE)
}

#' 1 where exactly one is not 0, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_logical_xor <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_logical_xor", list(lhs, rhs), list(), character(), name)
}

#' Larger of two values.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_maximum <- function(lhs, rhs) {
  mx.apply("broadcast_maximum", list(lhs, rhs), list(), character(), TRUE)
}

#' Larger of two values.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_maximum <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_maximum", list(lhs, rhs), list(), character(), name)
}

#' Smaller of two values.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_minimum <- function(lhs, rhs) {
  mx.apply("broadcast_minimum", list(lhs, rhs), list(), character(), TRUE)
}

#' Smaller of two values.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_minimum <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_minimum", list(lhs, rhs), list(), character(), name)
}

#' Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_mod <- function(lhs, rhs) {
  mx.apply("broadcast_mod", list(lhs, rhs), list(), character(), TRUE)
}

#' Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_mod <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_mod", list(lhs, rhs), list(), character(), name)
}

#' Product of two arrays, element by element.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_mul <- function(lhs, rhs) {
  mx.apply("broadcast_mul", list(lhs, rhs), list(), character(), TRUE)
}

#' Product of two arrays, element by element.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_mul <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_mul", list(lhs, rhs), list(), character(), name)
}

#' 1 where x != y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_not_equal <- function(lhs, rhs) {
  mx.apply("broadcast_not_equal", list(lhs, rhs), list(), character(), TRUE)
}

#' 1 where x != y, else 0.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_not_equal <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_not_equal", list(lhs, rhs), list(), character(), name)
}

#' First operand raised to the power of the second.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_power <- function(lhs, rhs) {
  mx.apply("broadcast_power", list(lhs, rhs), list(), character(), TRUE)
}

#' First operand raised to the power of the second.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_power <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_power", list(lhs, rhs), list(), character(), name)
}

#' Difference of two arrays.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.nd.broadcast_sub <- function(lhs, rhs) {
  mx.apply("broadcast_sub", list(lhs, rhs), list(), character(), TRUE)
}

#' Difference of two arrays.
#' @param lhs First operand.
#' @param rhs Second operand; shapes broadcast as in NumPy.
mx.symbol.broadcast_sub <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("broadcast_sub", list(lhs, rhs), list(), character(), name)
}

#' Repeats axes of extent 1 until the array has the shape.
#' @param data Extents agree with the shape or are 1; missing leading axes count as 1.
#' @param shape Extents of the output; 0 keeps the input's extent. Default: ().
mx.nd.broadcast_to <- function(data, shape = NULL) {
  mx.apply("broadcast_to", list(data), list(`shape` = shape), c("ints"), TRUE)
}

#' Repeats axes of extent 1 until the array has the shape.
#' @param data Extents agree with the shape or are 1; missing leading axes count as 1.
#' @param shape Extents of the output; 0 keeps the input's extent. Default: ().
mx.symbol.broadcast_to <- function(data, shape = NULL, name = NULL) {
  mx.node("broadcast_to", list(data), list(`shape` = shape), c("ints"), name)
}

#' The same elements in another storage type: a part of them stored (row_sparse, csr) or all.
#' @param data At least one axis; two for csr.
#' @param stype Storage type of the result. One of "csr", "default", "row_sparse".
mx.nd.cast_storage <- function(data, stype) {
  mx.apply("cast_storage", list(data), list(`stype` = stype), c("str"), TRUE)
}

#' The same elements in another storage type: a part of them stored (row_sparse, csr) or all.
#' @param data At least one axis; two for csr.
#' @param stype Storage type of the result. One of "csr", "default", "row_sparse".
mx.symbol.cast_storage <- function(data, stype, name = NULL) {
  mx.node("cast_storage", list(data), list(`stype` = stype), c("str"), name)
}

#' Cube root.
#' @param data Any array.
mx.nd.cbrt <- function(data) {
  mx.apply("cbrt", list(data), list(), character(), TRUE)
}

#' Cube root.
#' @param data Any array.
mx.symbol.cbrt <- function(data, name = NULL) {
  mx.node("cbrt", list(data), list(), character(), name)
}

#' Smallest integer not below data.
#' @param data Any array.
mx.nd.ceil <- function(data) {
  mx.apply("ceil", list(data), list(), character(), TRUE)
}

#' Smallest integer not below data.
#' @param data Any array.
mx.symbol.ceil <- function(data, name = NULL) {
  mx.node("ceil", list(data), list(), character(), name)
}

#' Values below a_min become a_min, values above a_max become a_max; NaN stays.
#' @param data Any array.
#' @param a_min Smallest value of the output.
#' @param a_max Largest value of the output.
mx.nd.clip <- function(data, a_min, a_max) {
  mx.apply("clip", list(data), list(`a_min` = a_min, `a_max` = a_max), c("float", "float"), TRUE)
}

#' Values below a_min become a_min, values above a_max become a_max; NaN stays.
#' @param data Any array.
#' @param a_min Smallest value of the output.
#' @param a_max Largest value of the output.
mx.symbol.clip <- function(data, a_min, a_max, name = NULL) {
  mx.node("clip", list(data), list(`a_min` = a_min, `a_max` = a_max), c("float", "float"), name)
}

#' Adds columns to the places of their windows: the adjoint of im2col, not its inverse.
#' @param data (N, C * window size, number of windows)
#' @param output_size Spatial extents of the output.
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w).
#' @param stride Distance between windows; () is 1. Default: ().
#' @param dilate Distance between a window's elements; () is 1. Default: ().
#' @param pad Zeros assumed on either side; () is none. Default: ().
mx.nd.col2im <- function(data, output_size, kernel, stride = NULL, dilate = NULL, pad = NULL) {
  mx.apply("col2im", list(data), list(`output_size` = output_size, `kernel` = kernel, `stride` = stride, `dilate` = dilate, `pad` = pad), c("ints", "ints", "ints", "ints", "ints"), TRUE)
}

#' Adds columns to the places of their windows: the adjoint of im2col, not its inverse.
#' @param data (N, C * window size, number of windows)
#' @param output_size Spatial extents of the output.
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w).
#' @param stride Distance between windows; () is 1. Default: ().
#' @param dilate Distance between a window's elements; () is 1. Default: ().
#' @param pad Zeros assumed on either side; () is none. Default: ().
mx.symbol.col2im <- function(data, output_size, kernel, stride = NULL, dilate = NULL, pad = NULL, name = NULL) {
  mx.node("col2im", list(data), list(`output_size` = output_size, `kernel` = kernel, `stride` = stride, `dilate` = dilate, `pad` = pad), c("ints", "ints", "ints", "ints", "ints"), name)
}

#' Cosine of an angle in radians.
#' @param data Any array.
mx.nd.cos <- function(data) {
  mx.apply("cos", list(data), list(), character(), TRUE)
}

#' Cosine of an angle in radians.
#' @param data Any array.
mx.symbol.cos <- function(data, name = NULL) {
  mx.node("cos", list(data), list(), character(), name)
}

#' Hyperbolic cosine.
#' @param data Any array.
mx.nd.cosh <- function(data) {
  mx.apply("cosh", list(data), list(), character(), TRUE)
}

#' Hyperbolic cosine.
#' @param data Any array.
mx.symbol.cosh <- function(data, name = NULL) {
  mx.node("cosh", list(data), list(), character(), name)
}

#' Running sums along an axis. Those of float16 are rounded at each step.
#' @param a Any array.
#' @param axis Axis to sum along; None sums along the flattened array. Default: None.
#' @param dtype Element type of the output, in which the elements are summed; None is that of the input.
#' Default: None.
mx.nd.cumsum <- function(a, axis = NULL, dtype = NULL) {
  mx.apply("cumsum", list(a), list(`axis` = axis, `dtype` = dtype), c("optional int", "optional dtype"), TRUE)
}

#' Running sums along an axis. Those of float16 are rounded at each step.
#' @param a Any array.
#' @param axis Axis to sum along; None sums along the flattened array. Default: None.
#' @param dtype Element type of the output, in which the elements are summed; None is that of the input.
#' Default: None.
mx.symbol.cumsum <- function(a, axis = NULL, dtype = NULL, name = NULL) {
  mx.node("cumsum", list(a), list(`axis` = axis, `dtype` = dtype), c("optional int", "optional dtype"), name)
}

#' Radians to degrees.
#' @param data Any array.
mx.nd.degrees <- function(data) {
  mx.apply("degrees", list(data), list(), character(), TRUE)
}

#' Radians to degrees.
#' @param data Any array.
mx.symbol.degrees <- function(data, name = NULL) {
  mx.node("degrees", list(data), list(), character(), name)
}

#' Spreads channels over space: (N, b*b*C, H, W) becomes (N, C, H*b, W*b), where channel (i*b + j)*C + c fills
#' row i and column j of each block.
#' @param data (N, b*b*C, H, W)
#' @param block_size Side b of the square blocks.
mx.nd.depth_to_space <- function(data, block_size) {
  mx.apply("depth_to_space", list(data), list(`block_size` = block_size), c("int"), TRUE)
}

#' Spreads channels over space: (N, b*b*C, H, W) becomes (N, C, H*b, W*b), where channel (i*b + j)*C + c fills
#' row i and column j of each block.
#' @param data (N, b*b*C, H, W)
#' @param block_size Side b of the square blocks.
mx.symbol.depth_to_space <- function(data, block_size, name = NULL) {
  mx.node("depth_to_space", list(data), list(`block_size` = block_size), c("int"), name)
}

#' The k-th diagonal of the matrices along two axes, as a new last axis; of a 1-d array the square matrix with
#' that diagonal and zeros elsewhere.
#' @param data At least one axis.
#' @param k Which diagonal: above the main one if positive, below it if negative. Default: 0.
#' @param axis1 Axis of the matrices' rows. Default: 0.
#' @param axis2 Axis of the matrices' columns. Default: 1.
mx.nd.diag <- function(data, k = 0, axis1 = 0, axis2 = 1) {
  mx.apply("diag", list(data), list(`k` = k, `axis1` = axis1, `axis2` = axis2), c("int", "int", "int"), TRUE)
}

#' The k-th diagonal of the matrices along two axes, as a new last axis; of a 1-d array the square matrix with
#' that diagonal and zeros elsewhere.
#' @param data At least one axis.
#' @param k Which diagonal: above the main one if positive, below it if negative. Default: 0.
#' @param axis1 Axis of the matrices' rows. Default: 0.
#' @param axis2 Axis of the matrices' columns. Default: 1.
mx.symbol.diag <- function(data, k = 0, axis1 = 0, axis2 = 1, name = NULL) {
  mx.node("diag", list(data), list(`k` = k, `axis1` = axis1, `axis2` = axis2), c("int", "int", "int"), name)
}

#' Sum of products over the last axis of lhs and the first axis of rhs; the other axes follow one another,
#' those of lhs first. Two vectors give shape (1,).
#' @param lhs Float array of at least one axis.
#' @param rhs Float array of the same dtype.
#' @param transpose_a Contract the first axis of lhs instead of its last. Default: False.
#' @param transpose_b Contract the last axis of rhs instead of its first. Default: False.
#' @param forward_stype Storage type of the result where an operand is sparse. One of "csr", "default",
#' "row_sparse". Default: None.
mx.nd.dot <- function(lhs, rhs, transpose_a = FALSE, transpose_b = FALSE, forward_stype = NULL) {
  mx.apply("dot", list(lhs, rhs), list(`transpose_a` = transpose_a, `transpose_b` = transpose_b, `forward_stype` = forward_stype), c("bool", "bool", "optional str"), TRUE)
}

#' Sum of products over the last axis of lhs and the first axis of rhs; the other axes follow one another,
#' those of lhs first. Two vectors give shape (1,).
#' @param lhs Float array of at least one axis.
#' @param rhs Float array of the same dtype.
#' @param transpose_a Contract the first axis of lhs instead of its last. Default: False.
#' @param transpose_b Contract the last axis of rhs instead of its first. Default: False.
#' @param forward_stype Storage type of the result where an operand is sparse. One of "csr", "default",
#' "row_sparse". Default: None.
mx.symbol.dot <- function(lhs, rhs = NULL, transpose_a = FALSE, transpose_b = FALSE, forward_stype = NULL, name = NULL) {
  mx.node("dot", list(lhs, rhs), list(`transpose_a` = transpose_a, `transpose_b` = transpose_b, `forward_stype` = forward_stype), c("bool", "bool", "optional str"), name)
}

#' Sum of two arrays.
#' @param lhs First operand.
#' @param rhs Second operand, of the same shape.
mx.nd.elemwise_add <- function(lhs, rhs) {
  mx.apply("elemwise_add", list(lhs, rhs), list(), character(), TRUE)
}

#' Sum of two arrays.
#' @param lhs First operand.
#' @param rhs Second operand, of the same shape.
mx.symbol.elemwise_add <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("elemwise_add", list(lhs, rhs), list(), character(), name)
}

#' Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
#' @param lhs First operand.
#' @param rhs Second operand, of the same shape.
mx.nd.elemwise_div <- function(lhs, rhs) {
  mx.apply("elemwise_div", list(lhs, rhs), list(), character(), TRUE)
}

#' Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
#' @param lhs First operand.
#' @param rhs Second operand, of the same shape.
mx.symbol.elemwise_div <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("elemwise_div", list(lhs, rhs), list(), character(), name)
}

#' Product of two arrays, element by element.
#' @param lhs First operand.
#' @param rhs Second operand, of the same shape.
mx.nd.elemwise_mul <- function(lhs, rhs) {
  mx.apply("elemwise_mul", list(lhs, rhs), list(), character(), TRUE)
}

#' Product of two arrays, element by element.
#' @param lhs First operand.
#' @param rhs Second operand, of the same shape.
mx.symbol.elemwise_mul <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("elemwise_mul", list(lhs, rhs), list(), character(), name)
}

#' Difference of two arrays.
#' @param lhs First operand.
#' @param rhs Second operand, of the same shape.
mx.nd.elemwise_sub <- function(lhs, rhs) {
  mx.apply("elemwise_sub", list(lhs, rhs), list(), character(), TRUE)
}

#' Difference of two arrays.
#' @param lhs First operand.
#' @param rhs Second operand, of the same shape.
mx.symbol.elemwise_sub <- function(lhs, rhs = NULL, name = NULL) {
  mx.node("elemwise_sub", list(lhs, rhs), list(), character(), name)
}

#' Error function.
#' @param data Any array.
mx.nd.erf <- function(data) {
  mx.apply("erf", list(data), list(), character(), TRUE)
}

#' Error function.
#' @param data Any array.
mx.symbol.erf <- function(data, name = NULL) {
  mx.node("erf", list(data), list(), character(), name)
}

#' Inverse of the error function.
#' @param data Any array.
mx.nd.erfinv <- function(data) {
  mx.apply("erfinv", list(data), list(), character(), TRUE)
}

#' Inverse of the error function.
#' @param data Any array.
mx.symbol.erfinv <- function(data, name = NULL) {
  mx.node("erfinv", list(data), list(), character(), name)
}

#' e^data.
#' @param data Any array.
mx.nd.exp <- function(data) {
  mx.apply("exp", list(data), list(), character(), TRUE)
}

#' e^data.
#' @param data Any array.
mx.symbol.exp <- function(data, name = NULL) {
  mx.node("exp", list(data), list(), character(), name)
}

#' Inserts an axis of extent 1.
#' @param data Any array.
#' @param axis Where the new axis of extent 1 comes to lie.
mx.nd.expand_dims <- function(data, axis) {
  mx.apply("expand_dims", list(data), list(`axis` = axis), c("int"), TRUE)
}

#' Inserts an axis of extent 1.
#' @param data Any array.
#' @param axis Where the new axis of extent 1 comes to lie.
mx.symbol.expand_dims <- function(data, axis, name = NULL) {
  mx.node("expand_dims", list(data), list(`axis` = axis), c("int"), name)
}

#' e^data - 1, exact near 0.
#' @param data Any array.
mx.nd.expm1 <- function(data) {
  mx.apply("expm1", list(data), list(), character(), TRUE)
}

#' e^data - 1, exact near 0.
#' @param data Any array.
mx.symbol.expm1 <- function(data, name = NULL) {
  mx.node("expm1", list(data), list(), character(), name)
}

#' lhs with one element of each row replaced; an index outside of the row replaces none.
#' @param lhs (rows, columns).
#' @param mhs (rows,): the new elements.
#' @param rhs (rows,): their columns; fractions are cut off.
mx.nd.fill_element_0index <- function(lhs, mhs, rhs) {
  mx.apply("fill_element_0index", list(lhs, mhs, rhs), list(), character(), TRUE)
}

#' lhs with one element of each row replaced; an index outside of the row replaces none.
#' @param lhs (rows, columns).
#' @param mhs (rows,): the new elements.
#' @param rhs (rows,): their columns; fractions are cut off.
mx.symbol.fill_element_0index <- function(lhs, mhs = NULL, rhs = NULL, name = NULL) {
  mx.node("fill_element_0index", list(lhs, mhs, rhs), list(), character(), name)
}

#' Integer part: rounded toward 0.
#' @param data Any array.
mx.nd.fix <- function(data) {
  mx.apply("fix", list(data), list(), character(), TRUE)
}

#' Integer part: rounded toward 0.
#' @param data Any array.
mx.symbol.fix <- function(data, name = NULL) {
  mx.node("fix", list(data), list(), character(), name)
}

#' Largest integer not above data.
#' @param data Any array.
mx.nd.floor <- function(data) {
  mx.apply("floor", list(data), list(), character(), TRUE)
}

#' Largest integer not above data.
#' @param data Any array.
mx.symbol.floor <- function(data, name = NULL) {
  mx.node("floor", list(data), list(), character(), name)
}

#' Follow the moving leader: v is the second moment of g = clip(rescale_grad * grad + wd * weight), d the
#' inverse of a step size, z accumulates; the new weight is -z / d.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param d Inverse step size; changed in place.
#' @param v Second moment; changed in place.
#' @param z Accumulated gradient; changed in place.
#' @param lr Learning rate.
#' @param beta1 Part of the first moment that is kept. Default: 0.6.
#' @param beta2 Part of the second moment that is kept. Default: 0.999.
#' @param epsilon Added to the root of the second moment. Default: 1e-08.
#' @param t How many updates there were, this one included.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_grad The gradient is bounded to plus and minus this; a negative value does not bound. Default:
#' -1.0.
mx.nd.ftml_update <- function(weight, grad, d, v, z, lr, beta1 = 0.6, beta2 = 0.999, epsilon = 1e-08, t, wd = 0.0, rescale_grad = 1.0, clip_grad = -1.0) {
  mx.apply("ftml_update", list(weight, grad, d, v, z), list(`lr` = lr, `beta1` = beta1, `beta2` = beta2, `epsilon` = epsilon, `t` = t, `wd` = wd, `rescale_grad` = rescale_grad, `clip_grad` = clip_grad), c("float", "float", "float", "float", "int", "float", "float", "float"), TRUE)
}

#' Follow the moving leader: v is the second moment of g = clip(rescale_grad * grad + wd * weight), d the
#' inverse of a step size, z accumulates; the new weight is -z / d.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param d Inverse step size; changed in place.
#' @param v Second moment; changed in place.
#' @param z Accumulated gradient; changed in place.
#' @param lr Learning rate.
#' @param beta1 Part of the first moment that is kept. Default: 0.6.
#' @param beta2 Part of the second moment that is kept. Default: 0.999.
#' @param epsilon Added to the root of the second moment. Default: 1e-08.
#' @param t How many updates there were, this one included.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_grad The gradient is bounded to plus and minus this; a negative value does not bound. Default:
#' -1.0.
mx.symbol.ftml_update <- function(weight, grad = NULL, d = NULL, v = NULL, z = NULL, lr, beta1 = 0.6, beta2 = 0.999, epsilon = 1e-08, t, wd = 0.0, rescale_grad = 1.0, clip_grad = -1.0, name = NULL) {
  mx.node("ftml_update", list(weight, grad, d, v, z), list(`lr` = lr, `beta1` = beta1, `beta2` = beta2, `epsilon` = epsilon, `t` = t, `wd` = wd, `rescale_grad` = rescale_grad, `clip_grad` = clip_grad), c("float", "float", "float", "float", "int", "float", "float", "float"), name)
}

#' Follow the regularised leader: with g = clip(rescale_grad * grad), n sums g^2 and z sums g minus what the
#' weight accounts for; weights whose |z| is at most lamda1 become 0.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param z Accumulated gradient; changed in place.
#' @param n Accumulated square of the gradient; changed in place.
#' @param lr Learning rate.
#' @param lamda1 Weight of the sum of absolute values: what keeps weights at 0. Default: 0.01.
#' @param beta Added to the root of n. Default: 1.0.
#' @param wd Weight of the sum of squares. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.nd.ftrl_update <- function(weight, grad, z, n, lr, lamda1 = 0.01, beta = 1.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0) {
  mx.apply("ftrl_update", list(weight, grad, z, n), list(`lr` = lr, `lamda1` = lamda1, `beta` = beta, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float", "float", "float"), TRUE)
}

#' Follow the regularised leader: with g = clip(rescale_grad * grad), n sums g^2 and z sums g minus what the
#' weight accounts for; weights whose |z| is at most lamda1 become 0.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param z Accumulated gradient; changed in place.
#' @param n Accumulated square of the gradient; changed in place.
#' @param lr Learning rate.
#' @param lamda1 Weight of the sum of absolute values: what keeps weights at 0. Default: 0.01.
#' @param beta Added to the root of n. Default: 1.0.
#' @param wd Weight of the sum of squares. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.symbol.ftrl_update <- function(weight, grad = NULL, z = NULL, n = NULL, lr, lamda1 = 0.01, beta = 1.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, name = NULL) {
  mx.node("ftrl_update", list(weight, grad, z, n), list(`lr` = lr, `lamda1` = lamda1, `beta` = beta, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float", "float", "float"), name)
}

#' Gamma function.
#' @param data Any array.
mx.nd.gamma <- function(data) {
  mx.apply("gamma", list(data), list(), character(), TRUE)
}

#' Gamma function.
#' @param data Any array.
mx.symbol.gamma <- function(data, name = NULL) {
  mx.node("gamma", list(data), list(), character(), name)
}

#' Logarithm of the absolute value of the gamma function.
#' @param data Any array.
mx.nd.gammaln <- function(data) {
  mx.apply("gammaln", list(data), list(), character(), TRUE)
}

#' Logarithm of the absolute value of the gamma function.
#' @param data Any array.
mx.symbol.gammaln <- function(data, name = NULL) {
  mx.node("gammaln", list(data), list(), character(), name)
}

#' Slices data[indices[0], ..., indices[M-1]]: shape indices.shape[1:] + data.shape[M:]. Negative indices
#' count from the end.
#' @param data At least M axes.
#' @param indices (M, ...); any dtype, fractions are cut off.
mx.nd.gather_nd <- function(data, indices) {
  mx.apply("gather_nd", list(data, indices), list(), character(), TRUE)
}

#' Slices data[indices[0], ..., indices[M-1]]: shape indices.shape[1:] + data.shape[M:]. Negative indices
#' count from the end.
#' @param data At least M axes.
#' @param indices (M, ...); any dtype, fractions are cut off.
mx.symbol.gather_nd <- function(data, indices = NULL, name = NULL) {
  mx.node("gather_nd", list(data, indices), list(), character(), name)
}

#' alpha * data + beta, held between 0 and 1.
#' @param data Any array.
#' @param alpha Slope. Default: 0.2.
#' @param beta Value at 0. Default: 0.5.
mx.nd.hard_sigmoid <- function(data, alpha = 0.2, beta = 0.5) {
  mx.apply("hard_sigmoid", list(data), list(`alpha` = alpha, `beta` = beta), c("float", "float"), TRUE)
}

#' alpha * data + beta, held between 0 and 1.
#' @param data Any array.
#' @param alpha Slope. Default: 0.2.
#' @param beta Value at 0. Default: 0.5.
mx.symbol.hard_sigmoid <- function(data, alpha = 0.2, beta = 0.5, name = NULL) {
  mx.node("hard_sigmoid", list(data), list(`alpha` = alpha, `beta` = beta), c("float", "float"), name)
}

#' A copy of the input.
#' @param data Any array.
mx.nd.identity <- function(data) {
  mx.apply("_copy", list(data), list(), character(), TRUE)
}

#' A copy of the input.
#' @param data Any array.
mx.symbol.identity <- function(data, name = NULL) {
  mx.node("_copy", list(data), list(), character(), name)
}

#' The windows of each image as columns: (N, C, ...) becomes (N, C * window size, number of windows).
#' @param data (N, C, w), (N, C, h, w) or (N, C, d, h, w)
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w).
#' @param stride Distance between windows; () is 1. Default: ().
#' @param dilate Distance between a window's elements; () is 1. Default: ().
#' @param pad Zeros assumed on either side; () is none. Default: ().
mx.nd.im2col <- function(data, kernel, stride = NULL, dilate = NULL, pad = NULL) {
  mx.apply("im2col", list(data), list(`kernel` = kernel, `stride` = stride, `dilate` = dilate, `pad` = pad), c("ints", "ints", "ints", "ints"), TRUE)
}

#' The windows of each image as columns: (N, C, ...) becomes (N, C * window size, number of windows).
#' @param data (N, C, w), (N, C, h, w) or (N, C, d, h, w)
#' @param kernel Extents of the window: (w,), (h, w) or (d, h, w).
#' @param stride Distance between windows; () is 1. Default: ().
#' @param dilate Distance between a window's elements; () is 1. Default: ().
#' @param pad Zeros assumed on either side; () is none. Default: ().
mx.symbol.im2col <- function(data, kernel, stride = NULL, dilate = NULL, pad = NULL, name = NULL) {
  mx.node("im2col", list(data), list(`kernel` = kernel, `stride` = stride, `dilate` = dilate, `pad` = pad), c("ints", "ints", "ints", "ints"), name)
}

#' (product of all rows, columns): column k is the Kronecker product of the columns k of all matrices.
#' @param args Matrices (rows, columns) with the same number of columns; at most 15.
mx.nd.khatri_rao <- function(...) {
  mx.apply("khatri_rao", mx.varargs(...), list(), character(), TRUE)
}

#' (product of all rows, columns): column k is the Kronecker product of the columns k of all matrices.
#' @param args Matrices (rows, columns) with the same number of columns; at most 15.
mx.symbol.khatri_rao <- function(..., name = NULL) {
  mx.node("khatri_rao", mx.varargs(...), list(), character(), name)
}

#' First half of LAMB: the moments of clip(rescale_grad * grad) and the direction mean / (sqrt(var) + epsilon)
#' + wd * weight.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mean First moment; changed in place.
#' @param var Second moment; changed in place.
#' @param beta1 Part of the first moment that is kept. Default: 0.9.
#' @param beta2 Part of the second moment that is kept. Default: 0.999.
#' @param epsilon Added to the root of the second moment. Default: 1e-06.
#' @param t How many updates there were, this one included.
#' @param bias_correction Undo the start of the moments at 0. Default: True.
#' @param wd Weight decay: its multiple of the weight is added to the step.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.nd.lamb_update_phase1 <- function(weight, grad, mean, var, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-06, t, bias_correction = TRUE, wd, rescale_grad = 1.0, clip_gradient = -1.0) {
  mx.apply("lamb_update_phase1", list(weight, grad, mean, var), list(`beta1` = beta1, `beta2` = beta2, `epsilon` = epsilon, `t` = t, `bias_correction` = bias_correction, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "int", "bool", "float", "float", "float"), TRUE)
}

#' First half of LAMB: the moments of clip(rescale_grad * grad) and the direction mean / (sqrt(var) + epsilon)
#' + wd * weight.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mean First moment; changed in place.
#' @param var Second moment; changed in place.
#' @param beta1 Part of the first moment that is kept. Default: 0.9.
#' @param beta2 Part of the second moment that is kept. Default: 0.999.
#' @param epsilon Added to the root of the second moment. Default: 1e-06.
#' @param t How many updates there were, this one included.
#' @param bias_correction Undo the start of the moments at 0. Default: True.
#' @param wd Weight decay: its multiple of the weight is added to the step.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.symbol.lamb_update_phase1 <- function(weight, grad = NULL, mean = NULL, var = NULL, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-06, t, bias_correction = TRUE, wd, rescale_grad = 1.0, clip_gradient = -1.0, name = NULL) {
  mx.node("lamb_update_phase1", list(weight, grad, mean, var), list(`beta1` = beta1, `beta2` = beta2, `epsilon` = epsilon, `t` = t, `bias_correction` = bias_correction, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "int", "bool", "float", "float", "float"), name)
}

#' Second half of LAMB: weight - lr * (r1 / r2) * g, with the bounded norm r1; the ratio is 1 where a norm is
#' 0.
#' @param weight Weights, any float dtype.
#' @param g The direction from lamb_update_phase1.
#' @param r1 Norm of the weight, one element.
#' @param r2 Norm of g, one element.
#' @param lr Learning rate.
#' @param lower_bound Least value of r1; a negative one does not bound. Default: -1.0.
#' @param upper_bound Greatest value of r1; a negative one does not bound. Default: -1.0.
mx.nd.lamb_update_phase2 <- function(weight, g, r1, r2, lr, lower_bound = -1.0, upper_bound = -1.0) {
  mx.apply("lamb_update_phase2", list(weight, g, r1, r2), list(`lr` = lr, `lower_bound` = lower_bound, `upper_bound` = upper_bound), c("float", "float", "float"), TRUE)
}

#' Second half of LAMB: weight - lr * (r1 / r2) * g, with the bounded norm r1; the ratio is 1 where a norm is
#' 0.
#' @param weight Weights, any float dtype.
#' @param g The direction from lamb_update_phase1.
#' @param r1 Norm of the weight, one element.
#' @param r2 Norm of g, one element.
#' @param lr Learning rate.
#' @param lower_bound Least value of r1; a negative one does not bound. Default: -1.0.
#' @param upper_bound Greatest value of r1; a negative one does not bound. Default: -1.0.
mx.symbol.lamb_update_phase2 <- function(weight, g = NULL, r1 = NULL, r2 = NULL, lr, lower_bound = -1.0, upper_bound = -1.0, name = NULL) {
  mx.node("lamb_update_phase2", list(weight, g, r1, r2), list(`lr` = lr, `lower_bound` = lower_bound, `upper_bound` = upper_bound), c("float", "float", "float"), name)
}

#' Adjugates of square matrices: determinant times inverse, which exists for singular matrices too. Its own
#' gradient divides by the determinant.
#' @param A (..., n, n), a float dtype.
mx.nd.linalg_adjugate <- function(A) {
  mx.apply("_linalg_adjugate", list(A), list(), character(), TRUE)
}

#' Adjugates of square matrices: determinant times inverse, which exists for singular matrices too. Its own
#' gradient divides by the determinant.
#' @param A (..., n, n), a float dtype.
mx.symbol.linalg_adjugate <- function(A, name = NULL) {
  mx.node("_linalg_adjugate", list(A), list(), character(), name)
}

#' Determinants of square matrices.
#' @param A (..., n, n), a float dtype.
mx.nd.linalg_det <- function(A) {
  mx.apply("_linalg_det", list(A), list(), character(), TRUE)
}

#' Determinants of square matrices.
#' @param A (..., n, n), a float dtype.
mx.symbol.linalg_det <- function(A, name = NULL) {
  mx.node("_linalg_det", list(A), list(), character(), name)
}

#' A diagonal of square matrices, as the last axis.
#' @param A (..., n, n).
#' @param offset Which diagonal: above 0 to the right of the main one. Default: 0.
mx.nd.linalg_extractdiag <- function(A, offset = 0) {
  mx.apply("_linalg_extractdiag", list(A), list(`offset` = offset), c("int"), TRUE)
}

#' A diagonal of square matrices, as the last axis.
#' @param A (..., n, n).
#' @param offset Which diagonal: above 0 to the right of the main one. Default: 0.
mx.symbol.linalg_extractdiag <- function(A, offset = 0, name = NULL) {
  mx.node("_linalg_extractdiag", list(A), list(`offset` = offset), c("int"), name)
}

#' A triangle of square matrices, as the last axis: a lower one row by row, an upper one column by column.
#' @param A (..., n, n).
#' @param offset Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
#' @param lower Which triangle, when offset is 0. Default: True.
mx.nd.linalg_extracttrian <- function(A, offset = 0, lower = TRUE) {
  mx.apply("_linalg_extracttrian", list(A), list(`offset` = offset, `lower` = lower), c("int", "bool"), TRUE)
}

#' A triangle of square matrices, as the last axis: a lower one row by row, an upper one column by column.
#' @param A (..., n, n).
#' @param offset Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
#' @param lower Which triangle, when offset is 0. Default: True.
mx.symbol.linalg_extracttrian <- function(A, offset = 0, lower = TRUE, name = NULL) {
  mx.node("_linalg_extracttrian", list(A), list(`offset` = offset, `lower` = lower), c("int", "bool"), name)
}

#' LQ factorisation A = L Q: Q has orthonormal rows, L is lower triangular.
#' @param A (..., m, n) with m at most n and full rank, a float dtype.
mx.nd.linalg_gelqf <- function(A) {
  mx.apply("_linalg_gelqf", list(A), list(), character(), FALSE)
}

#' LQ factorisation A = L Q: Q has orthonormal rows, L is lower triangular.
#' @param A (..., m, n) with m at most n and full rank, a float dtype.
mx.symbol.linalg_gelqf <- function(A, name = NULL) {
  mx.node("_linalg_gelqf", list(A), list(), character(), name)
}

#' alpha * op(A) op(B) + beta * C for stacks of matrices; all axes but those of rows and columns are equal.
#' @param A Float array of at least two axes.
#' @param B Float array of the same dtype and number of axes.
#' @param C Of the shape of the result.
#' @param transpose_a Use the transposes of A. Default: False.
#' @param transpose_b Use the transposes of B. Default: False.
#' @param alpha Factor of the product. Default: 1.0.
#' @param beta Factor of C. Default: 1.0.
#' @param axis Axis of the matrix rows; the columns are the last one. Default: -2.
mx.nd.linalg_gemm <- function(A, B, C, transpose_a = FALSE, transpose_b = FALSE, alpha = 1.0, beta = 1.0, axis = -2) {
  mx.apply("_linalg_gemm", list(A, B, C), list(`transpose_a` = transpose_a, `transpose_b` = transpose_b, `alpha` = alpha, `beta` = beta, `axis` = axis), c("bool", "bool", "float", "float", "int"), TRUE)
}

#' alpha * op(A) op(B) + beta * C for stacks of matrices; all axes but those of rows and columns are equal.
#' @param A Float array of at least two axes.
#' @param B Float array of the same dtype and number of axes.
#' @param C Of the shape of the result.
#' @param transpose_a Use the transposes of A. Default: False.
#' @param transpose_b Use the transposes of B. Default: False.
#' @param alpha Factor of the product. Default: 1.0.
#' @param beta Factor of C. Default: 1.0.
#' @param axis Axis of the matrix rows; the columns are the last one. Default: -2.
mx.symbol.linalg_gemm <- function(A, B = NULL, C = NULL, transpose_a = FALSE, transpose_b = FALSE, alpha = 1.0, beta = 1.0, axis = -2, name = NULL) {
  mx.node("_linalg_gemm", list(A, B, C), list(`transpose_a` = transpose_a, `transpose_b` = transpose_b, `alpha` = alpha, `beta` = beta, `axis` = axis), c("bool", "bool", "float", "float", "int"), name)
}

#' alpha * op(A) op(B) for stacks of matrices; all axes but those of rows and columns are equal.
#' @param A Float array of at least two axes.
#' @param B Float array of the same dtype and number of axes.
#' @param transpose_a Use the transposes of A. Default: False.
#' @param transpose_b Use the transposes of B. Default: False.
#' @param alpha Factor of the product. Default: 1.0.
#' @param axis Axis of the matrix rows; the columns are the last one. Default: -2.
mx.nd.linalg_gemm2 <- function(A, B, transpose_a = FALSE, transpose_b = FALSE, alpha = 1.0, axis = -2) {
  mx.apply("_linalg_gemm2", list(A, B), list(`transpose_a` = transpose_a, `transpose_b` = transpose_b, `alpha` = alpha, `axis` = axis), c("bool", "bool", "float", "int"), TRUE)
}

#' alpha * op(A) op(B) for stacks of matrices; all axes but those of rows and columns are equal.
#' @param A Float array of at least two axes.
#' @param B Float array of the same dtype and number of axes.
#' @param transpose_a Use the transposes of A. Default: False.
#' @param transpose_b Use the transposes of B. Default: False.
#' @param alpha Factor of the product. Default: 1.0.
#' @param axis Axis of the matrix rows; the columns are the last one. Default: -2.
mx.symbol.linalg_gemm2 <- function(A, B = NULL, transpose_a = FALSE, transpose_b = FALSE, alpha = 1.0, axis = -2, name = NULL) {
  mx.node("_linalg_gemm2", list(A, B), list(`transpose_a` = transpose_a, `transpose_b` = transpose_b, `alpha` = alpha, `axis` = axis), c("bool", "bool", "float", "int"), name)
}

#' Inverses of square matrices.
#' @param A (..., n, n), a float dtype.
mx.nd.linalg_inverse <- function(A) {
  mx.apply("_linalg_inverse", list(A), list(), character(), TRUE)
}

#' Inverses of square matrices.
#' @param A (..., n, n), a float dtype.
mx.symbol.linalg_inverse <- function(A, name = NULL) {
  mx.node("_linalg_inverse", list(A), list(), character(), name)
}

#' Square matrices with the given diagonal and zeros elsewhere.
#' @param A (..., k), the items of a diagonal.
#' @param offset Which diagonal: above 0 to the right of the main one. Default: 0.
mx.nd.linalg_makediag <- function(A, offset = 0) {
  mx.apply("_linalg_makediag", list(A), list(`offset` = offset), c("int"), TRUE)
}

#' Square matrices with the given diagonal and zeros elsewhere.
#' @param A (..., k), the items of a diagonal.
#' @param offset Which diagonal: above 0 to the right of the main one. Default: 0.
mx.symbol.linalg_makediag <- function(A, offset = 0, name = NULL) {
  mx.node("_linalg_makediag", list(A), list(`offset` = offset), c("int"), name)
}

#' Square matrices with the given triangle and zeros elsewhere.
#' @param A (..., k (k + 1) / 2), the items of a triangle.
#' @param offset Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
#' @param lower Which triangle, when offset is 0. Default: True.
mx.nd.linalg_maketrian <- function(A, offset = 0, lower = TRUE) {
  mx.apply("_linalg_maketrian", list(A), list(`offset` = offset, `lower` = lower), c("int", "bool"), TRUE)
}

#' Square matrices with the given triangle and zeros elsewhere.
#' @param A (..., k (k + 1) / 2), the items of a triangle.
#' @param offset Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
#' @param lower Which triangle, when offset is 0. Default: True.
mx.symbol.linalg_maketrian <- function(A, offset = 0, lower = TRUE, name = NULL) {
  mx.node("_linalg_maketrian", list(A), list(`offset` = offset, `lower` = lower), c("int", "bool"), name)
}

#' Cholesky factors: lower triangular L with A = L L^T, or upper triangular U with A = U^T U. The gradient of
#' A is symmetric.
#' @param A (..., n, n) symmetric positive definite matrices of a float dtype.
#' @param lower Which triangle is used; the other is not read. Default: True.
mx.nd.linalg_potrf <- function(A, lower = TRUE) {
  mx.apply("_linalg_potrf", list(A), list(`lower` = lower), c("bool"), TRUE)
}

#' Cholesky factors: lower triangular L with A = L L^T, or upper triangular U with A = U^T U. The gradient of
#' A is symmetric.
#' @param A (..., n, n) symmetric positive definite matrices of a float dtype.
#' @param lower Which triangle is used; the other is not read. Default: True.
mx.symbol.linalg_potrf <- function(A, lower = TRUE, name = NULL) {
  mx.node("_linalg_potrf", list(A), list(`lower` = lower), c("bool"), name)
}

#' The inverse of A = L L^T from its Cholesky factor L, or of A = U^T U from U.
#' @param A (..., n, n) Cholesky factors of a float dtype.
#' @param lower Which triangle is used; the other is not read. Default: True.
mx.nd.linalg_potri <- function(A, lower = TRUE) {
  mx.apply("_linalg_potri", list(A), list(`lower` = lower), c("bool"), TRUE)
}

#' The inverse of A = L L^T from its Cholesky factor L, or of A = U^T U from U.
#' @param A (..., n, n) Cholesky factors of a float dtype.
#' @param lower Which triangle is used; the other is not read. Default: True.
mx.symbol.linalg_potri <- function(A, lower = TRUE, name = NULL) {
  mx.node("_linalg_potri", list(A), list(`lower` = lower), c("bool"), name)
}

#' Signs of the determinants of square matrices and the logarithms of their sizes; 0 and -inf for singular
#' matrices, whose gradient is 0.
#' @param A (..., n, n), a float dtype.
mx.nd.linalg_slogdet <- function(A) {
  mx.apply("_linalg_slogdet", list(A), list(), character(), FALSE)
}

#' Signs of the determinants of square matrices and the logarithms of their sizes; 0 and -inf for singular
#' matrices, whose gradient is 0.
#' @param A (..., n, n), a float dtype.
mx.symbol.linalg_slogdet <- function(A, name = NULL) {
  mx.node("_linalg_slogdet", list(A), list(), character(), name)
}

#' Sums of the logarithms of the diagonals of square matrices.
#' @param A (..., n, n), a float dtype.
mx.nd.linalg_sumlogdiag <- function(A) {
  mx.apply("_linalg_sumlogdiag", list(A), list(), character(), TRUE)
}

#' Sums of the logarithms of the diagonals of square matrices.
#' @param A (..., n, n), a float dtype.
mx.symbol.linalg_sumlogdiag <- function(A, name = NULL) {
  mx.node("_linalg_sumlogdiag", list(A), list(), character(), name)
}

#' alpha * A A^T, or alpha * A^T A, for a stack of matrices.
#' @param A (..., m, n), a float dtype.
#' @param transpose Transpose of A times A, instead of A times its transpose. Default: False.
#' @param alpha Factor of the product. Default: 1.0.
mx.nd.linalg_syrk <- function(A, transpose = FALSE, alpha = 1.0) {
  mx.apply("_linalg_syrk", list(A), list(`transpose` = transpose, `alpha` = alpha), c("bool", "float"), TRUE)
}

#' alpha * A A^T, or alpha * A^T A, for a stack of matrices.
#' @param A (..., m, n), a float dtype.
#' @param transpose Transpose of A times A, instead of A times its transpose. Default: False.
#' @param alpha Factor of the product. Default: 1.0.
mx.symbol.linalg_syrk <- function(A, transpose = FALSE, alpha = 1.0, name = NULL) {
  mx.node("_linalg_syrk", list(A), list(`transpose` = transpose, `alpha` = alpha), c("bool", "float"), name)
}

#' alpha * op(A) B, or alpha * B op(A), with triangular A.
#' @param A (..., n, n) triangular matrices of a float dtype.
#' @param B (..., n, m), or (..., m, n) when A stands to the right.
#' @param transpose Use the transposes of A. Default: False.
#' @param rightside A stands to the right. Default: False.
#' @param lower Which triangle of A is used; the other is not read. Default: True.
#' @param alpha Factor of B. Default: 1.0.
mx.nd.linalg_trmm <- function(A, B, transpose = FALSE, rightside = FALSE, lower = TRUE, alpha = 1.0) {
  mx.apply("_linalg_trmm", list(A, B), list(`transpose` = transpose, `rightside` = rightside, `lower` = lower, `alpha` = alpha), c("bool", "bool", "bool", "float"), TRUE)
}

#' alpha * op(A) B, or alpha * B op(A), with triangular A.
#' @param A (..., n, n) triangular matrices of a float dtype.
#' @param B (..., n, m), or (..., m, n) when A stands to the right.
#' @param transpose Use the transposes of A. Default: False.
#' @param rightside A stands to the right. Default: False.
#' @param lower Which triangle of A is used; the other is not read. Default: True.
#' @param alpha Factor of B. Default: 1.0.
mx.symbol.linalg_trmm <- function(A, B = NULL, transpose = FALSE, rightside = FALSE, lower = TRUE, alpha = 1.0, name = NULL) {
  mx.node("_linalg_trmm", list(A, B), list(`transpose` = transpose, `rightside` = rightside, `lower` = lower, `alpha` = alpha), c("bool", "bool", "bool", "float"), name)
}

#' The solution X of op(A) X = alpha * B, or of X op(A) = alpha * B, with triangular A.
#' @param A (..., n, n) triangular matrices of a float dtype.
#' @param B (..., n, m), or (..., m, n) when A stands to the right.
#' @param transpose Use the transposes of A. Default: False.
#' @param rightside A stands to the right. Default: False.
#' @param lower Which triangle of A is used; the other is not read. Default: True.
#' @param alpha Factor of B. Default: 1.0.
mx.nd.linalg_trsm <- function(A, B, transpose = FALSE, rightside = FALSE, lower = TRUE, alpha = 1.0) {
  mx.apply("_linalg_trsm", list(A, B), list(`transpose` = transpose, `rightside` = rightside, `lower` = lower, `alpha` = alpha), c("bool", "bool", "bool", "float"), TRUE)
}

#' The solution X of op(A) X = alpha * B, or of X op(A) = alpha * B, with triangular A.
#' @param A (..., n, n) triangular matrices of a float dtype.
#' @param B (..., n, m), or (..., m, n) when A stands to the right.
#' @param transpose Use the transposes of A. Default: False.
#' @param rightside A stands to the right. Default: False.
#' @param lower Which triangle of A is used; the other is not read. Default: True.
#' @param alpha Factor of B. Default: 1.0.
mx.symbol.linalg_trsm <- function(A, B = NULL, transpose = FALSE, rightside = FALSE, lower = TRUE, alpha = 1.0, name = NULL) {
  mx.node("_linalg_trsm", list(A, B), list(`transpose` = transpose, `rightside` = rightside, `lower` = lower, `alpha` = alpha), c("bool", "bool", "bool", "float"), name)
}

#' Natural logarithm.
#' @param data Any array.
mx.nd.log <- function(data) {
  mx.apply("log", list(data), list(), character(), TRUE)
}

#' Natural logarithm.
#' @param data Any array.
mx.symbol.log <- function(data, name = NULL) {
  mx.node("log", list(data), list(), character(), name)
}

#' Logarithm to base 10.
#' @param data Any array.
mx.nd.log10 <- function(data) {
  mx.apply("log10", list(data), list(), character(), TRUE)
}

#' Logarithm to base 10.
#' @param data Any array.
mx.symbol.log10 <- function(data, name = NULL) {
  mx.node("log10", list(data), list(), character(), name)
}

#' log(1 + data), exact near 0.
#' @param data Any array.
mx.nd.log1p <- function(data) {
  mx.apply("log1p", list(data), list(), character(), TRUE)
}

#' log(1 + data), exact near 0.
#' @param data Any array.
mx.symbol.log1p <- function(data, name = NULL) {
  mx.node("log1p", list(data), list(), character(), name)
}

#' Logarithm to base 2.
#' @param data Any array.
mx.nd.log2 <- function(data) {
  mx.apply("log2", list(data), list(), character(), TRUE)
}

#' Logarithm to base 2.
#' @param data Any array.
mx.symbol.log2 <- function(data, name = NULL) {
  mx.node("log2", list(data), list(), character(), name)
}

#' log(sigmoid(data)).
#' @param data Any array.
mx.nd.log_sigmoid <- function(data) {
  mx.apply("log_sigmoid", list(data), list(), character(), TRUE)
}

#' log(sigmoid(data)).
#' @param data Any array.
mx.symbol.log_sigmoid <- function(data, name = NULL) {
  mx.node("log_sigmoid", list(data), list(), character(), name)
}

#' Logarithm of the softmax, exact also where the softmax is almost 0.
#' @param data Floats. A vector of nothing but -inf gives NaN.
#' @param axis Axis along which the outputs sum to 1. Default: -1.
#' @param temperature The input is divided by it; None is 1. Default: None.
#' @param dtype Element type of the output, a float; None is that of the input. Default: None.
#' @param use_length Takes `length`, the number of elements of each vector that count. Default: False.
mx.nd.log_softmax <- function(data, axis = -1, temperature = NULL, dtype = NULL, use_length = FALSE) {
  mx.apply("log_softmax", list(data), list(`axis` = axis, `temperature` = temperature, `dtype` = dtype, `use_length` = use_length), c("int", "optional float", "optional dtype", "optional bool"), TRUE)
}

#' Logarithm of the softmax, exact also where the softmax is almost 0.
#' @param data Floats. A vector of nothing but -inf gives NaN.
#' @param axis Axis along which the outputs sum to 1. Default: -1.
#' @param temperature The input is divided by it; None is 1. Default: None.
#' @param dtype Element type of the output, a float; None is that of the input. Default: None.
#' @param use_length Takes `length`, the number of elements of each vector that count. Default: False.
mx.symbol.log_softmax <- function(data, axis = -1, temperature = NULL, dtype = NULL, use_length = FALSE, name = NULL) {
  mx.node("log_softmax", list(data), list(`axis` = axis, `temperature` = temperature, `dtype` = dtype, `use_length` = use_length), c("int", "optional float", "optional dtype", "optional bool"), name)
}

#' 1 where data is 0, else 0.
#' @param data Any array.
mx.nd.logical_not <- function(data) {
  mx.apply("logical_not", list(data), list(), character(), TRUE)
}

#' 1 where data is 0, else 0.
#' @param data Any array.
mx.symbol.logical_not <- function(data, name = NULL) {
  mx.node("logical_not", list(data), list(), character(), name)
}

#' A copy whose gradient is 1, whatever gradient arrives.
#' @param data The loss.
mx.nd.make_loss <- function(data) {
  mx.apply("make_loss", list(data), list(), character(), TRUE)
}

#' A copy whose gradient is 1, whatever gradient arrives.
#' @param data The loss.
mx.symbol.make_loss <- function(data, name = NULL) {
  mx.node("make_loss", list(data), list(), character(), name)
}

#' Largest element over axes; NaN if there is one. Every tied element receives the gradient.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.nd.max <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE) {
  mx.apply("max", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), TRUE)
}

#' Largest element over axes; NaN if there is one. Every tied element receives the gradient.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.symbol.max <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE, name = NULL) {
  mx.node("max", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), name)
}

#' Arithmetic mean over axes; that of integers is truncated toward zero.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.nd.mean <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE) {
  mx.apply("mean", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), TRUE)
}

#' Arithmetic mean over axes; that of integers is truncated toward zero.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.symbol.mean <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE, name = NULL) {
  mx.node("mean", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), name)
}

#' Smallest element over axes; NaN if there is one. Every tied element receives the gradient.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.nd.min <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE) {
  mx.apply("min", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), TRUE)
}

#' Smallest element over axes; NaN if there is one. Every tied element receives the gradient.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.symbol.min <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE, name = NULL) {
  mx.node("min", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), name)
}

#' data * tanh(log(1 + e^data)).
#' @param data Any array.
mx.nd.mish <- function(data) {
  mx.apply("mish", list(data), list(), character(), TRUE)
}

#' data * tanh(log(1 + e^data)).
#' @param data Any array.
mx.symbol.mish <- function(data, name = NULL) {
  mx.node("mish", list(data), list(), character(), name)
}

#' Mean and variance over axes; the variance divides by the number of elements.
#' @param data Floats.
#' @param axes Axes to reduce; None means all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
mx.nd.moments <- function(data, axes = NULL, keepdims = FALSE) {
  mx.apply("moments", list(data), list(`axes` = axes, `keepdims` = keepdims), c("optional ints", "bool"), FALSE)
}

#' Mean and variance over axes; the variance divides by the number of elements.
#' @param data Floats.
#' @param axes Axes to reduce; None means all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
mx.symbol.moments <- function(data, axes = NULL, keepdims = FALSE, name = NULL) {
  mx.node("moments", list(data), list(`axes` = axes, `keepdims` = keepdims), c("optional ints", "bool"), name)
}

#' lamb_update_phase1 in float32 from weight32; the direction is float32.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mean First moment; changed in place.
#' @param var Second moment; changed in place.
#' @param weight32 The weight in float32.
#' @param beta1 Part of the first moment that is kept. Default: 0.9.
#' @param beta2 Part of the second moment that is kept. Default: 0.999.
#' @param epsilon Added to the root of the second moment. Default: 1e-06.
#' @param t How many updates there were, this one included.
#' @param bias_correction Undo the start of the moments at 0. Default: True.
#' @param wd Weight decay: its multiple of the weight is added to the step.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.nd.mp_lamb_update_phase1 <- function(weight, grad, mean, var, weight32, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-06, t, bias_correction = TRUE, wd, rescale_grad = 1.0, clip_gradient = -1.0) {
  mx.apply("mp_lamb_update_phase1", list(weight, grad, mean, var, weight32), list(`beta1` = beta1, `beta2` = beta2, `epsilon` = epsilon, `t` = t, `bias_correction` = bias_correction, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "int", "bool", "float", "float", "float"), TRUE)
}

#' lamb_update_phase1 in float32 from weight32; the direction is float32.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mean First moment; changed in place.
#' @param var Second moment; changed in place.
#' @param weight32 The weight in float32.
#' @param beta1 Part of the first moment that is kept. Default: 0.9.
#' @param beta2 Part of the second moment that is kept. Default: 0.999.
#' @param epsilon Added to the root of the second moment. Default: 1e-06.
#' @param t How many updates there were, this one included.
#' @param bias_correction Undo the start of the moments at 0. Default: True.
#' @param wd Weight decay: its multiple of the weight is added to the step.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.symbol.mp_lamb_update_phase1 <- function(weight, grad = NULL, mean = NULL, var = NULL, weight32 = NULL, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-06, t, bias_correction = TRUE, wd, rescale_grad = 1.0, clip_gradient = -1.0, name = NULL) {
  mx.node("mp_lamb_update_phase1", list(weight, grad, mean, var, weight32), list(`beta1` = beta1, `beta2` = beta2, `epsilon` = epsilon, `t` = t, `bias_correction` = bias_correction, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "int", "bool", "float", "float", "float"), name)
}

#' lamb_update_phase2 in float32 on weight32; the output is weight32 in the dtype of weight.
#' @param weight Weights, any float dtype.
#' @param g The direction from mp_lamb_update_phase1, float32.
#' @param r1 Norm of the weight, one element, float32.
#' @param r2 Norm of g, one element, float32.
#' @param weight32 The weight in float32; updated in place.
#' @param lr Learning rate.
#' @param lower_bound Least value of r1; a negative one does not bound. Default: -1.0.
#' @param upper_bound Greatest value of r1; a negative one does not bound. Default: -1.0.
mx.nd.mp_lamb_update_phase2 <- function(weight, g, r1, r2, weight32, lr, lower_bound = -1.0, upper_bound = -1.0) {
  mx.apply("mp_lamb_update_phase2", list(weight, g, r1, r2, weight32), list(`lr` = lr, `lower_bound` = lower_bound, `upper_bound` = upper_bound), c("float", "float", "float"), TRUE)
}

#' lamb_update_phase2 in float32 on weight32; the output is weight32 in the dtype of weight.
#' @param weight Weights, any float dtype.
#' @param g The direction from mp_lamb_update_phase1, float32.
#' @param r1 Norm of the weight, one element, float32.
#' @param r2 Norm of g, one element, float32.
#' @param weight32 The weight in float32; updated in place.
#' @param lr Learning rate.
#' @param lower_bound Least value of r1; a negative one does not bound. Default: -1.0.
#' @param upper_bound Greatest value of r1; a negative one does not bound. Default: -1.0.
mx.symbol.mp_lamb_update_phase2 <- function(weight, g = NULL, r1 = NULL, r2 = NULL, weight32 = NULL, lr, lower_bound = -1.0, upper_bound = -1.0, name = NULL) {
  mx.node("mp_lamb_update_phase2", list(weight, g, r1, r2, weight32), list(`lr` = lr, `lower_bound` = lower_bound, `upper_bound` = upper_bound), c("float", "float", "float"), name)
}

#' nag_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom The last step; changed in place.
#' @param weight32 The weight in float32; updated in place.
#' @param lr Learning rate.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.nd.mp_nag_mom_update <- function(weight, grad, mom, weight32, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0) {
  mx.apply("mp_nag_mom_update", list(weight, grad, mom, weight32), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float", "float"), TRUE)
}

#' nag_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom The last step; changed in place.
#' @param weight32 The weight in float32; updated in place.
#' @param lr Learning rate.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.symbol.mp_nag_mom_update <- function(weight, grad = NULL, mom = NULL, weight32 = NULL, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, name = NULL) {
  mx.node("mp_nag_mom_update", list(weight, grad, mom, weight32), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float", "float"), name)
}

#' sgd_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom The last step; changed in place.
#' @param weight32 The weight in float32; updated in place.
#' @param lr Learning rate.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.nd.mp_sgd_mom_update <- function(weight, grad, mom, weight32, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE) {
  mx.apply("mp_sgd_mom_update", list(weight, grad, mom, weight32), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "float", "bool"), TRUE)
}

#' sgd_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom The last step; changed in place.
#' @param weight32 The weight in float32; updated in place.
#' @param lr Learning rate.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.symbol.mp_sgd_mom_update <- function(weight, grad = NULL, mom = NULL, weight32 = NULL, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE, name = NULL) {
  mx.node("mp_sgd_mom_update", list(weight, grad, mom, weight32), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "float", "bool"), name)
}

#' sgd_update in float32 on weight32; the output is weight32 in the dtype of weight.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param weight32 The weight in float32; updated in place.
#' @param lr Learning rate.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.nd.mp_sgd_update <- function(weight, grad, weight32, lr, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE) {
  mx.apply("mp_sgd_update", list(weight, grad, weight32), list(`lr` = lr, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "bool"), TRUE)
}

#' sgd_update in float32 on weight32; the output is weight32 in the dtype of weight.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param weight32 The weight in float32; updated in place.
#' @param lr Learning rate.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.symbol.mp_sgd_update <- function(weight, grad = NULL, weight32 = NULL, lr, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE, name = NULL) {
  mx.node("mp_sgd_update", list(weight, grad, weight32), list(`lr` = lr, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "bool"), name)
}

#' 1 if no element of any array is infinite or NaN, else 0; float32 of shape (1,).
#' @param data Arrays of any shape and dtype.
#' @param init_output False keeps a 0 that the given output holds, so that several calls add up. Default:
#' True.
mx.nd.multi_all_finite <- function(..., init_output = TRUE) {
  mx.apply("multi_all_finite", mx.varargs(...), list(`init_output` = init_output), c("bool"), TRUE)
}

#' 1 if no element of any array is infinite or NaN, else 0; float32 of shape (1,).
#' @param data Arrays of any shape and dtype.
#' @param init_output False keeps a 0 that the given output holds, so that several calls add up. Default:
#' True.
mx.symbol.multi_all_finite <- function(..., init_output = TRUE, name = NULL) {
  mx.node("multi_all_finite", mx.varargs(...), list(`init_output` = init_output), c("bool"), name)
}

#' Rate of each layer: with the norms w and g of weight and scaled gradient, lr * eta * w / (g + wd * w + eps)
#' where both are above 0, else lr.
#' @param lrs Learning rate of each layer.
#' @param weights_sum_sq Sum of squares of each weight.
#' @param grads_sum_sq Sum of squares of each gradient.
#' @param wds Weight decay of each layer.
#' @param eta Factor of the rates.
#' @param eps Added to the divisor.
#' @param rescale_grad Factor of the gradients. Default: 1.0.
mx.nd.multi_lars <- function(lrs, weights_sum_sq, grads_sum_sq, wds, eta, eps, rescale_grad = 1.0) {
  mx.apply("multi_lars", list(lrs, weights_sum_sq, grads_sum_sq, wds), list(`eta` = eta, `eps` = eps, `rescale_grad` = rescale_grad), c("float", "float", "float"), TRUE)
}

#' Rate of each layer: with the norms w and g of weight and scaled gradient, lr * eta * w / (g + wd * w + eps)
#' where both are above 0, else lr.
#' @param lrs Learning rate of each layer.
#' @param weights_sum_sq Sum of squares of each weight.
#' @param grads_sum_sq Sum of squares of each gradient.
#' @param wds Weight decay of each layer.
#' @param eta Factor of the rates.
#' @param eps Added to the divisor.
#' @param rescale_grad Factor of the gradients. Default: 1.0.
mx.symbol.multi_lars <- function(lrs, weights_sum_sq = NULL, grads_sum_sq = NULL, wds = NULL, eta, eps, rescale_grad = 1.0, name = NULL) {
  mx.node("multi_lars", list(lrs, weights_sum_sq, grads_sum_sq, wds), list(`eta` = eta, `eps` = eps, `rescale_grad` = rescale_grad), c("float", "float", "float"), name)
}

#' mp_sgd_mom_update of several weights.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param lrs Learning rate of each weight.
#' @param wds Weight decay of each weight.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.nd.multi_mp_sgd_mom_update <- function(..., lrs = NULL, wds = NULL, momentum = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1) {
  mx.apply("multi_mp_sgd_mom_update", mx.varargs(...), list(`lrs` = lrs, `wds` = wds, `momentum` = momentum, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("floats", "floats", "float", "float", "float", "int"), FALSE)
}

#' mp_sgd_mom_update of several weights.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param lrs Learning rate of each weight.
#' @param wds Weight decay of each weight.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.symbol.multi_mp_sgd_mom_update <- function(..., lrs = NULL, wds = NULL, momentum = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1, name = NULL) {
  mx.node("multi_mp_sgd_mom_update", mx.varargs(...), list(`lrs` = lrs, `wds` = wds, `momentum` = momentum, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("floats", "floats", "float", "float", "float", "int"), name)
}

#' mp_sgd_update of several weights.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param lrs Learning rate of each weight.
#' @param wds Weight decay of each weight.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.nd.multi_mp_sgd_update <- function(..., lrs = NULL, wds = NULL, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1) {
  mx.apply("multi_mp_sgd_update", mx.varargs(...), list(`lrs` = lrs, `wds` = wds, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("floats", "floats", "float", "float", "int"), FALSE)
}

#' mp_sgd_update of several weights.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param lrs Learning rate of each weight.
#' @param wds Weight decay of each weight.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.symbol.multi_mp_sgd_update <- function(..., lrs = NULL, wds = NULL, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1, name = NULL) {
  mx.node("multi_mp_sgd_update", mx.varargs(...), list(`lrs` = lrs, `wds` = wds, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("floats", "floats", "float", "float", "int"), name)
}

#' sgd_mom_update of several weights.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param lrs Learning rate of each weight.
#' @param wds Weight decay of each weight.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.nd.multi_sgd_mom_update <- function(..., lrs = NULL, wds = NULL, momentum = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1) {
  mx.apply("multi_sgd_mom_update", mx.varargs(...), list(`lrs` = lrs, `wds` = wds, `momentum` = momentum, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("floats", "floats", "float", "float", "float", "int"), FALSE)
}

#' sgd_mom_update of several weights.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param lrs Learning rate of each weight.
#' @param wds Weight decay of each weight.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.symbol.multi_sgd_mom_update <- function(..., lrs = NULL, wds = NULL, momentum = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1, name = NULL) {
  mx.node("multi_sgd_mom_update", mx.varargs(...), list(`lrs` = lrs, `wds` = wds, `momentum` = momentum, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("floats", "floats", "float", "float", "float", "int"), name)
}

#' sgd_update of several weights.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param lrs Learning rate of each weight.
#' @param wds Weight decay of each weight.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.nd.multi_sgd_update <- function(..., lrs = NULL, wds = NULL, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1) {
  mx.apply("multi_sgd_update", mx.varargs(...), list(`lrs` = lrs, `wds` = wds, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("floats", "floats", "float", "float", "int"), FALSE)
}

#' sgd_update of several weights.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param lrs Learning rate of each weight.
#' @param wds Weight decay of each weight.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.symbol.multi_sgd_update <- function(..., lrs = NULL, wds = NULL, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1, name = NULL) {
  mx.node("multi_sgd_update", mx.varargs(...), list(`lrs` = lrs, `wds` = wds, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("floats", "floats", "float", "float", "int"), name)
}

#' Sum of squares of each array, as a float32 array of num_arrays elements.
#' @param data Arrays of any shape and dtype.
mx.nd.multi_sum_sq <- function(...) {
  mx.apply("multi_sum_sq", mx.varargs(...), list(), character(), TRUE)
}

#' Sum of squares of each array, as a float32 array of num_arrays elements.
#' @param data Arrays of any shape and dtype.
mx.symbol.multi_sum_sq <- function(..., name = NULL) {
  mx.node("multi_sum_sq", mx.varargs(...), list(), character(), name)
}

#' Nesterov's momentum: with m0 the old mom, mom = momentum * m0 - lr * (clip(rescale_grad * grad) + wd *
#' weight); the new weight is weight - momentum * m0 + (1 + momentum) * mom.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom The last step; changed in place.
#' @param lr Learning rate.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.nd.nag_mom_update <- function(weight, grad, mom, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0) {
  mx.apply("nag_mom_update", list(weight, grad, mom), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float", "float"), TRUE)
}

#' Nesterov's momentum: with m0 the old mom, mom = momentum * m0 - lr * (clip(rescale_grad * grad) + wd *
#' weight); the new weight is weight - momentum * m0 + (1 + momentum) * mom.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom The last step; changed in place.
#' @param lr Learning rate.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.symbol.nag_mom_update <- function(weight, grad = NULL, mom = NULL, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, name = NULL) {
  mx.node("nag_mom_update", list(weight, grad, mom), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float", "float"), name)
}

#' Product over axes, NaN counting as 1.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.nd.nanprod <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE) {
  mx.apply("nanprod", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), TRUE)
}

#' Product over axes, NaN counting as 1.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.symbol.nanprod <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE, name = NULL) {
  mx.node("nanprod", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), name)
}

#' Sum over axes, NaN counting as 0.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.nd.nansum <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE) {
  mx.apply("nansum", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), TRUE)
}

#' Sum over axes, NaN counting as 0.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.symbol.nansum <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE, name = NULL) {
  mx.node("nansum", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), name)
}

#' -data.
#' @param data Any array.
mx.nd.negative <- function(data) {
  mx.apply("negative", list(data), list(), character(), TRUE)
}

#' -data.
#' @param data Any array.
mx.symbol.negative <- function(data, name = NULL) {
  mx.node("negative", list(data), list(), character(), name)
}

#' Norm over axes: the sum of absolute values or the Euclidean length.
#' @param data Any array.
#' @param ord 1: sum of absolute values; 2: root of the sum of squares. Default: 2.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param out_dtype Element type of the output; None is that of the input. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
mx.nd.norm <- function(data, ord = 2, axis = NULL, out_dtype = NULL, keepdims = FALSE) {
  mx.apply("norm", list(data), list(`ord` = ord, `axis` = axis, `out_dtype` = out_dtype, `keepdims` = keepdims), c("int", "optional ints", "optional dtype", "bool"), TRUE)
}

#' Norm over axes: the sum of absolute values or the Euclidean length.
#' @param data Any array.
#' @param ord 1: sum of absolute values; 2: root of the sum of squares. Default: 2.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param out_dtype Element type of the output; None is that of the input. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
mx.symbol.norm <- function(data, ord = 2, axis = NULL, out_dtype = NULL, keepdims = FALSE, name = NULL) {
  mx.node("norm", list(data), list(`ord` = ord, `axis` = axis, `out_dtype` = out_dtype, `keepdims` = keepdims), c("int", "optional ints", "optional dtype", "bool"), name)
}

#' A new last axis with on_value at each index and off_value elsewhere; an index outside gives only off_value.
#' @param indices Any shape and dtype; fractions are cut off.
#' @param depth Extent of the new last axis.
#' @param on_value Value at the index. Default: 1.0.
#' @param off_value Value elsewhere. Default: 0.0.
#' @param dtype Element type of the output. Default: 'float32'.
mx.nd.one_hot <- function(indices, depth, on_value = 1.0, off_value = 0.0, dtype = "float32") {
  mx.apply("one_hot", list(indices), list(`depth` = depth, `on_value` = on_value, `off_value` = off_value, `dtype` = dtype), c("int", "float", "float", "dtype"), TRUE)
}

#' A new last axis with on_value at each index and off_value elsewhere; an index outside gives only off_value.
#' @param indices Any shape and dtype; fractions are cut off.
#' @param depth Extent of the new last axis.
#' @param on_value Value at the index. Default: 1.0.
#' @param off_value Value elsewhere. Default: 0.0.
#' @param dtype Element type of the output. Default: 'float32'.
mx.symbol.one_hot <- function(indices, depth, on_value = 1.0, off_value = 0.0, dtype = "float32", name = NULL) {
  mx.node("one_hot", list(indices), list(`depth` = depth, `on_value` = on_value, `off_value` = off_value, `dtype` = dtype), c("int", "float", "float", "dtype"), name)
}

#' Ones with the shape and dtype of the input.
#' @param data Any array.
mx.nd.ones_like <- function(data) {
  mx.apply("ones_like", list(data), list(), character(), TRUE)
}

#' Ones with the shape and dtype of the input.
#' @param data Any array.
mx.symbol.ones_like <- function(data, name = NULL) {
  mx.node("ones_like", list(data), list(), character(), name)
}

#' One element along an axis for every place of the others, by index.
#' @param data Any array.
#' @param index data's shape without the axis, or with extent 1 there; any dtype, fractions are cut off.
#' @param axis The axis from which one element is taken; None takes one of the flattened array. Default: -1.
#' @param keepdims Keep the axis with extent 1. Default: False.
#' @param mode Indices outside the axis are clipped or wrap around. One of "clip", "wrap". Default: 'clip'.
mx.nd.pick <- function(data, index, axis = -1, keepdims = FALSE, mode = "clip") {
  mx.apply("pick", list(data, index), list(`axis` = axis, `keepdims` = keepdims, `mode` = mode), c("optional int", "bool", "str"), TRUE)
}

#' One element along an axis for every place of the others, by index.
#' @param data Any array.
#' @param index data's shape without the axis, or with extent 1 there; any dtype, fractions are cut off.
#' @param axis The axis from which one element is taken; None takes one of the flattened array. Default: -1.
#' @param keepdims Keep the axis with extent 1. Default: False.
#' @param mode Indices outside the axis are clipped or wrap around. One of "clip", "wrap". Default: 'clip'.
mx.symbol.pick <- function(data, index = NULL, axis = -1, keepdims = FALSE, mode = "clip", name = NULL) {
  mx.node("pick", list(data, index), list(`axis` = axis, `keepdims` = keepdims, `mode` = mode), c("optional int", "bool", "str"), name)
}

#' mp_sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
#' float32.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.nd.preloaded_multi_mp_sgd_mom_update <- function(..., momentum = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1) {
  mx.apply("preloaded_multi_mp_sgd_mom_update", mx.varargs(...), list(`momentum` = momentum, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("float", "float", "float", "int"), FALSE)
}

#' mp_sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
#' float32.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.symbol.preloaded_multi_mp_sgd_mom_update <- function(..., momentum = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1, name = NULL) {
  mx.node("preloaded_multi_mp_sgd_mom_update", mx.varargs(...), list(`momentum` = momentum, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("float", "float", "float", "int"), name)
}

#' mp_sgd_update of several weights; the last two inputs are the learning rates and the weight decays,
#' float32.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.nd.preloaded_multi_mp_sgd_update <- function(..., rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1) {
  mx.apply("preloaded_multi_mp_sgd_update", mx.varargs(...), list(`rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("float", "float", "int"), FALSE)
}

#' mp_sgd_update of several weights; the last two inputs are the learning rates and the weight decays,
#' float32.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.symbol.preloaded_multi_mp_sgd_update <- function(..., rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1, name = NULL) {
  mx.node("preloaded_multi_mp_sgd_update", mx.varargs(...), list(`rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("float", "float", "int"), name)
}

#' sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
#' float32.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.nd.preloaded_multi_sgd_mom_update <- function(..., momentum = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1) {
  mx.apply("preloaded_multi_sgd_mom_update", mx.varargs(...), list(`momentum` = momentum, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("float", "float", "float", "int"), FALSE)
}

#' sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
#' float32.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.symbol.preloaded_multi_sgd_mom_update <- function(..., momentum = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1, name = NULL) {
  mx.node("preloaded_multi_sgd_mom_update", mx.varargs(...), list(`momentum` = momentum, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("float", "float", "float", "int"), name)
}

#' sgd_update of several weights; the last two inputs are the learning rates and the weight decays, float32.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.nd.preloaded_multi_sgd_update <- function(..., rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1) {
  mx.apply("preloaded_multi_sgd_update", mx.varargs(...), list(`rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("float", "float", "int"), FALSE)
}

#' sgd_update of several weights; the last two inputs are the learning rates and the weight decays, float32.
#' @param data For each weight in turn its weight, gradient and, as far as the operator has them, the states
#' and then weight32; these are changed in place.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param num_weights Number of weights. Default: 1.
mx.symbol.preloaded_multi_sgd_update <- function(..., rescale_grad = 1.0, clip_gradient = -1.0, num_weights = 1, name = NULL) {
  mx.node("preloaded_multi_sgd_update", mx.varargs(...), list(`rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `num_weights` = num_weights), c("float", "float", "int"), name)
}

#' Product over axes.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.nd.prod <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE) {
  mx.apply("prod", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), TRUE)
}

#' Product over axes.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.symbol.prod <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE, name = NULL) {
  mx.node("prod", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), name)
}

#' Degrees to radians.
#' @param data Any array.
mx.nd.radians <- function(data) {
  mx.apply("radians", list(data), list(), character(), TRUE)
}

#' Degrees to radians.
#' @param data Any array.
mx.symbol.radians <- function(data, name = NULL) {
  mx.node("radians", list(data), list(), character(), name)
}

#' Numbers of the exponential distribution of rate lam.
#' @param lam Rate, the inverse of the mean. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.random_exponential <- function(lam = 1.0, shape = NULL, ctx = "", dtype = NULL) {
  mx.apply("_random_exponential", list(), list(`lam` = lam, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "optional ints", "str", "optional dtype"), TRUE)
}

#' Numbers of the exponential distribution of rate lam.
#' @param lam Rate, the inverse of the mean. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.random_exponential <- function(lam = 1.0, shape = NULL, ctx = "", dtype = NULL, name = NULL) {
  mx.node("_random_exponential", list(), list(`lam` = lam, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "optional ints", "str", "optional dtype"), name)
}

#' Numbers of the gamma distribution of shape alpha and scale beta.
#' @param alpha Shape. Default: 1.0.
#' @param beta Scale: the mean is alpha * beta. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.random_gamma <- function(alpha = 1.0, beta = 1.0, shape = NULL, ctx = "", dtype = NULL) {
  mx.apply("_random_gamma", list(), list(`alpha` = alpha, `beta` = beta, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), TRUE)
}

#' Numbers of the gamma distribution of shape alpha and scale beta.
#' @param alpha Shape. Default: 1.0.
#' @param beta Scale: the mean is alpha * beta. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.random_gamma <- function(alpha = 1.0, beta = 1.0, shape = NULL, ctx = "", dtype = NULL, name = NULL) {
  mx.node("_random_gamma", list(), list(`alpha` = alpha, `beta` = beta, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), name)
}

#' Counts of mean mu and variance mu + alpha * mu^2, as floats.
#' @param mu Mean. Default: 1.0.
#' @param alpha Dispersion: the variance is mu + alpha * mu^2. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.random_generalized_negative_binomial <- function(mu = 1.0, alpha = 1.0, shape = NULL, ctx = "", dtype = NULL) {
  mx.apply("_random_generalized_negative_binomial", list(), list(`mu` = mu, `alpha` = alpha, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), TRUE)
}

#' Counts of mean mu and variance mu + alpha * mu^2, as floats.
#' @param mu Mean. Default: 1.0.
#' @param alpha Dispersion: the variance is mu + alpha * mu^2. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.random_generalized_negative_binomial <- function(mu = 1.0, alpha = 1.0, shape = NULL, ctx = "", dtype = NULL, name = NULL) {
  mx.node("_random_generalized_negative_binomial", list(), list(`mu` = mu, `alpha` = alpha, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), name)
}

#' Failures before success number k, each trial succeeding with probability p, as floats.
#' @param k Successes to wait for. Default: 1.0.
#' @param p Probability of success. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.random_negative_binomial <- function(k = 1.0, p = 1.0, shape = NULL, ctx = "", dtype = NULL) {
  mx.apply("_random_negative_binomial", list(), list(`k` = k, `p` = p, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), TRUE)
}

#' Failures before success number k, each trial succeeding with probability p, as floats.
#' @param k Successes to wait for. Default: 1.0.
#' @param p Probability of success. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.random_negative_binomial <- function(k = 1.0, p = 1.0, shape = NULL, ctx = "", dtype = NULL, name = NULL) {
  mx.node("_random_negative_binomial", list(), list(`k` = k, `p` = p, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), name)
}

#' Numbers of the normal distribution.
#' @param loc Mean. Default: 0.0.
#' @param scale Standard deviation. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.random_normal <- function(loc = 0.0, scale = 1.0, shape = NULL, ctx = "", dtype = NULL) {
  mx.apply("_random_normal", list(), list(`loc` = loc, `scale` = scale, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), TRUE)
}

#' Numbers of the normal distribution.
#' @param loc Mean. Default: 0.0.
#' @param scale Standard deviation. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.random_normal <- function(loc = 0.0, scale = 1.0, shape = NULL, ctx = "", dtype = NULL, name = NULL) {
  mx.node("_random_normal", list(), list(`loc` = loc, `scale` = scale, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), name)
}

#' Density of the Dirichlet distribution at vectors along the last axis.
#' @param sample (s..., m..., k): vectors that sum to 1. A float dtype.
#' @param alpha (s..., k): concentrations.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.nd.random_pdf_dirichlet <- function(sample, alpha, is_log = FALSE) {
  mx.apply("_random_pdf_dirichlet", list(sample, alpha), list(`is_log` = is_log), c("bool"), TRUE)
}

#' Density of the Dirichlet distribution at vectors along the last axis.
#' @param sample (s..., m..., k): vectors that sum to 1. A float dtype.
#' @param alpha (s..., k): concentrations.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.symbol.random_pdf_dirichlet <- function(sample, alpha = NULL, is_log = FALSE, name = NULL) {
  mx.node("_random_pdf_dirichlet", list(sample, alpha), list(`is_log` = is_log), c("bool"), name)
}

#' Density of the exponential distribution, wherever the samples lie.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param lam Rates.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.nd.random_pdf_exponential <- function(sample, lam, is_log = FALSE) {
  mx.apply("_random_pdf_exponential", list(sample, lam), list(`is_log` = is_log), c("bool"), TRUE)
}

#' Density of the exponential distribution, wherever the samples lie.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param lam Rates.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.symbol.random_pdf_exponential <- function(sample, lam = NULL, is_log = FALSE, name = NULL) {
  mx.node("_random_pdf_exponential", list(sample, lam), list(`is_log` = is_log), c("bool"), name)
}

#' Density of the gamma distribution, here of rate beta: the mean is alpha / beta.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param alpha Shapes.
#' @param beta Rates, the inverse of the scales that samplers take.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.nd.random_pdf_gamma <- function(sample, alpha, beta, is_log = FALSE) {
  mx.apply("_random_pdf_gamma", list(sample, alpha, beta), list(`is_log` = is_log), c("bool"), TRUE)
}

#' Density of the gamma distribution, here of rate beta: the mean is alpha / beta.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param alpha Shapes.
#' @param beta Rates, the inverse of the scales that samplers take.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.symbol.random_pdf_gamma <- function(sample, alpha = NULL, beta = NULL, is_log = FALSE, name = NULL) {
  mx.node("_random_pdf_gamma", list(sample, alpha, beta), list(`is_log` = is_log), c("bool"), name)
}

#' Probability of a count of mean mu and variance mu + alpha * mu^2; its gradient by the count is 0.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param mu Means.
#' @param alpha Dispersions.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.nd.random_pdf_generalized_negative_binomial <- function(sample, mu, alpha, is_log = FALSE) {
  mx.apply("_random_pdf_generalized_negative_binomial", list(sample, mu, alpha), list(`is_log` = is_log), c("bool"), TRUE)
}

#' Probability of a count of mean mu and variance mu + alpha * mu^2; its gradient by the count is 0.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param mu Means.
#' @param alpha Dispersions.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.symbol.random_pdf_generalized_negative_binomial <- function(sample, mu = NULL, alpha = NULL, is_log = FALSE, name = NULL) {
  mx.node("_random_pdf_generalized_negative_binomial", list(sample, mu, alpha), list(`is_log` = is_log), c("bool"), name)
}

#' Probability of so many failures before success number k; its gradient by the count is 0.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param k Successes to wait for.
#' @param p Probabilities of success.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.nd.random_pdf_negative_binomial <- function(sample, k, p, is_log = FALSE) {
  mx.apply("_random_pdf_negative_binomial", list(sample, k, p), list(`is_log` = is_log), c("bool"), TRUE)
}

#' Probability of so many failures before success number k; its gradient by the count is 0.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param k Successes to wait for.
#' @param p Probabilities of success.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.symbol.random_pdf_negative_binomial <- function(sample, k = NULL, p = NULL, is_log = FALSE, name = NULL) {
  mx.node("_random_pdf_negative_binomial", list(sample, k, p), list(`is_log` = is_log), c("bool"), name)
}

#' Density of the normal distribution.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param mu Means.
#' @param sigma Standard deviations.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.nd.random_pdf_normal <- function(sample, mu, sigma, is_log = FALSE) {
  mx.apply("_random_pdf_normal", list(sample, mu, sigma), list(`is_log` = is_log), c("bool"), TRUE)
}

#' Density of the normal distribution.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param mu Means.
#' @param sigma Standard deviations.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.symbol.random_pdf_normal <- function(sample, mu = NULL, sigma = NULL, is_log = FALSE, name = NULL) {
  mx.node("_random_pdf_normal", list(sample, mu, sigma), list(`is_log` = is_log), c("bool"), name)
}

#' Probability of a count under the Poisson distribution; its gradient by the count is 0.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param lam Means.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.nd.random_pdf_poisson <- function(sample, lam, is_log = FALSE) {
  mx.apply("_random_pdf_poisson", list(sample, lam), list(`is_log` = is_log), c("bool"), TRUE)
}

#' Probability of a count under the Poisson distribution; its gradient by the count is 0.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param lam Means.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.symbol.random_pdf_poisson <- function(sample, lam = NULL, is_log = FALSE, name = NULL) {
  mx.node("_random_pdf_poisson", list(sample, lam), list(`is_log` = is_log), c("bool"), name)
}

#' Density 1 / (high - low), wherever the samples lie.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param low Ends of the intervals.
#' @param high The other ends.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.nd.random_pdf_uniform <- function(sample, low, high, is_log = FALSE) {
  mx.apply("_random_pdf_uniform", list(sample, low, high), list(`is_log` = is_log), c("bool"), TRUE)
}

#' Density 1 / (high - low), wherever the samples lie.
#' @param sample Samples; their shape begins with that of the parameters. A float dtype.
#' @param low Ends of the intervals.
#' @param high The other ends.
#' @param is_log Whether to give the logarithm of the density. Default: False.
mx.symbol.random_pdf_uniform <- function(sample, low = NULL, high = NULL, is_log = FALSE, name = NULL) {
  mx.node("_random_pdf_uniform", list(sample, low, high), list(`is_log` = is_log), c("bool"), name)
}

#' Counts of the Poisson distribution of mean lam, as floats.
#' @param lam Mean. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.random_poisson <- function(lam = 1.0, shape = NULL, ctx = "", dtype = NULL) {
  mx.apply("_random_poisson", list(), list(`lam` = lam, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "optional ints", "str", "optional dtype"), TRUE)
}

#' Counts of the Poisson distribution of mean lam, as floats.
#' @param lam Mean. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.random_poisson <- function(lam = 1.0, shape = NULL, ctx = "", dtype = NULL, name = NULL) {
  mx.node("_random_poisson", list(), list(`lam` = lam, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "optional ints", "str", "optional dtype"), name)
}

#' Whole numbers spread evenly over [low, high).
#' @param low Least number.
#' @param high The number after the greatest.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype int32 or int64; by default that of the given output, else int32. Default: None.
mx.nd.random_randint <- function(low, high, shape = NULL, ctx = "", dtype = NULL) {
  mx.apply("_random_randint", list(), list(`low` = low, `high` = high, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("int", "int", "optional ints", "str", "optional dtype"), TRUE)
}

#' Whole numbers spread evenly over [low, high).
#' @param low Least number.
#' @param high The number after the greatest.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype int32 or int64; by default that of the given output, else int32. Default: None.
mx.symbol.random_randint <- function(low, high, shape = NULL, ctx = "", dtype = NULL, name = NULL) {
  mx.node("_random_randint", list(), list(`low` = low, `high` = high, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("int", "int", "optional ints", "str", "optional dtype"), name)
}

#' Numbers spread evenly over [low, high).
#' @param low Least value. Default: 0.0.
#' @param high End of the interval, itself never drawn. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.random_uniform <- function(low = 0.0, high = 1.0, shape = NULL, ctx = "", dtype = NULL) {
  mx.apply("_random_uniform", list(), list(`low` = low, `high` = high, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), TRUE)
}

#' Numbers spread evenly over [low, high).
#' @param low Least value. Default: 0.0.
#' @param high End of the interval, itself never drawn. Default: 1.0.
#' @param shape Extents of the output; by default those of the given output. Default: None.
#' @param ctx Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.random_uniform <- function(low = 0.0, high = 1.0, shape = NULL, ctx = "", dtype = NULL, name = NULL) {
  mx.node("_random_uniform", list(), list(`low` = low, `high` = high, `shape` = shape, `ctx` = ctx, `dtype` = dtype), c("float", "float", "optional ints", "str", "optional dtype"), name)
}

#' Row-major flat index of each column of coordinates; not checked against the extents.
#' @param data (number of axes, ...)
#' @param shape Extents of the array that is indexed; the first one may be -1. Default: ().
mx.nd.ravel_multi_index <- function(data, shape = NULL) {
  mx.apply("_ravel_multi_index", list(data), list(`shape` = shape), c("ints"), TRUE)
}

#' Row-major flat index of each column of coordinates; not checked against the extents.
#' @param data (number of axes, ...)
#' @param shape Extents of the array that is indexed; the first one may be -1. Default: ().
mx.symbol.ravel_multi_index <- function(data, shape = NULL, name = NULL) {
  mx.node("_ravel_multi_index", list(data), list(`shape` = shape), c("ints"), name)
}

#' 1 / cbrt(data).
#' @param data Any array.
mx.nd.rcbrt <- function(data) {
  mx.apply("rcbrt", list(data), list(), character(), TRUE)
}

#' 1 / cbrt(data).
#' @param data Any array.
mx.symbol.rcbrt <- function(data, name = NULL) {
  mx.node("rcbrt", list(data), list(), character(), name)
}

#' 1 / data.
#' @param data Any array.
mx.nd.reciprocal <- function(data) {
  mx.apply("reciprocal", list(data), list(), character(), TRUE)
}

#' 1 / data.
#' @param data Any array.
mx.symbol.reciprocal <- function(data, name = NULL) {
  mx.node("reciprocal", list(data), list(), character(), name)
}

#' max(data, 0).
#' @param data Any array.
mx.nd.relu <- function(data) {
  mx.apply("relu", list(data), list(), character(), TRUE)
}

#' max(data, 0).
#' @param data Any array.
mx.symbol.relu <- function(data, name = NULL) {
  mx.node("relu", list(data), list(), character(), name)
}

#' Repeats each element in place, along an axis or in the flattened array.
#' @param data Any array.
#' @param repeats How often each element occurs.
#' @param axis Along which axis; None takes the flattened array. Default: None.
mx.nd.repeat <- function(data, repeats, axis = NULL) {
  mx.apply("repeat", list(data), list(`repeats` = repeats, `axis` = axis), c("int", "optional int"), TRUE)
}

#' Repeats each element in place, along an axis or in the flattened array.
#' @param data Any array.
#' @param repeats How often each element occurs.
#' @param axis Along which axis; None takes the flattened array. Default: None.
mx.symbol.repeat <- function(data, repeats, axis = NULL, name = NULL) {
  mx.node("repeat", list(data), list(`repeats` = repeats, `axis` = axis), c("int", "optional int"), name)
}

#' lhs in the shape of rhs; with ranges, only axes [lhs_begin, lhs_end) turn into rhs's axes [rhs_begin,
#' rhs_end).
#' @param lhs The elements.
#' @param rhs Gives extents; its elements are not read.
#' @param lhs_begin First axis of lhs that is replaced; None is 0. Default: None.
#' @param lhs_end Axis of lhs where replacing ends; None is its rank. Default: None.
#' @param rhs_begin First axis of rhs that is taken; None is 0. Default: None.
#' @param rhs_end Axis of rhs where taking ends; None is its rank. Default: None.
mx.nd.reshape_like <- function(lhs, rhs, lhs_begin = NULL, lhs_end = NULL, rhs_begin = NULL, rhs_end = NULL) {
  mx.apply("reshape_like", list(lhs, rhs), list(`lhs_begin` = lhs_begin, `lhs_end` = lhs_end, `rhs_begin` = rhs_begin, `rhs_end` = rhs_end), c("optional int", "optional int", "optional int", "optional int"), TRUE)
}

#' lhs in the shape of rhs; with ranges, only axes [lhs_begin, lhs_end) turn into rhs's axes [rhs_begin,
#' rhs_end).
#' @param lhs The elements.
#' @param rhs Gives extents; its elements are not read.
#' @param lhs_begin First axis of lhs that is replaced; None is 0. Default: None.
#' @param lhs_end Axis of lhs where replacing ends; None is its rank. Default: None.
#' @param rhs_begin First axis of rhs that is taken; None is 0. Default: None.
#' @param rhs_end Axis of rhs where taking ends; None is its rank. Default: None.
mx.symbol.reshape_like <- function(lhs, rhs = NULL, lhs_begin = NULL, lhs_end = NULL, rhs_begin = NULL, rhs_end = NULL, name = NULL) {
  mx.node("reshape_like", list(lhs, rhs), list(`lhs_begin` = lhs_begin, `lhs_end` = lhs_end, `rhs_begin` = rhs_begin, `rhs_end` = rhs_end), c("optional int", "optional int", "optional int", "optional int"), name)
}

#' Reverses the order of elements along axes.
#' @param data Any array.
#' @param axis Axes to reverse.
mx.nd.reverse <- function(data, axis) {
  mx.apply("reverse", list(data), list(`axis` = axis), c("ints"), TRUE)
}

#' Reverses the order of elements along axes.
#' @param data Any array.
#' @param axis Axes to reverse.
mx.symbol.reverse <- function(data, axis, name = NULL) {
  mx.node("reverse", list(data), list(`axis` = axis), c("ints"), name)
}

#' Nearest integer; halves go down.
#' @param data Any array.
mx.nd.rint <- function(data) {
  mx.apply("rint", list(data), list(), character(), TRUE)
}

#' Nearest integer; halves go down.
#' @param data Any array.
mx.symbol.rint <- function(data, name = NULL) {
  mx.node("rint", list(data), list(), character(), name)
}

#' g = clip(rescale_grad * grad + wd * weight), n = gamma1 * n + (1 - gamma1) * g^2; the new weight is weight
#' - lr * g / sqrt(n + epsilon).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param n Averaged square of the gradient; changed in place.
#' @param lr Learning rate.
#' @param gamma1 Part of the averaged square that is kept. Default: 0.95.
#' @param epsilon Added under the root. Default: 1e-08.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param clip_weights New weights are bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.nd.rmsprop_update <- function(weight, grad, n, lr, gamma1 = 0.95, epsilon = 1e-08, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, clip_weights = -1.0) {
  mx.apply("rmsprop_update", list(weight, grad, n), list(`lr` = lr, `gamma1` = gamma1, `epsilon` = epsilon, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `clip_weights` = clip_weights), c("float", "float", "float", "float", "float", "float", "float"), TRUE)
}

#' g = clip(rescale_grad * grad + wd * weight), n = gamma1 * n + (1 - gamma1) * g^2; the new weight is weight
#' - lr * g / sqrt(n + epsilon).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param n Averaged square of the gradient; changed in place.
#' @param lr Learning rate.
#' @param gamma1 Part of the averaged square that is kept. Default: 0.95.
#' @param epsilon Added under the root. Default: 1e-08.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param clip_weights New weights are bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.symbol.rmsprop_update <- function(weight, grad = NULL, n = NULL, lr, gamma1 = 0.95, epsilon = 1e-08, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, clip_weights = -1.0, name = NULL) {
  mx.node("rmsprop_update", list(weight, grad, n), list(`lr` = lr, `gamma1` = gamma1, `epsilon` = epsilon, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `clip_weights` = clip_weights), c("float", "float", "float", "float", "float", "float", "float"), name)
}

#' RMSProp around the mean, with momentum: n and g average the squares and the gradients, delta = gamma2 *
#' delta - lr * grad / sqrt(n - g^2 + epsilon); the new weight is weight + delta.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param n Averaged square of the gradient; changed in place.
#' @param g Averaged gradient; changed in place.
#' @param delta The last step; changed in place.
#' @param lr Learning rate.
#' @param gamma1 Part of the averages that is kept. Default: 0.95.
#' @param gamma2 Part of the last step that is kept. Default: 0.9.
#' @param epsilon Added under the root. Default: 1e-08.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param clip_weights New weights are bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.nd.rmspropalex_update <- function(weight, grad, n, g, delta, lr, gamma1 = 0.95, gamma2 = 0.9, epsilon = 1e-08, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, clip_weights = -1.0) {
  mx.apply("rmspropalex_update", list(weight, grad, n, g, delta), list(`lr` = lr, `gamma1` = gamma1, `gamma2` = gamma2, `epsilon` = epsilon, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `clip_weights` = clip_weights), c("float", "float", "float", "float", "float", "float", "float", "float"), TRUE)
}

#' RMSProp around the mean, with momentum: n and g average the squares and the gradients, delta = gamma2 *
#' delta - lr * grad / sqrt(n - g^2 + epsilon); the new weight is weight + delta.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param n Averaged square of the gradient; changed in place.
#' @param g Averaged gradient; changed in place.
#' @param delta The last step; changed in place.
#' @param lr Learning rate.
#' @param gamma1 Part of the averages that is kept. Default: 0.95.
#' @param gamma2 Part of the last step that is kept. Default: 0.9.
#' @param epsilon Added under the root. Default: 1e-08.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param clip_weights New weights are bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
mx.symbol.rmspropalex_update <- function(weight, grad = NULL, n = NULL, g = NULL, delta = NULL, lr, gamma1 = 0.95, gamma2 = 0.9, epsilon = 1e-08, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, clip_weights = -1.0, name = NULL) {
  mx.node("rmspropalex_update", list(weight, grad, n, g, delta), list(`lr` = lr, `gamma1` = gamma1, `gamma2` = gamma2, `epsilon` = epsilon, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `clip_weights` = clip_weights), c("float", "float", "float", "float", "float", "float", "float", "float"), name)
}

#' Nearest integer; halves go away from 0.
#' @param data Any array.
mx.nd.round <- function(data) {
  mx.apply("round", list(data), list(), character(), TRUE)
}

#' Nearest integer; halves go away from 0.
#' @param data Any array.
mx.symbol.round <- function(data, name = NULL) {
  mx.node("round", list(data), list(), character(), name)
}

#' 1 / sqrt(data).
#' @param data Any array.
mx.nd.rsqrt <- function(data) {
  mx.apply("rsqrt", list(data), list(), character(), TRUE)
}

#' 1 / sqrt(data).
#' @param data Any array.
mx.symbol.rsqrt <- function(data, name = NULL) {
  mx.node("rsqrt", list(data), list(), character(), name)
}

#' Numbers of exponential distributions. The output has the parameters' shape followed by `shape`; parameters
#' outside their range give NaN.
#' @param lam Rates, the inverse of the means.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.sample_exponential <- function(lam, shape = NULL, dtype = NULL) {
  mx.apply("_sample_exponential", list(lam), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), TRUE)
}

#' Numbers of exponential distributions. The output has the parameters' shape followed by `shape`; parameters
#' outside their range give NaN.
#' @param lam Rates, the inverse of the means.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.sample_exponential <- function(lam, shape = NULL, dtype = NULL, name = NULL) {
  mx.node("_sample_exponential", list(lam), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), name)
}

#' Numbers of gamma distributions. The output has the parameters' shape followed by `shape`; parameters
#' outside their range give NaN.
#' @param alpha Shapes.
#' @param beta Scales, of the shape of alpha: the mean is alpha * beta.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.sample_gamma <- function(alpha, beta, shape = NULL, dtype = NULL) {
  mx.apply("_sample_gamma", list(alpha, beta), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), TRUE)
}

#' Numbers of gamma distributions. The output has the parameters' shape followed by `shape`; parameters
#' outside their range give NaN.
#' @param alpha Shapes.
#' @param beta Scales, of the shape of alpha: the mean is alpha * beta.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.sample_gamma <- function(alpha, beta = NULL, shape = NULL, dtype = NULL, name = NULL) {
  mx.node("_sample_gamma", list(alpha, beta), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), name)
}

#' Counts of mean mu and variance mu + alpha * mu^2, as floats. The output has the parameters' shape followed
#' by `shape`; parameters outside their range give NaN.
#' @param mu Means.
#' @param alpha Dispersions, of the shape of mu.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.sample_generalized_negative_binomial <- function(mu, alpha, shape = NULL, dtype = NULL) {
  mx.apply("_sample_generalized_negative_binomial", list(mu, alpha), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), TRUE)
}

#' Counts of mean mu and variance mu + alpha * mu^2, as floats. The output has the parameters' shape followed
#' by `shape`; parameters outside their range give NaN.
#' @param mu Means.
#' @param alpha Dispersions, of the shape of mu.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.sample_generalized_negative_binomial <- function(mu, alpha = NULL, shape = NULL, dtype = NULL, name = NULL) {
  mx.node("_sample_generalized_negative_binomial", list(mu, alpha), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), name)
}

#' Indices drawn with the probabilities in each row of data, of shape data.shape[:-1] + shape; with get_prob
#' also the logarithms of their probabilities, through which the gradient flows.
#' @param data Probabilities (..., k) of k categories, each row summing to 1; float.
#' @param shape Extents of the draws of one row; by default a single draw. Default: ().
#' @param get_prob Also give the logarithm of each drawn index's probability. Default: False.
#' @param dtype Element type of the indices. Default: 'int32'.
mx.nd.sample_multinomial <- function(data, shape = NULL, get_prob = FALSE, dtype = "int32") {
  mx.apply("_sample_multinomial", list(data), list(`shape` = shape, `get_prob` = get_prob, `dtype` = dtype), c("ints", "bool", "dtype"), FALSE)
}

#' Indices drawn with the probabilities in each row of data, of shape data.shape[:-1] + shape; with get_prob
#' also the logarithms of their probabilities, through which the gradient flows.
#' @param data Probabilities (..., k) of k categories, each row summing to 1; float.
#' @param shape Extents of the draws of one row; by default a single draw. Default: ().
#' @param get_prob Also give the logarithm of each drawn index's probability. Default: False.
#' @param dtype Element type of the indices. Default: 'int32'.
mx.symbol.sample_multinomial <- function(data, shape = NULL, get_prob = FALSE, dtype = "int32", name = NULL) {
  mx.node("_sample_multinomial", list(data), list(`shape` = shape, `get_prob` = get_prob, `dtype` = dtype), c("ints", "bool", "dtype"), name)
}

#' Failures before success number k, as floats. The output has the parameters' shape followed by `shape`;
#' parameters outside their range give NaN.
#' @param k Successes to wait for.
#' @param p Probabilities of success, of the shape of k.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.sample_negative_binomial <- function(k, p, shape = NULL, dtype = NULL) {
  mx.apply("_sample_negative_binomial", list(k, p), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), TRUE)
}

#' Failures before success number k, as floats. The output has the parameters' shape followed by `shape`;
#' parameters outside their range give NaN.
#' @param k Successes to wait for.
#' @param p Probabilities of success, of the shape of k.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.sample_negative_binomial <- function(k, p = NULL, shape = NULL, dtype = NULL, name = NULL) {
  mx.node("_sample_negative_binomial", list(k, p), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), name)
}

#' Numbers of normal distributions. The output has the parameters' shape followed by `shape`; parameters
#' outside their range give NaN.
#' @param mu Means.
#' @param sigma Standard deviations, of the shape of mu.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.sample_normal <- function(mu, sigma, shape = NULL, dtype = NULL) {
  mx.apply("_sample_normal", list(mu, sigma), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), TRUE)
}

#' Numbers of normal distributions. The output has the parameters' shape followed by `shape`; parameters
#' outside their range give NaN.
#' @param mu Means.
#' @param sigma Standard deviations, of the shape of mu.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.sample_normal <- function(mu, sigma = NULL, shape = NULL, dtype = NULL, name = NULL) {
  mx.node("_sample_normal", list(mu, sigma), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), name)
}

#' Counts of Poisson distributions, as floats. The output has the parameters' shape followed by `shape`;
#' parameters outside their range give NaN.
#' @param lam Means.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.sample_poisson <- function(lam, shape = NULL, dtype = NULL) {
  mx.apply("_sample_poisson", list(lam), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), TRUE)
}

#' Counts of Poisson distributions, as floats. The output has the parameters' shape followed by `shape`;
#' parameters outside their range give NaN.
#' @param lam Means.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.sample_poisson <- function(lam, shape = NULL, dtype = NULL, name = NULL) {
  mx.node("_sample_poisson", list(lam), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), name)
}

#' Numbers spread evenly over [low, high). The output has the parameters' shape followed by `shape`;
#' parameters outside their range give NaN.
#' @param low Least values.
#' @param high Ends of the intervals, of the shape of low.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.nd.sample_uniform <- function(low, high, shape = NULL, dtype = NULL) {
  mx.apply("_sample_uniform", list(low, high), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), TRUE)
}

#' Numbers spread evenly over [low, high). The output has the parameters' shape followed by `shape`;
#' parameters outside their range give NaN.
#' @param low Least values.
#' @param high Ends of the intervals, of the shape of low.
#' @param shape Extents of the block that each element of the parameters gives. Default: ().
#' @param dtype Element type, a float; by default that of the given output, else float32. Default: None.
mx.symbol.sample_uniform <- function(low, high = NULL, shape = NULL, dtype = NULL, name = NULL) {
  mx.node("_sample_uniform", list(low, high), list(`shape` = shape, `dtype` = dtype), c("ints", "optional dtype"), name)
}

#' Zeros of the given shape with data at the indexed places; where indices repeat, the last slice stays. The
#' gradient counts every repeated slice.
#' @param data indices.shape[1:] + shape[M:]
#' @param indices (M, ...); any dtype, fractions are cut off.
#' @param shape Extents of the array that is indexed.
mx.nd.scatter_nd <- function(data, indices, shape) {
  mx.apply("scatter_nd", list(data, indices), list(`shape` = shape), c("ints"), TRUE)
}

#' Zeros of the given shape with data at the indexed places; where indices repeat, the last slice stays. The
#' gradient counts every repeated slice.
#' @param data indices.shape[1:] + shape[M:]
#' @param indices (M, ...); any dtype, fractions are cut off.
#' @param shape Extents of the array that is indexed.
mx.symbol.scatter_nd <- function(data, indices = NULL, shape, name = NULL) {
  mx.node("scatter_nd", list(data, indices), list(`shape` = shape), c("ints"), name)
}

#' mom = momentum * mom - lr * (clip(rescale_grad * grad) + wd * weight); the new weight is weight + mom.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom The last step; changed in place.
#' @param lr Learning rate.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.nd.sgd_mom_update <- function(weight, grad, mom, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE) {
  mx.apply("sgd_mom_update", list(weight, grad, mom), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "float", "bool"), TRUE)
}

#' mom = momentum * mom - lr * (clip(rescale_grad * grad) + wd * weight); the new weight is weight + mom.
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom The last step; changed in place.
#' @param lr Learning rate.
#' @param momentum Part of the last step that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.symbol.sgd_mom_update <- function(weight, grad = NULL, mom = NULL, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE, name = NULL) {
  mx.node("sgd_mom_update", list(weight, grad, mom), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "float", "bool"), name)
}

#' Step against the gradient: weight - lr * (clip(rescale_grad * grad) + wd * weight).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param lr Learning rate.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.nd.sgd_update <- function(weight, grad, lr, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE) {
  mx.apply("sgd_update", list(weight, grad), list(`lr` = lr, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "bool"), TRUE)
}

#' Step against the gradient: weight - lr * (clip(rescale_grad * grad) + wd * weight).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param lr Learning rate.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param lazy_update Accepted for MXNet's sparse gradients; has no effect. Default: True.
mx.symbol.sgd_update <- function(weight, grad = NULL, lr, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, lazy_update = TRUE, name = NULL) {
  mx.node("sgd_update", list(weight, grad), list(`lr` = lr, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `lazy_update` = lazy_update), c("float", "float", "float", "float", "bool"), name)
}

#' The extents of an array as int64.
#' @param data Any array; its elements are not read.
mx.nd.shape_array <- function(data) {
  mx.apply("shape_array", list(data), list(), character(), TRUE)
}

#' The extents of an array as int64.
#' @param data Any array; its elements are not read.
mx.symbol.shape_array <- function(data, name = NULL) {
  mx.node("shape_array", list(data), list(), character(), name)
}

#' The parts of data along its first axis, in random order; each part stays as it is.
#' @param data Any array.
mx.nd.shuffle <- function(data) {
  mx.apply("_shuffle", list(data), list(), character(), TRUE)
}

#' The parts of data along its first axis, in random order; each part stays as it is.
#' @param data Any array.
mx.symbol.shuffle <- function(data, name = NULL) {
  mx.node("_shuffle", list(data), list(), character(), name)
}

#' 1 / (1 + e^-data).
#' @param data Any array.
mx.nd.sigmoid <- function(data) {
  mx.apply("sigmoid", list(data), list(), character(), TRUE)
}

#' 1 / (1 + e^-data).
#' @param data Any array.
mx.symbol.sigmoid <- function(data, name = NULL) {
  mx.node("sigmoid", list(data), list(), character(), name)
}

#' -1, 0 or 1; 0 for NaN.
#' @param data Any array.
mx.nd.sign <- function(data) {
  mx.apply("sign", list(data), list(), character(), TRUE)
}

#' -1, 0 or 1; 0 for NaN.
#' @param data Any array.
mx.symbol.sign <- function(data, name = NULL) {
  mx.node("sign", list(data), list(), character(), name)
}

#' Step by the gradient's sign: (1 - lr * wd) * weight - lr * sign(grad).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param lr Learning rate.
#' @param wd Weight decay: lr times this part of the weight is taken off. Default: 0.0.
#' @param rescale_grad Accepted; changes no sign. Default: 1.0.
#' @param clip_gradient Accepted; changes no sign. Default: -1.0.
mx.nd.signsgd_update <- function(weight, grad, lr, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0) {
  mx.apply("signsgd_update", list(weight, grad), list(`lr` = lr, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float"), TRUE)
}

#' Step by the gradient's sign: (1 - lr * wd) * weight - lr * sign(grad).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param lr Learning rate.
#' @param wd Weight decay: lr times this part of the weight is taken off. Default: 0.0.
#' @param rescale_grad Accepted; changes no sign. Default: 1.0.
#' @param clip_gradient Accepted; changes no sign. Default: -1.0.
mx.symbol.signsgd_update <- function(weight, grad = NULL, lr, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, name = NULL) {
  mx.node("signsgd_update", list(weight, grad), list(`lr` = lr, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient), c("float", "float", "float", "float"), name)
}

#' Step by the sign of an averaged gradient: mom = momentum * mom - (1 - momentum) * (clip(rescale_grad *
#' grad) + wd * weight); the new weight is (1 - lr * wd_lh) * weight + lr * sign(mom).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom Averaged negative gradient; changed in place.
#' @param lr Learning rate.
#' @param momentum Part of the averaged gradient that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param wd_lh Decay of the weight itself, apart from the gradient. Default: 0.0.
mx.nd.signum_update <- function(weight, grad, mom, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, wd_lh = 0.0) {
  mx.apply("signum_update", list(weight, grad, mom), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `wd_lh` = wd_lh), c("float", "float", "float", "float", "float", "float"), TRUE)
}

#' Step by the sign of an averaged gradient: mom = momentum * mom - (1 - momentum) * (clip(rescale_grad *
#' grad) + wd * weight); the new weight is (1 - lr * wd_lh) * weight + lr * sign(mom).
#' @param weight Weights, any float dtype.
#' @param grad Gradient, of the weight's shape.
#' @param mom Averaged negative gradient; changed in place.
#' @param lr Learning rate.
#' @param momentum Part of the averaged gradient that is kept. Default: 0.0.
#' @param wd Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
#' @param rescale_grad Factor of the gradient, applied first. Default: 1.0.
#' @param clip_gradient The gradient is bounded to plus and minus this; a negative value does not bound.
#' Default: -1.0.
#' @param wd_lh Decay of the weight itself, apart from the gradient. Default: 0.0.
mx.symbol.signum_update <- function(weight, grad = NULL, mom = NULL, lr, momentum = 0.0, wd = 0.0, rescale_grad = 1.0, clip_gradient = -1.0, wd_lh = 0.0, name = NULL) {
  mx.node("signum_update", list(weight, grad, mom), list(`lr` = lr, `momentum` = momentum, `wd` = wd, `rescale_grad` = rescale_grad, `clip_gradient` = clip_gradient, `wd_lh` = wd_lh), c("float", "float", "float", "float", "float", "float"), name)
}

#' Sine of an angle in radians.
#' @param data Any array.
mx.nd.sin <- function(data) {
  mx.apply("sin", list(data), list(), character(), TRUE)
}

#' Sine of an angle in radians.
#' @param data Any array.
mx.symbol.sin <- function(data, name = NULL) {
  mx.node("sin", list(data), list(), character(), name)
}

#' Hyperbolic sine.
#' @param data Any array.
mx.nd.sinh <- function(data) {
  mx.apply("sinh", list(data), list(), character(), TRUE)
}

#' Hyperbolic sine.
#' @param data Any array.
mx.symbol.sinh <- function(data, name = NULL) {
  mx.node("sinh", list(data), list(), character(), name)
}

#' The number of elements of an array as int64, shape (1,).
#' @param data Any array; its elements are not read.
mx.nd.size_array <- function(data) {
  mx.apply("size_array", list(data), list(), character(), TRUE)
}

#' The number of elements of an array as int64, shape (1,).
#' @param data Any array; its elements are not read.
mx.symbol.size_array <- function(data, name = NULL) {
  mx.node("size_array", list(data), list(), character(), name)
}

#' A box of the array: begin, end and step per leading axis, with Python's rules for None and negatives.
#' @param data Any array.
#' @param begin First index per leading axis; None is the first in the direction of step.
#' @param end Index after the last per leading axis; None goes to the end.
#' @param step Distance per leading axis; None is 1, negative walks backwards. Default: ().
mx.nd.slice <- function(data, begin, end, step = NULL) {
  mx.apply("slice", list(data), list(`begin` = begin, `end` = end, `step` = step), c("ints", "ints", "ints"), TRUE)
}

#' A box of the array: begin, end and step per leading axis, with Python's rules for None and negatives.
#' @param data Any array.
#' @param begin First index per leading axis; None is the first in the direction of step.
#' @param end Index after the last per leading axis; None goes to the end.
#' @param step Distance per leading axis; None is 1, negative walks backwards. Default: ().
mx.symbol.slice <- function(data, begin, end, step = NULL, name = NULL) {
  mx.node("slice", list(data), list(`begin` = begin, `end` = end, `step` = step), c("ints", "ints", "ints"), name)
}

#' Elements [begin, end) along one axis.
#' @param data Any array.
#' @param axis The axis.
#' @param begin First index; negative counts from the end.
#' @param end Index after the last; None is the extent.
mx.nd.slice_axis <- function(data, axis, begin, end) {
  mx.apply("slice_axis", list(data), list(`axis` = axis, `begin` = begin, `end` = end), c("int", "int", "optional int"), TRUE)
}

#' Elements [begin, end) along one axis.
#' @param data Any array.
#' @param axis The axis.
#' @param begin First index; negative counts from the end.
#' @param end Index after the last; None is the extent.
mx.symbol.slice_axis <- function(data, axis, begin, end, name = NULL) {
  mx.node("slice_axis", list(data), list(`axis` = axis, `begin` = begin, `end` = end), c("int", "int", "optional int"), name)
}

#' The leading part of data that has shape_like's extents, on all axes or on some.
#' @param data Any array.
#' @param shape_like Gives extents; its elements are not read.
#' @param axes Axes to cut; () cuts all. Default: ().
mx.nd.slice_like <- function(data, shape_like, axes = NULL) {
  mx.apply("slice_like", list(data, shape_like), list(`axes` = axes), c("ints"), TRUE)
}

#' The leading part of data that has shape_like's extents, on all axes or on some.
#' @param data Any array.
#' @param shape_like Gives extents; its elements are not read.
#' @param axes Axes to cut; () cuts all. Default: ().
mx.symbol.slice_like <- function(data, shape_like = NULL, axes = NULL, name = NULL) {
  mx.node("slice_like", list(data, shape_like), list(`axes` = axes), c("ints"), name)
}

#' Huber's loss: with s = scalar^2, s x^2 / 2 where |x| < 1 / s, |x| - 1 / (2 s) elsewhere.
#' @param data Any float array.
#' @param scalar Sigma: the parabola ends at |x| = 1 / sigma^2. Default: 1.0.
mx.nd.smooth_l1 <- function(data, scalar = 1.0) {
  mx.apply("smooth_l1", list(data), list(`scalar` = scalar), c("float"), TRUE)
}

#' Huber's loss: with s = scalar^2, s x^2 / 2 where |x| < 1 / s, |x| - 1 / (2 s) elsewhere.
#' @param data Any float array.
#' @param scalar Sigma: the parabola ends at |x| = 1 / sigma^2. Default: 1.0.
mx.symbol.smooth_l1 <- function(data, scalar = 1.0, name = NULL) {
  mx.node("smooth_l1", list(data), list(`scalar` = scalar), c("float"), name)
}

#' exp(x / temperature) along an axis, divided by its sum. Elements from `length` on are 0.
#' @param data Floats. A vector of nothing but -inf gives NaN.
#' @param length Integers, of data's shape without the axis; with use_length=True.
#' @param axis Axis along which the outputs sum to 1. Default: -1.
#' @param temperature The input is divided by it; None is 1. Default: None.
#' @param dtype Element type of the output, a float; None is that of the input. Default: None.
#' @param use_length Takes `length`, the number of elements of each vector that count. Default: False.
mx.nd.softmax <- function(data, length = NULL, axis = -1, temperature = NULL, dtype = NULL, use_length = FALSE) {
  mx.apply("softmax", list(data, length), list(`axis` = axis, `temperature` = temperature, `dtype` = dtype, `use_length` = use_length), c("int", "optional float", "optional dtype", "optional bool"), TRUE)
}

#' exp(x / temperature) along an axis, divided by its sum. Elements from `length` on are 0.
#' @param data Floats. A vector of nothing but -inf gives NaN.
#' @param length Integers, of data's shape without the axis; with use_length=True.
#' @param axis Axis along which the outputs sum to 1. Default: -1.
#' @param temperature The input is divided by it; None is 1. Default: None.
#' @param dtype Element type of the output, a float; None is that of the input. Default: None.
#' @param use_length Takes `length`, the number of elements of each vector that count. Default: False.
mx.symbol.softmax <- function(data, length = NULL, axis = -1, temperature = NULL, dtype = NULL, use_length = FALSE, name = NULL) {
  mx.node("softmax", list(data, length), list(`axis` = axis, `temperature` = temperature, `dtype` = dtype, `use_length` = use_length), c("int", "optional float", "optional dtype", "optional bool"), name)
}

#' Sum over rows of -log(softmax(data)[label]). The label receives no gradient.
#' @param data (N, C), scores of C classes.
#' @param label (N,), class numbers from 0 to C - 1.
mx.nd.softmax_cross_entropy <- function(data, label) {
  mx.apply("softmax_cross_entropy", list(data, label), list(), character(), TRUE)
}

#' Sum over rows of -log(softmax(data)[label]). The label receives no gradient.
#' @param data (N, C), scores of C classes.
#' @param label (N,), class numbers from 0 to C - 1.
mx.symbol.softmax_cross_entropy <- function(data, label = NULL, name = NULL) {
  mx.node("softmax_cross_entropy", list(data, label), list(), character(), name)
}

#' The softmax of -x.
#' @param data Floats. A vector of nothing but -inf gives NaN.
#' @param axis Axis along which the outputs sum to 1. Default: -1.
#' @param temperature The input is divided by it; None is 1. Default: None.
#' @param dtype Element type of the output, a float; None is that of the input. Default: None.
#' @param use_length Takes `length`, the number of elements of each vector that count. Default: False.
mx.nd.softmin <- function(data, axis = -1, temperature = NULL, dtype = NULL, use_length = FALSE) {
  mx.apply("softmin", list(data), list(`axis` = axis, `temperature` = temperature, `dtype` = dtype, `use_length` = use_length), c("int", "optional float", "optional dtype", "optional bool"), TRUE)
}

#' The softmax of -x.
#' @param data Floats. A vector of nothing but -inf gives NaN.
#' @param axis Axis along which the outputs sum to 1. Default: -1.
#' @param temperature The input is divided by it; None is 1. Default: None.
#' @param dtype Element type of the output, a float; None is that of the input. Default: None.
#' @param use_length Takes `length`, the number of elements of each vector that count. Default: False.
mx.symbol.softmin <- function(data, axis = -1, temperature = NULL, dtype = NULL, use_length = FALSE, name = NULL) {
  mx.node("softmin", list(data), list(`axis` = axis, `temperature` = temperature, `dtype` = dtype, `use_length` = use_length), c("int", "optional float", "optional dtype", "optional bool"), name)
}

#' log(1 + e^data), a smooth relu.
#' @param data Any array.
mx.nd.softrelu <- function(data) {
  mx.apply("softrelu", list(data), list(), character(), TRUE)
}

#' log(1 + e^data), a smooth relu.
#' @param data Any array.
mx.symbol.softrelu <- function(data, name = NULL) {
  mx.node("softrelu", list(data), list(), character(), name)
}

#' data / (1 + |data|).
#' @param data Any array.
mx.nd.softsign <- function(data) {
  mx.apply("softsign", list(data), list(), character(), TRUE)
}

#' data / (1 + |data|).
#' @param data Any array.
mx.symbol.softsign <- function(data, name = NULL) {
  mx.node("softsign", list(data), list(), character(), name)
}

#' Sorted along an axis. Equal elements keep their order; NaN counts as larger than all.
#' @param data Any array.
#' @param axis The sorted axis; None sorts the flattened array. Default: -1.
#' @param is_ascend Smallest first. Default: True.
mx.nd.sort <- function(data, axis = -1, is_ascend = TRUE) {
  mx.apply("sort", list(data), list(`axis` = axis, `is_ascend` = is_ascend), c("optional int", "bool"), FALSE)
}

#' Sorted along an axis. Equal elements keep their order; NaN counts as larger than all.
#' @param data Any array.
#' @param axis The sorted axis; None sorts the flattened array. Default: -1.
#' @param is_ascend Smallest first. Default: True.
mx.symbol.sort <- function(data, axis = -1, is_ascend = TRUE, name = NULL) {
  mx.node("sort", list(data), list(`axis` = axis, `is_ascend` = is_ascend), c("optional int", "bool"), name)
}

#' Stacks blocks of space as channels; the inverse of depth_to_space.
#' @param data (N, C, H*b, W*b)
#' @param block_size Side b of the square blocks.
mx.nd.space_to_depth <- function(data, block_size) {
  mx.apply("space_to_depth", list(data), list(`block_size` = block_size), c("int"), TRUE)
}

#' Stacks blocks of space as channels; the inverse of depth_to_space.
#' @param data (N, C, H*b, W*b)
#' @param block_size Side b of the square blocks.
mx.symbol.space_to_depth <- function(data, block_size, name = NULL) {
  mx.node("space_to_depth", list(data), list(`block_size` = block_size), c("int"), name)
}

#' Square root; NaN below 0.
#' @param data Any array.
mx.nd.sqrt <- function(data) {
  mx.apply("sqrt", list(data), list(), character(), TRUE)
}

#' Square root; NaN below 0.
#' @param data Any array.
mx.symbol.sqrt <- function(data, name = NULL) {
  mx.node("sqrt", list(data), list(), character(), name)
}

#' data * data.
#' @param data Any array.
mx.nd.square <- function(data) {
  mx.apply("square", list(data), list(), character(), TRUE)
}

#' data * data.
#' @param data Any array.
mx.symbol.square <- function(data, name = NULL) {
  mx.node("square", list(data), list(), character(), name)
}

#' Drops axes of extent 1; an array that consists of such axes keeps one.
#' @param data Any array.
#' @param axis Axes of extent 1 to drop; None drops all of them. Default: None.
mx.nd.squeeze <- function(data, axis = NULL) {
  mx.apply("squeeze", list(data), list(`axis` = axis), c("optional ints"), TRUE)
}

#' Drops axes of extent 1; an array that consists of such axes keeps one.
#' @param data Any array.
#' @param axis Axes of extent 1 to drop; None drops all of them. Default: None.
mx.symbol.squeeze <- function(data, axis = NULL, name = NULL) {
  mx.node("squeeze", list(data), list(`axis` = axis), c("optional ints"), name)
}

#' Joins arrays of one shape along a new axis.
#' @param data Arrays of one shape and dtype.
#' @param axis Where the new axis comes to lie in the output. Default: 0.
mx.nd.stack <- function(..., axis = 0) {
  mx.apply("stack", mx.varargs(...), list(`axis` = axis), c("int"), TRUE)
}

#' Joins arrays of one shape along a new axis.
#' @param data Arrays of one shape and dtype.
#' @param axis Where the new axis comes to lie in the output. Default: 0.
mx.symbol.stack <- function(..., axis = 0, name = NULL) {
  mx.node("stack", mx.varargs(...), list(`axis` = axis), c("int"), name)
}

#' Sum over axes. The error of a float sum does not grow with its length.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.nd.sum <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE) {
  mx.apply("sum", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), TRUE)
}

#' Sum over axes. The error of a float sum does not grow with its length.
#' @param data Any array. Integers are joined in int64 and wrap to the input's dtype.
#' @param axis Axis or axes to reduce; None and () mean all. Default: None.
#' @param keepdims Keeps reduced axes, with extent 1. Default: False.
#' @param exclude Reduces all axes but those in `axis`. Default: False.
mx.symbol.sum <- function(data, axis = NULL, keepdims = FALSE, exclude = FALSE, name = NULL) {
  mx.node("sum", list(data), list(`axis` = axis, `keepdims` = keepdims, `exclude` = exclude), c("optional ints", "bool", "bool"), name)
}

#' Slices of a at the indices along an axis: shape a[:axis] + indices.shape + a[axis+1:].
#' @param a At least one axis.
#' @param indices Any shape and dtype; fractions are cut off.
#' @param axis The indexed axis. Default: 0.
#' @param mode Indices outside the axis are clipped, fail, or wrap around. One of "clip", "raise", "wrap".
#' Default: 'clip'.
mx.nd.take <- function(a, indices, axis = 0, mode = "clip") {
  mx.apply("take", list(a, indices), list(`axis` = axis, `mode` = mode), c("int", "str"), TRUE)
}

#' Slices of a at the indices along an axis: shape a[:axis] + indices.shape + a[axis+1:].
#' @param a At least one axis.
#' @param indices Any shape and dtype; fractions are cut off.
#' @param axis The indexed axis. Default: 0.
#' @param mode Indices outside the axis are clipped, fail, or wrap around. One of "clip", "raise", "wrap".
#' Default: 'clip'.
mx.symbol.take <- function(a, indices = NULL, axis = 0, mode = "clip", name = NULL) {
  mx.node("take", list(a, indices), list(`axis` = axis, `mode` = mode), c("int", "str"), name)
}

#' Tangent of an angle in radians.
#' @param data Any array.
mx.nd.tan <- function(data) {
  mx.apply("tan", list(data), list(), character(), TRUE)
}

#' Tangent of an angle in radians.
#' @param data Any array.
mx.symbol.tan <- function(data, name = NULL) {
  mx.node("tan", list(data), list(), character(), name)
}

#' Hyperbolic tangent.
#' @param data Any array.
mx.nd.tanh <- function(data) {
  mx.apply("tanh", list(data), list(), character(), TRUE)
}

#' Hyperbolic tangent.
#' @param data Any array.
mx.symbol.tanh <- function(data, name = NULL) {
  mx.node("tanh", list(data), list(), character(), name)
}

#' Lays copies of the whole array side by side along axes.
#' @param data Any array; missing leading axes count as 1.
#' @param reps Repetitions per axis, aligned with the last; missing ones are 1.
mx.nd.tile <- function(data, reps) {
  mx.apply("tile", list(data), list(`reps` = reps), c("ints"), TRUE)
}

#' Lays copies of the whole array side by side along axes.
#' @param data Any array; missing leading axes count as 1.
#' @param reps Repetitions per axis, aligned with the last; missing ones are 1.
mx.symbol.tile <- function(data, reps, name = NULL) {
  mx.node("tile", list(data), list(`reps` = reps), c("ints"), name)
}

#' The k largest (or smallest) elements along an axis, in order, as values, indices or a mask. Of equal
#' elements the first ones are taken.
#' @param data Any array.
#' @param axis The axis; None takes the flattened array. Default: -1.
#' @param k How many elements; below 1 all. Default: 1.
#' @param ret_typ The elements, their indices, 1 where an element is among them, or elements and indices. One
#' of "both", "indices", "mask", "value". Default: 'indices'.
#' @param is_ascend The smallest instead of the largest. Default: False.
#' @param dtype Element type of the indices. Default: 'float32'.
mx.nd.topk <- function(data, axis = -1, k = 1, ret_typ = "indices", is_ascend = FALSE, dtype = "float32") {
  mx.apply("topk", list(data), list(`axis` = axis, `k` = k, `ret_typ` = ret_typ, `is_ascend` = is_ascend, `dtype` = dtype), c("optional int", "int", "str", "bool", "dtype"), FALSE)
}

#' The k largest (or smallest) elements along an axis, in order, as values, indices or a mask. Of equal
#' elements the first ones are taken.
#' @param data Any array.
#' @param axis The axis; None takes the flattened array. Default: -1.
#' @param k How many elements; below 1 all. Default: 1.
#' @param ret_typ The elements, their indices, 1 where an element is among them, or elements and indices. One
#' of "both", "indices", "mask", "value". Default: 'indices'.
#' @param is_ascend The smallest instead of the largest. Default: False.
#' @param dtype Element type of the indices. Default: 'float32'.
mx.symbol.topk <- function(data, axis = -1, k = 1, ret_typ = "indices", is_ascend = FALSE, dtype = "float32", name = NULL) {
  mx.node("topk", list(data), list(`axis` = axis, `k` = k, `ret_typ` = ret_typ, `is_ascend` = is_ascend, `dtype` = dtype), c("optional int", "int", "str", "bool", "dtype"), name)
}

#' Permutes the axes.
#' @param data Any array.
#' @param axes Axis i of the output is axis axes[i] of the input; () reverses all. Default: ().
mx.nd.transpose <- function(data, axes = NULL) {
  mx.apply("transpose", list(data), list(`axes` = axes), c("ints"), TRUE)
}

#' Permutes the axes.
#' @param data Any array.
#' @param axes Axis i of the output is axis axes[i] of the input; () reverses all. Default: ().
mx.symbol.transpose <- function(data, axes = NULL, name = NULL) {
  mx.node("transpose", list(data), list(`axes` = axes), c("ints"), name)
}

#' Integer part: rounded toward 0.
#' @param data Any array.
mx.nd.trunc <- function(data) {
  mx.apply("trunc", list(data), list(), character(), TRUE)
}

#' Integer part: rounded toward 0.
#' @param data Any array.
mx.symbol.trunc <- function(data, name = NULL) {
  mx.node("trunc", list(data), list(), character(), name)
}

#' Coordinates of flat row-major indices: shape (number of axes,) + data.shape. What exceeds the array stays
#' in the first coordinate.
#' @param data Any shape.
#' @param shape Extents of the array that is indexed; the first one may be -1. Default: ().
mx.nd.unravel_index <- function(data, shape = NULL) {
  mx.apply("_unravel_index", list(data), list(`shape` = shape), c("ints"), TRUE)
}

#' Coordinates of flat row-major indices: shape (number of axes,) + data.shape. What exceeds the array stays
#' in the first coordinate.
#' @param data Any shape.
#' @param shape Extents of the array that is indexed; the first one may be -1. Default: ().
mx.symbol.unravel_index <- function(data, shape = NULL, name = NULL) {
  mx.node("_unravel_index", list(data), list(`shape` = shape), c("ints"), name)
}

#' Elements of x where condition is not 0, of y elsewhere. Shapes broadcast as in NumPy; a condition with one
#' axis, as long as the first axis of x and y, selects rows.
#' @param condition Any dtype.
#' @param x Taken where the condition is not 0.
#' @param y Taken where it is 0; of the dtype of x.
mx.nd.where <- function(condition, x, y) {
  mx.apply("where", list(condition, x, y), list(), character(), TRUE)
}

#' Elements of x where condition is not 0, of y elsewhere. Shapes broadcast as in NumPy; a condition with one
#' axis, as long as the first axis of x and y, selects rows.
#' @param condition Any dtype.
#' @param x Taken where the condition is not 0.
#' @param y Taken where it is 0; of the dtype of x.
mx.symbol.where <- function(condition, x = NULL, y = NULL, name = NULL) {
  mx.node("where", list(condition, x, y), list(), character(), name)
}

#' Zeros with the shape and dtype of the input.
#' @param data Any array.
mx.nd.zeros_like <- function(data) {
  mx.apply("zeros_like", list(data), list(), character(), TRUE)
}

#' Zeros with the shape and dtype of the input.
#' @param data Any array.
mx.symbol.zeros_like <- function(data, name = NULL) {
  mx.node("zeros_like", list(data), list(), character(), name)
}
