// Files as bytes, for languages that read and write some themselves.
#include "base/file_opener.h"
#include "base/file_writer.h"
#include "c_api/handle.h"

namespace api = mixgrad::c_api;

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
    mixgrad::FileWriter file(path, who);
    file.write(data, bytes);
    file.commit();
  });
}

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
