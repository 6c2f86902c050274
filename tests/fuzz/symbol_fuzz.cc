// libFuzzer target: any bytes as a symbol file either load, infer and write, or throw Error. See tests/fuzz/run.sh.
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "graph/passes/gradient.h"
#include "graph/passes/infer.h"
#include "graph/passes/passes.h"
#include "graph/symbol_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mixgrad;
  try {
    const Symbol symbol = read_symbol({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (write_symbol(read_symbol(write_symbol(symbol), "again")) != write_symbol(symbol)) __builtin_trap();
    Graph graph = flatten(symbol, {true});
    check_graph(graph);
    graph = infer(std::move(graph), {true});
    check_graph(simplify(gradient(graph), {}));
  } catch (const Error& error) {
    if (error.message().empty() || error.message()[0] != '[') __builtin_trap();
  }
  return 0;
}
