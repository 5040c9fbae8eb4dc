/** Loads Fastify's schema compilers only when a route has a schema, which saves memory and start-up time. */
import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'

type Factories = Required<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
>

/** Fastify's own compilers, loaded by the first route with a schema. Generated routes have none. */
export const lazyCompilers: Factories = {
  buildValidator: (schemas: unknown, options: unknown) =>
    loadWithFramework('@fastify/ajv-compiler')()(schemas, options),
  buildSerializer: (schemas: unknown, options: unknown) =>
    loadWithFramework('@fastify/fast-json-stringify-compiler')()(schemas, options),
}

/** Resolves a package from where Fastify is installed. */
function loadWithFramework(name: string) {
  const require = createRequire(import.meta.url)
  return createRequire(require.resolve('fastify'))(name)
}
