#include "base/nearest.h"

#include <algorithm>

#include "base/build.h"

namespace mixgrad {
namespace {

size_t name_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_names(const std::string& name, const Strings& known) {
  constexpr size_t kLongName = 200;  // of hostile input: not worth comparing
  if constexpr (!kTexts) return "";
  if (known.empty()) return "; there is none";
  if (name.size() > kLongName) return "";
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string& candidate : known) {
    // As many edits as one is longer.
    const size_t most = 2 + name.size() / 3, longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) > most) continue;
    const size_t d = name_distance(name, candidate);
    if (d <= most) near.emplace_back(d, candidate);
  }
  std::string hint;
  for (int shown = 0; shown < 3 && !near.empty(); ++shown) {
    const std::pair<size_t, std::string> best = *std::min_element(near.begin(), near.end());
    hint += (shown ? ", " : "; nearest: ") + best.second;
    near.erase(std::remove(near.begin(), near.end(), best), near.end());
  }
  return hint;
}

}  // namespace mixgrad
