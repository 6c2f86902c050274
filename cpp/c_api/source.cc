#include "io/byte_source.h"

#include "c_api/sized.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;
using mixgrad::io::ByteSource;

namespace {

// The program's functions, which end with their last user.
class SourceCallbacks {
 public:
  explicit SourceCallbacks(const mg_source_callbacks& callbacks) : callbacks_(callbacks) {}
  ~SourceCallbacks() {
    if (owned_ && callbacks_.release) callbacks_.release(callbacks_.context);
  }
  SourceCallbacks(const SourceCallbacks&) = delete;
  SourceCallbacks& operator=(const SourceCallbacks&) = delete;

  void own() { owned_ = true; }
  api::string fetch(uint64_t offset, void* out, size_t bytes) const {
    if (callbacks_.read(callbacks_.context, offset, out, bytes) == MG_STATUS_OK) return "";
    const api::string reason = api::last_error();
    return reason.empty() ? "the program's function failed" : reason;
  }

 private:
  const mg_source_callbacks callbacks_;
  bool owned_ = false;
};

ByteSource* unwrap_source(mg_source* source, const char* function) {
  api::require(source, function, "source");
  return reinterpret_cast<ByteSource*>(source);
}

}  // namespace

extern "C" {

mg_status mg_source_open(const char* path, const char* who, mg_source** out) {
  return api::guard([&] {
    api::require(who, "mg_source_open", "who");
    api::require(path, who, "path");
    api::require(out, who, "out");
    *out = reinterpret_cast<mg_source*>(mixgrad::io::open_source(path, who).detach());
  });
}

mg_status mg_source_create(const mg_source_callbacks* callbacks, const char* who, mg_source** out) {
  return api::guard([&] {
    api::require(who, "mg_source_create", "who");
    const mg_source_callbacks given =
        api::read_struct(callbacks, "mg_source_callbacks", &mg_source_callbacks::bytes, "mg_source_create");
    api::require(reinterpret_cast<const void*>(given.read), who, "read");
    api::require(given.name, who, "name");
    api::require(out, who, "out");
    const auto shared = std::make_shared<SourceCallbacks>(given);
    auto source = mixgrad::io::program_source(
        [shared](uint64_t offset, void* to, size_t bytes) { return shared->fetch(offset, to, bytes); },
        given.bytes, given.name, who);
    shared->own();
    *out = reinterpret_cast<mg_source*>(source.detach());
  });
}

void mg_source_destroy(mg_source* source) {
  if (source) reinterpret_cast<ByteSource*>(source)->release();
}

uint64_t mg_source_get_bytes(const mg_source* source) {
  return source ? reinterpret_cast<const ByteSource*>(source)->bytes() : 0;
}

const char* mg_source_get_name(const mg_source* source) {
  return source ? reinterpret_cast<const ByteSource*>(source)->name().c_str() : nullptr;
}

mg_status mg_source_read(mg_source* source, uint64_t offset, void* out, size_t bytes) {
  return api::guard([&] {
    ByteSource* const from = unwrap_source(source, "mg_source_read");
    if (bytes > 0) api::require(out, "mg_source_read", "out");
    from->read(offset, out, bytes);
  });
}

}  // extern "C"
