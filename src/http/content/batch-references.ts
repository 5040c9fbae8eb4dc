/** References in a batch: `{"$ref": "chef.documentId"}` in a body is replaced by a value from an earlier result. */
import { errors } from '../../errors.ts'
import { withSourcesOf } from '../../model/inexact-numbers.ts'
import type { Attribute, Model, Shape } from '../../model/model.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

/** The results of the operations so far, by the id of the operation. */
export type Results = ReadonlyMap<string, unknown>

/** The body with every reference replaced; `type` is the type of its `data`. */
export function resolveReferences(
  body: unknown,
  type: Shape | undefined,
  model: Model,
  results: Results,
): unknown {
  const members = (value: object, each: (key: string, child: unknown) => unknown): unknown =>
    withSourcesOf(
      value,
      Array.isArray(value)
        ? value.map((child, index) => each(String(index), child))
        : Object.fromEntries(Object.entries(value).map(([key, child]) => [key, each(key, child)])),
    )

  /** Replaces a reference; any other object goes to `inside`, which replaces the references in it. */
  function followed(value: unknown, inside: (value: object) => unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const reference = referenceIn(value)
    return reference === null ? inside(value) : lookUp(reference, results)
  }

  const anywhere = (value: unknown): unknown =>
    followed(value, (found) => members(found, (_, child) => anywhere(child)))

  const inShape = (value: unknown, shape: Shape | undefined): unknown =>
    shape
      ? followed(value, (found) =>
          members(found, (key, child) => inAttribute(child, shape.attributes.get(key))),
        )
      : anywhere(value)

  function inAttribute(value: unknown, attribute: Attribute | undefined): unknown {
    switch (attribute?.kind) {
      case 'scalar':
        // JSON content may have a `$ref` of its own, as JSON Schema does.
        return scalarTypes[attribute.type].family === 'json' ? value : anywhere(value)
      case 'component':
        return inEntries(value, () => attribute.component)
      case 'zone':
        return inEntries(value, (entry) => ('__component' in entry ? String(entry.__component) : ''))
      default:
        return anywhere(value)
    }
  }

  const inEntries = (value: unknown, componentOf: (entry: object) => string): unknown =>
    followed(value, (found) =>
      Array.isArray(found) ? found.map((entry) => inEntry(entry, componentOf)) : inEntry(found, componentOf),
    )

  const inEntry = (entry: unknown, componentOf: (entry: object) => string): unknown =>
    followed(entry, (found) => inShape(found, model.components.get(componentOf(found))))

  return followed(body, (found) =>
    members(found, (key, child) => (key === 'data' ? inShape(child, type) : anywhere(child))),
  )
}

/** The text of `{"$ref": "…"}`; null for anything else. */
function referenceIn(value: object): string | null {
  const [only, ...more] = Object.entries(value)
  return more.length === 0 && only?.[0] === '$ref' && typeof only[1] === 'string' ? only[1] : null
}

/** The value that a reference such as `chef.documentId` names. */
export function lookUp(reference: string, results: Results): unknown {
  const [id = '', ...path] = reference.split('.')
  let value = results.get(id)
  for (const key of path)
    value =
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([name]) => name === key)?.[1]
        : undefined
  if (value === undefined) throw errors.invalid(`No earlier operation of the batch returned "${reference}"`)
  return value
}
