// The single file's loops over ranges, against the standard library's.
#include "containers/algorithm.h"

#include <algorithm>
#include <string>
#include <vector>

#include "check.h"

namespace containers = mixgrad::containers;

namespace {

TEST(small_searches_end_where_the_standard_ones_do) {
  const std::vector<std::string> words = {"conv0", "relu0", "relu0", "fc"};
  const auto begin = words.begin(), end = words.end();
  for (const char* word : {"conv0", "relu0", "fc", "pool", ""}) {
    const auto is = [word](const std::string& w) { return w == word; };
    CHECK(containers::find(begin, end, word) == std::find(begin, end, word));
    CHECK(containers::find_if(begin, end, is) == std::find_if(begin, end, is));
    CHECK(containers::any_of(begin, end, is) == std::any_of(begin, end, is));
    CHECK(containers::none_of(begin, end, is) == std::none_of(begin, end, is));
  }
  CHECK(containers::find(begin, begin, "conv0") == begin);
  CHECK(containers::none_of(begin, begin, [](const std::string&) { return true; }));
}

TEST(small_fills_reach_as_far_as_the_standard_ones) {
  for (int n : {0, 1, 7, 64}) {
    std::vector<float> a(66, 1.0f), b = a;
    containers::fill(a.begin() + 1, a.begin() + 1 + n, 2.5f);
    std::fill(b.begin() + 1, b.begin() + 1 + n, 2.5f);
    CHECK(a == b);
    CHECK(containers::fill_n(a.begin(), n, 3) == a.begin() + n);
    std::fill_n(b.begin(), n, 3);
    CHECK(a == b);
  }
  std::vector<bool> bits(70, false);
  containers::fill_n(bits.begin() + 3, 65, true);
  CHECK(std::count(bits.begin(), bits.end(), true) == 65);
  std::vector<int> own = {5, 1, 2};
  containers::fill(own.begin(), own.end(), own[0]);
  CHECK((own == std::vector<int>{5, 5, 5}));
  CHECK(containers::fill_n(own.begin(), -1, 9) == own.begin());
}

}  // namespace
