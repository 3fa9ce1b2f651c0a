# SPDX-License-Identifier: Apache-2.0
list(APPEND decoder_llvm x86desc x86info x86disassembler mcdisassembler mc support targetparser)
