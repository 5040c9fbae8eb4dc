/** Prints the section of a version in CHANGELOG.md. usage: node scripts/release-notes.ts VERSION */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The text below the heading of a version, up to the next version. Throws if there is none. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for version ${version}`)
  return section.slice(section.indexOf('\n') + 1).trim()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const changelog = readFileSync(path.join(import.meta.dirname, '../CHANGELOG.md'), 'utf8')
  process.stdout.write(`${notesOf(changelog, process.argv[2] ?? '')}\n`)
}
