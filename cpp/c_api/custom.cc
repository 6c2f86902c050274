// Operators of the program behind the C header.
#include "exec/custom/custom.h"
#include "c_api/sized.h"

namespace api = mixgrad::c_api;
namespace custom = mixgrad::custom;
using mixgrad::ArrayRef;
using mixgrad::Device;
using mixgrad::DType;
using mixgrad::Shape;
using mixgrad::Span;
using mixgrad::Status;

namespace {

// The caller's struct, whose context is released once.
template <class T>
class Owned {
 public:
  explicit Owned(const T& given) : given_(given) {}
  Owned(Owned&& other) noexcept : given_(other.given_) { other.given_.release = nullptr; }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (given_.release) given_.release(given_.context);
  }
  const T* operator->() const { return &given_; }

 private:
  T given_;
};

void check(mg_status status) {
  if (status == MG_STATUS_OK) return;
  const bool known = status > MG_STATUS_OK && status <= MG_STATUS_STOPPED;
  throw mixgrad::Error(known ? static_cast<Status>(status) : Status::internal, api::last_error());
}

template <class Fn>
void require_function(Fn function, const char* what) {
  api::require(reinterpret_cast<const void*>(function), "mg_custom_register", what);
}

// Shapes as the header's functions get them.
struct ShapeTable {
  api::vector<int32_t> ndims;
  api::vector<int64_t> extents;
  explicit ShapeTable(Span<const Shape> shapes) {
    for (const Shape& shape : shapes) {
      ndims.push_back(shape.known_rank() ? shape.ndim() : -1);
      for (int i = 0; i < MG_MAX_NDIM; ++i) extents.push_back(i < ndims.back() ? shape[i] : 0);
    }
  }
  Shape shape(size_t at) const {
    if (ndims[at] < 0) return Shape::unknown();
    if (ndims[at] > MG_MAX_NDIM)
      mixgrad::fail(Status::shape, "[Custom] infer_shape gives a shape of rank ", ndims[at],
                    "; expected at most ", MG_MAX_NDIM);
    const Shape made(extents.data() + at * MG_MAX_NDIM, ndims[at]);
    for (int i = 0; i < ndims[at]; ++i) {
      if (made[i] < Shape::kUnknownDim)
        mixgrad::fail(Status::shape, "[Custom] infer_shape gives an extent of ", made[i],
                      "; expected 0 or more, or -1 where it is not known");
    }
    return made;
  }
};
static_assert(MG_MAX_NDIM == mixgrad::kMaxDims, "the header says how many extents there are room for");

class CallerOperator final : public custom::Operator {
 public:
  explicit CallerOperator(Owned<mg_custom_operator> given) : given_(std::move(given)) {}
  void forward(bool training, const Arrays& arrays) override {
    const Handles handles(arrays, nullptr);
    check(given_->forward(given_->context, training, &handles.given));
  }
  void backward(const Arrays& arrays, const api::vector<bool>& wanted) override {
    const Handles handles(arrays, &wanted);
    check(given_->backward(given_->context, &handles.given));
  }

 private:
  struct Handles {
    api::vector<mg_array*> lists[5];
    api::vector<int32_t> wanted;
    mg_custom_arrays given{};
    Handles(const Arrays& arrays, const api::vector<bool>* asked) {
      const api::vector<ArrayRef>* all[] = {&arrays.inputs, &arrays.outputs, &arrays.states,
                                            &arrays.out_grads, &arrays.in_grads};
      for (int i = 0; i < 5; ++i) {
        for (const ArrayRef& array : *all[i]) lists[i].push_back(reinterpret_cast<mg_array*>(array.get()));
      }
      for (size_t i = 0; asked && i < asked->size(); ++i) wanted.push_back((*asked)[i]);
      given.size = sizeof given;
      given.num_inputs = static_cast<int32_t>(arrays.inputs.size());
      given.num_outputs = static_cast<int32_t>(arrays.outputs.size());
      given.num_states = static_cast<int32_t>(arrays.states.size());
      given.inputs = lists[0].data();
      given.outputs = lists[1].data();
      given.states = lists[2].data();
      given.out_grads = asked ? lists[3].data() : nullptr;
      given.in_grads = asked ? lists[4].data() : nullptr;
      given.wanted = asked ? wanted.data() : nullptr;
    }
  };
  const Owned<mg_custom_operator> given_;
};

