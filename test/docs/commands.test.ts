import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { createProgram } from '../../src/cli/program.ts'

const page = readFileSync(path.join(import.meta.dirname, '../../docs/command-line.md'), 'utf8')

/** Documented once for all commands. */
const COMMON = ['--project', '--database']

const headings = page.split('\n').filter((line) => line.startsWith('## '))

const sectionOf = (name: string) => {
  const heading = headings.find((line) => new RegExp(`octavo ${name}\\b`).test(line)) ?? ''
  return heading && (page.split(heading)[1]?.split('\n## ')[0] ?? '') + heading
}

const optionsOf = (command: Command) =>
  command.options.flatMap(({ long }) => (long && !COMMON.includes(long) ? [long] : []))

// A test may begin before the file has been read to its end.
for (const command of (await createProgram()).commands)
  test(`octavo ${command.name()} is documented with its options`, () => {
    const section = sectionOf(command.name())
    assert.ok(section, `docs/command-line.md lacks octavo ${command.name()}`)
    for (const one of [command, ...command.commands]) {
      if (one !== command) assert.match(section, new RegExp(`\\b${one.name()}\\b`))
      for (const option of optionsOf(one)) assert.ok(section.includes(option), `${one.name()} ${option}`)
    }
  })
