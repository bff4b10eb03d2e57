#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every "$ graze ..." of the README's console blocks, in order, and expects what the README says they print.
#     readme_commands.sh README GRAZE
set -eu
readme=$1
PATH=$(dirname "$2"):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```console$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$readme" >"$work/expected"
cd "$work"
grep '^\$ graze ' expected >commands || { echo "the README shows no command"; exit 1; }
while read -r line; do
    echo "$line"
    eval "${line#\$ }" 2>&1 || [ $? -eq 1 ]
done <commands >printed
diff expected printed
