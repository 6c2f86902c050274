#include <algorithm>

#include "graph/passes/passes.h"
#include "graph/rewrite.h"

namespace mixgrad {

Graph prune(Graph graph) {
  std::vector<bool> needed(graph.nodes.size(), false);
  for (NodeId n : graph.arguments) needed[n] = true;
  for (NodeId n : graph.auxiliaries) needed[n] = true;
  for (ValueId v : graph.heads) needed[graph.values[v].node] = true;
  for (ValueId v : graph.gradients) {
    if (v != kNone) needed[graph.values[v].node] = true;
  }
  for (NodeId n = static_cast<NodeId>(graph.nodes.size()); n-- > 0;) {
    const GraphNode& node = graph.nodes[n];
    needed[n] = needed[n] || node.transfer != kNone;  // another worker waits for it, or sends it
    for (uint32_t i = 0; !needed[n] && i < node.num_operands; ++i) needed[n] = node.mutates(i);
    if (!needed[n]) continue;
    for (ValueId v : graph.operands_of(node)) {
      if (graph.values[v].node != kNone) needed[graph.values[v].node] = true;
    }
  }
  if (std::find(needed.begin(), needed.end(), false) == needed.end()) return graph;
  const NodeId count = static_cast<NodeId>(graph.nodes.size());
  GraphWriter writer(std::move(graph));
  for (NodeId n = 0; n < count; ++n) {
    if (needed[n]) writer.copy(n);
  }
  return writer.finish();
}

}  // namespace mixgrad
