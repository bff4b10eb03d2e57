#!/bin/sh
# SPDX-License-Identifier: MIT
# Graze's main job on generated data: a gearbox with faults, two gears, at rest and turning, and two cubes a hair apart. Works in the folder
# demo/ beside the tool.
#
#     demo.sh GRAZE [PART...]     parts: gearbox gears turning neighbours facts; default: all
#
# Colours come when the output is a terminal, or with GRAZE_DEMO_COLOURS=1.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
graze=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
folder=$(dirname "$graze")/demo
mkdir -p "$folder"
cd "$folder"
PATH=$(dirname "$graze"):$PATH
exec 3>&1
bold= dim= green= red= plain= colours=${GRAZE_DEMO_COLOURS:-0}
if [ -t 1 ] || [ "$colours" = 1 ]; then
    colours=1 bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
    green=$(printf '\033[32m') red=$(printf '\033[31m')
fi

say()
{
    printf '%s# %s%s\n' "$dim" "$*" "$plain"
}

# run WORDS...: shows a command, with words of several words quoted, and runs it. Exit code 1 means "found", no failure.
run()
{
    shown=
    for word in "$@"; do
        case "$word" in
        *\ *) shown="$shown \"$word\"" ;;
        *) shown="$shown $word" ;;
        esac
    done
    printf '%s$%s%s\n' "$bold" "$shown" "$plain" >&3
    "$@" || [ $? -eq 1 ]
}

# turns HOW: 64 poses of gear and pinion while they turn by one tooth. HOW is together, or jammed (the gear stands).
turns()
{
    awk -v how="$1" '
        function rotation(angle, x) {
            return sprintf("%.6g %.6g 0 %.6g  %.6g %.6g 0 %.6g  0 0 1 0", cos(angle), -sin(angle),
                           x - x * cos(angle), sin(angle), cos(angle), -x * sin(angle))
        }
        BEGIN {
            tooth = 2 * atan2(0, -1)
            for (i = 0; i < 64; i++)
                print rotation(how == "together" ? tooth / 24 * i / 63 : 0, 0) "  " rotation(-tooth / 16 * i / 63, 2)
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
            printf "\n  %d poses, %s%d collide%s", NR, hits ? red : green, hits, plain
            if (most) printf "; where it is worst, %d pairs of triangles meet", most
            print ""
        }'
}

# picture POSE-OF-PINION X Y: both gears from above, and a cross.
picture()
{
    { echo "layer 36" && cat gear.obj && echo "layer 33" && echo "pose $1" && cat pinion.obj && echo "mark $2 $3"; } |
        LC_ALL=C awk -v columns=72 -v colours="$colours" -f "$scripts/draw.awk"
}

show_gears()
{
    say "Two gears, the second one placed so that its teeth engage."
    run graze make gear --teeth 24 -o gear.obj
    run graze make gear --teeth 16 --mate 24 --thickness 0.3 -o pinion.obj
    run graze check gear.obj pinion.obj
    echo
}

show_turning()
{
    turns together >together.txt
    turns jammed >jammed.txt
    say "Both turn by one tooth, in 64 poses; then the pinion alone, against a gear that stands still."
    run graze path gear.obj pinion.obj together.txt --count | timeline
    run graze path gear.obj pinion.obj jammed.txt --count >jammed.out
    timeline <jammed.out
    worst=$(sort -k3,3nr -k1,1n jammed.out | head -n 1 | cut -d' ' -f1)
    pose=$(sed -n "$((worst + 1))s/.*0 0 1 0  //p" jammed.txt)
    say "Where it is worst, with the point where the first two triangles meet."
    run graze check gear.obj pinion.obj --pose-b "$pose"
    point=$(graze check gear.obj pinion.obj --pose-b "$pose" --json |
        sed -n 's/.*"point": *\[\([^]]*\)\].*/\1/p' | tr ',' ' ')
    echo
    # shellcheck disable=SC2086
    picture "$pose" $point
    echo
}

show_neighbours()
{
    say "No tolerance anywhere: two cubes, moved together by the smallest steps that numbers have."
    run graze make box -o cube.off
    for x in 1.0000000000000002 1 0.99999999999999989; do
        run graze check cube.off cube.off --pose-b "1 0 0 $x  0 1 0 0.25  0 0 1 0.25" |
            grep -E '^(no )?collision|^  (crossing|touching)'
    done
    say "For a program, as JSON."
    run graze check cube.off cube.off --pose-b "1 0 0 1  0 1 0 0.25  0 0 1 0.25" --json
    echo
}

show_facts()
{
    say "What is known of a mesh."
    run graze make torus -o torus.stl
    run graze info torus.stl
    echo
}

show_gearbox()
{
    say "A gearbox of 43 parts, with faults of every kind: what clashes, touches or comes too close?"
    cp "$scripts/../examples/clash/gearbox.json" "$scripts/../examples/clash/gearbox-rules.json" .
    run graze clash gearbox.json --rules gearbox-rules.json --clearance 0.15
    if graze clash gearbox.json --rules gearbox-rules.json --clearance 0.15 --quiet --html gearbox.html >/dev/null 2>&1 ||
        [ $? -eq 1 ]; then
        say "The same to look at: $folder/gearbox.html"
    fi
    echo
}

[ $# -gt 0 ] || set -- gearbox gears turning neighbours facts
for part in "$@"; do
    "show_$part"
done
