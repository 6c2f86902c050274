#include "device/api.h"

#include <atomic>

#include "base/build.h"
#include "base/error.h"
#include "device/cpu.h"
#include "device/shared_memory.h"

#if defined(__linux__) && !MIXGRAD_COMPACT
#define MIXGRAD_LOOKS_FOR_CUDA 1
#include <dlfcn.h>
#else
#define MIXGRAD_LOOKS_FOR_CUDA 0
#endif

namespace mixgrad {
namespace {

constexpr bool kSharesMemory = kTraining || !kCompact;

std::atomic<DeviceApi*> gpu_api{nullptr};
std::atomic<int> gpu_count{0};

// What stands between this process and a GPU, and what would change it.
std::string missing_cuda() {
#if MIXGRAD_LOOKS_FOR_CUDA
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  const bool found = driver != nullptr;
  if (driver) dlclose(driver);
  const char* state =
      found ? "the driver library libcuda.so.1 is on this machine"
            : "the driver library libcuda.so.1 was not found on this machine (it comes with NVIDIA's "
              "driver, not with a pip package)";
#else
  const char* state = "GPUs are served by the full library on Linux only";
#endif
  return text("mixgrad has no CUDA support yet, and ", state, ". Use cpu(0) instead");
}

}  // namespace

void expect_device(Device device) {
  if (device.id < 0) {
    fail(Status::invalid_argument, "[device] ", device.name(), ": a device id is 0 or more");
  }
  switch (device.kind) {
    case DeviceKind::cpu: return;
    case DeviceKind::cpu_pinned: return;  // without a GPU's driver to register it with, it is ordinary memory
    case DeviceKind::cpu_shared:
      if (kSharesMemory && shared_memory_available()) return;
      fail(Status::unsupported, "[device] ", device.name(),
           ": shared memory is served by the full library on Linux only");
    case DeviceKind::gpu: {
      const int count = device_count(DeviceKind::gpu);
      if (device.id < count) return;
      if (count == 0) fail(Status::unsupported, "[device] ", device.name(), ": ", missing_cuda());
      fail(Status::invalid_argument, "[device] ", device.name(), ": the last of this machine is gpu(",
           count - 1, ")");
    }
    case DeviceKind::worker: break;  // no array lies there
  }
  fail(Status::invalid_argument, "[device] ", device.name(), " is no kind of device");
}

DeviceApi& device_api(Device device) {
  expect_device(device);
  if (device.kind == DeviceKind::gpu) return *gpu_api.load(std::memory_order_acquire);
  return device.kind == DeviceKind::cpu_shared ? cpu_shared_api() : cpu_api();
}

Processor processor_of(Device device) {
  const DeviceApi* const api = device.is_host() ? nullptr : gpu_api.load(std::memory_order_acquire);
  return api ? api->processor() : Processor::host;
}

int device_count(DeviceKind kind) {
  if (kind == DeviceKind::cpu) return 1;
  if (kind == DeviceKind::gpu) return gpu_count.load(std::memory_order_acquire);
  // Memory of the host is pinned for GPUs.
  if (kind == DeviceKind::cpu_pinned) return gpu_count.load(std::memory_order_acquire) > 0 ? 1 : 0;
  return kSharesMemory && kind == DeviceKind::cpu_shared && shared_memory_available() ? 1 : 0;
}

void set_gpus(DeviceApi* api, int count) {
  if (api) gpu_api.store(api, std::memory_order_release);
  gpu_count.store(api ? count : 0, std::memory_order_release);
}

}  // namespace mixgrad
