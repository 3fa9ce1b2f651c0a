// SPDX-License-Identifier: Apache-2.0
// io:vmlinux::NAME: what is read from disks and written to them.
//
// What DTrace has as struct buf is one of two here. Most disks take requests, each made of one or more bios; what
// stands on others (dm, md), and memory that plays a disk (zram, brd), has no queue and takes the bios as they are. So
// arg0 is the address of the request or of the bio, and what the arguments tell is in the values after it: the first
// bio, the sector, the bytes, how it ended.
//
// Nothing is said of requests without data: discarded blocks, cache flushes, which the kernel also ends twice when they
// are part of a write, and commands that are no input or output of a disk's.
//
// Adjacent requests may be merged while queued: the first then has more bytes at `done` than at `start` (or begins
// earlier, if the one before it was merged), and the merged one gets no `done` of its own. A driver that
// completes a request piece by piece (SCSI after a medium error) reports the sector of the last piece at `done`.
// Drivers that take bios may have counted one down to nothing by then, and end each part that they made of one.
#include "runtime/probes/providers/stable_provider.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kTypes = "1: bufinfo_t *, 2: devinfo_t *, 2: fileinfo_t *";

constexpr StableProbe kProbes[] = {
    // Fires in the thread that issues the request. block_io_start came with 6.5. Before that, start fires when the
    // request is sent to the driver: mostly in the same thread, but some schedulers leave it to a worker. There, a
    // request that the driver gives back starts again, and requests are no longer merged.
    {"start", kTypes,
     "rawtp:::block_io_start /__dt_is_io[args[0]]/"
     " { (uintptr_t)args[0]; __dt_io_of[args[0]->bio]; args[0]->bio; args[0]->__sector; args[0]->__data_len; 0; }"
     " rawtp:::block_bio_queue /__dt_has_no_queue[args[0]]/"
     " { (uintptr_t)args[0]; __dt_io_of[args[0]]; args[0]; args[0]->bi_iter.bi_sector; args[0]->bi_iter.bi_size; 0; }",
     "block_io_start"},
    {"start", kTypes,
     "rawtp:::block_rq_issue /__dt_is_io[args[0]]/"
     " { (uintptr_t)args[0]; __dt_io_of[args[0]->bio]; args[0]->bio; args[0]->__sector; args[0]->__data_len; 0; }"
     " rawtp:::block_bio_queue /__dt_has_no_queue[args[0]]/"
     " { (uintptr_t)args[0]; __dt_io_of[args[0]]; args[0]; args[0]->bi_iter.bi_sector; args[0]->bi_iter.bi_size; 0; }"},
    {"done", kTypes,
     "rawtp:::block_rq_complete /__dt_is_io[args[0]] && args[2] == args[0]->__data_len/"
     " { (uintptr_t)args[0]; __dt_io_of[args[0]->bio]; args[0]->bio; args[0]->__sector; args[0]->__data_len; "
     "(int)args[1]; }"
     " rawtp:::block_bio_complete /__dt_has_no_queue[args[1]]/"
     " { (uintptr_t)args[1]; __dt_io_of[args[1]]; args[1]; args[1]->bi_iter.bi_sector; args[1]->bi_iter.bi_size;"
     "   (int)args[1]->bi_status; }",
     "block_rq_complete", 3},
    // A thread that waits for what it asked for itself. The bio has moved on when it is done: what it was is noted.
    {"wait-start",
     kTypes,
     "fbt::submit_bio_wait:entry"
     " { (uintptr_t)args[0]; __dt_io_of[args[0]]; args[0]; args[0]->bi_iter.bi_sector; args[0]->bi_iter.bi_size; 0; }",
     {},
     0,
     0,
     "submit_bio_wait"},
    {"wait-done",
     kTypes,
     "fbt::submit_bio_wait:entry /((self->__dt_wait_bio = args[0]) == 0) |"
     " ((self->__dt_wait_sector = args[0]->bi_iter.bi_sector) == -1) |"
     " ((self->__dt_wait_size = args[0]->bi_iter.bi_size) == -1)/"
     " { (uintptr_t)args[0]; __dt_io_of[args[0]]; args[0]; args[0]->bi_iter.bi_sector; args[0]->bi_iter.bi_size; 0; }"
     " fbt::submit_bio_wait:return /self->__dt_wait_bio != 0/"
     " { (uintptr_t)self->__dt_wait_bio; __dt_io_of[self->__dt_wait_bio]; self->__dt_wait_bio; self->__dt_wait_sector;"
     "   self->__dt_wait_size; (int)self->__dt_wait_bio->bi_status; }",
     {},
     0,
     0,
     "submit_bio_wait"},
};

constexpr std::string_view kNoWaits =
    "no event of Linux reports what a thread waits for, and this kernel cannot probe its functions (submit_bio_wait): "
    "sched:::sleep with curthread->in_iowait fires when a thread waits for a disk";

constexpr AbsentProbe kAbsent[] = {{"wait-start", kNoWaits}, {"wait-done", kNoWaits}};

}  // namespace

std::unique_ptr<Provider> make_io_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("io", kProbes, kernel, kAbsent);
}

}  // namespace dtrace::runtime
