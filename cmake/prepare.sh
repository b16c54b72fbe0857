# SPDX-License-Identifier: Apache-2.0
# What ./run and ./test share: Debian packages, configuring, building. Sourced with $root set; speaks on
# standard error alone.

build="$root/build/release"

# To build and run the program.
base_packages=(
  build-essential cmake ninja-build ccache
  antlr4 default-jre-headless libantlr4-runtime-dev
  uuid-dev llvm-19-dev libzstd-dev zlib1g-dev
)
# To build and run the tests: GoogleTest, Google Benchmark, Lua as a yardstick, clang for the fuzz targets.
test_packages=(libgtest-dev libgmock-dev libbenchmark-dev lua5.4 liblua5.4-dev clang libclang-rt-14-dev)

say() { printf 'hellwig: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 2
}

# install_packages NAME..: installs those that are missing, as root or through sudo, and says which.
install_packages() {
  local missing=() name status
  for name in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) || status=
    [ "$status" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "these Debian packages are needed; please install them: ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing Debian packages: ${missing[*]}"
  {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
  } </dev/null >&2 || die "the packages could not be installed"
}

# configure ON|OFF: the release build, with or without tests. A build that has the tests keeps them.
configure() {
  local tests=$1 cache="$build/CMakeCache.txt"
  # ccache wants a place of its own where there is no home.
  if [ -z "${HOME:-}" ] || [ ! -w "${HOME:-/nowhere}" ]; then
    export HOME="$root/build/home"
    mkdir -p "$HOME"
  fi
  [ -f "$build/build.ninja" ] && grep -q '^HELLWIG_TESTS:BOOL=ON$' "$cache" && return 0
  [ -f "$build/build.ninja" ] && [ "$tests" = OFF ] && return 0
  say "configuring build/release"
  (cd "$root" && cmake --preset release -DHELLWIG_TESTS="$tests") >&2 || die "the build could not be configured"
}

# build_targets TARGET..: prints nothing when nothing has to be built.
build_targets() {
  local plan
  plan=$(ninja -C "$build" -n "$@" 2>/dev/null | tail -n 1) || plan=
  [ "$plan" = "ninja: no work to do." ] && return 0
  say "building"
  ninja -C "$build" "$@" >&2 || die "the build failed"
}
