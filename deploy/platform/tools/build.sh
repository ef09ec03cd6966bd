#!/usr/bin/env bash
# build.sh FOLDER: builds the programs that go.mod pins into FOLDER. Runs inside the platform.
set -euo pipefail
folder=$1
cd "$SLUICE_TREE/deploy/platform/tools"

# Debian's Go fetches the newer one that go.mod asks for, as a module. Modules and objects are thrown away: they are 3 GB.
export CGO_ENABLED=0 GOTOOLCHAIN=auto GOFLAGS="-mod=readonly -modcacherw -buildvcs=false -trimpath"
export GOPATH="$folder/work" GOCACHE="$folder/work/objects"

go build -ldflags '-s -w' -o "$folder/helm" helm.sh/helm/v4/cmd/helm
go build -ldflags '-s -w' -o "$folder/helm3" helm.sh/helm/v3/cmd/helm
go build -ldflags '-s -w' -o "$folder/kubeconform" github.com/yannh/kubeconform/cmd/kubeconform
rm -rf "$folder/work"
