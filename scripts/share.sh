#!/usr/bin/env bash
# Links programs of a build again, with the code that several of them contain in one library. A package then stores that code once,
# and the programs share it in memory.
#
#   scripts/share.sh debug|release FOLDER NAME…     writes FOLDER/bin/NAME and FOLDER/lib/libscreentime.so
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

if (($# < 3)); then sed --quiet '2,/^set /s/^# \{0,1\}//p' "$0" >&2 && exit 2; fi
built="${root}/.build/$1"
folder="$(realpath --canonicalize-missing -- "$2")"
shift 2
mkdir --parents "${folder}/bin" "${folder}/lib"
lists="$(mktemp --directory)"
trap 'rm --recursive --force "${lists}"' EXIT
cd "${built}"

# The objects of a module that at least three of the programs contain go into the library, all others stay in their programs.
awk -v lists="${lists}" '
    { match($0, /[^\/]+\.build\//); module = substr($0, RSTART, RLENGTH) }
    !((FILENAME, module) in seen) { seen[FILENAME, module]; count[module]++ }
    { object[NR] = $0; of[NR] = module; split(FILENAME, path, ".product/"); program[NR] = path[1] }
    END {
        for (line = 1; line <= NR; line++)
            if (count[of[line]] < 3) print object[line] >(lists "/" program[line])
            else if (!(object[line] in shared)) { shared[object[line]]; print object[line] >(lists "/library") }
    }
' "${@/%/.product\/Objects.LinkFileList}"

# link LIST OUTPUT OPTION…: in a library every public function counts as used, in a program those that it calls.
link() {
    swiftc "@${lists}/$1" -o "$2" -L "${built}" -gnone -use-ld=lld -Xlinker --gc-sections -Xlinker --icf=all \
        -Xlinker --as-needed -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker nocopyreloc "${@:3}"
}

link library "${folder}/lib/libscreentime.so" -emit-library -module-name ScreenTime -Xlinker -Bsymbolic \
    -Xlinker -soname=libscreentime.so
for name in "$@"; do
    # What it loads now, it also needs then; Swift's libraries come by themselves.
    mapfile -t libraries < <(readelf --dynamic --wide "${name}" | sed --quiet 's/.*(NEEDED).*\[\(lib[^]]*\)\]$/-l:\1/p' | grep --invert-match swift)
    link "${name}" "${folder}/bin/${name}" -emit-executable -module-name "${name//-/_}" \
        -Xlinker --defsym -Xlinker "main=${name//-/_}_main" "${folder}/lib/libscreentime.so" "${libraries[@]}"
done
