// Numbers for names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mixgrad {

// Names are 0, 1, 2, ... in the order in which they were added. Threads: as a container's.
class NameTable {
 public:
  static constexpr uint32_t kMissing = ~uint32_t{0};

  size_t size() const { return names_.size(); }
  const std::string& operator[](size_t number) const { return names_[number]; }
  // kMissing when it was not added.
  uint32_t find(std::string_view name) const;
  // Its number; a name that is there already keeps the one it has.
  uint32_t add(std::string_view name);

 private:
  size_t spot_of(std::string_view name) const;

  std::vector<std::string> names_;
  std::vector<uint32_t> spots_;  // open addressing, a power of two, at most half of them in use
};

}  // namespace mixgrad
