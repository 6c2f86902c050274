// The single file's containers against the standard library's: random calls, the same outcome after each.
#include <array>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "containers/vector.h"

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

namespace {

using mixgrad::containers::vector;

// An element that owns memory, and counts how many live.
struct Owner {
  static int64_t alive;

  Owner() : Owner(7) {}
  Owner(int value) : value(std::make_unique<int>(value)) { ++alive; }
  Owner(const Owner& other) : value(std::make_unique<int>(*other.value)) { ++alive; }
  Owner(Owner&& other) noexcept : value(std::move(other.value)) { ++alive; }
  Owner& operator=(const Owner& other) {
    value = std::make_unique<int>(*other.value);
    return *this;
  }
  Owner& operator=(Owner&& other) noexcept = default;
  ~Owner() { --alive; }
  bool operator==(const Owner& other) const { return *value == *other.value; }
  bool operator<(const Owner& other) const { return *value < *other.value; }

  std::unique_ptr<int> value;
};
int64_t Owner::alive = 0;

// One that must not lie anywhere.
struct alignas(32) Aligned {
  Aligned(int value = 0) : value(value) {}
  bool operator==(const Aligned& other) const {
    return value == other.value && reinterpret_cast<uintptr_t>(this) % 32 == 0;
  }
  bool operator<(const Aligned& other) const { return value < other.value; }
  int value;
};

template <typename T>
T element(std::mt19937_64& rng) {
  return T(static_cast<int>(rng() % 100));
}
template <>
std::string element<std::string>(std::mt19937_64& rng) {
  return std::string(rng() % 40, static_cast<char>('a' + rng() % 26));
}
template <>
std::array<double, 4> element<std::array<double, 4>>(std::mt19937_64& rng) {
  return {1.0, static_cast<double>(rng() % 100), 2.0, 3.0};
}
template <>
vector<int> element<vector<int>>(std::mt19937_64& rng) {
  return vector<int>(rng() % 5, static_cast<int>(rng() % 100));
}

template <>
std::pair<int, vector<int>> element<std::pair<int, vector<int>>>(std::mt19937_64& rng) {
  return {static_cast<int>(rng() % 100), element<vector<int>>(rng)};
}

template <typename T>
void same(const vector<T>& made, const std::vector<T>& right) {
  CHECK(made.size() == right.size() && made.empty() == right.empty() && made.capacity() >= made.size());
  size_t i = 0;
  for (const T& value : made) CHECK(value == right[i++]);
  CHECK(i == right.size());
}

// One random call on both.
template <typename T>
void step(std::mt19937_64& rng, vector<T>& made, std::vector<T>& right) {
  const size_t n = right.size(), place = rng() % (n + 1), count = rng() % 9;
  const T value = element<T>(rng);
  std::vector<T> more;
  for (size_t i = 0; i < count; ++i) more.push_back(element<T>(rng));
  switch (rng() % 17) {
    case 0:
      if constexpr (alignof(T) <= alignof(std::max_align_t))
        made.push_back(value);  // by value: GCC notes its ABI
      else
        made.emplace_back(value);
      right.push_back(value);
      return;
    case 1: made.emplace_back(value), right.emplace_back(value); return;
    case 2:
      if (n > 0) made.pop_back(), right.pop_back();
      return;
    case 3: made.resize(count * 3), right.resize(count * 3); return;
    case 4: made.resize(count * 3, value), right.resize(count * 3, value); return;
    case 5: made.assign(count, value), right.assign(count, value); return;
    case 6: made.assign(more.begin(), more.end()), right.assign(more.begin(), more.end()); return;
    case 7: {
      const auto at = made.insert(made.begin() + place, value);
      CHECK(static_cast<size_t>(at - made.begin()) == place);
      right.insert(right.begin() + static_cast<std::ptrdiff_t>(place), value);
      return;
    }
    case 8:
      made.insert(made.begin() + place, count, value);
      right.insert(right.begin() + static_cast<std::ptrdiff_t>(place), count, value);
      return;
    case 9: {
      const auto at = made.insert(made.begin() + place, more.begin(), more.end());
      CHECK(static_cast<size_t>(at - made.begin()) == place);
      right.insert(right.begin() + static_cast<std::ptrdiff_t>(place), more.begin(), more.end());
      return;
    }
    case 10: {
      const size_t last = place + rng() % (n - place + 1);
      made.erase(made.begin() + place, made.begin() + last);
      right.erase(right.begin() + static_cast<std::ptrdiff_t>(place),
                  right.begin() + static_cast<std::ptrdiff_t>(last));
      return;
    }
    case 11: made.reserve(count * 4), right.reserve(count * 4); return;
    case 12: made.shrink_to_fit(), right.shrink_to_fit(); return;
    case 13: made.clear(), right.clear(); return;
    case 14: {  // copies and moves, of itself too
      vector<T> copy = made;
      same(copy, right);
      CHECK(copy == made && !(copy != made) && !(copy < made));
      copy.emplace_back(value);
      CHECK(copy != made && made < copy);
      made = copy;
      made = *&made;
      vector<T> moved = std::move(made);
      CHECK(made.empty() && made.begin() == made.end());
      made = std::move(moved);
      right.push_back(value);
      return;
    }
    case 15:  // elements of itself, while memory moves
      if (n > 0) {
        made.shrink_to_fit();
        made.insert(made.end(), 1, made[place % n]);
        made.shrink_to_fit();
        made.emplace_back(made.front());
        made.insert(made.begin(), made.back());
        right.push_back(right[place % n]);
        right.emplace_back(right.front());
        right.insert(right.begin(), right.back());
      }
      return;
    case 16: {
      vector<T> other(more.begin(), more.end());
      std::swap(made, other);
      made.swap(other);
      made.insert(made.begin() + place, {value, value});
      right.insert(right.begin() + static_cast<std::ptrdiff_t>(place), {value, value});
      return;
    }
  }
}

template <typename T>
void run(uint64_t seed) {
  std::mt19937_64 rng(seed);
  vector<T> made;
  std::vector<T> right;
  for (int i = 0; i < 2000; ++i) {
    step(rng, made, right);
    same(made, right);
  }
}

TEST(small_vector_does_what_the_standard_one_does) {
  run<int>(1);
  run<char>(2);
  run<bool>(3);
  run<double>(4);
  run<std::string>(5);
  run<vector<int>>(6);
  run<Owner>(7);
  run<Aligned>(8);
  run<std::array<double, 4>>(9);
  run<std::pair<int, vector<int>>>(10);
  CHECK(Owner::alive == 0);
}

#if defined(__unix__)
TEST(small_containers_end_the_process_where_there_is_no_memory) {
  for (const size_t size : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 16 + 1}) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], STDERR_FILENO);
      vector<double> made(3, 1.0);
      made.resize(size);
      _exit(0);
    }
    close(ends[1]);
    char said[200] = {};
    CHECK(read(ends[0], said, sizeof said - 1) > 0);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK(std::string_view(said) ==
          "mixgrad: the system has no memory for " + std::to_string(size) + " elements of 8 bytes\n");
  }
}
#endif

}  // namespace
