/**
 * Holds the rooms of `src` to their one direction: a file may import from its own room and from the rooms below it.
 * Run as a script it checks the whole tree and names every import that points up.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** From top to bottom. Folders of `src`, or single files in it. The client also runs in browsers: it stands on nothing. */
const ROOMS = [
  'index.ts',
  'cli',
  'http',
  'live',
  'access',
  'media',
  'documents',
  'reads',
  'query',
  'plan',
  'store',
  'model',
  'project',
  'errors.ts',
  'few-at-a-time.ts',
  'client',
]

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\1/g

/**
 * Every wrong import of these files (path below `src` to text), as sentences. Tests may look up, to see their
 * room at work; what is shipped may not.
 */
export function upwardImports(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) => (file.endsWith('.test.ts') ? [] : problemsOf(file, text)))
}

function problemsOf(file: string, text: string): string[] {
  const floor = floorOf(file)
  if (floor < 0) return [`src/${file} is in no known room`]
  return [...text.matchAll(IMPORT)].flatMap(([, , specifier = '']) => {
    const target = path.posix.join(path.posix.dirname(file), specifier)
    const says = `src/${file} imports ${specifier}`
    if (target.startsWith('..')) return [`${says}, which is outside src`]
    if (target.endsWith('.test.ts')) return [`${says}, which is a test`]
    const below = floorOf(target)
    if (below < 0) return [`${says}, which is in no known room`]
    return below < floor ? [`${says}, but ${ROOMS[floor]} is below ${ROOMS[below]}`] : []
  })
}

const floorOf = (file: string) => ROOMS.indexOf(file.split('/')[0] ?? '')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = path.join(import.meta.dirname, '..', 'src')
  const files = globSync('**/*.ts', { cwd: root }).sort()
  const problems = upwardImports(
    new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')])),
  )
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`${files.length} files, no import points up`)
}
