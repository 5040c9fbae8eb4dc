/** Conditions under which requests must go through Fastify: routes and hooks of others. */
import type { FastifyInstance } from 'fastify'

/** Records the routes declared from now on. The result says whether a name after `/api/` occurs only in generated routes. */
export function trackRouteNames(app: FastifyInstance): (name: string) => boolean {
  const taken = new Set<string>()
  let hasWildcard = false
  app.addHook('onRoute', ({ url }) => {
    const [, first = '', second = ''] = url.split('/')
    if (url.startsWith('/api/:name')) return
    if (/[:*]/.test(first) || (first === 'api' && /[:*]/.test(second))) hasWildcard = true
    else if (first === 'api') taken.add(second)
  })
  return (name) => !hasWildcard && !taken.has(name)
}

/** Calls back when a hook is added from now on. */
export function onHookAdded(app: FastifyInstance, added: () => void): void {
  app.addHook = new Proxy(app.addHook, {
    apply(target, self, given) {
      added()
      return Reflect.apply(target, self, given)
    },
  })
}
