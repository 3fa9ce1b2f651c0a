#!/bin/bash
# ASSERTION: Each command of an initiator fires scsi-command and scsi-response once, with both ends, the names, the code of the
#   command, the bytes and the status.
# SECTION: iscsi
# @@timeout: 120    @@lock: iscsi
. ./common.sh
for module in target_core_file iscsi_target_mod iscsi_tcp sd_mod; do load_module $module; done
target=iqn.2003-01.org.example:disk initiator=iqn.2003-01.org.example:client
config=/sys/kernel/config/target
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config || exit
image=/run/iscsi_image # the target keeps it until the machine ends
if [ ! -e $image ]; then
  truncate -s 16M $image
  mkdir -p $config/core/fileio_0/disk $config/iscsi
  echo "fd_dev_name=$image,fd_dev_size=16777216" >$config/core/fileio_0/disk/control
  echo 1 >$config/core/fileio_0/disk/enable
  group=$config/iscsi/$target/tpgt_1
  mkdir $config/iscsi/$target && mkdir $group && mkdir $group/lun/lun_0 $group/np/127.0.0.1:3260 &&
    ln -s $config/core/fileio_0/disk $group/lun/lun_0/disk || exit
  for set in authentication=0 generate_node_acls=1 demo_mode_write_protect=0 cache_dynamic_acls=1; do
    echo ${set#*=} >$group/attrib/${set%=*}
  done
  echo 1 >$group/enable
  iscsistart -i $initiator -t $target -g 1 -a 127.0.0.1 >"$tmpdir/log" 2>&1
fi
until [ -b /dev/sda ] && [ "$(cat /sys/block/sda/size)" = 32768 ]; do sleep 0.1; done
"$dtrace" -ln iscsi::: | awk 'NR > 1 { print $2, $NF }'
"$dtrace" -q -n '
iscsi::: /args[0]->ci_local == "127.0.0.1" && args[0]->ci_remote == "127.0.0.1" && args[0]->ci_protocol == "ipv4" &&
    args[1]->ii_target == "'$target'" && args[1]->ii_initiator == "'$initiator'" && args[1]->ii_lun == 0 &&
    (*args[2]->ic_cdb == 0x28 || *args[2]->ic_cdb == 0x2a)/ {
  @[*args[2]->ic_cdb == 0x28 ? "read" : "write", probename, args[1]->ii_datalen, args[2]->ic_len, args[2]->ic_status] = count();
}' -c "bash -c 'dd if=/dev/sda of=/dev/null bs=64k skip=64 count=4 iflag=direct status=none; dd if=/dev/zero of=/dev/sda bs=128k count=2 oflag=direct status=none'" |
  awk 'NF { $1 = $1; print }' | LC_ALL=C sort
echo 'a command that the target refuses'
cat >"$tmpdir/refused.py" <<'END'
import ctypes
import fcntl
import struct

SG_IO, NO_DATA, UNKNOWN = 0x2285, -1, 0xee
command, sense = ctypes.create_string_buffer(bytes([UNKNOWN, 0, 0, 0, 0, 0]), 6), ctypes.create_string_buffer(32)
header = struct.pack("@iiBBHIPPPIIiPBBBBHHiII", ord("S"), NO_DATA, 6, 32, 0, 0, 0, ctypes.addressof(command), ctypes.addressof(sense),
                     20000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
with open("/dev/sda", "rb", buffering=0) as disk:
    fcntl.ioctl(disk, SG_IO, bytearray(header))
END
"$dtrace" -q -n 'iscsi:::scsi-response /args[2]->ic_status != 0/ { printf("%x: %d\n", *args[2]->ic_cdb, args[2]->ic_status); }' \
  -c "python3 $tmpdir/refused.py" | grep .
