// Arrays that several processes have at once.
#include "shared.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "exchange.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

void share_memory(const Objects& arrays) {
  const std::vector<mg_array*> handles = array_handles(arrays, "share_memory");
  call_unlocked([&] { return mg_array_share_memory(static_cast<int32_t>(handles.size()), handles.data()); });
}

// (descriptor, offset) of a shared array.
std::pair<int32_t, uint64_t> shared_place(const py::object& array) {
  mg_array* handle = array_handle(array, "shared_place");
  std::pair<int32_t, uint64_t> place;
  call_unlocked([&] { return mg_array_get_shared_place(handle, &place.first, &place.second); });
  return place;
}

py::object attach_shared(int32_t fd, uint64_t offset, const std::vector<int64_t>& shape, int32_t dtype,
                         const std::pair<int32_t, int32_t>& where) {
  mg_array* out = nullptr;
  check_status(mg_array_attach_shared(fd, offset, shape.data(), static_cast<int32_t>(shape.size()), dtype,
                                      {where.first, where.second}, &out));
  return own_array(out);
}

}  // namespace

void add_shared(py::module_& m) {
  m.def("share_memory", &share_memory);
  m.def("is_shared",
        [](const py::object& array) { return mg_array_is_shared(array_handle(array, "is_shared")) != 0; });
  m.def("shared_place", &shared_place);
  m.def("attach_shared", &attach_shared);
}

}  // namespace mixgrad_python
