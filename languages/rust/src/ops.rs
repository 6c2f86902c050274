//! Operators. Written by tools/generate_languages.py: do not edit.
//!
//! Each type holds the parameters of one operator; `call` applies it to arrays or to symbols. Inputs given as
//! `None` are absent (arrays) or become variables (symbols).

use crate::operator::{Operand, Params};
use crate::{DType, NDArray, Result, Symbol};

/// The activation function named by act_type, element by element.
///
/// Source: MXNet Activation.
#[derive(Clone, Debug, Default)]
pub struct Activation(Params);

impl Activation {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Which function. One of "log_sigmoid", "relu", "sigmoid", "softrelu", "softsign", "tanh".
    pub fn act_type(mut self, value: impl Into<String>) -> Self {
        self.0.set("act_type", value.into());
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("Activation", &[Some(data)], &self.0)
    }
}

/// Each channel shifted and scaled to mean 0 and variance 1, then times gamma plus beta. In
/// training the statistics are those of the batch (its variance divides by the number of elements),
/// and the moving averages move towards them in the same call; in prediction the moving averages
/// serve.
///
/// Source: MXNet BatchNorm; https://arxiv.org/abs/1502.03167.
#[derive(Clone, Debug, Default)]
pub struct BatchNorm(Params);

impl BatchNorm {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Added to the variance. Default: 0.001.
    pub fn eps(mut self, value: f64) -> Self {
        self.0.set("eps", value);
        self
    }

    /// Share of the old value in a moving average. Default: 0.9.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Takes gamma as 1 and gives it no gradient. Default: True.
    pub fn fix_gamma(mut self, value: bool) -> Self {
        self.0.set("fix_gamma", value);
        self
    }

    /// Normalises with the moving averages in training too, and leaves them. Default: False.
    pub fn use_global_stats(mut self, value: bool) -> Self {
        self.0.set("use_global_stats", value);
        self
    }

    /// Also gives mean and 1 / sqrt(variance + eps) per channel; they pass no gradient on. Default:
    /// False.
    pub fn output_mean_var(mut self, value: bool) -> Self {
        self.0.set("output_mean_var", value);
        self
    }

    /// Axis of the channels. Default: 1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Accepted for MXNet's sake; changes nothing. Default: False.
    pub fn cudnn_off(mut self, value: bool) -> Self {
        self.0.set("cudnn_off", value);
        self
    }

    /// Accepted for MXNet's sake; changes nothing. Default: None.
    pub fn min_calib_range(mut self, value: f64) -> Self {
        self.0.set("min_calib_range", value);
        self
    }

    /// Accepted for MXNet's sake; changes nothing. Default: None.
    pub fn max_calib_range(mut self, value: f64) -> Self {
        self.0.set("max_calib_range", value);
        self
    }

    /// * `data`: Floats; axis 1, or `axis`, holds the channels.
    /// * `gamma`: (C,): scale; taken as 1 while fix_gamma is set.
    /// * `beta`: (C,): shift.
    /// * `moving_mean`: (C,): moving average of means.
    /// * `moving_var`: (C,): moving average of variances.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        gamma: impl Into<Option<&'a T>>,
        beta: impl Into<Option<&'a T>>,
        moving_mean: impl Into<Option<&'a T>>,
        moving_var: impl Into<Option<&'a T>>,
    ) -> Result<T::Several> {
        T::apply("BatchNorm", &[Some(data), gamma.into(), beta.into(), moving_mean.into(), moving_var.into()], &self.0)
    }
}

/// (batch, channels, rows, columns): data at the positions of the grid, weighing the four pixels
/// around each. What lies outside of the image counts as 0.
///
/// Source: MXNet BilinearSampler; Jaderberg and others 2015.
#[derive(Clone, Debug, Default)]
pub struct BilinearSampler(Params);

impl BilinearSampler {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Accepted for MXNet's scripts; has no effect. Default: None.
    pub fn cudnn_off(mut self, value: bool) -> Self {
        self.0.set("cudnn_off", value);
        self
    }

    /// * `data`: Images (batch, channels, height, width), float.
    /// * `grid`: (batch, 2, rows, columns): x, then y; -1 is the first pixel of the axis and 1 the
    /// last.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        grid: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("BilinearSampler", &[Some(data), grid.into()], &self.0)
    }
}

/// A copy through which no gradient flows.
///
/// Source: MXNet BlockGrad.
#[derive(Clone, Debug, Default)]
pub struct BlockGrad(Params);

impl BlockGrad {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("BlockGrad", &[Some(data)], &self.0)
    }
}

/// (batch,): minus the logarithm of the probability that softmax of data gives the labels, with
/// blanks between them and repetitions. 0, without a gradient, where the labels do not fit the
/// steps.
///
/// Source: MXNet CTCLoss; Graves and others 2006.
#[derive(Clone, Debug, Default)]
pub struct CTCLoss(Params);

impl CTCLoss {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether data_lengths is given; else all steps count. Default: False.
    pub fn use_data_lengths(mut self, value: bool) -> Self {
        self.0.set("use_data_lengths", value);
        self
    }

    /// Whether label_lengths is given; else labels end at the first padding. Default: False.
    pub fn use_label_lengths(mut self, value: bool) -> Self {
        self.0.set("use_label_lengths", value);
        self
    }

    /// Which class is the blank. first: labels are 1 to C - 1, padding is 0; last: 0 to C - 2, and
    /// -1. One of "first", "last". Default: 'first'.
    pub fn blank_label(mut self, value: impl Into<String>) -> Self {
        self.0.set("blank_label", value.into());
        self
    }

    /// * `data`: (steps, batch, classes): scores, one class being the blank.
    /// * `label`: (batch, labels): class numbers, padded. Receives no gradient.
    /// * `data_lengths`: (batch,): steps that count. Receives no gradient.
    /// * `label_lengths`: (batch,): labels that count. Receives no gradient.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        label: impl Into<Option<&'a T>>,
        data_lengths: impl Into<Option<&'a T>>,
        label_lengths: impl Into<Option<&'a T>>,
    ) -> Result<T::Several> {
        T::apply("CTCLoss", &[Some(data), label.into(), data_lengths.into(), label_lengths.into()], &self.0)
    }
}

/// Changes the element type. Floats are truncated toward zero to integers; anything but 0 is true.
///
/// Source: MXNet Cast.
#[derive(Clone, Debug, Default)]
pub struct Cast(Params);

impl Cast {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Element type of the output.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("Cast", &[Some(data)], &self.0)
    }
}

/// Joins arrays along an axis; their other extents agree.
///
/// Source: MXNet Concat.
#[derive(Clone, Debug, Default)]
pub struct Concat(Params);

impl Concat {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The axis along which they follow one another. Default: 1.
    pub fn dim(mut self, value: i64) -> Self {
        self.0.set("dim", value);
        self
    }

    /// * `data`: Arrays of one dtype.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply_one("Concat", &inputs, &self.0)
    }
}

/// Sum of products of a window's weights with the input under it, at every place of the window.
/// Data (n, channels, in...) gives (n, num_filter, out...), where an output extent is floor((in + 2
/// pad - dilate (kernel - 1) - 1) / stride) + 1.
///
/// Source: MXNet Convolution.
#[derive(Clone, Debug, Default)]
pub struct Convolution(Params);

impl Convolution {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the window: (w,), (h, w) or (d, h, w).
    pub fn kernel(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("kernel", value.into());
        self
    }

    /// Steps of the window; empty means ones. Default: ().
    pub fn stride(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("stride", value.into());
        self
    }

    /// Distance of the input elements under neighbouring weights; empty means ones. Default: ().
    pub fn dilate(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("dilate", value.into());
        self
    }

    /// Zeros added at both ends of each axis; empty means none. Default: ().
    pub fn pad(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("pad", value.into());
        self
    }

    /// Channels of the output.
    pub fn num_filter(mut self, value: i64) -> Self {
        self.0.set("num_filter", value);
        self
    }

    /// Groups of channels that are convolved apart. Default: 1.
    pub fn num_group(mut self, value: i64) -> Self {
        self.0.set("num_group", value);
        self
    }

    /// Accepted and ignored. Default: 1024.
    pub fn workspace(mut self, value: i64) -> Self {
        self.0.set("workspace", value);
        self
    }

    /// Leave the bias out; the operator then has two inputs. Default: False.
    pub fn no_bias(mut self, value: bool) -> Self {
        self.0.set("no_bias", value);
        self
    }

    /// Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
    pub fn cudnn_tune(mut self, value: impl Into<String>) -> Self {
        self.0.set("cudnn_tune", value.into());
        self
    }

    /// Accepted and ignored. Default: False.
    pub fn cudnn_off(mut self, value: bool) -> Self {
        self.0.set("cudnn_off", value);
        self
    }

    /// Order of axes; None is channels first. Channels-last weights are (num_filter, window...,
    /// channels). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
    pub fn layout(mut self, value: impl Into<String>) -> Self {
        self.0.set("layout", value.into());
        self
    }

    /// * `data`: Float array with one, two or three spatial axes.
    /// * `weight`: (num_filter, channels / num_group, window...).
    /// * `bias`: (num_filter,); absent with no_bias.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        weight: impl Into<Option<&'a T>>,
        bias: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("Convolution", &[Some(data), weight.into(), bias.into()], &self.0)
    }
}

/// (batch, displacements, rows, columns): the mean over patch and channels of data1 times data2, or
/// of their absolute difference, for every displacement of the patch in data2, rows first.
///
/// Source: MXNet Correlation; Dosovitskiy and others 2015.
#[derive(Clone, Debug, Default)]
pub struct Correlation(Params);

impl Correlation {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extent of the square patches, odd. Default: 1.
    pub fn kernel_size(mut self, value: i64) -> Self {
        self.0.set("kernel_size", value);
        self
    }

    /// Largest displacement, in pixels. Default: 1.
    pub fn max_displacement(mut self, value: i64) -> Self {
        self.0.set("max_displacement", value);
        self
    }

    /// Pixels between patches of data1. Default: 1.
    pub fn stride1(mut self, value: i64) -> Self {
        self.0.set("stride1", value);
        self
    }

    /// Pixels between displacements. Default: 1.
    pub fn stride2(mut self, value: i64) -> Self {
        self.0.set("stride2", value);
        self
    }

    /// Zeros around both images. Default: 0.
    pub fn pad_size(mut self, value: i64) -> Self {
        self.0.set("pad_size", value);
        self
    }

    /// Whether values are multiplied; else their absolute difference is taken. Default: True.
    pub fn is_multiply(mut self, value: bool) -> Self {
        self.0.set("is_multiply", value);
        self
    }

    /// * `data1`: Images (batch, channels, height, width), float.
    /// * `data2`: Images of the same shape.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data1: &'a T,
        data2: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("Correlation", &[Some(data1), data2.into()], &self.0)
    }
}

/// The window (batch, channels, h, w) of images at an offset or in the middle. Its size is h_w, or
/// with two inputs the height and width of the second one, which passes no gradient on.
///
/// Source: MXNet Crop.
#[derive(Clone, Debug, Default)]
pub struct Crop(Params);

impl Crop {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// First row and column of the window. Default: (0, 0).
    pub fn offset(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("offset", value.into());
        self
    }

    /// Height and width of the window; only with one input. Default: (0, 0).
    pub fn h_w(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("h_w", value.into());
        self
    }

    /// Put the window into the middle instead of at offset. Default: False.
    pub fn center_crop(mut self, value: bool) -> Self {
        self.0.set("center_crop", value);
        self
    }

    /// * `data`: Images (batch, channels, height, width) of any dtype.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply_one("Crop", &inputs, &self.0)
    }
}

/// What an operator of the program computes: one that mx.operator.register has given a name. All
/// parameters but op_type are its own, as text.
///
/// Source: MXNet Custom.
#[derive(Clone, Debug, Default)]
pub struct Custom(Params);

impl Custom {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The name that the operator was registered under.
    pub fn op_type(mut self, value: impl Into<String>) -> Self {
        self.0.set("op_type", value.into());
        self
    }

    /// * `data`: What the operator reads: its arguments, then its states.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("Custom", &inputs, &self.0)
    }
}

/// Transpose of Convolution: every input element adds its multiple of the window to the output. An
/// output extent is stride (in - 1) + dilate (kernel - 1) + 1 + adj - 2 pad.
///
/// Source: MXNet Deconvolution.
#[derive(Clone, Debug, Default)]
pub struct Deconvolution(Params);

impl Deconvolution {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the window: (w,), (h, w) or (d, h, w).
    pub fn kernel(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("kernel", value.into());
        self
    }

    /// Steps of the window over the output; empty means ones. Default: ().
    pub fn stride(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("stride", value.into());
        self
    }

    /// Distance of the output elements under neighbouring weights; empty means ones. Default: ().
    pub fn dilate(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("dilate", value.into());
        self
    }

    /// Elements cut from both ends of each output axis; empty means none. Default: ().
    pub fn pad(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("pad", value.into());
        self
    }

    /// Elements added behind each output axis; less than stride. Empty means none. Default: ().
    pub fn adj(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("adj", value.into());
        self
    }

    /// Spatial extents of the output; pad and adj then follow from it. Default: ().
    pub fn target_shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("target_shape", value.into());
        self
    }

    /// Channels of the output.
    pub fn num_filter(mut self, value: i64) -> Self {
        self.0.set("num_filter", value);
        self
    }

    /// Groups of channels that are convolved apart. Default: 1.
    pub fn num_group(mut self, value: i64) -> Self {
        self.0.set("num_group", value);
        self
    }

    /// Accepted and ignored. Default: 512.
    pub fn workspace(mut self, value: i64) -> Self {
        self.0.set("workspace", value);
        self
    }

    /// Leave the bias out; the operator then has two inputs. Default: True.
    pub fn no_bias(mut self, value: bool) -> Self {
        self.0.set("no_bias", value);
        self
    }

    /// Accepted and ignored. One of "fastest", "limited_workspace", "off". Default: None.
    pub fn cudnn_tune(mut self, value: impl Into<String>) -> Self {
        self.0.set("cudnn_tune", value.into());
        self
    }

    /// Accepted and ignored. Default: False.
    pub fn cudnn_off(mut self, value: bool) -> Self {
        self.0.set("cudnn_off", value);
        self
    }

    /// Order of axes; None is channels first. Channels-last weights are (channels, window...,
    /// num_filter). One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC". Default: None.
    pub fn layout(mut self, value: impl Into<String>) -> Self {
        self.0.set("layout", value.into());
        self
    }

    /// * `data`: Float array with one, two or three spatial axes.
    /// * `weight`: (channels, num_filter / num_group, window...).
    /// * `bias`: (num_filter,); absent with no_bias.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        weight: impl Into<Option<&'a T>>,
        bias: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("Deconvolution", &[Some(data), weight.into(), bias.into()], &self.0)
    }
}

/// While training, each element becomes 0 with probability p and is divided by 1 - p otherwise;
/// when predicting, unless mode is 'always', the output is the input.
///
/// Source: MXNet Dropout; Srivastava and others 2014.
#[derive(Clone, Debug, Default)]
pub struct Dropout(Params);

impl Dropout {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Part of the elements that become 0. Default: 0.5.
    pub fn p(mut self, value: f64) -> Self {
        self.0.set("p", value);
        self
    }

    /// Whether to drop also when predicting. One of "always", "training". Default: 'training'.
    pub fn mode(mut self, value: impl Into<String>) -> Self {
        self.0.set("mode", value.into());
        self
    }

    /// Axes along which elements share one decision. Default: ().
    pub fn axes(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axes", value.into());
        self
    }

    /// Accepted for MXNet's scripts; has no effect. Default: False.
    pub fn cudnn_off(mut self, value: bool) -> Self {
        self.0.set("cudnn_off", value);
        self
    }

    /// * `data`: Any float array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T::Several> {
        T::apply("Dropout", &[Some(data)], &self.0)
    }
}

/// The row of weight for every index: shape data.shape + (output_dim,). Indices outside are
/// clipped.
///
/// Source: MXNet Embedding.
#[derive(Clone, Debug, Default)]
pub struct Embedding(Params);

impl Embedding {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Number of rows of weight.
    pub fn input_dim(mut self, value: i64) -> Self {
        self.0.set("input_dim", value);
        self
    }

    /// Extent of a row.
    pub fn output_dim(mut self, value: i64) -> Self {
        self.0.set("output_dim", value);
        self
    }

    /// Dtype of weight where nothing else says it. Default: 'float32'.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// The gradient of weight is row_sparse. Default: False.
    pub fn sparse_grad(mut self, value: bool) -> Self {
        self.0.set("sparse_grad", value);
        self
    }

    /// * `data`: Indices of any shape and dtype; fractions are cut off.
    /// * `weight`: (input_dim, output_dim)
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        weight: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("Embedding", &[Some(data), weight.into()], &self.0)
    }
}

/// Merges all axes but the first: (N, a, b, ...) becomes (N, a*b*...).
///
/// Source: MXNet Flatten.
#[derive(Clone, Debug, Default)]
pub struct Flatten(Params);

impl Flatten {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array; (N,) becomes (N, 1).
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("Flatten", &[Some(data)], &self.0)
    }
}

/// Product of every sample with the transposed weight, plus a bias: data (n, ...) and weight
/// (num_hidden, depth) give (n, num_hidden).
///
/// Source: MXNet FullyConnected.
#[derive(Clone, Debug, Default)]
pub struct FullyConnected(Params);

impl FullyConnected {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extent of the last axis of the output.
    pub fn num_hidden(mut self, value: i64) -> Self {
        self.0.set("num_hidden", value);
        self
    }

    /// Leave the bias out; the operator then has two inputs. Default: False.
    pub fn no_bias(mut self, value: bool) -> Self {
        self.0.set("no_bias", value);
        self
    }

    /// Treat every sample as one row; otherwise only the last axis is multiplied. Default: True.
    pub fn flatten(mut self, value: bool) -> Self {
        self.0.set("flatten", value);
        self
    }

    /// * `data`: Float array; the first axis counts samples.
    /// * `weight`: (num_hidden, depth), where depth is the size of one sample.
    /// * `bias`: (num_hidden,); absent with no_bias.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        weight: impl Into<Option<&'a T>>,
        bias: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("FullyConnected", &[Some(data), weight.into(), bias.into()], &self.0)
    }
}

/// Grid (batch, 2, height, width) of positions (x, y), where -1 and 1 are the first and the last
/// pixel of an axis. affine multiplies 2 x 3 matrices by (x, y, 1) of every pixel; warp adds
/// shifts, in pixels, to every pixel's own position.
///
/// Source: MXNet GridGenerator; Jaderberg and others 2015.
#[derive(Clone, Debug, Default)]
pub struct GridGenerator(Params);

impl GridGenerator {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether data holds matrices or a shift in pixels for each position. One of "affine", "warp".
    pub fn transform_type(mut self, value: impl Into<String>) -> Self {
        self.0.set("transform_type", value.into());
        self
    }

    /// Of affine: height and width of the grid. Default: (0, 0).
    pub fn target_shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("target_shape", value.into());
        self
    }

    /// * `data`: affine: (batch, 6), the rows of the matrices. warp: (batch, 2, height, width).
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T::Several> {
        T::apply("GridGenerator", &[Some(data)], &self.0)
    }
}

