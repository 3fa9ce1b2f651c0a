// SPDX-License-Identifier: Apache-2.0
// cpp's command line.
#include "frontend/syntax/preprocess.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace dtrace;

namespace {

bool has(const std::vector<std::string> &list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

TEST_CASE("preprocess: the whole command of a 64-bit script on x86-64") {
  PreprocessOptions options;
  options.version = encode_version(1, 13, 2);
  options.system_release = "6.1.0-13-amd64";
  options.arguments = {{'D', "A=1"}, {'U', "B"}, {'I', "/inc"}};
  options.extra = " -v  -P ";
  CHECK(preprocess_command(options) == std::vector<std::string>{"cpp", "-std=gnu99", "-D__linux", "-D__linux__",
                                                                "-D__unix", "-D__SVR4", "-D__SUNW_D=1", "-D__SUNW_D_64",
                                                                "-D__SUNW_D_VERSION=0x0100d002", "-D__Linux",
                                                                "-D__Linux_6_1_0_13_amd64", "-D__amd64", "-D__x86_64",
                                                                "-U__GNUC__", "-DA=1", "-UB", "-I/inc", "-v", "-P"});
}

TEST_CASE("preprocess: conformance, header list, data model, machine, program") {
  PreprocessOptions options;
  options.cpp = "/opt/cpp";
  options.conformance = 's';
  options.list_headers = true;
  options.model_32 = true;
  options.script = "/home/a/x.d";
  std::vector<std::string> command = preprocess_command(options);
  CHECK(command[0] == "/opt/cpp");
  CHECK(command[1] == "-traditional-cpp");
  CHECK(command[2] == "-H");
  CHECK(command[3] == "-iquote");
  CHECK(command[4] == "/home/a");
  CHECK(has(command, "-D__SUNW_D_32"));
  CHECK(has(command, "-D__i386"));
  CHECK_FALSE(has(command, "-D__amd64"));
  options.machine = "aarch64";
  CHECK(has(preprocess_command(options), "-D__aarch64"));
  for (char mode : {'a', 'c', 't'}) {
    options.conformance = mode;
    CHECK(preprocess_command(options)[1] == "-std=gnu99");
  }
}

TEST_CASE("preprocess: Solaris itself is not claimed") { CHECK_FALSE(has(preprocess_command({}), "-D__sun")); }

TEST_CASE("preprocess: the #! line is left out, its newline is not") {
  CHECK(preprocess_input("", "#!/usr/sbin/dtrace -Cs\nBEGIN {}\n") == "\nBEGIN {}\n");
  CHECK(preprocess_input("", "BEGIN {}\n") == "BEGIN {}\n");
  CHECK(preprocess_input("", "#!/usr/sbin/dtrace -Cs").empty());
  CHECK(preprocess_input("dir/x.d", "#!/usr/sbin/dtrace -Cs\nBEGIN {}\n") == "#line 1 \"dir/x.d\"\n\nBEGIN {}\n");
  CHECK(preprocess_input("a\"\\b", "") == "#line 1 \"a\\\"\\\\b\"\n");
  CHECK(preprocess_input("a\nb", "BEGIN {}\n") == "BEGIN {}\n");
}
