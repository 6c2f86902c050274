// Symbols as MXNet's JSON: what -symbol.json files hold.
#pragma once

#include <string_view>

#include "base/json.h"
#include "graph/symbol.h"

namespace mixgrad {

// The text MXNet 1.9.1 writes: the same layout, keys in order, and only parameters that were given.
std::string write_symbol(const Symbol& symbol);
// How graphs inside of operators become text. Set by the file that such operators share; null in builds without them.
extern std::string (*write_subgraph)(const Symbol& symbol);

// A parameter or attribute as a file has it.
struct WrittenItem {
  std::string key, value;
  bool lenient = false;  // under "attr" beside "param": attributes of any name
};

// A node of a file while it is read.
struct WrittenNode {
  const std::string& op;
  const Node& node;  // has its name and inputs
  const std::vector<WrittenItem>& items;
  const Json& json;
  const std::string& source;
  int64_t version;  // of the file
};

// What a layer stands for that MXNet's fusion for processors wrote as one node with a graph inside (_sg_mkldnn_conv,
// _sg_mkldnn_fully_connected). Of a float one, the operators inside, on the node's inputs; of a quantised one, an operator
// on 8-bit arrays, after one that folds a batch normalisation into the weights. Gives the node that has the outputs, with
// the layer's name, and null for other operators. Throws Status::format without a graph, and Status::invalid_argument for
// graphs that no such layer holds. Set by fused_layer.cc where the build has it.
extern NodeRef (*expand_fused_layer)(const WrittenNode& layer);

// Reads files of MXNet 0.7 to 1.9, bringing old ones up to date: parameters under "param", "attr" or "attrs", entries of
// two numbers, plain keys such as lr_mult, states that old files leave out. Whatever is wrong with the text throws
// Status::format, Status::not_found or Status::invalid_argument naming `source` and the node. An unknown operator or
// parameter names the nearest known ones.
Symbol read_symbol(std::string_view text, const std::string& source);
// A graph inside of a file.
Symbol read_subgraph(const Json& graph, const std::string& source, int64_t version);

}  // namespace mixgrad
