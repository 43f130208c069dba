#!/usr/bin/env bash
# Links the programs of a build again, and moves the code that at least three of them contain into one library. A
# package then stores this code once, and the programs share it in memory.
#
#   scripts/share.sh debug|release FOLDER NAME…     writes FOLDER/bin/NAME and FOLDER/lib/libscreentime.so; needs three names or more
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

if (($# < 5)); then sed --quiet '2,/^set /s/^# \{0,1\}//p' "$0" >&2 && exit 2; fi
configuration="$1"
built="${root}/.build/${configuration}"
folder="$(realpath --canonicalize-missing -- "$2")"
shift 2
mkdir --parents "${folder}/bin" "${folder}/lib"
lists="$(mktemp --directory)"
trap 'rm --recursive --force "${lists}"' EXIT
cd "${built}"

# If at least three of the programs contain a module, its objects go into the library. All other objects stay in their programs.
awk -v lists="${lists}" -v configuration="${configuration}" '
    { module = $0; sub(".*/" configuration "/", "", module); sub(/\.build\/.*/, "", module) }
    !((FILENAME, module) in seen) { seen[FILENAME, module]; count[module]++ }
    { object[NR] = $0; of[NR] = module; split(FILENAME, path, ".product/"); program[NR] = path[1] }
    END {
        for (line = 1; line <= NR; line++)
            if (count[of[line]] < 3) print object[line] >(lists "/" program[line])
            else if (!(object[line] in shared)) { shared[object[line]]; print object[line] >(lists "/library") }
    }
' "${@/%/.product\/Objects.LinkFileList}"

# link LIST OUTPUT OPTION…: links the objects in LIST and removes unused code. A library keeps all public functions. A program
# keeps only the functions that it calls.
link() {
    # shellcheck disable=SC2016  # the loader expands $ORIGIN
    swiftc "@${lists}/$1" -o "$2" -L "${built}" -gnone -use-ld=lld -Xlinker --gc-sections -Xlinker --icf=all \
        -Xlinker --as-needed -Xlinker '-rpath=$ORIGIN/../lib' -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker nocopyreloc "${@:3}"
}

link library "${folder}/lib/libscreentime.so" -emit-library -module-name ScreenTime -Xlinker -Bsymbolic \
    -Xlinker -soname=libscreentime.so
for name in "$@"; do
    # Link the program with the libraries that it already loads. The compiler adds Swift's libraries.
    mapfile -t libraries < <(readelf --dynamic --wide "${name}" | sed --quiet 's/.*(NEEDED).*\[\(lib[^]]*\)\]$/-l:\1/p' | grep --invert-match swift)
    link "${name}" "${folder}/bin/${name}" -emit-executable -module-name "${name//-/_}" \
        -Xlinker --defsym -Xlinker "main=${name//-/_}_main" "${folder}/lib/libscreentime.so" "${libraries[@]}"
done
