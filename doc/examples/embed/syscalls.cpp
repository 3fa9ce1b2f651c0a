// SPDX-License-Identifier: Apache-2.0
// Counts system calls by program with libdtrace, and prints the counts as a table.
//
// Usage: syscalls [SECONDS]
#include <dtrace/tracer.h>

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <string>

namespace {

class Table final : public libdtrace::Listener {
 public:
  void aggregation(const libdtrace::Aggregation &calls) override {
    int64_t all = 0;
    for (const libdtrace::AggregationEntry &entry : calls.entries) all += entry.value;
    std::cout << std::left << std::setw(20) << "PROGRAM" << std::right << std::setw(10) << "CALLS" << std::setw(8)
              << "SHARE\n";
    for (auto entry = calls.entries.rbegin(); entry != calls.entries.rend(); ++entry)  // the least come first
      std::cout << std::left << std::setw(20) << libdtrace::text_of(entry->keys[0]) << std::right << std::setw(10)
                << entry->value << std::setw(6) << 100 * entry->value / all << " %\n";
  }
  void lost(const libdtrace::Loss &loss) override { std::cerr << loss.count << " lost: " << loss.message << '\n'; }
  void message(std::string_view text) override { std::cerr << text << '\n'; }
};

int fail(const libdtrace::Outcome &outcome) {
  std::cerr << "syscalls: " << outcome.message() << '\n';
  return 1;
}

}  // namespace

int main(int argc, char **argv) {
  const std::string seconds = argc > 1 ? argv[1] : "5";
  Table table;
  libdtrace::Tracer tracer;
  if (auto added = tracer.add_program("syscall:::entry { @[execname] = count(); } tick-1s /++passed == $1/ { exit(0); }",
                                      {seconds});
      !added)
    return fail(added);
  if (auto started = tracer.start(table); !started) return fail(started);
  while (tracer.step()) {
  }
  const auto stopped = tracer.stop();
  return stopped ? tracer.exit_status() : fail(stopped);
}
