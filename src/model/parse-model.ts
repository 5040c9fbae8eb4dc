/** Parses the schema files of a project into its model, or into a list of every problem in them. */
import { formatProblem, type ProjectProblem } from '../project/problems.ts'
import type { SchemaSource } from '../project/source.ts'
import { builtInSources } from './built-in-types.ts'
import type { Model } from './model.ts'
import { segmentOf } from './naming.ts'
import { checkLinks } from './schema/check-links.ts'
import { readComponent, readType, type Shapes } from './schema/read-shape.ts'
import { SchemaObject } from './schema/schema-object.ts'

export type ParsedModel =
  | { readonly ok: true; readonly model: Model }
  | { readonly ok: false; readonly problems: readonly ProjectProblem[] }

/** The model that schema files describe, together with the built-in content-types. */
export function parseModel(sources: readonly SchemaSource[], locales: Model['locales']): ParsedModel {
  const problems: ProjectProblem[] = []
  const shapes = readShapes(sources, problems)
  checkLinks(shapes)
  if (problems.length > 0) return { ok: false, problems: distinct(problems) }
  const types = new Map([...shapes.types].map(([uid, { shape }]) => [uid, shape]))
  const components = new Map([...shapes.components].map(([uid, { shape }]) => [uid, shape]))
  const generated = [...types.values()].filter((type) => type.generated)
  const endpoints = new Map(generated.map((type) => [segmentOf(type), type]))
  return { ok: true, model: { types, components, endpoints, locales, sources } }
}

function readShapes(sources: readonly SchemaSource[], problems: ProjectProblem[]): Shapes {
  const all = [...builtInSources, ...sources]
  const schemaOf = ({ schema, file }: SchemaSource) => new SchemaObject(schema, file, problems)
  const extensions = new Map(
    all.filter((source) => source.kind === 'extension').map((source) => [source.uid, schemaOf(source)]),
  )
  return {
    types: new Map(
      all
        .filter((source) => source.kind === 'type')
        .map((source) => [
          source.uid,
          readType(source, schemaOf(source), extensions.get(source.uid) ?? null),
        ]),
    ),
    components: new Map(
      all
        .filter((source) => source.kind === 'component')
        .map((source) => [source.uid, readComponent(source, schemaOf(source))]),
    ),
  }
}

/** Some objects are read twice, by the shape and by its links, and report the same problem again. */
const distinct = (problems: readonly ProjectProblem[]) => [
  ...new Map(problems.map((problem) => [formatProblem(problem), problem])).values(),
]
