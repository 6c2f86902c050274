// Operators written in Python, behind mg_custom_register: what mixgrad/operator.py gives, as the library calls it.
#include "custom.h"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exchange.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

// An object of Python and, of properties, the texts that the library reads.
struct Held {
  py::object object;
  std::vector<std::string> texts;
  std::vector<const char*> pointers;
};

Held& held(void* context) { return *static_cast<Held*>(context); }

void release_held(void* context) {
  const Inside inside;
  if (inside) delete static_cast<Held*>(context);  // else its interpreter has taken the object down
}

py::list arrays_of(mg_array* const* arrays, int32_t count) {
  py::list list;
  for (int32_t i = 0; i < count; ++i) {
    mg_array_retain(arrays[i]);
    list.append(own_array(arrays[i]));
  }
  return list;
}

// Rows of a table as lists; None where the rank is unknown.
py::list shapes_of(int32_t count, const int32_t* ndims, const int64_t* extents) {
  py::list shapes;
  for (int32_t i = 0; i < count; ++i) {
    if (ndims[i] < 0) {
      shapes.append(py::none());
      continue;
    }
    py::list shape;
    for (int32_t d = 0; d < ndims[i]; ++d) shape.append(py::int_(extents[i * MG_MAX_NDIM + d]));
    shapes.append(shape);
  }
  return shapes;
}

py::list numbers_of(int32_t count, const int32_t* numbers) {
  py::list list;
  for (int32_t i = 0; i < count; ++i) list.append(py::int_(numbers[i]));
  return list;
}

py::object call_method(void* context, const char* name, std::initializer_list<py::object> arguments) {
  return call_python(held(context).object.attr(name), arguments);
}

mg_status forward(void* context, int32_t is_training, const mg_custom_arrays* a) {
  return CallbackScope::guard([&] {
    call_method(context, "forward",
                {py::bool_(is_training != 0), arrays_of(a->inputs, a->num_inputs),
                 arrays_of(a->outputs, a->num_outputs), arrays_of(a->states, a->num_states)});
  });
}

mg_status backward(void* context, const mg_custom_arrays* a) {
  return CallbackScope::guard([&] {
    call_method(context, "backward",
                {arrays_of(a->inputs, a->num_inputs), arrays_of(a->outputs, a->num_outputs),
                 arrays_of(a->states, a->num_states), arrays_of(a->out_grads, a->num_outputs),
                 arrays_of(a->in_grads, a->num_inputs), numbers_of(a->num_inputs, a->wanted)});
  });
}

mg_status infer_shape(void* context, int32_t count, int32_t* ndims, int64_t* extents) {
  return CallbackScope::guard([&] {
    const auto shapes = call_method(context, "infer_shape", {shapes_of(count, ndims, extents)})
                            .cast<std::vector<std::optional<std::vector<int64_t>>>>();
    for (size_t i = 0; i < shapes.size() && i < static_cast<size_t>(count); ++i) {
      if (!shapes[i]) {
        ndims[i] = -1;
        continue;
      }
      const std::vector<int64_t>& shape = *shapes[i];
      if (shape.size() > MG_MAX_NDIM)
        throw py::value_error("[Custom] infer_shape gives a shape of rank " + std::to_string(shape.size()) +
                              "; expected at most " + std::to_string(MG_MAX_NDIM));
      ndims[i] = static_cast<int32_t>(shape.size());
      for (size_t d = 0; d < shape.size(); ++d) extents[i * MG_MAX_NDIM + d] = shape[d];
    }
  });
}

mg_status infer_dtype(void* context, int32_t count, int32_t* dtypes) {
  return CallbackScope::guard([&] {
    const auto numbers =
        call_method(context, "infer_dtype", {numbers_of(count, dtypes)}).cast<std::vector<int32_t>>();
    for (size_t i = 0; i < numbers.size() && i < static_cast<size_t>(count); ++i) dtypes[i] = numbers[i];
  });
}

