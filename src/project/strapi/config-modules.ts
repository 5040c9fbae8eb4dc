/**
 * Loads configuration files of Strapi projects as their compiler and their packages would have it: imports need no file
 * extension, TypeScript may be an ES module although package.json does not say so, and packages may not be installed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { type LoadHookSync, type ResolveFnOutput, type ResolveHookSync, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { absentPackageModule, absentPackageUrl, isAbsentPackage } from './absent-packages.ts'

/** URLs of the project folders, which end with a slash. */
const folders = new Set<string>()

/** Loads the modules of a project folder in this way from now on. */
export function loadModulesOf(dir: string): void {
  if (folders.size === 0) registerHooks({ resolve, load })
  folders.add(pathToFileURL(`${dir}/`).href)
}

const resolve: ResolveHookSync = (specifier, context, next) => {
  const { parentURL } = context
  const resolved = orElse(
    () => next(specifier, context),
    () => (parentURL !== undefined && isOfProject(parentURL) ? substituteFor(specifier, parentURL) : null),
  )
  if (isEsModule(resolved.url)) return { ...resolved, format: 'module-typescript' }
  // The compiler needs no attribute to import JSON.
  const isJson = resolved.url.endsWith('.json') && isOfProject(resolved.url)
  return isJson ? { ...resolved, importAttributes: { type: 'json' } } : resolved
}

const load: LoadHookSync = (url, context, next) =>
  isAbsentPackage(url) ? absentPackageModule(url, context.conditions.includes('require')) : next(url, context)

const isOfProject = (url: string) =>
  !url.includes('/node_modules/') && [...folders].some((folder) => url.startsWith(folder))

const NOT_FOUND: readonly unknown[] = [
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
]

/** What Node finds, or the substitute if it finds nothing. */
function orElse(find: () => ResolveFnOutput, substitute: () => string | null): ResolveFnOutput {
  try {
    return find()
  } catch (failure) {
    const isNotFound = failure instanceof Error && 'code' in failure && NOT_FOUND.includes(failure.code)
    const url = isNotFound ? substitute() : null
    if (url === null) throw failure
    return { url, shortCircuit: true }
  }
}

function substituteFor(specifier: string, parent: string): string | null {
  return /^\.{0,2}\//.test(specifier)
    ? withExtension(new URL(specifier, parent).href)
    : absentPackageUrl(specifier, readFileSync(new URL(parent), 'utf8'))
}

const EXTENSIONS = ['.ts', '.js', '/index.ts', '/index.js']

/** The file that an import without its extension, or with that of the compiled file, means. */
function withExtension(url: string): string | null {
  const candidates = [...EXTENSIONS.map((extension) => url + extension), url.replace(/\.js$/, '.ts')]
  return candidates.find((candidate) => existsSync(new URL(candidate))) ?? null
}

/** Whether a file of a project is TypeScript written as an ES module. Node would find out too, but print a warning. */
function isEsModule(url: string): boolean {
  const [file = ''] = url.split('?')
  return (
    file.endsWith('.ts') &&
    isOfProject(file) &&
    /^\s*(import|export)\s/m.test(readFileSync(new URL(file), 'utf8'))
  )
}
