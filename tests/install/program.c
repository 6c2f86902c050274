/* A C program as a user of the installed package writes it: the C header, and the operators' functions over it. */
#include <mixgrad/mixgrad.h>
#include <mixgrad_ops.h>
#include <stdio.h>

int main(void) {
  const float numbers[] = {1, 2, 3};
  const int64_t shape[] = {3};
  const mg_device cpu = {MG_DEVICE_CPU, 0};
  mg_array *x = NULL, *sum = NULL;
  float result = 0;
  if (mg_array_create_from(numbers, shape, 1, MG_DTYPE_FLOAT32, cpu, &x) != MG_STATUS_OK) return 1;
  if (mx_sum(x, NULL, &sum) != MG_STATUS_OK) return 2;
  if (mg_array_copy_to(sum, &result, sizeof result) != MG_STATUS_OK) return 3;
  mg_array_destroy(x);
  mg_array_destroy(sum);
  printf("%s %g\n", mg_version(), result);
  return 0;
}
