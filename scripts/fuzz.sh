#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the fuzzers with clang and runs each of them for a while over its seed corpus. New inputs go to
# build-fuzz/fuzz/corpus, findings to build-fuzz/fuzz/findings.
#
#     fuzz.sh SECONDS [NAME...]      formats: stl obj ply off gzip gltf shape certificate; differential: pair scene clash shape_pair motion
#                                    (default: all)
#
# A differential finding says which promise is broken and prints meshes and poses as C arrays, for a test under
# tests/repro. Run the fuzzer with the file of a finding, and with GRAZE_FUZZ_SHOW=1 in the environment after a crash, to
# see them again. Before a change to decisions is done: fuzz.sh 3600 pair scene clash shape_pair motion.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
scripts/build.sh fuzz -DGRAZE_FUZZ_SECONDS="$seconds" -DGRAZE_FUZZ_DIFFERENTIAL_SECONDS="$seconds" -DGRAZE_FUZZ_SEED=0 -DGRAZE_FUZZ_RUNS=-1 \
    -DGRAZE_FUZZ_DIFFERENTIAL_RUNS=-1
pattern=$(echo "$*" | tr ' ' '|')
ctest --preset fuzz --parallel "$(nproc)" --tests-regex "^fuzz/(${pattern:-.*})\$"
