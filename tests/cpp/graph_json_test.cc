// Symbol files: written as MXNet writes them, read in every spelling, refused when damaged.
#include <random>

#include "check.h"
#include "graph/passes/passes.h"
#include "graph/symbol_json.h"
#include "graph_random.h"

using namespace mixgrad;
using graph_random::apply_op;

namespace {

Symbol read_text(const std::string& text) { return read_symbol(text, "test.json"); }

std::string file_of(const std::string& nodes, const std::string& heads, const std::string& more = "") {
  return "{\"nodes\": [" + nodes + "], \"arg_nodes\": [0], \"heads\": [" + heads + "]" + more + "}";
}

const char* const kData = R"({"op": "null", "name": "data", "inputs": []})";

}  // namespace

TEST(graph_json_is_that_of_mxnet) {
  const Symbol net = apply_op("BatchNorm", {{"", Symbol::variable("data")}}, "bn");
  const char* expected = R"({
  "nodes": [
    {
      "op": "null", 
      "name": "data", 
      "inputs": []
    }, 
    {
      "op": "null", 
      "name": "bn_gamma", 
      "inputs": []
    }, 
    {
      "op": "null", 
      "name": "bn_beta", 
      "inputs": []
    }, 
    {
      "op": "null", 
      "name": "bn_moving_mean", 
      "attrs": {"__init__": "[\"zero\", {}]"}, 
      "inputs": []
    }, 
    {
      "op": "null", 
      "name": "bn_moving_var", 
      "attrs": {"__init__": "[\"one\", {}]"}, 
      "inputs": []
    }, 
    {
      "op": "BatchNorm", 
      "name": "bn", 
      "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 1], [4, 0, 1]]
    }
  ], 
  "arg_nodes": [0, 1, 2, 3, 4], 
  "node_row_ptr": [0, 1, 2, 3, 4, 5, 8], 
  "heads": [[5, 0, 0]], 
  "attrs": {"mxnet_version": ["int", 10901]}
})";
  CHECK_EQ(write_symbol(net), expected);
}

TEST(graph_json_round_trip) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const Symbol net = graph_random::network(random, 20, true);
    const std::string text = write_symbol(net);
    CHECK_EQ(write_symbol(read_text(text)), text);
    CHECK_EQ(read_text(text).debug_text(), net.debug_text());
  }
}

TEST(graph_json_old_spellings) {
  // 0.8: param and attr apart, entries of two numbers, no states, plain keys.
  const std::string nodes = std::string(kData) +
                            R"(, {"op": "null", "name": "bn_gamma", "inputs": [], "backward_source_id": -1},
    {"op": "null", "name": "bn_beta", "inputs": []},
    {"op": "BatchNorm", "name": "bn", "param": {"eps": "0.01", "fix_gamma": "False"},
     "attr": {"ctx_group": "dev1", "mood": "angry", "gamma_lr_mult": "2.0"},
     "inputs": [[0, 0], [1, 0], [2, 0]], "backward_source_id": -1})";
  const Symbol net = read_text(file_of(nodes, "[3, 0]"));
  CHECK_EQ(net.list_auxiliary_states().size(), 2u);
  CHECK_EQ(net.list_auxiliary_states()[1], "bn_moving_var");
  const Node& bn = *net.outputs()[0].node;
  CHECK_EQ(*bn.attributes.find("__ctx_group__"), "dev1");
  CHECK_EQ(*bn.attributes.find("mood"), "angry");
  CHECK_EQ(*bn.inputs[1].node->attributes.find("__lr_mult__"), "2.0");
  CHECK_EQ(*bn.inputs[4].node->attributes.find("__init__"), "[\"one\", {}]");
  CHECK_EQ(bn.given.items().size(), 2u);
  const std::string axis =
      std::string(kData) + R"(, {"op": "argmax", "name": "a", "attr": {"axis": "-1"}, "inputs": [[0, 0]]})";
  CHECK_EQ(read_text(file_of(axis, "[1, 0]")).outputs()[0].node->given.items().size(), 0u);
}

