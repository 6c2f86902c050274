// What every kind of device can do with raw memory. Pools, arrays and copies are built on it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device.h"
#include "device/stream.h"

namespace mixgrad {

// What a device's two streams are for: kernels, and copies beside them.
enum class StreamKind : std::uint8_t { compute, copy };

// One object per device kind, alive until the process ends. All functions may be called from any thread.
class DeviceApi {
 public:
  virtual ~DeviceApi() = default;

  // Whole pages from the system. Null when the system refuses; never throws for lack of memory.
  // alignment: a power of two; 0 means the device's natural one (a page on a CPU).
  virtual void* allocate(Device device, std::size_t bytes, std::size_t alignment) = 0;
  // bytes: as given to allocate. No stream uses them any more.
  virtual void release(void* data, std::size_t bytes) noexcept = 0;
  // Where the device's work goes, made at first use. Null for devices whose memory the host's own instructions use: their work
  // is done by the thread that calls.
  virtual Stream* stream(Device device, StreamKind kind) = 0;
  // Whose instructions the kernels of its streams are made of: simulated cards run those of the host.
  virtual Processor processor() const { return Processor::host; }

  // What is worth knowing before asking: bytes the device has, in all (0 when it cannot be told).
  virtual std::size_t total_memory(Device device) const = 0;
  // True when allocate returns bytes that are all zero.
  virtual bool fresh_is_zero() const = 0;
  // False where idle memory must not be kept for reuse (memory that other processes can see).
  virtual bool poolable() const = 0;
};

// The functions of `device`. Throws Error(unsupported) for a kind this build or machine lacks, naming what is
// missing, and Error(invalid_argument) for a negative id.
DeviceApi& device_api(Device device);
// That of the device's kernels; of a device that is not there the host's.
Processor processor_of(Device device);
// Throws what device_api would.
void expect_device(Device device);

// How many devices of a kind can be used: 1 for the host's kinds that are present, the cards for gpu.
int device_count(DeviceKind kind);

// gpu(0) to gpu(count - 1) are served by `api` from now on.
void set_gpus(DeviceApi* api, int count);

}  // namespace mixgrad
