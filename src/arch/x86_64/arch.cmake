# SPDX-License-Identifier: Apache-2.0
set(decoder_llvm x86desc x86info x86disassembler mcdisassembler mc support targetparser)
