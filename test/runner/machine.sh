# SPDX-License-Identifier: Apache-2.0
# What golden scripts must know of the processor. Sourced by bash.
# call_prefix: of the kernel's functions for system calls. NAME_call: the call's number; poll_call is what poll(3) calls.
case $(uname -m) in
  aarch64)
    first_register=R_X0 second_register=R_X1 call_prefix=__arm64_sys_
    read_call=63 write_call=64 poll_call=73 getppid_call=173
    ;;
  *)
    first_register=R_RDI second_register=R_RSI call_prefix=__x64_sys_
    read_call=0 write_call=1 poll_call=7 getppid_call=110
    ;;
esac
