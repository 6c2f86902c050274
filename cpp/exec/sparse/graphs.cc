// Graphs in csr: vertices are rows and columns, an element is an edge, its value the edge's number.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/warning.h"
#include "exec/imperative/mode.h"
#include "exec/sparse/rule.h"
#include "kernels/random/random.h"

namespace mixgrad::sparse {
namespace {

const Array& expect_csr(const SparseCall& call, size_t i) {
  const Array& array = *call.in[i];
  if (storage_of(array) != Storage::csr) {
    fail(Status::unsupported, "[", call.op.name, "] ", call.op.input_name(static_cast<int>(i)),
         " is of storage type ", name_of(storage_of(array)), "; expected csr");
  }
  return array;
}

template <Storage result>
std::optional<Storage> of_graph(const SparseCall& call) {
  if (call.in.empty()) return std::nullopt;
  expect_csr(call, 0);
  return result;
}

struct CsrGraph {
  const Array& array;
  std::vector<int64_t> starts, columns;
  explicit CsrGraph(const Array& graph) : array(graph) {
    CsrNumbers numbers = read_csr(graph);
    starts = std::move(numbers.starts);
    columns = std::move(numbers.columns);
  }
  int64_t vertices() const { return array.shape()[0]; }
  int64_t begin(int64_t row) const { return starts[static_cast<size_t>(row)]; }
  int64_t end(int64_t row) const { return starts[static_cast<size_t>(row) + 1]; }
  int64_t column(int64_t edge) const { return columns[static_cast<size_t>(edge)]; }
};

CsrGraph square_graph(const SparseCall& call) {
  const Array& array = expect_csr(call, 0);
  if (array.shape()[0] != array.shape()[1]) {
    fail(Status::shape, "[", call.op.name, "] a graph of shape ", array.shape(),
         "; expected as many rows as columns");
  }
  return CsrGraph(array);
}

// Numbers of vertices, all of the graph.
std::vector<int64_t> vertices_of(const SparseCall& call, size_t i, int64_t count) {
  if (call.in[i]->sparse() || call.in[i]->shape().ndim() != 1) {
    fail(Status::shape, "[", call.op.name, "] ", call.op.input_name(static_cast<int>(i)), " has shape ",
         call.in[i]->shape(), " and storage type ", name_of(storage_of(*call.in[i])),
         "; expected a dense vector of vertices");
  }
  std::vector<int64_t> vertices = integers_of(ArrayRef(call.in[i]));
  for (const int64_t vertex : vertices) {
    if (vertex < 0 || vertex >= count)
      fail(Status::index, "[", call.op.name, "] vertex ", vertex, " of a graph of ", count, " vertices");
  }
  return vertices;
}

// The edges of a graph at some places among its elements, as a matrix of its own.
ArrayRef edges_at(const CsrGraph& graph, const Shape& shape, const std::vector<int64_t>& edges,
                  const std::vector<int64_t>& columns, const std::vector<int64_t>& starts) {
  const ArrayRef values = graph.array.chunk().parts()->values;
  const Device device = values->device();
  return make_sparse(shape, {Storage::csr, take_items(values, edges), make_numbers(columns, device),
                             make_numbers(starts, device)});
}

// The same places with edges numbered from 0 on.
ArrayRef numbered(const ArrayRef& edges) {
  const ArrayRef values = edges->chunk().parts()->values;
  std::vector<int64_t> numbers(static_cast<size_t>(values->size()));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int64_t>(i);
  const ArrayRef made = make_numbers(numbers, values->device());
  return with_values(*edges, call("Cast", {made}, {{"dtype", name_of(values->dtype())}}));
}

// Draws edges of a vertex.
class Draw {
 public:
  Draw(Device device, const std::vector<double>* weights) : weights_(weights) {
    const RandomStream stream = next_random_stream(device);
    key_ = {stream.seed, stream.stream};
  }
  // At most `count` of the edges of a vertex, in ascending order; all where it has no more.
  std::vector<int64_t> edges(const CsrGraph& graph, int64_t vertex, int64_t count) {
    const int64_t begin = graph.begin(vertex), degree = graph.end(vertex) - begin;
    std::vector<int64_t> drawn;
    if (degree <= count) {
      for (int64_t e = 0; e < degree; ++e) drawn.push_back(begin + e);
      return drawn;
    }
    ElementRandom random(key_, vertex);
    weights_ ? by_weight(graph, begin, degree, count, random, drawn)
             : evenly(begin, degree, count, random, drawn);
    std::sort(drawn.begin(), drawn.end());
    return drawn;
  }

