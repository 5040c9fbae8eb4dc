/** Checks `renamedFrom`: the former name must no longer be in use, and only one rename can claim it. */
import type { Shapes } from './read-shape.ts'
import type { SchemaObject } from './schema-object.ts'

interface Renamed {
  readonly name: string
  readonly former: string | undefined
  readonly schema: SchemaObject
}

export function checkRenames({ types, components }: Shapes) {
  for (const shapes of [types, components]) {
    check(
      [...shapes.values()].map(({ shape, schema }) => ({
        name: shape.uid,
        former: shape.renamedFrom,
        schema,
      })),
    )
  }
  for (const { shape, declared } of [...types.values(), ...components.values()]) {
    check(
      [...shape.attributes.values()].flatMap(({ name, renamedFrom: former }) => {
        const schema = declared.get(name)
        return schema ? [{ name, former, schema }] : []
      }),
    )
  }
}

function check(all: readonly Renamed[]) {
  const names = new Set(all.map(({ name }) => name))
  const claimed = new Map<string, string>()
  for (const { name, former, schema } of all) {
    if (former === undefined || former === name) continue
    const other = claimed.get(former)
    if (names.has(former)) {
      schema.report(`"${former}" still exists; remove it, or remove renamedFrom`, 'renamedFrom')
    } else if (other !== undefined) {
      schema.report(`"${other}" was already renamed from "${former}"`, 'renamedFrom')
    }
    claimed.set(former, other ?? name)
  }
}
