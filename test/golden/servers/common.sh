# SPDX-License-Identifier: Apache-2.0
# Modules of the virtual machine. Sourced.

# load_module NAME: with what it needs. What is there already is no error.
load_module() {
  local name
  for name in $(cat "/run/vm-modules/$1.order") "$1"; do
    [ ! -e "/run/vm-modules/$name.ko" ] || busybox insmod "/run/vm-modules/$name.ko" 2>/dev/null
  done
  [ -e "/sys/module/$1" ] || { echo "cannot load the module $1"; exit 1; }
}
