#!/bin/sh
# Stands in for npm in tests: answers from the folder FAKE_REGISTRY, in which the / of a package is written as +.
#   versions/PACKAGE        what `npm view PACKAGE versions --json` prints
#   dist/PACKAGE@VERSION    what `npm view PACKAGE@VERSION dist --json` prints
#   archives/PACKAGE@VERSION.tgz
#   offline                 when it is there, nothing can be reached
#   slow                    when it is there, a download takes that many seconds
#   calls                   every call is written here
set -u
echo "$*" >>"$FAKE_REGISTRY/calls"
if [ -e "$FAKE_REGISTRY/offline" ]; then
  echo '{"error": {"code": "ENOTFOUND", "summary": "request failed, reason: getaddrinfo ENOTFOUND", "detail": ""}}'
  echo "npm error code ENOTFOUND" >&2
  exit 1
fi
not_found() {
  echo '{"error": {"code": "E404", "summary": "Not Found", "detail": ""}}'
  exit 1
}
name=$(printf %s "$2" | tr / +)
case "$1 $3" in
"view versions") file=$FAKE_REGISTRY/versions/$name ;;
"view dist") file=$FAKE_REGISTRY/dist/$name ;;
"pack --pack-destination")
  if [ -e "$FAKE_REGISTRY/slow" ]; then
    echo half >"$4/half-a-file.tgz"
    sleep "$(cat "$FAKE_REGISTRY/slow")"
    rm "$4/half-a-file.tgz"
  fi
  [ -e "$FAKE_REGISTRY/archives/$name.tgz" ] || not_found
  cp "$FAKE_REGISTRY/archives/$name.tgz" "$4/package-of-npm.tgz" && echo '[]'
  exit
  ;;
*) exit 9 ;;
esac
[ -e "$file" ] || not_found
cat "$file"
