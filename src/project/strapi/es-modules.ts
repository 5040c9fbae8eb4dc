/** Loads TypeScript files of Strapi projects as ES modules: their package.json does not say what they are. */
import { registerHooks } from 'node:module'

const modules = new Set<string>()
let isRegistered = false

/** Whether TypeScript is written as an ES module, which Strapi compiles to CommonJS. */
export const isEsModule = (code: string) => /^\s*(import|export)\s/m.test(code)

/** Declares a file as an ES module. Node would find out too, but print a warning. */
export function declareEsModule(url: string): void {
  modules.add(url)
  if (isRegistered) return
  isRegistered = true
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const [file = ''] = resolved.url.split('?')
      return modules.has(file) ? { ...resolved, format: 'module-typescript' } : resolved
    },
  })
}
