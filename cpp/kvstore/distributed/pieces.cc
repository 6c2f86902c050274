#include "kvstore/distributed/pieces.h"

#include <algorithm>
#include <set>

#include "base/dtype.h"
#include "base/error.h"
#include "kvstore/protocol/placement.h"
#include "kvstore/protocol/view.h"

namespace mixgrad::kvstore {
namespace {

constexpr uint64_t kMostElements = uint64_t{1} << 40;
constexpr int kMostTries = 1024;

uint64_t hash_of(const Key& key) {
  // FNV-1a over the bytes of the name, then scrambled; numbers and texts are told apart.
  uint64_t hash = key.is_text() ? 0xcbf29ce484222325u : 0x84222325cbf29ce4u;
  const std::string text = key.str();
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
  return protocol::mixed(hash);
}

}  // namespace

Shape PieceAbout::shape() const {
  const Shape whole = whole_shape();
  if (first == 0 && static_cast<uint64_t>(whole.size()) == count) return whole;
  return Shape({static_cast<int64_t>(count)});
}

bool PieceAbout::is_sound() const {
  if (extents.size() > static_cast<size_t>(kMaxDims) || !is_dtype(static_cast<int8_t>(dtype))) return false;
  if (storage > static_cast<uint8_t>(Storage::row_sparse) || (is_rows() && extents.empty())) return false;
  // Without extents of 0, so that no product of others overflows beside one.
  uint64_t product = 1;
  bool is_empty = false;
  for (const int64_t extent : extents) {
    if (extent < 0) return false;
    is_empty |= extent == 0;
    if (extent > 0 && static_cast<uint64_t>(extent) > kMostElements / product) return false;
    if (extent > 0) product *= static_cast<uint64_t>(extent);
  }
  const uint64_t elements = is_empty ? 0 : product;
  if (first > elements || count > elements - first) return false;
  return !is_rows() || count == elements;
}

std::string PieceAbout::str() const {
  const char* const kind = is_rows() ? "row_sparse " : "";
  return text("key ", key(), ": ", kind, name_of(static_cast<DType>(dtype)), " of shape ", whole_shape(),
              ", elements ", first, " to ", first + count);
}

std::vector<Piece> pieces_of(const Key& key, uint64_t elements, bool is_rows, const Cut& cut) {
  const uint64_t name = hash_of(key);
  const bool is_cut = !is_rows && cut.servers > 1 && elements >= cut.bound && elements >= cut.servers;
  const uint64_t parts = is_cut ? cut.servers : 1;
  std::set<uint32_t> servers;
  for (uint32_t i = 0; i < cut.servers; ++i) servers.insert(i);
  std::vector<Piece> pieces;
  for (uint64_t part = 0; part < parts; ++part) {
    Piece piece;
    piece.first = elements / parts * part + std::min(part, elements % parts);
    piece.count = elements / parts + (part < elements % parts ? 1 : 0);
    // The first number whose slot begins on the server that this part is for.
    const auto wanted = static_cast<uint32_t>((name + part) % cut.servers);
    for (uint64_t salt = 0; salt < kMostTries; ++salt) {
      piece.id = protocol::mixed(name ^ protocol::mixed(part << 32 | salt));
      if (piece.id == 0) continue;
      const auto slot = static_cast<uint32_t>(protocol::mixed(piece.id) % cut.slots);
      if (protocol::heaviest(slot, servers, 1)[0] == wanted) break;
    }
    pieces.push_back(piece);
  }
  return pieces;
}

PieceAbout about_of(const Key& key, const Array& value, const Piece& piece) {
  PieceAbout about;
  const Value name = key.value();
  about.is_text = key.is_text();
  if (about.is_text) {
    about.name = name.string;
  } else {
    about.number = name.integer;
  }
  for (int i = 0; i < value.shape().ndim(); ++i) about.extents.push_back(value.shape()[i]);
  about.dtype = static_cast<uint8_t>(value.dtype());
  about.storage = static_cast<uint8_t>(storage_of(value));
  about.first = piece.first;
  about.count = piece.count;
  return about;
}

}  // namespace mixgrad::kvstore
