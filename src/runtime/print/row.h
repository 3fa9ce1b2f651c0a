// SPDX-License-Identifier: Apache-2.0
// Header and prefixes of record rows, and the indentation that flowindent follows per CPU.
//
// Flowindent prints its header and prefixes even when quiet; only the newline at the end of a row is quiet's.
// Source: the Dynamic Tracing Guide, "Output Formatting", and what other DTraces print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/events/sink.h"

namespace dtrace::runtime {

/// Where a row comes from.
struct RowSite {
  unsigned cpu = 0;
  uint32_t probe_id = 0;
  uint32_t clause = 0;  ///< which clause: two clauses of one firing count as one step of the flow
  std::string_view provider;
  std::string_view function;
  std::string_view name;
};

RowSite site_of(const RowEvent &row);

/// How a row moves the indentation of its CPU.
struct FlowStep {
  enum class Kind : uint8_t { kEntry, kReturn, kNone } kind = Kind::kNone;
  int indent = 0;           ///< blanks before the row
  std::string_view prefix;  ///< "-> "; of what is neither entry nor return "| "
};

/// Prints what stands around the data of a row. One for the whole run: the header comes once.
class RowPrinter {
 public:
  /// May change while tracing (setopt).
  void set_quiet(bool quiet) { quiet_ = quiet; }
  void set_flowindent(bool flowindent) { flowindent_ = flowindent; }
  bool quiet() const { return quiet_; }
  /// Without the columns that differ from run to run: CPU and probe number.
  void set_plain(bool plain) { plain_ = plain; }

  /// A new file begins, with a header.
  void begin_file() { header_done_ = false; }
  /// Stands before the prefix of the next row; the header leaves as much room.
  void set_stamp(std::string_view stamp) { stamp_ = stamp; }

  /// Header if it is the first row, then the prefix. `next`: the row that follows on the same CPU, null if none is
  /// known; only flowindent asks (the last of several return clauses is the one that steps out).
  void begin(std::string &out, const RowSite &site, const RowSite *next = nullptr);
  /// Takes the step of flowindent that `site` is, without printing it.
  FlowStep take_step(const RowSite &site, const RowSite *next);
  /// Newline, unless quiet.
  void end(std::string &out) const;

 private:
  struct Flow {
    int indent = 0;
    bool has_last = false;
    uint32_t last_probe = 0;
    uint32_t last_clause = 0;
  };

  void append_flow_prefix(std::string &out, const RowSite &site, const RowSite *next);

  bool quiet_ = false;
  bool flowindent_ = false;
  bool plain_ = false;
  bool header_done_ = false;
  std::vector<Flow> flows_;  // by CPU
  std::string stamp_;
  std::string scratch_;
};

}  // namespace dtrace::runtime
