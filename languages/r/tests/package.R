# Gradients, a stored network against MXNet's numbers, training, files, errors. MIXGRAD_HOME is the top of the repository.
library(mixgrad)
data <- file.path(Sys.getenv("MIXGRAD_HOME"), "languages", "data")
close_to <- function(a, b, limit = 1e-5) stopifnot(length(a) == length(b), max(abs(a - b)) < limit)
fails <- function(expression, text) {
  message <- tryCatch({ expression; "" }, error = conditionMessage)
  if (!grepl(text, message, fixed = TRUE)) stop("expected an error with '", text, "', got '", message, "'")
}

m <- matrix(1:6, 2, 3)
x <- mx.nd.array(m)
stopifnot(identical(dim(x), c(2, 3)), mx.nd.dtype(x) == "float32")
close_to(as.array(x * 2 + 1), m * 2 + 1)
close_to(as.array(1 - x / x), m * 0)
close_to(as.array(-x), -m)
close_to(as.array(mx.nd.sum(x)), 21)
close_to(as.array(mx.nd.sum(x, axis = 0)), rowSums(m)) # axis 0 of the library is R's last
close_to(as.array(mx.nd.dot(mx.nd.array(m), mx.nd.array(t(m)))), t(m) %*% m, 1e-4) # reversed shapes: a product from the right
parts <- mx.nd.SliceChannel(x, num_outputs = 3, axis = 0)
close_to(as.array(parts[[3]]), 5:6)
stopifnot(identical(dim(mx.nd.Concat(x, x, dim = 0)), c(2, 6)))
stopifnot(length(mx.nd.random_uniform(shape = c(2, 5))) == 10)

# What loops let go of is collected, though R sees no more than pointers.
big <- mx.nd.Cast(mx.nd.array(array(1, c(2048, 4096))), dtype = "float64")
mx.wait.all()
before <- mx.memory()[["in.use"]]
for (k in 1:40) z <- big * 2
mx.wait.all()
cat("memory of the loop:", mx.memory()[["peak"]] %/% 2^20, "MiB\n")
for (k in 1:40) z <- mx.nd.array(array(k, c(1024, 8192)), dtype = "float64")
stopifnot(mx.memory()[["peak"]] < before + 640 * 2^20)
held <- mx.memory()[["in.use"]]
close(z)
close(z)
stopifnot(mx.memory()[["in.use"]] == held - 2^26)
fails(z + 1, "closed")
fails(as.array(z), "closed")
close(big)
invisible(gc())
stopifnot(mx.memory()[["in.use"]] < before)

v <- mx.nd.array(c(0.5, -1, 2))
mx.attach.grad(v)
y <- mx.record(mx.nd.sum(mx.nd.exp(v) * v))
mx.backward(y)
close_to(as.array(mx.grad(v)), exp(c(0.5, -1, 2)) * c(1.5, 0, 3))

fails(mx.nd.zeros(c(2, 3)) + mx.nd.zeros(c(4, 5)), "(3, 2)")
fails(mx.apply("Convolutoin", list(), list(), character()), "Convolution")
fails(mx.symbol.load("/nowhere-symbol.json"), "nowhere")
fails(mx.nd.relu(3), "array")
fails(mx.nd.array(1:3) == 3, "not defined")

images <- mx.nd.Cast(mx.nd.load(file.path(data, "digits.params"))$images, dtype = "float32") / 16
labels <- mx.nd.Cast(mx.nd.load(file.path(data, "digits.params"))$labels, dtype = "float32")
net <- mx.symbol.load(file.path(data, "digits-symbol.json"))
executor <- mx.simple.bind(net, grad.req = "null", data = c(8, 8, 1, 20))
mx.exec.update.params(executor, mx.nd.load(file.path(data, "digits-0001.params")))
mx.nd.copyto(mx.nd.slice.items(images, 1777, 1797), executor$arg.arrays$data)
mx.exec.forward(executor)
expected <- mx.nd.load(file.path(data, "expected.params"))$probabilities
close_to(as.array(executor$outputs[[1]]), as.array(expected))
close(executor)
fails(mx.exec.forward(executor), "closed")
fails(as.array(executor$outputs[[1]]), "closed")
again <- mx.symbol.load.json(mx.symbol.tojson(net))
stopifnot(identical(mx.symbol.arguments(again), mx.symbol.arguments(net)))

net <- mx.symbol.Flatten(mx.symbol.Variable("data"))
net <- mx.symbol.FullyConnected(net, num_hidden = 64, name = "fc1")
net <- mx.symbol.Activation(net, act_type = "relu")
net <- mx.symbol.FullyConnected(net, num_hidden = 10, name = "fc2")
net <- mx.symbol.SoftmaxOutput(net, name = "softmax")
batch <- 50
executor <- mx.simple.bind(net, data = c(8, 8, 1, batch), softmax_label = batch)
momenta <- lapply(executor$grad.arrays, function(g) mx.nd.zeros(dim(g)))
for (name in c("fc1_weight", "fc2_weight")) {
  weight <- executor$arg.arrays[[name]]
  mx.nd.copyto(mx.nd.random_uniform(low = -0.1, high = 0.1, shape = rev(dim(weight))), weight)
}
give <- function(at) {
  mx.nd.copyto(mx.nd.slice.items(images, at, at + batch), executor$arg.arrays$data)
  mx.nd.copyto(mx.nd.slice.items(labels, at, at + batch), executor$arg.arrays$softmax_label)
}
for (epoch in 1:20) {
  for (at in seq(0, 1450, batch)) {
    give(at)
    mx.exec.forward(executor, is.train = TRUE)
    mx.exec.backward(executor)
    for (name in names(momenta)) {
      weight <- executor$arg.arrays[[name]]
      mx.apply.to(
        "sgd_mom_update", list(weight, executor$grad.arrays[[name]], momenta[[name]]),
        list(lr = 0.1, momentum = 0.9, rescale_grad = 1 / batch), weight
      )
    }
  }
}
right <- 0
for (at in seq(1500, 1700, batch)) {
  give(at)
  mx.exec.forward(executor)
  guesses <- as.array(mx.nd.argmax(executor$outputs[[1]], axis = 1))
  right <- right + sum(guesses == as.array(mx.nd.slice.items(labels, at, at + batch)))
}
cat("held-out digits:", right, "of 250\n")
stopifnot(right > 220)

path <- tempfile(fileext = ".params")
mx.nd.save(list(a = mx.nd.array(c(3, 3)), b = mx.nd.array(matrix(4:5, 1), dtype = "int32")), path)
loaded <- mx.nd.load(path)
close_to(as.array(loaded$a), c(3, 3))
stopifnot(identical(names(loaded), c("a", "b")), mx.nd.dtype(loaded$b) == "int32")
cat("all checks passed\n")
