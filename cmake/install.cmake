# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. The command finds its D library relative to itself, so the tree may be moved after
# it was installed; a link gives the build tree the same shape, so that one rule serves both.

if(EXISTS ${CMAKE_SOURCE_DIR}/libdtrace-d)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/libdtrace-d ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/dtrace SYMBOLIC)
  file(GLOB library CONFIGURE_DEPENDS libdtrace-d/*.d)
  install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR}/dtrace)
  install(DIRECTORY libdtrace-d/${DTRACE_ARCH} DESTINATION ${CMAKE_INSTALL_LIBDIR}/dtrace)
endif()

if(TARGET dtrace)
  install(TARGETS dtrace RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

  # `#!/usr/sbin/dtrace -s` is how scripts name the command. Systems with one folder for both need no link.
  file(RELATIVE_PATH bin_from_sbin /prefix/${CMAKE_INSTALL_SBINDIR} /prefix/${CMAKE_INSTALL_BINDIR}/dtrace)
  set(link_folder ${CMAKE_BINARY_DIR}/install-links)
  file(MAKE_DIRECTORY ${link_folder})
  file(CREATE_LINK ${bin_from_sbin} ${link_folder}/dtrace SYMBOLIC)
  if(NOT CMAKE_INSTALL_SBINDIR STREQUAL CMAKE_INSTALL_BINDIR)
    install(FILES ${link_folder}/dtrace DESTINATION ${CMAKE_INSTALL_SBINDIR})
  endif()
endif()

# What --serve and --otlp start.
if(DTRACE_HAVE_EXPORTER)
  install(TARGETS dt_exporter RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/dtrace)
endif()

# For programs that embed the tracer.
if(TARGET libdtrace)
  install(TARGETS libdtrace EXPORT DTraceTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT DTraceTargets NAMESPACE DTrace:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/DTrace)
  install(FILES src/tracer/include/dtrace/tracer.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dtrace)
  install(FILES src/capi/include/dtrace.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(FILES src/capi/include/sys/dtrace.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sys)

  # The package of Python, which finds the library from where it lies itself.
  set(DTRACE_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where the Python package is installed, below the prefix")
  file(RELATIVE_PATH library_from_python /prefix/${DTRACE_PYTHON_DIR}/dtrace /prefix/${CMAKE_INSTALL_LIBDIR})
  set(DTRACE_LIBRARY_FROM_PYTHON ${library_from_python}/libdtrace.so.0)
  configure_file(python/dtrace/_where.py.in ${CMAKE_BINARY_DIR}/python/_where.py @ONLY)
  file(GLOB python_sources CONFIGURE_DEPENDS python/dtrace/*.py)
  install(FILES ${python_sources} ${CMAKE_BINARY_DIR}/python/_where.py DESTINATION ${DTRACE_PYTHON_DIR}/dtrace)
endif()

# Whatever is built to be installed, without tests: what `run` builds, so that `cmake --install` works after it.
add_custom_target(installable)
foreach(target dtrace dt_exporter libdtrace)
  if(TARGET ${target})
    add_dependencies(installable ${target})
  endif()
endforeach()

foreach(section 1 3 8)
  file(GLOB man_pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/doc/*.${section})
  install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

# For programs with probes of their own. <sys/sdt.h> is in a folder of its own: the system may have another. A package that
# replaces the other sets the folder to `include`.
set(DTRACE_SDT_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR}/dtrace CACHE STRING
  "Where the folder of <sys/sdt.h> is installed, below the prefix")
install(DIRECTORY usdt/include/sys DESTINATION ${DTRACE_SDT_INCLUDEDIR})
install(FILES usdt/build/DTraceProbes.cmake usdt/build/empty_probes.awk DESTINATION ${CMAKE_INSTALL_DATADIR}/dtrace/cmake)
include(CMakePackageConfigHelpers)
set(DTRACE_CMAKE_DIR ${CMAKE_INSTALL_DATADIR}/dtrace/cmake)
set(DTRACE_INCLUDE_DIR ${DTRACE_SDT_INCLUDEDIR})
configure_package_config_file(usdt/build/DTraceConfig.cmake.in ${CMAKE_BINARY_DIR}/cmake-package/DTraceConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/DTrace PATH_VARS DTRACE_CMAKE_DIR DTRACE_INCLUDE_DIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cmake-package/DTraceConfigVersion.cmake
  COMPATIBILITY AnyNewerVersion)
install(FILES ${CMAKE_BINARY_DIR}/cmake-package/DTraceConfig.cmake
  ${CMAKE_BINARY_DIR}/cmake-package/DTraceConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/DTrace)
install(FILES usdt/build/dtrace.m4 DESTINATION ${CMAKE_INSTALL_DATADIR}/aclocal)
file(RELATIVE_PATH prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
set(DTRACE_SDT_CFLAGS "-I\${includedir}")
if("${CMAKE_INSTALL_PREFIX}/${DTRACE_SDT_INCLUDEDIR}" STREQUAL /usr/include)
  set(DTRACE_SDT_CFLAGS "")  # compilers look there; named, it would come before their own headers
endif()
configure_file(usdt/build/dtrace-usdt.pc.in ${CMAKE_BINARY_DIR}/dtrace-usdt.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/dtrace-usdt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET libdtrace)
  configure_file(src/capi/libdtrace.pc.in ${CMAKE_BINARY_DIR}/libdtrace.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/libdtrace.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(FILES README.md NEWS.md LICENSE doc/tutorial.md doc/cookbook.md doc/flame-graph.md doc/from-bpftrace.md doc/from-solaris.md doc/language.md doc/usdt.md doc/architecture.md doc/output-formats.md doc/json-output.md doc/json-output.schema.json doc/metrics.md doc/recordings.md doc/recording-format.md doc/stability.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES usdt/build/empty_probes.awk DESTINATION ${CMAKE_INSTALL_DOCDIR}/usdt)  # the examples there build without dtrace, too
install(FILES usdt/build/dtrace.m4 DESTINATION ${CMAKE_INSTALL_DOCDIR}/usdt/autoconf)
install(DIRECTORY doc/examples doc/usdt DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS)

include(completions)
include(editors)
include(tools)

# For fleets: files to start from, and the template of a systemd unit.
configure_file(contrib/dtrace@.service.in ${CMAKE_BINARY_DIR}/dtrace@.service @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/dtrace@.service DESTINATION lib/systemd/system)
install(FILES contrib/README.md contrib/daemonset.yaml contrib/grafana-dashboard.json DESTINATION ${CMAKE_INSTALL_DOCDIR}/contrib)
