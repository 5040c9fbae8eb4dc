/** The paths of the generated routes. */
export const CONTENT_PATHS: readonly string[] = ['/api/:name', '/api/:name/:id'].flatMap((path) => [
  path,
  `${path}/actions/:action`,
])
