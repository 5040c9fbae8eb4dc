/**
 * Checks the structure of `src`: a file imports only from its own layer and the layers below it, no imports form a
 * circle, and no folder holds too many files. Run as a script, it checks the whole tree and lists every violation.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** From top to bottom: folders of `src`, or single files in it. The client also runs in browsers and imports no layer. */
const LAYERS = [
  'index.ts',
  'cli',
  'http',
  'live',
  'access',
  'media',
  'events',
  'documents',
  'reads',
  'query',
  'plan',
  'jobs',
  'store',
  'model',
  'project',
  'errors.ts',
  'concurrency-limit.ts',
  'sized-cache.ts',
  'client',
]

const MAX_FILES_PER_FOLDER = 16

/** Folders that may hold more files, because each file is one member of a list. */
const LISTS = new Set(['model/scalars'])

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\1/g

/** Path below `src` to source text. */
type Sources = ReadonlyMap<string, string>

/** Every violation in these sources. Tests may import from anywhere. */
export function checkLayers(sources: Sources): string[] {
  const shipped = new Map([...sources].filter(([file]) => !file.endsWith('.test.ts')))
  return [
    ...[...shipped].flatMap(([file, text]) => wrongImports(file, text)),
    ...circularImports(shipped),
    ...crowdedFolders([...shipped.keys()]),
  ]
}

function wrongImports(file: string, text: string): string[] {
  const layer = layerOf(file)
  if (layer < 0) return [`src/${file} belongs to no known layer`]
  return specifiersIn(text).flatMap((specifier) => {
    const target = resolve(file, specifier)
    const violation = `src/${file} imports ${specifier}`
    if (target.startsWith('..')) return [`${violation}, which is outside src`]
    if (target.endsWith('.test.ts')) return [`${violation}, which is a test`]
    const targetLayer = layerOf(target)
    if (targetLayer < 0) return [`${violation}, which belongs to no known layer`]
    return targetLayer < layer ? [`${violation}, but ${LAYERS[layer]} is below ${LAYERS[targetLayer]}`] : []
  })
}

/** Each circle once, as the chain of its files. */
function circularImports(sources: Sources): string[] {
  const imports = new Map(
    [...sources].map(([file, text]) => [
      file,
      specifiersIn(text).map((specifier) => resolve(file, specifier)),
    ]),
  )
  const finished = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, chain: readonly string[]) => {
    if (finished.has(file)) return
    if (chain.includes(file)) {
      const circle = [...chain.slice(chain.indexOf(file)), file]
      circles.push(`Circular import: ${circle.map((one) => `src/${one}`).join(' -> ')}`)
      return
    }
    for (const target of imports.get(file) ?? []) visit(target, [...chain, file])
    finished.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return circles
}

function crowdedFolders(files: readonly string[]): string[] {
  const byFolder = Map.groupBy(files, (file) => path.posix.dirname(file))
  return [...byFolder].flatMap(([folder, members]) =>
    members.length > MAX_FILES_PER_FOLDER && !LISTS.has(folder)
      ? [`src/${folder} holds ${members.length} files; more than ${MAX_FILES_PER_FOLDER} need sub-folders`]
      : [],
  )
}

const specifiersIn = (text: string) => [...text.matchAll(IMPORT)].map(([, , specifier = '']) => specifier)

const resolve = (file: string, specifier: string) => path.posix.join(path.posix.dirname(file), specifier)

const layerOf = (file: string) => LAYERS.indexOf(file.split('/')[0] ?? '')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = path.join(import.meta.dirname, '..', 'src')
  const files = globSync('**/*.ts', { cwd: root }).sort()
  const violations = checkLayers(
    new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')])),
  )
  for (const violation of violations) console.error(violation)
  if (violations.length > 0) process.exitCode = 1
  else console.log(`${files.length} files: imports point down, none is circular`)
}
