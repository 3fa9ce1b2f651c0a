// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/busy_functions.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace dtrace::runtime {
namespace {

TEST_CASE("functions that patching runs are busy", "[busy_functions]") {
  // One function of each kind, measured on 6.12 and 7.2.
  for (const std::string_view name :
       {"__text_poke", "text_poke_memcpy", "switch_mm_irqs_off", "flush_tlb_mm_range", "pte_offset_map_lock",
        "insn_get_prefixes.part.0", "is_endbr", "_raw_spin_lock", "__rcu_read_unlock", "on_each_cpu_cond_mask",
        "__sysvec_apic_timer_interrupt", "tick_nohz_handler", "update_process_times", "sched_tick", "ktime_get"})
    CHECK(std::pair(name, is_busy_function(name)) == std::pair(name, true));
}

TEST_CASE("functions that processes call are not busy", "[busy_functions]") {
  for (const std::string_view name : {"", "A", "_", "vfs_read", "tcp_sendmsg", "insn", "tex", "text_pok", "zzz", "~"})
    CHECK(std::pair(name, is_busy_function(name)) == std::pair(name, false));
}

TEST_CASE("addresses of busy functions come from the core kernel's symbols", "[busy_functions]") {
  CHECK(busy_addresses("0000000000000030 t __text_poke\n"
                       "0000000000000010 T ktime_get\n"
                       "0000000000000020 T vfs_read\n"
                       "0000000000000040 D tick_data\n"
                       "0000000000000050 t text_poke_of_module\t[mod]\n"
                       "0000000000000000 T sched_tick\n"
                       "x\n\n0000000000000060\n0000000000000070 W \n"
                       "0000000000000080 W sched_clock") == std::vector<uint64_t>{0x10, 0x30, 0x80});
  CHECK(busy_addresses("").empty());
}

}  // namespace
}  // namespace dtrace::runtime
