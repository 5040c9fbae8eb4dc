/** Declared renames: `renamedFrom` names what is no longer there, and only one thing can have been called so. */
import type { Shapes } from './check-links.ts'
import type { SchemaObject } from './schema-object.ts'

interface Renamed {
  readonly name: string
  readonly former: string | undefined
  readonly raw: SchemaObject
}

/** Notes renames from a name that is still in use, and from a name that two claim. */
export function checkRenames({ types, components }: Shapes) {
  for (const shapes of [types, components]) {
    check([...shapes.values()].map(({ shape, raw }) => ({ name: shape.uid, former: shape.renamedFrom, raw })))
  }
  for (const { shape, declared } of [...types.values(), ...components.values()]) {
    check(
      [...shape.attributes.values()].flatMap(({ name, renamedFrom: former }) => {
        const raw = declared.get(name)
        return raw ? [{ name, former, raw }] : []
      }),
    )
  }
}

function check(all: readonly Renamed[]) {
  const names = new Set(all.map(({ name }) => name))
  const claimed = new Map<string, string>()
  for (const { name, former, raw } of all) {
    if (former === undefined || former === name) continue
    const other = claimed.get(former)
    if (names.has(former)) {
      raw.report(`"${former}" is still there; remove it, or remove renamedFrom`, 'renamedFrom')
    } else if (other !== undefined) {
      raw.report(`"${other}" was already renamed from "${former}"`, 'renamedFrom')
    }
    claimed.set(former, other ?? name)
  }
}
