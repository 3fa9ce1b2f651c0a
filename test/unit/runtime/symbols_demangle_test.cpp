// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/demangle.h"

#include <catch2/catch.hpp>
#include <string>

namespace dtrace::runtime {
namespace {

TEST_CASE("demangle: C++") {
  CHECK(demangle("_ZN3foo3barEi") == "foo::bar(int)");
  CHECK(demangle("_ZNSt6vectorIiSaIiEE9push_backEOi") == "std::vector<int, std::allocator<int> >::push_back(int&&)");
  CHECK(demangle("_Z4mainv") == "main()");
  CHECK(demangle("_ZN3foo3barEi.cold") == "foo::bar(int).cold");
  CHECK(demangle("_ZN3foo3barEi.isra.0") == "foo::bar(int).isra.0");
}

TEST_CASE("demangle: Rust, legacy") {
  CHECK(demangle("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE") == "core::fmt::Formatter::pad");
  CHECK(demangle("_ZN58_$LT$alloc..string..String$u20$as$u20$core..fmt..Debug$GT$3fmt17h0011223344556677E") ==
        "<alloc::string::String as core::fmt::Debug>::fmt");
  CHECK(demangle("_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17h00112233445566aaE") ==
        "std::rt::lang_start::{{closure}}");
  CHECK(demangle("_ZN4core3ptr37drop_in_place$LT$$RF$$u5b$u8$u5d$$GT$17h00112233445566aaE") ==
        "core::ptr::drop_in_place<&[u8]>");
  CHECK(demangle("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE.llvm.1234") == "core::fmt::Formatter::pad.llvm.1234");
  // 16 hex digits without the 'h' are a C++ name.
  CHECK(demangle("_ZN3foo16a123456789abcdefE") == "foo::a123456789abcdef");
}

TEST_CASE("demangle: Rust, v0") {
  CHECK(demangle("_RNvC6_123foo3bar") == "123foo::bar");
  CHECK(demangle("_RNvNtCs1234_7mycrate3foo3bar") == "mycrate::foo::bar");
  CHECK(demangle("_RINvNtC3std3mem8align_ofdE") == "std::mem::align_of::<f64>");
}

TEST_CASE("demangle: other names stay") {
  for (const char *name :
       {"main", "", "_", "_Z", "_R", "_ZN", "_Znonsense", "_Rnonsense", "vfs_read.isra.0", "_ZN3fo"}) {
    CHECK(demangle(name) == name);
  }
  for (const size_t pointers : {1000, 4000, 5000}) {
    const std::string deep = "_Z1f" + std::string(pointers, 'P') + "i";
    CHECK(demangle(deep) == deep);
  }
  const std::string within = "_Z1f" + std::string(400, 'P') + "i";
  CHECK(demangle(within).size() > 400);
}

TEST_CASE("demangle: a name from which __cxa_demangle never returns") {
  CHECK(demangle("_ZaaAppppsrp1DCaaaaa!") == "_ZaaAppppsrp1DCaaaaa!");
}

/// A<A<..., ...>, A<..., ...>> of that depth: each level is twice as long as the one before.
std::string doubling(unsigned depth) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "_Z1fI1AIiiE";
  for (unsigned i = 0; i < depth; i++) {
    const unsigned number = i + 1;
    std::string reference = "S";
    if (number >= kDigits.size()) reference += kDigits[number / kDigits.size()];
    reference += kDigits[number % kDigits.size()];
    name += "S0_I" + reference + '_' + reference + "_E";
  }
  return name + "Evv";
}

TEST_CASE("demangle: names that double with each part stay as they are") {
  CHECK(demangle(doubling(1)) == "void f<A<int, int>, A<A<int, int>, A<int, int> > >()");
  CHECK(demangle(doubling(8)).size() > 5000);
  for (const unsigned depth : {20u, 40u, 100u}) CHECK(demangle(doubling(depth)) == doubling(depth));
  // Many references, and no growth: what templates look like.
  std::string wide = "_Z1fISt6vectorIiSaIiEE";
  for (int i = 0; i < 200; i++) wide += "S1_";
  wide += "Evv";
  CHECK(demangle(wide) != wide);
  std::string rust = "_RNvC1a1b";
  for (int i = 0; i < 60; i++) rust += "B_";
  CHECK(demangle(rust) == rust);
}

}  // namespace
}  // namespace dtrace::runtime

TEST_CASE("demangle: a name without its parameters") {
  CHECK(dtrace::runtime::name_without_parameters("shop::Cart::add(int) const") == "shop::Cart::add");
  CHECK(dtrace::runtime::name_without_parameters("int shop::scale<int>(int)") == "shop::scale<int>");
  CHECK(dtrace::runtime::name_without_parameters("std::map<int, char> f<std::pair<int, int> >(int (*)(char), char)") ==
        "f<std::pair<int, int> >");
  CHECK(dtrace::runtime::name_without_parameters("(anonymous namespace)::helper(int).cold") ==
        "(anonymous namespace)::helper");
  CHECK(dtrace::runtime::name_without_parameters("(anonymous namespace)::counter") == "(anonymous namespace)::counter");
  CHECK(dtrace::runtime::name_without_parameters("main::{lambda(int)#1}::operator()(int) const") ==
        "main::{lambda(int)#1}::operator()");
  CHECK(dtrace::runtime::name_without_parameters("A::operator new(unsigned long)") == "A::operator new");
  CHECK(dtrace::runtime::name_without_parameters("core::fmt::Formatter::pad") == "core::fmt::Formatter::pad");
  CHECK(dtrace::runtime::name_without_parameters("f)(") == "f)(");
  CHECK(dtrace::runtime::name_without_parameters(")") == ")");
}
