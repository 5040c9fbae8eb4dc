#!/usr/bin/env node
// `npm create octavo@latest my-site`: runs `octavo new`, which asks what is not given, then installs and starts the project.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(import.meta.resolve('octavo/bin/octavo.js'))
const args = process.argv.slice(2)
const start = args.includes('--no-start') ? [] : ['--start']
const child = spawn(
  process.execPath,
  [command, 'new', ...args.filter((arg) => arg !== '--no-start'), ...start],
  { stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0)
})
