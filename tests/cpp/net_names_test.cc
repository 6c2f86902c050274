// Names, addresses and keys of nodes.
#include <string>

#include "check.h"
#include "net/address.h"
#include "net/key.h"
#include "net/message.h"

using namespace mixgrad::net;

namespace {

TEST(net_names_of_nodes) {
  for (const char* name : {"scheduler", "server:0", "a.b-c_d/e", "0"}) CHECK(is_node_name(name));
  for (const char* name : {"", "a b", "a\n", "\xc3\xa4"}) CHECK(!is_node_name(name));
  CHECK(is_node_name(std::string(kMaxNameBytes, 'x')) && !is_node_name(std::string(kMaxNameBytes + 1, 'x')));
  CHECK_THROWS(check_node_name("a b", "test"), invalid_argument, "[test] got 'a b' as the name of a node");
}

TEST(net_addresses) {
  for (const char* text : {"10.0.0.7:9091", "[::1]:0", "ps0.example.org:65535", "*:1"})
    CHECK_EQ(parse_address(text, "test").str(), std::string(text));
  for (const char* text :
       {"", ":1", "a", "a:", "a:b", "a:65536", "a:-1", "::1:5", "[::1]", "a;b:1", "tcp://a:1", "[a]:1"})
    CHECK_THROWS(parse_address(text, "test"), invalid_argument, "as an address; expected a host and a port");
  for (const char* text : {"127.0.0.1:1", "127.8.8.8:1", "localhost:1", "[::1]:1"})
    CHECK(parse_address(text, "test").is_loopback());
  for (const char* text :
       {"10.0.0.1:1", "127.example.org:1", "0.0.0.0:1", "[::]:1", "localhost.example.org:1"})
    CHECK(!parse_address(text, "test").is_loopback());
  for (const char* text : {"0.0.0.0:1", "[::]:1", "*:1"}) CHECK(parse_address(text, "test").is_everywhere());
}

TEST(net_keys_as_text) {
  PublicKey key;
  for (size_t i = 0; i < kKeyBytes; ++i) key.bytes[i] = static_cast<uint8_t>(i * 37 + 200);
  CHECK_EQ(key.str().size(), kKeyCharacters);
  CHECK(parse_public_key(key.str(), "test") == key);
  // ZeroMQ's RFC 32: these eight bytes are HelloWorld.
  PublicKey known;
  const uint8_t bytes[] = {0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B};
  for (size_t i = 0; i < kKeyBytes; ++i) known.bytes[i] = bytes[i % 8];
  CHECK_EQ(known.str(), std::string("HelloWorldHelloWorldHelloWorldHelloWorld"));
  const std::string text = known.str();
  CHECK_THROWS(parse_public_key(text + "0", "test"), invalid_argument,
               "[test] got 41 characters that are no public key");
  CHECK_THROWS(parse_public_key(std::string(40, '#'), "test"), invalid_argument, "no public key");
  CHECK_THROWS(parse_public_key(std::string(40, '0'), "test"), invalid_argument, "no public key");
  CHECK_THROWS(parse_secret_key("~" + text.substr(1), "test"), invalid_argument, "no secret key");
  try {
    parse_secret_key(text.substr(1), "test");
  } catch (const mixgrad::Error& error) {
    CHECK(error.message().find("Hello") == std::string::npos);
    CHECK(error.message().find("elloW") == std::string::npos);
  }
}

TEST(net_messages_have_limits) {
  Message message;
  message.fields = std::string(kMaxFieldBytes, 'x');
  check_message(message, 0, "test");
  message.fields += 'x';
  CHECK_THROWS(check_message(message, 0, "test"), invalid_argument,
               "with 65537 bytes of fields; expected at most 65536");
  message.fields.clear();
  message.payload = Payload::of("abc");
  check_message(message, 3, "test");
  CHECK_THROWS(check_message(message, 2, "test"), invalid_argument,
               "a payload of 3 bytes; expected at most 2");
  message.payload.data = nullptr;
  CHECK_THROWS(check_message(message, 3, "test"), invalid_argument, "null pointer");
}

}  // namespace
