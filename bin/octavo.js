#!/usr/bin/env node
// Runs the sources in a checkout and the built files in the published package. This file uses only old syntax, so that an
// old Node can run it and print which version is needed.
const { node } = process.versions

const [major, minor] = node.split('.').map(Number)

// The first minor versions with argon2 in node:crypto and limits in node:sqlite.
if (major < 24 || (major === 24 && minor < 15) || (major === 25 && minor < 8)) {
  console.error(`Octavo requires Node 24.15, 25.8 or later; this is Node ${node}. See https://nodejs.org`)
  process.exitCode = 1
} else {
  const source = new URL('../src/cli/octavo.ts', import.meta.url)
  const built = new URL('../dist/cli/octavo.js', import.meta.url)
  void Promise.all([import('node:fs'), import('node:module')]).then(
    ([{ existsSync }, { enableCompileCache }]) => {
      // Makes later starts faster.
      enableCompileCache()
      return import(existsSync(source) ? source.href : built.href)
    },
  )
}
