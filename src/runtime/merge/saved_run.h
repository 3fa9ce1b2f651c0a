// SPDX-License-Identifier: Apache-2.0
// Runs that `-x format=json` saved, read back line by line. Files are others': every number is checked, and what is
// wrong with a line is an error that names it. doc/json-output.md says what a line holds.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/events/loss.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime {

/// A frame of a saved stack: an address and the functions that it was shown as.
struct SavedFrame {
  uint64_t address = 0;  ///< 0: of a managed frame, which has none
  std::vector<StackFrame> functions;
};
struct SavedStack {
  std::optional<pid_t> pid;  ///< nothing: the kernel's
  uint32_t end = 0;
  std::vector<SavedFrame> frames;
};
struct SavedSymbol {
  Symbol symbol;
  std::string text;
};
using SavedKey = std::variant<Integer, std::string, SavedStack, SavedSymbol>;

/// The type of a key, as "types" of an aggregation says it.
struct SavedKeyType {
  enum class Kind : uint8_t { kInteger, kText, kStack, kSymbol };
  Kind kind = Kind::kText;
  uint8_t bytes = 8, first_bytes = 0;
  bool is_signed = true, first_is_signed = false;
  friend bool operator==(const SavedKeyType &, const SavedKeyType &) = default;
};

struct SavedEntry {
  std::vector<SavedKey> keys;
  std::vector<uint64_t> words;
};

struct SavedAggregation {
  std::string name;
  uint32_t id = 0;
  AggregationShape shape;
  uint64_t normal = 1;
  std::vector<SavedKeyType> types;
  std::vector<SavedEntry> entries;
};

struct SavedRun {
  std::string boot;     ///< names a boot of a machine: addresses are comparable within it
  std::string program;  ///< the module of the program of -c or -p, as frames name it; "": none, or it was not saved
  std::map<std::string, SavedAggregation> aggregations;  ///< by name, without @
  std::vector<std::pair<Loss, std::string>> losses;      ///< with the clause's name; "" if there is none
  std::vector<std::string> shown_by_printa;              ///< names of aggregations that only rows show
  int status = 0;
};

/// Lines between those of dtrace: what the traced program printed to the same file.
struct ForeignLines {
  size_t count = 0, first = 0;  ///< `first` is a line's number
};

/// Reads all runs of a stream; calls `take` for each that is whole. Errors: "line 7: ..." of what is no such file, of
/// what is damaged, of a run without its end.
Result<ForeignLines> read_saved_runs(std::istream &in, const std::function<Result<Unit>(SavedRun)> &take);

}  // namespace dtrace::runtime
