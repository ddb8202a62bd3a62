# What the launchers share: what has to be installed, and how a preset is built. Sourced, with `root` set to the top of
# the sources. Everything here speaks on stderr, because stdout belongs to the program that is launched.

kHarnessTrouble=3     # the exit code for "conform itself could not do its work"
kFirstBuildCpuS=155   # what the first build of the program takes, as measured on one machine; only for announcing it
kAptLockS=600         # how long to wait for somebody else's apt, as a machine runs one after it was started
kProgressIntervalS=15 # between two lines of progress, away from a terminal

with_tests=OFF  # whether tests and benchmarks are configured; a launch needs neither them nor their libraries

# What the program is built from.
build_packages=(
  g++ cmake ninja-build pkg-config
  libuv1-dev libyaml-cpp-dev nlohmann-json3-dev libsimdjson-dev libcli11-dev libfmt-dev
)

# What the tests need beside that, and beside what the adapters need (adapter_needs).
test_packages=(
  libgtest-dev libgmock-dev libbenchmark-dev
  python3 python3-pytest python3-pytest-xdist python3-yaml python3-jsonschema python3-junitparser
  clang clang-format curl dpkg-dev file git libclang-rt-dev libxml2-utils man-db nodejs npm perl procps spin zsh
)

# adapter_needs small|large: a line "NAME PACKAGE…" for each implementation, from the `install:` lines of the adapters.
# Those followed by `large: true` are large, all others small.
adapter_needs() {
  { cat -- "$root"/adapters/*/adapter.yaml 2>/dev/null || true; } | awk -v wanted="$1" '
    function flush() { if (packages != "" && size == wanted) print name, packages; packages = ""; size = "small" }
    /^name: / { flush(); name = $2 }
    /^  [^ ]+:$/ { flush(); name = substr($1, 1, length($1) - 1) }
    /^ *install: / { packages = $0; sub(/^ *install: */, "", packages) }
    /^ *large: true$/ { size = "large" }
    END { flush() }'
}

say() { printf '%s\n' "$*" >&2; }

give_up() {
  say "conform: $*"
  exit "$kHarnessTrouble"
}

# require_packages NAME…: installs the Debian packages that are missing, or names them all in one line.
require_packages() {
  find_missing "$@"
  install_missing
}

# find_missing NAME…: sets `missing`, and gives up where they cannot be installed.
find_missing() {
  local name
  missing=()
  as_root=()
  if ! command -v dpkg-query >/dev/null; then
    return 0  # not Debian: the configuration step says what it does not find
  fi
  for name in $(printf '%s\n' "$@" | sort -u); do
    is_there "$name" || missing+=("$name")
  done
  if ((${#missing[@]} && EUID != 0)); then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || give_up "please install these Debian packages: ${missing[*]}"
  fi
}

install_missing() {
  local log
  ((${#missing[@]})) || return 0
  say "conform: installing ${missing[*]}"
  log=$(mktemp)
  if ! install_packages "${missing[@]}" 2>&1 </dev/null | show_progress installing "$log"; then
    sed '1,/^trying again$/d' -- "$log" | grep -E '^(E|W|Err|dpkg):' | tail -n 20 >&2 || true
    say "conform: the packages could not be installed; the whole log is in $log"
    give_up "please install these Debian packages: ${missing[*]}"
  fi
  rm -f -- "$log"
}

# is_there PACKAGE: a tool counts wherever it comes from, a library as a package. One whose installation was cut off is
# not there, although its files may be.
is_there() {
  local states  # a line for each architecture it is known for
  states=$(dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null) || true
  case $'\n'$states$'\n' in
    *$'\ninstalled\n'*) return 0 ;;
    *$'\nunpacked\n'* | *$'\nhalf-'*) return 1 ;;
  esac
  case $1 in
    g++ | cmake | npm | pkg-config) command -v "$1" >/dev/null ;;
    ninja-build) command -v ninja >/dev/null ;;
    nodejs) command -v node >/dev/null ;;
    *) return 1 ;;
  esac
}

# Called by install_missing alone. The lists of a fresh machine are empty, and old ones may name what is gone; fetching
# them takes long, so it is done only when they turn out to be of no use. An earlier installation may have been cut off:
# dpkg then has to be told to continue, and apt wants to repair before it installs anything else.
install_packages() {
  local -a quiet=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive)
  local -a install=("${quiet[@]}" apt-get install -y --no-install-recommends -o "DPkg::Lock::Timeout=$kAptLockS")
  "${install[@]}" "$@" && return
  echo "trying again"
  "${quiet[@]}" dpkg --configure -a || true
  "${as_root[@]}" apt-get update -o APT::Update::Error-Mode=any && "${install[@]}" --fix-broken && "${install[@]}" "$@"
}

