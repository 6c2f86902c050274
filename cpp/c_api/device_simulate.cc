#include "c_api/handle.h"
#include "device/simulated.h"

namespace api = mixgrad::c_api;

extern "C" {

mg_status mg_device_simulate(int32_t cards, uint64_t bytes, uint64_t seed) {
  return api::guard([&] {
    mixgrad::SimulatedCards simulated;
    simulated.count = cards;
    simulated.memory = static_cast<size_t>(bytes);
    simulated.seed = seed;
    mixgrad::simulate_cards(simulated);
  });
}

}  // extern "C"
