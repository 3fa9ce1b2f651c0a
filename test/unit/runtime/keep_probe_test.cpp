// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/keep_probe.h"

#include <sys/uio.h>

#include <catch2/catch.hpp>
#include <vector>

#include "arch/machine.h"
#include "test/unit/runtime/fixture_process.h"

namespace dtrace::runtime {
namespace {

std::vector<uint8_t> code_of(pid_t pid, uint64_t address) {
  std::vector<uint8_t> code(arch::host_process_control().breakpoint.size());
  const iovec ours{code.data(), code.size()}, theirs{reinterpret_cast<void *>(address), code.size()};
  if (::process_vm_readv(pid, &ours, 1, &theirs, 1, 0) != static_cast<ssize_t>(code.size())) code.clear();
  return code;
}

TEST_CASE("keep_probe: the probe of another tracer stays in the process when that ends, and goes with the event") {
  const AddressesProcess process(fixture_path("addresses_pie"));
  REQUIRE(process.is_running());
  const uint64_t function = process[AddressesProcess::kFunction];
  const std::vector<uint8_t> original = code_of(process.pid(), function);
  REQUIRE_FALSE(original.empty());

  Result<Fd> others = keep_probe(process.pid(), function);
  if (!others) {
    WARN("skipped: " << others.error().text());
    return;
  }
  const std::vector<uint8_t> probed = code_of(process.pid(), function);
  CHECK(probed != original);
  Result<Fd> ours = keep_probe(process.pid(), function);
  REQUIRE(ours);
  others->reset();
  CHECK(code_of(process.pid(), function) == probed);
  ours->reset();
  CHECK(code_of(process.pid(), function) == original);
}

TEST_CASE("keep_probe: where no file is mapped there is none") {
  const AddressesProcess process(fixture_path("addresses_pie"));
  REQUIRE(process.is_running());
  const Result<Fd> kept = keep_probe(process.pid(), process[AddressesProcess::kStack]);
  REQUIRE_FALSE(kept);
  CHECK(kept.error().text() == "no file is mapped there");
}

}  // namespace
}  // namespace dtrace::runtime