 private:
  // Floyd's way: every set of `count` numbers below `degree` is as likely.
  static void evenly(int64_t begin, int64_t degree, int64_t count, ElementRandom& random,
                     std::vector<int64_t>& drawn) {
    std::unordered_set<int64_t> taken;
    for (int64_t last = degree - count; last < degree; ++last) {
      const auto at = static_cast<int64_t>(random.below(static_cast<uint64_t>(last) + 1));
      const int64_t edge = taken.insert(at).second ? at : last;
      taken.insert(edge);
      drawn.push_back(begin + edge);
    }
  }
  // The largest log(u) / weight (Efraimidis and Spirakis 2006); vertices of weight 0 are not drawn.
  void by_weight(const CsrGraph& graph, int64_t begin, int64_t degree, int64_t count, ElementRandom& random,
                 std::vector<int64_t>& drawn) const {
    std::vector<std::pair<double, int64_t>> ranks;
    for (int64_t edge = begin; edge < begin + degree; ++edge) {
      const double weight = (*weights_)[static_cast<size_t>(graph.column(edge))];
      const double rank = std::log(random.uniform()) / weight;
      if (weight > 0) ranks.emplace_back(-rank, edge);
    }
    const auto most = std::min(static_cast<size_t>(count), ranks.size());
    std::partial_sort(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(most), ranks.end());
    for (size_t i = 0; i < most; ++i) drawn.push_back(ranks[i].second);
  }

