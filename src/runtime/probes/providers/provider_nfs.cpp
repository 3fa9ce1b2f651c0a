// SPDX-License-Identifier: Apache-2.0
// nfsv3:vmlinux::NAME, nfsv4:vmlinux::NAME: operations that the kernel's NFS server does for its clients. The module
// nfsd reports reads and writes as they are done; of the other operations there is nothing but the functions that do
// them.
//
// Each probe passes the values that nfs.d and net.d list. A read or write that fails before the file is open begins and
// has no end.
#include "runtime/probes/providers/stable_provider.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kTypes3 = "0: conninfo_t *, 1: nfsv3opinfo_t *, 2: nfsop_t *";
constexpr std::string_view kTypes4 = "0: conninfo_t *, 1: nfsv4opinfo_t *, 2: nfsop_t *";

// The values, out of a struct svc_rqst.
// clang-format off
#define VALUES(call, dentry, offset, bytes, status)                                                                  \
  "{ (struct __dt_peer *)&" call "->rq_addr; (struct __dt_nfs_file *)" dentry "; (struct __dt_nfs_call *)" call "; " \
  "(uintptr_t)&" call "->rq_daddr; (uint64_t)ntohl(" call "->rq_xid); (uintptr_t)&" call "->rq_cred; "               \
  "(uint64_t)" offset "; (uint64_t)" bytes "; (int)" status "; }"

#define IO(version, name_, event)                                                                                       \
  {.name = name_, .types = kTypes##version,                                                                            \
   .text = "rawtp:::nfsd_" event " /args[0]->rq_vers == " #version "/ "                                                \
           VALUES("args[0]", "args[1]->fh_dentry", "args[2]", "args[3]", "0"),                                         \
   .tracepoint = "nfsd_" event, .least_args = 4, .module = "nfsd"}
#define READS_AND_WRITES(version)                                                                \
  IO(version, "op-read-start", "read_start"), IO(version, "op-read-done", "read_done"),          \
  IO(version, "op-write-start", "write_start"), IO(version, "op-write-done", "write_done")

// One function for each operation. Results of version 3 begin with the status.
#define V3(operation, done_by)                                                                                  \
  {.name = "op-" operation "-start", .types = kTypes3,                                                               \
   .text = "fbt:nfsd:nfsd3_proc_" done_by ":entry " VALUES("args[0]", "0", "0", "0", "0"),                      \
   .function = "nfsd3_proc_" done_by, .module = "nfsd"},                                                        \
  {.name = "op-" operation "-done", .types = kTypes3,                                                            \
   .text = "fbt:nfsd:nfsd3_proc_" done_by ":entry /(self->__dt_nfs_call = args[0]) == 0/ "                      \
           VALUES("args[0]", "0", "0", "0", "0")                                                                 \
           " fbt:nfsd:nfsd3_proc_" done_by ":return /self->__dt_nfs_call != 0/ "                                \
           VALUES("self->__dt_nfs_call", "0", "0", "0", "ntohl(*(uint32_t *)self->__dt_nfs_call->rq_resp)"),     \
   .function = "nfsd3_proc_" done_by, .module = "nfsd"}

// An operation of a compound. The done_by returns the status.
#define V4(operation, done_by)                                                                                  \
  {.name = "op-" operation "-start", .types = kTypes4,                                                               \
   .text = "fbt:nfsd:" done_by ":entry " VALUES("args[0]", "args[1]->current_fh.fh_dentry", "0", "0", "0"),     \
   .function = done_by, .module = "nfsd"},                                                                      \
  {.name = "op-" operation "-done", .types = kTypes4,                                                            \
   .text = "fbt:nfsd:" done_by ":entry /((self->__dt_nfs_call = args[0]) == 0) | "                              \
           "((self->__dt_nfs_state = args[1]) == 0)/ " VALUES("args[0]", "0", "0", "0", "0")                     \
           " fbt:nfsd:" done_by ":return /self->__dt_nfs_call != 0/ "                                           \
           VALUES("self->__dt_nfs_call", "self->__dt_nfs_state->current_fh.fh_dentry", "0", "0",                 \
                  "ntohl((uint32_t)arg1)"),                                                                      \
   .function = done_by, .module = "nfsd"}

constexpr StableProbe kProbes3[] = {
    READS_AND_WRITES(3),
    V3("null", "null"), V3("getattr", "getattr"), V3("setattr", "setattr"), V3("lookup", "lookup"),
    V3("access", "access"), V3("readlink", "readlink"), V3("create", "create"), V3("mkdir", "mkdir"),
    V3("symlink", "symlink"), V3("mknod", "mknod"), V3("remove", "remove"), V3("rmdir", "rmdir"),
    V3("rename", "rename"), V3("link", "link"), V3("readdir", "readdir"), V3("readdirplus", "readdirplus"),
    V3("fsstat", "fsstat"), V3("fsinfo", "fsinfo"), V3("pathconf", "pathconf"), V3("commit", "commit"),
};

constexpr StableProbe kProbes4[] = {
    READS_AND_WRITES(4),
    V4("access", "nfsd4_access"), V4("close", "nfsd4_close"), V4("commit", "nfsd4_commit"), V4("create", "nfsd4_create"),
    V4("delegreturn", "nfsd4_delegreturn"), V4("getattr", "nfsd4_getattr"), V4("getfh", "nfsd4_getfh"),
    V4("link", "nfsd4_link"), V4("lock", "nfsd4_lock"), V4("lockt", "nfsd4_lockt"), V4("locku", "nfsd4_locku"),
    V4("lookup", "nfsd4_lookup"), V4("lookupp", "nfsd4_lookupp"), V4("nverify", "nfsd4_nverify"), V4("open", "nfsd4_open"),
    V4("open-confirm", "nfsd4_open_confirm"), V4("open-downgrade", "nfsd4_open_downgrade"), V4("putfh", "nfsd4_putfh"),
    V4("putrootfh", "nfsd4_putrootfh"), V4("readdir", "nfsd4_readdir"), V4("readlink", "nfsd4_readlink"),
    V4("release-lockowner", "nfsd4_release_lockowner"), V4("remove", "nfsd4_remove"), V4("rename", "nfsd4_rename"),
    V4("renew", "nfsd4_renew"), V4("restorefh", "nfsd4_restorefh"), V4("savefh", "nfsd4_savefh"),
    V4("secinfo", "nfsd4_secinfo"), V4("setattr", "nfsd4_setattr"), V4("setclientid", "nfsd4_setclientid"),
    V4("setclientid-confirm", "nfsd4_setclientid_confirm"), V4("verify", "nfsd4_verify"),
};
// clang-format on

}  // namespace

std::unique_ptr<Provider> make_nfsv3_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("nfsv3", kProbes3, kernel);
}

std::unique_ptr<Provider> make_nfsv4_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("nfsv4", kProbes4, kernel);
}

}  // namespace dtrace::runtime
