#!/bin/sh
# SPDX-License-Identifier: MIT
# Plants one violation at a time in a small tree and expects check_trust.py to point at it.
#     trust_script.sh PYTHON SCRIPT
set -eu
python=$1 script=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/docs" "$tree/src/pair/hit" "$tree/src/simd" "$tree/tool" "$tree/tests/pair/hit"

plant()
{
    cat >"$tree/docs/trust.md" <<'END'
# Trust
- a list: that is no field
## src/pair
### equal-poses
- where: `src/pair/hit/query.c`
- holds when: both poses are the same
- why: a bijection
- test: `pair/hit/test_known` (one_case, another_case)
- mutant: `return same(a, b) && regular(a);` => `return same(a, b);`
- mutant: `same(a, b) && ` => ``
END
    printf '/* shortcut: equal-poses */\nreturn same(a, b) && regular(a);\nreturn 1;\n\nreturn 1;\n' >"$tree/src/pair/hit/query.c"
    printf 'one_case another_case\n' >"$tree/tests/pair/hit/test_known.c"
    : >"$tree/src/simd/other.h"
}

plant
"$python" "$script" "$tree" || { echo "a clean tree was refused"; exit 1; }

# expect_violation PLACE REASON, after something was planted
expect_violation()
{
    if "$python" "$script" "$tree" >"$tree/out"; then
        echo "not noticed: $2"
        exit 1
    fi
    grep -q "^$1: .*$2" "$tree/out" || { echo "not named: $2"; cat "$tree/out"; exit 1; }
    plant
}

# edit EXPRESSION: a change of the ledger
edit()
{
    sed "$1" "$tree/docs/trust.md" >"$tree/edited"
    mv "$tree/edited" "$tree/docs/trust.md"
}

printf '/* shortcut: equal-signs */\n' >>"$tree/src/pair/hit/query.c"
expect_violation 'src/pair/hit/query.c:6' 'no entry'
printf '/* shortcut: equal-poses */\n' >"$tree/src/simd/other.h"
expect_violation 'src/simd/other.h:1' 'its entry is about src/pair/hit/query.c'
sed 1d "$tree/src/pair/hit/query.c" >"$tree/edited"
mv "$tree/edited" "$tree/src/pair/hit/query.c"
expect_violation 'docs/trust.md:4' 'no marker'
for field in where 'holds when' why test mutant; do
    edit "/^- $field/d"
    expect_violation 'docs/trust.md:4' "0 lines of \"$field\""
done
edit 's/^- why: .*/- why:  /'
expect_violation 'docs/trust.md:7' 'says nothing'
edit 's/^- why: /- reason: /'
expect_violation 'docs/trust.md:7' 'no such field'
edit 's/query\.c/missing.c/'
expect_violation 'docs/trust.md:5' 'one file of the code'
edit 's/test_known/test_missing/'
expect_violation 'docs/trust.md:8' 'no file tests/pair/hit/test_missing.c'
edit 's/another_case/one_case, third_case/'
expect_violation 'docs/trust.md:8' 'has no third_case'
edit 's/^- test: .*/- test: pair, all of them/'
expect_violation 'docs/trust.md:8' 'a test reads'
edit '9s/same(a, b) &&/same(b, a) \&\&/'
expect_violation 'docs/trust.md:9' 'stands 0 times'
edit '9s/^- mutant: .*/- mutant: `return 1;` => `return 0;`/'
expect_violation 'docs/trust.md:9' 'stands 2 times'
edit '9s/=> .*/=> `return same(a, b) \&\& regular(a);`/'
expect_violation 'docs/trust.md:9' 'changes nothing'
edit '9s/=>/becomes/'
expect_violation 'docs/trust.md:9' 'a mutant reads'
edit 's/^### equal-poses/### Equal_Poses/'
expect_violation 'docs/trust.md:4' 'words-with-hyphens'
sed -n '4,$p' "$tree/docs/trust.md" >"$tree/again"
cat "$tree/again" >>"$tree/docs/trust.md"
expect_violation 'docs/trust.md:11' 'a second entry'
printf '# Trust\n' >"$tree/docs/trust.md"
: >"$tree/src/pair/hit/query.c"
if "$python" "$script" "$tree" >"$tree/out"; then
    echo "an empty ledger was taken"
    exit 1
fi
echo "all planted violations were noticed"