/// Each group of neighbouring channels of each sample shifted and scaled to mean 0 and variance 1,
/// then times gamma plus beta.
///
/// Source: MXNet GroupNorm; https://arxiv.org/abs/1803.08494.
#[derive(Clone, Debug, Default)]
pub struct GroupNorm(Params);

impl GroupNorm {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Groups into which the channels of axis 1 fall. Default: 1.
    pub fn num_groups(mut self, value: i64) -> Self {
        self.0.set("num_groups", value);
        self
    }

    /// Added to the variance. Default: 1e-05.
    pub fn eps(mut self, value: f64) -> Self {
        self.0.set("eps", value);
        self
    }

    /// Also gives mean and standard deviation (N, groups), sqrt(variance + eps); they pass no
    /// gradient on. Default: False.
    pub fn output_mean_var(mut self, value: bool) -> Self {
        self.0.set("output_mean_var", value);
        self
    }

    /// * `data`: (N, C, ...), floats. Statistics are computed in float or double.
    /// * `gamma`: (num_groups,): one per group.
    /// * `beta`: (num_groups,): one per group.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        gamma: impl Into<Option<&'a T>>,
        beta: impl Into<Option<&'a T>>,
    ) -> Result<T::Several> {
        T::apply("GroupNorm", &[Some(data), gamma.into(), beta.into()], &self.0)
    }
}

/// A copy of activations between 0 and 1. In training, to the gradient comes the Kullback-Leibler
/// divergence's between a target and each channel's moving average, times penalty: activations
/// become sparse.
///
/// Source: MXNet IdentityAttachKLSparseReg.
#[derive(Clone, Debug, Default)]
pub struct IdentityAttachKLSparseReg(Params);

impl IdentityAttachKLSparseReg {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The mean that is aimed at. Default: 0.1.
    pub fn sparseness_target(mut self, value: f64) -> Self {
        self.0.set("sparseness_target", value);
        self
    }

    /// Factor of the added gradient. Default: 0.001.
    pub fn penalty(mut self, value: f64) -> Self {
        self.0.set("penalty", value);
        self
    }

    /// Share of the old value in a moving average. Default: 0.9.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// * `data`: (batch, channels, ...), float.
    /// * `moving_avg`: (channels,): moving average of means.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        moving_avg: impl Into<Option<&'a T>>,
    ) -> Result<T::Several> {
        T::apply("IdentityAttachKLSparseReg", &[Some(data), moving_avg.into()], &self.0)
    }
}

/// Each channel of each sample shifted and scaled to mean 0 and variance 1, then times gamma plus
/// beta.
///
/// Source: MXNet InstanceNorm; https://arxiv.org/abs/1607.08022.
#[derive(Clone, Debug, Default)]
pub struct InstanceNorm(Params);

impl InstanceNorm {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Added to the variance. Default: 0.001.
    pub fn eps(mut self, value: f64) -> Self {
        self.0.set("eps", value);
        self
    }

    /// * `data`: (N, C, ...), floats. Statistics are computed in float or double.
    /// * `gamma`: (C,): one per channel.
    /// * `beta`: (C,): one per channel.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        gamma: impl Into<Option<&'a T>>,
        beta: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("InstanceNorm", &[Some(data), gamma.into(), beta.into()], &self.0)
    }
}

/// Divides each vector by the square root of its sum of squares plus eps.
///
/// Source: MXNet L2Normalization; ParseNet, https://arxiv.org/abs/1506.04579.
#[derive(Clone, Debug, Default)]
pub struct L2Normalization(Params);

impl L2Normalization {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Added to the sum of squares. Default: 1e-10.
    pub fn eps(mut self, value: f64) -> Self {
        self.0.set("eps", value);
        self
    }

    /// Which elements of (N, C, ...) form a vector: the channels of a position, a whole sample, or
    /// the positions of a channel. One of "channel", "instance", "spatial". Default: 'instance'.
    pub fn mode(mut self, value: impl Into<String>) -> Self {
        self.0.set("mode", value.into());
        self
    }

    /// * `data`: (N, ...) for mode instance, else (N, C, ...) with at least three axes.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("L2Normalization", &[Some(data)], &self.0)
    }
}

/// x / (knorm + alpha / nsize * s)^beta, where s is the sum of squares over the nsize channels
/// around x's.
///
/// Source: MXNet LRN; ImageNet classification with deep convolutional neural networks (2012).
#[derive(Clone, Debug, Default)]
pub struct LRN(Params);

impl LRN {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Weight of the sum of squares. Default: 0.0001.
    pub fn alpha(mut self, value: f64) -> Self {
        self.0.set("alpha", value);
        self
    }

    /// Exponent. Default: 0.75.
    pub fn beta(mut self, value: f64) -> Self {
        self.0.set("beta", value);
        self
    }

    /// Constant beside the sum. Default: 2.0.
    pub fn knorm(mut self, value: f64) -> Self {
        self.0.set("knorm", value);
        self
    }

    /// Channels of a window: the own one in the middle.
    pub fn nsize(mut self, value: i64) -> Self {
        self.0.set("nsize", value);
        self
    }

    /// * `data`: (N, C, ...), floats.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("LRN", &[Some(data)], &self.0)
    }
}

/// Vectors along an axis, shifted and scaled to mean 0 and variance 1, then times gamma plus beta.
///
/// Source: MXNet LayerNorm; https://arxiv.org/abs/1607.06450.
#[derive(Clone, Debug, Default)]
pub struct LayerNorm(Params);

impl LayerNorm {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis of the vectors. Default: -1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Added to the variance. Default: 1e-05.
    pub fn eps(mut self, value: f64) -> Self {
        self.0.set("eps", value);
        self
    }

    /// Also gives mean and standard deviation, sqrt(variance + eps); they pass no gradient on.
    /// Default: False.
    pub fn output_mean_var(mut self, value: bool) -> Self {
        self.0.set("output_mean_var", value);
        self
    }

    /// * `data`: Floats, at least one axis. Statistics are computed in float or double.
    /// * `gamma`: (extent of the axis,): scale.
    /// * `beta`: (extent of the axis,): shift.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        gamma: impl Into<Option<&'a T>>,
        beta: impl Into<Option<&'a T>>,
    ) -> Result<T::Several> {
        T::apply("LayerNorm", &[Some(data), gamma.into(), beta.into()], &self.0)
    }
}

/// max(data, 0) plus something below 0: slope * data (leaky), gamma * data (prelu), slope * (e^data
/// - 1) (elu), a scaled elu (selu), data times a random slope in training and the mean slope
/// otherwise (rrelu), or data * Phi(data) with the normal distribution's Phi (gelu). rrelu also
/// returns the factors it applied.
///
/// Source: MXNet LeakyReLU.
#[derive(Clone, Debug, Default)]
pub struct LeakyReLU(Params);

impl LeakyReLU {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Which function. One of "elu", "gelu", "leaky", "prelu", "rrelu", "selu". Default: 'leaky'.
    pub fn act_type(mut self, value: impl Into<String>) -> Self {
        self.0.set("act_type", value.into());
        self
    }

    /// Slope below 0 of leaky, scale below 0 of elu. Default: 0.25.
    pub fn slope(mut self, value: f64) -> Self {
        self.0.set("slope", value);
        self
    }

    /// Smallest slope that rrelu draws. Default: 0.125.
    pub fn lower_bound(mut self, value: f64) -> Self {
        self.0.set("lower_bound", value);
        self
    }

    /// Largest slope that rrelu draws. Default: 0.334.
    pub fn upper_bound(mut self, value: f64) -> Self {
        self.0.set("upper_bound", value);
        self
    }

    /// * `data`: Any float array.
    /// * `gamma`: Of prelu alone: one slope, one per channel (axis 1), or an array that broadcasts
    /// along data's first axes.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        gamma: impl Into<Option<&'a T>>,
    ) -> Result<T::Several> {
        T::apply("LeakyReLU", &[Some(data), gamma.into()], &self.0)
    }
}

/// The input unchanged. Its gradient is (out - label) * grad_scale / outputs per row, whatever the
/// gradient of the output: that of half the squared error.
///
/// Source: MXNet regression_output.
#[derive(Clone, Debug, Default)]
pub struct LinearRegressionOutput(Params);

impl LinearRegressionOutput {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Factor of the gradient. Default: 1.0.
    pub fn grad_scale(mut self, value: f64) -> Self {
        self.0.set("grad_scale", value);
        self
    }

    /// * `data`: (N, ...), floats.
    /// * `label`: As many values, (N, ...). Receives no gradient.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        label: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("LinearRegressionOutput", &[Some(data), label.into()], &self.0)
    }
}

/// Sigmoid of the input. Its gradient is (out - label) * grad_scale / outputs per row, whatever the
/// gradient of the output: that of the cross entropy.
///
/// Source: MXNet regression_output.
#[derive(Clone, Debug, Default)]
pub struct LogisticRegressionOutput(Params);

impl LogisticRegressionOutput {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Factor of the gradient. Default: 1.0.
    pub fn grad_scale(mut self, value: f64) -> Self {
        self.0.set("grad_scale", value);
        self
    }

    /// * `data`: (N, ...), floats.
    /// * `label`: As many values, (N, ...). Receives no gradient.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        label: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("LogisticRegressionOutput", &[Some(data), label.into()], &self.0)
    }
}

/// The input unchanged. Its gradient is sign(out - label) * grad_scale / outputs per row, whatever
/// the gradient of the output: that of the absolute error.
///
/// Source: MXNet regression_output.
#[derive(Clone, Debug, Default)]
pub struct MAERegressionOutput(Params);

impl MAERegressionOutput {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Factor of the gradient. Default: 1.0.
    pub fn grad_scale(mut self, value: f64) -> Self {
        self.0.set("grad_scale", value);
        self
    }

    /// * `data`: (N, ...), floats.
    /// * `label`: As many values, (N, ...). Receives no gradient.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        label: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("MAERegressionOutput", &[Some(data), label.into()], &self.0)
    }
}

/// A copy whose gradient is grad_scale, normalised as asked, whatever gradient arrives.
///
/// Source: MXNet MakeLoss.
#[derive(Clone, Debug, Default)]
pub struct MakeLoss(Params);

impl MakeLoss {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The gradient of every element. Default: 1.0.
    pub fn grad_scale(mut self, value: f64) -> Self {
        self.0.set("grad_scale", value);
        self
    }

    /// Elements above it are valid. Default: 0.0.
    pub fn valid_thresh(mut self, value: f64) -> Self {
        self.0.set("valid_thresh", value);
        self
    }

    /// Divide the gradient by nothing, by the extent of the first of several axes, or by the number
    /// of valid elements. One of "batch", "null", "valid". Default: 'null'.
    pub fn normalization(mut self, value: impl Into<String>) -> Self {
        self.0.set("normalization", value.into());
        self
    }

    /// * `data`: The loss.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("MakeLoss", &[Some(data)], &self.0)
    }
}

/// Adds margins around an array of any rank.
///
/// Source: MXNet Pad.
#[derive(Clone, Debug, Default)]
pub struct Pad(Params);

impl Pad {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// What the margin holds: one value, the nearest element, or a mirror image without the edge.
    /// One of "constant", "edge", "reflect".
    pub fn mode(mut self, value: impl Into<String>) -> Self {
        self.0.set("mode", value.into());
        self
    }

    /// Two margins per axis: before and after.
    pub fn pad_width(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("pad_width", value.into());
        self
    }

    /// The value of mode 'constant'. Default: 0.0.
    pub fn constant_value(mut self, value: f64) -> Self {
        self.0.set("constant_value", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("Pad", &[Some(data)], &self.0)
    }
}

/// One value per place of a window that moves over the spatial axes: its largest element, mean,
/// sum, or (sum of x^p)^(1/p). Padding never is the largest.
///
/// Source: MXNet Pooling.
#[derive(Clone, Debug, Default)]
pub struct Pooling(Params);

impl Pooling {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the window: (w,), (h, w) or (d, h, w). Default: ().
    pub fn kernel(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("kernel", value.into());
        self
    }

    /// What is taken of a window. One of "avg", "lp", "max", "sum". Default: 'max'.
    pub fn pool_type(mut self, value: impl Into<String>) -> Self {
        self.0.set("pool_type", value.into());
        self
    }

    /// The window is the whole image; kernel, stride and pad are ignored. Default: False.
    pub fn global_pool(mut self, value: bool) -> Self {
        self.0.set("global_pool", value);
        self
    }

    /// Accepted and ignored. Default: False.
    pub fn cudnn_off(mut self, value: bool) -> Self {
        self.0.set("cudnn_off", value);
        self
    }

    /// Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride). One of
    /// "full", "same", "valid". Default: 'valid'.
    pub fn pooling_convention(mut self, value: impl Into<String>) -> Self {
        self.0.set("pooling_convention", value.into());
        self
    }

    /// Steps of the window; empty means ones. Default: ().
    pub fn stride(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("stride", value.into());
        self
    }

    /// Elements added at both ends of each axis; empty means none. Default: ().
    pub fn pad(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("pad", value.into());
        self
    }

    /// Power of the norm, 1, 2 or 3; for pool_type lp. Default: None.
    pub fn p_value(mut self, value: i64) -> Self {
        self.0.set("p_value", value);
        self
    }

    /// Whether avg also counts padding; None is True. Default: None.
    pub fn count_include_pad(mut self, value: bool) -> Self {
        self.0.set("count_include_pad", value);
        self
    }

    /// Order of axes; None is channels first. One of "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC",
    /// "NWC". Default: None.
    pub fn layout(mut self, value: impl Into<String>) -> Self {
        self.0.set("layout", value.into());
        self
    }

    /// * `data`: Float array with one, two or three spatial axes.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("Pooling", &[Some(data)], &self.0)
    }
}

/// Layers of recurrent cells over whole sequences, in one or both directions: (steps, batch,
/// directions * units), and with state_outputs the states (and cells) after the last step. The
/// input's products of all steps are one matrix product.
///
/// Source: MXNet RNN; Hochreiter and Schmidhuber 1997; Cho and others 2014.
#[derive(Clone, Debug, Default)]
pub struct RNN(Params);

impl RNN {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Units of a layer and direction.
    pub fn state_size(mut self, value: i64) -> Self {
        self.0.set("state_size", value);
        self
    }

    /// Layers on top of one another.
    pub fn num_layers(mut self, value: i64) -> Self {
        self.0.set("num_layers", value);
        self
    }

    /// Also run every layer from the last step to the first. Default: False.
    pub fn bidirectional(mut self, value: bool) -> Self {
        self.0.set("bidirectional", value);
        self
    }

    /// Kind of cell. One of "gru", "lstm", "rnn_relu", "rnn_tanh".
    pub fn mode(mut self, value: impl Into<String>) -> Self {
        self.0.set("mode", value.into());
        self
    }

    /// While training, part of the inputs of the layers above the first that become 0. Default:
    /// 0.0.
    pub fn p(mut self, value: f64) -> Self {
        self.0.set("p", value);
        self
    }

    /// Also give the states after the last step. Default: False.
    pub fn state_outputs(mut self, value: bool) -> Self {
        self.0.set("state_outputs", value);
        self
    }

    /// Of the LSTM: extent to which a matrix takes the state after every step. Default: None.
    pub fn projection_size(mut self, value: i64) -> Self {
        self.0.set("projection_size", value);
        self
    }

    /// Lower bound of the LSTM's cells; given together with the upper one. Default: None.
    pub fn lstm_state_clip_min(mut self, value: f64) -> Self {
        self.0.set("lstm_state_clip_min", value);
        self
    }

    /// Upper bound of the LSTM's cells. Default: None.
    pub fn lstm_state_clip_max(mut self, value: f64) -> Self {
        self.0.set("lstm_state_clip_max", value);
        self
    }

    /// With bounds: take NaN to the lower one. Default: False.
    pub fn lstm_state_clip_nan(mut self, value: bool) -> Self {
        self.0.set("lstm_state_clip_nan", value);
        self
    }

    /// Whether sequence_length is given. Default: False.
    pub fn use_sequence_length(mut self, value: bool) -> Self {
        self.0.set("use_sequence_length", value);
        self
    }

    /// * `data`: (steps, batch, inputs), float.
    /// * `parameters`: All weights, then all biases. Of every layer and direction: input weights
    /// (gates * units, inputs), state weights (gates * units, units), projection (size, units);
    /// then input and state biases. Gates are in, forget, new, out of the LSTM, and reset, update,
    /// new of the GRU.
    /// * `state`: (layers * directions, batch, units): the states before the first step.
    /// * `state_cell`: Of the LSTM: (layers * directions, batch, units), the cells before the first
    /// step.
    /// * `sequence_length`: (batch,): steps that count. Later ones give 0 and leave the states.
    /// Receives no gradient.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        parameters: impl Into<Option<&'a T>>,
        state: impl Into<Option<&'a T>>,
        state_cell: impl Into<Option<&'a T>>,
        sequence_length: impl Into<Option<&'a T>>,
    ) -> Result<T::Several> {
        T::apply("RNN", &[Some(data), parameters.into(), state.into(), state_cell.into(), sequence_length.into()], &self.0)
    }
}

/// (regions, channels, rows, columns): each region of an image is divided into a grid, and every
/// cell gives the largest value in it, 0 where it lies outside of the image.
///
/// Source: MXNet ROIPooling; Girshick 2015.
#[derive(Clone, Debug, Default)]
pub struct ROIPooling(Params);

impl ROIPooling {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Rows and columns of the grid.
    pub fn pooled_size(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("pooled_size", value.into());
        self
    }

    /// Factor from the regions' coordinates to rows and columns of data.
    pub fn spatial_scale(mut self, value: f64) -> Self {
        self.0.set("spatial_scale", value);
        self
    }

    /// * `data`: Images (batch, channels, height, width), float.
    /// * `rois`: (regions, 5): the image's number, then left, top, right and bottom, all inclusive.
    /// A negative number gives zeros. Receives no gradient.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        rois: impl Into<Option<&'a T>>,
    ) -> Result<T::Several> {
        T::apply("ROIPooling", &[Some(data), rois.into()], &self.0)
    }
}

/// The input's elements in order, in the shape that extents and codes ask for.
///
/// Source: MXNet Reshape.
#[derive(Clone, Debug, Default)]
pub struct Reshape(Params);

impl Reshape {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents or codes: 0 keeps an extent, -1 is inferred, -2 keeps the rest, -3 merges two, -4
    /// splits one. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Match the codes from the last axis. Default: False.
    pub fn reverse(mut self, value: bool) -> Self {
        self.0.set("reverse", value);
        self
    }

    /// Older form of shape, in which 0 is inferred. Default: ().
    pub fn target_shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("target_shape", value.into());
        self
    }

    /// Keep the first extent; only with target_shape. Default: False.
    pub fn keep_highest(mut self, value: bool) -> Self {
        self.0.set("keep_highest", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("Reshape", &[Some(data)], &self.0)
    }
}

/// The scores unchanged. Their gradient is that of the hinge loss of each class against the rest,
/// whatever the gradient of the output.
///
/// Source: MXNet SVMOutput; https://arxiv.org/abs/1306.0239.
#[derive(Clone, Debug, Default)]
pub struct SVMOutput(Params);

impl SVMOutput {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Distance from the border below which a score costs. Default: 1.0.
    pub fn margin(mut self, value: f64) -> Self {
        self.0.set("margin", value);
        self
    }

