#!/usr/bin/env bash
# fmt.sh CLANG-FORMAT-OPTION…: on every C++ file that git knows or would add. Runs inside the platform.
set -euo pipefail
cd "$SLUICE_TREE"

mapfile -d '' files < <(git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.hpp' '*.h' | sort -zu)
existing=()
for file in "${files[@]}"; do [[ -f $file ]] && existing+=("$file"); done
((${#existing[@]})) || { echo "no C++ files" >&2; exit 1; }
printf '%s\0' "${existing[@]}" | xargs -0 -n 20 -P "$(nproc)" clang-format "$@" || exit 1
echo "${#existing[@]} files looked at"
