#: fmt [--check]    format the C++ sources, or only say which are not formatted (exit 1)

case ${1:-} in
    '') inside bash "$PLATFORM/fmt.sh" -i ;;
    --check) inside bash "$PLATFORM/fmt.sh" --dry-run -Werror ;;
    *) fail "fmt knows only --check" ;;
esac
