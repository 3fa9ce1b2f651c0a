// SPDX-License-Identifier: Apache-2.0
// iscsi:vmlinux::NAME: commands that the kernel's iSCSI target gets, and its responses. The kernel reports where its
// target begins with a command and where it has done it, for every transport that it serves.
#include "runtime/probes/providers/stable_provider.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kTypes = "0: conninfo_t *, 1: iscsiinfo_t *, 2: scsicmd_t *";

// The first connection of the session; nearly all sessions have one.
// clang-format off
#define CONNECTION                                                                                                     \
  "((struct iscsi_target_mod`iscsit_conn *)((uintptr_t)((struct iscsi_target_mod`iscsit_session *)"                    \
  "args[0]->se_sess->fabric_sess_ptr)->sess_conn_list.next - offsetof(struct iscsi_target_mod`iscsit_conn, conn_list)))"

// The values that iscsi.d and net.d list.
#define PROBE(is, event)                                                                                               \
  {.name = is, .types = kTypes,                                                                                        \
   .text = "rawtp:::" event " /stringof(args[0]->se_tfo->fabric_name) == \"iSCSI\"/ "                                  \
           "{ (struct __dt_peer *)&" CONNECTION "->login_sockaddr; (struct __dt_iscsi *)args[0]; "                     \
           "(struct __dt_scsi *)args[0]->t_task_cdb; (uintptr_t)&" CONNECTION "->local_sockaddr; "                     \
           "(uintptr_t)&args[0]->se_sess->se_node_acl->initiatorname[0]; "                                             \
           "(uintptr_t)args[0]->se_sess->se_tpg->se_tpg_wwn->wwn_group.cg_item.ci_name; "                              \
           "(uint64_t)args[0]->orig_fe_lun; (uint64_t)args[0]->data_length; (int)args[0]->scsi_status; }",             \
   .module = "iscsi_target_mod"}
// clang-format on

constexpr StableProbe kProbes[] = {
    PROBE("scsi-command", "target_sequencer_start"),
    PROBE("scsi-response", "target_cmd_complete"),
};

constexpr AbsentProbe kAbsent[] = {
    {"*", "the kernel's iSCSI target reports commands and responses: iscsi:::scsi-command, iscsi:::scsi-response"}};

}  // namespace

std::unique_ptr<Provider> make_iscsi_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("iscsi", kProbes, kernel, kAbsent);
}

}  // namespace dtrace::runtime
