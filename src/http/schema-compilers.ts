/** What the framework checks schemas of routes with, and writes by them: a good part of it in memory and at the start. */
import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'

type Factories = Required<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
>

/** The compilers that the framework brings, loaded by the first route that has a schema. No generated one does. */
export const compilersWhenNeeded: Factories = {
  buildValidator: (schemas: unknown, options: unknown) =>
    loadWithFramework('@fastify/ajv-compiler')()(schemas, options),
  buildSerializer: (schemas: unknown, options: unknown) =>
    loadWithFramework('@fastify/fast-json-stringify-compiler')()(schemas, options),
}

/** Loads a package as the framework itself would. */
function loadWithFramework(name: string) {
  const require = createRequire(import.meta.url)
  return createRequire(require.resolve('fastify'))(name)
}
