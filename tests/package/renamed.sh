#!/bin/sh
# SPDX-License-Identifier: MIT
# Moves a program with old names by the script of docs/renamed.md and builds it against the installed package.
#     renamed.sh SOURCE-FOLDER BUILD-FOLDER PREFIX COMPILER
set -eu
source=$1 program=$2/renamed prefix=$3 compiler=$4
rm -rf "$program"
mkdir -p "$program"
cat >"$program/old.c" <<'END'
#include <graze/broad.h>
#include <graze/graze.h>
#include <graze/shapes.h>
#include <stdio.h>

int main(void)
{
    graze_mesh *cube = NULL;
    graze_broad *broad = NULL;
    graze_broad_def def = graze_broad_def_default();
    def.method = GRAZE_BROAD_SWEEP;
    graze_scene_def scene_def = graze_scene_def_default();
    scene_def.examine_neighbours = true;
    graze_broad_method_from_name("grid", &def.method);
    if (graze_make_box(NULL, 1, 1, 1, 1, &cube) != GRAZE_STATUS_OK || graze_broad_create(NULL, &def, &broad) != GRAZE_STATUS_OK)
        return 1;
    printf("%s: %zu boxes, %d\n", graze_version(), graze_broad_count(broad), scene_def.examine_neighbours);
    graze_broad_destroy(broad);
    graze_mesh_destroy(cube);
    return 0;
}
END
cd "$source"
awk '/^```sh$/ {on = 1; next} /^```$/ {on = 0} on && !/^git/' docs/renamed.md |
    sed "s|>renamed.sed|>$program/renamed.sed|; s|-f renamed.sed|-f $program/renamed.sed|" >"$program/move.sh"
program=$program sh "$program/move.sh"
library_folder=$(dirname "$(find "$prefix" -name libgraze.a)")
PKG_CONFIG_PATH=$library_folder/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
"$compiler" -std=c17 -Wall -Wextra -Werror "$program/old.c" $(pkg-config --cflags --libs graze) \
    -Wl,-rpath,"$library_folder" -o "$program/moved"
"$program/moved"
