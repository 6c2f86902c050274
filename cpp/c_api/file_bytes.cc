// Files as bytes, for languages that read and write some themselves.
#include "base/file_opener.h"
#include "base/file_writer.h"
#include "c_api/handle.h"

namespace api = mixgrad::c_api;
using mixgrad::FileWriter;

namespace {

struct WriterHandle {
  WriterHandle(const char* path, const char* who) : file(path, who) {}
  FileWriter file;
  bool ended = false;  // committed, or not to be
};

WriterHandle& unwrap_file_writer(mg_file_writer* writer, const char* function) {
  api::require(writer, function, "writer");
  WriterHandle& handle = *reinterpret_cast<WriterHandle*>(writer);
  if (handle.ended)
    mixgrad::fail(mixgrad::Status::invalid_argument, "[", function,
                  "] the file was committed; expected an open one");
  return handle;
}

}  // namespace

extern "C" {

mg_status mg_file_open(const char* path, const char* who, int32_t* descriptor) {
  return api::guard([&] {
    api::require(who, "mg_file_open", "who");
    api::require(path, who, "path");
    api::require(descriptor, who, "descriptor");
    *descriptor = mixgrad::OpenedFile(path, who).release();
  });
}

mg_status mg_file_write(const char* path, const char* who, const void* data, size_t bytes) {
  return api::guard([&] {
    api::require(who, "mg_file_write", "who");
    api::require(path, who, "path");
    if (bytes > 0) api::require(data, who, "data");
    FileWriter file(path, who);
    file.write(data, bytes);
    file.commit();
  });
}

mg_status mg_file_writer_open(const char* path, const char* who, mg_file_writer** out) {
  return api::guard([&] {
    api::require(who, "mg_file_writer_open", "who");
    api::require(path, who, "path");
    api::require(out, who, "out");
    *out = reinterpret_cast<mg_file_writer*>(new WriterHandle(path, who));
  });
}

mg_status mg_file_writer_write(mg_file_writer* writer, const void* data, size_t bytes) {
  return api::guard([&] {
    WriterHandle& to = unwrap_file_writer(writer, "mg_file_writer_write");
    if (bytes > 0) api::require(data, "mg_file_writer_write", "data");
    to.file.write(data, bytes);
  });
}

mg_status mg_file_writer_commit(mg_file_writer* writer) {
  return api::guard([&] {
    WriterHandle& to = unwrap_file_writer(writer, "mg_file_writer_commit");
    to.ended = true;
    to.file.commit();
  });
}

void mg_file_writer_destroy(mg_file_writer* writer) { delete reinterpret_cast<WriterHandle*>(writer); }

mg_status mg_files_begin(void) {
  return api::guard([] { mixgrad::begin_files(); });
}

mg_status mg_files_commit(void) {
  return api::guard([] { mixgrad::commit_files(); });
}

mg_status mg_files_abandon(void) {
  return api::guard([] { mixgrad::abandon_files(); });
}

}  // extern "C"
