#include "net/address.h"

#include "base/error.h"

namespace mixgrad::net {
namespace {

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Characters of host names, IPv4 and IPv6 addresses and names of interfaces; nothing that means something else in an endpoint.
bool is_host(std::string_view host) {
  if (host.empty() || host.size() > 253) return false;
  if (host == "*") return true;
  for (const char c : host) {
    if (!is_alphanumeric(c) && std::string_view("-_.:%").find(c) == std::string_view::npos) return false;
  }
  return true;
}

bool parse_port(std::string_view text, uint16_t* port) {
  if (text.empty() || text.size() > 5) return false;
  uint32_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<uint32_t>(c - '0');
  }
  *port = static_cast<uint16_t>(number);
  return number <= 65535;
}

}  // namespace

bool is_node_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxNameBytes) return false;
  for (const char c : name) {
    if (!is_alphanumeric(c) && std::string_view("-_.:/").find(c) == std::string_view::npos) return false;
  }
  return true;
}

void check_node_name(std::string_view name, const char* who) {
  if (is_node_name(name)) return;
  fail(Status::invalid_argument, '[', who, "] got '", name, "' as the name of a node; expected 1 to ",
       kMaxNameBytes, " letters, digits and -_.:/");
}

std::string Address::str() const {
  const bool brackets = host.find(':') != std::string::npos;
  return text(brackets ? "[" : "", host, brackets ? "]:" : ":", port);
}

bool Address::is_loopback() const {
  if (host == "::1" || host == "localhost") return true;
  // A name such as 127.example.org is no address.
  return host.compare(0, 4, "127.") == 0 && host.find_first_not_of("0123456789.") == std::string::npos;
}

bool Address::is_everywhere() const { return host == "*" || host == "0.0.0.0" || host == "::"; }

Address parse_address(std::string_view text, const char* who) {
  const size_t colon = text.rfind(':');
  Address address;
  bool good = colon != std::string_view::npos && parse_port(text.substr(colon + 1), &address.port);
  if (good) {
    std::string_view host = text.substr(0, colon);
    const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
    if (brackets) host = host.substr(1, host.size() - 2);
    good = is_host(host) && brackets == (host.find(':') != std::string_view::npos);
    address.host = std::string(host);
  }
  if (!good) {
    fail(Status::invalid_argument, '[', who, "] got '", text,
         "' as an address; expected a host and a port such as 10.0.0.7:9091 or [::1]:9091");
  }
  return address;
}

}  // namespace mixgrad::net
