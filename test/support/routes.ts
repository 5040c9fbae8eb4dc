/** The routes of a running server, as it knows them itself. */
import type { OctavoServer } from '../../src/http/app.ts'

/** The routes that the app has: method and pattern. */
export function routesOf({ app }: OctavoServer): { method: string; pattern: string }[] {
  const above: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', text = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \((.*)\)$/.exec(line) ?? []
      const depth = indent.length / 4
      above.length = depth
      above[depth] = text
      const pattern = above.join('')
      return methods
        .split(', ')
        .filter(Boolean)
        .map((method) => ({ method, pattern }))
    })
}
