// Parts of graphs that operators hold as text and run themselves: bodies of loops, branches.
#pragma once

#include "graph/symbol.h"

namespace mixgrad {

// A part of a symbol on its own. `inner` has the same outputs, and a variable in place of every output of a node outside
// the part; `outer` holds those, by name of their variable, which is MXNet's: "fc1_output".
struct CutSubgraph {
  Symbol inner;
  std::vector<std::pair<std::string, Entry>> outer;
};
// The part are nodes with that attribute. Outputs that are no such nodes throw Status::invalid_argument.
CutSubgraph cut_subgraph(const Symbol& symbol, const std::string& key, const std::string& value);

// Parameters that hold the subgraphs of a node: "subgraph0", ... Files have them beside the parameters.
std::string subgraph_field(int i);
bool is_subgraph_field(const Op& op, const std::string& key);

}  // namespace mixgrad
