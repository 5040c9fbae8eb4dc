/**
 * Divides test files among processes. Loading the server takes longer than most files do, so quick ones of the same area
 * share a process.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isSlow } from './select-files.ts'

const FILES_PER_PROCESS = 16

/** What a test file does to its whole process. */
const CHANGES_PROCESS = /\bstopIntervals\(|\bmock\.timers\b|\bprocess\.env\.\w+ = /

/**
 * Writes a module for each process to `folder`, and returns their paths. The test runner starts them in the order of their
 * names: those that take longest first, so that none of them is left to run alone at the end.
 */
export function writeProcesses(files: readonly string[], folder: string): readonly string[] {
  const { alone = [], shared = [] } = Object.groupBy(files, (file) =>
    isSlow(file) || CHANGES_PROCESS.test(source(file)) ? 'alone' : 'shared',
  )
  const processes = [
    ...alone.map((file) => [file]),
    ...Object.values(Object.groupBy(shared, areaOf)).flatMap((inArea = []) => divide(inArea)),
  ]
  return processes
    .toSorted((a, b) => durationOf(b) - durationOf(a))
    .map((together, index) => {
      const path = join(folder, `${String(index).padStart(3, '0')}.mjs`)
      writeFileSync(path, together.map((file) => `import '${pathToFileURL(resolve(file))}'\n`).join(''))
      return path
    })
}

const source = (file: string): string => readFileSync(file, 'utf8')

/** Such as `src/documents`. */
const areaOf = (file: string): string => file.split('/').slice(0, 2).join('/')

function divide(files: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / FILES_PER_PROCESS)
  return Array.from({ length: count }, (_, index) => files.filter((_, place) => place % count === index))
}

/**
 * A guess, to compare processes by: slow files take longest, then those with servers and commands in `test`, then those
 * beside the code, and long ones longer than short ones.
 */
const durationOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + source(file).length + weightOf(file), 0)

const weightOf = (file: string): number => (isSlow(file) ? 1_000_000 : file.startsWith('test/') ? 100_000 : 0)
