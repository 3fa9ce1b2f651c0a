// SPDX-License-Identifier: Apache-2.0
// fsinfo:vmlinux::OPERATION: what programs do with open files: args[0] is the file, args[1] the bytes of read and
// write.
//
// By system calls, at their return: so it is about files that have a number, and not about paths that are looked up on
// the way or what the kernel reads by itself. Calls that fail do not fire; what closes a file fires before it is gone.
// Globs stand for the names that 32-bit programs have besides: _llseek, mmap2, sendfile64, ftruncate64.
#include "runtime/probes/providers/stable_provider.h"

#define FILE_AT(n) "__dt_file_at[(int)__dt_syscall_arg" #n "]"
#define BYTES " /(int64_t)arg1 >= 0/ "
#define DONE " /errno == 0/ "
#define ON_FILE(calls, n) calls DONE "{ " FILE_AT(n) "; 0; }"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kTypes = "fileinfo_t *, int";

constexpr StableProbe kProbes[] = {
    {"read", kTypes,
     "syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,"
     " syscall::preadv2:return, syscall::copy_file_range:return" BYTES
     "{ " FILE_AT(0) "; (int)arg1; }"
                     " syscall::sendfile*:return" BYTES "{ " FILE_AT(1) "; (int)arg1; }"},
    {"write", kTypes,
     "syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,"
     " syscall::pwritev2:return, syscall::sendfile*:return" BYTES
     "{ " FILE_AT(0) "; (int)arg1; }"
                     " syscall::copy_file_range:return" BYTES "{ " FILE_AT(2) "; (int)arg1; }"},
    {"open", kTypes,
     "syscall::open:return, syscall::openat:return, syscall::openat2:return, syscall::creat:return" BYTES
     "{ __dt_file_at[(int)arg1]; 0; }"},
    {"close", kTypes, "syscall::close:entry /__dt_file_at[(int)arg0] != NULL/ { __dt_file_at[(int)arg0]; 0; }"},
    {"fsync", kTypes, ON_FILE("syscall::fsync:return, syscall::fdatasync:return", 0)},
    {"seek", kTypes, ON_FILE("syscall::*lseek:return", 0)},
    {"ioctl", kTypes, ON_FILE("syscall::ioctl:return", 0)},
    {"readdir", kTypes, ON_FILE("syscall::getdents:return, syscall::getdents64:return", 0)},
    {"space", kTypes, ON_FILE("syscall::fallocate:return, syscall::ftruncate*:return", 0)},
    {"map", kTypes, "syscall::mmap*:return /errno == 0 && (__dt_syscall_arg3 & 0x20) == 0/ { " FILE_AT(4) "; 0; }"},
};

constexpr AbsentProbe kAbsent[] = {
    {"*",
     "it has read, write, open, close, fsync, seek, ioctl, readdir, space and map, by system calls; for operations "
     "on paths use the system calls, for operations of the kernel its functions (fbt::vfs_*:)"},
};

}  // namespace

std::unique_ptr<Provider> make_fsinfo_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("fsinfo", kProbes, kernel, kAbsent);
}

}  // namespace dtrace::runtime
