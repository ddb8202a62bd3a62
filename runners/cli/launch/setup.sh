# What the launchers share: what has to be installed, and how a preset is built. Sourced, with `root` set to the top of
# the sources. Everything here speaks on stderr, because stdout belongs to the program that is launched.

kHarnessTrouble=3  # the exit code for "conform itself could not do its work"

build_packages=(
  g++ cmake ninja-build pkg-config
  libuv1-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libfmt-dev
  libgtest-dev libgmock-dev libbenchmark-dev
)

say() { printf '%s\n' "$*" >&2; }

give_up() {
  say "conform: $*"
  exit "$kHarnessTrouble"
}

# require_packages NAME…: installs the Debian packages that are missing, or names them all in one line.
require_packages() {
  local -a missing=() as_root=()
  local name
  if ! command -v dpkg-query >/dev/null; then
    return 0  # not Debian: the configuration step says what it does not find
  fi
  for name in "$@"; do
    is_there "$name" || missing+=("$name")
  done
  ((${#missing[@]})) || return 0

  if ((EUID != 0)); then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || give_up "please install these Debian packages: ${missing[*]}"
  fi
  say "conform: installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! install_packages "${missing[@]}" >"$log" 2>&1 </dev/null; then
    cat -- "$log" >&2
    rm -f -- "$log"
    give_up "please install these Debian packages: ${missing[*]}"
  fi
  rm -f -- "$log"
}

# is_there PACKAGE: a tool counts wherever it comes from, a library as a package.
is_there() {
  case $1 in
    g++ | cmake | npm | pkg-config) command -v "$1" >/dev/null && return ;;
    ninja-build) command -v ninja >/dev/null && return ;;
  esac
  # One line for each architecture it is known for.
  dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Called by require_packages alone, whose as_root it uses. The lists of a fresh machine are empty, and old ones may name
# what is no longer there; fetching them takes long, so it is done only when they turn out to be of no use.
install_packages() {
  local -a install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends)
  "${install[@]}" "$@" || { "${as_root[@]}" apt-get update && "${install[@]}" "$@"; }
}

# is_current PROGRAM: is it built, here, and newer than every source? Folders count as well: one that is newer has
# gained or lost a file. This is all that a launch costs when nothing has changed.
is_current() {
  local stamp=$root/build/release/.built
  [[ -x $1 && -f $stamp && $(<"$stamp") == "$root" ]] || return 1
  [[ -z $(find "$root/CMakeLists.txt" "$root/CMakePresets.json" "$root/runners" "$root/reference-impl" "$root/reports" \
    "$root/adapters" -name __pycache__ -prune -o -newer "$stamp" -print -quit 2>&1) ]]
}

# build_program PROGRAM: brings the program up to date. Of two launches at once, the second waits and finds it built.
build_program() {
  require_packages "${build_packages[@]}"
  lock_builds release
  if ! is_current "$1" && ! build_preset release conform; then
    print_build_log release
    exit "$kHarnessTrouble"
  fi
  unlock_builds
}

# lock_builds PRESET: two presets may be built at the same time, one preset only once.
lock_builds() {
  mkdir -p -- "$root/build" 2>/dev/null || true
  [[ -w $root/build ]] || give_up "cannot write to $root/build"
  exec {build_lock}>"$root/build/.$1.lock"
  if ! flock -n "$build_lock"; then
    say "conform: waiting for another build to end"
    flock "$build_lock"
  fi
}

# Also keeps the lock from being inherited by the program that is launched.
unlock_builds() { exec {build_lock}>&-; }

# build_preset NAME TARGET…: configures where needed and builds. What it would print goes to build/NAME.log; on a
# terminal, one line shows how far it is. False when it fails.
build_preset() {
  local preset=$1 folder=$root/build/$1 log=$root/build/$1.log
  shift
  : >"$log"
  mkdir -p -- "$folder"
  printf '%s\n' "$root" >"$folder/.built.new"  # older than whatever is edited while the build runs
  # A tree that was moved or copied has the old place written all over its build folder.
  if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf -- "$folder/CMakeCache.txt" "$folder/CMakeFiles"
  fi
  if [[ ! -f $folder/build.ninja || ! -f $folder/CMakeCache.txt ]]; then
    (cd -- "$root" && cmake --preset "$preset") >>"$log" 2>&1 </dev/null || return 1
  fi
  NINJA_STATUS='[%f/%t] ' cmake --build "$folder" --target "$@" 2>&1 </dev/null | show_progress "$preset" "$log" ||
    return 1
  mv -f -- "$folder/.built.new" "$folder/.built"
}

show_progress() {
  local line shown=
  while IFS= read -r line || [[ -n $line ]]; do
    printf '%s\n' "$line" >>"$2"
    if [[ -t 2 && $line =~ ^\[([0-9]+/[0-9]+)\] ]]; then
      printf '\r\033[Kconform: building %s %s' "$1" "${BASH_REMATCH[1]}" >&2
      shown=1
    fi
  done
  if [[ -n $shown ]]; then printf '\r\033[K' >&2; fi
}

# The log without the lines that only count.
print_build_log() {
  local log=$root/build/$1.log
  grep -vE '^\[[0-9]+/[0-9]+\] ' -- "$log" >&2 || true
  say "conform: building failed; the whole log is in $log"
}
