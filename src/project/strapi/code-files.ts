/** Finds the code of a Strapi project, which cannot run here, and says what takes its place. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface CodeFile {
  /** Relative to the project folder. */
  readonly file: string
  readonly kind: string
  readonly replacement: string
}

interface Kind {
  readonly kind: string
  readonly path: RegExp
  readonly replacement: string
}

const HOOKS = 'hooks in octavo.config (docs/extending.md)'
const ROUTES = 'routes and hooks in octavo.config (docs/extending.md)'

/** The first one whose path matches applies. */
const KINDS: readonly Kind[] = [
  { kind: 'lifecycles', path: /\/lifecycles\.[^/]+$/, replacement: HOOKS },
  { kind: 'controller', path: /(^|\/)controllers\//, replacement: ROUTES },
  {
    kind: 'service',
    path: /(^|\/)services\//,
    replacement: 'functions that your hooks and routes call (docs/extending.md)',
  },
  { kind: 'route', path: /(^|\/)routes\//, replacement: ROUTES },
  { kind: 'policy', path: /(^|\/)policies\//, replacement: 'policies in octavo.config (docs/extending.md)' },
  { kind: 'middleware', path: /(^|\/)middlewares\//, replacement: ROUTES },
  { kind: 'plugin extension', path: /^src\/extensions\/[^/]+\/strapi-(server|admin)\./, replacement: ROUTES },
  {
    kind: 'plugin',
    path: /^src\/plugins\//,
    replacement: 'plugins of Strapi cannot run here; their content-types are served',
  },
  {
    kind: 'scheduled work',
    path: /^config\/cron-tasks\.|(^|\/)cron(-tasks)?\.[^/]+$/,
    replacement: 'a process of your own that calls the API',
  },
  { kind: 'migration', path: /^database\/migrations\//, replacement: 'octavo migrate (docs/migrations.md)' },
  { kind: 'start-up code', path: /^src\/index\.[^/]+$/, replacement: ROUTES },
  { kind: 'admin app', path: /^src\/admin\//, replacement: 'the admin app cannot be extended' },
]

const FOLDERS = [
  'src/api',
  'src/controllers',
  'src/services',
  'src/middlewares',
  'src/policies',
  'src/extensions',
  'src/plugins',
  'src/admin',
  'database/migrations',
]
const SINGLE_FILES = /^(index)\.(c|m)?(js|ts)$/
const CODE = /\.(c|m)?(js|ts)x?$/
const NOT_CODE = /\.d\.ts$|\.example\.|\.test\.|\.spec\.|\/(node_modules|dist|build)\/|tsconfig|vite\.config/

/** The files of a project that hold code of its own. Files as Strapi generates them are not listed. */
export async function findCodeFiles(dir: string): Promise<CodeFile[]> {
  const own = (await namesIn(join(dir, 'src')))
    .filter((name) => SINGLE_FILES.test(name))
    .map((name) => `src/${name}`)
  const cron = (await namesIn(join(dir, 'config')))
    .filter((name) => /^cron-tasks\./.test(name))
    .map((name) => `config/${name}`)
  const nested = (await Promise.all(FOLDERS.map((folder) => filesBelow(dir, folder)))).flat()
  const found: CodeFile[] = []
  for (const file of [...nested, ...own, ...cron].sort()) {
    if (!CODE.test(file) || NOT_CODE.test(file)) continue
    const kind = KINDS.find(({ path }) => path.test(file))
    if (kind && !isGenerated(await readFile(join(dir, file), 'utf8').catch(() => '')))
      found.push({ file, kind: kind.kind, replacement: kind.replacement })
  }
  return onePerPlugin(found)
}

/** A plugin has many files; its folder says enough. */
function onePerPlugin(files: readonly CodeFile[]): CodeFile[] {
  const seen = new Set<string>()
  return files.flatMap((one) => {
    const folder = /^(src\/plugins\/[^/]+|src\/admin)\//.exec(one.file)?.[1]
    if (folder === undefined) return [one]
    if (seen.has(folder)) return []
    seen.add(folder)
    const plugin = KINDS.find(({ kind }) => kind === (folder === 'src/admin' ? 'admin app' : 'plugin'))
    return plugin ? [{ file: folder, kind: plugin.kind, replacement: plugin.replacement }] : []
  })
}

const namesIn = async (folder: string) => readdir(folder).catch(() => [])

/** The files below a folder of a project, by path relative to the project; none if there is no such folder. */
export async function filesBelow(dir: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(dir, folder), { withFileTypes: true, recursive: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dir.length + 1)
        .replaceAll('\\', '/'),
    )
}

/** Whether a file only does what every content-type does, or nothing. */
function isGenerated(text: string): boolean {
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/['"]use strict['"];?/g, '')
  if (code.trim() === '') return true
  if (/createCore(Controller|Service|Router)\(\s*['"][^'"]+['"]\s*(as any)?\s*\)/.test(code))
    return !/=>|function/.test(code)
  return isEmptyStart(code)
}

/** `src/index` as generated: functions without statements. */
const isEmptyStart = (code: string) =>
  /\b(register|bootstrap)\b/.test(code) &&
  code
    .replace(/import\s[^;\n]*;?/g, '')
    .replace(/(async\s+)?\b(register|bootstrap)\s*\([^)]*\)\s*(:\s*[\w<>]+\s*)?\{\s*\},?/g, '')
    .replace(/module\.exports\s*=|export\s+default/g, '')
    .replace(/[\s{};]/g, '') === ''
