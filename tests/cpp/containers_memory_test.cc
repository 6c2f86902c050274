// Objects of the single file lie where their types ask, and go back to where they came from (under AddressSanitizer
// a wrong way is an error).
#include "containers/memory.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "check.h"

namespace containers = mixgrad::containers;

namespace {

struct alignas(64) Wide {
  Wide() = default;
  explicit Wide(int value) : value(value) {
    if (value < 0) throw std::runtime_error("no such value");
  }
  int value = 0;
};

TEST(small_objects_lie_at_their_types_alignment) {
  for (int i = 0; i < 20; ++i) {
    const std::unique_ptr<char[]> between(new (containers::kOrEnd) char[static_cast<size_t>(i) + 1]);
    const std::unique_ptr<Wide> wide = containers::make_unique<Wide>(i);
    CHECK(reinterpret_cast<uintptr_t>(wide.get()) % alignof(Wide) == 0 && wide->value == i);
    const std::unique_ptr<Wide[]> several(new (containers::kOrEnd) Wide[3]);
    CHECK(reinterpret_cast<uintptr_t>(several.get()) % alignof(Wide) == 0);
  }
}

TEST(small_objects_and_arrays_go_back_the_way_they_came) {
  const std::unique_ptr<std::string> one =
      containers::make_unique<std::string>("a text too long for its object itself");
  const std::unique_ptr<std::string[]> three(new (containers::kOrEnd) std::string[3]);
  three[2] = *one;
  CHECK(three[2] == *one && three[0].empty());
}

TEST(small_memory_goes_back_when_a_constructor_fails) {
  bool failed = false;
  try {
    containers::make_unique<Wide>(-1);
  } catch (const std::runtime_error&) {
    failed = true;
  }
  CHECK(failed);
}

}  // namespace
