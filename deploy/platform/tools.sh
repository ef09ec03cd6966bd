# Programs that Debian 13 does not have and the Go proxy does: helm (4), helm3, kubeconform. deploy/platform/tools/go.mod pins them.

make_tools() {
    local making="$TOOLS_HOME.making"
    build_tools() {
        rm -rf "$making" && mkdir -p "$making" &&
            (inside bash "$PLATFORM/tools/build.sh" "$making") &&
            mv "$making" "$TOOLS_HOME"
    }
    timed "building helm and kubeconform from Go modules (4 to 10 minutes, once)" build_tools
}

make_or_miss_tools() { once "$TOOLS_HOME" make_tools || say "NO helm and kubeconform: what needs them is not run, and counted as skipped"; }

need_tools() { attended once "$TOOLS_HOME" make_tools; }

# For commands of which only a part needs them; that part says that it was not run.
offer_tools() { attended make_or_miss_tools; }
