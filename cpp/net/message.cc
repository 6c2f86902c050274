#include "net/message.h"

#include <cstring>

#include "base/error.h"

namespace mixgrad::net {

Payload Payload::of(std::string text) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  return Payload(owner->data(), owner->size(), owner);
}

Payload Payload::copy_of(const void* bytes_at, size_t count) {
  if (count == 0) return Payload();
  // Words, whose alignment is that of every number.
  const std::shared_ptr<uint64_t[]> words(new uint64_t[(count + 7) / 8]);
  std::memcpy(words.get(), bytes_at, count);
  return Payload(words.get(), count, words);
}

void check_message(const Message& message, size_t max_payload_bytes, const char* who) {
  if (message.fields.size() > kMaxFieldBytes) {
    fail(Status::invalid_argument, '[', who, "] got a message of kind ", message.kind, " with ",
         message.fields.size(), " bytes of fields; expected at most ", kMaxFieldBytes);
  }
  if (message.payload.bytes > max_payload_bytes) {
    fail(Status::invalid_argument, '[', who, "] got a message of kind ", message.kind, " with a payload of ",
         message.payload.bytes, " bytes; expected at most ", max_payload_bytes);
  }
  if (message.payload.bytes > 0 && !message.payload.data) {
    fail(Status::invalid_argument, '[', who, "] got a message of kind ", message.kind, " whose payload of ",
         message.payload.bytes, " bytes is a null pointer");
  }
}

}  // namespace mixgrad::net
