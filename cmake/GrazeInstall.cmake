# What `cmake --install` puts where: headers, libraries, tool, man page, schemas and examples, CMake package and pkg-config files.
# The tree may be moved afterwards: nothing installed names the prefix.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graze)

# Each library is an export set of its own, so that who wants only the core needs no zlib.
function(graze_install_library name)
    install(TARGETS ${name}_shared ${name}_static EXPORT ${name}_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT ${name}_targets NAMESPACE graze:: DESTINATION ${package_dir})

    file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
    string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

graze_install_library(graze)
graze_install_library(graze_clash)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/graze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "io.h" EXCLUDE PATTERN "assembly.h" EXCLUDE)
if(GRAZE_IO)
    graze_install_library(graze_io)
    install(FILES ${PROJECT_SOURCE_DIR}/include/graze/io.h ${PROJECT_SOURCE_DIR}/include/graze/assembly.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/grazeConfig.cmake.in ${PROJECT_BINARY_DIR}/grazeConfig.cmake
    INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/grazeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/grazeConfig.cmake ${PROJECT_BINARY_DIR}/grazeConfigVersion.cmake
    DESTINATION ${package_dir})

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(GRAZE_TOOL)
    install(TARGETS graze_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ${PROJECT_BINARY_DIR}/graze.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${PROJECT_SOURCE_DIR}/docs/scene.schema.json ${PROJECT_SOURCE_DIR}/docs/rules.schema.json
        ${PROJECT_SOURCE_DIR}/docs/clash-report.schema.json ${PROJECT_SOURCE_DIR}/docs/shape.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/graze)
    install(FILES ${PROJECT_SOURCE_DIR}/docs/scene-format.md ${PROJECT_SOURCE_DIR}/docs/clash-rules.md
        ${PROJECT_SOURCE_DIR}/docs/clash-report.md ${PROJECT_SOURCE_DIR}/docs/shape-format.md
        ${PROJECT_SOURCE_DIR}/docs/certificate-format.md ${PROJECT_SOURCE_DIR}/scripts/verify_certificate.py DESTINATION ${CMAKE_INSTALL_DOCDIR})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
