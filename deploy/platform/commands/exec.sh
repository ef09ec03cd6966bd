#: exec COMMAND [ARGUMENT…]    run a command inside the platform
#:
#: The tree, the current folder and /tmp are visible under the same paths. Exit code and signals are the command's own.

(($#)) || fail "exec needs a command, for example: ./run exec g++ --version"
offer_servers
inside "$@"
