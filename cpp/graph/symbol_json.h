// Symbols as MXNet's JSON: what -symbol.json files hold.
#pragma once

#include <string_view>

#include "graph/symbol.h"

namespace mixgrad {

// The text MXNet 1.9.1 writes: the same layout, keys in order, and only parameters that were given.
std::string write_symbol(const Symbol& symbol);
// How graphs inside of operators become text. Set by the file that such operators share; null in builds without them.
extern std::string (*write_subgraph)(const Symbol& symbol);

// What a layer stands for that MXNet's fusion for processors wrote as one node with a graph inside (_sg_mkldnn_conv,
// _sg_mkldnn_fully_connected). Of a float one, the operators inside, on `inputs`; of a quantised one, an operator on 8-bit
// arrays, after one that folds a batch normalisation into the weights. The node that has the outputs gets `name`. Throws
// Status::invalid_argument for graphs that no such layer holds. Set by fused_layer.cc where the build has it.
extern Symbol (*expand_fused_layer)(const std::string& op_name, const std::string& name,
                                    Span<const Attributes::Item> params, const Symbol& body,
                                    Span<const Entry> inputs);

// Reads files of MXNet 0.7 to 1.9, bringing old ones up to date: parameters under "param", "attr" or "attrs", entries of
// two numbers, plain keys such as lr_mult, states that old files leave out. Whatever is wrong with the text throws
// Status::format, Status::not_found or Status::invalid_argument naming `source` and the node. An unknown operator or
// parameter names the nearest known ones.
Symbol read_symbol(std::string_view text, const std::string& source);

}  // namespace mixgrad
