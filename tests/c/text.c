/* A client of mixgrad.h that reads text of numbers, good and bad. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

static int checks = 0;

static void fail(const char* what, int line) {
  fprintf(stderr, "text.c:%d: %s: %s\n", line, what, mg_last_error());
  exit(1);
}
#define CHECK(condition)                          \
  do {                                            \
    ++checks;                                     \
    if (!(condition)) fail(#condition, __LINE__); \
  } while (0)
#define OK(call) CHECK((call) == MG_STATUS_OK)

int main(void) {
  const char* csv = "1,2,3\n4,5,6"; /* no line end, and nothing behind the text may be read */
  const char* svm = "7 1:0.5\n-1";
  char* exact = malloc(strlen(csv));
  mg_array *data = NULL, *labels = NULL;
  double table[6];
  float rows[4], names[2];

  CHECK(exact != NULL);
  memcpy(exact, csv, strlen(csv));
  OK(mg_csv_parse(exact, strlen(csv), "a.csv", 3, MG_DTYPE_FLOAT64, &data));
  CHECK(mg_array_get_ndim(data) == 2 && mg_array_get_shape(data)[0] == 2 && mg_array_get_shape(data)[1] == 3);
  OK(mg_array_copy_to(data, table, sizeof table));
  CHECK(table[0] == 1 && table[5] == 6);
  mg_array_destroy(data);
  data = NULL;
  CHECK(mg_csv_parse(exact, strlen(csv), "a.csv", 2, MG_DTYPE_FLOAT64, &data) == MG_STATUS_FORMAT);
  CHECK(strcmp(mg_last_error(), "[csv] 'a.csv' line 1: 3 values; expected 2") == 0 && data == NULL);
  CHECK(mg_csv_parse(exact, strlen(csv), "a.csv", 3, MG_DTYPE_UINT8, &data) == MG_STATUS_DTYPE);
  CHECK(mg_csv_parse(exact, strlen(csv), "a.csv", 3, 99, &data) == MG_STATUS_DTYPE);
  CHECK(mg_csv_parse(exact, strlen(csv), "a.csv", 0, MG_DTYPE_INT64, &data) == MG_STATUS_SHAPE);
  CHECK(mg_csv_parse(NULL, 3, "a.csv", 3, MG_DTYPE_INT64, &data) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_csv_parse(exact, 3, NULL, 3, MG_DTYPE_INT64, &data) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_csv_parse(exact, 3, "a.csv", 3, MG_DTYPE_INT64, NULL) == MG_STATUS_INVALID_ARGUMENT);
  OK(mg_csv_parse(NULL, 0, "a.csv", 3, MG_DTYPE_INT32, &data));
  CHECK(mg_array_get_size(data) == 0);
  mg_array_destroy(data);
  free(exact);

  OK(mg_libsvm_parse(svm, strlen(svm), "a.t", 2, &data, &labels));
  OK(mg_array_copy_to(data, rows, sizeof rows));
  OK(mg_array_copy_to(labels, names, sizeof names));
  CHECK(rows[0] == 0 && rows[1] == 0.5f && rows[2] == 0 && rows[3] == 0);
  CHECK(names[0] == 7 && names[1] == -1);
  mg_array_destroy(data);
  mg_array_destroy(labels);
  CHECK(mg_libsvm_parse(svm, strlen(svm), "a.t", 1, &data, &labels) == MG_STATUS_FORMAT);
  CHECK(mg_libsvm_parse("1 0:1", 5, "a.t", INT64_MAX / 2, &data, &labels) == MG_STATUS_OUT_OF_MEMORY ||
        mg_libsvm_parse("1 0:1", 5, "a.t", INT64_MAX / 2, &data, &labels) == MG_STATUS_SHAPE);
  CHECK(mg_libsvm_parse(svm, strlen(svm), "a.t", 2, NULL, &labels) == MG_STATUS_INVALID_ARGUMENT);

  OK(mg_libsvm_parse_csr(svm, strlen(svm), "a.t", 2, &data, &labels));
  CHECK(mg_array_get_storage(data) == MG_STORAGE_CSR && mg_array_get_shape(data)[1] == 2);
  OK(mg_array_copy_to(labels, names, sizeof names));
  CHECK(names[0] == 7 && names[1] == -1);
  mg_array_destroy(data);
  mg_array_destroy(labels);
  CHECK(mg_libsvm_parse_csr(svm, strlen(svm), "a.t", 1, &data, &labels) == MG_STATUS_FORMAT);
  CHECK(mg_libsvm_parse_csr(svm, strlen(svm), "a.t", 0, &data, &labels) == MG_STATUS_SHAPE);
  CHECK(mg_libsvm_parse_csr(svm, strlen(svm), "a.t", 2, &data, NULL) == MG_STATUS_INVALID_ARGUMENT);
  OK(mg_wait_all());
  printf("%d checks passed\n", checks);
  return 0;
}