    /// Factor of the gradient. Default: 1.0.
    pub fn regularization_coefficient(mut self, value: f64) -> Self {
        self.0.set("regularization_coefficient", value);
        self
    }

    /// Linear rather than squared hinge. Default: False.
    pub fn use_linear(mut self, value: bool) -> Self {
        self.0.set("use_linear", value);
        self
    }

    /// * `data`: (N, C), scores of C classes.
    /// * `label`: (N,), class numbers. Receives no gradient.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        label: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("SVMOutput", &[Some(data), label.into()], &self.0)
    }
}

/// The last step of each sequence; a sequence of length 0 gives its first step.
///
/// Source: MXNet SequenceLast.
#[derive(Clone, Debug, Default)]
pub struct SequenceLast(Params);

impl SequenceLast {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether sequence_length is given; otherwise all sequences are whole. Default: False.
    pub fn use_sequence_length(mut self, value: bool) -> Self {
        self.0.set("use_sequence_length", value);
        self
    }

    /// Axis of time, 0 or 1; the other one counts sequences. Default: 0.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// * `data`: (T, N, ...), or (N, T, ...) with axis 1.
    /// * `sequence_length`: (N,); clipped to \[0, T\].
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        sequence_length: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("SequenceLast", &[Some(data), sequence_length.into()], &self.0)
    }
}

/// Sets every step behind the end of its sequence to a value.
///
/// Source: MXNet SequenceMask.
#[derive(Clone, Debug, Default)]
pub struct SequenceMask(Params);

impl SequenceMask {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether sequence_length is given; otherwise nothing is masked. Default: False.
    pub fn use_sequence_length(mut self, value: bool) -> Self {
        self.0.set("use_sequence_length", value);
        self
    }

    /// What masked elements become. Default: 0.0.
    pub fn value(mut self, value: f64) -> Self {
        self.0.set("value", value);
        self
    }

    /// Axis of time, 0 or 1; the other one counts sequences. Default: 0.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// * `data`: (T, N, ...), or (N, T, ...) with axis 1.
    /// * `sequence_length`: (N,); clipped to \[0, T\].
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        sequence_length: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("SequenceMask", &[Some(data), sequence_length.into()], &self.0)
    }
}

/// Reverses the steps of each sequence and leaves what lies behind its end.
///
/// Source: MXNet SequenceReverse.
#[derive(Clone, Debug, Default)]
pub struct SequenceReverse(Params);

impl SequenceReverse {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether sequence_length is given; otherwise all sequences are whole. Default: False.
    pub fn use_sequence_length(mut self, value: bool) -> Self {
        self.0.set("use_sequence_length", value);
        self
    }

    /// Axis of time, 0 or 1; the other one counts sequences. Default: 0.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// * `data`: (T, N, ...), or (N, T, ...) with axis 1.
    /// * `sequence_length`: (N,); clipped to \[0, T\].
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        sequence_length: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("SequenceReverse", &[Some(data), sequence_length.into()], &self.0)
    }
}

/// Cuts an array along an axis into equal parts.
///
/// Source: MXNet SliceChannel.
#[derive(Clone, Debug, Default)]
pub struct SliceChannel(Params);

impl SliceChannel {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Number of equal parts.
    pub fn num_outputs(mut self, value: i64) -> Self {
        self.0.set("num_outputs", value);
        self
    }

    /// The axis that is cut. Default: 1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Drop the axis; each part must have extent 1. Default: False.
    pub fn squeeze_axis(mut self, value: bool) -> Self {
        self.0.set("squeeze_axis", value);
        self
    }

    /// * `data`: Any array with an extent that divides.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T::Several> {
        T::apply("SliceChannel", &[Some(data)], &self.0)
    }
}

/// Softmax over the last axis, or over the channels of each position.
///
/// Source: MXNet SoftmaxActivation.
#[derive(Clone, Debug, Default)]
pub struct SoftmaxActivation(Params);

impl SoftmaxActivation {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// instance: over the last axis; channel: over axis 1. One of "channel", "instance". Default:
    /// 'instance'.
    pub fn mode(mut self, value: impl Into<String>) -> Self {
        self.0.set("mode", value.into());
        self
    }

    /// * `data`: (N, C, ...), floats.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("SoftmaxActivation", &[Some(data)], &self.0)
    }
}

/// Softmax whose gradient is softmax minus target: that of the cross entropy with the label. It
/// ignores the gradient of its output unless out_grad is set, and has no second derivative.
///
/// Source: MXNet SoftmaxOutput.
#[derive(Clone, Debug, Default)]
pub struct SoftmaxOutput(Params);

impl SoftmaxOutput {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Factor of the gradient. Default: 1.0.
    pub fn grad_scale(mut self, value: f64) -> Self {
        self.0.set("grad_scale", value);
        self
    }

    /// Label that stands for no class; without gradient when use_ignore is set. Default: -1.0.
    pub fn ignore_label(mut self, value: f64) -> Self {
        self.0.set("ignore_label", value);
        self
    }

    /// Softmax over axis 1, with a label per position. Default: False.
    pub fn multi_output(mut self, value: bool) -> Self {
        self.0.set("multi_output", value);
        self
    }

    /// Whether ignore_label counts. Default: False.
    pub fn use_ignore(mut self, value: bool) -> Self {
        self.0.set("use_ignore", value);
        self
    }

    /// Softmax over the last axis. Default: False.
    pub fn preserve_shape(mut self, value: bool) -> Self {
        self.0.set("preserve_shape", value);
        self
    }

    /// The gradient is divided by the batch size, by nothing, or by the number of labels that
    /// count. One of "batch", "null", "valid". Default: 'null'.
    pub fn normalization(mut self, value: impl Into<String>) -> Self {
        self.0.set("normalization", value.into());
        self
    }

    /// Multiplies the gradient by that of the output. Default: False.
    pub fn out_grad(mut self, value: bool) -> Self {
        self.0.set("out_grad", value);
        self
    }

    /// Share of the target spread evenly over the other classes; not with multi_output. Default:
    /// 0.0.
    pub fn smooth_alpha(mut self, value: f64) -> Self {
        self.0.set("smooth_alpha", value);
        self
    }

    /// * `data`: (N, C) or (N, C, ...): scores of C classes. Without multi_output and
    /// preserve_shape the axes after the first form one vector.
    /// * `label`: Class numbers, one per vector; or probabilities, of data's shape. Every class
    /// counts as wrong where the number is none of them. Receives no gradient.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        label: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("SoftmaxOutput", &[Some(data), label.into()], &self.0)
    }
}

/// The row of weight for every index: shape data.shape + (output_dim,). Indices outside are
/// clipped.
///
/// Source: MXNet Embedding.
#[derive(Clone, Debug, Default)]
pub struct SparseEmbedding(Params);

impl SparseEmbedding {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Number of rows of weight.
    pub fn input_dim(mut self, value: i64) -> Self {
        self.0.set("input_dim", value);
        self
    }

    /// Extent of a row.
    pub fn output_dim(mut self, value: i64) -> Self {
        self.0.set("output_dim", value);
        self
    }

    /// Dtype of weight where nothing else says it. Default: 'float32'.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// Has no effect: gradients are always added in one order. Default: False.
    pub fn deterministic(mut self, value: bool) -> Self {
        self.0.set("deterministic", value);
        self
    }

    /// * `data`: Indices of any shape and dtype; fractions are cut off.
    /// * `weight`: (input_dim, output_dim)
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        weight: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_contrib_SparseEmbedding", &[Some(data), weight.into()], &self.0)
    }
}

/// BilinearSampler of data at the grid that GridGenerator makes of the maps: (batch, channels,
/// rows, columns).
///
/// Source: MXNet SpatialTransformer; Jaderberg and others 2015.
#[derive(Clone, Debug, Default)]
pub struct SpatialTransformer(Params);

impl SpatialTransformer {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Height and width of the output. Default: (0, 0).
    pub fn target_shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("target_shape", value.into());
        self
    }

    /// Kind of map. One of "affine".
    pub fn transform_type(mut self, value: impl Into<String>) -> Self {
        self.0.set("transform_type", value.into());
        self
    }

    /// Kind of interpolation. One of "bilinear".
    pub fn sampler_type(mut self, value: impl Into<String>) -> Self {
        self.0.set("sampler_type", value.into());
        self
    }

    /// Accepted for MXNet's scripts; has no effect. Default: None.
    pub fn cudnn_off(mut self, value: bool) -> Self {
        self.0.set("cudnn_off", value);
        self
    }

    /// * `data`: Images (batch, channels, height, width), float.
    /// * `loc`: (batch, 6): the rows of 2 x 3 matrices, from (x, y, 1) in the output to (x, y) in
    /// data.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        loc: impl Into<Option<&'a T>>,
    ) -> Result<T::Several> {
        T::apply("SpatialTransformer", &[Some(data), loc.into()], &self.0)
    }
}

/// Exchanges two axes.
///
/// Source: MXNet SwapAxis.
#[derive(Clone, Debug, Default)]
pub struct SwapAxis(Params);

impl SwapAxis {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// One axis. Default: 0.
    pub fn dim1(mut self, value: i64) -> Self {
        self.0.set("dim1", value);
        self
    }

    /// The other axis. Default: 0.
    pub fn dim2(mut self, value: i64) -> Self {
        self.0.set("dim2", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("SwapAxis", &[Some(data)], &self.0)
    }
}

/// Images (n, channels, height, width) enlarged `scale` times. nearest repeats pixels and takes any
/// number of inputs, each enlarged to the size that the first one gets; bilinear is a Deconvolution
/// per channel, with weights (channels, 1, k, k) as second input, k = 2 scale - scale % 2.
///
/// Source: MXNet UpSampling.
#[derive(Clone, Debug, Default)]
pub struct UpSampling(Params);

impl UpSampling {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Factor of both extents of the first input.
    pub fn scale(mut self, value: i64) -> Self {
        self.0.set("scale", value);
        self
    }

    /// Number of channels; only for bilinear. Default: 0.
    pub fn num_filter(mut self, value: i64) -> Self {
        self.0.set("num_filter", value);
        self
    }

    /// Whether pixels are repeated, or spread by a window of weights. One of "bilinear", "nearest".
    pub fn sample_type(mut self, value: impl Into<String>) -> Self {
        self.0.set("sample_type", value.into());
        self
    }

    /// What becomes of several inputs: their channels one after the other, or their sum. One of
    /// "concat", "sum". Default: 'concat'.
    pub fn multi_input_mode(mut self, value: impl Into<String>) -> Self {
        self.0.set("multi_input_mode", value.into());
        self
    }

    /// Accepted and ignored. Default: 512.
    pub fn workspace(mut self, value: i64) -> Self {
        self.0.set("workspace", value);
        self
    }

    /// * `data`: Images of a float dtype; for bilinear an image and the weights.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply_one("UpSampling", &inputs, &self.0)
    }
}

/// Absolute value.
///
/// Source: MXNet abs.
#[derive(Clone, Debug, Default)]
pub struct Abs(Params);

impl Abs {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("abs", &[Some(data)], &self.0)
    }
}

/// history += g^2 with g = clip(rescale_grad * grad); the new weight is weight - lr * (g /
/// sqrt(history + epsilon) + wd * weight).
///
/// Source: MXNet _sparse_adagrad_update; Duchi and others 2011.
#[derive(Clone, Debug, Default)]
pub struct AdagradUpdate(Params);

impl AdagradUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Added under the root. Default: 1e-07.
    pub fn epsilon(mut self, value: f64) -> Self {
        self.0.set("epsilon", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the step. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `history`: Accumulated square of the gradient; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        history: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_sparse_adagrad_update", &[Some(weight), grad.into(), history.into()], &self.0)
    }
}

/// Adam without bias correction (scale lr for that): g = clip(rescale_grad * grad + wd * weight),
/// mean = beta1 * mean + (1 - beta1) * g, var = beta2 * var + (1 - beta2) * g^2; the new weight is
/// weight - lr * mean / (sqrt(var) + epsilon).
///
/// Source: MXNet adam_update; Kingma and Ba 2014.
#[derive(Clone, Debug, Default)]
pub struct AdamUpdate(Params);

impl AdamUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Part of the first moment that is kept. Default: 0.9.
    pub fn beta1(mut self, value: f64) -> Self {
        self.0.set("beta1", value);
        self
    }

    /// Part of the second moment that is kept. Default: 0.999.
    pub fn beta2(mut self, value: f64) -> Self {
        self.0.set("beta2", value);
        self
    }

    /// Added to the root of the second moment. Default: 1e-08.
    pub fn epsilon(mut self, value: f64) -> Self {
        self.0.set("epsilon", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
    pub fn lazy_update(mut self, value: bool) -> Self {
        self.0.set("lazy_update", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `mean`: First moment; changed in place.
    /// * `var`: Second moment; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        mean: impl Into<Option<&'a T>>,
        var: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("adam_update", &[Some(weight), grad.into(), mean.into(), var.into()], &self.0)
    }
}

/// Sum of any number of arrays of one shape and dtype.
///
/// Source: MXNet add_n.
#[derive(Clone, Debug, Default)]
pub struct AddN(Params);

impl AddN {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `args`: The arrays.
    pub fn call<T: Operand>(&self, args: &[&T]) -> Result<T> {
        let inputs: Vec<Option<&T>> = args.iter().copied().map(Some).collect();
        T::apply_one("add_n", &inputs, &self.0)
    }
}

/// 1 if no element is infinite or NaN, else 0; float32 of shape (1,).
///
/// Source: MXNet all_finite.
#[derive(Clone, Debug, Default)]
pub struct AllFinite(Params);

impl AllFinite {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// False keeps a 0 that the given output holds, so that several calls add up. Default: True.
    pub fn init_output(mut self, value: bool) -> Self {
        self.0.set("init_output", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("all_finite", &[Some(data)], &self.0)
    }
}

/// Changes the element type of floats; arrays of float64 and of integers are copied.
///
/// Source: MXNet amp_cast.
#[derive(Clone, Debug, Default)]
pub struct AmpCast(Params);

impl AmpCast {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Element type of the output.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("amp_cast", &[Some(data)], &self.0)
    }
}

/// Brings floats of several types to the widest type among them; arrays of float64 and of integers
/// are copied.
///
/// Source: MXNet amp_multicast.
#[derive(Clone, Debug, Default)]
pub struct AmpMulticast(Params);

impl AmpMulticast {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Take the narrowest float type instead of the widest. Default: False.
    pub fn cast_narrow(mut self, value: bool) -> Self {
        self.0.set("cast_narrow", value);
        self
    }

    /// * `data`: Arrays of any shapes.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("amp_multicast", &inputs, &self.0)
    }
}

/// Inverse cosine, in \[0, pi\]; NaN beyond 1.
///
/// Source: MXNet arccos.
#[derive(Clone, Debug, Default)]
pub struct Arccos(Params);

impl Arccos {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("arccos", &[Some(data)], &self.0)
    }
}

/// Inverse hyperbolic cosine; NaN below 1.
///
/// Source: MXNet arccosh.
#[derive(Clone, Debug, Default)]
pub struct Arccosh(Params);

impl Arccosh {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("arccosh", &[Some(data)], &self.0)
    }
}

/// Inverse sine, in \[-pi/2, pi/2\]; NaN beyond 1.
///
/// Source: MXNet arcsin.
#[derive(Clone, Debug, Default)]
pub struct Arcsin(Params);

impl Arcsin {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("arcsin", &[Some(data)], &self.0)
    }
}

/// Inverse hyperbolic sine.
///
/// Source: MXNet arcsinh.
#[derive(Clone, Debug, Default)]
pub struct Arcsinh(Params);

impl Arcsinh {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("arcsinh", &[Some(data)], &self.0)
    }
}

/// Inverse tangent, in (-pi/2, pi/2).
///
/// Source: MXNet arctan.
#[derive(Clone, Debug, Default)]
pub struct Arctan(Params);

impl Arctan {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("arctan", &[Some(data)], &self.0)
    }
}

/// Inverse hyperbolic tangent; NaN beyond 1.
///
/// Source: MXNet arctanh.
#[derive(Clone, Debug, Default)]
pub struct Arctanh(Params);

impl Arctanh {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("arctanh", &[Some(data)], &self.0)
    }
}

/// Place of the largest element along an axis: the first one, or the first NaN.
///
/// Source: MXNet broadcast_reduce_op_index.
#[derive(Clone, Debug, Default)]
pub struct Argmax(Params);

impl Argmax {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis to search; None searches the flattened array. Default: None.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Keeps the searched axis, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// * `data`: Any array. The places come in its dtype, which must be able to hold them.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("argmax", &[Some(data)], &self.0)
    }
}

/// Place of the largest element along axis 1: classes from an array of scores (N, C, ...).
///
/// Source: MXNet argmax_channel.
#[derive(Clone, Debug, Default)]
pub struct ArgmaxChannel(Params);

impl ArgmaxChannel {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Scores, at least two axes.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("argmax_channel", &[Some(data)], &self.0)
    }
}

/// Place of the smallest element along an axis: the first one, or the first NaN.
///
/// Source: MXNet broadcast_reduce_op_index.
#[derive(Clone, Debug, Default)]
pub struct Argmin(Params);

impl Argmin {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis to search; None searches the flattened array. Default: None.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Keeps the searched axis, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// * `data`: Any array. The places come in its dtype, which must be able to hold them.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("argmin", &[Some(data)], &self.0)
    }
}

/// Indices that sort along an axis. Equal elements keep their order; NaN counts as larger than all.
///
/// Source: MXNet argsort.
#[derive(Clone, Debug, Default)]
pub struct Argsort(Params);

impl Argsort {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The sorted axis; None sorts the flattened array. Default: -1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Smallest first. Default: True.
    pub fn is_ascend(mut self, value: bool) -> Self {
        self.0.set("is_ascend", value);
        self
    }

    /// Element type of the indices. Default: 'float32'.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("argsort", &[Some(data)], &self.0)
    }
}

/// Matrix products over the last two axes; all leading axes are equal.
///
/// Source: MXNet batch_dot.
#[derive(Clone, Debug, Default)]
pub struct BatchDot(Params);

impl BatchDot {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Use the transposes of lhs. Default: False.
    pub fn transpose_a(mut self, value: bool) -> Self {
        self.0.set("transpose_a", value);
        self
    }

    /// Use the transposes of rhs. Default: False.
    pub fn transpose_b(mut self, value: bool) -> Self {
        self.0.set("transpose_b", value);
        self
    }

    /// Accepted and ignored: results are dense. One of "csr", "default", "row_sparse". Default:
    /// None.
    pub fn forward_stype(mut self, value: impl Into<String>) -> Self {
        self.0.set("forward_stype", value.into());
        self
    }

    /// * `lhs`: Float array of at least two axes.
    /// * `rhs`: Float array of the same dtype and number of axes.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("batch_dot", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// out\[i\] = a\[i, indices\[i\]\]; indices outside are clipped.
///
/// Source: MXNet batch_take.
#[derive(Clone, Debug, Default)]
pub struct BatchTake(Params);

impl BatchTake {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `a`: (N, C)
    /// * `indices`: (N,)
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        a: &'a T,
        indices: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("batch_take", &[Some(a), indices.into()], &self.0)
    }
}