mg_status make_operator(void* context, mg_device device, int32_t count, const int32_t* ndims,
                        const int64_t* extents, const int32_t* dtypes, mg_custom_operator* out) {
  return CallbackScope::guard([&] {
    auto made = std::make_unique<Held>();
    made->object = call_method(context, "make_operator",
                               {py::make_tuple(device.kind, device.id), shapes_of(count, ndims, extents),
                                numbers_of(count, dtypes)});
    out->context = made.release();
    out->forward = forward;
    out->backward = backward;
    out->release = release_held;
  });
}

mg_status make_properties(void* context, int32_t count, const char* const* names, const char* const* texts,
                          mg_custom_properties* out) {
  return CallbackScope::guard([&] {
    py::dict parameters;
    for (int32_t i = 0; i < count; ++i) parameters[names[i]] = py::str(texts[i]);
    auto made = std::make_unique<Held>();
    made->object = call_python(held(context).object, {parameters});
    int32_t* const counts[] = {&out->num_arguments, &out->num_outputs, &out->num_states};
    const char* const lists[] = {"arguments", "outputs", "states"};
    for (int i = 0; i < 3; ++i) {
      const auto listed = made->object.attr(lists[i]).cast<std::vector<std::string>>();
      *counts[i] = static_cast<int32_t>(listed.size());
      made->texts.insert(made->texts.end(), listed.begin(), listed.end());
    }
    for (const std::string& text : made->texts) made->pointers.push_back(text.c_str());
    out->names = made->pointers.data();
    out->is_loss = made->object.attr("is_loss").cast<bool>();
    out->context = made.release();
    out->infer_shape = infer_shape;
    out->infer_dtype = infer_dtype;
    out->make_operator = make_operator;
    out->release = release_held;
  });
}

void register_type(const std::string& name, const py::function& make) {
  auto made = std::make_unique<Held>();
  made->object = make;
  const mg_custom_type type{sizeof(mg_custom_type), made.release(), make_properties, release_held};
  check_status(mg_custom_register(name.c_str(), &type));
}

// A call of Custom on arrays: its parameters as text.
py::list call_custom(const std::vector<std::pair<std::string, std::string>>& given, const Objects& inputs,
                     const std::optional<Objects>& out) {
  const mg_op* op = nullptr;
  check_status(mg_op_find("Custom", &op));
  const auto arrays = array_handles(inputs, "Custom");
  std::vector<const char*> names;
  std::vector<mg_value> values;
  for (const auto& [name, text] : given) {
    if (name.find('\0') != std::string::npos || text.find('\0') != std::string::npos)
      throw py::value_error("[Custom] parameter " + name.substr(0, 40) + " contains a zero byte");
    names.push_back(name.c_str());
    values.emplace_back();
    values.back().kind = MG_VALUE_STRING;
    values.back().as.string = text.c_str();
  }
  const auto num_params = static_cast<int32_t>(names.size());
  constexpr int32_t kMostOutputs = 65536;
  auto outputs = out ? array_handles(*out, "Custom") : std::vector<mg_array*>();
  const size_t num_given = outputs.size();
  outputs.resize(kMostOutputs, nullptr);
  int32_t num_outputs = kMostOutputs;
  check_status(mg_op_call(op, static_cast<int32_t>(arrays.size()), arrays.data(), num_params, names.data(),
                          values.data(), &num_outputs, outputs.data()));
  if (num_given > static_cast<size_t>(num_outputs)) {
    throw py::value_error("[Custom] out has " + std::to_string(num_given) + " arrays; expected at most " +
                          std::to_string(num_outputs));
  }
  py::list results;
  for (int32_t i = 0; i < num_outputs; ++i) {
    if (static_cast<size_t>(i) < num_given)
      results.append((*out)[static_cast<size_t>(i)]);
    else
      results.append(own_array(outputs[static_cast<size_t>(i)]));
  }
  return results;
}

}  // namespace

void add_custom(py::module_& m) {
  m.def("register_custom", &register_type);
  m.def("call_custom", &call_custom);
}

}  // namespace mixgrad_python
