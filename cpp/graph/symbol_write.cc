#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/json.h"
#include "graph/node_map.h"
#include "graph/subgraph.h"
#include "graph/symbol_json.h"

namespace mixgrad {
namespace {

// The MXNet whose files these are, which parts of a file do not repeat.
constexpr std::string_view kWrittenVersion = ", \n  \"attrs\": {\"mxnet_version\": [\"int\", 10901]}";
constexpr std::string_view kWrittenEnd = "\n}";

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

// Whether run() below wrote it, as far as its end tells.
bool is_written(std::string_view text) {
  const size_t end = kWrittenVersion.size() + kWrittenEnd.size();
  return text.size() > end && text.substr(text.size() - end, kWrittenVersion.size()) == kWrittenVersion &&
         text.substr(text.size() - kWrittenEnd.size()) == kWrittenEnd;
}

class SymbolWriter {
 public:
  std::string run(const Symbol& symbol) {
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
    out_ += kWrittenVersion;
    out_ += kWrittenEnd;
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

  // Their texts are what run() wrote, so each level of a graph is read and written once, however deep it lies.
  void write_subgraphs(const Node& node) {
    out_ += ", \n      \"subgraphs\": [";
    for (int i = 0; i < node.op->num_subgraphs; ++i) {
      const std::string* held = node.given.find(subgraph_field(i));
      out_ += i > 0 ? ", \n        " : "\n        ";
      if (!held)
        out_ += "{}";
      else if (is_written(*held))
        write_part(*held);
      else
        write_part(SymbolWriter().run(read_symbol(*held, "'" + node.name + "'")));
    }
    out_ += "\n      ]";
  }

  void write_part(std::string_view whole) {
    for (const char c : whole.substr(0, whole.size() - kWrittenVersion.size() - kWrittenEnd.size())) {
      out_ += c;
      if (c == '\n') out_ += "        ";
    }
    out_ += "\n        }";
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
