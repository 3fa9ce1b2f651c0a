// SPDX-License-Identifier: Apache-2.0
// .gopclntab: the functions of a Go program, which it needs itself and keeps when it is stripped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "usdt/elf_file.h"

namespace dtrace::runtime {

/// Its section; nullptr: no Go program.
const usdt::Section *go_function_table(const usdt::ElfFile &elf);

struct GoFunctions {
  struct Function {
    uint64_t address = 0, size_bytes = 0;  ///< of the file's own addresses
    uint32_t name = 0;                     ///< offset in `names`
  };
  std::vector<Function> functions;
  std::string names;  ///< each ends with a NUL
};

/// The functions in a program's table. Nothing: it has none, one of a format that is not known (Go before 1.2), or a
/// damaged one.
std::optional<GoFunctions> read_go_functions(const usdt::ElfFile &elf);

}  // namespace dtrace::runtime
