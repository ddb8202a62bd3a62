# What `cmake --install` puts where:
#   bin/conform             the program; it finds its data from there as ../share/conform
#   share/conform/          cases, spec, adapters, the pytest driver
#   share/                  the man page, completion for bash and zsh, the license and the changelog
#   include/conform/        the headers, under the paths by which the sources include them
#   lib/, lib/cmake/conform the reference loop as a library, for find_package(conform)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Whoever installs or packs has built what is installed: the tests and benchmarks are not part of it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(conform_libraries
  conform_base conform_pattern conform_case conform_model
  conform_platform conform_loop conform_host conform_explore)

# The loop itself, under one name inside of the project and outside. conform::explore is all of it.
add_library(conform_reference INTERFACE)
target_link_libraries(conform_reference INTERFACE conform_loop conform_platform conform_base)
add_library(conform::reference ALIAS conform_reference)

foreach(library ${conform_libraries} conform_reference)
  string(REPLACE "conform_" "" short_name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${short_name})
  target_compile_features(${library} INTERFACE cxx_std_20)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/conform>)
endforeach()

install(TARGETS conform DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS ${conform_libraries} conform_reference EXPORT conformTargets DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT library)
install(EXPORT conformTargets NAMESPACE conform:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/conform
  COMPONENT library)

foreach(folder runners/base runners/model reference-impl/platform reference-impl/loop reference-impl/host
        reference-impl/explore)
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/conform/${folder} COMPONENT library
    FILES_MATCHING PATTERN "*.h")
endforeach()

install(DIRECTORY cases spec adapters DESTINATION ${CMAKE_INSTALL_DATADIR}/conform COMPONENT program
  USE_SOURCE_PERMISSIONS
  PATTERN "__pycache__" EXCLUDE
  PATTERN "node_modules" EXCLUDE
  PATTERN "CMakeLists.txt" EXCLUDE)

install(FILES runners/cli/manual/conform.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES runners/cli/completions/conform.bash RENAME conform COMPONENT program
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES runners/cli/completions/_conform COMPONENT program
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES runners/pytest/conform_pytest.py DESTINATION ${CMAKE_INSTALL_DATADIR}/conform/runners/pytest
  COMPONENT program)

# Debian looks for the license under this name, in each package.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/conform RENAME copyright COMPONENT program)
install(FILES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/conform COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/conform-dev RENAME copyright COMPONENT library)

configure_package_config_file(reference-impl/cmake/conformConfig.cmake.in
  ${PROJECT_BINARY_DIR}/conformConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/conform)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/conformConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/conformConfig.cmake ${PROJECT_BINARY_DIR}/conformConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/conform
  COMPONENT library)

# `cpack` in the build folder makes two Debian packages: conform, and conform-dev with the library.
set(CPACK_GENERATOR DEB)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The conform developers <conform@localhost>")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME conform)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "nodejs, npm, python3-pytest, make, g++")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "conformance suite and comparison harness for event-loop ordering
Runs a catalogue of ordering cases on libuv, Node.js, Bun, Deno and other
event loops, judges what it sees by a model, and compares them.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME conform-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "libyaml-cpp-dev, nlohmann-json3-dev, libfmt-dev")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
  "reference event loop of conform, as a library
The loop that conform explores: phases, timers, handles, ticks and microtasks,
with a real and a simulated clock.")
include(CPack)
