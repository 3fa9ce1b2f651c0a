// SPDX-License-Identifier: Apache-2.0
// What a picture states about its run beside the picture: a file is looked at long after, and elsewhere.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/events/loss.h"
#include "runtime/output/formats.h"
#include "runtime/output/wall_time.h"
#include "runtime/print/json.h"

namespace dtrace::runtime {

struct RunFacts {
  std::string title;                    ///< empty: none was wanted
  std::string command, scripts;         ///< as typed; the texts of -s
  std::string host, kernel;             ///< empty: of saved runs
  std::string began;                    ///< RFC 3339; empty: not known
  uint64_t lasted_ns = 0;               ///< 0: not known
  std::vector<std::string> incomplete;  ///< what was lost, what was left out, faults: a sentence each
};

/// `left_out`: sentences. `faults`: how many clauses ended with one.
RunFacts run_facts(const SinkParts &parts, const RunClock &clock, std::span<const Loss> losses,
                   const std::vector<std::string> &left_out, uint64_t faults);

/// A member "run" of the object that is open.
void append_run_facts(JsonWriter &json, const RunFacts &facts);

/// Members "quantity" and "step" of the object that is open, if the values of its view measure something: "time" in
/// units of `step` nanoseconds, "bytes", "samples".
void append_quantity(JsonWriter &json, Quantity quantity);

}  // namespace dtrace::runtime
