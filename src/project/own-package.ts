/** Resolves `import … from 'octavo'` in a project's code to the running Octavo, so that there is only one copy. */
import { registerHooks } from 'node:module'
import { extname } from 'node:path'

const extension = extname(import.meta.url)

const ENTRIES: ReadonlyMap<string, string> = new Map([
  ['octavo', new URL(`../index${extension}`, import.meta.url).href],
  ['octavo/client', new URL(`../client/index${extension}`, import.meta.url).href],
])

let isRegistered = false

/** Registers the resolution for all modules that this process loads from now on. */
export function useRunningPackage(): void {
  if (isRegistered) return
  isRegistered = true
  registerHooks({
    resolve(specifier, context, next) {
      const url = ENTRIES.get(specifier)
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
    },
  })
}
