#!/bin/sh
# build-packages.sh LIST: what of the platform's packages a release build needs, so that both compile against the same.
# Sections of the list are told apart by their comments; tools that clang, tests and servers need are left out.
set -eu
echo g++ cmake ninja-build ccache pkg-config ca-certificates python3
sed -n '/^# network, text and time/,/^# tests and measurements/{/^#/d;/^$/d;p}' "$1"
