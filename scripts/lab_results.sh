#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures Graze against the peers that come closest to it and writes down what was found: lab/results/ (results.json,
# plots, README.md with the tables) and the headline table of the README. On a machine that does nothing else --quick
# takes about twelve minutes, everything longer. Nothing is written unless the whole run went well
# and every answer of Graze is the exact one.
#
#     lab_results.sh [OPTION of graze-lab run...]      such as --quick, for a look at how it comes out
#     LAB_WORKLOADS='flight/* mesh/deep' lab_results.sh      only these
set -eu
cd "$(dirname "$0")/.."
work=build/results
results=lab/results

scripts/setup.sh build bench
scripts/build.sh release -DGRAZE_TESTS=OFF -DGRAZE_LAB_PEERS=ON
rm -rf "$work"
mkdir -p "$work"

# Of the growing sizes every other one, of the spheres the larger ones: what the plots need, in the time there is.
# A pipe hides how its first command ended, so that is written down.
{
    # The patterns are the lab's, not the shell's.
    set -f
    # shellcheck disable=SC2086
    build/graze-lab run ${LAB_WORKLOADS:-flight/* spheres/20000/* shells/100000 growth/*/1* mesh/* mated/* build/* \
        distance/* coherent/* boxes/* cage/* assembly/* crossover/*} --peers contenders --seconds 0.25 "$@" \
        --json "$work/results.json" --table "$work/table.md" --plots "$work" || echo "$?" >"$work/failed"
} | tee "$work/log"
[ ! -e "$work/failed" ] || { echo "lab_results: the run failed; nothing is written" >&2; exit 1; }
if grep '"engine":"graze[^"]*"' "$work/results.json" | grep -q '"agrees_with_exact":false'; then
    echo "lab_results: Graze differs from the exact answers; nothing is written" >&2
    exit 1
fi

processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
{
    echo "# Results"
    echo
    echo "Written by \`scripts/lab_results.sh${*:+ $*}\`; [the lab's page](../README.md) says what each workload is, where it comes"
    echo "from and how it is timed. Numbers of every engine: [results.json](results.json)."
    echo
    echo "- processor: ${processor:-unknown}, one thread"
    echo "- compiler: $(cc --version | head -n 1)"
    echo "- Graze: $(git describe --always 2>/dev/null || echo unknown)"
    echo "- peers: $(dpkg-query -W -f '${Package} ${Version}, ' libfcl-dev libode-dev libembree-dev libbullet-dev libcgal-dev 2>/dev/null | sed 's/, $//')"
    echo
    echo "## Headline"
    echo
    cat "$work/table.md"
    echo
    echo "## Plots"
    echo
    for plot in "$work"/*.svg; do
        name=$(basename "$plot")
        echo "![${name%.svg}]($name)"
        echo
    done
} >"$work/README.md"

# The headline of the front page is the same table.
awk -v table="$work/table.md" '
    /<!-- headline -->/ {
        while ((getline line < table) > 0) {
            if (line ~ /<!-- headline -->/) inside = 1
            if (inside) print line
            if (line ~ /<!-- \/headline -->/) break
        }
        skipping = 1
    }
    !skipping { print }
    /<!-- \/headline -->/ { skipping = 0 }' README.md >"$work/front.md"
grep -q '<!-- /headline -->' "$work/front.md" || { echo "lab_results: README.md has no place for the headline" >&2; exit 1; }

mkdir -p "$results"
rm -f "$results"/*.svg
cp "$work"/*.svg "$work/results.json" "$work/README.md" "$results/"
cp "$work/front.md" README.md
echo "lab_results: written to $results/ and README.md"
