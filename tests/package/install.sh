#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs a build and looks at what came: everything there, and nothing in it that names the folder it was built in
# or installed to. The tree is moved before use, so that all tests on it prove that it can be.
#     install.sh CMAKE BUILD-FOLDER PREFIX
set -eu
cmake=$1 build=$2 prefix=$3
rm -rf "$prefix" "$prefix.first"
"$cmake" --install "$build" --prefix "$prefix.first" >/dev/null
mv "$prefix.first" "$prefix"
cd "$prefix"

expect()
{
    # A pattern, because the library folder is named lib, lib64 or lib/x86_64-linux-gnu.
    find . -path "./$1" | grep -q . || { echo "not installed: $1"; exit 1; }
}
for file in bin/graze include/graze/graze.h include/graze/io.h include/graze/assembly.h 'lib*/libgraze.a' 'lib*/libgraze.so' \
    'lib*/libgraze.so.*.*.*' 'lib*/libgraze_io.a' 'lib*/libgraze_io.so' 'lib*/libgraze_io.so.*.*.*' \
    'lib*/pkgconfig/graze.pc' 'lib*/pkgconfig/graze_io.pc' 'lib*/cmake/graze/grazeConfig.cmake' \
    'lib*/cmake/graze/grazeConfigVersion.cmake' share/man/man1/graze.1 share/doc/graze/LICENSE \
    share/graze/scene.schema.json share/graze/rules.schema.json share/graze/clash-report.schema.json share/graze/shape.schema.json share/doc/graze/examples/scenes/cage.json; do
    expect "$file"
done
[ ! -e include/base ] || { echo "internal headers were installed"; exit 1; }

for folder in "$build" "$prefix"; do
    if grep -rlF "$folder" .; then
        echo "the files above name the folder $folder"
        exit 1
    fi
done
bin/graze --version