/// Sum of two arrays.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastAdd(Params);

impl BroadcastAdd {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_add", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Repeats axes of extent 1 up to the given sizes.
///
/// Source: MXNet broadcast_axis.
#[derive(Clone, Debug, Default)]
pub struct BroadcastAxis(Params);

impl BroadcastAxis {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axes of extent 1. Default: ().
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// The extents they get. Default: ().
    pub fn size(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("size", value.into());
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("broadcast_axis", &[Some(data)], &self.0)
    }
}

/// Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastDiv(Params);

impl BroadcastDiv {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_div", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// 1 where x == y, else 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastEqual(Params);

impl BroadcastEqual {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_equal", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Quotient of two arrays, rounded down as by Python's //; an integer divided by 0 gives 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastFloorDivide(Params);

impl BroadcastFloorDivide {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_floor_divide", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// 1 where x \> y, else 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastGreater(Params);

impl BroadcastGreater {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_greater", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// 1 where x \>= y, else 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastGreaterEqual(Params);

impl BroadcastGreaterEqual {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_greater_equal", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Length of the vector (x, y).
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastHypot(Params);

impl BroadcastHypot {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_hypot", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// 1 where x \< y, else 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastLesser(Params);

impl BroadcastLesser {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_lesser", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// 1 where x \<= y, else 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastLesserEqual(Params);

impl BroadcastLesserEqual {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_lesser_equal", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Repeats axes of extent 1 of lhs until they have rhs's extents, on all axes or on pairs of axes.
///
/// Source: MXNet broadcast_like.
#[derive(Clone, Debug, Default)]
pub struct BroadcastLike(Params);

impl BroadcastLike {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axes of lhs that grow; None is all. Default: None.
    pub fn lhs_axes(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("lhs_axes", value.into());
        self
    }

    /// Axes of rhs whose extents they take. Default: None.
    pub fn rhs_axes(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("rhs_axes", value.into());
        self
    }

    /// * `lhs`: The elements.
    /// * `rhs`: Gives extents; its elements are not read.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_like", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// 1 where both are not 0, else 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastLogicalAnd(Params);

impl BroadcastLogicalAnd {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_logical_and", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// 1 where either is not 0, else 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastLogicalOr(Params);

impl BroadcastLogicalOr {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_logical_or", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// 1 where exactly one is not 0, else 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastLogicalXor(Params);

impl BroadcastLogicalXor {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_logical_xor", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Larger of two values.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastMaximum(Params);

impl BroadcastMaximum {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_maximum", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Smaller of two values.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastMinimum(Params);

impl BroadcastMinimum {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_minimum", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastMod(Params);

impl BroadcastMod {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_mod", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Product of two arrays, element by element.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastMul(Params);

impl BroadcastMul {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_mul", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// 1 where x != y, else 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastNotEqual(Params);

impl BroadcastNotEqual {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_not_equal", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// First operand raised to the power of the second.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastPower(Params);

impl BroadcastPower {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_power", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Difference of two arrays.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct BroadcastSub(Params);

impl BroadcastSub {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand; shapes broadcast as in NumPy.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("broadcast_sub", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Repeats axes of extent 1 until the array has the shape.
///
/// Source: MXNet broadcast_to.
#[derive(Clone, Debug, Default)]
pub struct BroadcastTo(Params);

impl BroadcastTo {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the output; 0 keeps the input's extent. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// * `data`: Extents agree with the shape or are 1; missing leading axes count as 1.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("broadcast_to", &[Some(data)], &self.0)
    }
}

/// The same elements in another storage type: a part of them stored (row_sparse, csr) or all.
///
/// Source: MXNet cast_storage.
#[derive(Clone, Debug, Default)]
pub struct CastStorage(Params);

impl CastStorage {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Storage type of the result. One of "csr", "default", "row_sparse".
    pub fn stype(mut self, value: impl Into<String>) -> Self {
        self.0.set("stype", value.into());
        self
    }

    /// * `data`: At least one axis; two for csr.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("cast_storage", &[Some(data)], &self.0)
    }
}

/// Cube root.
///
/// Source: MXNet cbrt.
#[derive(Clone, Debug, Default)]
pub struct Cbrt(Params);

impl Cbrt {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("cbrt", &[Some(data)], &self.0)
    }
}

/// Smallest integer not below data.
///
/// Source: MXNet ceil.
#[derive(Clone, Debug, Default)]
pub struct Ceil(Params);

impl Ceil {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("ceil", &[Some(data)], &self.0)
    }
}

/// Values below a_min become a_min, values above a_max become a_max; NaN stays.
///
/// Source: MXNet clip.
#[derive(Clone, Debug, Default)]
pub struct Clip(Params);

impl Clip {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Smallest value of the output.
    pub fn a_min(mut self, value: f64) -> Self {
        self.0.set("a_min", value);
        self
    }

    /// Largest value of the output.
    pub fn a_max(mut self, value: f64) -> Self {
        self.0.set("a_max", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("clip", &[Some(data)], &self.0)
    }
}

/// Adds columns to the places of their windows: the adjoint of im2col, not its inverse.
///
/// Source: MXNet col2im.
#[derive(Clone, Debug, Default)]
pub struct Col2im(Params);

impl Col2im {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Spatial extents of the output.
    pub fn output_size(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("output_size", value.into());
        self
    }

    /// Extents of the window: (w,), (h, w) or (d, h, w).
    pub fn kernel(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("kernel", value.into());
        self
    }

    /// Distance between windows; () is 1. Default: ().
    pub fn stride(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("stride", value.into());
        self
    }

    /// Distance between a window's elements; () is 1. Default: ().
    pub fn dilate(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("dilate", value.into());
        self
    }

    /// Zeros assumed on either side; () is none. Default: ().
    pub fn pad(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("pad", value.into());
        self
    }

    /// * `data`: (N, C * window size, number of windows)
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("col2im", &[Some(data)], &self.0)
    }
}

/// Cosine of an angle in radians.
///
/// Source: MXNet cos.
#[derive(Clone, Debug, Default)]
pub struct Cos(Params);

impl Cos {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("cos", &[Some(data)], &self.0)
    }
}

/// Hyperbolic cosine.
///
/// Source: MXNet cosh.
#[derive(Clone, Debug, Default)]
pub struct Cosh(Params);

impl Cosh {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("cosh", &[Some(data)], &self.0)
    }
}

/// Running sums along an axis. Those of float16 are rounded at each step.
///
/// Source: MXNet cumsum.
#[derive(Clone, Debug, Default)]
pub struct Cumsum(Params);

impl Cumsum {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis to sum along; None sums along the flattened array. Default: None.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Element type of the output, in which the elements are summed; None is that of the input.
    /// Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `a`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        a: &'a T,
    ) -> Result<T> {
        T::apply_one("cumsum", &[Some(a)], &self.0)
    }
}

/// Radians to degrees.
///
/// Source: MXNet degrees.
#[derive(Clone, Debug, Default)]
pub struct Degrees(Params);

impl Degrees {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("degrees", &[Some(data)], &self.0)
    }
}

/// Spreads channels over space: (N, b*b*C, H, W) becomes (N, C, H*b, W*b), where channel (i*b +
/// j)*C + c fills row i and column j of each block.
///
/// Source: MXNet depth_to_space.
#[derive(Clone, Debug, Default)]
pub struct DepthToSpace(Params);

impl DepthToSpace {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Side b of the square blocks.
    pub fn block_size(mut self, value: i64) -> Self {
        self.0.set("block_size", value);
        self
    }

    /// * `data`: (N, b*b*C, H, W)
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("depth_to_space", &[Some(data)], &self.0)
    }
}

/// The k-th diagonal of the matrices along two axes, as a new last axis; of a 1-d array the square
/// matrix with that diagonal and zeros elsewhere.
///
/// Source: MXNet diag.
#[derive(Clone, Debug, Default)]
pub struct Diag(Params);

impl Diag {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Which diagonal: above the main one if positive, below it if negative. Default: 0.
    pub fn k(mut self, value: i64) -> Self {
        self.0.set("k", value);
        self
    }

    /// Axis of the matrices' rows. Default: 0.
    pub fn axis1(mut self, value: i64) -> Self {
        self.0.set("axis1", value);
        self
    }

    /// Axis of the matrices' columns. Default: 1.
    pub fn axis2(mut self, value: i64) -> Self {
        self.0.set("axis2", value);
        self
    }

    /// * `data`: At least one axis.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("diag", &[Some(data)], &self.0)
    }
}

/// Sum of products over the last axis of lhs and the first axis of rhs; the other axes follow one
/// another, those of lhs first. Two vectors give shape (1,).
///
/// Source: MXNet dot.
#[derive(Clone, Debug, Default)]
pub struct Dot(Params);

impl Dot {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Contract the first axis of lhs instead of its last. Default: False.
    pub fn transpose_a(mut self, value: bool) -> Self {
        self.0.set("transpose_a", value);
        self
    }

    /// Contract the last axis of rhs instead of its first. Default: False.
    pub fn transpose_b(mut self, value: bool) -> Self {
        self.0.set("transpose_b", value);
        self
    }

    /// Storage type of the result where an operand is sparse. One of "csr", "default",
    /// "row_sparse". Default: None.
    pub fn forward_stype(mut self, value: impl Into<String>) -> Self {
        self.0.set("forward_stype", value.into());
        self
    }

    /// * `lhs`: Float array of at least one axis.
    /// * `rhs`: Float array of the same dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("dot", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Sum of two arrays.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct ElemwiseAdd(Params);

impl ElemwiseAdd {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand, of the same shape.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("elemwise_add", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct ElemwiseDiv(Params);

impl ElemwiseDiv {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand, of the same shape.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("elemwise_div", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Product of two arrays, element by element.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct ElemwiseMul(Params);

impl ElemwiseMul {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand, of the same shape.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("elemwise_mul", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Difference of two arrays.
///
/// Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
#[derive(Clone, Debug, Default)]
pub struct ElemwiseSub(Params);

impl ElemwiseSub {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: First operand.
    /// * `rhs`: Second operand, of the same shape.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("elemwise_sub", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Error function.
///
/// Source: MXNet erf.
#[derive(Clone, Debug, Default)]
pub struct Erf(Params);

impl Erf {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("erf", &[Some(data)], &self.0)
    }
}

/// Inverse of the error function.
///
/// Source: MXNet erfinv.
#[derive(Clone, Debug, Default)]
pub struct Erfinv(Params);

impl Erfinv {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("erfinv", &[Some(data)], &self.0)
    }
}

/// e^data.
///
/// Source: MXNet exp.
#[derive(Clone, Debug, Default)]
pub struct Exp(Params);

impl Exp {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("exp", &[Some(data)], &self.0)
    }
}

/// Inserts an axis of extent 1.
///
/// Source: MXNet expand_dims.
#[derive(Clone, Debug, Default)]
pub struct ExpandDims(Params);

impl ExpandDims {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Where the new axis of extent 1 comes to lie.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("expand_dims", &[Some(data)], &self.0)
    }
}

/// e^data - 1, exact near 0.
///
/// Source: MXNet expm1.
#[derive(Clone, Debug, Default)]
pub struct Expm1(Params);

impl Expm1 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("expm1", &[Some(data)], &self.0)
    }
}

/// lhs with one element of each row replaced; an index outside of the row replaces none.
///
/// Source: MXNet fill_element_0index.
#[derive(Clone, Debug, Default)]
pub struct FillElement0index(Params);

impl FillElement0index {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `lhs`: (rows, columns).
    /// * `mhs`: (rows,): the new elements.
    /// * `rhs`: (rows,): their columns; fractions are cut off.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        mhs: impl Into<Option<&'a T>>,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("fill_element_0index", &[Some(lhs), mhs.into(), rhs.into()], &self.0)
    }
}

/// Integer part: rounded toward 0.
///
/// Source: MXNet fix.
#[derive(Clone, Debug, Default)]
pub struct Fix(Params);

impl Fix {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("fix", &[Some(data)], &self.0)
    }
}

/// Largest integer not above data.
///
/// Source: MXNet floor.
#[derive(Clone, Debug, Default)]
pub struct Floor(Params);

impl Floor {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("floor", &[Some(data)], &self.0)
    }
}

/// Follow the moving leader: v is the second moment of g = clip(rescale_grad * grad + wd * weight),
/// d the inverse of a step size, z accumulates; the new weight is -z / d.
///
/// Source: MXNet ftml_update; Zheng and Kwok 2017.
#[derive(Clone, Debug, Default)]
pub struct FtmlUpdate(Params);

impl FtmlUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Part of the first moment that is kept. Default: 0.6.
    pub fn beta1(mut self, value: f64) -> Self {
        self.0.set("beta1", value);
        self
    }

    /// Part of the second moment that is kept. Default: 0.999.
    pub fn beta2(mut self, value: f64) -> Self {
        self.0.set("beta2", value);
        self
    }

    /// Added to the root of the second moment. Default: 1e-08.
    pub fn epsilon(mut self, value: f64) -> Self {
        self.0.set("epsilon", value);
        self
    }

    /// How many updates there were, this one included.
    pub fn t(mut self, value: i64) -> Self {
        self.0.set("t", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_grad(mut self, value: f64) -> Self {
        self.0.set("clip_grad", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `d`: Inverse step size; changed in place.
    /// * `v`: Second moment; changed in place.
    /// * `z`: Accumulated gradient; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        d: impl Into<Option<&'a T>>,
        v: impl Into<Option<&'a T>>,
        z: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("ftml_update", &[Some(weight), grad.into(), d.into(), v.into(), z.into()], &self.0)
    }
}

/// Follow the regularised leader: with g = clip(rescale_grad * grad), n sums g^2 and z sums g minus
/// what the weight accounts for; weights whose |z| is at most lamda1 become 0.
///
/// Source: MXNet ftrl_update; McMahan and others 2013.
#[derive(Clone, Debug, Default)]
pub struct FtrlUpdate(Params);

impl FtrlUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Weight of the sum of absolute values: what keeps weights at 0. Default: 0.01.
    pub fn lamda1(mut self, value: f64) -> Self {
        self.0.set("lamda1", value);
        self
    }

    /// Added to the root of n. Default: 1.0.
    pub fn beta(mut self, value: f64) -> Self {
        self.0.set("beta", value);
        self
    }

    /// Weight of the sum of squares. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `z`: Accumulated gradient; changed in place.
    /// * `n`: Accumulated square of the gradient; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        z: impl Into<Option<&'a T>>,
        n: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("ftrl_update", &[Some(weight), grad.into(), z.into(), n.into()], &self.0)
    }
}

/// Gamma function.
///
/// Source: MXNet gamma.
#[derive(Clone, Debug, Default)]
pub struct Gamma(Params);

impl Gamma {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("gamma", &[Some(data)], &self.0)
    }
}

/// Logarithm of the absolute value of the gamma function.
///
/// Source: MXNet gammaln.
#[derive(Clone, Debug, Default)]
pub struct Gammaln(Params);

impl Gammaln {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("gammaln", &[Some(data)], &self.0)
    }
}

/// Slices data\[indices\[0\], ..., indices\[M-1\]\]: shape indices.shape\[1:\] + data.shape\[M:\].
/// Negative indices count from the end.
///
/// Source: MXNet gather_nd.
#[derive(Clone, Debug, Default)]
pub struct GatherNd(Params);

impl GatherNd {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: At least M axes.
    /// * `indices`: (M, ...); any dtype, fractions are cut off.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        indices: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("gather_nd", &[Some(data), indices.into()], &self.0)
    }
}

/// alpha * data + beta, held between 0 and 1.
///
/// Source: MXNet hard_sigmoid.
#[derive(Clone, Debug, Default)]
pub struct HardSigmoid(Params);

impl HardSigmoid {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Slope. Default: 0.2.
    pub fn alpha(mut self, value: f64) -> Self {
        self.0.set("alpha", value);
        self
    }

    /// Value at 0. Default: 0.5.
    pub fn beta(mut self, value: f64) -> Self {
        self.0.set("beta", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("hard_sigmoid", &[Some(data)], &self.0)
    }
}

/// A copy of the input.
///
/// Source: MXNet identity.
#[derive(Clone, Debug, Default)]
pub struct Identity(Params);

impl Identity {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("_copy", &[Some(data)], &self.0)
    }
}

/// The windows of each image as columns: (N, C, ...) becomes (N, C * window size, number of
/// windows).
///
/// Source: MXNet im2col.
#[derive(Clone, Debug, Default)]
pub struct Im2col(Params);

impl Im2col {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the window: (w,), (h, w) or (d, h, w).
    pub fn kernel(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("kernel", value.into());
        self
    }

    /// Distance between windows; () is 1. Default: ().
    pub fn stride(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("stride", value.into());
        self
    }

    /// Distance between a window's elements; () is 1. Default: ().
    pub fn dilate(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("dilate", value.into());
        self
    }

    /// Zeros assumed on either side; () is none. Default: ().
    pub fn pad(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("pad", value.into());
        self
    }

    /// * `data`: (N, C, w), (N, C, h, w) or (N, C, d, h, w)
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("im2col", &[Some(data)], &self.0)
    }
}

/// (product of all rows, columns): column k is the Kronecker product of the columns k of all
/// matrices.
///
/// Source: MXNet khatri_rao.
#[derive(Clone, Debug, Default)]
pub struct KhatriRao(Params);

impl KhatriRao {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `args`: Matrices (rows, columns) with the same number of columns; at most 15.
    pub fn call<T: Operand>(&self, args: &[&T]) -> Result<T> {
        let inputs: Vec<Option<&T>> = args.iter().copied().map(Some).collect();
        T::apply_one("khatri_rao", &inputs, &self.0)
    }
}

/// First half of LAMB: the moments of clip(rescale_grad * grad) and the direction mean / (sqrt(var)
/// + epsilon) + wd * weight.
///
/// Source: MXNet lamb_update_phase1; You and others 2019.
#[derive(Clone, Debug, Default)]
pub struct LambUpdatePhase1(Params);

impl LambUpdatePhase1 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Part of the first moment that is kept. Default: 0.9.
    pub fn beta1(mut self, value: f64) -> Self {
        self.0.set("beta1", value);
        self
    }

    /// Part of the second moment that is kept. Default: 0.999.
    pub fn beta2(mut self, value: f64) -> Self {
        self.0.set("beta2", value);
        self
    }

    /// Added to the root of the second moment. Default: 1e-06.
    pub fn epsilon(mut self, value: f64) -> Self {
        self.0.set("epsilon", value);
        self
    }

    /// How many updates there were, this one included.
    pub fn t(mut self, value: i64) -> Self {
        self.0.set("t", value);
        self
    }

    /// Undo the start of the moments at 0. Default: True.
    pub fn bias_correction(mut self, value: bool) -> Self {
        self.0.set("bias_correction", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the step.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `mean`: First moment; changed in place.
    /// * `var`: Second moment; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        mean: impl Into<Option<&'a T>>,
        var: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("lamb_update_phase1", &[Some(weight), grad.into(), mean.into(), var.into()], &self.0)
    }
}

/// Second half of LAMB: weight - lr * (r1 / r2) * g, with the bounded norm r1; the ratio is 1 where
/// a norm is 0.
///
/// Source: MXNet lamb_update_phase2.
#[derive(Clone, Debug, Default)]
pub struct LambUpdatePhase2(Params);

impl LambUpdatePhase2 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Least value of r1; a negative one does not bound. Default: -1.0.
    pub fn lower_bound(mut self, value: f64) -> Self {
        self.0.set("lower_bound", value);
        self
    }

