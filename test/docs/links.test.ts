import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '../..')

for (const page of globSync('{*.md,docs/*.md}', { cwd: ROOT }))
  test(`every link of ${page} leads somewhere`, () => {
    for (const [, link = ''] of readFileSync(path.join(ROOT, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^\w+:/.test(link)) continue
      const [file = '', anchor] = link.split('#')
      const target = file ? path.join(ROOT, path.dirname(page), file) : path.join(ROOT, page)
      assert.ok(existsSync(target), `${page} links to ${link}`)
      if (anchor) assert.ok(anchorsOf(target).has(anchor), `${page} links to ${link}`)
    }
  })

/** The anchors of a page's headings, as the usual renderers make them. */
const anchorsOf = (file: string) =>
  new Set(
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
