#include "io/record_writer.h"

#include <cstdlib>
#include <new>

#include "c_api/sized.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;
using mixgrad::io::RecordWriter;

namespace {

class CallbackSink final : public mixgrad::io::RecordSink {
 public:
  CallbackSink(const mg_record_sink& sink, const char* who) : sink_(sink), who_(who) {}
  ~CallbackSink() override {
    if (owned_ && sink_.release) sink_.release(sink_.context);
  }
  void own() { owned_ = true; }
  void write(const void* data, uint64_t bytes) override {
    check(sink_.write(sink_.context, data, bytes), "cannot write records: ");
  }
  void commit() override {
    if (sink_.commit) check(sink_.commit(sink_.context), "cannot complete the file of records: ");
  }

 private:
  void check(mg_status status, const char* doing) const {
    if (status == MG_STATUS_OK) return;
    mixgrad::fail(Status::io, "[", who_, "] ", doing, api::last_error());
  }

  const mg_record_sink sink_;
  const api::string who_;
  bool owned_ = false;
};

RecordWriter* unwrap_writer(mg_record_writer* writer, const char* function) {
  api::require(writer, function, "writer");
  return reinterpret_cast<RecordWriter*>(writer);
}

mg_record_writer* wrap_writer(std::unique_ptr<mixgrad::io::RecordSink> sink, const char* who) {
  return reinterpret_cast<mg_record_writer*>(new RecordWriter(std::move(sink), who));
}

}  // namespace

extern "C" {

mg_status mg_record_writer_open(const char* path, const char* who, mg_record_writer** out) {
  return api::guard([&] {
    api::require(who, "mg_record_writer_open", "who");
    api::require(path, who, "path");
    api::require(out, who, "out");
    *out = wrap_writer(mixgrad::io::record_file(path, who), who);
  });
}

mg_status mg_record_writer_create(const mg_record_sink* sink, const char* who, mg_record_writer** out) {
  return api::guard([&] {
    api::require(who, "mg_record_writer_create", "who");
    const mg_record_sink given =
        api::read_struct(sink, "mg_record_sink", &mg_record_sink::write, "mg_record_writer_create");
    api::require(reinterpret_cast<const void*>(given.write), who, "write");
    api::require(out, who, "out");
    auto made = std::make_unique<CallbackSink>(given, who);
    CallbackSink* const callbacks = made.get();
    mg_record_writer* const writer = wrap_writer(std::move(made), who);
    callbacks->own();
    *out = writer;
  });
}

void mg_record_writer_destroy(mg_record_writer* writer) { delete reinterpret_cast<RecordWriter*>(writer); }

mg_status mg_record_writer_write(mg_record_writer* writer, const void* data, size_t bytes, uint64_t* offset) {
  return api::guard([&] {
    RecordWriter* const to = unwrap_writer(writer, "mg_record_writer_write");
    if (bytes > 0) api::require(data, "mg_record_writer_write", "data");
    const uint64_t begin = to->write({static_cast<const char*>(data), bytes});
    if (offset) *offset = begin;
  });
}

uint64_t mg_record_writer_tell(const mg_record_writer* writer) {
  return writer ? reinterpret_cast<const RecordWriter*>(writer)->tell() : 0;
}

mg_status mg_record_writer_flush(mg_record_writer* writer) {
  return api::guard([&] { unwrap_writer(writer, "mg_record_writer_flush")->flush(); });
}

mg_status mg_record_writer_commit(mg_record_writer* writer) {
  return api::guard([&] { unwrap_writer(writer, "mg_record_writer_commit")->commit(); });
}

mg_status mg_record_writer_keep_checksums(mg_record_writer* writer) {
  return api::guard([&] { unwrap_writer(writer, "mg_record_writer_keep_checksums")->keep_checksums(); });
}

mg_status mg_record_writer_get_checksums(const mg_record_writer* writer, void** data, size_t* bytes) {
  return api::guard([&] {
    api::require(writer, "mg_record_writer_get_checksums", "writer");
    api::require(data, "mg_record_writer_get_checksums", "data");
    api::require(bytes, "mg_record_writer_get_checksums", "bytes");
    const api::vector<char> content = reinterpret_cast<const RecordWriter*>(writer)->checksums().content();
    void* const copy = std::malloc(content.size());
    if (!copy) throw std::bad_alloc();
    std::memcpy(copy, content.data(), content.size());
    *data = copy;
    *bytes = content.size();
  });
}

}  // extern "C"
