# SPDX-License-Identifier: Apache-2.0
# The tools: D scripts in one folder with the file that runs them, a link to that for each, and the manual pages, which awk
# writes from the scripts' first comments.
file(GLOB tool_scripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/*.d)
set(tool_folder ${CMAKE_INSTALL_DATADIR}/dtrace/tools)
install(FILES ${tool_scripts} DESTINATION ${tool_folder})
install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/dtrace-tool DESTINATION ${tool_folder})
install(FILES ${CMAKE_SOURCE_DIR}/tools/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/tools)

find_program(AWK_EXECUTABLE NAMES mawk gawk awk REQUIRED)
set(tool_pages ${CMAKE_BINARY_DIR}/tool-pages)
set(tool_links ${CMAKE_BINARY_DIR}/tool-links)
file(MAKE_DIRECTORY ${tool_pages} ${tool_links})
file(RELATIVE_PATH runner_from_sbin /prefix/${CMAKE_INSTALL_SBINDIR} /prefix/${tool_folder}/dtrace-tool)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tool_scripts} ${CMAKE_SOURCE_DIR}/tools/man.awk)
foreach(script ${tool_scripts})
  get_filename_component(tool ${script} NAME)
  execute_process(COMMAND ${AWK_EXECUTABLE} -f ${CMAKE_SOURCE_DIR}/tools/man.awk ${script}
    OUTPUT_FILE ${tool_pages}/${tool}.8 COMMAND_ERROR_IS_FATAL ANY)
  file(CREATE_LINK ${runner_from_sbin} ${tool_links}/${tool} SYMBOLIC)
  install(FILES ${tool_links}/${tool} DESTINATION ${CMAKE_INSTALL_SBINDIR})
  install(FILES ${tool_pages}/${tool}.8 DESTINATION ${CMAKE_INSTALL_MANDIR}/man8)
endforeach()
