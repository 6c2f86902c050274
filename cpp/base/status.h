// The codes every failure carries, the same numbers that cross the C header as mg_status.
#pragma once

namespace mixgrad {

enum class Status : int {
  ok = 0,
  invalid_argument = 1,  // a value outside what the operator or function accepts
  shape = 2,             // shapes that do not fit together
  dtype = 3,             // dtypes that do not fit together
  index = 4,             // an index outside an axis
  out_of_memory = 5,
  not_found = 6,    // no operator, key or file of that name
  io = 7,           // reading or writing outside the process failed
  format = 8,       // a damaged or foreign file
  unsupported = 9,  // a device, dtype or feature this build lacks
  autograd = 10,    // gradient asked for where none was recorded, or a needed value was changed
  internal = 11,    // a mistake of the library
  stopped = 12,     // given up: a wait that was interrupted, or work of a program that ends
};

}  // namespace mixgrad
