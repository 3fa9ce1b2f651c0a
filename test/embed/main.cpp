// SPDX-License-Identifier: Apache-2.0
// Catch2's runner, where tracing is possible.
#define CATCH_CONFIG_RUNNER
#include <dtrace/tracer.h>

#include <catch2/catch.hpp>
#include <cstdio>

int main(int argc, char **argv) {
  constexpr int kSkipped = 77;
  libdtrace::Listener nobody;
  libdtrace::Tracer tracer;
  libdtrace::Outcome outcome = tracer.add_program("BEGIN { exit(0); }");
  if (outcome) outcome = tracer.start(nobody);
  if (!outcome) {
    const bool forbidden = outcome.message().find("needs root") != std::string::npos ||
                           outcome.message().find("not permitted") != std::string::npos;
    std::printf("%s: %s\n", forbidden ? "skipped" : "failed", outcome.message().c_str());
    return forbidden ? kSkipped : 1;
  }
  return Catch::Session().run(argc, argv);
}
