#!/bin/bash
# ASSERTION: Each operation of a client fires the probes of its version once at the start and once when it is done, with the
#   ends of the connection, the file, the bytes and the status.
# SECTION: nfsv3, nfsv4
# @@timeout: 120    @@lock: nfs, pagecache
. ./common.sh
for module in nfsd nfsv3 nfsv4; do load_module $module; done
share=$tmpdir/share mnt=$tmpdir/mnt
mkdir -p "$share" "$mnt" /run/rpcbind
mount -t tmpfs t /var/lib/nfs && mkdir -p /var/lib/nfs/{sm,v4recovery} && touch /var/lib/nfs/{etab,rmtab,state} || exit
mount -t nfsd nfsd /proc/fs/nfsd || exit
rpcbind -w -f &
rpcbind=$!
until rpcinfo -p 127.0.0.1 >/dev/null 2>&1; do sleep 0.1; done
exportfs -o rw,no_root_squash,insecure,no_subtree_check,fsid=0 "127.0.0.1:$share"
rpc.mountd -F -N 2 -p 20048 2>"$tmpdir/mountd" &
mountd=$!
rpc.nfsd 2
stop() {
  umount "$mnt"
  exportfs -ua
  rpc.nfsd 0
  kill $mountd $rpcbind
  umount /proc/fs/nfsd /var/lib/nfs
} >/dev/null 2>&1
trap stop EXIT

work() { # reads and writes five times 64 KB
  head -c 327680 /dev/zero >"$1/file" && sync -f "$1/file" && echo 3 >/proc/sys/vm/drop_caches && cat "$1/file" | wc -c
  mkdir "$1/folder" && rmdir "$1/folder"
  mkdir "$1/absent/folder" 2>/dev/null
  rm "$1/file"
}
export -f work
for version in 3 4; do
  case $version in
    3) options=vers=3,nolock,mountport=20048,mountproto=tcp path=$share makes=op-mkdir removes=op-rmdir ;;
    4) options=vers=4.2 path=/ makes=op-create removes=op-remove ;;
  esac
  echo "version $version"
  mount -t nfs -o $options,port=2049,proto=tcp,rsize=65536,wsize=65536 "127.0.0.1:$path" "$mnt" || exit
  "$dtrace" -q -n "
  nfsv$version:::op-read-*, nfsv$version:::op-write-*
  /args[0]->ci_local == \"127.0.0.1\" && args[0]->ci_remote == \"127.0.0.1\" && args[0]->ci_protocol == \"ipv4\" &&
      args[1]->noi_cred->cr_uid == 0 && args[1]->noi_xid != 0/ {
    @calls[probename, \"calls\"] = count();
    @bytes[probename, \"bytes\"] = sum(args[2]->count);
    @last[probename, \"last at\"] = max(args[2]->offset);
  }
  nfsv$version:::op-read-done, nfsv$version:::op-write-done { @paths[basename(args[1]->noi_curpath), \"is done\"] = count(); }
  nfsv$version:::$removes-start { @started[probename, \"calls\"] = count(); }
  nfsv$version:::$makes-done, nfsv$version:::$removes-done { @ended[probename, args[2]->status] = count(); }
  nfsv$version:::op-lookup-done /args[2]->status != 0/ { @failed[probename, args[2]->status] = max(1); }" \
    -c "bash -c 'work $mnt'" | awk 'NF { $1 = $1; print }' | LC_ALL=C sort
  umount "$mnt"
done
