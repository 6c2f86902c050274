// Symbols: composition, names, lists, and how they become flat graphs.
#include "check.h"
#include "graph/graph.h"

using namespace mixgrad;

namespace {

Symbol apply_symbol(const char* op, std::vector<SymbolInput> inputs, const char* name,
                    std::vector<NamedValue> params = {}) {
  return Symbol::call(find_op(op), params, name, {}, inputs);
}

Symbol dense_symbol(const Symbol& data, const char* name, int hidden = 4) {
  return apply_symbol("FullyConnected", {{"", data}}, name, {{"num_hidden", Value(hidden)}});
}

std::string joined(const Strings& names) {
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : " ") + n;
  return all;
}

}  // namespace

TEST(graph_missing_inputs_become_variables) {
  const Symbol net =
      apply_symbol("SoftmaxOutput", {{"", dense_symbol(Symbol::variable("data"), "fc1")}}, "softmax");
  CHECK_EQ(joined(net.list_arguments()), "data fc1_weight fc1_bias softmax_label");
  CHECK_EQ(joined(net.list_outputs()), "softmax_output");
  CHECK_EQ(net.name(), "softmax");
  CHECK_EQ(joined(net.internals().list_outputs()),
           "data fc1_weight fc1_bias fc1_output softmax_label softmax_output");
  CHECK_EQ(joined(net.children().list_outputs()), "fc1_output softmax_label");
  CHECK(Symbol::variable("x").children().size() == 0);
}

TEST(graph_states_are_listed_apart) {
  const Symbol net = apply_symbol("BatchNorm", {{"", Symbol::variable("data")}}, "bn");
  CHECK_EQ(joined(net.list_arguments()), "data bn_gamma bn_beta");
  CHECK_EQ(joined(net.list_auxiliary_states()), "bn_moving_mean bn_moving_var");
  CHECK_EQ(joined(net.list_inputs()), "data bn_gamma bn_beta bn_moving_mean bn_moving_var");
  CHECK_EQ(joined(net.internals().list_outputs()),
           "data bn_gamma bn_beta bn_moving_mean bn_moving_var bn_output");
  const Symbol all =
      apply_symbol("BatchNorm", {{"", Symbol::variable("data")}}, "bn", {{"output_mean_var", Value(true)}});
  CHECK_EQ(joined(all.list_outputs()), "bn_output bn_mean bn_var");
}

TEST(graph_compose_copies) {
  const Symbol fc = dense_symbol(Symbol::variable("data"), "fc2");
  const Symbol below = dense_symbol(Symbol::variable("x"), "fc1");
  const Symbol whole = fc.compose(std::vector<SymbolInput>{{"data", below}}, "top");
  CHECK_EQ(joined(whole.list_arguments()), "x fc1_weight fc1_bias fc2_weight fc2_bias");
  CHECK_EQ(whole.name(), "top");
  CHECK_EQ(joined(fc.list_arguments()), "data fc2_weight fc2_bias");
  CHECK_EQ(fc.name(), "fc2");
  CHECK_EQ(joined(fc.compose(std::vector<SymbolInput>{{"", below}}, "").list_arguments()),
           "x fc1_weight fc1_bias fc2_weight fc2_bias");
  CHECK_THROWS(fc.compose(std::vector<SymbolInput>{{"fc2_weigth", below}}, ""), invalid_argument,
               "nearest: fc2_weight");
}