    /// Greatest value of r1; a negative one does not bound. Default: -1.0.
    pub fn upper_bound(mut self, value: f64) -> Self {
        self.0.set("upper_bound", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `g`: The direction from lamb_update_phase1.
    /// * `r1`: Norm of the weight, one element.
    /// * `r2`: Norm of g, one element.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        g: impl Into<Option<&'a T>>,
        r1: impl Into<Option<&'a T>>,
        r2: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("lamb_update_phase2", &[Some(weight), g.into(), r1.into(), r2.into()], &self.0)
    }
}

/// Adjugates of square matrices: determinant times inverse, which exists for singular matrices too.
/// Its own gradient divides by the determinant.
#[derive(Clone, Debug, Default)]
pub struct LinalgAdjugate(Params);

impl LinalgAdjugate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `A`: (..., n, n), a float dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_adjugate", &[Some(A)], &self.0)
    }
}

/// Determinants of square matrices.
///
/// Source: MXNet linalg_det.
#[derive(Clone, Debug, Default)]
pub struct LinalgDet(Params);

impl LinalgDet {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `A`: (..., n, n), a float dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_det", &[Some(A)], &self.0)
    }
}

/// A diagonal of square matrices, as the last axis.
///
/// Source: MXNet linalg_extractdiag.
#[derive(Clone, Debug, Default)]
pub struct LinalgExtractdiag(Params);

impl LinalgExtractdiag {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Which diagonal: above 0 to the right of the main one. Default: 0.
    pub fn offset(mut self, value: i64) -> Self {
        self.0.set("offset", value);
        self
    }

    /// * `A`: (..., n, n).
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_extractdiag", &[Some(A)], &self.0)
    }
}

/// A triangle of square matrices, as the last axis: a lower one row by row, an upper one column by
/// column.
///
/// Source: MXNet linalg_extracttrian.
#[derive(Clone, Debug, Default)]
pub struct LinalgExtracttrian(Params);

impl LinalgExtracttrian {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
    pub fn offset(mut self, value: i64) -> Self {
        self.0.set("offset", value);
        self
    }

    /// Which triangle, when offset is 0. Default: True.
    pub fn lower(mut self, value: bool) -> Self {
        self.0.set("lower", value);
        self
    }

    /// * `A`: (..., n, n).
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_extracttrian", &[Some(A)], &self.0)
    }
}

/// LQ factorisation A = L Q: Q has orthonormal rows, L is lower triangular.
///
/// Source: MXNet linalg_gelqf; https://arxiv.org/abs/1710.08717.
#[derive(Clone, Debug, Default)]
pub struct LinalgGelqf(Params);

impl LinalgGelqf {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `A`: (..., m, n) with m at most n and full rank, a float dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T::Several> {
        T::apply("_linalg_gelqf", &[Some(A)], &self.0)
    }
}

/// alpha * op(A) op(B) + beta * C for stacks of matrices; all axes but those of rows and columns
/// are equal.
///
/// Source: MXNet linalg_gemm.
#[derive(Clone, Debug, Default)]
pub struct LinalgGemm(Params);

impl LinalgGemm {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Use the transposes of A. Default: False.
    pub fn transpose_a(mut self, value: bool) -> Self {
        self.0.set("transpose_a", value);
        self
    }

    /// Use the transposes of B. Default: False.
    pub fn transpose_b(mut self, value: bool) -> Self {
        self.0.set("transpose_b", value);
        self
    }

    /// Factor of the product. Default: 1.0.
    pub fn alpha(mut self, value: f64) -> Self {
        self.0.set("alpha", value);
        self
    }

    /// Factor of C. Default: 1.0.
    pub fn beta(mut self, value: f64) -> Self {
        self.0.set("beta", value);
        self
    }

    /// Axis of the matrix rows; the columns are the last one. Default: -2.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// * `A`: Float array of at least two axes.
    /// * `B`: Float array of the same dtype and number of axes.
    /// * `C`: Of the shape of the result.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
        B: impl Into<Option<&'a T>>,
        C: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_linalg_gemm", &[Some(A), B.into(), C.into()], &self.0)
    }
}

/// alpha * op(A) op(B) for stacks of matrices; all axes but those of rows and columns are equal.
///
/// Source: MXNet linalg_gemm2.
#[derive(Clone, Debug, Default)]
pub struct LinalgGemm2(Params);

impl LinalgGemm2 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Use the transposes of A. Default: False.
    pub fn transpose_a(mut self, value: bool) -> Self {
        self.0.set("transpose_a", value);
        self
    }

    /// Use the transposes of B. Default: False.
    pub fn transpose_b(mut self, value: bool) -> Self {
        self.0.set("transpose_b", value);
        self
    }

    /// Factor of the product. Default: 1.0.
    pub fn alpha(mut self, value: f64) -> Self {
        self.0.set("alpha", value);
        self
    }

    /// Axis of the matrix rows; the columns are the last one. Default: -2.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// * `A`: Float array of at least two axes.
    /// * `B`: Float array of the same dtype and number of axes.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
        B: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_linalg_gemm2", &[Some(A), B.into()], &self.0)
    }
}

/// Inverses of square matrices.
///
/// Source: MXNet linalg_inverse.
#[derive(Clone, Debug, Default)]
pub struct LinalgInverse(Params);

impl LinalgInverse {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `A`: (..., n, n), a float dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_inverse", &[Some(A)], &self.0)
    }
}

/// Square matrices with the given diagonal and zeros elsewhere.
///
/// Source: MXNet linalg_makediag.
#[derive(Clone, Debug, Default)]
pub struct LinalgMakediag(Params);

impl LinalgMakediag {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Which diagonal: above 0 to the right of the main one. Default: 0.
    pub fn offset(mut self, value: i64) -> Self {
        self.0.set("offset", value);
        self
    }

    /// * `A`: (..., k), the items of a diagonal.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_makediag", &[Some(A)], &self.0)
    }
}

/// Square matrices with the given triangle and zeros elsewhere.
///
/// Source: MXNet linalg_maketrian.
#[derive(Clone, Debug, Default)]
pub struct LinalgMaketrian(Params);

impl LinalgMaketrian {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one. Default: 0.
    pub fn offset(mut self, value: i64) -> Self {
        self.0.set("offset", value);
        self
    }

    /// Which triangle, when offset is 0. Default: True.
    pub fn lower(mut self, value: bool) -> Self {
        self.0.set("lower", value);
        self
    }

    /// * `A`: (..., k (k + 1) / 2), the items of a triangle.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_maketrian", &[Some(A)], &self.0)
    }
}

/// Cholesky factors: lower triangular L with A = L L^T, or upper triangular U with A = U^T U. The
/// gradient of A is symmetric.
///
/// Source: MXNet linalg_potrf; https://arxiv.org/abs/1710.08717.
#[derive(Clone, Debug, Default)]
pub struct LinalgPotrf(Params);

impl LinalgPotrf {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Which triangle is used; the other is not read. Default: True.
    pub fn lower(mut self, value: bool) -> Self {
        self.0.set("lower", value);
        self
    }

    /// * `A`: (..., n, n) symmetric positive definite matrices of a float dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_potrf", &[Some(A)], &self.0)
    }
}

/// The inverse of A = L L^T from its Cholesky factor L, or of A = U^T U from U.
///
/// Source: MXNet linalg_potri; https://arxiv.org/abs/1710.08717.
#[derive(Clone, Debug, Default)]
pub struct LinalgPotri(Params);

impl LinalgPotri {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Which triangle is used; the other is not read. Default: True.
    pub fn lower(mut self, value: bool) -> Self {
        self.0.set("lower", value);
        self
    }

    /// * `A`: (..., n, n) Cholesky factors of a float dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_potri", &[Some(A)], &self.0)
    }
}

/// Signs of the determinants of square matrices and the logarithms of their sizes; 0 and -inf for
/// singular matrices, whose gradient is 0.
///
/// Source: MXNet linalg_slogdet.
#[derive(Clone, Debug, Default)]
pub struct LinalgSlogdet(Params);

impl LinalgSlogdet {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `A`: (..., n, n), a float dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T::Several> {
        T::apply("_linalg_slogdet", &[Some(A)], &self.0)
    }
}

/// Sums of the logarithms of the diagonals of square matrices.
///
/// Source: MXNet linalg_sumlogdiag.
#[derive(Clone, Debug, Default)]
pub struct LinalgSumlogdiag(Params);

impl LinalgSumlogdiag {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `A`: (..., n, n), a float dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_sumlogdiag", &[Some(A)], &self.0)
    }
}

/// alpha * A A^T, or alpha * A^T A, for a stack of matrices.
///
/// Source: MXNet linalg_syrk.
#[derive(Clone, Debug, Default)]
pub struct LinalgSyrk(Params);

impl LinalgSyrk {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Transpose of A times A, instead of A times its transpose. Default: False.
    pub fn transpose(mut self, value: bool) -> Self {
        self.0.set("transpose", value);
        self
    }

    /// Factor of the product. Default: 1.0.
    pub fn alpha(mut self, value: f64) -> Self {
        self.0.set("alpha", value);
        self
    }

    /// * `A`: (..., m, n), a float dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
    ) -> Result<T> {
        T::apply_one("_linalg_syrk", &[Some(A)], &self.0)
    }
}

/// alpha * op(A) B, or alpha * B op(A), with triangular A.
///
/// Source: MXNet linalg_trmm.
#[derive(Clone, Debug, Default)]
pub struct LinalgTrmm(Params);

impl LinalgTrmm {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Use the transposes of A. Default: False.
    pub fn transpose(mut self, value: bool) -> Self {
        self.0.set("transpose", value);
        self
    }

    /// A stands to the right. Default: False.
    pub fn rightside(mut self, value: bool) -> Self {
        self.0.set("rightside", value);
        self
    }

    /// Which triangle of A is used; the other is not read. Default: True.
    pub fn lower(mut self, value: bool) -> Self {
        self.0.set("lower", value);
        self
    }

    /// Factor of B. Default: 1.0.
    pub fn alpha(mut self, value: f64) -> Self {
        self.0.set("alpha", value);
        self
    }

    /// * `A`: (..., n, n) triangular matrices of a float dtype.
    /// * `B`: (..., n, m), or (..., m, n) when A stands to the right.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
        B: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_linalg_trmm", &[Some(A), B.into()], &self.0)
    }
}

/// The solution X of op(A) X = alpha * B, or of X op(A) = alpha * B, with triangular A.
///
/// Source: MXNet linalg_trsm.
#[derive(Clone, Debug, Default)]
pub struct LinalgTrsm(Params);

impl LinalgTrsm {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Use the transposes of A. Default: False.
    pub fn transpose(mut self, value: bool) -> Self {
        self.0.set("transpose", value);
        self
    }

    /// A stands to the right. Default: False.
    pub fn rightside(mut self, value: bool) -> Self {
        self.0.set("rightside", value);
        self
    }

    /// Which triangle of A is used; the other is not read. Default: True.
    pub fn lower(mut self, value: bool) -> Self {
        self.0.set("lower", value);
        self
    }

    /// Factor of B. Default: 1.0.
    pub fn alpha(mut self, value: f64) -> Self {
        self.0.set("alpha", value);
        self
    }

    /// * `A`: (..., n, n) triangular matrices of a float dtype.
    /// * `B`: (..., n, m), or (..., m, n) when A stands to the right.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        A: &'a T,
        B: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_linalg_trsm", &[Some(A), B.into()], &self.0)
    }
}

/// Natural logarithm.
///
/// Source: MXNet log.
#[derive(Clone, Debug, Default)]
pub struct Log(Params);

impl Log {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("log", &[Some(data)], &self.0)
    }
}

/// Logarithm to base 10.
///
/// Source: MXNet log10.
#[derive(Clone, Debug, Default)]
pub struct Log10(Params);

impl Log10 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("log10", &[Some(data)], &self.0)
    }
}

/// log(1 + data), exact near 0.
///
/// Source: MXNet log1p.
#[derive(Clone, Debug, Default)]
pub struct Log1p(Params);

impl Log1p {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("log1p", &[Some(data)], &self.0)
    }
}

/// Logarithm to base 2.
///
/// Source: MXNet log2.
#[derive(Clone, Debug, Default)]
pub struct Log2(Params);

impl Log2 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("log2", &[Some(data)], &self.0)
    }
}

/// log(sigmoid(data)).
///
/// Source: MXNet log_sigmoid.
#[derive(Clone, Debug, Default)]
pub struct LogSigmoid(Params);

impl LogSigmoid {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("log_sigmoid", &[Some(data)], &self.0)
    }
}

/// Logarithm of the softmax, exact also where the softmax is almost 0.
///
/// Source: MXNet softmax.
#[derive(Clone, Debug, Default)]
pub struct LogSoftmax(Params);

impl LogSoftmax {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis along which the outputs sum to 1. Default: -1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// The input is divided by it; None is 1. Default: None.
    pub fn temperature(mut self, value: f64) -> Self {
        self.0.set("temperature", value);
        self
    }

    /// Element type of the output, a float; None is that of the input. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// Takes `length`, the number of elements of each vector that count. Default: False.
    pub fn use_length(mut self, value: bool) -> Self {
        self.0.set("use_length", value);
        self
    }

    /// * `data`: Floats. A vector of nothing but -inf gives NaN.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("log_softmax", &[Some(data)], &self.0)
    }
}

/// 1 where data is 0, else 0.
///
/// Source: MXNet logical_not.
#[derive(Clone, Debug, Default)]
pub struct LogicalNot(Params);

impl LogicalNot {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("logical_not", &[Some(data)], &self.0)
    }
}

/// A copy whose gradient is 1, whatever gradient arrives.
///
/// Source: MXNet make_loss.
#[derive(Clone, Debug, Default)]
pub struct MakeLoss2(Params);

impl MakeLoss2 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: The loss.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("make_loss", &[Some(data)], &self.0)
    }
}

/// Largest element over axes; NaN if there is one. Every tied element receives the gradient.
///
/// Source: MXNet broadcast_reduce_op.
#[derive(Clone, Debug, Default)]
pub struct Max(Params);

impl Max {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis or axes to reduce; None and () mean all. Default: None.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// Keeps reduced axes, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// Reduces all axes but those in `axis`. Default: False.
    pub fn exclude(mut self, value: bool) -> Self {
        self.0.set("exclude", value);
        self
    }

    /// * `data`: Any array. Integers are joined in int64 and wrap to the input's dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("max", &[Some(data)], &self.0)
    }
}

/// Arithmetic mean over axes; that of integers is truncated toward zero.
///
/// Source: MXNet broadcast_reduce_op.
#[derive(Clone, Debug, Default)]
pub struct Mean(Params);

impl Mean {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis or axes to reduce; None and () mean all. Default: None.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// Keeps reduced axes, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// Reduces all axes but those in `axis`. Default: False.
    pub fn exclude(mut self, value: bool) -> Self {
        self.0.set("exclude", value);
        self
    }

    /// * `data`: Any array. Integers are joined in int64 and wrap to the input's dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("mean", &[Some(data)], &self.0)
    }
}

/// Smallest element over axes; NaN if there is one. Every tied element receives the gradient.
///
/// Source: MXNet broadcast_reduce_op.
#[derive(Clone, Debug, Default)]
pub struct Min(Params);

impl Min {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis or axes to reduce; None and () mean all. Default: None.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// Keeps reduced axes, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// Reduces all axes but those in `axis`. Default: False.
    pub fn exclude(mut self, value: bool) -> Self {
        self.0.set("exclude", value);
        self
    }

    /// * `data`: Any array. Integers are joined in int64 and wrap to the input's dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("min", &[Some(data)], &self.0)
    }
}

/// data * tanh(log(1 + e^data)).
///
/// Source: Misra 2019, arXiv:1908.08681.
#[derive(Clone, Debug, Default)]
pub struct Mish(Params);

impl Mish {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("mish", &[Some(data)], &self.0)
    }
}

/// Mean and variance over axes; the variance divides by the number of elements.
///
/// Source: MXNet moments.
#[derive(Clone, Debug, Default)]
pub struct Moments(Params);

impl Moments {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axes to reduce; None means all. Default: None.
    pub fn axes(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axes", value.into());
        self
    }

    /// Keeps reduced axes, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// * `data`: Floats.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T::Several> {
        T::apply("moments", &[Some(data)], &self.0)
    }
}

/// lamb_update_phase1 in float32 from weight32; the direction is float32.
///
/// Source: MXNet mp_lamb_update_phase1.
#[derive(Clone, Debug, Default)]
pub struct MpLambUpdatePhase1(Params);

impl MpLambUpdatePhase1 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Part of the first moment that is kept. Default: 0.9.
    pub fn beta1(mut self, value: f64) -> Self {
        self.0.set("beta1", value);
        self
    }

    /// Part of the second moment that is kept. Default: 0.999.
    pub fn beta2(mut self, value: f64) -> Self {
        self.0.set("beta2", value);
        self
    }

    /// Added to the root of the second moment. Default: 1e-06.
    pub fn epsilon(mut self, value: f64) -> Self {
        self.0.set("epsilon", value);
        self
    }

    /// How many updates there were, this one included.
    pub fn t(mut self, value: i64) -> Self {
        self.0.set("t", value);
        self
    }

    /// Undo the start of the moments at 0. Default: True.
    pub fn bias_correction(mut self, value: bool) -> Self {
        self.0.set("bias_correction", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the step.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `mean`: First moment; changed in place.
    /// * `var`: Second moment; changed in place.
    /// * `weight32`: The weight in float32.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        mean: impl Into<Option<&'a T>>,
        var: impl Into<Option<&'a T>>,
        weight32: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("mp_lamb_update_phase1", &[Some(weight), grad.into(), mean.into(), var.into(), weight32.into()], &self.0)
    }
}

/// lamb_update_phase2 in float32 on weight32; the output is weight32 in the dtype of weight.
///
/// Source: MXNet mp_lamb_update_phase2.
#[derive(Clone, Debug, Default)]
pub struct MpLambUpdatePhase2(Params);

impl MpLambUpdatePhase2 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Least value of r1; a negative one does not bound. Default: -1.0.
    pub fn lower_bound(mut self, value: f64) -> Self {
        self.0.set("lower_bound", value);
        self
    }

    /// Greatest value of r1; a negative one does not bound. Default: -1.0.
    pub fn upper_bound(mut self, value: f64) -> Self {
        self.0.set("upper_bound", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `g`: The direction from mp_lamb_update_phase1, float32.
    /// * `r1`: Norm of the weight, one element, float32.
    /// * `r2`: Norm of g, one element, float32.
    /// * `weight32`: The weight in float32; updated in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        g: impl Into<Option<&'a T>>,
        r1: impl Into<Option<&'a T>>,
        r2: impl Into<Option<&'a T>>,
        weight32: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("mp_lamb_update_phase2", &[Some(weight), g.into(), r1.into(), r2.into(), weight32.into()], &self.0)
    }
}

/// nag_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
///
/// Source: MXNet mp_nag_mom_update.
#[derive(Clone, Debug, Default)]
pub struct MpNagMomUpdate(Params);

