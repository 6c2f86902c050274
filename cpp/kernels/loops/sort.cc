#include "kernels/loops/sort.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"

namespace mixgrad {
namespace {

constexpr int64_t kSortTile = 256;
constexpr int64_t kRadixLength = 512;       // below, comparisons are faster than counting
constexpr int64_t kSharedLength = 1 << 16;  // rows from here on are sorted by the whole team, one by one
constexpr int64_t kSelectTile = 64;
constexpr int64_t kSortedSelection = 32;
constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;

// Keys are unsigned integers in the order of the elements; an entry is a key with its place, and entries in order
// of (key, place) are stable.
struct Narrow {  // keys of 32 bits: one word, place below
  using Key = uint32_t;
  using Entry = uint64_t;
  static Entry make(Key key, int64_t place) {
    return static_cast<Entry>(key) << 32 | static_cast<uint32_t>(place);
  }
  static Key key(Entry e) { return static_cast<Key>(e >> 32); }
  static int32_t place(Entry e) { return static_cast<int32_t>(static_cast<uint32_t>(e)); }
};

struct WideEntry {
  uint64_t key;
  uint32_t place;
  bool operator<(const WideEntry& o) const { return key != o.key ? key < o.key : place < o.place; }
};
struct Wide {
  using Key = uint64_t;
  using Entry = WideEntry;
  static Entry make(Key key, int64_t place) { return {key, static_cast<uint32_t>(place)}; }
  static Key key(const Entry& e) { return e.key; }
  static int32_t place(const Entry& e) { return static_cast<int32_t>(e.place); }
};

// Floats order like sign-magnitude integers: negative ones are inverted, the others get the top bit.
template <class Key, class Float>
inline Key float_key(Float x) {
  constexpr Key top = Key{1} << (sizeof(Key) * 8 - 1);
  x = x == 0 ? Float(0) : x;
  Key bits;
  std::memcpy(&bits, &x, sizeof bits);
  const Key key = bits & top ? ~bits : bits | top;
  return x != x ? ~Key{0} : key;
}

// Keys of n elements, of which the smallest is returned. `flip` is all ones for descending order, else 0.
template <class Key, class Float>
MIXGRAD_INLINE Key float_keys_body(const Float* x, int64_t n, Key flip, Key* keys) {
  Key least = ~Key{0};
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) {
    const Key key = float_key<Key>(x[i]) ^ flip;
    keys[i] = key;
    least = key < least ? key : least;
  }
  return least;
}

template <class Key, class Float>
MIXGRAD_TARGET_BASELINE Key float_keys_baseline(const Float* x, int64_t n, Key flip, Key* keys) {
  return float_keys_body(x, n, flip, keys);
}
#if MIXGRAD_X86
template <class Key, class Float>
MIXGRAD_TARGET_AVX2 Key float_keys_avx2(const Float* x, int64_t n, Key flip, Key* keys) {
  return float_keys_body(x, n, flip, keys);
}
template <class Key, class Float>
MIXGRAD_TARGET_AVX512 Key float_keys_avx512(const Float* x, int64_t n, Key flip, Key* keys) {
  return float_keys_body(x, n, flip, keys);
}
#endif

template <class Key, class Float>
Key float_keys(const Float* x, int64_t n, Key flip, Key* keys) {
#if MIXGRAD_X86
  if (loop_isa<Float>() == Isa::avx512) return float_keys_avx512(x, n, flip, keys);
  if (loop_isa<Float>() == Isa::avx2) return float_keys_avx2(x, n, flip, keys);
#endif
  return float_keys_baseline(x, n, flip, keys);
}

template <class Key, class Int>
Key integer_keys(const Int* x, int64_t n, Key flip, Key* keys) {
  Key least = ~Key{0};
  for (int64_t i = 0; i < n; ++i) {
    keys[i] = (static_cast<Key>(x[i]) ^ Key{1} << (sizeof(Key) * 8 - 1)) ^ flip;
    least = std::min(least, keys[i]);
  }
  return least;
}

// At most one tile of elements of any dtype.
uint32_t make_keys(const char* data, DType dtype, int64_t n, bool ascending, uint32_t* keys) {
  const uint32_t flip = ascending ? 0 : ~0u;
  if (dtype == DType::int32) return integer_keys(reinterpret_cast<const int32_t*>(data), n, flip, keys);
  if (dtype == DType::float32) return float_keys(reinterpret_cast<const float*>(data), n, flip, keys);
  float tile[kSortTile];
  convert(data, dtype, tile, DType::float32, n);
  return float_keys(tile, n, flip, keys);
}

uint64_t make_keys(const char* data, DType dtype, int64_t n, bool ascending, uint64_t* keys) {
  const uint64_t flip = ascending ? 0 : ~uint64_t{0};
  if (dtype == DType::int64) return integer_keys(reinterpret_cast<const int64_t*>(data), n, flip, keys);
  return float_keys(reinterpret_cast<const double*>(data), n, flip, keys);
}

template <class Kind>
struct SortScratch {
  explicit SortScratch(int64_t n)
      : entries(new typename Kind::Entry[static_cast<size_t>(n)]),
        other(new typename Kind::Entry[static_cast<size_t>(n)]) {}
  std::unique_ptr<typename Kind::Entry[]> entries, other;
};

template <class Kind>
void make_entries(const char* data, DType dtype, int64_t begin, int64_t end, bool ascending,
                  typename Kind::Entry* entries) {
  typename Kind::Key keys[kSortTile];
  for (int64_t first = begin; first < end; first += kSortTile) {
    const int64_t count = std::min(kSortTile, end - first);
    make_keys(data + first * static_cast<int64_t>(size_of(dtype)), dtype, count, ascending, keys);
    for (int64_t i = 0; i < count; ++i) entries[first + i] = Kind::make(keys[i], first + i);
  }
}

// Least significant digit first, each pass divided into `parts` whose counts are kept apart, so that the passes stay
// stable however many threads run them. Leaves the result in `scratch.entries`.
template <class Kind>
void radix_sort(SortScratch<Kind>& scratch, int64_t n, int64_t parts) {
  using Key = typename Kind::Key;
  std::vector<int64_t> counts(static_cast<size_t>(parts * kDigits));
  const auto part_begin = [&](int64_t part) { return n * part / parts; };
  for (int shift = 0; shift < static_cast<int>(sizeof(Key)) * 8; shift += kDigitBits) {
    const typename Kind::Entry* from = scratch.entries.get();
    typename Kind::Entry* to = scratch.other.get();
    const auto digit = [&](int64_t i) {
      return static_cast<size_t>(Kind::key(from[i]) >> shift & (kDigits - 1));
    };
    parallel_for(parts, 1, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        int64_t* count = counts.data() + part * kDigits;
        std::fill_n(count, kDigits, 0);
        for (int64_t i = part_begin(part); i < part_begin(part + 1); ++i) ++count[digit(i)];
      }
    });
    int64_t total = 0, largest = 0;
    for (int d = 0; d < kDigits; ++d) {
      const int64_t before = total;
      for (int64_t part = 0; part < parts; ++part) {
        int64_t& count = counts[static_cast<size_t>(part * kDigits + d)];
        const int64_t here = count;
        count = total;
        total += here;
      }
      largest = std::max(largest, total - before);
    }
    if (largest == n) continue;  // one digit everywhere: nothing to move
    parallel_for(parts, 1, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        int64_t* place = counts.data() + part * kDigits;
        for (int64_t i = part_begin(part); i < part_begin(part + 1); ++i) to[place[digit(i)]++] = from[i];
      }
    });
    std::swap(scratch.entries, scratch.other);
  }
}