TEST(graph_call_refuses_what_does_not_fit) {
  const Symbol x = Symbol::variable("x"), two = Symbol::group(std::vector<Symbol>{x, Symbol::variable("y")});
  CHECK_THROWS(apply_symbol("relu", {{"", two}}, "r"), invalid_argument, "has 2 outputs");
  CHECK_THROWS(apply_symbol("relu", {{"", x}, {"", x}}, "r"), invalid_argument, "more inputs");
  CHECK_THROWS(apply_symbol("relu", {{"dta", x}}, "r"), invalid_argument, "nearest: data");
  CHECK_THROWS(apply_symbol("relu", {{"", x}, {"data", x}}, "r"), invalid_argument, "given twice");
  CHECK_THROWS(apply_symbol("FullyConnected", {{"", x}}, "f", {{"num_hiden", Value(1)}}), invalid_argument,
               "nearest: num_hidden");
  CHECK_THROWS(apply_symbol("FullyConnected", {{"", x}}, "f"), invalid_argument, "num_hidden");
  CHECK_THROWS(Symbol::variable(""), invalid_argument, "name");
  CHECK_THROWS(x.output(1), index, "output 1");
  CHECK_THROWS(dense_symbol(x, "fc").internals().find_output("fc_outpt"), not_found, "nearest: fc_output");
}

TEST(graph_attributes_reach_new_variables) {
  const Symbol fc = apply_symbol("FullyConnected", {{"", Symbol::variable("x")}}, "fc",
                                 {{"num_hidden", Value(2)}, {"ctx_group", Value("dev1")}});
  const Node& node = *fc.outputs()[0].node;
  CHECK_EQ(*node.attributes.find("__ctx_group__"), "dev1");
  CHECK_EQ(*node.inputs[1].node->attributes.find("__ctx_group__"), "dev1");
  CHECK(!node.inputs[0].node->attributes.find("__ctx_group__"));
  CHECK_EQ(node.given.items().size(), 1u);
  CHECK_EQ(node.given.items()[0].second, "2");
  CHECK_EQ(visible_attributes(node).size(), 3u);
}

TEST(graph_flatten_keeps_order_and_counts) {
  const Symbol x = Symbol::variable("x");
  const Symbol bn = apply_symbol("BatchNorm", {{"", dense_symbol(x, "fc")}}, "bn");
  const Symbol net = Symbol::group(std::vector<Symbol>{bn, x});
  const Graph graph = flatten(net);
  check_graph(graph);
  CHECK_EQ(graph.nodes.size(), 9u);
  CHECK_EQ(graph.values.size(), 11u);
  CHECK_EQ(graph.arguments.size(), 5u);
  CHECK_EQ(graph.auxiliaries.size(), 2u);
  CHECK_EQ(graph.heads.size(), 2u);
  CHECK_EQ(graph.heads[1], 0u);
  // Training writes the states, a prediction does not.
  const ValueId state = graph.nodes[graph.auxiliaries[0]].first_value;
  const std::vector<bool> mutated = mutated_values(flatten(net, {true}));
  CHECK(mutated[state] && !mutated[0]);
  CHECK(!mutated_values(graph)[state]);
  CHECK_EQ(find_users(graph).of(0).size(), 1u);
}

TEST(graph_flatten_reads_declared_shapes) {
  Attributes attributes;
  attributes.set("__shape__", "(0, 3)");
  attributes.set("__dtype__", "2");
  const Graph graph = flatten(Symbol::variable("x", attributes));
  CHECK_EQ(graph.values[0].shape.str(), "(?, 3)");
  CHECK_EQ(graph.values[0].dtype, DType::float16);
  attributes.set("__shape__", "three");
  CHECK_THROWS(flatten(Symbol::variable("x", attributes)), invalid_argument, "__shape__ 'three'");
  attributes.set("__shape__", "(3,)");
  attributes.set("__dtype__", "99");
  CHECK_THROWS(flatten(Symbol::variable("x", attributes)), dtype, "'x'");
}

TEST(graph_long_chains_need_no_stack) {
  Symbol chain = Symbol::variable("x");
  for (int i = 0; i < 100000; ++i) chain = apply_symbol("relu", {{"", chain}}, "r");
  const Symbol copied = chain.copy();
  chain = Symbol();
  const Graph graph = flatten(copied);
  CHECK_EQ(graph.nodes.size(), 100001u);
  CHECK_EQ(joined(copied.list_arguments()), "x");
}