impl MpNagMomUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Part of the last step that is kept. Default: 0.0.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `mom`: The last step; changed in place.
    /// * `weight32`: The weight in float32; updated in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        mom: impl Into<Option<&'a T>>,
        weight32: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("mp_nag_mom_update", &[Some(weight), grad.into(), mom.into(), weight32.into()], &self.0)
    }
}

/// sgd_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.
///
/// Source: MXNet mp_sgd_mom_update.
#[derive(Clone, Debug, Default)]
pub struct MpSgdMomUpdate(Params);

impl MpSgdMomUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Part of the last step that is kept. Default: 0.0.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
    pub fn lazy_update(mut self, value: bool) -> Self {
        self.0.set("lazy_update", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `mom`: The last step; changed in place.
    /// * `weight32`: The weight in float32; updated in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        mom: impl Into<Option<&'a T>>,
        weight32: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("mp_sgd_mom_update", &[Some(weight), grad.into(), mom.into(), weight32.into()], &self.0)
    }
}

/// sgd_update in float32 on weight32; the output is weight32 in the dtype of weight.
///
/// Source: MXNet mp_sgd_update.
#[derive(Clone, Debug, Default)]
pub struct MpSgdUpdate(Params);

impl MpSgdUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
    pub fn lazy_update(mut self, value: bool) -> Self {
        self.0.set("lazy_update", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `weight32`: The weight in float32; updated in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        weight32: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("mp_sgd_update", &[Some(weight), grad.into(), weight32.into()], &self.0)
    }
}

/// 1 if no element of any array is infinite or NaN, else 0; float32 of shape (1,).
///
/// Source: MXNet multi_all_finite.
#[derive(Clone, Debug, Default)]
pub struct MultiAllFinite(Params);

impl MultiAllFinite {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// False keeps a 0 that the given output holds, so that several calls add up. Default: True.
    pub fn init_output(mut self, value: bool) -> Self {
        self.0.set("init_output", value);
        self
    }

    /// * `data`: Arrays of any shape and dtype.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply_one("multi_all_finite", &inputs, &self.0)
    }
}

/// Rate of each layer: with the norms w and g of weight and scaled gradient, lr * eta * w / (g + wd
/// * w + eps) where both are above 0, else lr.
///
/// Source: MXNet multi_lars; You and others 2017.
#[derive(Clone, Debug, Default)]
pub struct MultiLars(Params);

impl MultiLars {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Factor of the rates.
    pub fn eta(mut self, value: f64) -> Self {
        self.0.set("eta", value);
        self
    }

    /// Added to the divisor.
    pub fn eps(mut self, value: f64) -> Self {
        self.0.set("eps", value);
        self
    }

    /// Factor of the gradients. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// * `lrs`: Learning rate of each layer.
    /// * `weights_sum_sq`: Sum of squares of each weight.
    /// * `grads_sum_sq`: Sum of squares of each gradient.
    /// * `wds`: Weight decay of each layer.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lrs: &'a T,
        weights_sum_sq: impl Into<Option<&'a T>>,
        grads_sum_sq: impl Into<Option<&'a T>>,
        wds: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("multi_lars", &[Some(lrs), weights_sum_sq.into(), grads_sum_sq.into(), wds.into()], &self.0)
    }
}

/// mp_sgd_mom_update of several weights.
///
/// Source: MXNet multi_mp_sgd_mom_update.
#[derive(Clone, Debug, Default)]
pub struct MultiMpSgdMomUpdate(Params);

impl MultiMpSgdMomUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate of each weight.
    pub fn lrs(mut self, value: impl Into<Vec<f64>>) -> Self {
        self.0.set("lrs", value.into());
        self
    }

    /// Weight decay of each weight.
    pub fn wds(mut self, value: impl Into<Vec<f64>>) -> Self {
        self.0.set("wds", value.into());
        self
    }

    /// Part of the last step that is kept. Default: 0.0.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Number of weights. Default: 1.
    pub fn num_weights(mut self, value: i64) -> Self {
        self.0.set("num_weights", value);
        self
    }

    /// * `data`: For each weight in turn its weight, gradient and, as far as the operator has them,
    /// the states and then weight32; these are changed in place.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("multi_mp_sgd_mom_update", &inputs, &self.0)
    }
}

/// mp_sgd_update of several weights.
///
/// Source: MXNet multi_mp_sgd_update.
#[derive(Clone, Debug, Default)]
pub struct MultiMpSgdUpdate(Params);

impl MultiMpSgdUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate of each weight.
    pub fn lrs(mut self, value: impl Into<Vec<f64>>) -> Self {
        self.0.set("lrs", value.into());
        self
    }

    /// Weight decay of each weight.
    pub fn wds(mut self, value: impl Into<Vec<f64>>) -> Self {
        self.0.set("wds", value.into());
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Number of weights. Default: 1.
    pub fn num_weights(mut self, value: i64) -> Self {
        self.0.set("num_weights", value);
        self
    }

    /// * `data`: For each weight in turn its weight, gradient and, as far as the operator has them,
    /// the states and then weight32; these are changed in place.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("multi_mp_sgd_update", &inputs, &self.0)
    }
}

/// sgd_mom_update of several weights.
///
/// Source: MXNet multi_sgd_mom_update.
#[derive(Clone, Debug, Default)]
pub struct MultiSgdMomUpdate(Params);

impl MultiSgdMomUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate of each weight.
    pub fn lrs(mut self, value: impl Into<Vec<f64>>) -> Self {
        self.0.set("lrs", value.into());
        self
    }

    /// Weight decay of each weight.
    pub fn wds(mut self, value: impl Into<Vec<f64>>) -> Self {
        self.0.set("wds", value.into());
        self
    }

    /// Part of the last step that is kept. Default: 0.0.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Number of weights. Default: 1.
    pub fn num_weights(mut self, value: i64) -> Self {
        self.0.set("num_weights", value);
        self
    }

    /// * `data`: For each weight in turn its weight, gradient and, as far as the operator has them,
    /// the states and then weight32; these are changed in place.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("multi_sgd_mom_update", &inputs, &self.0)
    }
}

/// sgd_update of several weights.
///
/// Source: MXNet multi_sgd_update.
#[derive(Clone, Debug, Default)]
pub struct MultiSgdUpdate(Params);

impl MultiSgdUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate of each weight.
    pub fn lrs(mut self, value: impl Into<Vec<f64>>) -> Self {
        self.0.set("lrs", value.into());
        self
    }

    /// Weight decay of each weight.
    pub fn wds(mut self, value: impl Into<Vec<f64>>) -> Self {
        self.0.set("wds", value.into());
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Number of weights. Default: 1.
    pub fn num_weights(mut self, value: i64) -> Self {
        self.0.set("num_weights", value);
        self
    }

    /// * `data`: For each weight in turn its weight, gradient and, as far as the operator has them,
    /// the states and then weight32; these are changed in place.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("multi_sgd_update", &inputs, &self.0)
    }
}

/// Sum of squares of each array, as a float32 array of num_arrays elements.
///
/// Source: MXNet multi_sum_sq.
#[derive(Clone, Debug, Default)]
pub struct MultiSumSq(Params);

impl MultiSumSq {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Arrays of any shape and dtype.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply_one("multi_sum_sq", &inputs, &self.0)
    }
}

/// Nesterov's momentum: with m0 the old mom, mom = momentum * m0 - lr * (clip(rescale_grad * grad)
/// + wd * weight); the new weight is weight - momentum * m0 + (1 + momentum) * mom.
///
/// Source: MXNet nag_mom_update.
#[derive(Clone, Debug, Default)]
pub struct NagMomUpdate(Params);

impl NagMomUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Part of the last step that is kept. Default: 0.0.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `mom`: The last step; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        mom: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("nag_mom_update", &[Some(weight), grad.into(), mom.into()], &self.0)
    }
}

/// Product over axes, NaN counting as 1.
///
/// Source: MXNet broadcast_reduce_op.
#[derive(Clone, Debug, Default)]
pub struct Nanprod(Params);

impl Nanprod {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis or axes to reduce; None and () mean all. Default: None.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// Keeps reduced axes, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// Reduces all axes but those in `axis`. Default: False.
    pub fn exclude(mut self, value: bool) -> Self {
        self.0.set("exclude", value);
        self
    }

    /// * `data`: Any array. Integers are joined in int64 and wrap to the input's dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("nanprod", &[Some(data)], &self.0)
    }
}

/// Sum over axes, NaN counting as 0.
///
/// Source: MXNet broadcast_reduce_op.
#[derive(Clone, Debug, Default)]
pub struct Nansum(Params);

impl Nansum {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis or axes to reduce; None and () mean all. Default: None.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// Keeps reduced axes, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// Reduces all axes but those in `axis`. Default: False.
    pub fn exclude(mut self, value: bool) -> Self {
        self.0.set("exclude", value);
        self
    }

    /// * `data`: Any array. Integers are joined in int64 and wrap to the input's dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("nansum", &[Some(data)], &self.0)
    }
}

/// -data.
///
/// Source: MXNet negative.
#[derive(Clone, Debug, Default)]
pub struct Negative(Params);

impl Negative {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("negative", &[Some(data)], &self.0)
    }
}

/// Norm over axes: the sum of absolute values or the Euclidean length.
///
/// Source: MXNet norm.
#[derive(Clone, Debug, Default)]
pub struct Norm(Params);

impl Norm {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// 1: sum of absolute values; 2: root of the sum of squares. Default: 2.
    pub fn ord(mut self, value: i64) -> Self {
        self.0.set("ord", value);
        self
    }

    /// Axis or axes to reduce; None and () mean all. Default: None.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// Element type of the output; None is that of the input. Default: None.
    pub fn out_dtype(mut self, value: DType) -> Self {
        self.0.set("out_dtype", value);
        self
    }

    /// Keeps reduced axes, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("norm", &[Some(data)], &self.0)
    }
}

/// A new last axis with on_value at each index and off_value elsewhere; an index outside gives only
/// off_value.
///
/// Source: MXNet one_hot.
#[derive(Clone, Debug, Default)]
pub struct OneHot(Params);

impl OneHot {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extent of the new last axis.
    pub fn depth(mut self, value: i64) -> Self {
        self.0.set("depth", value);
        self
    }

    /// Value at the index. Default: 1.0.
    pub fn on_value(mut self, value: f64) -> Self {
        self.0.set("on_value", value);
        self
    }

    /// Value elsewhere. Default: 0.0.
    pub fn off_value(mut self, value: f64) -> Self {
        self.0.set("off_value", value);
        self
    }

    /// Element type of the output. Default: 'float32'.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `indices`: Any shape and dtype; fractions are cut off.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        indices: &'a T,
    ) -> Result<T> {
        T::apply_one("one_hot", &[Some(indices)], &self.0)
    }
}

/// Ones with the shape and dtype of the input.
///
/// Source: MXNet ones_like.
#[derive(Clone, Debug, Default)]
pub struct OnesLike(Params);

impl OnesLike {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("ones_like", &[Some(data)], &self.0)
    }
}

/// One element along an axis for every place of the others, by index.
///
/// Source: MXNet pick.
#[derive(Clone, Debug, Default)]
pub struct Pick(Params);

impl Pick {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The axis from which one element is taken; None takes one of the flattened array. Default:
    /// -1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Keep the axis with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// Indices outside the axis are clipped or wrap around. One of "clip", "wrap". Default: 'clip'.
    pub fn mode(mut self, value: impl Into<String>) -> Self {
        self.0.set("mode", value.into());
        self
    }

    /// * `data`: Any array.
    /// * `index`: data's shape without the axis, or with extent 1 there; any dtype, fractions are
    /// cut off.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        index: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("pick", &[Some(data), index.into()], &self.0)
    }
}

/// mp_sgd_mom_update of several weights; the last two inputs are the learning rates and the weight
/// decays, float32.
///
/// Source: MXNet preloaded_multi_mp_sgd_mom_update.
#[derive(Clone, Debug, Default)]
pub struct PreloadedMultiMpSgdMomUpdate(Params);

impl PreloadedMultiMpSgdMomUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Part of the last step that is kept. Default: 0.0.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Number of weights. Default: 1.
    pub fn num_weights(mut self, value: i64) -> Self {
        self.0.set("num_weights", value);
        self
    }

    /// * `data`: For each weight in turn its weight, gradient and, as far as the operator has them,
    /// the states and then weight32; these are changed in place.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("preloaded_multi_mp_sgd_mom_update", &inputs, &self.0)
    }
}

/// mp_sgd_update of several weights; the last two inputs are the learning rates and the weight
/// decays, float32.
///
/// Source: MXNet preloaded_multi_mp_sgd_update.
#[derive(Clone, Debug, Default)]
pub struct PreloadedMultiMpSgdUpdate(Params);

impl PreloadedMultiMpSgdUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Number of weights. Default: 1.
    pub fn num_weights(mut self, value: i64) -> Self {
        self.0.set("num_weights", value);
        self
    }

    /// * `data`: For each weight in turn its weight, gradient and, as far as the operator has them,
    /// the states and then weight32; these are changed in place.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("preloaded_multi_mp_sgd_update", &inputs, &self.0)
    }
}

/// sgd_mom_update of several weights; the last two inputs are the learning rates and the weight
/// decays, float32.
///
/// Source: MXNet preloaded_multi_sgd_mom_update.
#[derive(Clone, Debug, Default)]
pub struct PreloadedMultiSgdMomUpdate(Params);

impl PreloadedMultiSgdMomUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Part of the last step that is kept. Default: 0.0.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Number of weights. Default: 1.
    pub fn num_weights(mut self, value: i64) -> Self {
        self.0.set("num_weights", value);
        self
    }

    /// * `data`: For each weight in turn its weight, gradient and, as far as the operator has them,
    /// the states and then weight32; these are changed in place.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("preloaded_multi_sgd_mom_update", &inputs, &self.0)
    }
}

/// sgd_update of several weights; the last two inputs are the learning rates and the weight decays,
/// float32.
///
/// Source: MXNet preloaded_multi_sgd_update.
#[derive(Clone, Debug, Default)]
pub struct PreloadedMultiSgdUpdate(Params);

impl PreloadedMultiSgdUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Number of weights. Default: 1.
    pub fn num_weights(mut self, value: i64) -> Self {
        self.0.set("num_weights", value);
        self
    }

    /// * `data`: For each weight in turn its weight, gradient and, as far as the operator has them,
    /// the states and then weight32; these are changed in place.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T::Several> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply("preloaded_multi_sgd_update", &inputs, &self.0)
    }
}

/// Product over axes.
///
/// Source: MXNet broadcast_reduce_op.
#[derive(Clone, Debug, Default)]
pub struct Prod(Params);

impl Prod {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis or axes to reduce; None and () mean all. Default: None.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// Keeps reduced axes, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// Reduces all axes but those in `axis`. Default: False.
    pub fn exclude(mut self, value: bool) -> Self {
        self.0.set("exclude", value);
        self
    }

    /// * `data`: Any array. Integers are joined in int64 and wrap to the input's dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("prod", &[Some(data)], &self.0)
    }
}

/// Degrees to radians.
///
/// Source: MXNet radians.
#[derive(Clone, Debug, Default)]
pub struct Radians(Params);

impl Radians {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("radians", &[Some(data)], &self.0)
    }
}

/// Numbers of the exponential distribution of rate lam.
///
/// Source: MXNet _random_exponential.
#[derive(Clone, Debug, Default)]
pub struct RandomExponential(Params);

impl RandomExponential {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Rate, the inverse of the mean. Default: 1.0.
    pub fn lam(mut self, value: f64) -> Self {
        self.0.set("lam", value);
        self
    }

