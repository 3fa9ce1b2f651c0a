// SPDX-License-Identifier: Apache-2.0
// Texts of drops, faults and reductions.
#include "runtime/print/messages.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

const Probe kProbe{ProbeId{3}, "dtrace", "", "", "BEGIN"};

std::string fault(uint32_t code, uint64_t value, std::optional<uint32_t> pc = std::nullopt) {
  return fault_report_text({"dt_clause_0", &kProbe, code, value, pc});
}

}  // namespace

TEST_CASE("drops in singular and plural") {
  CHECK(drop_text(DropKind::kPrincipal, 1, 0, false) == "1 drop on CPU 0");
  CHECK(drop_text(DropKind::kPrincipal, 17, 3, false) == "17 drops on CPU 3");
  CHECK(drop_text(DropKind::kAggregation, 1, 2, false) == "1 aggregation drop on CPU 2");
  CHECK(drop_text(DropKind::kAggregation, 2, 2, false) == "2 aggregation drops on CPU 2");
  CHECK(drop_text(DropKind::kDynamic, 1, 0, false) == "1 dynamic variable drop");
  CHECK(drop_text(DropKind::kDynamic, 2, 0, false) == "2 dynamic variable drops");
  CHECK(drop_text(DropKind::kSpeculation, 2, 0, false) == "2 speculative drops");
  CHECK(drop_text(DropKind::kSpeculationUnavailable, 1, 0, false) ==
        "1 failed speculation (no speculative buffer available)");
  CHECK(drop_text(DropKind::kDoubleError, 1, 0, false) == "1 error in ERROR probe enabling");
  CHECK(drop_text(DropKind::kDoubleError, 2, 0, false) == "2 errors in ERROR probe enabling");
}

TEST_CASE("droptags prefixes the tag") {
  CHECK(drop_text(DropKind::kPrincipal, 2, 1, true) == "[DTRACEDROP_PRINCIPAL] 2 drops on CPU 1");
  CHECK(drop_text(DropKind::kSpeculationUnavailable, 1, 0, true) ==
        "[DTRACEDROP_SPECUNAVAIL] 1 failed speculation (no speculative buffer available)");
}

TEST_CASE("fault reports carry what is known") {
  CHECK(fault(1, 0) == "error in dt_clause_0 for probe ID 3 (dtrace:::BEGIN): invalid address (0x0)");
  CHECK(fault(1, 0xdead, 42) ==
        "error in dt_clause_0 for probe ID 3 (dtrace:::BEGIN): invalid address (0xdead) at BPF pc 42");
  CHECK(fault(1, ~uint64_t{0}) == "error in dt_clause_0 for probe ID 3 (dtrace:::BEGIN): invalid address");
  CHECK(fault(4, 0, 7) == "error in dt_clause_0 for probe ID 3 (dtrace:::BEGIN): divide-by-zero at BPF pc 7");
  CHECK(fault(11, 5) == "error in dt_clause_0 for probe ID 3 (dtrace:::BEGIN): index out of bounds (5)");
  CHECK(fault(10, UINT64_MAX) ==
        "error in dt_clause_0 for probe ID 3 (dtrace:::BEGIN): invalid size (0xffffffffffffffff)");
  CHECK(fault(10, 16) == "error in dt_clause_0 for probe ID 3 (dtrace:::BEGIN): invalid size (0x10)");
}

TEST_CASE("fault names by code") {
  const std::pair<uint32_t, std::string_view> names[] = {
      {0, "unknown fault"},          {1, "invalid address"},
      {2, "invalid alignment"},      {3, "illegal operation"},
      {4, "divide-by-zero"},         {5, "out of scratch space (-x scratchsize=N gives more)"},
      {6, "invalid kernel access"},  {7, "invalid user access"},
      {8, "tuple stack overflow"},   {9, "bad stack"},
      {10, "invalid size"},          {11, "index out of bounds"},
      {1000, "library-level fault"}, {12345, "unknown fault"}};
  for (const auto &[code, name] : names) CHECK(fault_text(code) == name);
}

TEST_CASE("failures of the consumer") {
  CHECK(library_fault_text("dt_clause_1", kProbe,
                           setopt_failure_text("strsize", "10", "Operation illegal when tracing is active")) ==
        "error in dt_clause_1 for probe ID 3 (dtrace:::BEGIN): couldn't set option \"strsize\" to \"10\": Operation "
        "illegal "
        "when tracing is active");
}

TEST_CASE("sizes in the largest exact suffix") {
  CHECK(size_text(2 << 20) == "2m");
  CHECK(size_text(1536 << 10) == "1536k");
  CHECK(size_text(uint64_t{1} << 30) == "1g");
  CHECK(size_text(uint64_t{3} << 60) == "3e");
  CHECK(size_text(1000) == "1000 bytes");
  CHECK(size_text(0) == "0 bytes");
  CHECK(size_lowered_text("buffer size", 2 << 20) == "buffer size lowered to 2m");
  CHECK(size_lowered_text("dynamic variable size", 1025) == "dynamic variable size lowered to 1025 bytes");
}

TEST_CASE("rates as frequency where it is whole, else as interval") {
  CHECK(rate_text(100'000'000) == "10 hz");
  CHECK(rate_text(1'000'000'000) == "1 hz");
  CHECK(rate_text(60'000'000'000) == "once every 60 seconds");
  CHECK(rate_text(1'500'000'000) == "once every 1500000000 nanoseconds");
  CHECK(rate_text(3) == "once every 3 nanoseconds");
  CHECK(rate_changed_text("cleaning rate", 100'000, 200'000) == "cleaning rate reduced to 5000 hz");
  CHECK(rate_changed_text("status rate", 60'000'000'000, 10'000'000'000) ==
        "status rate increased to once every 10 seconds");
}
