#!/bin/bash
# ASSERTION: the types of args[] are known where the kernel module with the probes is not loaded, if a description means one list
#   of them.
# SECTION: Providers
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
run -eZn 'nfsv3:::op-read-done { @[args[1]->noi_curpath] = count(); @b = sum(args[2]->count); }'
run -eZn 'nfsv4:::op-*-done { @[args[0]->ci_remote, args[1]->noi_cred->cr_uid] = count(); }'
run -eZn 'iscsi:::scsi-command { @[args[1]->ii_target, args[2]->ic_cdb[0]] = count(); }'
run -eZn 'nfsv3:::op-read-done { trace(args[3]); }'
run -eZn 'nosuch*:::op-read-done { trace(args[1]); }'
