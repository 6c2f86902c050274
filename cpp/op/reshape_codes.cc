#include "op/reshape_codes.h"

#include <vector>

#include "base/error.h"

namespace mixgrad {
namespace {

class ReshapeReader {
 public:
  ReshapeReader(const Shape& from, const Shape& codes, const char* who)
      : from_(from), codes_(codes), who_(who) {}

  std::vector<int64_t> run() {
    std::vector<int64_t> out;
    int inferred = -1;
    for (int c = 0; c < codes_.ndim(); ++c) {
      const int64_t code = codes_[c];
      if (code > 0) {
        out.push_back(code);
        ++at_;
      } else if (code == 0) {
        out.push_back(next());
      } else if (code == -1) {
        if (inferred >= 0) reject("more than one -1");
        inferred = static_cast<int>(out.size());
        out.push_back(1);
        ++at_;
      } else if (code == -2) {
        while (at_ < from_.ndim()) out.push_back(next());
      } else if (code == -3) {
        int64_t merged = next();
        if (__builtin_mul_overflow(merged, next(), &merged)) reject("the merged extent overflows");
        out.push_back(merged);
      } else if (code == -4) {
        if (c + 2 >= codes_.ndim()) reject("-4 needs two more codes");
        const int64_t whole = next();
        int64_t a = codes_[c + 1], b = codes_[c + 2];
        c += 2;
        if (a == -1 && b == -1) reject("-4 with two -1");
        if (a == -1) a = b > 0 ? whole / b : 0;
        if (b == -1) b = a > 0 ? whole / a : 0;
        int64_t product = 0;
        if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) || product != whole)
          reject("-4 does not split the extent");
        out.push_back(a);
        out.push_back(b);
      } else {
        reject("codes are -4 to -1, 0 or an extent");
      }
    }
    if (inferred >= 0) {
      int64_t others = 1;
      for (int64_t extent : out) {
        if (__builtin_mul_overflow(others, extent, &others)) reject("the extents overflow");
      }
      if (others == 0) reject("-1 beside an extent of 0");
      if (from_.size() % others != 0) reject("the sizes do not divide");
      out[static_cast<size_t>(inferred)] = from_.size() / others;
    }
    return out;
  }

 private:
  int64_t next() {
    if (at_ >= from_.ndim()) reject("more codes than axes");
    return from_[at_++];
  }
  [[noreturn]] void reject(const char* why) const {
    std::string codes = "(";
    for (int i = 0; i < codes_.ndim(); ++i) codes += (i ? ", " : "") + text(codes_[i]);
    fail(Status::shape, "[", who_, "] shape ", from_, " cannot be reshaped by ", codes, "): ", why);
  }

  const Shape& from_;
  const Shape& codes_;
  const char* who_;
  int at_ = 0;
};

Shape reversed_shape(const Shape& shape) {
  Shape out;
  for (int i = shape.ndim() - 1; i >= 0; --i) out.push_back(shape[i]);
  return out;
}

}  // namespace

Shape resolve_reshape(const Shape& from, const Shape& codes, bool reverse, const char* who) {
  Shape source = from, wanted = codes;
  if (reverse) {
    source = reversed_shape(from);
    wanted = reversed_shape(codes);
    // A split reads "-4, a, b"; mirrored it arrives as "b, a, -4" and is put back in order.
    for (int i = 0; i + 2 < wanted.ndim(); ++i) {
      if (wanted[i + 2] == -4) {
        wanted[i + 2] = wanted[i + 1];
        wanted[i + 1] = wanted[i];
        wanted[i] = -4;
        i += 2;
      }
    }
  }
  const std::vector<int64_t> extents = ReshapeReader(source, wanted, who).run();
  Shape out(extents.data(), static_cast<int>(extents.size()));
  if (reverse) out = reversed_shape(out);
  check_extents(out, 1, who);
  if (out.size() != from.size()) {
    fail(Status::shape, "[", who, "] an array of shape ", from, " has ", from.size(), " elements; shape ",
         out, " holds ", out.size());
  }
  return out;
}

}  // namespace mixgrad
