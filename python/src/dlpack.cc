#include "dlpack.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "exchange.h"
#include "interpreter.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

// DLPack's published layout, version 0.x ("dltensor" capsules).
struct DLDevice {
  int32_t device_type, device_id;
};
struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};
enum DLCode : uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBfloat = 4, kBool = 6 };
constexpr int32_t kDLCpu = 1;

struct DtypeRow {
  int32_t number;
  uint8_t code, bits;
};
constexpr DtypeRow kRows[] = {
    {MG_DTYPE_FLOAT32, kFloat, 32},   {MG_DTYPE_FLOAT64, kFloat, 64}, {MG_DTYPE_FLOAT16, kFloat, 16},
    {MG_DTYPE_BFLOAT16, kBfloat, 16}, {MG_DTYPE_INT8, kInt, 8},       {MG_DTYPE_INT32, kInt, 32},
    {MG_DTYPE_INT64, kInt, 64},       {MG_DTYPE_UINT8, kUInt, 8},     {MG_DTYPE_BOOL, kBool, 8}};

struct Export {
  DLManagedTensor managed;
  mg_array* array;
  std::vector<int64_t> shape;
};

void delete_export(DLManagedTensor* managed) {
  auto* exported = static_cast<Export*>(managed->manager_ctx);
  mg_array_destroy(exported->array);
  delete exported;
}

void delete_import(void* context) {
  auto* managed = static_cast<DLManagedTensor*>(context);
  if (!managed->deleter) return;
  const Inside inside;
  if (inside) managed->deleter(managed);  // else the memory goes with the process
}

}  // namespace

py::capsule to_dlpack(const py::object& object) {
  mg_array* array = array_handle(object, "to_dlpack");
  void* data = nullptr;
  std::unique_ptr<Export, void (*)(Export*)> exported(
      new Export{}, [](Export* unused) { delete_export(&unused->managed); });
  exported->managed.manager_ctx = exported.get();
  call_unlocked([&] {
    const mg_status status = mg_array_get_data(array, &data);
    return status ? status : mg_array_detach(array, &exported->array);
  });
  exported->shape.assign(mg_array_get_shape(array), mg_array_get_shape(array) + mg_array_get_ndim(array));
  DLTensor& t = exported->managed.dl_tensor;
  t.data = data;
  t.device = {kDLCpu, 0};
  t.ndim = mg_array_get_ndim(array);
  t.shape = exported->shape.data();
  for (const DtypeRow& row : kRows) {
    if (row.number == mg_array_get_dtype(array)) t.dtype = {row.code, row.bits, 1};
  }
  exported->managed.deleter = delete_export;
  py::capsule capsule(&exported->managed, "dltensor", [](PyObject* capsule) {
    // A consumer renames the capsule; only one that was never used frees its tensor here.
    if (!PyCapsule_IsValid(capsule, "dltensor")) return;
    auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
    managed->deleter(managed);
  });
  static_cast<void>(exported.release());
  return capsule;
}

py::object from_dlpack(const py::capsule& capsule) {
  if (!PyCapsule_IsValid(capsule.ptr(), "dltensor")) {
    throw py::value_error("[from_dlpack] expected an unused 'dltensor' capsule");
  }
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (managed->deleter == delete_export) {  // our own: the same array, so that the engine sees one memory
    mg_array* array = static_cast<Export*>(managed->manager_ctx)->array;
    mg_array_retain(array);
    PyCapsule_SetName(capsule.ptr(), "used_dltensor");
    managed->deleter(managed);
    return own_array(array);
  }
  const DLTensor& t = managed->dl_tensor;
  if (t.device.device_type != kDLCpu) {
    throw py::buffer_error("[from_dlpack] the tensor is on DLPack device type " +
                           std::to_string(t.device.device_type) +
                           "; only host memory (1) is supported by this build");
  }
  int32_t dtype = -1;
  for (const DtypeRow& row : kRows) {
    if (row.code == t.dtype.code && row.bits == t.dtype.bits && t.dtype.lanes == 1) dtype = row.number;
  }
  if (dtype < 0) {
    throw py::buffer_error("[from_dlpack] no dtype for DLPack code " + std::to_string(t.dtype.code) + ", " +
                           std::to_string(t.dtype.bits) + " bits");
  }
  if (t.strides) {
    int64_t expected = 1;
    bool empty = false;
    for (int32_t i = 0; i < t.ndim; ++i) empty |= t.shape[i] == 0;
    for (int32_t i = t.ndim - 1; i >= 0; --i) {
      if (!empty && t.shape[i] != 1 && t.strides[i] != expected) {
        throw py::buffer_error("[from_dlpack] the tensor is not contiguous; pass a contiguous copy");
      }
      expected *= t.shape[i];
    }
  }
  mg_array* out = nullptr;
  check_status(mg_array_wrap(static_cast<char*>(t.data) + t.byte_offset, t.shape, t.ndim, dtype,
                             {MG_DEVICE_CPU, 0}, delete_import, managed, &out));
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  return own_array(out);
}

}  // namespace mixgrad_python
