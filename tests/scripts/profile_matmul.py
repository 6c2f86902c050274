"""Profiling a graph: set_config, set_state, dump, and the statistics."""

import json
import os
import tempfile

import mxnet as mx

folder = tempfile.mkdtemp()
path = os.path.join(folder, "profile_matmul.json")
mx.profiler.set_config(profile_symbolic=True, profile_imperative=False, filename=path, aggregate_stats=True)

a, b = mx.symbol.Variable("A"), mx.symbol.Variable("B")
product = mx.symbol.dot(a, b)
executor = product.simple_bind(mx.cpu(), "write", A=(128, 128), B=(128, 128))
mx.random.uniform(-1, 1, shape=(128, 128)).copyto(executor.arg_dict["A"])
mx.random.uniform(-1, 1, shape=(128, 128)).copyto(executor.arg_dict["B"])

for i in range(20):
    if i == 5:
        mx.nd.waitall()
        mx.profiler.set_state("run")
    if i == 15:
        mx.nd.waitall()
        mx.profiler.set_state("stop")
    executor.forward()
    executor.outputs[0].wait_to_read()

times = json.loads(mx.profiler.dumps(format="json"))["Time"]["operator"]
mx.profiler.dump()
with open(path) as file:
    trace = json.load(file)
print("dot ran %d times, %d events" % (times["dot"]["Count"], len(trace["traceEvents"])))
assert times["dot"]["Count"] == 10