class CallerProperties final : public custom::Properties {
 public:
  explicit CallerProperties(Owned<mg_custom_properties> given) : given_(std::move(given)) {
    require_function(given_->infer_shape, "properties.infer_shape");
    require_function(given_->infer_dtype, "properties.infer_dtype");
    require_function(given_->make_operator, "properties.make_operator");
    is_loss = given_->is_loss != 0;
    int32_t at = 0;
    take_names(given_->num_arguments, "arguments", &at, arguments);
    take_names(given_->num_outputs, "outputs", &at, outputs);
    take_names(given_->num_states, "states", &at, states);
    if (outputs.empty())
      mixgrad::fail(Status::invalid_argument, "[Custom] an operator has no outputs; expected at least 1");
  }

  void infer_shape(Span<Shape> shapes) override {
    ShapeTable table({shapes.data(), shapes.size()});
    check(given_->infer_shape(given_->context, static_cast<int32_t>(shapes.size()), table.ndims.data(),
                              table.extents.data()));
    for (size_t i = 0; i < shapes.size(); ++i) shapes[i] = table.shape(i);
  }

  void infer_dtype(Span<DType> dtypes) override {
    api::vector<int32_t> numbers;
    for (const DType dtype : dtypes)
      numbers.push_back(dtype == DType::unknown ? -1 : static_cast<int32_t>(dtype));
    check(given_->infer_dtype(given_->context, static_cast<int32_t>(numbers.size()), numbers.data()));
    for (size_t i = 0; i < dtypes.size(); ++i)
      dtypes[i] = numbers[i] == -1 ? DType::unknown : api::dtype_from(numbers[i], "Custom");
  }

  std::unique_ptr<custom::Operator> make_operator(Device device, Span<const Shape> shapes,
                                                  Span<const DType> dtypes) override {
    const ShapeTable table(shapes);
    api::vector<int32_t> numbers;
    for (const DType dtype : dtypes) numbers.push_back(static_cast<int32_t>(dtype));
    mg_custom_operator made{};
    made.size = sizeof made;
    check(given_->make_operator(given_->context, {static_cast<int32_t>(device.kind), device.id},
                                static_cast<int32_t>(shapes.size()), table.ndims.data(), table.extents.data(),
                                numbers.data(), &made));
    Owned<mg_custom_operator> owned(made);
    require_function(made.forward, "operator.forward");
    require_function(made.backward, "operator.backward");
    return api::make_unique<CallerOperator>(std::move(owned));
  }

 private:
  void take_names(int32_t count, const char* what, int32_t* at, mixgrad::Strings& to) {
    constexpr int32_t kMost = 65535;
    if (count < 0 || count > kMost)
      mixgrad::fail(Status::invalid_argument, "[Custom] an operator has ", count, " ", what,
                    "; expected 0 to ", kMost);
    for (int32_t i = 0; i < count; ++i, ++*at) {
      api::require(given_->names, "mg_custom_register", "properties.names");
      api::require(given_->names[*at], "mg_custom_register", "properties.names[i]");
      to.push_back(given_->names[*at]);
    }
  }
  const Owned<mg_custom_properties> given_;
};

class CallerType final : public custom::Type {
 public:
  explicit CallerType(Owned<mg_custom_type> given) : given_(std::move(given)) {}
  std::unique_ptr<custom::Properties> make_properties(const mixgrad::NamedTexts& parameters) override {
    api::vector<const char*> names, texts;
    for (const mixgrad::NamedText& parameter : parameters) {
      names.push_back(parameter.name.c_str());
      texts.push_back(parameter.text.c_str());
    }
    mg_custom_properties made{};
    made.size = sizeof made;
    check(given_->make_properties(given_->context, static_cast<int32_t>(names.size()), names.data(),
                                  texts.data(), &made));
    return api::make_unique<CallerProperties>(Owned<mg_custom_properties>(made));
  }

 private:
  const Owned<mg_custom_type> given_;
};

}  // namespace

extern "C" {

mg_status mg_custom_register(const char* name, const mg_custom_type* type) {
  return api::guard([&] {
    const auto given =
        api::read_struct(type, "mg_custom_type", &mg_custom_type::make_properties, "mg_custom_register");
    Owned<mg_custom_type> owned(given);  // from here on it is released
    api::require(name, "mg_custom_register", "name");
    require_function(given.make_properties, "make_properties");
    custom::register_type(name, api::make_shared<CallerType>(std::move(owned)));
  });
}

}  // extern "C"
