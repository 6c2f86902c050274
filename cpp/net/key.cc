#include "net/key.h"

#include "base/error.h"

namespace mixgrad::net {
namespace {

using KeyArray = std::array<uint8_t, kKeyBytes>;

// Z85: five characters, digits of base 85, for four bytes, the highest first.
constexpr std::string_view kKeyDigits =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

std::string key_text(const KeyArray& bytes) {
  std::string text(kKeyCharacters, ' ');
  for (size_t i = 0; i < kKeyBytes / 4; ++i) {
    uint32_t word = 0;
    for (size_t j = 0; j < 4; ++j) word = word << 8 | bytes[i * 4 + j];
    for (size_t j = 5; j-- > 0; word /= 85) text[i * 5 + j] = kKeyDigits[word % 85];
  }
  return text;
}

bool parse_key(std::string_view text, KeyArray* bytes) {
  if (text.size() != kKeyCharacters) return false;
  for (size_t i = 0; i < kKeyBytes / 4; ++i) {
    uint64_t word = 0;
    for (size_t j = 0; j < 5; ++j) {
      const size_t digit = kKeyDigits.find(text[i * 5 + j]);
      if (digit == std::string_view::npos) return false;
      word = word * 85 + digit;
    }
    if (word > UINT32_MAX) return false;
    for (size_t j = 0; j < 4; ++j) (*bytes)[i * 4 + j] = static_cast<uint8_t>(word >> (24 - 8 * j));
  }
  return true;
}

[[noreturn]] void fail_key(std::string_view text, const char* kind, const char* who) {
  fail(Status::invalid_argument, '[', who, "] got ", text.size(), " characters that are no ", kind,
       " key; expected ", kKeyCharacters, " as `mixgrad keys` writes them");
}

}  // namespace

std::string PublicKey::str() const { return key_text(bytes); }

SecretKey::~SecretKey() {
  // Volatile: the compiler may not leave out what nobody reads.
  volatile uint8_t* const at = bytes.data();
  for (size_t i = 0; i < kKeyBytes; ++i) at[i] = 0;
}

bool SecretKey::empty() const { return bytes == KeyArray(); }
std::string SecretKey::revealed() const { return key_text(bytes); }

PublicKey parse_public_key(std::string_view text, const char* who) {
  PublicKey key;
  if (!parse_key(text, &key.bytes) || key.empty()) fail_key(text, "public", who);
  return key;
}

SecretKey parse_secret_key(std::string_view text, const char* who) {
  SecretKey key;
  if (!parse_key(text, &key.bytes) || key.empty()) fail_key(text, "secret", who);
  return key;
}

}  // namespace mixgrad::net
