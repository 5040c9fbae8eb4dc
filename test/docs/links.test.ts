import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '../..')
const GUIDES = globSync('{*.md,docs/*.md}', { cwd: ROOT })

const readGuide = (guide: string) => readFileSync(path.join(ROOT, guide), 'utf8')

for (const guide of GUIDES)
  test(`every link in ${guide} has a target`, () => {
    for (const [, link = ''] of readGuide(guide).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^\w+:/.test(link)) continue
      const [file = '', anchor] = link.split('#')
      const target = file ? path.join(ROOT, path.dirname(guide), file) : path.join(ROOT, guide)
      assert.ok(existsSync(target), `${guide} links to ${link}`)
      if (anchor) assert.ok(anchorsOf(target).has(anchor), `${guide} links to ${link}`)
    }
  })

/** The other guides name files of a user's project. */
const ABOUT_THE_SOURCES = [
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/performance.md',
  'docs/reliability.md',
]

test('every source file that a guide names exists', () => {
  for (const guide of ABOUT_THE_SOURCES)
    for (const [, file = ''] of readGuide(guide).matchAll(
      /[ `]((?:src|test|scripts|bench)\/[\w./*-]+\.ts)\b/g,
    ))
      assert.ok(globSync(file, { cwd: ROOT }).length > 0, `${guide} names ${file}`)
})

/** The anchors of the headings of a guide, as common renderers generate them. */
const anchorsOf = (file: string) =>
  new Set(
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
