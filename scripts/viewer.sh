#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the page of reports, viewer/dist/report.html, where npm is at hand and the page is not newer than its sources.
# Without npm, or when that fails, the tool goes without: it says so when asked for --html.
set -eu
cd "$(dirname "$0")/.."
page=viewer/dist/report.html
command -v npm >/dev/null 2>&1 || exit 0
if [ -f "$page" ] && [ -z "$(find viewer/src viewer/report.html viewer/package.json viewer/vite.config.js -newer "$page")" ]; then
    exit 0
fi
echo "viewer: the page of reports, in viewer/dist/"
mkdir -p build
if ! (cd viewer && timeout 600 npm ci --no-audit --no-fund --fetch-timeout=60000 && timeout 600 npm run build) >build/viewer.log 2>&1; then
    echo "viewer: could not be built (build/viewer.log says why); graze goes without pages" >&2
fi
