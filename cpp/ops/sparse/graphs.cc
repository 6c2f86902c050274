// Operators on graphs in csr, whose rows are vertices and whose elements are edges: they have no meaning for dense arrays, so
// exec/sparse/graphs.cc has what they do, and what stands here is their parameters and shapes.
#include <algorithm>
#include <optional>

#include "op/define.h"

namespace mixgrad::ops::graphs {
namespace {

constexpr const char* kOrigin = "MXNet dgl_graph";

struct SampleParams {
  int64_t num_args = 0, num_hops = 1, num_neighbor = 2, max_num_vertices = 100;
  static void fields(Fields<SampleParams>& f) {
    f.required("num_args", &SampleParams::num_args, "Number of inputs.", between(1, 1 << 20))
        .add("num_hops", &SampleParams::num_hops, "How many edges away from the seeds vertices may lie.",
             at_least(0))
        .add("num_neighbor", &SampleParams::num_neighbor, "How many neighbours of each vertex are drawn.",
             at_least(0))
        .add("max_num_vertices", &SampleParams::max_num_vertices, "How many vertices a sample has at most.",
             between(1, int64_t{1} << 40));
  }
};

struct SubgraphParams {
  int64_t num_args = 0;
  bool return_mapping = false;
  static void fields(Fields<SubgraphParams>& f) {
    f.required("num_args", &SubgraphParams::num_args, "Number of inputs.", between(1, 1 << 20))
        .required("return_mapping", &SubgraphParams::return_mapping, "Also give the graph's own edges.");
  }
};

struct CompactParams {
  int64_t num_args = 0;
  bool return_mapping = false;
  Shape graph_sizes;
  static void fields(Fields<CompactParams>& f) {
    f.required("num_args", &CompactParams::num_args, "Number of inputs.", between(1, 1 << 20))
        .required("return_mapping", &CompactParams::return_mapping, "Also give the graphs' own edges.")
        .required("graph_sizes", &CompactParams::graph_sizes, "How many vertices each graph has.");
  }
};

struct NnzParams {
  std::optional<int64_t> axis;
  static void fields(Fields<NnzParams>& f) {
    f.add("axis", &NnzParams::axis, "Count in every column (0) or every row (1); None: in the whole matrix.",
          between(0, 1));
  }
};

template <class P>
void refuse(const P&, KernelArgs& args) {
  fail(Status::unsupported, "[", args.name(), "] the arrays are dense; expected csr graphs");
}

// Groups of outputs: vertices, graphs, (probabilities,) hops; each has one per seed array.
template <int kSeeds>
void sample_shapes(const SampleParams& p, ShapeInfer& s) {
  const int count = static_cast<int>(p.num_args) - kSeeds, groups = kSeeds + 2;
  if (s.known(0) && (s.in(0).ndim() != 2 || s.in(0)[0] != s.in(0)[1]))
    s.reject("expected a graph with as many rows as columns");
  for (int i = 0; i < count; ++i) {
    if (s.known(kSeeds + i) && s.in(kSeeds + i).ndim() != 1) s.reject("expected vectors of seeds");
    s.set_out(i, {p.max_num_vertices + 1});
    if (s.known(0)) s.set_out(count + i, {p.max_num_vertices, s.in(0)[1]});
    for (int group = 2; group < groups; ++group) s.set_out(group * count + i, {p.max_num_vertices});
  }
}

template <int kSeeds>
void sample_dtypes(const SampleParams& p, DTypeInfer& d) {
  const int count = static_cast<int>(p.num_args) - kSeeds;
  for (int i = 0; i < count; ++i) {
    d.set_out(i, DType::int64);
    d.set_out(count + i, d.in(0));
    if (kSeeds == 2) d.set_out(2 * count + i, d.in(1));
    d.set_out((kSeeds + 1) * count + i, DType::int64);
  }
}

template <int kSeeds>
void add_sampling(const char* name, Text doc) {
  Define<SampleParams>(name)
      .doc(doc)
      .origin(kOrigin)
      .variadic("data",
                kSeeds == 2 ? "The graph, the weight of each vertex, and vectors of seeds, int64."
                            : "The graph, and vectors of seeds, int64.",
                "num_args")
      .num_inputs([](const SampleParams& p) { return static_cast<int>(p.num_args); })
      .num_outputs([](const SampleParams& p) {
        return static_cast<int>(std::max<int64_t>(p.num_args - kSeeds, 0)) * (kSeeds + 2);
      })
      .shape(sample_shapes<kSeeds>)
      .dtype(sample_dtypes<kSeeds>)
      .kernel(refuse<SampleParams>)
      .makes_sparse([](const SampleParams&) { return true; })
      .random()
      .no_gradient()
      .done();
}

void subgraph_shapes(const SubgraphParams& p, ShapeInfer& s) {
  const int count = static_cast<int>(p.num_args) - 1;
  for (int i = 0; i < count; ++i) {
    if (!s.known(1 + i)) continue;
    if (s.in(1 + i).ndim() != 1) s.reject("expected vectors of vertices");
    const int64_t size = s.in(1 + i)[0];
    s.set_out(i, {size, size});
    if (p.return_mapping) s.set_out(count + i, {size, size});
  }
}

void compact_shapes(const CompactParams& p, ShapeInfer& s) {
  const int count = static_cast<int>(p.num_args / 2);
  if (p.num_args % 2 != 0 || p.graph_sizes.ndim() != count)
    s.reject("expected graphs, as many vectors of vertices, and one of graph_sizes each; got ",
             p.graph_sizes.ndim(), " sizes");
  for (int i = 0; i < count; ++i) {
    const int64_t size = p.graph_sizes[i];
    s.set_out(i, {size, size});
    if (p.return_mapping) s.set_out(count + i, {size, size});
  }
}

template <class P>
void graph_dtypes(const P&, DTypeInfer& d) {
  for (int i = 0; i < d.num_outputs(); ++i) d.set_out(i, d.in(0));
}

const bool kRegistered = [] {
  add_sampling<1>(
      "_contrib_dgl_csr_neighbor_uniform_sample",
      "Parts of a graph: from the seeds on, some neighbours of every vertex, drawn evenly, and the "
      "edges to them. "
      "Outputs: the vertices in ascending order and last their number; their edges, a row per "
      "vertex; how many "
      "edges away from the seeds each was drawn. Places of vertices that are not there hold -1.");
  add_sampling<2>(
      "_contrib_dgl_csr_neighbor_non_uniform_sample",
      "As dgl_csr_neighbor_uniform_sample, with neighbours drawn by the weights of vertices, which "
      "are the third "
      "group of outputs.");
  Define<SubgraphParams>("_contrib_dgl_subgraph")
      .doc(
          "The edges among some vertices, numbered from 0 on; with return_mapping also as the graph has "
          "them.")
      .origin(kOrigin)
      .variadic("data", "The graph, and vectors of vertices in ascending order, int64.", "num_args")
      .num_inputs([](const SubgraphParams& p) { return static_cast<int>(p.num_args); })
      .num_outputs([](const SubgraphParams& p) {
        return static_cast<int>(p.num_args - 1) * (p.return_mapping ? 2 : 1);
      })
      .shape(subgraph_shapes)
      .dtype(graph_dtypes<SubgraphParams>)
      .kernel(refuse<SubgraphParams>)
      .makes_sparse([](const SubgraphParams&) { return true; })
      .no_gradient()
      .done();
  Define<CompactParams>("_contrib_dgl_graph_compact")
      .doc(
          "Sampled graphs without the rows and columns of vertices that they do not have; edges are numbered "
          "from 0 on, with "
          "return_mapping also as the graphs have them.")
      .origin(kOrigin)
      .variadic("data", "Graphs, and for each the vertices that a sample gave.", "num_args")
      .num_inputs([](const CompactParams& p) { return static_cast<int>(p.num_args); })
      .num_outputs([](const CompactParams& p) {
        return static_cast<int>(p.num_args / 2) * (p.return_mapping ? 2 : 1);
      })
      .shape(compact_shapes)
      .dtype(graph_dtypes<CompactParams>)
      .kernel(refuse<CompactParams>)
      .makes_sparse([](const CompactParams&) { return true; })
      .no_gradient()
      .done();
  Define<>("_contrib_dgl_adjacency")
      .doc("1 in float32 for each edge of a graph.")
      .origin(kOrigin)
      .input("data", "A csr matrix.")
      .shape([](const NoParams&, ShapeInfer& s) { s.set_out(0, s.in(0)); })
      .dtype([](const NoParams&, DTypeInfer& d) { d.set_out(0, DType::float32); })
      .kernel(refuse<NoParams>)
      .makes_sparse([](const NoParams&) { return true; })
      .no_gradient()
      .done();
  Define<>("_contrib_edge_id")
      .doc("The element in row u[i] and column v[i] of a graph, -1 where none is stored.")
      .origin(kOrigin)
      .input("data", "A csr matrix.")
      .input("u", "A vector of rows.")
      .input("v", "A vector of columns.")
      .shape([](const NoParams&, ShapeInfer& s) {
        if ((s.known(1) && s.in(1).ndim() != 1) || (s.known(2) && s.in(2).ndim() != 1))
          s.reject("expected vectors of vertices");
        s.set_in(1, s.in(2));
        s.set_in(2, s.in(1));
        s.set_out(0, s.in(1));
      })
      .dtype([](const NoParams&, DTypeInfer& d) { d.set_out(0, d.in(0)); })
      .kernel(refuse<NoParams>)
      .makes_sparse([](const NoParams&) { return true; })
      .no_gradient()
      .done();
  Define<NnzParams>("_contrib_getnnz")
      .doc("How many elements a csr matrix stores, those that are zero among them.")
      .origin("MXNet nnz")
      .input("data", "A csr matrix.")
      .shape([](const NnzParams& p, ShapeInfer& s) {
        if (!s.known(0)) return;
        if (s.in(0).ndim() != 2) s.reject("expected a matrix");
        s.set_out(0, {!p.axis ? 1 : *p.axis == 0 ? s.in(0)[1] : s.in(0)[0]});
      })
      .dtype([](const NnzParams&, DTypeInfer& d) { d.set_out(0, DType::int64); })
      .kernel(refuse<NnzParams>)
      .makes_sparse([](const NnzParams&) { return true; })
      .no_gradient()
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::graphs
