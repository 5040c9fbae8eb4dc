/** The paths of the generated routes below `/api`, or below another path. */
export const contentPathsBelow = (base: string): readonly string[] =>
  [`${base}/:name`, `${base}/:name/:id`].flatMap((path) => [path, `${path}/actions/:action`])

export const CONTENT_PATHS = contentPathsBelow('/api')
