#!/bin/sh
# Build the image with buildah, without a daemon:
#   deploy/build_image.sh [name [buildah's options …]]
# It uses Docker's image format, because the OCI format has no HEALTHCHECK.
set -eu
cd "$(dirname "$0")/.."
command -v buildah >/dev/null || { echo "buildah is missing: apt-get install buildah" >&2; exit 1; }
name=${1:-bestmove}
[ $# -eq 0 ] || shift
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)

buildah build --format docker --build-arg "VERSION=$version" --build-arg "REVISION=$revision" \
  --tag "$name:$version" --tag "$name:latest" "$@" .

check=$(buildah inspect --type image --format '{{.Docker.Config.Healthcheck}}' "$name:$version")
case $check in *healthz*) ;; *) echo "the image has lost its HEALTHCHECK: $check" >&2; exit 1 ;; esac
echo "built $name:$version"
