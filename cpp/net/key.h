// Keys by which processes prove who they are: Curve25519, as CURVE of ZeroMQ uses them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace mixgrad::net {

constexpr size_t kKeyBytes = 32;
constexpr size_t kKeyCharacters = 40;  // as text (Z85)

// All zero: none.
struct PublicKey {
  std::array<uint8_t, kKeyBytes> bytes{};

  bool empty() const { return *this == PublicKey(); }
  std::string str() const;  // kKeyCharacters printable characters
  bool operator==(const PublicKey& other) const { return bytes == other.bytes; }
  bool operator!=(const PublicKey& other) const { return bytes != other.bytes; }
  bool operator<(const PublicKey& other) const { return bytes < other.bytes; }
};

// Wiped when it goes. Its text is made by who writes it to a file, and for nothing else.
struct SecretKey {
  std::array<uint8_t, kKeyBytes> bytes{};

  SecretKey() = default;
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;
  ~SecretKey();
  bool empty() const;
  std::string revealed() const;
};

struct KeyPair {
  PublicKey public_key;
  SecretKey secret_key;
  bool empty() const { return secret_key.empty(); }
};

// Throw Status::invalid_argument, beginning with [who] and without the text, for what is no key.
PublicKey parse_public_key(std::string_view text, const char* who);
SecretKey parse_secret_key(std::string_view text, const char* who);

}  // namespace mixgrad::net
