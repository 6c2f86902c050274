// Which algorithm a convolution is run by: forced, measured, or by rule.
#pragma once

#include <string>

#include "kernels/convolution/conv_plan.h"

namespace mixgrad {

// The order of precedence: what conv_force set; the table; a rule made from measurements, the same on every run. All
// functions may be called from any thread.
//
// The table holds a line per convolution, as conv_describe writes it, and the algorithm's name. It starts with the
// file that MIXGRAD_CONV_TABLE names, if any; MIXGRAD_CONV, if set, forces an algorithm as conv_force does. Compact
// builds have the rule alone.
ConvAlgorithm conv_algorithm(const ConvProblem& problem);

// automatic: none. Where the algorithm does not serve a problem, the table and the rule go on deciding.
void conv_force(ConvAlgorithm algorithm);

// Grows with every change of the forced algorithm and the table, so that plans kept from before are known as old.
uint64_t conv_choice_version();

// Enters an algorithm in the table.
void conv_record(const ConvProblem& problem, ConvAlgorithm algorithm);
// Runs every algorithm that serves the problem for about `seconds` each, on numbers of its own, and enters the fastest.
ConvAlgorithm conv_measure(const ConvProblem& problem, double seconds);

// Instruction set, shape and layouts in words without spaces; threads have no say in the choice.
std::string conv_describe(const ConvProblem& problem);
std::string conv_table();
// Adds lines to the table; throws Status::format naming a line that is none.
void conv_read_table(const std::string& text);
void conv_clear_table();

// The algorithm of that name; throws Status::invalid_argument.
ConvAlgorithm conv_algorithm_named(const std::string& name);

}  // namespace mixgrad
