/** The paths of the generated routes below `/api`, or below another path. */
export const contentPathsBelow = (base: string): readonly string[] =>
  [`${base}/:name`, `${base}/:name/:id`].flatMap((path) => [
    path,
    `${path}/actions/:action`,
    // That of a document, and that of the document of a single type.
    `${path}/history`,
    `${path}/history/:version`,
    `${path}/history/:version/:operation`,
  ])

export const CONTENT_PATHS = contentPathsBelow('/api')

/** The segments of a path of the route with this pattern, from the name of the content-type on. */
export const segmentsOf = (
  pattern: string,
  params: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  pattern
    .slice(pattern.indexOf('/:name') + 1)
    .split('/')
    .map((part) => (part.startsWith(':') ? (params[part.slice(1)] ?? '') : part))
