#include "base/names.h"

namespace mixgrad {

// Where its number is, or kMissing where it would be.
size_t NameTable::spot_of(std::string_view name) const {
  const size_t mask = spots_.size() - 1;
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  size_t at = static_cast<size_t>(hash ^ hash >> 32) & mask;
  while (spots_[at] != kMissing && names_[spots_[at]] != name) at = (at + 1) & mask;
  return at;
}

uint32_t NameTable::find(std::string_view name) const {
  return spots_.empty() ? kMissing : spots_[spot_of(name)];
}

uint32_t NameTable::add(std::string_view name) {
  if (2 * names_.size() >= spots_.size()) {
    spots_.assign(spots_.empty() ? 16 : 2 * spots_.size(), kMissing);
    for (uint32_t number = 0; number < names_.size(); ++number) spots_[spot_of(names_[number])] = number;
  }
  const size_t spot = spot_of(name);
  if (spots_[spot] == kMissing) {
    names_.emplace_back(name);
    spots_[spot] = static_cast<uint32_t>(names_.size() - 1);
  }
  return spots_[spot];
}

}  // namespace mixgrad
