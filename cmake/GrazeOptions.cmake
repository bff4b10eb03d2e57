# Options, and the flags that every target of ours is built with. Nothing here touches the targets of a project
# that includes Graze through add_subdirectory: all flags belong to targets, none to the directory.
option(GRAZE_IO "Build libgraze_io, which reads and writes mesh files (needs zlib)" ON)
option(GRAZE_TOOL "Build the command-line tool (needs GRAZE_IO)" ${PROJECT_IS_TOP_LEVEL})
# By default tests are built where everything they need is installed.
find_path(GRAZE_CMOCKA_INCLUDE cmocka.h)
find_path(GRAZE_GMP_INCLUDE gmp.h)
find_path(GRAZE_CJSON_INCLUDE cjson/cJSON.h)
find_program(GRAZE_PKG_CONFIG pkg-config)
mark_as_advanced(GRAZE_CMOCKA_INCLUDE GRAZE_GMP_INCLUDE GRAZE_CJSON_INCLUDE GRAZE_PKG_CONFIG)
set(graze_tests_default OFF)
if(PROJECT_IS_TOP_LEVEL AND GRAZE_CMOCKA_INCLUDE AND GRAZE_GMP_INCLUDE AND GRAZE_CJSON_INCLUDE AND GRAZE_PKG_CONFIG)
    set(graze_tests_default ON)
endif()
option(GRAZE_TESTS "Build the tests (needs GRAZE_TOOL, cmocka, GMP, cJSON and pkg-config)" ${graze_tests_default})
option(GRAZE_FUZZ "Build the fuzzers (needs clang with libFuzzer)" OFF)
option(GRAZE_BENCH "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(GRAZE_LAB_PEERS "Let the benchmarks compare with the collision libraries that are installed (needs C++)" OFF)
option(GRAZE_INSTALL "Create the install target" ${PROJECT_IS_TOP_LEVEL})
option(GRAZE_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})
option(GRAZE_COVERAGE "Count the lines that run (gcov)" OFF)
set(GRAZE_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined")

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
endif()

set(graze_instrument_flags "")
if(GRAZE_SANITIZE)
    list(APPEND graze_instrument_flags -fsanitize=${GRAZE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
endif()
if(GRAZE_FUZZ)
    list(APPEND graze_instrument_flags -fsanitize=fuzzer-no-link)
endif()
if(GRAZE_COVERAGE)
    list(APPEND graze_instrument_flags --coverage)
endif()

# How every target of ours is compiled. Contraction to fused multiply-add would change results with the
# instruction set, so it is off everywhere.
function(graze_configure target)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE
        -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes
        $<$<BOOL:${GRAZE_WERROR}>:-Werror> ${graze_instrument_flags})
    target_link_options(${target} PRIVATE ${graze_instrument_flags})
endfunction()

# Sources of a library, compiled once for both its variants.
function(graze_add_objects target)
    add_library(${target} OBJECT ${ARGN})
    graze_configure(${target})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()

# graze_add_library(NAME SOURCES objects... [SHARED_SOURCES objects...] [STATIC_SOURCES objects...] [USES library]
#     [LIBRARIES private...])
# makes NAME_shared and NAME_static, known outside as graze::<short> and graze::<short>_static, where <short>
# is NAME without a leading "graze_". USES names another library of ours whose headers NAME's headers include.
function(graze_add_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "USES" "SOURCES;SHARED_SOURCES;STATIC_SOURCES;LIBRARIES")
    string(REGEX REPLACE "^graze_" "" short ${name})

    add_library(${name}_shared SHARED ${arg_SOURCES} ${arg_SHARED_SOURCES})
    add_library(${name}_static STATIC ${arg_SOURCES} ${arg_STATIC_SOURCES})
    set_target_properties(${name}_shared PROPERTIES EXPORT_NAME ${short}
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    set_target_properties(${name}_static PROPERTIES EXPORT_NAME ${short}_static)
    foreach(variant shared static)
        set_target_properties(${name}_${variant} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C)
        graze_configure(${name}_${variant})
        target_link_libraries(${name}_${variant} PRIVATE ${arg_LIBRARIES})
        if(arg_USES)
            target_link_libraries(${name}_${variant} PUBLIC ${arg_USES}_${variant})
        endif()
    endforeach()
    # Every symbol must be found now, not when a user's program starts (sanitizers bring theirs later).
    if(NOT GRAZE_SANITIZE)
        target_link_options(${name}_shared PRIVATE LINKER:-z,defs)
    endif()
    target_compile_definitions(${name}_static INTERFACE GRAZE_STATIC)

    add_library(graze::${short} ALIAS ${name}_shared)
    add_library(graze::${short}_static ALIAS ${name}_static)
endfunction()