    /// Extents of the output; by default those of the given output. Default: None.
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
    pub fn ctx(mut self, value: impl Into<String>) -> Self {
        self.0.set("ctx", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// An array.
    pub fn array(&self) -> Result<NDArray> {
        NDArray::apply_one("_random_exponential", &[], &self.0)
    }

    /// A node of a graph.
    pub fn node(&self) -> Result<Symbol> {
        Symbol::apply_one("_random_exponential", &[], &self.0)
    }
}

/// Numbers of the gamma distribution of shape alpha and scale beta.
///
/// Source: MXNet _random_gamma.
#[derive(Clone, Debug, Default)]
pub struct RandomGamma(Params);

impl RandomGamma {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Shape. Default: 1.0.
    pub fn alpha(mut self, value: f64) -> Self {
        self.0.set("alpha", value);
        self
    }

    /// Scale: the mean is alpha * beta. Default: 1.0.
    pub fn beta(mut self, value: f64) -> Self {
        self.0.set("beta", value);
        self
    }

    /// Extents of the output; by default those of the given output. Default: None.
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
    pub fn ctx(mut self, value: impl Into<String>) -> Self {
        self.0.set("ctx", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// An array.
    pub fn array(&self) -> Result<NDArray> {
        NDArray::apply_one("_random_gamma", &[], &self.0)
    }

    /// A node of a graph.
    pub fn node(&self) -> Result<Symbol> {
        Symbol::apply_one("_random_gamma", &[], &self.0)
    }
}

/// Counts of mean mu and variance mu + alpha * mu^2, as floats.
///
/// Source: MXNet _random_generalized_negative_binomial.
#[derive(Clone, Debug, Default)]
pub struct RandomGeneralizedNegativeBinomial(Params);

impl RandomGeneralizedNegativeBinomial {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Mean. Default: 1.0.
    pub fn mu(mut self, value: f64) -> Self {
        self.0.set("mu", value);
        self
    }

    /// Dispersion: the variance is mu + alpha * mu^2. Default: 1.0.
    pub fn alpha(mut self, value: f64) -> Self {
        self.0.set("alpha", value);
        self
    }

    /// Extents of the output; by default those of the given output. Default: None.
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
    pub fn ctx(mut self, value: impl Into<String>) -> Self {
        self.0.set("ctx", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// An array.
    pub fn array(&self) -> Result<NDArray> {
        NDArray::apply_one("_random_generalized_negative_binomial", &[], &self.0)
    }

    /// A node of a graph.
    pub fn node(&self) -> Result<Symbol> {
        Symbol::apply_one("_random_generalized_negative_binomial", &[], &self.0)
    }
}

/// Failures before success number k, each trial succeeding with probability p, as floats.
///
/// Source: MXNet _random_negative_binomial.
#[derive(Clone, Debug, Default)]
pub struct RandomNegativeBinomial(Params);

impl RandomNegativeBinomial {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Successes to wait for. Default: 1.0.
    pub fn k(mut self, value: f64) -> Self {
        self.0.set("k", value);
        self
    }

    /// Probability of success. Default: 1.0.
    pub fn p(mut self, value: f64) -> Self {
        self.0.set("p", value);
        self
    }

    /// Extents of the output; by default those of the given output. Default: None.
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
    pub fn ctx(mut self, value: impl Into<String>) -> Self {
        self.0.set("ctx", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// An array.
    pub fn array(&self) -> Result<NDArray> {
        NDArray::apply_one("_random_negative_binomial", &[], &self.0)
    }

    /// A node of a graph.
    pub fn node(&self) -> Result<Symbol> {
        Symbol::apply_one("_random_negative_binomial", &[], &self.0)
    }
}

/// Numbers of the normal distribution.
///
/// Source: MXNet _random_normal.
#[derive(Clone, Debug, Default)]
pub struct RandomNormal(Params);

impl RandomNormal {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Mean. Default: 0.0.
    pub fn loc(mut self, value: f64) -> Self {
        self.0.set("loc", value);
        self
    }

    /// Standard deviation. Default: 1.0.
    pub fn scale(mut self, value: f64) -> Self {
        self.0.set("scale", value);
        self
    }

    /// Extents of the output; by default those of the given output. Default: None.
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
    pub fn ctx(mut self, value: impl Into<String>) -> Self {
        self.0.set("ctx", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// An array.
    pub fn array(&self) -> Result<NDArray> {
        NDArray::apply_one("_random_normal", &[], &self.0)
    }

    /// A node of a graph.
    pub fn node(&self) -> Result<Symbol> {
        Symbol::apply_one("_random_normal", &[], &self.0)
    }
}

/// Density of the Dirichlet distribution at vectors along the last axis.
///
/// Source: MXNet _random_pdf_dirichlet.
#[derive(Clone, Debug, Default)]
pub struct RandomPdfDirichlet(Params);

impl RandomPdfDirichlet {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether to give the logarithm of the density. Default: False.
    pub fn is_log(mut self, value: bool) -> Self {
        self.0.set("is_log", value);
        self
    }

    /// * `sample`: (s..., m..., k): vectors that sum to 1. A float dtype.
    /// * `alpha`: (s..., k): concentrations.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        sample: &'a T,
        alpha: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_random_pdf_dirichlet", &[Some(sample), alpha.into()], &self.0)
    }
}

/// Density of the exponential distribution, wherever the samples lie.
///
/// Source: MXNet _random_pdf_exponential.
#[derive(Clone, Debug, Default)]
pub struct RandomPdfExponential(Params);

impl RandomPdfExponential {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether to give the logarithm of the density. Default: False.
    pub fn is_log(mut self, value: bool) -> Self {
        self.0.set("is_log", value);
        self
    }

    /// * `sample`: Samples; their shape begins with that of the parameters. A float dtype.
    /// * `lam`: Rates.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        sample: &'a T,
        lam: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_random_pdf_exponential", &[Some(sample), lam.into()], &self.0)
    }
}

/// Density of the gamma distribution, here of rate beta: the mean is alpha / beta.
///
/// Source: MXNet _random_pdf_gamma.
#[derive(Clone, Debug, Default)]
pub struct RandomPdfGamma(Params);

impl RandomPdfGamma {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether to give the logarithm of the density. Default: False.
    pub fn is_log(mut self, value: bool) -> Self {
        self.0.set("is_log", value);
        self
    }

    /// * `sample`: Samples; their shape begins with that of the parameters. A float dtype.
    /// * `alpha`: Shapes.
    /// * `beta`: Rates, the inverse of the scales that samplers take.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        sample: &'a T,
        alpha: impl Into<Option<&'a T>>,
        beta: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_random_pdf_gamma", &[Some(sample), alpha.into(), beta.into()], &self.0)
    }
}

/// Probability of a count of mean mu and variance mu + alpha * mu^2; its gradient by the count is
/// 0.
///
/// Source: MXNet _random_pdf_generalized_negative_binomial.
#[derive(Clone, Debug, Default)]
pub struct RandomPdfGeneralizedNegativeBinomial(Params);

impl RandomPdfGeneralizedNegativeBinomial {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether to give the logarithm of the density. Default: False.
    pub fn is_log(mut self, value: bool) -> Self {
        self.0.set("is_log", value);
        self
    }

    /// * `sample`: Samples; their shape begins with that of the parameters. A float dtype.
    /// * `mu`: Means.
    /// * `alpha`: Dispersions.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        sample: &'a T,
        mu: impl Into<Option<&'a T>>,
        alpha: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_random_pdf_generalized_negative_binomial", &[Some(sample), mu.into(), alpha.into()], &self.0)
    }
}

/// Probability of so many failures before success number k; its gradient by the count is 0.
///
/// Source: MXNet _random_pdf_negative_binomial.
#[derive(Clone, Debug, Default)]
pub struct RandomPdfNegativeBinomial(Params);

impl RandomPdfNegativeBinomial {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether to give the logarithm of the density. Default: False.
    pub fn is_log(mut self, value: bool) -> Self {
        self.0.set("is_log", value);
        self
    }

    /// * `sample`: Samples; their shape begins with that of the parameters. A float dtype.
    /// * `k`: Successes to wait for.
    /// * `p`: Probabilities of success.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        sample: &'a T,
        k: impl Into<Option<&'a T>>,
        p: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_random_pdf_negative_binomial", &[Some(sample), k.into(), p.into()], &self.0)
    }
}

/// Density of the normal distribution.
///
/// Source: MXNet _random_pdf_normal.
#[derive(Clone, Debug, Default)]
pub struct RandomPdfNormal(Params);

impl RandomPdfNormal {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether to give the logarithm of the density. Default: False.
    pub fn is_log(mut self, value: bool) -> Self {
        self.0.set("is_log", value);
        self
    }

    /// * `sample`: Samples; their shape begins with that of the parameters. A float dtype.
    /// * `mu`: Means.
    /// * `sigma`: Standard deviations.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        sample: &'a T,
        mu: impl Into<Option<&'a T>>,
        sigma: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_random_pdf_normal", &[Some(sample), mu.into(), sigma.into()], &self.0)
    }
}

/// Probability of a count under the Poisson distribution; its gradient by the count is 0.
///
/// Source: MXNet _random_pdf_poisson.
#[derive(Clone, Debug, Default)]
pub struct RandomPdfPoisson(Params);

impl RandomPdfPoisson {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether to give the logarithm of the density. Default: False.
    pub fn is_log(mut self, value: bool) -> Self {
        self.0.set("is_log", value);
        self
    }

    /// * `sample`: Samples; their shape begins with that of the parameters. A float dtype.
    /// * `lam`: Means.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        sample: &'a T,
        lam: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_random_pdf_poisson", &[Some(sample), lam.into()], &self.0)
    }
}

/// Density 1 / (high - low), wherever the samples lie.
///
/// Source: MXNet _random_pdf_uniform.
#[derive(Clone, Debug, Default)]
pub struct RandomPdfUniform(Params);

impl RandomPdfUniform {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Whether to give the logarithm of the density. Default: False.
    pub fn is_log(mut self, value: bool) -> Self {
        self.0.set("is_log", value);
        self
    }

    /// * `sample`: Samples; their shape begins with that of the parameters. A float dtype.
    /// * `low`: Ends of the intervals.
    /// * `high`: The other ends.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        sample: &'a T,
        low: impl Into<Option<&'a T>>,
        high: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_random_pdf_uniform", &[Some(sample), low.into(), high.into()], &self.0)
    }
}

/// Counts of the Poisson distribution of mean lam, as floats.
///
/// Source: MXNet _random_poisson.
#[derive(Clone, Debug, Default)]
pub struct RandomPoisson(Params);

impl RandomPoisson {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Mean. Default: 1.0.
    pub fn lam(mut self, value: f64) -> Self {
        self.0.set("lam", value);
        self
    }

    /// Extents of the output; by default those of the given output. Default: None.
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
    pub fn ctx(mut self, value: impl Into<String>) -> Self {
        self.0.set("ctx", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// An array.
    pub fn array(&self) -> Result<NDArray> {
        NDArray::apply_one("_random_poisson", &[], &self.0)
    }

    /// A node of a graph.
    pub fn node(&self) -> Result<Symbol> {
        Symbol::apply_one("_random_poisson", &[], &self.0)
    }
}

/// Whole numbers spread evenly over \[low, high).
///
/// Source: MXNet _random_randint.
#[derive(Clone, Debug, Default)]
pub struct RandomRandint(Params);

impl RandomRandint {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Least number.
    pub fn low(mut self, value: i64) -> Self {
        self.0.set("low", value);
        self
    }

    /// The number after the greatest.
    pub fn high(mut self, value: i64) -> Self {
        self.0.set("high", value);
        self
    }

    /// Extents of the output; by default those of the given output. Default: None.
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
    pub fn ctx(mut self, value: impl Into<String>) -> Self {
        self.0.set("ctx", value.into());
        self
    }

    /// int32 or int64; by default that of the given output, else int32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// An array.
    pub fn array(&self) -> Result<NDArray> {
        NDArray::apply_one("_random_randint", &[], &self.0)
    }

    /// A node of a graph.
    pub fn node(&self) -> Result<Symbol> {
        Symbol::apply_one("_random_randint", &[], &self.0)
    }
}

/// Numbers spread evenly over \[low, high).
///
/// Source: MXNet _random_uniform.
#[derive(Clone, Debug, Default)]
pub struct RandomUniform(Params);

impl RandomUniform {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Least value. Default: 0.0.
    pub fn low(mut self, value: f64) -> Self {
        self.0.set("low", value);
        self
    }

    /// End of the interval, itself never drawn. Default: 1.0.
    pub fn high(mut self, value: f64) -> Self {
        self.0.set("high", value);
        self
    }

    /// Extents of the output; by default those of the given output. Default: None.
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Device such as 'cpu(0)'; only stored in files, calls use the current device. Default: ''.
    pub fn ctx(mut self, value: impl Into<String>) -> Self {
        self.0.set("ctx", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// An array.
    pub fn array(&self) -> Result<NDArray> {
        NDArray::apply_one("_random_uniform", &[], &self.0)
    }

    /// A node of a graph.
    pub fn node(&self) -> Result<Symbol> {
        Symbol::apply_one("_random_uniform", &[], &self.0)
    }
}

/// Row-major flat index of each column of coordinates; not checked against the extents.
///
/// Source: MXNet ravel_multi_index.
#[derive(Clone, Debug, Default)]
pub struct RavelMultiIndex(Params);

impl RavelMultiIndex {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the array that is indexed; the first one may be -1. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// * `data`: (number of axes, ...)
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("_ravel_multi_index", &[Some(data)], &self.0)
    }
}

/// 1 / cbrt(data).
///
/// Source: MXNet rcbrt.
#[derive(Clone, Debug, Default)]
pub struct Rcbrt(Params);

impl Rcbrt {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("rcbrt", &[Some(data)], &self.0)
    }
}

/// 1 / data.
///
/// Source: MXNet reciprocal.
#[derive(Clone, Debug, Default)]
pub struct Reciprocal(Params);

impl Reciprocal {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("reciprocal", &[Some(data)], &self.0)
    }
}

/// max(data, 0).
///
/// Source: MXNet relu.
#[derive(Clone, Debug, Default)]
pub struct Relu(Params);

impl Relu {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("relu", &[Some(data)], &self.0)
    }
}

/// Repeats each element in place, along an axis or in the flattened array.
///
/// Source: MXNet repeat.
#[derive(Clone, Debug, Default)]
pub struct Repeat(Params);

impl Repeat {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// How often each element occurs.
    pub fn repeats(mut self, value: i64) -> Self {
        self.0.set("repeats", value);
        self
    }

    /// Along which axis; None takes the flattened array. Default: None.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("repeat", &[Some(data)], &self.0)
    }
}

/// lhs in the shape of rhs; with ranges, only axes \[lhs_begin, lhs_end) turn into rhs's axes
/// \[rhs_begin, rhs_end).
///
/// Source: MXNet reshape_like.
#[derive(Clone, Debug, Default)]
pub struct ReshapeLike(Params);

impl ReshapeLike {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// First axis of lhs that is replaced; None is 0. Default: None.
    pub fn lhs_begin(mut self, value: i64) -> Self {
        self.0.set("lhs_begin", value);
        self
    }

    /// Axis of lhs where replacing ends; None is its rank. Default: None.
    pub fn lhs_end(mut self, value: i64) -> Self {
        self.0.set("lhs_end", value);
        self
    }

    /// First axis of rhs that is taken; None is 0. Default: None.
    pub fn rhs_begin(mut self, value: i64) -> Self {
        self.0.set("rhs_begin", value);
        self
    }

    /// Axis of rhs where taking ends; None is its rank. Default: None.
    pub fn rhs_end(mut self, value: i64) -> Self {
        self.0.set("rhs_end", value);
        self
    }

    /// * `lhs`: The elements.
    /// * `rhs`: Gives extents; its elements are not read.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lhs: &'a T,
        rhs: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("reshape_like", &[Some(lhs), rhs.into()], &self.0)
    }
}

/// Reverses the order of elements along axes.
///
/// Source: MXNet reverse.
#[derive(Clone, Debug, Default)]
pub struct Reverse(Params);

impl Reverse {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axes to reverse.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("reverse", &[Some(data)], &self.0)
    }
}

/// Nearest integer; halves go down.
///
/// Source: MXNet rint.
#[derive(Clone, Debug, Default)]
pub struct Rint(Params);

impl Rint {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("rint", &[Some(data)], &self.0)
    }
}

/// g = clip(rescale_grad * grad + wd * weight), n = gamma1 * n + (1 - gamma1) * g^2; the new weight
/// is weight - lr * g / sqrt(n + epsilon).
///
/// Source: MXNet rmsprop_update; Tieleman and Hinton 2012.
#[derive(Clone, Debug, Default)]
pub struct RmspropUpdate(Params);

impl RmspropUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Part of the averaged square that is kept. Default: 0.95.
    pub fn gamma1(mut self, value: f64) -> Self {
        self.0.set("gamma1", value);
        self
    }

    /// Added under the root. Default: 1e-08.
    pub fn epsilon(mut self, value: f64) -> Self {
        self.0.set("epsilon", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// New weights are bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_weights(mut self, value: f64) -> Self {
        self.0.set("clip_weights", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `n`: Averaged square of the gradient; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        n: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("rmsprop_update", &[Some(weight), grad.into(), n.into()], &self.0)
    }
}

/// RMSProp around the mean, with momentum: n and g average the squares and the gradients, delta =
/// gamma2 * delta - lr * grad / sqrt(n - g^2 + epsilon); the new weight is weight + delta.
///
/// Source: MXNet rmspropalex_update; Graves 2013.
#[derive(Clone, Debug, Default)]
pub struct RmspropalexUpdate(Params);

impl RmspropalexUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Part of the averages that is kept. Default: 0.95.
    pub fn gamma1(mut self, value: f64) -> Self {
        self.0.set("gamma1", value);
        self
    }

    /// Part of the last step that is kept. Default: 0.9.
    pub fn gamma2(mut self, value: f64) -> Self {
        self.0.set("gamma2", value);
        self
    }

    /// Added under the root. Default: 1e-08.
    pub fn epsilon(mut self, value: f64) -> Self {
        self.0.set("epsilon", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// New weights are bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_weights(mut self, value: f64) -> Self {
        self.0.set("clip_weights", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `n`: Averaged square of the gradient; changed in place.
    /// * `g`: Averaged gradient; changed in place.
    /// * `delta`: The last step; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        n: impl Into<Option<&'a T>>,
        g: impl Into<Option<&'a T>>,
        delta: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("rmspropalex_update", &[Some(weight), grad.into(), n.into(), g.into(), delta.into()], &self.0)
    }
}

/// Nearest integer; halves go away from 0.
///
/// Source: MXNet round.
#[derive(Clone, Debug, Default)]
pub struct Round(Params);

impl Round {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("round", &[Some(data)], &self.0)
    }
}

/// 1 / sqrt(data).
///
/// Source: MXNet rsqrt.
#[derive(Clone, Debug, Default)]
pub struct Rsqrt(Params);

impl Rsqrt {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("rsqrt", &[Some(data)], &self.0)
    }
}

/// Numbers of exponential distributions. The output has the parameters' shape followed by `shape`;
/// parameters outside their range give NaN.
///
/// Source: MXNet _sample_exponential.
#[derive(Clone, Debug, Default)]
pub struct SampleExponential(Params);

impl SampleExponential {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the block that each element of the parameters gives. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `lam`: Rates, the inverse of the means.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lam: &'a T,
    ) -> Result<T> {
        T::apply_one("_sample_exponential", &[Some(lam)], &self.0)
    }
}

/// Numbers of gamma distributions. The output has the parameters' shape followed by `shape`;
/// parameters outside their range give NaN.
///
/// Source: MXNet _sample_gamma.
#[derive(Clone, Debug, Default)]
pub struct SampleGamma(Params);

impl SampleGamma {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the block that each element of the parameters gives. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `alpha`: Shapes.
    /// * `beta`: Scales, of the shape of alpha: the mean is alpha * beta.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        alpha: &'a T,
        beta: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_sample_gamma", &[Some(alpha), beta.into()], &self.0)
    }
}

/// Counts of mean mu and variance mu + alpha * mu^2, as floats. The output has the parameters'
/// shape followed by `shape`; parameters outside their range give NaN.
///
/// Source: MXNet _sample_generalized_negative_binomial.
#[derive(Clone, Debug, Default)]
pub struct SampleGeneralizedNegativeBinomial(Params);

impl SampleGeneralizedNegativeBinomial {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the block that each element of the parameters gives. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `mu`: Means.
    /// * `alpha`: Dispersions, of the shape of mu.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        mu: &'a T,
        alpha: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_sample_generalized_negative_binomial", &[Some(mu), alpha.into()], &self.0)
    }
}

/// Indices drawn with the probabilities in each row of data, of shape data.shape\[:-1\] + shape;
/// with get_prob also the logarithms of their probabilities, through which the gradient flows.
///
/// Source: MXNet _sample_multinomial.
#[derive(Clone, Debug, Default)]
pub struct SampleMultinomial(Params);

impl SampleMultinomial {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the draws of one row; by default a single draw. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Also give the logarithm of each drawn index's probability. Default: False.
    pub fn get_prob(mut self, value: bool) -> Self {
        self.0.set("get_prob", value);
        self
    }

    /// Element type of the indices. Default: 'int32'.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `data`: Probabilities (..., k) of k categories, each row summing to 1; float.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T::Several> {
        T::apply("_sample_multinomial", &[Some(data)], &self.0)
    }
}

/// Failures before success number k, as floats. The output has the parameters' shape followed by
/// `shape`; parameters outside their range give NaN.
///
/// Source: MXNet _sample_negative_binomial.
#[derive(Clone, Debug, Default)]
pub struct SampleNegativeBinomial(Params);

impl SampleNegativeBinomial {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the block that each element of the parameters gives. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `k`: Successes to wait for.
    /// * `p`: Probabilities of success, of the shape of k.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        k: &'a T,
        p: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_sample_negative_binomial", &[Some(k), p.into()], &self.0)
    }
}

/// Numbers of normal distributions. The output has the parameters' shape followed by `shape`;
/// parameters outside their range give NaN.
///
/// Source: MXNet _sample_normal.
#[derive(Clone, Debug, Default)]
pub struct SampleNormal(Params);

impl SampleNormal {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the block that each element of the parameters gives. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `mu`: Means.
    /// * `sigma`: Standard deviations, of the shape of mu.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        mu: &'a T,
        sigma: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_sample_normal", &[Some(mu), sigma.into()], &self.0)
    }
}

/// Counts of Poisson distributions, as floats. The output has the parameters' shape followed by
/// `shape`; parameters outside their range give NaN.
///
/// Source: MXNet _sample_poisson.
#[derive(Clone, Debug, Default)]
pub struct SamplePoisson(Params);

