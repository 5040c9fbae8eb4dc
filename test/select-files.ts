/** Decides which test files a run of the test command covers. */
import { globSync, readFileSync } from 'node:fs'

const ALL_TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts', 'admin/**/*.test.ts']

/** The tests beside the code, and the end-to-end tests of the content API. */
const FAST_TESTS = ['{src,admin/src}/**/*.test.ts', 'test/{attributes,http,query}/**/*.test.ts']

/** A file in one of these folders that takes more than about three seconds is named `*.slow.test.ts`. */
export const isSlow = (file: string) => file.endsWith('.slow.test.ts')

export interface TestArguments {
  readonly isFast: boolean
  /** Files and globs. */
  readonly patterns: readonly string[]
  /** Passed on to node's test runner. */
  readonly options: readonly string[]
}

export function parseArguments(given: readonly string[]): TestArguments {
  const options = given.filter((argument) => argument.startsWith('-'))
  return {
    isFast: options.includes('--fast'),
    patterns: given.filter((argument) => !argument.startsWith('-')),
    options: options.filter((option) => option !== '--fast'),
  }
}

/** The test files that match the patterns, sorted. */
export function testFiles(patterns: readonly string[], isFast: boolean): readonly string[] {
  const globs = patterns.length > 0 ? patterns : isFast ? FAST_TESTS : ALL_TESTS
  return globSync(globs)
    .filter((file) => !file.includes('node_modules') && !(isFast && isSlow(file)))
    .sort()
}

/** Whether a test file has suites that also run on the oldest version of PostgreSQL. */
export const needsOldestPostgres = (file: string): boolean =>
  /\b(onEachEngineVersion|allEngineVersions)\b/.test(readFileSync(file, 'utf8'))

/** Whether a test file starts a browser. */
export const needsBrowser = (file: string): boolean => /\blaunchBrowser\b/.test(readFileSync(file, 'utf8'))
