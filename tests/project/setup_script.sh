#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs setup.sh on a pretended machine: a PATH that holds only chosen commands, and an apt-get that writes down what it
# is asked. Nothing is installed.
#     setup_script.sh SCRIPT
set -eu
script=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bin=$work/bin asked=$work/asked
mkdir "$bin"
# pretend NAME CODE: puts a command of that name into the PATH.
pretend()
{
    rm -f "$bin/$1"
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# setup TASKS...: runs the script on that machine and leaves in $asked what it wanted from apt-get.
setup()
{
    : >"$asked"
    PATH=$bin sh "$script" "$@" >"$work/said" 2>&1
}

# expect TEXT FILE
expect()
{
    grep -qF -e "$1" "$2" || { echo "expected '$1' in:"; cat "$2"; exit 1; }
}

for command in sh env cat mktemp rm tail cut; do
    ln -s "$(command -v $command)" "$bin/$command"
done
for command in cc cmake ninja pkg-config python3 clang nm g++ clang-format clang-tidy; do
    pretend $command 'exit 0'
done
pretend id 'echo 0'
pretend apt-get "echo \"\$*\" >>$asked"

setup build test check
if [ -s "$asked" ] || [ -s "$work/said" ]; then
    echo "nothing is missing, and yet:" && cat "$asked" "$work/said"
    exit 1
fi

rm "$bin/ninja" "$bin/clang-tidy"
setup build
expect "install -q -y --no-install-recommends ninja-build" "$asked"
expect "setup: installing ninja-build (faster builds)" "$work/said"
[ "$(wc -l <"$asked")" -eq 2 ] || { echo "one update and one install were expected:"; cat "$asked"; exit 1; }
setup build check
expect "--no-install-recommends ninja-build clang-tidy" "$asked"

# Another user goes through sudo, or is told what is missing.
pretend id 'echo 1000'
pretend sudo "echo \"sudo \$*\" >>$asked"
setup build
expect "sudo apt-get update" "$asked"
expect "sudo env DEBIAN_FRONTEND=noninteractive apt-get install" "$asked"
rm "$bin/sudo"
if setup check; then
    echo "missing clang-tidy and no way to get it, and yet no failure"
    exit 1
fi
expect "please have installed: clang-tidy" "$work/said"
# Ninja is a convenience: the build goes on without it.
setup build
echo "setup.sh asks for what is missing, and only for that"
