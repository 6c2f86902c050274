// The parameters that a thread keeps from call to call.
#include "c_api/recent_params.h"
#include "check.h"

using mixgrad::Op;
using mixgrad::c_api::RecentParams;

namespace {

struct ScalarUse {
  ScalarUse(RecentParams& recent, const Op& op, double number)
      : value(real(number)), use(recent, op, 1, names, &value, "test"), field(op.schema->fields[0]) {}
  static mg_value real(double number) {
    mg_value value{};
    value.kind = MG_VALUE_REAL;
    value.as.real = number;
    return value;
  }
  double scalar() const { return field.real(use.params()->data()); }
  const void* place() const { return use.params().get(); }

  static constexpr const char* names[] = {"scalar"};
  mg_value value;
  RecentParams::Use use;
  const mixgrad::Field& field;
};

TEST(c_api_equal_parameters_are_read_once) {
  const Op& op = mixgrad::find_op("_mul_scalar");
  RecentParams recent;
  const void* place = nullptr;
  {
    const ScalarUse first(recent, op, 2);
    CHECK(first.scalar() == 2);
    place = first.place();
  }
  CHECK(ScalarUse(recent, op, 2).place() == place);
  CHECK(ScalarUse(recent, op, 3).scalar() == 3);
  CHECK(ScalarUse(recent, op, 2).scalar() == 2);
}

TEST(c_api_a_call_keeps_its_parameters_while_calls_inside_it_have_others) {
  const Op& op = mixgrad::find_op("_mul_scalar");
  RecentParams recent;
  const ScalarUse outer(recent, op, 2);
  {
    const ScalarUse inner(recent, op, 3), same(recent, op, 2), again(recent, op, 3);
    CHECK(inner.scalar() == 3 && same.scalar() == 2 && again.scalar() == 3);
    CHECK(same.place() == outer.place());
  }
  CHECK(outer.scalar() == 2);
}

}  // namespace