template <class Kind>
void write_places(const typename Kind::Entry* entries, int64_t n, int32_t* indices) {
  for (int64_t i = 0; i < n; ++i) indices[i] = Kind::place(entries[i]);
}

template <class Kind>
void sort_row(const SortRows& s, const char* row, DType dtype, int32_t* indices, SortScratch<Kind>& scratch) {
  make_entries<Kind>(row, dtype, 0, s.length, s.ascending, scratch.entries.get());
  if (s.length < kRadixLength) {
    std::sort(scratch.entries.get(), scratch.entries.get() + s.length);
  } else {
    radix_sort(scratch, s.length, 1);
  }
  write_places<Kind>(scratch.entries.get(), s.keep, indices);
}

template <class Kind>
void sort_row_together(const SortRows& s, const char* row, DType dtype, int32_t* indices) {
  SortScratch<Kind> scratch(s.length);
  constexpr int64_t grain = kSharedLength / 4;
  parallel_for(s.length, grain, [&](int64_t begin, int64_t end) {
    make_entries<Kind>(row, dtype, begin, end, s.ascending, scratch.entries.get());
  });
  radix_sort(scratch, s.length, std::min<int64_t>(num_threads(), s.length / grain));
  parallel_for(s.keep, grain, [&](int64_t begin, int64_t end) {
    write_places<Kind>(scratch.entries.get() + begin, end - begin, indices + begin);
  });
}