TEST(graph_json_errors_name_the_place) {
  const auto with = [](const std::string& node) {
    return file_of(std::string(kData) + ", " + node, "[1, 0, 0]",
                   R"(, "attrs": {"mxnet_version": ["int", 10901]})");
  };
  CHECK_THROWS(read_text(with(R"({"op": "Activaton", "name": "act", "inputs": [[0, 0, 0]]})")), not_found,
               "node 1 'act'");
  CHECK_THROWS(read_text(with(R"({"op": "Activaton", "name": "act", "inputs": [[0, 0, 0]]})")), not_found,
               "Activation");
  CHECK_THROWS(
      read_text(with(
          R"({"op": "Activation", "name": "act", "attrs": {"act_tipe": "relu"}, "inputs": [[0, 0, 0]]})")),
      invalid_argument, "nearest: act_type");
  CHECK_THROWS(
      read_text(with(
          R"({"op": "Activation", "name": "act", "attrs": {"act_type": "rel"}, "inputs": [[0, 0, 0]]})")),
      invalid_argument, "node 1 'act'");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "name": "r", "inputs": [[1, 0, 0]]})")), format,
               "refers to node 1");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "name": "r", "inputs": [[2, 0, 0]]})")), format,
               "refers to node 2");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "name": "r", "inputs": [[-1, 0, 0]]})")), format, "node -1");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "name": "r", "inputs": [[0, 9223372036854775807, 0]]})")),
               format, "output");
  // The mask, which users do not see and predictions do not write.
  const std::string dropout = R"({"op": "Dropout", "name": "d", "inputs": [[0, 0, 0]]})";
  CHECK_EQ(read_text(file_of(std::string(kData) + ", " + dropout, "[1, 0, 0]")).size(), 1u);
  CHECK_THROWS(read_text(file_of(std::string(kData) + ", " + dropout, "[1, 1, 0]")), format,
               "refers to output 1 of node 1 'd', which has 1");
  CHECK_THROWS(read_text(with(dropout + R"(, {"op": "relu", "name": "r", "inputs": [[1, 1, 0]]})")), format,
               "refers to output 1 of node 1 'd', which has 1");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "name": "r", "inputs": [[0.5, 0, 0]]})")), format, "entry");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "name": "r", "inputs": [0]})")), format, "entry");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "name": "r"})")), format, "\"inputs\"");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "inputs": []})")), format, "\"name\"");
  CHECK_THROWS(read_text(with(R"({"op": 1, "name": "r", "inputs": []})")), format, "\"op\"");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "name": "r", "inputs": []})")), invalid_argument,
               "0 inputs; expected 1");
  CHECK_THROWS(read_text(with(R"({"op": "relu", "name": "r", "attrs": {"a": 1}, "inputs": [[0,0,0]]})")),
               format, "expected text");
  CHECK_THROWS(
      read_text(with(
          R"({"op": "SliceChannel", "name": "s", "attrs": {"num_outputs": "2000000000"}, "inputs": [[0,0,0]]})")),
      invalid_argument, "outputs");
  CHECK_THROWS(read_text("[]"), format, "expected an object");
  CHECK_THROWS(read_text("{}"), format, "\"nodes\"");
  CHECK_THROWS(read_text(file_of(kData, "")), format, "no heads");
  CHECK_THROWS(read_text(file_of(kData, "[3, 0]")), format, "the list of heads");
  CHECK_THROWS(read_text(std::string(5000, '[')), format, "nesting");
}

TEST(graph_json_survives_damage) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string text = write_symbol(graph_random::network(random, 6, true));
    const int edits = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < edits && !text.empty(); ++i) {
      const size_t at = random() % text.size();
      switch (random() % 5) {
        case 0: text[at] = static_cast<char>(random() % 256); break;
        case 1: text.erase(at, random() % 20); break;
        case 2: text.insert(at, text.substr(random() % text.size(), random() % 40)); break;
        case 3: text[at] = "0123456789[]{}\",:-"[random() % 18]; break;
        default: text.resize(at + 1); break;
      }
    }
    try {
      const Symbol net = read_text(text);
      Graph graph = flatten(net, {true});
      check_graph(graph);
      graph = infer(std::move(graph));
      check_graph(simplify(gradient(graph), {}));
    } catch (const Error& error) {
      CHECK(error.status() != Status::internal);
    }
  }
}

TEST(graph_shapes_beyond_memory_are_refused) {
  const Value huge(int64_t{1} << 40);
  const Value extents[] = {huge, huge};
  const Symbol zeros = apply_op("_zeros", {}, "z", {{"shape", Value(extents, 2)}});
  CHECK_THROWS(infer(flatten(zeros)), shape, "64 bits");
  Attributes attributes;
  attributes.set("__shape__", "(1099511627776, 1099511627776)");
  CHECK_THROWS(flatten(Symbol::variable("x", attributes)), shape, "64 bits");
}
