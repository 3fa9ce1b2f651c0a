// SPDX-License-Identifier: Apache-2.0
// What a recording holds, whatever its bytes are: facts about the run, probes, the expressions that were read at their
// firings, names of addresses, rows, losses. doc/recording-format.md describes the bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dtrace::recording {

/// One fact about the run or the machine, by name. Which names there are: facts.h of the recorder.
struct Fact {
  std::string name;
  std::string text;
};

/// Bytes of a foreign format that questions need as they are: the kernel's BTF.
struct Blob {
  std::string name;
  std::string bytes;
};

/// One args[n] of a probe, types in D's spelling.
struct Argument {
  std::string native, translated;
  std::string undefined;         ///< the type that D was to see, if nobody defines it
  std::string missing;           ///< why the value cannot be had; empty: it can
  std::string name;              ///< in the source; empty: not known
  uint32_t source = 0;           ///< which raw argument it comes from
  uint8_t place = 0, space = 0;  ///< ArgPlace, Space
};

/// An expression whose value is kept.
struct Leaf {
  uint32_t id = 0;       ///< from 1
  std::string identity;  ///< the checked expression in the text form of the typed tree
  std::string label;     ///< as it was written
  std::string type;      ///< in D's spelling
};

/// The leaves of a firing, in the order of a row's cells.
struct LeafSet {
  uint32_t id = 0;  ///< from 1
  std::vector<uint32_t> leaves;
};

struct Probe {
  uint32_t id = 0;  ///< as rows name it, from 1
  std::string provider, module, function, name;
  std::string shown_function;   ///< as output shows it; empty: `function`
  std::string arguments_error;  ///< why nothing is known of the arguments; empty: they are these
  std::vector<Argument> arguments;
  uint32_t leaves = 0;  ///< LeafSet; 0: none
};

/// What a program's description of probes matched: names in it may mean more than they say (a.out, libc).
struct Description {
  std::string provider, module, function, name;
  std::vector<uint32_t> probes;
};

/// A kernel symbol that a program names.
struct Symbol {
  std::string module, name;
  std::string type;  ///< in D's spelling; empty: not known
  uint64_t address = 0;
  uint64_t cpu_offsets = 0;  ///< of a per-CPU variable: address of the table of offsets
  bool is_function = false;
};

/// What the machine's symbolizer answered about an address.
struct Name {
  enum class Kind : uint8_t {
    kKernelSymbol,  ///< one text; with_offset as asked
    kKernelModule,
    kUserSymbol,
    kUserModule,
    kUserFrames,  ///< for each function of the frame: symbol, source, language, "1" if it is inlined
    kMapping,     ///< start, end, offset (decimal), file, build ID
  };
  Kind kind = Kind::kKernelSymbol;
  bool flag = false;  ///< with an offset; of frames: it is a return address
  int32_t pid = 0;    ///< 0: the kernel
  uint32_t image = 0;
  uint64_t address = 0;
  std::vector<std::string> texts;
};

/// Something that was lost, as the run's ledger counted it.
struct Loss {
  std::string cause;  ///< the tag of the cause
  std::string where;  ///< the probe or CPU, for people; empty: the run
  uint64_t count = 0;
};

/// A leaf's value at one firing. Texts and bytes borrow.
struct Cell {
  enum class Kind : uint8_t {
    kNothing,  ///< it was not read
    kNumber,   ///< 64 bits, as a register would hold them
    kText,
    kNull,  ///< the NULL string
    kBytes,
    kFault,  ///< reading it failed: `fault` is the kind (enum dt_fault), `number` the address
  };
  Kind kind = Kind::kNothing;
  uint8_t fault = 0;
  uint64_t number = 0;
  std::string_view bytes = {};
};

/// One firing.
struct Row {
  uint32_t probe = 0;  ///< Probe
  uint32_t cpu = 0;
  uint64_t time_ns = 0;              ///< of CLOCK_MONOTONIC
  uint64_t thread = 0;               ///< process << 32 | thread
  std::span<const Cell> cells = {};  ///< as the probe's LeafSet has them
};

}  // namespace dtrace::recording
