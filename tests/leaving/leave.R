# Leaves with a code of its own, in the state that its argument names, while work is queued. "states" lists them.
code <- 7
side <- 1000

if (identical(commandArgs(TRUE), "states")) {
  cat(paste(c("ends", "quit", "quit_in_function", "error", "caught", "last", "finalizer", "collected", "backward", "fork",
              "saving", "on_exit"),
            c(0, 7, 7, 1, 7, 7, 7, 0, 7, 7, 7, 7)), sep = "\n")
  quit(status = 0)
}
suppressMessages(library(mixgrad))

queue <- function(count = 12) {
  a <- mx.nd.ones(c(side, side))
  b <- mx.nd.dot(a, a)
  for (i in seq_len(count - 1)) b <- mx.nd.dot(a, b)
  b
}
leave <- function() quit(save = "no", status = code)

states <- list(
  ends = function() kept <<- queue(),
  quit = function() { kept <<- queue(); leave() },
  quit_in_function = function() (function() { values <- queue(); leave() })(),
  error = function() { sink(file(nullfile(), "w"), type = "message"); kept <<- queue(); stop("on the way") },
  caught = function() tryCatch({ queue(); stop("on the way") }, error = function(e) leave()),
  last = function() { .Last <<- function() queue(2); queue(); leave() },
  finalizer = function() {
    reg.finalizer(globalenv(), function(e) queue(2), onexit = TRUE)
    queue()
    leave()
  },
  collected = function() for (i in 1:5) { queue(2); gc() },
  backward = function() {
    x <- mx.nd.ones(c(side, side))
    mx.attach.grad(x)
    y <- mx.record(mx.nd.sum(mx.nd.dot(mx.nd.dot(x, x), x)))
    mx.backward(y)
    leave()
  },
  fork = function() {
    queue()
    child <- parallel::mcparallel({ queue(2); 3 })
    if (identical(unname(parallel::mccollect(child)[[1]]), 3)) leave()
    quit(status = 90)
  },
  saving = function() {
    path <- tempfile()
    values <- queue(3)
    mx.nd.save(list(w = values), path)
    queue()
    leave()
  },
  on_exit = function() { on.exit(queue(2)); queue(); leave() }
)
states[[commandArgs(TRUE)]]()