impl SamplePoisson {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the block that each element of the parameters gives. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `lam`: Means.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        lam: &'a T,
    ) -> Result<T> {
        T::apply_one("_sample_poisson", &[Some(lam)], &self.0)
    }
}

/// Numbers spread evenly over \[low, high). The output has the parameters' shape followed by
/// `shape`; parameters outside their range give NaN.
///
/// Source: MXNet _sample_uniform.
#[derive(Clone, Debug, Default)]
pub struct SampleUniform(Params);

impl SampleUniform {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the block that each element of the parameters gives. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// Element type, a float; by default that of the given output, else float32. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `low`: Least values.
    /// * `high`: Ends of the intervals, of the shape of low.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        low: &'a T,
        high: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("_sample_uniform", &[Some(low), high.into()], &self.0)
    }
}

/// Zeros of the given shape with data at the indexed places; where indices repeat, the last slice
/// stays. The gradient counts every repeated slice.
///
/// Source: MXNet scatter_nd.
#[derive(Clone, Debug, Default)]
pub struct ScatterNd(Params);

impl ScatterNd {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the array that is indexed.
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// * `data`: indices.shape\[1:\] + shape\[M:\]
    /// * `indices`: (M, ...); any dtype, fractions are cut off.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        indices: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("scatter_nd", &[Some(data), indices.into()], &self.0)
    }
}

/// mom = momentum * mom - lr * (clip(rescale_grad * grad) + wd * weight); the new weight is weight
/// + mom.
///
/// Source: MXNet sgd_mom_update.
#[derive(Clone, Debug, Default)]
pub struct SgdMomUpdate(Params);

impl SgdMomUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Part of the last step that is kept. Default: 0.0.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
    pub fn lazy_update(mut self, value: bool) -> Self {
        self.0.set("lazy_update", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `mom`: The last step; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        mom: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("sgd_mom_update", &[Some(weight), grad.into(), mom.into()], &self.0)
    }
}

/// Step against the gradient: weight - lr * (clip(rescale_grad * grad) + wd * weight).
///
/// Source: MXNet sgd_update.
#[derive(Clone, Debug, Default)]
pub struct SgdUpdate(Params);

impl SgdUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Accepted for MXNet's sparse gradients; has no effect. Default: True.
    pub fn lazy_update(mut self, value: bool) -> Self {
        self.0.set("lazy_update", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("sgd_update", &[Some(weight), grad.into()], &self.0)
    }
}

/// The extents of an array as int64.
///
/// Source: MXNet shape_array.
#[derive(Clone, Debug, Default)]
pub struct ShapeArray(Params);

impl ShapeArray {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array; its elements are not read.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("shape_array", &[Some(data)], &self.0)
    }
}

/// The parts of data along its first axis, in random order; each part stays as it is.
///
/// Source: MXNet _shuffle.
#[derive(Clone, Debug, Default)]
pub struct Shuffle(Params);

impl Shuffle {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("_shuffle", &[Some(data)], &self.0)
    }
}

/// 1 / (1 + e^-data).
///
/// Source: MXNet sigmoid.
#[derive(Clone, Debug, Default)]
pub struct Sigmoid(Params);

impl Sigmoid {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("sigmoid", &[Some(data)], &self.0)
    }
}

/// -1, 0 or 1; 0 for NaN.
///
/// Source: MXNet sign.
#[derive(Clone, Debug, Default)]
pub struct Sign(Params);

impl Sign {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("sign", &[Some(data)], &self.0)
    }
}

/// Step by the gradient's sign: (1 - lr * wd) * weight - lr * sign(grad).
///
/// Source: MXNet signsgd_update.
#[derive(Clone, Debug, Default)]
pub struct SignsgdUpdate(Params);

impl SignsgdUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Weight decay: lr times this part of the weight is taken off. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Accepted; changes no sign. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// Accepted; changes no sign. Default: -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("signsgd_update", &[Some(weight), grad.into()], &self.0)
    }
}

/// Step by the sign of an averaged gradient: mom = momentum * mom - (1 - momentum) *
/// (clip(rescale_grad * grad) + wd * weight); the new weight is (1 - lr * wd_lh) * weight + lr *
/// sign(mom).
///
/// Source: MXNet signum_update.
#[derive(Clone, Debug, Default)]
pub struct SignumUpdate(Params);

impl SignumUpdate {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Learning rate.
    pub fn lr(mut self, value: f64) -> Self {
        self.0.set("lr", value);
        self
    }

    /// Part of the averaged gradient that is kept. Default: 0.0.
    pub fn momentum(mut self, value: f64) -> Self {
        self.0.set("momentum", value);
        self
    }

    /// Weight decay: its multiple of the weight is added to the gradient. Default: 0.0.
    pub fn wd(mut self, value: f64) -> Self {
        self.0.set("wd", value);
        self
    }

    /// Factor of the gradient, applied first. Default: 1.0.
    pub fn rescale_grad(mut self, value: f64) -> Self {
        self.0.set("rescale_grad", value);
        self
    }

    /// The gradient is bounded to plus and minus this; a negative value does not bound. Default:
    /// -1.0.
    pub fn clip_gradient(mut self, value: f64) -> Self {
        self.0.set("clip_gradient", value);
        self
    }

    /// Decay of the weight itself, apart from the gradient. Default: 0.0.
    pub fn wd_lh(mut self, value: f64) -> Self {
        self.0.set("wd_lh", value);
        self
    }

    /// * `weight`: Weights, any float dtype.
    /// * `grad`: Gradient, of the weight's shape.
    /// * `mom`: Averaged negative gradient; changed in place.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        weight: &'a T,
        grad: impl Into<Option<&'a T>>,
        mom: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("signum_update", &[Some(weight), grad.into(), mom.into()], &self.0)
    }
}

/// Sine of an angle in radians.
///
/// Source: MXNet sin.
#[derive(Clone, Debug, Default)]
pub struct Sin(Params);

impl Sin {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("sin", &[Some(data)], &self.0)
    }
}

/// Hyperbolic sine.
///
/// Source: MXNet sinh.
#[derive(Clone, Debug, Default)]
pub struct Sinh(Params);

impl Sinh {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("sinh", &[Some(data)], &self.0)
    }
}

/// The number of elements of an array as int64, shape (1,).
///
/// Source: MXNet size_array.
#[derive(Clone, Debug, Default)]
pub struct SizeArray(Params);

impl SizeArray {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array; its elements are not read.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("size_array", &[Some(data)], &self.0)
    }
}

/// A box of the array: begin, end and step per leading axis, with Python's rules for None and
/// negatives.
///
/// Source: MXNet slice.
#[derive(Clone, Debug, Default)]
pub struct Slice(Params);

impl Slice {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// First index per leading axis; None is the first in the direction of step.
    pub fn begin(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("begin", value.into());
        self
    }

    /// Index after the last per leading axis; None goes to the end.
    pub fn end(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("end", value.into());
        self
    }

    /// Distance per leading axis; None is 1, negative walks backwards. Default: ().
    pub fn step(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("step", value.into());
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("slice", &[Some(data)], &self.0)
    }
}

/// Elements \[begin, end) along one axis.
///
/// Source: MXNet slice_axis.
#[derive(Clone, Debug, Default)]
pub struct SliceAxis(Params);

impl SliceAxis {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The axis.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// First index; negative counts from the end.
    pub fn begin(mut self, value: i64) -> Self {
        self.0.set("begin", value);
        self
    }

    /// Index after the last; None is the extent.
    pub fn end(mut self, value: i64) -> Self {
        self.0.set("end", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("slice_axis", &[Some(data)], &self.0)
    }
}

/// The leading part of data that has shape_like's extents, on all axes or on some.
///
/// Source: MXNet slice_like.
#[derive(Clone, Debug, Default)]
pub struct SliceLike(Params);

impl SliceLike {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axes to cut; () cuts all. Default: ().
    pub fn axes(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axes", value.into());
        self
    }

    /// * `data`: Any array.
    /// * `shape_like`: Gives extents; its elements are not read.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        shape_like: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("slice_like", &[Some(data), shape_like.into()], &self.0)
    }
}

/// Huber's loss: with s = scalar^2, s x^2 / 2 where |x| \< 1 / s, |x| - 1 / (2 s) elsewhere.
///
/// Source: MXNet smooth_l1.
#[derive(Clone, Debug, Default)]
pub struct SmoothL1(Params);

impl SmoothL1 {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Sigma: the parabola ends at |x| = 1 / sigma^2. Default: 1.0.
    pub fn scalar(mut self, value: f64) -> Self {
        self.0.set("scalar", value);
        self
    }

    /// * `data`: Any float array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("smooth_l1", &[Some(data)], &self.0)
    }
}

/// exp(x / temperature) along an axis, divided by its sum. Elements from `length` on are 0.
///
/// Source: MXNet softmax.
#[derive(Clone, Debug, Default)]
pub struct Softmax(Params);

impl Softmax {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis along which the outputs sum to 1. Default: -1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// The input is divided by it; None is 1. Default: None.
    pub fn temperature(mut self, value: f64) -> Self {
        self.0.set("temperature", value);
        self
    }

    /// Element type of the output, a float; None is that of the input. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// Takes `length`, the number of elements of each vector that count. Default: False.
    pub fn use_length(mut self, value: bool) -> Self {
        self.0.set("use_length", value);
        self
    }

    /// * `data`: Floats. A vector of nothing but -inf gives NaN.
    /// * `length`: Integers, of data's shape without the axis; with use_length=True.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        length: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("softmax", &[Some(data), length.into()], &self.0)
    }
}

/// Sum over rows of -log(softmax(data)\[label\]). The label receives no gradient.
///
/// Source: MXNet softmax_cross_entropy.
#[derive(Clone, Debug, Default)]
pub struct SoftmaxCrossEntropy(Params);

impl SoftmaxCrossEntropy {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: (N, C), scores of C classes.
    /// * `label`: (N,), class numbers from 0 to C - 1.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
        label: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("softmax_cross_entropy", &[Some(data), label.into()], &self.0)
    }
}

/// The softmax of -x.
///
/// Source: MXNet softmax.
#[derive(Clone, Debug, Default)]
pub struct Softmin(Params);

impl Softmin {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis along which the outputs sum to 1. Default: -1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// The input is divided by it; None is 1. Default: None.
    pub fn temperature(mut self, value: f64) -> Self {
        self.0.set("temperature", value);
        self
    }

    /// Element type of the output, a float; None is that of the input. Default: None.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// Takes `length`, the number of elements of each vector that count. Default: False.
    pub fn use_length(mut self, value: bool) -> Self {
        self.0.set("use_length", value);
        self
    }

    /// * `data`: Floats. A vector of nothing but -inf gives NaN.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("softmin", &[Some(data)], &self.0)
    }
}

/// log(1 + e^data), a smooth relu.
///
/// Source: MXNet softrelu.
#[derive(Clone, Debug, Default)]
pub struct Softrelu(Params);

impl Softrelu {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("softrelu", &[Some(data)], &self.0)
    }
}

/// data / (1 + |data|).
///
/// Source: MXNet softsign.
#[derive(Clone, Debug, Default)]
pub struct Softsign(Params);

impl Softsign {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("softsign", &[Some(data)], &self.0)
    }
}

/// Sorted along an axis. Equal elements keep their order; NaN counts as larger than all.
///
/// Source: MXNet sort.
#[derive(Clone, Debug, Default)]
pub struct Sort(Params);

impl Sort {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The sorted axis; None sorts the flattened array. Default: -1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Smallest first. Default: True.
    pub fn is_ascend(mut self, value: bool) -> Self {
        self.0.set("is_ascend", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T::Several> {
        T::apply("sort", &[Some(data)], &self.0)
    }
}

/// Stacks blocks of space as channels; the inverse of depth_to_space.
///
/// Source: MXNet space_to_depth.
#[derive(Clone, Debug, Default)]
pub struct SpaceToDepth(Params);

impl SpaceToDepth {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Side b of the square blocks.
    pub fn block_size(mut self, value: i64) -> Self {
        self.0.set("block_size", value);
        self
    }

    /// * `data`: (N, C, H*b, W*b)
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("space_to_depth", &[Some(data)], &self.0)
    }
}

/// Square root; NaN below 0.
///
/// Source: MXNet sqrt.
#[derive(Clone, Debug, Default)]
pub struct Sqrt(Params);

impl Sqrt {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("sqrt", &[Some(data)], &self.0)
    }
}

/// data * data.
///
/// Source: MXNet square.
#[derive(Clone, Debug, Default)]
pub struct Square(Params);

impl Square {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("square", &[Some(data)], &self.0)
    }
}

/// Drops axes of extent 1; an array that consists of such axes keeps one.
///
/// Source: MXNet squeeze.
#[derive(Clone, Debug, Default)]
pub struct Squeeze(Params);

impl Squeeze {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axes of extent 1 to drop; None drops all of them. Default: None.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("squeeze", &[Some(data)], &self.0)
    }
}

/// Joins arrays of one shape along a new axis.
///
/// Source: MXNet stack.
#[derive(Clone, Debug, Default)]
pub struct Stack(Params);

impl Stack {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Where the new axis comes to lie in the output. Default: 0.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// * `data`: Arrays of one shape and dtype.
    pub fn call<T: Operand>(&self, data: &[&T]) -> Result<T> {
        let inputs: Vec<Option<&T>> = data.iter().copied().map(Some).collect();
        T::apply_one("stack", &inputs, &self.0)
    }
}

/// Sum over axes. The error of a float sum does not grow with its length.
///
/// Source: MXNet broadcast_reduce_op.
#[derive(Clone, Debug, Default)]
pub struct Sum(Params);

impl Sum {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis or axes to reduce; None and () mean all. Default: None.
    pub fn axis(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axis", value.into());
        self
    }

    /// Keeps reduced axes, with extent 1. Default: False.
    pub fn keepdims(mut self, value: bool) -> Self {
        self.0.set("keepdims", value);
        self
    }

    /// Reduces all axes but those in `axis`. Default: False.
    pub fn exclude(mut self, value: bool) -> Self {
        self.0.set("exclude", value);
        self
    }

    /// * `data`: Any array. Integers are joined in int64 and wrap to the input's dtype.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("sum", &[Some(data)], &self.0)
    }
}

/// Slices of a at the indices along an axis: shape a\[:axis\] + indices.shape + a\[axis+1:\].
///
/// Source: MXNet take.
#[derive(Clone, Debug, Default)]
pub struct Take(Params);

impl Take {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The indexed axis. Default: 0.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// Indices outside the axis are clipped, fail, or wrap around. One of "clip", "raise", "wrap".
    /// Default: 'clip'.
    pub fn mode(mut self, value: impl Into<String>) -> Self {
        self.0.set("mode", value.into());
        self
    }

    /// * `a`: At least one axis.
    /// * `indices`: Any shape and dtype; fractions are cut off.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        a: &'a T,
        indices: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("take", &[Some(a), indices.into()], &self.0)
    }
}

/// Tangent of an angle in radians.
///
/// Source: MXNet tan.
#[derive(Clone, Debug, Default)]
pub struct Tan(Params);

impl Tan {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("tan", &[Some(data)], &self.0)
    }
}

/// Hyperbolic tangent.
///
/// Source: MXNet tanh.
#[derive(Clone, Debug, Default)]
pub struct Tanh(Params);

impl Tanh {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("tanh", &[Some(data)], &self.0)
    }
}

/// Lays copies of the whole array side by side along axes.
///
/// Source: MXNet tile.
#[derive(Clone, Debug, Default)]
pub struct Tile(Params);

impl Tile {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Repetitions per axis, aligned with the last; missing ones are 1.
    pub fn reps(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("reps", value.into());
        self
    }

    /// * `data`: Any array; missing leading axes count as 1.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("tile", &[Some(data)], &self.0)
    }
}

/// The k largest (or smallest) elements along an axis, in order, as values, indices or a mask. Of
/// equal elements the first ones are taken.
///
/// Source: MXNet topk.
#[derive(Clone, Debug, Default)]
pub struct Topk(Params);

impl Topk {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// The axis; None takes the flattened array. Default: -1.
    pub fn axis(mut self, value: i64) -> Self {
        self.0.set("axis", value);
        self
    }

    /// How many elements; below 1 all. Default: 1.
    pub fn k(mut self, value: i64) -> Self {
        self.0.set("k", value);
        self
    }

    /// The elements, their indices, 1 where an element is among them, or elements and indices. One
    /// of "both", "indices", "mask", "value". Default: 'indices'.
    pub fn ret_typ(mut self, value: impl Into<String>) -> Self {
        self.0.set("ret_typ", value.into());
        self
    }

    /// The smallest instead of the largest. Default: False.
    pub fn is_ascend(mut self, value: bool) -> Self {
        self.0.set("is_ascend", value);
        self
    }

    /// Element type of the indices. Default: 'float32'.
    pub fn dtype(mut self, value: DType) -> Self {
        self.0.set("dtype", value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T::Several> {
        T::apply("topk", &[Some(data)], &self.0)
    }
}

/// Permutes the axes.
///
/// Source: MXNet transpose.
#[derive(Clone, Debug, Default)]
pub struct Transpose(Params);

impl Transpose {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Axis i of the output is axis axes\[i\] of the input; () reverses all. Default: ().
    pub fn axes(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("axes", value.into());
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("transpose", &[Some(data)], &self.0)
    }
}

/// Integer part: rounded toward 0.
///
/// Source: MXNet trunc.
#[derive(Clone, Debug, Default)]
pub struct Trunc(Params);

impl Trunc {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("trunc", &[Some(data)], &self.0)
    }
}

/// Coordinates of flat row-major indices: shape (number of axes,) + data.shape. What exceeds the
/// array stays in the first coordinate.
///
/// Source: MXNet unravel_index.
#[derive(Clone, Debug, Default)]
pub struct UnravelIndex(Params);

impl UnravelIndex {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// Extents of the array that is indexed; the first one may be -1. Default: ().
    pub fn shape(mut self, value: impl Into<Vec<i64>>) -> Self {
        self.0.set("shape", value.into());
        self
    }

    /// * `data`: Any shape.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("_unravel_index", &[Some(data)], &self.0)
    }
}

/// Elements of x where condition is not 0, of y elsewhere. Shapes broadcast as in NumPy; a
/// condition with one axis, as long as the first axis of x and y, selects rows.
///
/// Source: MXNet where.
#[derive(Clone, Debug, Default)]
pub struct Where(Params);

impl Where {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `condition`: Any dtype.
    /// * `x`: Taken where the condition is not 0.
    /// * `y`: Taken where it is 0; of the dtype of x.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        condition: &'a T,
        x: impl Into<Option<&'a T>>,
        y: impl Into<Option<&'a T>>,
    ) -> Result<T> {
        T::apply_one("where", &[Some(condition), x.into(), y.into()], &self.0)
    }
}

/// Zeros with the shape and dtype of the input.
///
/// Source: MXNet zeros_like.
#[derive(Clone, Debug, Default)]
pub struct ZerosLike(Params);

impl ZerosLike {
    /// All parameters at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the node, on symbols.
    pub fn name(mut self, value: &str) -> Self {
        self.0.name_node(value);
        self
    }

    /// * `data`: Any array.
    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T: Operand>(
        &self,
        data: &'a T,
    ) -> Result<T> {
        T::apply_one("zeros_like", &[Some(data)], &self.0)
    }
}
