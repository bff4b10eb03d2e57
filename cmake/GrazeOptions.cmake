# Options and the flags that every target of ours is built with.
option(GRAZE_TESTS "Build the tests (needs cmocka and GMP)" ON)
option(GRAZE_FUZZ "Build the fuzz targets (needs clang)" OFF)
option(GRAZE_WERROR "Warnings are errors" ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
endif()

# Contraction to fused multiply-add would change results with the instruction set.
function(graze_configure target)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_features(${target} PUBLIC c_std_17)
    set_target_properties(${target} PROPERTIES
        C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE
        -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes
        $<$<BOOL:${GRAZE_WERROR}>:-Werror>)
endfunction()
