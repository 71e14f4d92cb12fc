# Shared by the scripts here; sourced, not run.

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# apt WHY PACKAGE…: installs the packages where that is possible, and says what to install where it is not.
apt() {
    why=$1
    shift
    if [ "$(id -u)" != 0 ] || ! have apt-get; then
        die "$why; install it first (on Debian, as root: apt-get install $*)"
    fi
    say "$why: installing $*"
    log=$(mktemp)
    if ! {
        apt-get update -qq &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
    } >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        die "apt-get install $* failed"
    fi
    rm -f "$log"
}
