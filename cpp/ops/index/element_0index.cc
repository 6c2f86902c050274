// Old functions that write one element per row.
#include <cmath>

#include "kernels/loops/convert.h"
#include "kernels/loops/region.h"
#include "kernels/scratch.h"
#include "op/define.h"

namespace mixgrad::ops::element_0index {
namespace {

// (rows, columns) and an index per row.
void check_rows(ShapeInfer& s, int matrix, int index) {
  if (s.in(matrix).known_rank() && s.in(matrix).ndim() != 2) s.reject("expected a matrix (rows, columns)");
  s.set_in(matrix, {Shape::kUnknownDim, Shape::kUnknownDim});
  s.set_in(index, {s.in(matrix)[0]});
  s.set_in(matrix, {s.in(index)[0], Shape::kUnknownDim});
}

ScratchArray<double> numbers_of(const View& view) {
  ScratchArray<double> numbers(static_cast<size_t>(view.size()));
  convert(view.data, view.dtype, numbers.data(), DType::float64, view.size());
  return numbers;
}

// The column, fractions cut off, or -1 where there is none.
int64_t column_of(double index, int64_t columns) {
  const double column = std::trunc(index);
  return column >= 0 && column < static_cast<double>(columns) ? static_cast<int64_t>(column) : -1;
}

char* element_at(const View& view, int64_t i) {
  return view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype);
}

const Op& onehot_encode =
    Define<>("_onehot_encode")
        .doc(
            "An array of the shape and dtype of rhs, with 1 at the index of each row and 0 elsewhere; an "
            "index outside "
            "of the row gives zeros.")
        .origin("MXNet _onehot_encode")
        .input("lhs", "(rows,): indices; fractions are cut off.")
        .input("rhs", "(rows, columns): gives the shape; its elements are not read.")
        .shape([](const NoParams&, ShapeInfer& s) {
          s.set_in(1, s.out(0));
          check_rows(s, 1, 0);
          s.set_out(0, s.in(1));
        })
        .dtype([](const NoParams&, DTypeInfer& d) {
          d.set_in(1, d.out(0));
          d.set_out(0, d.in(1));
        })
        .kernel([](const NoParams&, KernelArgs& args) {
          const View& out = args.out[0];
          const int64_t rows = out.shape()[0], columns = out.shape()[1];
          const ScratchArray<double> index = numbers_of(args.in[0]);
          fill_elements(out, 0);
          const double one = 1;
          for (int64_t r = 0; r < rows; ++r) {
            const int64_t column = column_of(index[static_cast<size_t>(r)], columns);
            if (column >= 0)
              convert(&one, DType::float64, element_at(out, r * columns + column), out.dtype, 1);
          }
        })
        .grad_needs({}, {})
        .no_gradient();

const Op& fill_element =
    Define<>("fill_element_0index")
        .doc("lhs with one element of each row replaced; an index outside of the row replaces none.")
        .origin("MXNet fill_element_0index")
        .input("lhs", "(rows, columns).")
        .input("mhs", "(rows,): the new elements.")
        .input("rhs", "(rows,): their columns; fractions are cut off.")
        .shape([](const NoParams&, ShapeInfer& s) {
          s.set_in(0, s.out(0));
          check_rows(s, 0, 1);
          check_rows(s, 0, 2);
          check_rows(s, 0, 1);
          s.set_out(0, s.in(0));
        })
        .dtype([](const NoParams&, DTypeInfer& d) {
          d.set_in(0, d.in(1));
          d.set_in(0, d.out(0));
          d.set_in(1, d.in(0));
          d.set_out(0, d.in(0));
        })
        .kernel([](const NoParams&, KernelArgs& args) {
          const View& out = args.out[0];
          const int64_t rows = out.shape()[0], columns = out.shape()[1];
          const ScratchArray<double> index = numbers_of(args.in[2]);
          copy_elements(args.in[0], out);
          for (int64_t r = 0; r < rows; ++r) {
            const int64_t column = column_of(index[static_cast<size_t>(r)], columns);
            if (column < 0) continue;
            std::memcpy(element_at(out, r * columns + column), element_at(args.in[1], r), size_of(out.dtype));
          }
        })
        .overwrites_first()
        .grad_needs({2}, {})
        .grad([](const NoParams&, Grad& g) {
          const Tensor head = g.out_grad(), index = g.in(2);
          const Tensor place = apply("_onehot_encode", {index, head});
          if (g.wants(0)) g.set(0, head * (1.0 - place));
          if (g.wants(1)) g.set(1, reshape_to(sum_axes(head * place, {1}, true), g.in_shape(1)));
        });

}  // namespace
}  // namespace mixgrad::ops::element_0index
