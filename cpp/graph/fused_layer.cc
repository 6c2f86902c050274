// Layers that MXNet's fusion for processors wrote as one node with a graph inside.

#include <optional>

#include "base/error.h"
#include "graph/symbol_json.h"

namespace mixgrad {
namespace {

using Items = std::vector<Attributes::Item>;

bool is_op(const Node& node, const char* name) { return node.op && node.op->name == name; }

const std::string* item(Span<const Attributes::Item> items, const char* key) {
  for (const Attributes::Item& i : items) {
    if (i.first == key) return &i.second;
  }
  return nullptr;
}
bool is_on(Span<const Attributes::Item> items, const char* key) {
  const std::string* value = item(items, key);
  return value && (*value == "1" || *value == "true" || *value == "True");
}

Symbol call_on(const char* op, const Items& params, std::string name, const std::vector<Entry>& inputs) {
  std::vector<NamedValue> values;
  for (const auto& [key, value] : params) values.push_back({key.c_str(), Value(value.c_str())});
  std::vector<SymbolInput> given;
  for (const Entry& e : inputs) given.push_back({"", Symbol({e})});
  return Symbol::call(find_op(op), values, std::move(name), {}, given);
}

class FusedLayer {
 public:
  FusedLayer(const std::string& op, const std::string& name, Span<const Attributes::Item> params,
             const Symbol& body, Span<const Entry> inputs)
      : op_(op), name_(name), params_(params), body_(body), inputs_(inputs) {}

  Symbol run() {
    find_parts();
    return is_on(params_, "quantized") ? quantized() : as_float();
  }

 private:
  template <class... Args>
  [[noreturn]] void reject(const Args&... why) const {
    fail(Status::invalid_argument, "[", op_, "] layer '", name_, "' ", why...);
  }

  // From the output back to the convolution or product.
  void find_parts() {
    if (body_.size() != 1) reject("has a graph of ", body_.size(), " outputs; expected one");
    if (body_.outputs()[0].index != 0)
      reject("gives output ", body_.outputs()[0].index, " of a node; expected 0");
    const char* core = op_ == "_sg_mkldnn_conv" ? "Convolution" : "FullyConnected";
    const Node* node = body_.outputs()[0].node.get();
    for (; !is_op(*node, core); node = next_) {
      if (node->is_variable() || node->inputs.empty()) reject("has a graph without ", core);
      next_ = node->inputs[0].node.get();
      if (is_op(*node, "BatchNorm")) {
        if (norm_ || node->inputs.size() != 5) misplaced(*node);
        norm_ = node;
      } else if (is_op(*node, "elemwise_add") || is_op(*node, "_plus")) {
        const Node* other = node->inputs[1].node.get();
        if (next_->is_variable()) std::swap(next_, other);
        if (norm_ || sum_ || !other->is_variable()) misplaced(*node);
        sum_ = other;
        after_sum_ = std::exchange(after_, {});
      } else {
        if (node->inputs.size() != 1 || norm_) misplaced(*node);
        after_.push_back(node);
      }
    }
    core_ = node;
    std::vector<const Node*> variables;
    for (const Entry& e : core_->inputs) variables.push_back(e.node.get());
    if (norm_) {
      for (size_t i = 1; i < 5; ++i) variables.push_back(norm_->inputs[i].node.get());
    }
    if (sum_) variables.push_back(sum_);
    if (inputs_.size() < variables.size())
      reject("has ", inputs_.size(), " inputs; expected at least ", variables.size());
    for (size_t i = 0; i < variables.size(); ++i) {
      if (!variables[i]->is_variable())
        reject("has a graph whose '", variables[i]->name, "' is not an input");
      arrays_.push_back({variables[i]->name, Symbol({inputs_[i]})});
    }
  }
  [[noreturn]] void misplaced(const Node& node) const {
    reject("has '", node.name, "' (", node.op->name, ") at a place where no such layer has one");
  }

  Symbol as_float() const {
    if (inputs_.size() != arrays_.size())
      reject("has ", inputs_.size(), " inputs; expected ", arrays_.size());
    const Symbol out = body_.compose(arrays_, "");
    out.outputs()[0].node->name = name_;
    return out;
  }

  // Puts what the graph says of an activation into the parameters of a block; false where blocks do not have it.
  static bool add_act(const Node& node, const char* key, Items& to) {
    const std::string* type = node.given.find("act_type");
    if (is_op(node, "relu") || (is_op(node, "Activation") && type && *type == "relu")) {
      to.emplace_back(key, "relu");
      return true;
    }
    const std::string *low = node.given.find("a_min"), *high = node.given.find("a_max");
    if (!is_op(node, "clip") || !low || !high) return false;
    to.emplace_back(key, "clip");
    to.emplace_back("act_low", *low);
    to.emplace_back("act_high", *high);
    return true;
  }

  Entry entry(size_t i) const { return inputs_[i]; }