// The best of a row: a tile is looked at closely only when it holds a key below the worst one kept. A few candidates
// are kept sorted; many are collected up to twice their number and cut back, which costs less than sorting.
template <class Kind>
class Selection {
 public:
  using Key = typename Kind::Key;
  using Entry = typename Kind::Entry;
  explicit Selection(int64_t keep)
      : keep_(keep), sorted_(keep <= kSortedSelection), found_(new Entry[workspace()]) {}
  void run(const SortRows& s, const char* row, DType dtype, int32_t* indices) {
    const int64_t item = static_cast<int64_t>(size_of(dtype));
    count_ = cut_ = 0;
    Key keys[kSelectTile];
    for (int64_t first = 0; first < s.length; first += kSelectTile) {
      const int64_t count = std::min(kSelectTile, s.length - first);
      const Key least = make_keys(row + first * item, dtype, count, s.ascending, keys);
      if (full() && least >= limit_) continue;  // equal keys come later and lose
      for (int64_t i = 0; i < count; ++i) {
        if (full() && keys[i] >= limit_) continue;
        if (sorted_) {
          insert(Kind::make(keys[i], first + i));
        } else {
          collect(Kind::make(keys[i], first + i));
        }
      }
    }
    if (!sorted_) {
      cut_back();
      std::sort(found_.get(), found_.get() + keep_);
    }
    write_places<Kind>(found_.get(), keep_, indices);
  }

 private:
  size_t workspace() const { return static_cast<size_t>(2 * keep_); }
  bool full() const { return (sorted_ ? count_ : cut_) >= keep_; }
  void insert(Entry entry) {
    int64_t at = count_ < keep_ ? count_++ : keep_ - 1;
    for (; at > 0 && entry < found_[at - 1]; --at) found_[at] = found_[at - 1];
    found_[at] = entry;
    limit_ = Kind::key(found_[count_ - 1]);
  }
  void collect(Entry entry) {
    found_[count_++] = entry;
    if (count_ == 2 * keep_) cut_back();
  }
  // Leaves the best, with the worst of them last.
  void cut_back() {
    std::nth_element(found_.get(), found_.get() + keep_ - 1, found_.get() + count_);
    count_ = cut_ = keep_;
    limit_ = Kind::key(found_[keep_ - 1]);
  }

  int64_t keep_;
  bool sorted_;
  std::unique_ptr<Entry[]> found_;
  int64_t count_ = 0, cut_ = 0;  // candidates; how many there were after the last cut
  Key limit_ = 0;
};

template <class Kind>
void argsort_kind(const SortRows& s, const char* data, DType dtype, int32_t* indices) {
  const int64_t row_bytes = s.length * static_cast<int64_t>(size_of(dtype));
  const bool select = s.keep <= s.length / 8;
  if (!select && s.length >= kSharedLength) {
    for (int64_t r = 0; r < s.rows; ++r) {
      sort_row_together<Kind>(s, data + r * row_bytes, dtype, indices + r * s.keep);
    }
    return;
  }
  parallel_for(s.rows, loop_grain(4096, {s.length}), [&](int64_t begin, int64_t end) {
    if (select) {
      Selection<Kind> selection(s.keep);
      for (int64_t r = begin; r < end; ++r)
        selection.run(s, data + r * row_bytes, dtype, indices + r * s.keep);
    } else {
      SortScratch<Kind> scratch(s.length);
      for (int64_t r = begin; r < end; ++r)
        sort_row(s, data + r * row_bytes, dtype, indices + r * s.keep, scratch);
    }
  });
}

template <class T>
void take_sorted_items(const SortRows& s, const T* data, const int32_t* indices, T* values) {
  parallel_for(s.rows * s.keep, 16384, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end;) {
      const int64_t row = at / s.keep, stop = std::min(end, (row + 1) * s.keep);
      const T* from = data + row * s.length;
      for (; at < stop; ++at) values[at] = from[indices[at]];
    }
  });
}

}  // namespace

void argsort_rows(const SortRows& sort, const void* data, DType dtype, int32_t* indices) {
  if (sort.rows == 0 || sort.keep == 0) return;
  const auto* bytes = static_cast<const char*>(data);
  if (size_of(dtype) == 8) {
    argsort_kind<Wide>(sort, bytes, dtype, indices);
  } else {
    argsort_kind<Narrow>(sort, bytes, dtype, indices);
  }
}

void take_sorted(const SortRows& sort, const void* data, DType dtype, const int32_t* indices, void* values) {
  if (sort.rows == 0 || sort.keep == 0) return;
  const auto run = [&](auto item) {
    using T = decltype(item);
    take_sorted_items(sort, static_cast<const T*>(data), indices, static_cast<T*>(values));
  };
  switch (size_of(dtype)) {
    case 1: return run(uint8_t{});
    case 2: return run(uint16_t{});
    case 4: return run(uint32_t{});
    default: return run(uint64_t{});
  }
}

}  // namespace mixgrad
