#!/bin/sh
# SPDX-License-Identifier: MIT
# All C files must look as .clang-format says. What that means differs a little from version to version; 14 is the one
# that counts, others are not asked.
set -eu
cd "$(dirname "$0")/.."
formatter=
for candidate in clang-format-14 clang-format; do
    if command -v $candidate >/dev/null 2>&1 && $candidate --version | grep -q 'version 14\.'; then
        formatter=$candidate
        break
    fi
done
if [ -z "$formatter" ]; then
    echo "format: skipped, there is no clang-format 14 here"
    exit 0
fi
files=$(find include src tool tests fuzz examples lab -name '*.[ch]' 2>/dev/null || true)
# shellcheck disable=SC2086
$formatter --dry-run -Werror $files
# shellcheck disable=SC2086
echo "format: $(echo $files | wc -w) files are clean"
