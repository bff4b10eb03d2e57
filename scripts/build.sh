#!/bin/sh
# SPDX-License-Identifier: MIT
# Configures and builds one preset of CMakePresets.json, quietly unless it fails. The tests are left out unless
# asked for, so that building and installing need no test libraries.
#
#     build.sh PRESET [-DNAME=VALUE...]
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
folder=build-$preset
[ "$preset" != release ] || folder=build
jobs=$(nproc 2>/dev/null || echo 2)

# The generator of an existing folder stays; a new one gets ninja where there is ninja.
generator=Ninja
command -v ninja >/dev/null 2>&1 || generator="Unix Makefiles"
if [ -f "$folder/CMakeCache.txt" ]; then
    generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$folder/CMakeCache.txt")
fi

echo "build: $preset, in $folder/"
mkdir -p "$folder"
if ! { cmake --preset "$preset" -G "$generator" "$@" && cmake --build "$folder" --parallel "$jobs"; } \
    >"$folder/build.log" 2>&1; then
    cat "$folder/build.log"
    echo "build: $preset failed" >&2
    exit 1
fi
