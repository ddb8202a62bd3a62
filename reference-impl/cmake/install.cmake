# What `cmake --install` puts where:
#   bin/conform             the program; it finds its data from there as ../share/conform
#   share/conform/          cases, spec, adapters
#   include/conform/        the headers, under the paths by which the sources include them
#   lib/, lib/cmake/conform the reference loop as a library, for find_package(conform)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(conform_libraries
  conform_base conform_pattern conform_case conform_model
  conform_platform conform_loop conform_host conform_explore)

# One name for all of it, the same inside of the project and outside.
add_library(conform_reference INTERFACE)
target_link_libraries(conform_reference INTERFACE ${conform_libraries})
add_library(conform::reference ALIAS conform_reference)

foreach(library ${conform_libraries} conform_reference)
  string(REPLACE "conform_" "" short_name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${short_name})
  target_compile_features(${library} INTERFACE cxx_std_20)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/conform>)
endforeach()

install(TARGETS conform DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${conform_libraries} conform_reference EXPORT conformTargets DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT conformTargets NAMESPACE conform:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/conform)

foreach(folder runners/base runners/model reference-impl/platform reference-impl/loop reference-impl/host
        reference-impl/explore)
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/conform/${folder} FILES_MATCHING PATTERN "*.h")
endforeach()

install(DIRECTORY cases spec adapters DESTINATION ${CMAKE_INSTALL_DATADIR}/conform
  USE_SOURCE_PERMISSIONS
  PATTERN "__pycache__" EXCLUDE
  PATTERN "node_modules" EXCLUDE
  PATTERN "CMakeLists.txt" EXCLUDE)

configure_package_config_file(reference-impl/cmake/conformConfig.cmake.in
  ${PROJECT_BINARY_DIR}/conformConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/conform)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/conformConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/conformConfig.cmake ${PROJECT_BINARY_DIR}/conformConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/conform)
