// The single file's hash tables against the standard library's: random calls, the same outcome after each.
#include "containers/hash.h"

#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "check.h"
#include "containers/string.h"

namespace {

using mixgrad::containers::unordered_map;
using mixgrad::containers::unordered_set;

// Keys of one hash in four, so that chains have several.
struct Poor {
  size_t operator()(int key) const { return static_cast<size_t>(key % 4); }
};

template <class Made, class Right>
void same(const Made& made, const Right& right) {
  CHECK(made.size() == right.size() && made.empty() == right.empty());
  size_t seen = 0;
  for (const auto& [key, value] : made) {
    const auto found = right.find(key);
    CHECK(found != right.end() && found->second == value);
    ++seen;
  }
  CHECK(seen == right.size());
}

template <class Hash>
void run(uint64_t seed) {
  std::mt19937_64 rng(seed);
  unordered_map<int, std::string, Hash> made;
  std::unordered_map<int, std::string, Hash> right;
  for (int i = 0; i < 3000; ++i) {
    const int key = static_cast<int>(rng() % 60);
    const std::string value(rng() % 30, 'v');
    switch (rng() % 9) {
      case 0: {
        const auto put = made.emplace(key, value);
        CHECK(put.second == right.emplace(key, value).second && put.first->first == key);
        break;
      }
      case 1: CHECK(made.insert({key, value}).second == right.insert({key, value}).second); break;
      case 2: made[key] = value, right[key] = value; break;
      case 3: made[key] += 'x', right[key] += 'x'; break;
      case 4: CHECK(made.erase(key) == right.erase(key)); break;
      case 5: {
        const auto at = made.find(key);
        if (at == made.end()) break;
        const std::string* neighbour = nullptr;
        if (const auto other = made.find(key + 1); other != made.end()) neighbour = &other->second;
        made.erase(at);
        right.erase(key);
        CHECK(!neighbour || neighbour == &made.at(key + 1));  // elements stay where they are
        break;
      }
      case 6:
        if (rng() % 50 == 0) made.clear(), right.clear();
        made.reserve(rng() % 100);
        break;
      case 7: {  // copies and moves
        unordered_map<int, std::string, Hash> copy = made;
        same(copy, right);
        copy[key] = "changed";
        made = *&made;
        copy = made;
        made = std::move(copy);
        CHECK(copy.empty() && copy.begin() == copy.end());
        break;
      }
      case 8: {
        CHECK(made.count(key) == right.count(key));
        bool missing = false;
        try {
          CHECK(made.at(key) == right.at(key));
        } catch (const std::out_of_range&) {
          missing = true;
        }
        CHECK(missing == (right.count(key) == 0));
      }
    }
    same(made, right);
  }
  while (!made.empty()) made.erase(made.begin());
  CHECK(made.begin() == made.end());
}

TEST(small_hash_tables_do_what_the_standard_ones_do) {
  run<std::hash<int>>(1);
  run<Poor>(2);
}

TEST(small_hash_tables_hold_texts_and_sets) {
  unordered_set<mixgrad::containers::string> made;
  std::unordered_set<std::string> right;
  std::mt19937_64 rng(3);
  for (int i = 0; i < 500; ++i) {
    const std::string text = "key " + std::to_string(rng() % 100);
    const mixgrad::containers::string key{std::string_view(text)};
    CHECK(made.insert(key).second == right.insert(text).second && made.count(key) == 1);
  }
  CHECK(made.size() == right.size());
  for (const auto& key : made) CHECK(right.count(std::string(key.begin(), key.end())) == 1);
}

}  // namespace
