// Devices and the random numbers drawn on them.
#include "device/api.h"

#include "c_api/handle.h"
#include "exec/imperative/mode.h"

namespace api = mixgrad::c_api;

extern "C" {

int32_t mg_device_get_num_devices(int32_t kind) {
  return mixgrad::device_count(static_cast<mixgrad::DeviceKind>(kind));
}

mg_status mg_device_check(mg_device device) {
  return api::guard([&] { mixgrad::device_api(api::device_of(device)); });
}

mg_device mg_device_get_current(void) {
  const mixgrad::Device d = mixgrad::mode().device;
  return {static_cast<int32_t>(d.kind), d.id};
}

mg_status mg_device_set_current(mg_device device) {
  return api::guard([&] {
    const mixgrad::Device d = api::device_of(device);
    mixgrad::device_api(d);
    mixgrad::mode().device = d;
  });
}

mg_status mg_random_seed(uint64_t seed) {
  return api::guard([&] { mixgrad::seed_random(seed); });
}

mg_status mg_random_seed_device(uint64_t seed, mg_device device) {
  return api::guard([&] { mixgrad::seed_random(seed, api::device_of(device)); });
}

}  // extern "C"
