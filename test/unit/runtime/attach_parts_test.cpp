// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach_parts.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dtrace::runtime {
namespace {

/// Every tenth function is busy.
std::vector<uint64_t> tenths() {
  std::vector<uint64_t> addresses;
  for (uint64_t i = 0; i < 2 * kMinSitesToDivide; i += 10) addresses.push_back(1000 + i);
  return addresses;
}

ProgramPlan plan_of_functions(size_t count, bool multi, HookTarget target) {
  ProgramPlan plan;
  plan.hook.target = std::move(target);
  plan.multi = multi;
  for (size_t i = 0; i < count; ++i) {
    SitePlan &site = plan.sites.emplace_back();
    site.site.offset = 1000 + i;
    site.cookie = i;
  }
  return plan;
}

bool is_whole(const ProgramPlan &plan, std::span<const uint64_t> addresses) {
  const SiteParts parts = divide_sites(plan, addresses);
  return parts.first.data() == plan.sites.data() && parts.first.size() == plan.sites.size() && parts.last.empty();
}

TEST_CASE("busy functions of many are a part of their own", "[attach_parts]") {
  for (const HookTarget &target : {HookTarget(KernelEntryHook{}), HookTarget(KernelReturnHook{})}) {
    const ProgramPlan plan = plan_of_functions(kMinSitesToDivide, true, target);
    const SiteParts parts = divide_sites(plan, tenths());
    CHECK(parts.first.size() == kMinSitesToDivide * 9 / 10);
    CHECK(parts.last.size() == kMinSitesToDivide / 10);
    // Each site is in one part, in its order, with the cookie that it had.
    std::vector<bool> seen(plan.sites.size());
    for (const auto &[part, is_busy] : {std::pair(parts.first, false), std::pair(parts.last, true)}) {
      uint64_t before = 0;
      for (const SitePlan &site : part) {
        CHECK((site.cookie % 10 == 0) == is_busy);
        CHECK(site.site.offset == 1000 + site.cookie);
        CHECK(site.site.offset > before);
        before = site.site.offset;
        seen.at(site.cookie) = true;
      }
    }
    CHECK(std::ranges::count(seen, true) == static_cast<std::ptrdiff_t>(plan.sites.size()));
  }
}

TEST_CASE("parts stay valid when they are moved", "[attach_parts]") {
  const ProgramPlan plan = plan_of_functions(kMinSitesToDivide, true, KernelEntryHook{});
  std::vector<SiteParts> all;
  for (int i = 0; i < 9; ++i) all.push_back(divide_sites(plan, tenths()));
  for (const SiteParts &parts : all) {
    CHECK(parts.first.front().cookie == 1);
    CHECK(parts.last.front().cookie == 0);
  }
}

TEST_CASE("few functions, and those without links of many, are one part", "[attach_parts]") {
  CHECK(is_whole(plan_of_functions(kMinSitesToDivide - 1, true, KernelEntryHook{}), tenths()));
  CHECK(is_whole(plan_of_functions(kMinSitesToDivide, false, KernelEntryHook{}), tenths()));
  CHECK(is_whole(plan_of_functions(kMinSitesToDivide, true, UserInstructionHook{}), tenths()));
  CHECK(is_whole(plan_of_functions(kMinSitesToDivide, true, KernelEntryHook{}), {}));
}

}  // namespace
}  // namespace dtrace::runtime
