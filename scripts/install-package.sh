#!/bin/sh
# Packs this checkout as it would be published and installs the package in a folder, with only what it needs to run.
# The steps of the Dockerfile. usage: install-package.sh FOLDER [npm install options]
set -eu
cd "$(dirname "$0")/.."
folder=$1
shift
mkdir -p "$folder"
package=$(npm pack --silent --pack-destination "$folder" | tail -n 1)
cd "$folder"
printf '{ "private": true, "type": "module" }\n' > package.json
npm install --omit=dev --no-audit --no-fund "$@" "./$package"
rm "$package"
