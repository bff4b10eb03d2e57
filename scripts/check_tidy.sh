#!/bin/sh
# SPDX-License-Identifier: MIT
# Static analysis of everything that is shipped, with the checks of .clang-tidy, several files at a time.
#     check_tidy.sh BUILD-FOLDER   (one with compile_commands.json)
set -eu
cd "$(dirname "$0")/.."
log=$1/tidy.log
files=$(find src tool examples lab -name '*.c' 2>/dev/null || true)
if ! echo "$files" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p "$1" >"$log" 2>&1; then
    grep -vE '^[0-9]+ warnings? generated' "$log"
    exit 1
fi
echo "tidy: $(echo "$files" | wc -l) files are clean"
