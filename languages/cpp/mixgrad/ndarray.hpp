// Arrays, their gradients, and files of them.
#pragma once

#include <map>
#include <type_traits>

#include "mixgrad/base.hpp"

namespace mx {
/// A dense array whose values may still be on their way. Default: no array.
class NDArray {
 public:
  using Outputs = std::vector<NDArray>;

  NDArray() = default;
  /// Values undefined.
  explicit NDArray(const Shape& shape, DType dtype = DType::float32, Device device = cpu()) {
    mg_array* out = nullptr;
    detail::check(
        mg_array_create(shape.data(), detail::count(shape), static_cast<int32_t>(dtype), device, &out));
    adopt(out);
  }
  /// All elements alike.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  NDArray(const Shape& shape, T value, Device device = cpu())
      : NDArray(shape, detail::DTypeOf<T>::value, device) {
    std::vector<T> values(static_cast<size_t>(size()), value);
    copy_from(values.data(), values.size());
  }
  /// Values in row-major order; their number must be the shape's. Booleans are written and read as uint8_t.
  template <class T>
  NDArray(const std::vector<T>& values, const Shape& shape, Device device = cpu())
      : NDArray(shape, detail::DTypeOf<T>::value, device) {
    copy_from(values.data(), values.size());
  }
  /// Takes a reference that the C header gave.
  static NDArray own(mg_array* handle) {
    NDArray out;
    out.adopt(handle);
    return out;
  }

  explicit operator bool() const { return handle_ != nullptr; }
  mg_array* handle() const { return handle_.get(); }

  Shape shape() const {
    const int64_t* extents = mg_array_get_shape(handle());
    return extents ? Shape(extents, extents + mg_array_get_ndim(handle())) : Shape();
  }
  int64_t size() const { return mg_array_get_size(handle()); }
  DType dtype() const { return static_cast<DType>(mg_array_get_dtype(handle())); }
  Device device() const {
    const mg_device device = mg_array_get_device(handle());
    return {static_cast<mg_device_kind>(device.kind), device.id};
  }

  /// The same memory under another shape.
  NDArray reshape(const Shape& shape) const {
    mg_array* out = nullptr;
    detail::check(mg_array_reshape(handle(), shape.data(), detail::count(shape), &out));
    return own(out);
  }
  /// Rows begin to end, sharing memory.
  NDArray slice(int64_t begin, int64_t end) const {
    mg_array* out = nullptr;
    detail::check(mg_array_slice(handle(), begin, end, &out));
    return own(out);
  }
  /// The same values without their history.
  NDArray detach() const {
    mg_array* out = nullptr;
    detail::check(mg_array_detach(handle(), &out));
    return own(out);
  }

  /// Blocks.
  template <class T>
  std::vector<T> to_vector() const {
    need_dtype<T>("to_vector");
    std::vector<T> out(static_cast<size_t>(size()));
    detail::check(mg_array_copy_to(handle(), out.data(), out.size() * sizeof(T)));
    return out;
  }
  /// The one element. Blocks.
  template <class T = float>
  T scalar() const {
    if (size() != 1) {
      throw Error(MG_STATUS_SHAPE,
                  "[scalar] expected an array of one element, got " + std::to_string(size()));
    }
    return to_vector<T>()[0];
  }
  /// Blocks.
  template <class T>
  void copy_from(const T* values, size_t count) {
    need_dtype<T>("copy_from");
    if (count != static_cast<size_t>(size())) {
      throw Error(MG_STATUS_SHAPE,
                  "[copy_from] expected " + std::to_string(size()) + " values, got " + std::to_string(count));
    }
    detail::check(mg_array_copy_from(handle(), values, count * sizeof(T)));
  }
  template <class T>
  void copy_from(const std::vector<T>& values) {
    copy_from(values.data(), values.size());
  }
  /// Writes into another array of the same shape, across devices and dtypes.
  void copy_to(const NDArray& target) const { detail::check(mg_array_copy(handle(), target.handle())); }
  /// Blocks.
  void wait() const { detail::check(mg_array_wait_to_read(handle())); }

  /// Makes this a variable: backward() writes (or adds) its gradient into grad().
  void attach_grad(mg_grad_req req = MG_GRAD_REQ_WRITE) {
    detail::check(mg_array_attach_grad(handle(), nullptr, req));
  }
  /// No array when this is no variable.
  NDArray grad() const {
    mg_array* out = nullptr;
    detail::check(mg_array_get_grad(handle(), &out));
    return own(out);
  }
  /// Gradients of this (with ones, or `head`, as its own gradient) into the variables it was computed from.
  void backward(const NDArray& head = {}) const {
    mg_array* self = handle();
    mg_array* head_grad = head.handle();
    detail::check(mg_autograd_backward(1, &self, head ? &head_grad : nullptr, 0, 0));
  }

 private:
  void adopt(mg_array* handle) { handle_.reset(handle, mg_array_destroy); }
  template <class T>
  void need_dtype(const char* what) const {
    const bool bytes = std::is_same_v<T, uint8_t> && dtype() == DType::boolean;
    if (dtype() != detail::DTypeOf<T>::value && !bytes) {
      throw Error(MG_STATUS_DTYPE, std::string("[") + what + "] the array holds " + name_of(dtype()) +
                                       ", the program's values are " + name_of(detail::DTypeOf<T>::value));
    }
  }
  std::shared_ptr<mg_array> handle_;
};

/// While it lives, calls of this thread are recorded and run as in training.
class Record {
 public:
  explicit Record(bool training = true) {
    detail::check(mg_autograd_set_recording(1, &recording_));
    detail::check(mg_autograd_set_training(training, &training_));
  }
  ~Record() {
    mg_autograd_set_recording(recording_, nullptr);
    mg_autograd_set_training(training_, nullptr);
  }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

 private:
  int32_t recording_ = 0, training_ = 0;
};

/// Named arrays in the format of MXNet's .params files, or "safetensors". Blocks; the file appears complete or not at all.
inline void save(const std::string& path, const std::map<std::string, NDArray>& arrays,
                 const char* format = "params") {
  std::vector<const char*> names;
  std::vector<mg_array*> handles;
  for (const auto& [name, array] : arrays) {
    names.push_back(name.c_str());
    handles.push_back(array.handle());
  }
  detail::check(mg_arrays_save(path.c_str(), format, detail::count(handles), handles.data(), names.data()));
}
/// Any known format. Arrays without names are called "0", "1", ...
inline std::map<std::string, NDArray> load(const std::string& path) {
  mg_array_list* raw = nullptr;
  detail::check(mg_arrays_load(path.c_str(), &raw));
  std::unique_ptr<mg_array_list, void (*)(mg_array_list*)> list(raw, mg_array_list_destroy);
  std::map<std::string, NDArray> out;
  for (int32_t i = 0; i < mg_array_list_get_num_arrays(raw); ++i) {
    mg_array* array = nullptr;
    detail::check(mg_array_list_get(raw, i, &array));
    const char* name = mg_array_list_get_name(raw, i);
    out.emplace(name ? name : std::to_string(i), NDArray::own(array));
  }
  return out;
}

}  // namespace mx
