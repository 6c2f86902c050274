#include "device/device.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace mixgrad {
namespace {

constexpr DeviceKind kDeviceKinds[] = {DeviceKind::cpu, DeviceKind::gpu, DeviceKind::cpu_pinned,
                                       DeviceKind::cpu_shared};
constexpr const char* kDeviceForms = "cpu, gpu, cpu_pinned or cpu_shared, with a number as in cpu(0)";

}  // namespace

std::string device_kind_name(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::cpu: return "cpu";
    case DeviceKind::gpu: return "gpu";
    case DeviceKind::cpu_pinned: return "cpu_pinned";
    case DeviceKind::cpu_shared: return "cpu_shared";
    case DeviceKind::worker: return "worker";
  }
  return text("device_kind_", static_cast<int>(kind));
}

std::string Device::name() const { return text(device_kind_name(kind), "(", id, ")"); }

Device Device::parse(std::string_view name) {
  const std::size_t open = name.find('(');
  const std::string_view word(name.data(), std::min(open, name.size()));
  std::int64_t id = 0;
  bool good = true;
  if (open != std::string_view::npos) {
    const std::string_view digits(name.data() + open + 1, name.size() - open - 1);
    good = digits.size() >= 2 && digits.size() <= 11 && digits.back() == ')';
    for (std::size_t i = 0; good && i + 1 < digits.size(); ++i) {
      good = digits[i] >= '0' && digits[i] <= '9';
      id = id * 10 + (digits[i] - '0');
    }
  }
  for (DeviceKind kind : kDeviceKinds) {
    if (good && id <= std::numeric_limits<std::int32_t>::max() && word == device_kind_name(kind)) {
      return {kind, static_cast<std::int32_t>(id)};
    }
  }
  fail(Status::invalid_argument, "[device] no device is called '", name, "'; expected ", kDeviceForms);
}

Device Device::from_numbers(std::int64_t kind, std::int64_t id) {
  for (DeviceKind known : kDeviceKinds) {
    if (kind != static_cast<std::int64_t>(known)) continue;
    if (id >= 0 && id <= std::numeric_limits<std::int32_t>::max())
      return {known, static_cast<std::int32_t>(id)};
    fail(Status::invalid_argument, "[device] device id ", id, " of ", device_kind_name(known),
         " is outside 0 to 2147483647");
  }
  fail(Status::invalid_argument, "[device] device kind ", kind,
       " is none of 1 (cpu), 2 (gpu), 3 (cpu_pinned), 5 (cpu_shared)");
}

}  // namespace mixgrad
