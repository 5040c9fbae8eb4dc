import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Folders whose regular expressions only see files of the project, arguments of commands, and settings of clients. */
const TRUSTED = ['src/cli/', 'src/client/', 'src/project/']

const LITERAL =
  /(?<=[(,=:?|&!>[]\s*|\breturn\s+|^\s*)\/(?![/*])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=\s*[.,;)\]:}]|\s*$)/gm

/** An input of this length that takes longer than SUSPICIOUS_MS, which noise can cause too, is tried again at LONG_LENGTH. */
const LENGTH = 10_000
const SUSPICIOUS_MS = 2
/** A linear search takes less than 1 ms at this length, a quadratic one more than 100 ms: no machine confuses the two. */
const LONG_LENGTH = 30_000
const MAX_MS = 30

const COMMON_ATOMS = ['a', '1', ' ', '_', '-', '.']
const SUFFIXES = ['', '\0']

interface Pattern {
  readonly file: string
  readonly regExp: RegExp
}

test('no regular expression takes more than linear time for hostile input', () => {
  const patterns = globSync('src/**/*.ts').filter(isUntrusted).flatMap(patternsIn)
  assert.ok(patterns.length > 100, `only ${patterns.length} regular expressions found`)
  assert.deepEqual(patterns.flatMap(slowInput), [])
})

test('the check finds expressions that backtrack', () => {
  for (const source of ['<svg\\b[^>]*>', '^\\d+\\.?\\d*$', '\\s+$', '<!--[^]*?-->'])
    assert.equal(slowInput({ file: 'example', regExp: new RegExp(source) }).length, 1, source)
})

const isUntrusted = (file: string) =>
  !file.endsWith('.test.ts') && !TRUSTED.some((folder) => file.startsWith(folder))

function patternsIn(file: string): Pattern[] {
  return [...readFileSync(file, 'utf8').matchAll(LITERAL)].flatMap(([, source = '', flags = '']) => {
    try {
      return [{ file, regExp: new RegExp(source, flags.replace('g', '')) }]
    } catch {
      // A path in a comment.
      return []
    }
  })
}

/** The first input that is too slow, described; none when the expression is linear. */
function slowInput({ file, regExp }: Pattern): string[] {
  const duration = (text: string) => {
    const start = performance.now()
    regExp.test(text)
    return performance.now() - start
  }
  for (const { name, text } of hostileInputs(regExp.source)) {
    if (duration(text(LENGTH)) < SUSPICIOUS_MS) continue
    const long = text(LONG_LENGTH)
    if (duration(long) > MAX_MS && duration(long) > MAX_MS) return [`${file}: ${regExp} on ${name}`]
  }
  return []
}

/** Repetitions of what the expression matches, behind its beginning and before something that it does not match. */
function* hostileInputs(source: string) {
  const literals = source
    .replace(/\\[a-zA-Z]|\\[pP]\{[^}]*\}|\(\?[:=!<]*|\[(?:[^\]\\]|\\.)*\]/g, ' ')
    .match(/[^\s\\()[\]{}*+?|^$.]+|\\./g)
  const parts = ['(', '[', ...(literals ?? [])].map((text) => text.replace('\\', ''))
  const beginnings = new Set(parts.slice(0, 7))
  const atoms = [...new Set([...beginnings, ...COMMON_ATOMS])]
  const pumps = [...atoms, ...atoms.flatMap((one) => atoms.map((other) => one + other))]
  for (const prefix of ['', parts[2] ?? ''])
    for (const pump of pumps)
      for (const suffix of SUFFIXES)
        yield {
          name: JSON.stringify([prefix, pump, suffix]),
          text: (length: number) => prefix + pump.repeat(length / pump.length) + suffix,
        }
}
