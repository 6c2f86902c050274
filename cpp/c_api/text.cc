#include "c_api/handle.h"
#include "io/table.h"

namespace api = mixgrad::c_api;

namespace {

mixgrad::io::Text borrow_text(const char* text, size_t bytes, const char* name, const char* function) {
  if (bytes > 0) api::require(text, function, "text");
  api::require(name, function, "name");
  return {text ? text : "", bytes, name};
}

mg_status parse_libsvm(const char* text, size_t bytes, const char* name, int64_t columns, mg_array** data,
                       mg_array** labels, const char* function, decltype(&mixgrad::io::parse_libsvm) parse) {
  return api::guard([&] {
    api::require(data, function, "data");
    api::require(labels, function, "labels");
    mixgrad::io::LabelledRows rows = parse(borrow_text(text, bytes, name, function), columns);
    *data = api::give(std::move(rows.data));
    *labels = api::give(std::move(rows.labels));
  });
}

}  // namespace

extern "C" {

mg_status mg_csv_parse(const char* text, size_t bytes, const char* name, int64_t columns, int32_t dtype,
                       mg_array** out) {
  return api::guard([&] {
    api::require(out, "mg_csv_parse", "out");
    *out = api::give(mixgrad::io::parse_csv(borrow_text(text, bytes, name, "mg_csv_parse"), columns,
                                            api::dtype_from(dtype, "mg_csv_parse")));
  });
}

mg_status mg_libsvm_parse(const char* text, size_t bytes, const char* name, int64_t columns, mg_array** data,
                          mg_array** labels) {
  return parse_libsvm(text, bytes, name, columns, data, labels, "mg_libsvm_parse",
                      &mixgrad::io::parse_libsvm);
}

mg_status mg_libsvm_parse_csr(const char* text, size_t bytes, const char* name, int64_t columns,
                              mg_array** data, mg_array** labels) {
  return parse_libsvm(text, bytes, name, columns, data, labels, "mg_libsvm_parse_csr",
                      &mixgrad::io::parse_libsvm_csr);
}

}  // extern "C"