  Symbol quantized() {
    const bool is_conv = op_ == "_sg_mkldnn_conv", has_bias = core_->inputs.size() > 2;
    const bool float_weight = is_conv || is_on(params_, "channel_wise_quantize");
    const size_t bias_arrays = has_bias ? 3 : 2, arrays = arrays_.size();
    const size_t ranges = 2 + (sum_ ? 2 : 0) + (float_weight ? 0 : (has_bias ? 4 : 2));
    if (inputs_.size() != arrays + ranges)
      reject("has ", inputs_.size(), " inputs; expected ", arrays + ranges);

    Items block;
    for (const Attributes::Item& i : core_->given.items()) {
      if (i.first != "no_bias") block.push_back(i);
    }
    const Node* apart = nullptr;  // an activation that follows the block
    const std::vector<const Node*>& first = after_;
    if (first.size() > 1 || after_sum_.size() > 1) misplaced(*(first.size() > 1 ? first : after_sum_)[0]);
    if (!first.empty() && !add_act(*first[0], "act", block)) apart = first[0];
    if (!after_sum_.empty() && (apart || !add_act(*after_sum_[0], "sum_act", block)))
      misplaced(*after_sum_[0]);
    if (apart && sum_) misplaced(*apart);

    std::vector<Entry> operands{entry(0), entry(1)};
    if (norm_) {
      Items fold{{"no_bias", has_bias ? "0" : "1"}};
      for (const char* key : {"eps", "fix_gamma"}) {
        if (const std::string* value = norm_->given.find(key)) fold.emplace_back(key, *value);
      }
      std::vector<Entry> folded;
      for (size_t i = 0; i < 4; ++i) folded.push_back(entry(bias_arrays + i));
      if (has_bias) folded.push_back(entry(2));
      const Symbol parts = call_on("_fold_batch_norm", fold, name_ + "_norm", folded);
      operands = {entry(0), entry(1), parts.outputs()[0], parts.outputs()[1]};
      block.emplace_back("scaled", "1");
    } else if (has_bias) {
      operands.push_back(entry(2));
    }
    block.emplace_back("no_bias", operands.size() == 2 ? "1" : "0");
    if (sum_) {
      operands.push_back(entry(arrays - 1));
      block.emplace_back("with_sum", "1");
    }
    for (size_t i = arrays; i < inputs_.size(); ++i) operands.push_back(entry(i));
    if (!is_conv && float_weight) block.emplace_back("float_weight", "1");
    const bool to_float = is_on(params_, "enable_float_output");
    if (to_float || apart) block.emplace_back("enable_float_output", "1");

    Items calibration;
    for (const char* key : {"min_calib_range", "max_calib_range"}) {
      if (const std::string* value = item(params_, key)) calibration.emplace_back(key, *value);
    }
    const char* op = is_conv ? "_quantized_conv_block" : "_quantized_fully_connected_block";
    if (!apart) {
      block.insert(block.end(), calibration.begin(), calibration.end());
      return call_on(op, block, name_, operands);
    }
    Symbol out = call_on(op, block, name_ + "_sums", operands);
    Items act(apart->given.items().begin(), apart->given.items().end());
    out = call_on(apart->op->name.c_str(), act, to_float ? name_ : apart->name, {out.outputs()[0]});
    if (to_float) return out;
    if (calibration.size() != 2) reject("has the activation '", apart->name, "' and no calibrated range");
    calibration.emplace_back("out_type", is_conv ? "int8" : "uint8");
    return call_on("_contrib_quantize_v2", calibration, name_, {out.outputs()[0]});
  }

  const std::string &op_, &name_;
  Span<const Attributes::Item> params_;
  const Symbol& body_;
  Span<const Entry> inputs_;
  const Node *core_ = nullptr, *norm_ = nullptr, *sum_ = nullptr, *next_ = nullptr;
  std::vector<const Node*> after_, after_sum_;  // activations
  std::vector<SymbolInput> arrays_;             // what the graph reads, by its variables' names
};

NodeRef expand(const WrittenNode& layer) {
  if (layer.op != "_sg_mkldnn_conv" && layer.op != "_sg_mkldnn_fully_connected") return {};
  const Json* parts = layer.json.find("subgraphs");
  if (!parts || !parts->array() || parts->array()->size() != 1)
    fail(Status::format, "(", layer.op, ") has no graph in \"subgraphs\"; expected one");
  const Symbol body = read_subgraph((*parts->array())[0], layer.source, layer.version);
  Items params;
  for (const WrittenItem& item : layer.items) params.emplace_back(item.key, item.value);
  const Symbol out = FusedLayer(layer.op, layer.node.name, params, body, layer.node.inputs).run();
  return out.outputs()[0].node;
}

const bool kExpandsFusedLayers = (expand_fused_layer = expand) != nullptr;

}  // namespace
}  // namespace mixgrad
