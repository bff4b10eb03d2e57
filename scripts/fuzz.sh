#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the fuzzers with clang and runs each of them for a while over its seed corpus. New inputs go to
# build-fuzz/fuzz/corpus, findings to build-fuzz/fuzz/findings.
#
#     fuzz.sh SECONDS [FORMAT...]      formats: stl obj ply off gzip gltf (default: all)
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
scripts/build.sh fuzz -DGRAZE_FUZZ_SECONDS="$seconds"
pattern=$(echo "$*" | tr ' ' '|')
ctest --preset fuzz --parallel "$(nproc)" --tests-regex "^fuzz/($pattern)"
