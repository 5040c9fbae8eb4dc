/** From the schema files of a project to its model, or to every mistake in them. */
import { type Mistake, mistakeLine } from '../project/mistakes.ts'
import type { SchemaSource } from '../project/source.ts'
import { builtInSources } from './builtin.ts'
import { checkLinks, type Shapes, segmentOf } from './check-links.ts'
import type { Model } from './model.ts'
import { RawObject } from './raw-object.ts'
import { readComponent, readType } from './shape.ts'

export type ParsedModel =
  | { readonly ok: true; readonly model: Model }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] }

/** The model that schema files describe, together with the built-in content-types. */
export function parseModel(sources: readonly SchemaSource[], locales: Model['locales']): ParsedModel {
  const mistakes: Mistake[] = []
  const shapes = readShapes(sources, mistakes)
  checkLinks(shapes)
  if (mistakes.length > 0) return { ok: false, mistakes: distinct(mistakes) }
  const types = new Map([...shapes.types].map(([uid, { shape }]) => [uid, shape]))
  const components = new Map([...shapes.components].map(([uid, { shape }]) => [uid, shape]))
  const generated = [...types.values()].filter((type) => type.generated)
  const endpoints = new Map(generated.map((type) => [segmentOf(type), type]))
  return { ok: true, model: { types, components, endpoints, locales, sources } }
}

function readShapes(sources: readonly SchemaSource[], mistakes: Mistake[]): Shapes {
  const all = [...builtInSources, ...sources]
  const rawOf = ({ schema, file }: SchemaSource) => new RawObject(schema, file, mistakes)
  const extensions = new Map(
    all.filter((source) => source.kind === 'extension').map((source) => [source.uid, rawOf(source)]),
  )
  return {
    types: new Map(
      all
        .filter((source) => source.kind === 'type')
        .map((source) => [source.uid, readType(source, rawOf(source), extensions.get(source.uid) ?? null)]),
    ),
    components: new Map(
      all
        .filter((source) => source.kind === 'component')
        .map((source) => [source.uid, readComponent(source, rawOf(source))]),
    ),
  }
}

/** Some objects are read twice, by the shape and by its links; a mistake is told once. */
const distinct = (mistakes: readonly Mistake[]) => [
  ...new Map(mistakes.map((mistake) => [mistakeLine(mistake), mistake])).values(),
]
