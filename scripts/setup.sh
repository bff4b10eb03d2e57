#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing for a group of tasks on Debian or Ubuntu, and nothing else; on other systems it says what is
# missing. Touches neither network nor system when everything is there.
#
#     setup.sh build [test] [check] [bench] [viewer]
set -eu

# task | how to see that it is there | package(s) | what for
needs='
build|command:cc|gcc libc6-dev|C compiler
build|command:cmake|cmake|build system
build|command:ninja|ninja-build|faster builds
build|header:zlib.h|zlib1g-dev|compressed mesh files
test|header:cmocka.h|libcmocka-dev|unit tests
test|header:gmp.h|libgmp-dev|rational oracle of the tests
test|header:cjson/cJSON.h|libcjson-dev|JSON of the tool in tests
test|header:libqhull_r/qhull_ra.h|libqhull-dev|oracle of large hulls
test|command:pkg-config|pkg-config|package tests
test|command:python3|python3|layer check
test|command:clang|clang|sanitizers and fuzzers
test|command:g++|g++|examples as C++17
test|command:nm|binutils|symbol check
check|command:python3|python3|layer check
check|command:nm|binutils|symbol check
check|command:g++|g++|headers as C++17
check|command:clang|clang|second compiler
check|command:clang-format|clang-format|format check
check|command:clang-tidy|clang-tidy|static analysis
check|header:cmocka.h|libcmocka-dev|unit tests
check|header:gmp.h|libgmp-dev|rational oracle of the tests
check|header:cjson/cJSON.h|libcjson-dev|JSON of the tool in tests
check|header:libqhull_r/qhull_ra.h|libqhull-dev|oracle of large hulls
check|command:pkg-config|pkg-config|finds cmocka
bench|command:g++|g++|adapters to peers
bench|header:fcl/fcl.h|libfcl-dev|peer
bench|header:ode/ode.h|libode-dev|peer
bench|header:bullet/btBulletCollisionCommon.h|libbullet-dev|peer
bench|header:libqhull_r/qhull_ra.h|libqhull-dev|peer
bench|header:embree3/rtcore.h|libembree-dev|peer
bench|header:CGAL/Rigid_triangle_mesh_collision_detection.h|libcgal-dev|peer
viewer|command:node|nodejs|runs the bundler
viewer|command:npm|npm|three.js and the bundler
viewer|command:chromium|chromium|browser for the tests of the report
'

# is_there KIND:NAME PACKAGE...
is_there()
{
    case "$1" in
    command:*) command -v "${1#*:}" >/dev/null 2>&1 && return 0 ;;
    header:*) [ -e "/usr/include/${1#*:}" ] && return 0
        { printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <%s>\n' \
            "${1#*:}" | cc -E -x c - -o /dev/null; } >/dev/null 2>&1 && return 0 ;;
    esac
    return 1
}

# install PACKAGE...: as root or through sudo, without questions.
install()
{
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "setup: no apt-get here; please install by hand: $*" >&2
        return 1
    fi
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "setup: neither root nor sudo; please have installed: $*" >&2
            return 1
        fi
        as_root=sudo
    fi
    log=$(mktemp)
    # shellcheck disable=SC2086
    if { $as_root apt-get update -q && $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "$@"; } </dev/null >"$log" 2>&1; then
        rm -f "$log"
    else
        tail -n 5 "$log" >&2
        rm -f "$log"
        echo "setup: could not install: $*" >&2
        return 1
    fi
}

tasks=" $* " packages= reasons=
while IFS='|' read -r task test package reason; do
    case "$tasks" in *" $task "*) ;; *) continue ;; esac
    if [ -n "$task" ] && ! is_there "$test"; then
        case " $packages " in
        *" $package "*) ;;
        *) packages="$packages $package" reasons="$reasons, $package ($reason)" ;;
        esac
    fi
done <<END
$needs
END

if [ -n "$packages" ]; then
    echo "setup: installing ${reasons#, }"
    # shellcheck disable=SC2086
    if ! install $packages; then
        [ "$packages" = " ninja-build" ] || exit 1
        echo "setup: going on with make instead of ninja"
    fi
fi

# clang's fuzzer and sanitizers are a package of their own on some releases, named after the version.
case "$tasks" in
*" test "* | *" check "*)
    if ! echo 'int LLVMFuzzerTestOneInput(const char *d, long n) {return d == 0 && n < 0;}' |
        clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null >/dev/null 2>&1; then
        runtime="libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
        echo "setup: installing $runtime (sanitizers and fuzzers)"
        install "$runtime"
    fi
    ;;
esac
