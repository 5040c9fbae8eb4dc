/** Finds schemas of a Strapi project that are not read here: those written as code, and additions to built-in types. */
import type { ProjectProblem } from '../problems.ts'
import { filesBelow } from './code-files.ts'

interface UnusedKind {
  readonly path: RegExp
  readonly message: string
}

const AS_CODE = 'is code; write the same schema as JSON, in a file of the same name that ends with .json'

const KINDS: readonly UnusedKind[] = [
  { path: /^src\/(api|extensions)\/[^/]+\/content-types\/[^/]+\/schema\.(js|ts)$/, message: AS_CODE },
  { path: /^src\/components\/[^/]+\/[^/]+(?<!\.d)\.(js|ts)$/, message: AS_CODE },
  {
    path: /^src\/extensions\/(upload|i18n|users-permissions)\/content-types\/(?!user\/)[^/]+\/schema\.json$/,
    message: 'is not read: of the built-in types, only users can have further attributes',
  },
]

export async function findUnusedSchemas(dir: string): Promise<ProjectProblem[]> {
  const folders = await Promise.all(
    ['src/api', 'src/components', 'src/extensions'].map((one) => filesBelow(dir, one)),
  )
  const files = new Set(folders.flat())
  return [...files].sort().flatMap((file) => {
    const kind = KINDS.find(({ path }) => path.test(file))
    const hasJson = files.has(file.replace(/\.(js|ts)$/, '.json')) && !file.endsWith('.json')
    return kind && !hasJson ? [{ file, path: '', message: kind.message }] : []
  })
}
