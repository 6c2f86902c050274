// Who may connect: the keys of a cluster's nodes, as files.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "net/address.h"
#include "net/key.h"

namespace mixgrad::kvstore {

// The keys of a cluster: this process's pair, and the public ones of all nodes. Empty where no keys are used.
struct KeyRing {
  net::KeyPair own;
  std::map<net::NodeName, net::PublicKey> known;

  bool empty() const { return own.empty(); }
  // Throws Status::not_found for a node without one, where keys are used.
  net::PublicKey of(const net::NodeName& name) const;
};
// From a folder as `mixgrad keys` writes it: `public.txt`, a line "NAME KEY" for every node, and `NAME.secret` of this one with
// colons as dashes. Throws Status::not_found, Status::format, and Status::invalid_argument for a secret that others may read.
KeyRing read_keys(const std::string& folder, const net::NodeName& self);
// Writes such a folder for so many nodes, secrets readable by the owner alone. Throws Status::io where files are there already.
void write_keys(const std::string& folder, uint32_t workers, uint32_t servers);

}  // namespace mixgrad::kvstore
