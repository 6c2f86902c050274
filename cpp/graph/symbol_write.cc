#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/json.h"
#include "graph/node_map.h"
#include "graph/subgraph.h"
#include "graph/symbol_json.h"

namespace mixgrad {
namespace {

constexpr int kWrittenVersion = 10901;  // the MXNet whose files these are

std::string quoted(const std::string& s) { return Json(s).dump(); }

// {"a": "1"} on one line, several keys on lines of their own.
void write_attributes(std::string& out, const std::vector<Attributes::Item>& items) {
  out += "      \"attrs\": {";
  const bool lines = items.size() > 1;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    if (lines) out += "\n        ";
    out += quoted(items[i].first) + ": " + quoted(items[i].second);
  }
  out += lines ? "\n      }, \n" : "}, \n";
}

// [a, b] on one line, more than ten items on lines of their own.
void write_list(std::string& out, const std::vector<std::string>& items, size_t indent) {
  const bool lines = items.size() > 10;
  const std::string separator = lines ? "\n" + std::string(indent + 2, ' ') : "";
  out += "[";
  for (size_t i = 0; i < items.size(); ++i) out += (i > 0 ? ", " : "") + separator + items[i];
  out += lines ? "\n" + std::string(indent, ' ') + "]" : "]";
}

template <class Number>
void write_numbers(std::string& out, const char* key, const std::vector<Number>& numbers) {
  out += std::string("  \"") + key + "\": ";
  std::vector<std::string> items;
  for (const Number n : numbers) items.push_back(text(n));
  write_list(out, items, 2);
  out += ", \n";
}

class SymbolWriter {
 public:
  // `whole`: a file of its own rather than a part of one.
  std::string run(const Symbol& symbol, bool whole = true) {
    const std::vector<Node*> order = nodes_in_order(symbol.outputs(), places_);
    std::vector<size_t> variables;
    std::vector<int64_t> rows{0};
    out_ = "{\n  \"nodes\": [";
    for (size_t i = 0; i < order.size(); ++i) {
      const Node& node = *order[i];
      out_ += i > 0 ? ", \n" : "\n";
      write_node(node);
      if (node.is_variable()) variables.push_back(i);
      // Loops and branches keep a trail that MXNet has not.
      rows.push_back(rows.back() +
                     (node.op && node.op->num_subgraphs > 0 ? node.num_visible() : node.num_outputs()));
    }
    out_ += "\n  ], \n";
    write_numbers(out_, "arg_nodes", variables);
    write_numbers(out_, "node_row_ptr", rows);
    out_ += "  \"heads\": ";
    write_entries(symbol.outputs(), 2);
    if (whole) out_ += ", \n  \"attrs\": {\"mxnet_version\": [\"int\", " + text(kWrittenVersion) + "]}";
    out_ += "\n}";
    return std::move(out_);
  }

 private:
  void write_node(const Node& node) {
    // The third number of an entry counts the writes a variable has seen, the one by this node included.
    for (size_t i = 0; node.op && i < node.inputs.size(); ++i) {
      if (node.op->mutates(static_cast<int>(i))) ++writes_[node.inputs[i].node.get()];
    }
    out_ += "    {\n      \"op\": " + quoted(node.op ? node.op->name : "null") + ", \n";
    out_ += "      \"name\": " + quoted(node.name) + ", \n";
    std::vector<Attributes::Item> items;
    for (const Attributes::Item& item : node.given.items()) {
      if (!node.op || !is_subgraph_field(*node.op, item.first)) items.push_back(item);
    }
    items.insert(items.end(), node.attributes.items().begin(), node.attributes.items().end());
    sort_attributes(items);
    if (!items.empty()) write_attributes(out_, items);
    out_ += "      \"inputs\": ";
    write_entries(node.inputs, 6);
    if (node.op && node.op->num_subgraphs > 0) write_subgraphs(node);
    out_ += "\n    }";
  }

  void write_subgraphs(const Node& node) {
    out_ += ", \n      \"subgraphs\": [";
    for (int i = 0; i < node.op->num_subgraphs; ++i) {
      const std::string* held = node.given.find(subgraph_field(i));
      std::string part = "{}";
      if (held) part = SymbolWriter().run(read_symbol(*held, "'" + node.name + "'"), false);
      out_ += i > 0 ? ", \n        " : "\n        ";
      for (const char c : part) {
        out_ += c;
        if (c == '\n') out_ += "        ";
      }
    }
    out_ += "\n      ]";
  }

  void write_entries(Span<const Entry> entries, size_t indent) {
    std::vector<std::string> items;
    for (const Entry& e : entries) {
      const auto writes = writes_.find(e.node.get());
      items.push_back(text("[", places_.at(e.node.get()), ", ", e.index, ", ",
                           writes == writes_.end() ? 0 : writes->second, "]"));
    }
    write_list(out_, items, indent);
  }

  std::string out_;
  NodeMap places_;
  std::unordered_map<const Node*, int> writes_;
};

}  // namespace

std::string write_symbol(const Symbol& symbol) { return SymbolWriter().run(symbol); }

}  // namespace mixgrad
