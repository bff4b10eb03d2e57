#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the README's picture from a real run of the demo.
#     picture.sh GRAZE >docs/demo.svg
set -eu
scripts=$(dirname "$0")
"$scripts/demo.sh" "$1" gears >/dev/null 2>&1
GRAZE_DEMO_COLOURS=1 "$scripts/demo.sh" "$1" turning | "$scripts/terminal_picture.py" "make demo"
