// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/kernel_functions.h"

#include <catch2/catch.hpp>
#include <string>

namespace dtrace::runtime {
namespace {

bool everything(void *, std::string_view) { return true; }
bool only_beta(void *, std::string_view name) { return name == "beta"; }

/// "name@module+address, ..."
std::string text_of(const KernelFunctions &table) {
  std::string text;
  for (const KernelFunction &function : table.all()) {
    if (!text.empty()) text += ' ';
    text += std::string(function.name) + '@' + std::string(function.module) + '+' + std::to_string(function.address);
    if (function.is_repeated) text += '!';
  }
  return text;
}

constexpr const char *kSymbols =
    "0000000000000010 T alpha\n"
    "0000000000000020 t twin\n"
    "0000000000000028 d data\n"
    "0000000000000030 t twin\n"
    "0000000000000040 t beta\n"
    "0000000000000050 t lone\n"
    "0000000000000060 t lone\n"
    "0000000000000070 t gamma\t[mod]\n"
    "0000000000000080 t bpf_prog_1\t[bpf]\n";

TEST_CASE("a list with addresses needs nothing else", "[kernel_functions]") {
  const auto table = KernelFunctions::from_text(
      "0000000000000014 alpha\n0000000000000074 gamma [mod]\n0000000000000099 __ftrace_invalid_address___5\n",
      "other\n", "", "", everything, nullptr);
  CHECK(text_of(table) == "alpha@vmlinux+20 gamma@mod+116");
}

TEST_CASE("a function begins where its symbol is, if that is near", "[kernel_functions]") {
  const auto table = KernelFunctions::from_text("14 alpha\n44 beta\n1000 far\n", "", kSymbols, "", everything, nullptr);
  CHECK(text_of(table) == "alpha@vmlinux+16 beta@vmlinux+64 far@vmlinux+4096");
}

TEST_CASE("a list of names gets its addresses from kallsyms", "[kernel_functions]") {
  // `lone` is listed once and known twice: the list does not say which it is.
  const auto table = KernelFunctions::from_text("", "alpha\ntwin\ntwin\nlone\nunknown\ngamma [mod]\n", kSymbols, "",
                                                everything, nullptr);
  CHECK(text_of(table) == "alpha@vmlinux+16 twin@vmlinux+32 twin@vmlinux+48! gamma@mod+112");
  CHECK(table.by_name("vmlinux", "twin").size() == 2);
  CHECK(table.by_name("mod", "twin").empty());
  CHECK(table.by_name("mod", "gamma").at(0)->address == 112);
}

TEST_CASE("without a list, what BTF describes of kallsyms", "[kernel_functions]") {
  CHECK(text_of(KernelFunctions::from_text("", "", kSymbols, "", only_beta, nullptr)) == "beta@vmlinux+64");
}

TEST_CASE("what the kernel forbids is left out", "[kernel_functions]") {
  const auto table = KernelFunctions::from_text("", "alpha\ntwin\ntwin\n", kSymbols,
                                                "0x0000000000000030-0x0000000000000040\ttwin\n"
                                                "0x0000000000000008-0x0000000000000010\tbefore\n",
                                                everything, nullptr);
  CHECK(text_of(table) == "alpha@vmlinux+16 twin@vmlinux+32");
}

TEST_CASE("hidden addresses give an empty table", "[kernel_functions]") {
  CHECK(KernelFunctions::from_text("", "alpha\n", "0000000000000000 T alpha\n", "", everything, nullptr).all().empty());
}

TEST_CASE("modules come and go, and each function keeps its place", "[kernel_functions]") {
  auto list = [](const char *text) { return KernelFunctions::from_text(text, "", "", "", everything, nullptr); };
  auto table = list("10 alpha\n70 gamma [mod]\n80 delta [other]\n");
  using Names = std::set<std::string, std::less<>>;
  CHECK(table.update(list("10 alpha\n70 gamma [mod]\n80 delta [other]\n")).empty());
  CHECK(table.update(list("10 alpha\n80 delta [other]\n90 eps [late]\n91 eps [late]\n")) == Names{"mod"});
  CHECK(text_of(table) == "alpha@vmlinux+16 gamma@mod+0 delta@other+128 eps@late+144 eps@late+145!");
  CHECK(table.by_name("mod", "gamma").empty());
  CHECK(table.by_name("late", "eps").size() == 2);
  // Again, elsewhere; and one that was loaded anew between two looks.
  CHECK(table.update(list("10 alpha\n20 delta [other]\n30 gamma [mod]\n90 eps [late]\n91 eps [late]\n")) ==
        Names{"other"});
  CHECK(text_of(table) == "alpha@vmlinux+16 gamma@mod+48 delta@other+32 eps@late+144 eps@late+145!");
  CHECK(table.by_name("mod", "gamma").at(0)->address == 0x30);
}

}  // namespace
}  // namespace dtrace::runtime
