# Symbols and executors. Shapes are given in R's order, the reverse of the library's.

.part <- c(arguments = 0L, outputs = 1L, auxiliary.states = 2L)

#' An input of a graph.
mx.symbol.Variable <- function(name) .Call(r_variable, name)
#' All outputs of all symbols.
mx.symbol.Group <- function(...) .Call(r_group, mx.varargs(...))
#' MXNet's JSON, versions 0.7 to 1.9.
mx.symbol.load <- function(file.name) .Call(r_symbol_load, path.expand(file.name))
mx.symbol.load.json <- function(str) .Call(r_symbol_from_json, str)
#' Writes JSON; the file appears complete or not at all.
mx.symbol.save <- function(symbol, filename) invisible(.Call(r_symbol_save, symbol, path.expand(filename)))
mx.symbol.tojson <- function(symbol) .Call(r_symbol_to_json, symbol)

#' Names of a symbol's variables and outputs.
mx.symbol.arguments <- function(symbol) .Call(r_symbol_list, symbol, .part[["arguments"]])
mx.symbol.outputs <- function(symbol) .Call(r_symbol_list, symbol, .part[["outputs"]])
mx.symbol.auxiliary.states <- function(symbol) .Call(r_symbol_list, symbol, .part[["auxiliary.states"]])

#' Shapes of arguments, outputs and auxiliary states that follow from those given by name.
mx.symbol.infer.shape <- function(symbol, ...) {
  known <- list(...)
  shapes <- lapply(unname(known), function(shape) as.double(rev(shape)))
  part <- function(which, names) {
    found <- .Call(r_infer, symbol, as.character(names(known)), shapes, .part[[which]])
    if (is.null(found)) stop("[infer.shape] the shapes given do not decide all others; give those of more inputs")
    setNames(lapply(found, rev), names)
  }
  list(
    arg.shapes = part("arguments", mx.symbol.arguments(symbol)),
    out.shapes = part("outputs", mx.symbol.outputs(symbol)),
    aux.shapes = part("auxiliary.states", mx.symbol.auxiliary.states(symbol))
  )
}

#' A node of a graph of an operator of any name.
mx.node <- function(op, inputs, params, kinds, name = NULL) {
  p <- .prepared(params, kinds)
  .Call(r_node, op, inputs, as.character(names(p$params)), unname(p$params), p$kinds, name)
}

print.MXSymbol <- function(x, ...) {
  cat("<symbol with outputs ", paste(mx.symbol.outputs(x), collapse = ", "), ">\n", sep = "")
  invisible(x)
}
Ops.MXSymbol <- function(e1, e2) .arithmetic(.Generic, "MXSymbol", mx.node, e1, e2)

#' Makes arrays of zeros for every variable, with the shapes that follow from those given, and binds to them. The variables given
#' are data: they get no gradient. A list with arg.arrays, grad.arrays and aux.arrays by name, and outputs.
mx.simple.bind <- function(symbol, ctx = mx.cpu(), grad.req = "write", ...) {
  number <- c(null = 0L, write = 1L, add = 3L)
  if (!grad.req %in% names(number)) stop("[mx.simple.bind] grad.req is ", grad.req, "; expected null, write or add")
  shapes <- mx.symbol.infer.shape(symbol, ...)
  make <- function(shape) mx.nd.zeros(shape, ctx)
  args <- lapply(shapes$arg.shapes, make)
  aux <- lapply(shapes$aux.shapes, make)
  wanted <- !names(args) %in% ...names() & grad.req != "null"
  grads <- lapply(seq_along(args), function(i) if (wanted[i]) make(shapes$arg.shapes[[i]]))
  handle <- .Call(r_bind, symbol, unname(args), grads, ifelse(wanted, number[[grad.req]], 0L), unname(aux), unclass(ctx))
  structure(
    list(
      handle = handle, arg.arrays = args, grad.arrays = setNames(grads, names(args))[wanted], aux.arrays = aux,
      outputs = .Call(r_outputs, handle)
    ),
    class = "MXExecutor"
  )
}

#' Computes the outputs; `is.train` keeps what mx.exec.backward needs.
mx.exec.forward <- function(executor, is.train = FALSE) invisible(.Call(r_forward, executor$handle, is.train))
#' Gradients of the last forward run; a head gradient per output, or none when the outputs are losses.
mx.exec.backward <- function(executor, ...) invisible(.Call(r_backward_of, executor$handle, list(...)))

#' Copies arrays in by name ("arg:" and "aux:" before it are taken off); unknown names are an error.
mx.exec.update.params <- function(executor, params) {
  for (key in names(params)) {
    name <- sub("^(arg|aux):", "", key)
    target <- executor$arg.arrays[[name]]
    if (is.null(target)) target <- executor$aux.arrays[[name]]
    if (is.null(target)) stop("[mx.exec.update.params] the graph has no variable ", name)
    mx.nd.copyto(params[[key]], target)
  }
  invisible(executor)
}

#' Gives back now what a graph, or an executor and the arrays made for it, hold. They cannot be used afterwards.
close.MXSymbol <- function(con, ...) invisible(.Call(r_close_symbol, con))
close.MXExecutor <- function(con, ...) {
  for (array in c(con$arg.arrays, con$grad.arrays, con$aux.arrays, con$outputs)) close(array)
  invisible(.Call(r_close_executor, con$handle))
}

print.MXExecutor <- function(x, ...) {
  cat(.Call(r_debug_text, x$handle))
  invisible(x)
}
