#!/bin/sh
# SPDX-License-Identifier: MIT
# Graze's main job on generated data: two gears, at rest and turning, and two cubes a hair apart.
#     demo.sh GRAZE     (colours when the output is a terminal, or with GRAZE_DEMO_COLOURS=1)
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
graze=$(cd "$(dirname "$1")" && pwd)/graze
folder=$(dirname "$graze")/demo
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
PATH=$(dirname "$graze"):$PATH
bold= dim= green= red= plain= colours=${GRAZE_DEMO_COLOURS:-0}
if [ -t 1 ] || [ "$colours" = 1 ]; then
    colours=1 bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
    green=$(printf '\033[32m') red=$(printf '\033[31m')
fi

say()
{
    printf '\n%s%s%s\n' "$dim" "$*" "$plain"
}

# run WORDS...: shows a command and runs it. Exit code 1 means "found", which is no failure.
run()
{
    printf '%s$ %s%s\n' "$bold" "$(echo "$*" | sed 's/ \(-\{0,1\}[0-9.][-0-9. ]*[0-9]\) *$/ "\1"/')" "$plain"
    "$@" || [ $? -eq 1 ]
}

# turns HOW COUNT: poses of gear and pinion while they turn by one tooth. HOW is together or jammed (the gear stands).
turns()
{
    awk -v how="$1" -v count="$2" '
        function rotation(angle, x) {
            return sprintf("%.17g %.17g 0 %.17g  %.17g %.17g 0 %.17g  0 0 1 0", cos(angle), -sin(angle),
                           x - x * cos(angle), sin(angle), cos(angle), -x * sin(angle))
        }
        BEGIN {
            pi = atan2(0, -1); centre = 0.1 * (24 + 16) / 2
            for (i = 0; i <= count; i++)
                print rotation(how == "together" ? 2 * pi / 24 * i / count : 0, 0) "  " \
                      rotation(-2 * pi / 16 * i / count, centre)
        }'
}

# timeline: "index collide pairs" per line becomes a bar per pose, as high as there are pairs of triangles that meet.
timeline()
{
    LC_ALL=C awk -v red="$red" -v green="$green" -v plain="$plain" '
        {pairs[NR] = $3; if ($3 > most) most = $3; hits += $2}
        END {
            printf "  "
            for (i = 1; i <= NR; i++)
                if (pairs[i] == 0) printf "%s.%s", green, plain
                else printf "%s%c%c%c%s", red, 226, 150, 129 + int(7 * pairs[i] / most), plain
            printf "\n  %d poses, %d collide", NR, hits
            if (most) printf ", at most %d pairs of triangles meet", most
            print ""
        }'
}

# picture POSE-OF-PINION [X Y]: both gears from above, and a cross.
picture()
{
    { echo "layer 36" && cat gear.obj && echo "layer 33" && echo "pose $1" && cat pinion.obj && echo "mark ${2:-} ${3:-}"; } |
        LC_ALL=C awk -v columns=72 -v colours="$colours" -f "$scripts/draw.awk"
}

say "Two gears, the second one placed so that its teeth engage."
run graze make gear --teeth 24 -o gear.obj
run graze make gear --teeth 16 --mate 24 -o pinion.obj
run graze check gear.obj pinion.obj

say "They turn by one tooth, in 64 steps: first together, then the pinion alone against a gear that stands still."
turns together 63 >together.txt
turns jammed 63 >jammed.txt
run graze path gear.obj pinion.obj together.txt --count >together.out
head -n 1 together.out && sed 1d together.out | timeline
run graze path gear.obj pinion.obj jammed.txt --count >jammed.out
head -n 1 jammed.out && sed 1d jammed.out | timeline

say "The pinion where it sits worst, and the first pair of triangles that meet there."
worst=$(sed 1d jammed.out | sort -k3,3nr -k1,1n | head -n 1 | cut -d' ' -f1)
pose=$(sed -n "$((worst + 1))p" jammed.txt | awk '{for (i = 13; i <= 24; i++) printf "%s ", $i}')
run graze check gear.obj pinion.obj --pose-b "$pose" --json | tee worst.json
point=$(sed -n 's/.*"point": *\[\([^]]*\)\].*/\1/p' worst.json | tr ',' ' ')
# shellcheck disable=SC2086
set -- $point
picture "$pose" "$1" "$2"

say "No tolerance anywhere: a cube against a cube, moved by neighbouring doubles."
run graze make box -o cube.off
for x in 1.0000000000000002 1 0.99999999999999989; do
    run graze check cube.off cube.off --pose-b "1 0 0 $x  0 1 0 0.25  0 0 1 0.25" | head -n 2
done

say "What is known of a mesh."
run graze make torus -o torus.stl
run graze info torus.stl

printf '\n%sThe files are in %s. Next: graze --help, and README.md for the library.%s\n' "$dim" build/demo "$plain"
