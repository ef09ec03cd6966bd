# Python packages that Debian 13 does not have: schemathesis. deploy/platform/python/requirements.txt pins them.

# By the host's pip, since the platform has none; for the platform's Python.
make_python() {
    local making="$PYTHON_HOME.making" platforms=(--platform manylinux_2_28_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64)
    install_python() {
        rm -rf "$making" &&
            python3 -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
                --python-version 3.13 --implementation cp --abi cp313 --abi abi3 --abi none "${platforms[@]}" \
                --target "$making" -r "$PLATFORM/python/requirements.txt" &&
            mv "$making" "$PYTHON_HOME"
    }
    timed "installing schemathesis" install_python
}

make_or_miss_python() { once "$PYTHON_HOME" make_python || say "NO schemathesis: what needs it is not run, and counted as skipped"; }