sources=(CMakeLists.txt CMakePresets.json runners reference-impl reports adapters)  # what a build may read

# is_current PROGRAM: is it built, here, and newer than every source? Folders count as well: one that is newer has
# gained or lost a file. This is all that a launch costs when nothing has changed.
is_current() {
  local stamp=$root/build/release/.built
  [[ -x $1 && -f $stamp && $(<"$stamp") == "$root" ]] || return 1
  [[ -z $(find "${sources[@]/#/$root/}" -name __pycache__ -prune -o -newer "$stamp" -print -quit 2>&1) ]]
}

announce_first_build() {
  local minutes=$(((kFirstBuildCpuS / $(nproc) + 59) / 60)) s=s
  ((minutes > 1)) || s=
  say "conform: building, about $minutes minute$s the first time"
}

# build_program PROGRAM: brings the program up to date. Of two launches at once, the second waits and finds it built.
build_program() {
  find_missing "${build_packages[@]}"
  [[ -x $1 ]] || announce_first_build
  install_missing
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

# list_times: a line "TIME PATH" for every source.
list_times() { (cd -- "$root" && find "${sources[@]}" -name __pycache__ -prune -o -type f -printf '%T@ %p\n'); }

# record_sources FOLDER: what was built there, and from what.
record_sources() {
  list_times >"$1/.times"
  { cut -d ' ' -f 2- -- "$1/.times" && printf '%s\n' "$1/.ninja_log"; } |
    (cd -- "$root" && xargs -d '\n' sha256sum) >"$1/.sums"
}

# restore_times FOLDER: a cache brings a build folder back beside a fresh clone, all of whose files are new. Those that
# hold what was built there get the time that they had, so that only what differs is built. Nothing may have been built
# there since it was recorded, and until it is recorded again the record is gone: a build that fails leaves objects of
# sources that nobody has noted.
restore_times() {
  local folder=$1 same time path
  [[ -f $folder/.times && -f $folder/.sums ]] || return 0
  if grep -F -- "  $folder/.ninja_log" "$folder/.sums" | sha256sum -c --status 2>/dev/null; then
    same=$(cd -- "$root" && awk 'NR == FNR { was[$2] = $1; next } $2 in was && was[$2] != $1 { print $2 }' \
      "$folder/.times" <(list_times) | awk 'NR == FNR { new[$1]; next } $2 in new' - "$folder/.sums" |
      sha256sum -c 2>/dev/null | sed -n 's/: OK$//p') || true
    while read -r time path; do
      touch -d "@$time" -- "$root/$path"
    done < <(awk 'NR == FNR { same[$1]; next } $2 in same' <(printf '%s\n' "$same") "$folder/.times")
  fi
  rm -f -- "$folder/.times" "$folder/.sums"
}

# build_preset NAME TARGET…: configures where needed and builds. What it would print goes to build/NAME.log. False when
# it fails.
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
  restore_times "$folder"
  if ! is_configured "$folder"; then
    (cd -- "$root" && cmake --preset "$preset" "-DCONFORM_TESTS=$with_tests") >>"$log" 2>&1 </dev/null || return 1
  fi
  NINJA_STATUS='[%f/%t] ' cmake --build "$folder" --target "$@" 2>&1 </dev/null |
    show_progress "building $preset" "$log" || return 1
  record_sources "$folder"
  mv -f -- "$folder/.built.new" "$folder/.built"
}

# is_configured FOLDER: one that was configured with tests will also do without them.
is_configured() {
  [[ -f $1/build.ninja && -f $1/CMakeCache.txt ]] || return 1
  [[ $with_tests == OFF ]] || grep -qx 'CONFORM_TESTS:.*=ON' "$1/CMakeCache.txt"
}

# show_progress WHAT LOG: copies its input to the log. On a terminal one line shows how far it is, elsewhere a new line
# every now and then.
show_progress() {
  local line at shown="" last=$SECONDS
  while IFS= read -r line || [[ -n $line ]]; do
    printf '%s\n' "$line" >>"$2"
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
      at="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    elif [[ $line =~ ^Get:([0-9]+)\  ]]; then
      at="file ${BASH_REMATCH[1]} was fetched"
    elif [[ $line =~ ^(Unpacking|Setting\ up)\ [^\ ]+ ]]; then
      at=${BASH_REMATCH[0]}
    elif [[ $line == *"Waiting for cache lock"* ]]; then
      at="waiting for another apt"
    else
      continue
    fi
    if [[ -t 2 ]]; then
      printf '\r\033[Kconform: %s: %.60s' "$1" "$at" >&2
      shown=1
    elif ((SECONDS - last >= kProgressIntervalS)); then
      say "conform: $1: $at"
      last=$SECONDS
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