  RandomKey key_;
  const std::vector<double>* weights_;
};

struct Sample {
  std::vector<int64_t> vertices, hops;  // in ascending order of vertices
  ArrayRef edges;
};

struct Limits {
  int64_t hops, neighbours, vertices;
};

Sample sample_from(const CsrGraph& graph, const std::vector<int64_t>& seeds, const Limits& most, Draw& draw) {
  std::unordered_map<int64_t, int64_t> hops;
  std::unordered_map<int64_t, std::vector<int64_t>> drawn;
  std::vector<int64_t> queue;
  for (const int64_t seed : seeds) {
    if (hops.emplace(seed, 0).second) queue.push_back(seed);
  }
  const auto full = [&] { return static_cast<int64_t>(queue.size()) >= most.vertices; };
  if (static_cast<int64_t>(queue.size()) > most.vertices) {
    fail(Status::invalid_argument, "[dgl_csr_neighbor_sample] ", queue.size(), " seeds; expected at most ",
         "max_num_vertices, which is ", most.vertices);
  }
  bool cut = false;
  for (size_t i = 0; i < queue.size() && !cut; ++i) {
    const int64_t vertex = queue[i], hop = hops[vertex];
    if (hop >= most.hops) continue;
    std::vector<int64_t>& edges = drawn[vertex] = draw.edges(graph, vertex, most.neighbours);
    for (const int64_t edge : edges) {
      const int64_t to = graph.column(edge);
      if (hops.count(to)) continue;
      cut |= full();
      if (full()) continue;
      hops.emplace(to, hop + 1);
      queue.push_back(to);
    }
  }
  if (cut)
    warn(text("[dgl_csr_neighbor_sample] a sample ended at max_num_vertices, ", most.vertices, " vertices"));
  Sample sample{queue, {}, {}};
  std::sort(sample.vertices.begin(), sample.vertices.end());
  std::vector<int64_t> edges, columns, starts{0};
  for (const int64_t vertex : sample.vertices) {
    sample.hops.push_back(hops[vertex]);
    for (const int64_t edge : drawn[vertex]) {
      if (!hops.count(graph.column(edge))) continue;  // it had no room
      edges.push_back(edge);
      columns.push_back(graph.column(edge));
    }
    starts.push_back(static_cast<int64_t>(edges.size()));
  }
  starts.resize(static_cast<size_t>(most.vertices) + 1, static_cast<int64_t>(edges.size()));
  sample.edges = edges_at(graph, {most.vertices, graph.vertices()}, edges, columns, starts);
  return sample;
}

std::vector<double> weights_of(const SparseCall& call, int64_t count) {
  const ArrayRef given = to_storage(*call.in[1], Storage::dense);
  if (given->shape() != Shape{count})
    fail(Status::shape, "[", call.op.name, "] weights of shape ", given->shape(), " for a graph of ", count,
         " vertices; expected one each");
  const ArrayRef wide = mixgrad::sparse::call("Cast", {given}, {{"dtype", "float64"}});
  std::vector<double> weights(static_cast<size_t>(count));
  wide->copy_to_host(weights.data());
  for (const double weight : weights) {
    if (!(weight >= 0))
      fail(Status::invalid_argument, "[", call.op.name, "] a weight of ", weight, "; expected none below 0");
  }
  return weights;
}

template <bool weighted>
void sample(SparseCall& call) {
  const CsrGraph graph = square_graph(call);
  const size_t first = weighted ? 2 : 1;
  if (call.in.size() <= first)
    fail(Status::invalid_argument, "[", call.op.name, "] got no seeds; expected at least one vector");
  const Limits most{call.integer("num_hops"), call.integer("num_neighbor"), call.integer("max_num_vertices")};
  check_extents({most.vertices + 1}, sizeof(int64_t), call.op.name.c_str());
  std::vector<double> weights;
  if (weighted) weights = weights_of(call, graph.vertices());
  const Device device = graph.array.device();
  Draw draw(device, weighted ? &weights : nullptr);
  const size_t count = call.in.size() - first;
  for (size_t i = 0; i < count; ++i) {
    Sample made = sample_from(graph, vertices_of(call, first + i, graph.vertices()), most, draw);
    const auto vertices = static_cast<int64_t>(made.vertices.size());
    if (weighted) {
      const ArrayRef chosen = take_items(to_storage(*call.in[1], Storage::dense), made.vertices);
      std::vector<int64_t> places(made.vertices.size());
      for (size_t k = 0; k < places.size(); ++k) places[k] = static_cast<int64_t>(k);
      call.out[2 * count + i] = place_items(chosen, places, most.vertices);
    }
    made.vertices.resize(static_cast<size_t>(most.vertices), -1);
    made.vertices.push_back(vertices);
    made.hops.resize(static_cast<size_t>(most.vertices), -1);
    call.out[i] = make_numbers(made.vertices, device);
    call.out[count + i] = made.edges;
    call.out[(weighted ? 3 : 2) * count + i] = make_numbers(made.hops, device);
  }
}

void subgraph(SparseCall& call) {
  const CsrGraph graph = square_graph(call);
  const bool mapping = call.integer("return_mapping") != 0;
  const size_t count = call.in.size() - 1;
  for (size_t i = 0; i < count; ++i) {
    const std::vector<int64_t> vertices = vertices_of(call, 1 + i, graph.vertices());
    for (size_t k = 1; k < vertices.size(); ++k) {
      if (vertices[k] <= vertices[k - 1]) {
        fail(Status::invalid_argument, "[", call.op.name, "] vertex ", vertices[k], " follows ",
             vertices[k - 1], "; expected vertices in ascending order");
      }
    }
    std::vector<int64_t> edges, columns, starts{0};
    for (const int64_t vertex : vertices) {
      for (int64_t edge = graph.begin(vertex); edge < graph.end(vertex); ++edge) {
        const auto at = std::lower_bound(vertices.begin(), vertices.end(), graph.column(edge));
        if (at == vertices.end() || *at != graph.column(edge)) continue;
        edges.push_back(edge);
        columns.push_back(at - vertices.begin());
      }
      starts.push_back(static_cast<int64_t>(edges.size()));
    }
    const auto size = static_cast<int64_t>(vertices.size());
    const ArrayRef own = edges_at(graph, {size, size}, edges, columns, starts);
    call.out[i] = numbered(own);
    if (mapping) call.out[count + i] = own;
  }
}

ArrayRef compact_one(const SparseCall& call, const CsrGraph& graph, const std::vector<int64_t>& vertices,
                     int64_t size) {
  const auto edges = static_cast<int64_t>(graph.columns.size());
  if (size < 0 || size > static_cast<int64_t>(vertices.size()) || size > graph.vertices() ||
      graph.starts[static_cast<size_t>(size)] != edges) {
    fail(Status::invalid_argument, "[", call.op.name, "] a graph of ", graph.vertices(), " rows with ",
         vertices.size(), " vertices given has not its edges in the first ", size,
         " rows; expected in graph_sizes what the sample says last of its vertices");
  }
  std::unordered_map<int64_t, int64_t> places;
  for (int64_t i = 0; i < size; ++i) places.emplace(vertices[static_cast<size_t>(i)], i);
  std::vector<int64_t> all, columns;
  for (int64_t edge = 0; edge < edges; ++edge) {
    const auto at = places.find(graph.column(edge));
    if (at == places.end())
      fail(Status::invalid_argument, "[", call.op.name, "] an edge leads to vertex ", graph.column(edge),
           ", which is not among the vertices given");
    all.push_back(edge);
    columns.push_back(at->second);
  }
  std::vector<int64_t> starts(graph.starts.begin(), graph.starts.begin() + size + 1);
  return edges_at(graph, {size, size}, all, columns, starts);
}

void compact(SparseCall& call) {
  const size_t count = call.in.size() / 2;
  const OwnedValue owned = call.field("graph_sizes").get(call.params->data());
  const Value& sizes = owned.get();
  if (call.in.size() % 2 != 0 || sizes.count != count) {
    fail(Status::invalid_argument, "[", call.op.name, "] got ", call.in.size(), " inputs and ", sizes.count,
         " graph_sizes; expected graphs, as many vectors of vertices, and a size each");
  }
  for (size_t i = 0; i < count; ++i) {
    const CsrGraph graph(expect_csr(call, i));
    const ArrayRef vertices = to_storage(*call.in[count + i], Storage::dense);
    const ArrayRef own = compact_one(call, graph, integers_of(vertices), sizes.items[i].integer);
    call.out[i] = numbered(own);
    if (call.integer("return_mapping") != 0) call.out[count + i] = own;
  }
}

void adjacency(SparseCall& call) {
  const ArrayRef ones = mixgrad::sparse::call("ones_like", {call.parts(0).values});
  call.out[0] = with_values(*call.in[0], mixgrad::sparse::call("Cast", {ones}, {{"dtype", "float32"}}));
}

void edge_id(SparseCall& call) {
  const CsrGraph graph(expect_csr(call, 0));
  const std::vector<int64_t> from = vertices_of(call, 1, graph.vertices());
  const std::vector<int64_t> to = vertices_of(call, 2, graph.array.shape()[1]);
  if (from.size() != to.size())
    fail(Status::shape, "[", call.op.name, "] u has ", from.size(), " vertices and v has ", to.size(),
         "; expected as many");
  std::vector<int64_t> edges, places, missing(from.size(), 0);
  for (size_t i = 0; i < from.size(); ++i) {
    const auto first = graph.columns.begin() + graph.begin(from[i]);
    const auto last = graph.columns.begin() + graph.end(from[i]);
    const auto at = std::find(first, last, to[i]);
    if (at == last) {
      missing[i] = -1;
      continue;
    }
    edges.push_back(at - graph.columns.begin());
    places.push_back(static_cast<int64_t>(i));
  }
  const ArrayRef& values = call.parts(0).values;
  const ArrayRef found = place_items(take_items(values, edges), places, static_cast<int64_t>(from.size()));
  const ArrayRef others = mixgrad::sparse::call("Cast", {make_numbers(missing, values->device())},
                                                {{"dtype", name_of(values->dtype())}});
  call.out[0] = mixgrad::sparse::call("elemwise_add", {found, others});
}

void count_stored(SparseCall& call) {
  const CsrGraph graph(expect_csr(call, 0));
  const OwnedValue owned = call.field("axis").get(call.params->data());
  std::vector<int64_t> counts{static_cast<int64_t>(graph.columns.size())};
  if (owned.get().kind == ValueKind::integer) {
    const bool by_row = owned.get().integer == 1;
    counts.assign(static_cast<size_t>(graph.array.shape()[by_row ? 0 : 1]), 0);
    if (by_row) {
      for (size_t r = 0; r < counts.size(); ++r) counts[r] = graph.starts[r + 1] - graph.starts[r];
    } else {
      for (const int64_t column : graph.columns) ++counts[static_cast<size_t>(column)];
    }
  }
  call.out[0] = make_numbers(counts, graph.array.device());
}

}  // namespace

void add_graph_rules(Rules& rules) {
  rules.add("_contrib_dgl_csr_neighbor_uniform_sample", {of_graph<Storage::dense>, sample<false>, nullptr});
  rules.add("_contrib_dgl_csr_neighbor_non_uniform_sample",
            {of_graph<Storage::dense>, sample<true>, nullptr});
  rules.add("_contrib_dgl_subgraph", {of_graph<Storage::csr>, subgraph, nullptr});
  rules.add("_contrib_dgl_graph_compact", {of_graph<Storage::csr>, compact, nullptr});
  rules.add("_contrib_dgl_adjacency", {of_graph<Storage::csr>, adjacency, nullptr});
  rules.add("_contrib_edge_id", {of_graph<Storage::dense>, edge_id, nullptr});
  rules.add("_contrib_getnnz", {of_graph<Storage::dense>, count_stored, nullptr});
}

}  // namespace mixgrad::sparse
