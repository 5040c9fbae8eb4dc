#!/usr/bin/env node
// The command: sources in a checkout, built files in the published package. Its syntax is no newer than modules
// themselves, so that an old Node is told what is needed instead of failing to read it.
const { node } = process.versions

const [major, minor] = node.split('.').map(Number)

// 24.7 is the first to hash passwords with argon2 by itself.
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(`Octavo needs Node 24.7 or later; this is Node ${node}. See https://nodejs.org`)
  process.exitCode = 1
} else {
  const source = new URL('../src/cli/octavo.ts', import.meta.url)
  const built = new URL('../dist/cli/octavo.js', import.meta.url)
  void Promise.all([import('node:fs'), import('node:module')]).then(
    ([{ existsSync }, { enableCompileCache }]) => {
      // The second start reads what the first one compiled.
      enableCompileCache()
      return import(existsSync(source) ? source.href : built.href)
    },
  )
}
