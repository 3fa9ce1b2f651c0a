// SPDX-License-Identifier: Apache-2.0
// vminfo:vmlinux::COUNTER: fires when one of the counters of virtual memory grows; arg0 is by how much.
//
// Faults are those of instructions, by the error code of the processor: what the kernel itself brings in for a system
// call (get_user_pages) is no fault. Pages are counted when a disk is asked for them, in whose name that is done; bios
// that stand for others (clones of device mapper and md) are left out, so that each page is counted once.
#include "runtime/probes/providers/stable_provider.h"

// An access that the kernel itself makes and knows how to do without has page faults disabled, and brings nothing in.
// What reads the count here is such an access, too, and adds 1.
#define IN_PROGRAM "args[0] < 0x8000000000000000 && curthread->pagefault_disabled <= 1"
#define IS_PRESENT "(args[2] & 1) != 0"  // the page is mapped, but not for that access
#define FAULT(condition) "rawtp:::page_fault_user, rawtp:::page_fault_kernel /" condition "/ { (uint64_t)1; }"

// Conditions on a bio, which is args[0]. BIO_CLONED is bit 1 of bi_flags.
#define IS_READ "(args[0]->bi_opf & 0xff) == 0 && (args[0]->bi_flags & 2) == 0"
#define IS_WRITE "(args[0]->bi_opf & 0xff) == 1 && (args[0]->bi_flags & 2) == 0"
#define OF_FILE "__dt_inode_of[args[0]] != NULL"  // a regular one
#define SWAPPED_IN "__dt_is_swapped_in[args[0]]"
#define SWAPPED_OUT "__dt_is_swapped_out[args[0]]"
#define ONE " { (uint64_t)1; }"
#define PAGES " { (uint64_t)(args[0]->bi_iter.bi_size + __dt_page_bytes - 1) / __dt_page_bytes; }"

namespace dtrace::runtime {
namespace {

constexpr StableProbe kProbes[] = {
    {"as_fault", "", FAULT(IN_PROGRAM " && !(" IS_PRESENT ")"), "page_fault_user", 3},
    {"prot_fault", "", FAULT(IN_PROGRAM " && " IS_PRESENT), "page_fault_user", 3},
    {"kernel_asflt", "", "rawtp:::page_fault_kernel /args[0] >= 0x8000000000000000/ { (uint64_t)1; }",
     "page_fault_kernel", 3},
    // The kernel's own count: the page had to be read.
    {"maj_fault", "", "cpc:::major_faults-all-1 { (uint64_t)1; }"},
    {"pgin", "", "rawtp:::block_bio_queue /" IS_READ " && (" OF_FILE " || " SWAPPED_IN ")/" ONE, "block_bio_queue"},
    {"pgpgin", "", "rawtp:::block_bio_queue /" IS_READ " && (" OF_FILE " || " SWAPPED_IN ")/" PAGES, "block_bio_queue"},
    {"fspgin", "", "rawtp:::block_bio_queue /" IS_READ " && " OF_FILE "/" PAGES, "block_bio_queue"},
    {"anonpgin", "", "rawtp:::block_bio_queue /" IS_READ " && " SWAPPED_IN "/" PAGES, "block_bio_queue"},
    {"pgout", "", "rawtp:::block_bio_queue /" IS_WRITE " && (" OF_FILE " || " SWAPPED_OUT ")/" ONE, "block_bio_queue"},
    {"pgpgout", "", "rawtp:::block_bio_queue /" IS_WRITE " && (" OF_FILE " || " SWAPPED_OUT ")/" PAGES,
     "block_bio_queue"},
    {"fspgout", "", "rawtp:::block_bio_queue /" IS_WRITE " && " OF_FILE "/" PAGES, "block_bio_queue"},
    {"anonpgout", "", "rawtp:::block_bio_queue /" IS_WRITE " && " SWAPPED_OUT "/" PAGES, "block_bio_queue"},
    // Memory is short: the page daemon is woken, pages are looked at, and freed.
    {"pgrrun", "", "rawtp:::mm_vmscan_kswapd_wake { (uint64_t)1; }", "mm_vmscan_kswapd_wake"},
    {"scan", "", "rawtp:::mm_vmscan_lru_isolate { (uint64_t)args[3]; }", "mm_vmscan_lru_isolate", 7},
    {"dfree", "", "rawtp:::mm_vmscan_lru_shrink_inactive /args[2] != 0/ { (uint64_t)args[2]; }",
     "mm_vmscan_lru_shrink_inactive", 6},
    {"fsfree", "", "rawtp:::mm_vmscan_lru_shrink_inactive /args[2] != 0 && args[5]/ { (uint64_t)args[2]; }",
     "mm_vmscan_lru_shrink_inactive", 6},
    {"anonfree", "", "rawtp:::mm_vmscan_lru_shrink_inactive /args[2] != 0 && !args[5]/ { (uint64_t)args[2]; }",
     "mm_vmscan_lru_shrink_inactive", 6},
};

constexpr std::string_view kNoSwappedProcesses =
    "Linux does not swap whole processes: anonpgin and anonpgout count pages";
constexpr std::string_view kNoFreeList =
    "Linux does not take pages back from a list of free pages: such a fault is as_fault";

constexpr AbsentProbe kAbsent[] = {
    {"zfod", "no event of Linux shows that a page was filled with zeros: the fault is as_fault"},
    {"cow_fault",
     "no event of Linux shows that a page was copied: a write to a page that may not be written is prot_fault"},
    {"execpgin", "Linux does not distinguish pages of programs from pages of other files: fspgin counts both"},
    {"execpgout", "Linux does not distinguish pages of programs from pages of other files: fspgout counts both"},
    {"execfree", "Linux does not distinguish pages of programs from pages of other files: fsfree counts both"},
    {"pgrec", kNoFreeList},
    {"pgfrec", kNoFreeList},
    {"rev", "the page daemon of Linux has no clock hand: scan counts the pages that it looks at"},
    {"softlock", "no event of Linux counts pages that are held in memory"},
    {"swapin", kNoSwappedProcesses},
    {"swapout", kNoSwappedProcesses},
    {"pgswapin", kNoSwappedProcesses},
    {"pgswapout", kNoSwappedProcesses},
};

}  // namespace

std::unique_ptr<Provider> make_vminfo_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("vminfo", kProbes, kernel, kAbsent);
}

}  // namespace dtrace::runtime
