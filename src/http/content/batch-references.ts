/** References of a batch: `{"$ref": "chef.documentId"}` in a body stands for what an earlier operation made. */
import { errors } from '../../errors.ts'
import type { Attribute, Model, Shape } from '../../model/model.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

/** What the operations so far have answered, by the id of the operation. */
export type Results = ReadonlyMap<string, unknown>

/** A body with every reference replaced by what it refers to; `type` is what its `data` is written to. */
export function resolved(body: unknown, type: Shape | undefined, model: Model, results: Results): unknown {
  const members = (value: object, each: (key: string, child: unknown) => unknown): unknown =>
    Array.isArray(value)
      ? value.map((child, index) => each(String(index), child))
      : Object.fromEntries(Object.entries(value).map(([key, child]) => [key, each(key, child)]))

  /** Anything that is no reference itself goes to `inside`, when it may have some in it. */
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
        // Content of its own: what looks like a reference in it, as JSON Schema has them, is none of ours.
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

/** What `{"$ref": "…"}` refers to; null for anything else. */
function referenceIn(value: object): string | null {
  const [only, ...more] = Object.entries(value)
  return more.length === 0 && only?.[0] === '$ref' && typeof only[1] === 'string' ? only[1] : null
}

/** What a reference such as `chef.documentId` refers to; that nothing has given it is refused. */
export function lookUp(reference: string, results: Results): unknown {
  const [id = '', ...path] = reference.split('.')
  let value = results.get(id)
  for (const key of path)
    value =
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([name]) => name === key)?.[1]
        : undefined
  if (value === undefined) throw errors.invalid(`No earlier operation of the batch has given "${reference}"`)
  return value
}
