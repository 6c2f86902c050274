// Layers that MXNet's fusion for processors wrote as one node with a graph inside: _sg_mkldnn_conv, _sg_mkldnn_fully_connected.
#pragma once

#include "graph/symbol.h"

namespace mixgrad {

// Whether nodes of that operator are layers which reading takes apart.
bool is_fused_layer(std::string_view op_name);

// What such a node stands for. Of a float one, the operators inside, on `inputs`; of a quantised one, an operator on 8-bit
// arrays, after one that folds a batch normalisation into the weights. The node that has the outputs gets `name`. Throws
// Status::invalid_argument for graphs that no such layer holds.
Symbol expand_fused_layer(const std::string& op_name, const std::string& name,
                          Span<const Attributes::Item> params, const Symbol& body, Span<const Entry> inputs);

}  // namespace mixgrad
