# SPDX-License-Identifier: Apache-2.0
# Warnings are errors everywhere; the sanitizers are a property of the whole build.
add_compile_options(-Wall -Wextra)
if(DTRACE_WERROR)
  add_compile_options(-Werror)
endif()
if(DTRACE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(DTRACE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
