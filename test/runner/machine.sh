# SPDX-License-Identifier: Apache-2.0
# What golden scripts must know of the processor. Sourced by bash.
case $(uname -m) in
  aarch64) first_register=R_X0 second_register=R_X1 call_prefix=__arm64_sys_ ;;
  *) first_register=R_RDI second_register=R_RSI call_prefix=__x64_sys_ ;;
esac
