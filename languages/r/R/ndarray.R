# Arrays. R keeps the first index together in memory, the library the last one: an array of dim c(a, b, c) is the library's shape
# (c, b, a), with every value where it was. Values of all dtypes are numbers in R.

.dtypes <- c("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")

#' The host, or the n-th GPU.
mx.cpu <- function(id = 0) structure(c(1L, as.integer(id)), class = "MXContext")
mx.gpu <- function(id = 0) structure(c(2L, as.integer(id)), class = "MXContext")

#' An array of a vector, matrix or array of R.
mx.nd.array <- function(src.array, ctx = mx.cpu(), dtype = "float32") {
  shape <- if (is.null(dim(src.array))) length(src.array) else dim(src.array)
  out <- .Call(r_array, as.double(src.array), as.double(rev(shape)), unclass(ctx))
  if (dtype == "float64") out else mx.nd.Cast(out, dtype = dtype)
}

#' Arrays of zeros or ones; `shape` in R's order.
mx.nd.zeros <- function(shape, ctx = mx.cpu(), dtype = "float32") mx.nd.array(array(0, shape), ctx, dtype)
mx.nd.ones <- function(shape, ctx = mx.cpu(), dtype = "float32") mx.nd.array(array(1, shape), ctx, dtype)

#' The name of what an element is.
mx.nd.dtype <- function(nd) {
  number <- .Call(r_dtype, nd)
  if (number == 12) "bfloat16" else .dtypes[number + 1]
}

#' Items begin (from 0) to end of the last dimension of R, sharing memory.
mx.nd.slice.items <- function(nd, begin, end) .Call(r_slice, nd, begin, end)

#' Overwrites the values of `target`.
mx.nd.copyto <- function(source, target) invisible(.Call(r_copy, source, target))

dim.MXNDArray <- function(x) rev(.Call(r_shape, x))
length.MXNDArray <- function(x) prod(dim(x))

as.array.MXNDArray <- function(x, ...) {
  shape <- dim(x)
  values <- .Call(r_values, if (.Call(r_dtype, x) == 1L) x else mx.nd.Cast(x, dtype = "float64"))
  if (length(shape) > 1) array(values, shape) else values
}

print.MXNDArray <- function(x, ...) {
  print(as.array(x))
  cat("<", mx.nd.dtype(x), " array, dim ", paste(dim(x), collapse = " "), ">\n", sep = "")
  invisible(x)
}

.scalars <- list(
  "+" = c("_plus_scalar", "_plus_scalar"), "-" = c("_minus_scalar", "_rminus_scalar"),
  "*" = c("_mul_scalar", "_mul_scalar"), "/" = c("_div_scalar", "_rdiv_scalar")
)
.arrays <- c("+" = "broadcast_add", "-" = "broadcast_sub", "*" = "broadcast_mul", "/" = "broadcast_div")

.arithmetic <- function(operator, class, apply, e1, e2) {
  if (is.null(.scalars[[operator]])) stop("[", operator, "] is not defined for ", class, "; use the mx functions")
  if (missing(e2)) {
    e2 <- e1
    e1 <- 0
  }
  if (inherits(e1, class) && inherits(e2, class)) return(apply(.arrays[[operator]], list(e1, e2), list(), character()))
  reversed <- !inherits(e1, class)
  number <- if (reversed) e1 else e2
  if (!is.numeric(number) || length(number) != 1) stop("[", operator, "] expected ", class, " or one number")
  apply(.scalars[[operator]][1 + reversed], list(if (reversed) e2 else e1), list(scalar = number), "float")
}
Ops.MXNDArray <- function(e1, e2) .arithmetic(.Generic, "MXNDArray", mx.apply, e1, e2)

.prepared <- function(params, kinds) {
  # NULL stands for None where a parameter may be that, else for "not given".
  optional <- startsWith(kinds, "optional ")
  absent <- vapply(params, is.null, TRUE)
  kinds <- sub("optional ", "", kinds, fixed = TRUE)
  kinds[absent] <- "none"
  keep <- optional | !absent
  params <- params[keep]
  numbers <- vapply(params, is.numeric, TRUE) | vapply(params, is.logical, TRUE)
  params[numbers] <- lapply(params[numbers], as.double)
  list(params = params, kinds = kinds[keep])
}

#' Applies an operator of any name: a list of arrays, a named list of parameters and their kinds.
mx.apply <- function(op, inputs, params, kinds, single = TRUE) {
  p <- .prepared(params, kinds)
  out <- .Call(r_apply, op, inputs, as.character(names(p$params)), unname(p$params), p$kinds, NULL)
  if (single) out[[1]] else out
}

#' Applies an operator into `target`, such as sgd_update into the weight. Parameters are numbers, written as floats.
mx.apply.to <- function(op, inputs, params, target) {
  p <- .prepared(params, rep("float", length(params)))
  invisible(.Call(r_apply, op, inputs, as.character(names(p$params)), unname(p$params), p$kinds, target))
}

mx.varargs <- function(...) {
  given <- list(...)
  if (length(given) == 1 && is.list(given[[1]])) given[[1]] else given
}

#' Named arrays in the format of MXNet's .params files.
mx.nd.save <- function(ndarray, filename) invisible(.Call(r_save, path.expand(filename), names(ndarray), unname(ndarray)))
mx.nd.load <- function(filename) .Call(r_load, path.expand(filename))

#' Makes an array a variable; mx.grad gives its gradient after mx.backward.
mx.attach.grad <- function(nd) invisible(.Call(r_attach_grad, nd))
mx.grad <- function(nd) .Call(r_grad, nd)
mx.backward <- function(nd) invisible(.Call(r_backward, nd))

#' Evaluates an expression while calls are recorded for gradients and run as in training.
mx.record <- function(expression) {
  before <- .Call(r_record, TRUE)
  on.exit(.Call(r_record, before))
  force(expression)
}

#' Gives an array's memory back now, unless something else still uses it, instead of when R's collector finds it unused. It cannot be
#' used afterwards.
close.MXNDArray <- function(con, ...) invisible(.Call(r_close_array, con))

#' Bytes that arrays on the host hold, and the most that they held since the last call.
mx.memory <- function() setNames(.Call(r_memory), c("in.use", "peak"))

#' Seed of all random numbers from here on.
mx.set.seed <- function(seed) invisible(.Call(r_seed, seed))
#' Blocks until all work is done.
mx.wait.all <- function() invisible(.Call(r_wait_all))
