/** When requests may go past the app: never where it has something of its own to say. */
import type { FastifyInstance } from 'fastify'

/**
 * Watches the routes that are declared from now on; tells whether a name under `/api/` is in none of them but those of
 * generated endpoints.
 */
export function watchNames(app: FastifyInstance): (name: string) => boolean {
  const taken = new Set<string>()
  let isAnyTaken = false
  app.addHook('onRoute', ({ url }) => {
    const [, first = '', second = ''] = url.split('/')
    if (url.startsWith('/api/:name')) return
    if (/[:*]/.test(first) || (first === 'api' && /[:*]/.test(second))) isAnyTaken = true
    else if (first === 'api') taken.add(second)
  })
  return (name) => !isAnyTaken && !taken.has(name)
}

/** Calls back when a hook is added to an app: it is to see every request. */
export function whenHooked(app: FastifyInstance, hooked: () => void): void {
  app.addHook = new Proxy(app.addHook, {
    apply(target, self, given) {
      hooked()
      return Reflect.apply(target, self, given)
    },
  })
}
