// Comparisons of two arrays, and logic.
#include "ops/elementwise/binary_table.h"

namespace mixgrad::ops::binary_compare {
namespace {

const bool kRegistered = [] {
  add_binary({"broadcast_equal", {}, "_equal", {"_Equal"}, "_npi_equal", NumpyDTypes::truth},
             "1 where x == y, else 0.", MG_SCALAR(x == y));
  add_binary({"broadcast_not_equal", {}, "_not_equal", {"_Not_Equal"}, "_npi_not_equal", NumpyDTypes::truth},
             "1 where x != y, else 0.", MG_SCALAR(x != y));
  add_binary({"broadcast_greater", {}, "_greater", {"_Greater"}, "_npi_greater", NumpyDTypes::truth},
             "1 where x > y, else 0.", MG_SCALAR(x > y));
  add_binary({"broadcast_greater_equal",
              {},
              "_greater_equal",
              {"_Greater_Equal"},
              "_npi_greater_equal",
              NumpyDTypes::truth},
             "1 where x >= y, else 0.", MG_SCALAR(x >= y));
  add_binary({"broadcast_lesser", {}, "_lesser", {"_Lesser"}, "_npi_less", NumpyDTypes::truth},
             "1 where x < y, else 0.", MG_SCALAR(x < y));
  add_binary({"broadcast_lesser_equal",
              {},
              "_lesser_equal",
              {"_Lesser_Equal"},
              "_npi_less_equal",
              NumpyDTypes::truth},
             "1 where x <= y, else 0.", MG_SCALAR(x <= y));
  add_binary({"broadcast_logical_and", {}, "_logical_and", {"_Logical_And"}},
             "1 where both are not 0, else 0.", MG_SCALAR((x != 0) & (y != 0)));
  add_binary({"broadcast_logical_or", {}, "_logical_or", {"_Logical_Or"}}, "1 where either is not 0, else 0.",
             MG_SCALAR((x != 0) | (y != 0)));
  add_binary({"broadcast_logical_xor", {}, "_logical_xor", {"_Logical_Xor"}},
             "1 where exactly one is not 0, else 0.", MG_SCALAR((x != 0) != (y != 0)));
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::binary_compare
