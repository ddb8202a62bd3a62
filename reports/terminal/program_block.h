// A program as part of what is printed.
#ifndef CONFORM_REPORTS_TERMINAL_PROGRAM_BLOCK_H_
#define CONFORM_REPORTS_TERMINAL_PROGRAM_BLOCK_H_

#include <string>

namespace conform::reports {

// The program, indented, between two blank lines; "" for "". Of a long one, the beginning.
std::string ProgramBlock(const std::string& program);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_PROGRAM_BLOCK_H_
