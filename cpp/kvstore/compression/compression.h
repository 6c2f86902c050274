// How gradients are compressed on their way to a store: the settings.
#pragma once

#include <cstdint>
#include <string>

#include "kvstore/protocol/value.h"
#include "op/tensor.h"

namespace mixgrad::kvstore {

// What is lost is kept where it was lost and added to the next gradient (error feedback).
struct Compression {
  protocol::Encoding encoding = protocol::Encoding::dense;  // dense: gradients go whole
  // two_bit: what an element of at least so much sends. one_bit: what each element sends, with its sign; 0: the mean of their
  // absolute values, which is found anew for each gradient.
  float threshold = 0;
  double ratio = 0;  // top_k: of the elements, those that are sent

  bool is_on() const { return encoding != protocol::Encoding::dense; }
  // top_k: how many of so many elements are sent.
  uint64_t count_of(uint64_t elements) const;
  // As users write it: "2bit, threshold 0.5".
  std::string str() const;
  // Whether a payload of this format comes from these settings.
  bool makes(const protocol::Format& format) const;

  bool operator==(const Compression& other) const {
    return encoding == other.encoding && threshold == other.threshold && ratio == other.ratio;
  }

  // "type": "none", "2bit", "1bit", "fp16", "bf16" or "topk"; "threshold" and "ratio" for the types that have them. Throws
  // Status::invalid_argument, beginning with [who], for others and for values out of range.
  static Compression of(Span<const NamedValue> params, const char* who);
  // For messages.
  std::string bytes() const;
  // False for what bytes() did not write.
  bool read(const void* data, size_t bytes);
};

// The same words for what a payload says of itself.
std::string compression_name(const protocol::Format& format);

}  // namespace mixgrad::kvstore
