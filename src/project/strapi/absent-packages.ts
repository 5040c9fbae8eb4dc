/**
 * Stands in for packages that a Strapi project imports but has not installed. Most configuration files import them for
 * types, or for settings that are not used here, so that the rest of the file can still be read.
 */
import type { LoadFnOutput } from 'node:module'

const SCHEME = 'octavo-absent-package:'

export const isAbsentPackage = (url: string) => url.startsWith(SCHEME)

/** The URL of a module in place of a package, with the names that the importing file imports from it. */
export function absentPackageUrl(name: string, importer: string): string {
  const names = [...importer.matchAll(/\bimport\s+([^'"]+?)\s+from\s*['"]([^'"]+)['"]/g)]
    .filter(([, , specifier]) => specifier === name)
    .flatMap(([, clause = '']) => /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? [])
    .map((item) => /^\s*([\w$]+)(\s+as\s+[\w$]+)?\s*$/.exec(item)?.[1])
    .filter((item) => item !== undefined && item !== 'default')
  return `${SCHEME}${encodeURIComponent(name)}?${new URLSearchParams({ names: [...new Set(names)].join() })}`
}

/**
 * The module of such a URL. Its exports can be called and have every property, all of which are the same object; using
 * that as a string or number throws an error that names the package.
 */
export function absentPackageModule(url: string, isRequired: boolean): LoadFnOutput {
  const [name = '', query = ''] = url.slice(SCHEME.length).split('?')
  const message = `the package ${decodeURIComponent(name)} is not installed`
  const absent = `const fail = () => { throw new Error(${JSON.stringify(message)}) }
    const absent = new Proxy(function () {}, {
      get: (_, key) => (key === 'then' ? undefined : key === Symbol.toPrimitive ? fail : absent),
      apply: () => absent,
      construct: () => absent,
    })`
  if (isRequired)
    return { format: 'commonjs', source: `${absent}; module.exports = absent`, shortCircuit: true }
  const names = new URLSearchParams(query).get('names')?.split(',').filter(Boolean) ?? []
  const exports = ['default', ...names].map((one) => `absent as ${one}`).join()
  return { format: 'module', source: `${absent}; export { ${exports} }`, shortCircuit: true }
}
