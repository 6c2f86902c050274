/* What the functions of mixgrad_ops.h are made of: values of parameters, and calls that leave out what is not set. */
#ifndef MIXGRAD_CALLS_H
#define MIXGRAD_CALLS_H

#include "mixgrad/mixgrad.h"

/* Tuples live as long as the block that they are written in. */
#define MX_INT(number) ((mg_value){.kind = MG_VALUE_INTEGER, .as = {.integer = (number)}})
#define MX_BOOL(on) ((mg_value){.kind = MG_VALUE_BOOLEAN, .as = {.integer = (on) ? 1 : 0}})
#define MX_REAL(number) ((mg_value){.kind = MG_VALUE_REAL, .as = {.real = (number)}})
#define MX_TEXT(text) ((mg_value){.kind = MG_VALUE_STRING, .as = {.string = (text)}})
#define MX_TUPLE(...)                                                                  \
  ((mg_value){.kind = MG_VALUE_TUPLE,                                                  \
              .num_items = sizeof((const mg_value[]){__VA_ARGS__}) / sizeof(mg_value), \
              .as = {.items = (const mg_value[]){__VA_ARGS__}}})
/* MX_SIZES(3, 3): a tuple of two integers. */
#define MX_SIZES(rows, columns) MX_TUPLE(MX_INT(rows), MX_INT(columns))

enum { MX_MOST = 64 }; /* inputs or parameters of one operator with a fixed number of them */

/* Of `count` parameters, those that are set. */
static inline int32_t mx_set(int32_t count, const char* const* names, const mg_value* values,
                             const char** set_names, mg_value* set_values) {
  int32_t i, found = 0;
  for (i = 0; values && i < count; ++i) {
    if (values[i].kind == MG_VALUE_NONE) continue;
    set_names[found] = names[i];
    set_values[found++] = values[i];
  }
  return found;
}

static inline mg_status mx_call(const char* op_name, int32_t num_inputs, mg_array* const* inputs,
                                int32_t num_params, const char* const* names, const mg_value* values,
                                int32_t* num_outputs, mg_array** outputs) {
  const mg_op* op = NULL;
  const char* set_names[MX_MOST];
  mg_value set_values[MX_MOST];
  const mg_status status = mg_op_find(op_name, &op);
  if (status != MG_STATUS_OK) return status;
  num_params = mx_set(num_params, names, values, set_names, set_values);
  while (num_inputs > 0 && !inputs[num_inputs - 1]) --num_inputs;
  return mg_op_call(op, num_inputs, inputs, num_params, set_names, set_values, num_outputs, outputs);
}

/* "_plus_scalar", "_mul_scalar" and their like: an array and a number. */
static inline mg_status mx_scalar(const char* op_name, mg_array* data, double number, mg_array** out) {
  static const char* const names[] = {"scalar"};
  const mg_value value = MX_REAL(number);
  int32_t one = 1;
  return mx_call(op_name, 1, &data, 1, names, &value, &one, out);
}

/* words: names of the inputs, NULL where the operator takes any number. */
static inline mg_status mx_node(const char* op_name, const char* name, int32_t num_inputs,
                                const char* const* words, const mg_symbol* const* inputs, int32_t num_params,
                                const char* const* names, const mg_value* values, mg_symbol** out) {
  const mg_op* op = NULL;
  const char *set_names[MX_MOST], *given_words[MX_MOST];
  const mg_symbol* given[MX_MOST];
  mg_value set_values[MX_MOST];
  int32_t i, count = 0;
  const mg_status status = mg_op_find(op_name, &op);
  if (status != MG_STATUS_OK) return status;
  num_params = mx_set(num_params, names, values, set_names, set_values);
  if (!words) {
    return mg_symbol_call(op, name, num_inputs, NULL, inputs, num_params, set_names, set_values, 0, NULL,
                          NULL, out);
  }
  for (i = 0; i < num_inputs; ++i) {
    if (!inputs[i]) continue;
    given_words[count] = words[i];
    given[count++] = inputs[i];
  }
  return mg_symbol_call(op, name, count, given_words, given, num_params, set_names, set_values, 0, NULL, NULL,
                        out);
}

#endif
