// A loop over the leading axis of arrays.
#include <cmath>

#include "exec/control_flow/control_flow.h"

namespace mixgrad::control_flow {
namespace {

struct ForeachParams {
  std::string subgraph0;
  int32_t num_args = 0, num_outputs = 0, num_out_data = 0;
  Reals in_state_locs, in_data_locs, remain_locs;
  std::shared_ptr<SubgraphCache> cache = std::make_shared<SubgraphCache>();
  static void fields(Fields<ForeachParams>& f) {
    f.required("subgraph0", &ForeachParams::subgraph0, "The body as JSON of a symbol.")
        .required("num_args", &ForeachParams::num_args, "Number of inputs, the body included.",
                  between(1, 65536))
        .required("num_outputs", &ForeachParams::num_outputs, "Number of outputs of the body.",
                  between(1, 65535))
        .required("num_out_data", &ForeachParams::num_out_data,
                  "How many of these are stacked; the others are the next states.", between(0, 65535))
        .required("in_state_locs", &ForeachParams::in_state_locs, "Which inputs of the body are states.")
        .required("in_data_locs", &ForeachParams::in_data_locs,
                  "Which inputs of the body are slices of data.")
        .required("remain_locs", &ForeachParams::remain_locs, "Which inputs of the body stay what they are.");
  }
};

// The parameters, checked: of each input its place in the body.
struct ForeachLayout {
  size_t data, states, inputs, stacked;  // counts
  std::vector<size_t> place;             // per input: data, states, the rest
  explicit ForeachLayout(const ForeachParams& p)
      : data(p.in_data_locs.size()),
        states(p.in_state_locs.size()),
        inputs(static_cast<size_t>(p.num_args) - 1),
        stacked(static_cast<size_t>(p.num_out_data)) {
    std::vector<bool> taken(inputs, false);
    const auto add = [&](const char* field, const Reals& locs) {
      for (const size_t at : places_of("_foreach", field, locs, inputs)) {
        if (taken[at]) fail(Status::invalid_argument, "[_foreach] ", field, " names input ", at, " again");
        taken[at] = true;
        place.push_back(at);
      }
    };
    add("in_data_locs", p.in_data_locs);
    add("in_state_locs", p.in_state_locs);
    add("remain_locs", p.remain_locs);
    if (place.size() != inputs || stacked + states != static_cast<size_t>(p.num_outputs) || data == 0) {
      fail(Status::invalid_argument, "[_foreach] ", data, " data, ", states, " states and ",
           p.remain_locs.size(), " other inputs, ", stacked, " stacked outputs; expected at least one data, ",
           inputs, " inputs and ", p.num_outputs, " outputs together");
    }
  }
};

void check_body(const ForeachParams& p, const ForeachLayout& l) {
  const Symbol body = p.cache->symbol(p.subgraph0);
  if (body.size() != l.stacked + l.states || body.list_arguments().size() != l.inputs) {
    fail(Status::invalid_argument, "[_foreach] the body has ", body.list_arguments().size(), " inputs and ",
         body.size(), " outputs; expected ", l.inputs, " and ", l.stacked + l.states);
  }
}

Shape under(const Shape& shape, int64_t leading) {
  Shape out = shape;
  if (out.known_rank()) out.insert(0, leading);
  return out;
}

// What a step sees of data: a slice of the leading axis, of shape (1,) where there is no other axis.
Shape item_shape(const Shape& data) {
  Shape item = data;
  item.erase(0);
  return item.ndim() == 0 ? Shape{1} : item;
}

void foreach_shape(const ForeachParams& p, ShapeInfer& s) {
  const ForeachLayout l(p);
  std::vector<Shape> in(l.inputs, Shape::unknown()), out(l.stacked + l.states, Shape::unknown());
  int64_t steps = Shape::kUnknownDim;
  for (size_t i = 0; i < l.inputs; ++i) {
    Shape shape = s.in(static_cast<int>(i));
    if (i < l.data && shape.known_rank()) {
      if (shape.ndim() == 0) s.reject("data needs an axis to loop over");
      if (steps >= 0 && shape[0] >= 0 && shape[0] != steps) s.reject("data have different leading extents");
      steps = std::max(steps, shape[0]);
      shape = item_shape(shape);
    }
    in[l.place[i]] = shape;
  }
  for (size_t k = 0; k < l.states; ++k) {
    Shape& state = in[l.place[l.data + k]];
    if (!state.known_rank()) state = s.out(static_cast<int>(l.stacked + k));
  }
  check_body(p, l);
  p.cache->infer(p.subgraph0, Span<Shape>(in), Span<Shape>(out));
  for (size_t i = 0; i < l.inputs; ++i) {
    const Shape &shape = in[l.place[i]], known = s.in(static_cast<int>(i));
    const bool numbers = i < l.data && known.known_rank() && known.ndim() == 1;
    s.set_in(static_cast<int>(i), numbers ? Shape{steps} : i < l.data ? under(shape, steps) : shape);
  }
  for (size_t k = 0; k < l.stacked; ++k) s.set_out(static_cast<int>(k), under(out[k], steps));
  for (size_t k = 0; k < l.states; ++k) {
    const int input = static_cast<int>(l.data + k), output = static_cast<int>(l.stacked + k);
    s.set_in(input, out[l.stacked + k]);
    s.set_out(output, s.in(input));
  }
  s.set_out(s.num_outputs() - 1, Shape{kTrailItems});
}

void foreach_dtype(const ForeachParams& p, DTypeInfer& d) {
  const ForeachLayout l(p);
  std::vector<DType> in(l.inputs, DType::unknown), out(l.stacked + l.states, DType::unknown);
  for (size_t i = 0; i < l.inputs; ++i) in[l.place[i]] = d.in(static_cast<int>(i));
  check_body(p, l);
  p.cache->infer(p.subgraph0, Span<DType>(in), Span<DType>(out));
  for (size_t i = 0; i < l.inputs; ++i) d.set_in(static_cast<int>(i), in[l.place[i]]);
  for (size_t k = 0; k < l.stacked; ++k) d.set_out(static_cast<int>(k), out[k]);
  for (size_t k = 0; k < l.states; ++k) {
    const int input = static_cast<int>(l.data + k), output = static_cast<int>(l.stacked + k);
    d.set_in(input, out[l.stacked + k]);
    d.set_out(output, d.in(input));
  }
  d.set_out(d.num_outputs() - 1, DType::int64);
}

SubprogramKey body_key(const ForeachLayout& l, Span<const View> in, bool training) {
  SubprogramKey key;
  key.training = training;
  key.shapes.resize(l.inputs);
  key.dtypes.resize(l.inputs);
  for (size_t i = 0; i < l.inputs; ++i) {
    key.shapes[l.place[i]] = i < l.data ? item_shape(in[i].shape()) : in[i].shape();
    key.dtypes[l.place[i]] = in[i].dtype;
  }
  return key;
}

// Points the body at slice `step` of the data, at the states, and at what stays.
void point(Subprogram& body, const ForeachLayout& l, Span<const View> in, int64_t step,
           const std::vector<char*>& states) {
  for (size_t i = 0; i < l.inputs; ++i) {
    const size_t at = l.place[i];
    const bool state = i >= l.data && i < l.data + l.states;
    const size_t offset = i < l.data ? static_cast<size_t>(step) * body.input_bytes(at) : 0;
    body.inputs[at] = state ? states[i - l.data] : bytes_of(in[i]) + offset;
  }
}

void foreach_kernel(const ForeachParams& p, KernelArgs& args) {
  const ForeachLayout l(p);
  const SubprogramLease body(*p.cache, p.subgraph0, body_key(l, args.in, args.training));
  const int64_t steps = args.in[0].shape()[0];
  const Pieces arena(1, body->arena_bytes());
  std::vector<Pieces> workspaces;
  std::vector<char*> states;
  for (size_t k = 0; k < l.states; ++k) {
    workspaces.emplace_back(2, body->output_bytes(l.stacked + k));
    states.push_back(bytes_of(args.in[l.data + k]));
  }
  for (int64_t t = 0; t < steps; ++t) {
    point(*body, l, args.in, t, states);
    for (size_t k = 0; k < l.stacked; ++k)
      body->outputs[k] = bytes_of(args.out[k]) + static_cast<size_t>(t) * body->output_bytes(k);
    for (size_t k = 0; k < l.states; ++k) {
      states[k] = t + 1 == steps ? bytes_of(args.out[l.stacked + k])
                                 : workspaces[k].piece(static_cast<size_t>(t % 2));
      body->outputs[l.stacked + k] = states[k];
    }
    body->forward(arena.data(), args.seed, args.stream, t);
  }
  for (size_t k = 0; k < l.states && steps == 0; ++k) {
    const View& out = args.out[l.stacked + k];
    if (out.size() > 0) std::memcpy(out.data, states[k], out.bytes());
  }
  write_trail(args, steps);
}

// Runs the body forward again, each step in memory of its own, then backward from the last step to the first.
void foreach_backward(const ForeachParams& p, BackwardArgs& args) {
  const ForeachLayout l(p);
  SubprogramKey key = body_key(l, args.in, args.training);
  key.wanted.assign(l.inputs, false);
  for (size_t i = 0; i < l.inputs; ++i) {
    const bool state = i >= l.data && i < l.data + l.states;
    key.wanted[l.place[i]] = is_float(args.in[i].dtype) && (state || args.wants(static_cast<int>(i)));
  }
  const SubprogramLease body(*p.cache, p.subgraph0, key);
  const Trail trail = read_trail(args);
  const size_t steps = static_cast<size_t>(trail.steps);
  const Pieces arenas(steps, body->arena_bytes());
  std::vector<Pieces> history, stacked, flowing;  // states by step, outputs nobody keeps, gradients of states
  for (size_t k = 0; k < l.states; ++k) {
    history.emplace_back(steps + 1, body->output_bytes(l.stacked + k));
    flowing.emplace_back(2, body->output_bytes(l.stacked + k));
    const View& first = args.in[l.data + k];
    if (first.size() > 0) std::memcpy(history[k].piece(0), first.data, first.bytes());
  }
  for (size_t k = 0; k < l.stacked; ++k) stacked.emplace_back(steps, body->output_bytes(k));
  const auto visit = [&](size_t t) {
    std::vector<char*> states;
    for (size_t k = 0; k < l.states; ++k) states.push_back(history[k].piece(t));
    point(*body, l, args.in, static_cast<int64_t>(t), states);
    for (size_t k = 0; k < l.stacked; ++k) body->outputs[k] = stacked[k].piece(t);
    for (size_t k = 0; k < l.states; ++k) body->outputs[l.stacked + k] = history[k].piece(t + 1);
  };
  for (size_t t = 0; t < steps; ++t) {
    visit(t);
    body->forward(arenas.piece(t), static_cast<uint64_t>(trail.seed), static_cast<uint64_t>(trail.stream),
                  static_cast<int64_t>(t));
  }
  std::vector<char*> from;  // gradients of the states that a step has made
  for (size_t k = 0; k < l.states; ++k) from.push_back(bytes_of(args.out_grad[l.stacked + k]));
  std::vector<Pieces> rest;  // a step's share of what all steps add to
  for (size_t i = l.data + l.states; i < l.inputs; ++i) {
    rest.emplace_back(1, body->input_bytes(l.place[i]));
    clear(args.in_grad[i]);
  }
  for (size_t t = steps; t-- > 0;) {
    visit(t);
    for (size_t k = 0; k < l.stacked; ++k) {
      char* const head = bytes_of(args.out_grad[k]);
      body->head_gradients[k] = head ? head + t * body->output_bytes(k) : nullptr;
    }
    for (size_t i = 0; i < l.inputs; ++i) {
      const size_t at = l.place[i];
      if (!key.wanted[at]) continue;
      if (i < l.data) {
        body->gradients[at] = bytes_of(args.in_grad[i]) + t * body->input_bytes(at);
      } else if (i >= l.data + l.states) {
        body->gradients[at] = rest[i - l.data - l.states].data();
      } else {
        const size_t k = i - l.data;
        body->head_gradients[l.stacked + k] = from[k];
        from[k] = body->gradients[at] = flowing[k].piece(t % 2);
      }
    }
    body->backward(arenas.piece(t));
    for (size_t i = l.data + l.states; i < l.inputs; ++i) {
      if (key.wanted[l.place[i]]) add_to(args.in_grad[i], rest[i - l.data - l.states].data());
    }
  }
  for (size_t k = 0; k < l.states; ++k) {
    const View& gradient = args.in_grad[l.data + k];
    if (!gradient.data) continue;
    if (from[k] && is_float(gradient.dtype)) {
      std::memcpy(gradient.data, from[k], gradient.bytes());
    } else {
      clear(gradient);
    }
  }
  for (size_t i = 0; i < l.data; ++i) {
    if (!is_float(args.in[i].dtype)) clear(args.in_grad[i]);
  }
}

const Op& foreach_op =
    Define<ForeachParams>("_foreach")
        .doc(
            "Runs a body for each slice of the data along their leading axis, handing states from step to "
            "step; gives "
            "the body's outputs stacked, then the last states. mx.sym.contrib.foreach makes it.")
        .origin("MXNet _foreach")
        .subgraphs(1)
        .variadic("data", "Data, first states, then what the body reads besides.", nullptr)
        .num_inputs([](const ForeachParams& p) { return p.num_args - 1; })
        .num_outputs([](const ForeachParams& p) { return p.num_outputs + 1; })
        .num_visible([](const ForeachParams& p) { return p.num_outputs; })
        .shape(foreach_shape)
        .dtype(foreach_dtype)
        .kernel(foreach_kernel)
        .backward(foreach_backward)
        .grad_reads_outputs()
        .element_cost(20)
        .random()
        .depends_on_mode();

}  // namespace
}  // namespace mixgrad::control_flow
