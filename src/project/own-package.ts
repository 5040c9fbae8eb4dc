/** `import … from 'octavo'` in the code of a project means the Octavo that runs it: one copy, installed or not. */
import { registerHooks } from 'node:module'
import { extname } from 'node:path'

const extension = extname(import.meta.url)

const ENTRIES: ReadonlyMap<string, string> = new Map([
  ['octavo', new URL(`../index${extension}`, import.meta.url).href],
  ['octavo/client', new URL(`../client/index${extension}`, import.meta.url).href],
])

let isOffered = false

/** From now on modules of this process that ask for Octavo get the one that is running. */
export function offerOwnPackage(): void {
  if (isOffered) return
  isOffered = true
  registerHooks({
    resolve(specifier, context, next) {
      const url = ENTRIES.get(specifier)
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
    },
  })
}
