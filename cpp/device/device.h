// Where memory lives and kernels run: a kind and a number, compared and copied like an integer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace mixgrad {

// The numbers are MXNet's: they stand in saved arrays and cross the C header.
enum class DeviceKind : std::int32_t {
  cpu = 1,
  gpu = 2,
  cpu_pinned = 3,  // host memory a GPU may read and write directly
  cpu_shared = 5,  // host memory that other processes can attach
  // Whatever another worker of a graph over several processes has; the id is its rank. In graphs alone: no array lies there, and
  // no number from outside means it.
  worker = 100,
};

// "cpu", "gpu", "cpu_pinned", "cpu_shared"; "device_kind_<n>" for a number that is none of these.
std::string device_kind_name(DeviceKind kind);

// Whose instructions a kernel is made of.
enum class Processor : std::uint8_t { host, cuda };
constexpr std::size_t kNumProcessors = 2;

// Any id >= 0 of cpu is a device of its own, with its own statistics, on the same host memory.
struct Device {
  DeviceKind kind = DeviceKind::cpu;
  std::int32_t id = 0;

  static Device cpu(std::int32_t id = 0) { return {DeviceKind::cpu, id}; }
  static Device gpu(std::int32_t id = 0) { return {DeviceKind::gpu, id}; }
  static Device cpu_pinned(std::int32_t id = 0) { return {DeviceKind::cpu_pinned, id}; }
  static Device cpu_shared(std::int32_t id = 0) { return {DeviceKind::cpu_shared, id}; }
  static Device worker(std::int32_t rank) { return {DeviceKind::worker, rank}; }
  // Reads "cpu", "cpu(0)", "gpu(3)"; throws Error(invalid_argument) for anything else.
  static Device parse(std::string_view name);
  // Checks numbers that came from a file or across the C header; throws Error(invalid_argument).
  static Device from_numbers(std::int64_t kind, std::int64_t id);

  // "cpu(0)"
  std::string name() const;
  // False of what another worker has.
  bool is_here() const { return kind != DeviceKind::worker; }
  // True where the host's own instructions can read the memory.
  bool is_host() const { return kind != DeviceKind::gpu; }
  // Both numbers in one word: equal exactly when the devices are.
  std::uint64_t key() const {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(kind)) << 32 |
           static_cast<std::uint32_t>(id);
  }
};

inline bool operator==(Device a, Device b) { return a.kind == b.kind && a.id == b.id; }
inline bool operator!=(Device a, Device b) { return !(a == b); }
inline bool operator<(Device a, Device b) { return a.key() < b.key(); }

}  // namespace mixgrad

template <>
struct std::hash<mixgrad::Device> {
  std::size_t operator()(mixgrad::Device device) const noexcept {
    const std::uint64_t mixed = device.key() * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }
};
