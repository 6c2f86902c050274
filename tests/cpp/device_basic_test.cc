// Names and numbers of devices, and what the CPU does with raw memory.
#include <cstring>
#include <set>
#include <string>
#include <unordered_set>

#include "base/error.h"
#include "check.h"
#include "device/api.h"
#include "device/device.h"

using mixgrad::Device;
using mixgrad::DeviceKind;

TEST(device_names_round_trip) {
  for (Device device :
       {Device::cpu(), Device::cpu(7), Device::gpu(3), Device::cpu_pinned(), Device::cpu_shared(2)}) {
    CHECK(Device::parse(device.name()) == device);
    CHECK(Device::from_numbers(static_cast<int>(device.kind), device.id) == device);
  }
  CHECK_EQ(Device::cpu().name(), std::string("cpu(0)"));
  CHECK_EQ(Device::cpu(2147483647).name(), std::string("cpu(2147483647)"));
  CHECK(Device::parse("cpu(2147483647)") == Device::cpu(2147483647));
  CHECK(Device::parse("gpu") == Device::gpu(0));
}

TEST(device_names_that_are_none) {
  for (const char* name : {"", "cpux", "cpu(", "cpu()", "cpu(-1)", "cpu(1", "cpu(1)x", "cpu( 1)", "CPU",
                           "(0)", "tpu(0)", "cpu(2147483648)", "cpu(99999999999999999999)"}) {
    CHECK_THROWS(Device::parse(name), invalid_argument, "[device]");
  }
  CHECK_THROWS(Device::from_numbers(4, 0), invalid_argument, "kind 4");
  CHECK_THROWS(Device::from_numbers(1, -1), invalid_argument, "-1");
  CHECK_THROWS(Device::from_numbers(1, std::int64_t{1} << 31), invalid_argument, "2147483648");
}

TEST(device_equality_and_hash) {
  std::unordered_set<Device> hashed;
  std::set<Device> ordered;
  for (int id = 0; id < 100; ++id) {
    for (Device device : {Device::cpu(id), Device::gpu(id), Device::cpu_shared(id)}) {
      CHECK(hashed.insert(device).second);
      CHECK(ordered.insert(device).second);
      CHECK(!hashed.insert(device).second);
    }
  }
  CHECK(Device::cpu(0) != Device::cpu(1));
  CHECK(Device::cpu(0) != Device::gpu(0));
}

TEST(device_cpu_memory) {
  const Device cpu = Device::cpu(5);
  mixgrad::DeviceApi& api = mixgrad::device_api(cpu);
  for (std::size_t bytes : {std::size_t{4096}, std::size_t{3} << 20}) {
    for (std::size_t alignment : {std::size_t{0}, std::size_t{1} << 16, std::size_t{8} << 20}) {
      auto* a = static_cast<unsigned char*>(api.allocate(cpu, bytes, alignment));
      auto* b = static_cast<unsigned char*>(api.allocate(cpu, bytes, alignment));
      CHECK(a && b);
      if (alignment) CHECK_EQ(reinterpret_cast<std::uintptr_t>(a) % alignment, std::uintptr_t{0});
      if (api.fresh_is_zero()) CHECK(a[0] == 0 && a[bytes - 1] == 0);
      std::memset(a, 0xab, bytes);
      CHECK(b[bytes - 1] == 0);
      api.release(a, bytes);
      api.release(b, bytes);
    }
  }
  CHECK(api.allocate(cpu, std::size_t{1} << 60, 0) == nullptr);
  CHECK(api.allocate(cpu, SIZE_MAX - 4095, std::size_t{8} << 20) == nullptr);
  CHECK(api.stream(cpu, mixgrad::StreamKind::compute) == nullptr);
  CHECK_EQ(mixgrad::device_count(DeviceKind::cpu), 1);
}

TEST(device_that_is_absent_says_what_is_missing) {
  CHECK_EQ(mixgrad::device_count(DeviceKind::gpu), 0);
  CHECK_THROWS(mixgrad::device_api(Device::gpu(0)), unsupported, "libcuda.so.1");
  CHECK_THROWS(mixgrad::device_api(Device::gpu(0)), unsupported, "no CUDA support yet");
  CHECK_EQ(&mixgrad::device_api(Device::cpu_pinned()), &mixgrad::device_api(Device::cpu()));
  CHECK_THROWS(mixgrad::device_api(Device::cpu(-1)), invalid_argument, "cpu(-1)");
}
