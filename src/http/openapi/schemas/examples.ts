/** Examples of bodies: what a person may start from, short and accepted. */
import type { ContentType, ScalarAttribute } from '../../../model/model.ts'
import type { Drawing } from '../document-builder.ts'

/** The scalars of a type that a caller may write, with values that fit. */
export function bodyExample(d: Drawing, type: ContentType, action: 'create' | 'update'): unknown {
  const writable = d.scope.rule(type.uid, action)?.fields
  const shown = [...type.attributes.values()].flatMap((attribute) => {
    const wanted = attribute.kind === 'scalar' && !attribute.private && attribute.type !== 'password'
    if (!wanted || (writable && !writable.includes(attribute.name))) return []
    return [[attribute.name, exampleOf(attribute)] as const]
  })
  return { data: Object.fromEntries(shown) }
}

function exampleOf(attribute: ScalarAttribute): unknown {
  const { name, type, default: given, enum: words, min } = attribute
  if (given !== undefined) return given
  switch (type) {
    case 'enumeration':
      return words[0] ?? null
    case 'integer':
    case 'float':
    case 'decimal':
      return min !== null && min > 1 ? Number(min) : 1
    case 'biginteger':
      return String(min !== null && min > 1 ? min : 1)
    case 'boolean':
      return true
    case 'date':
      return '2024-02-29'
    case 'time':
      return '18:30:00.000'
    case 'datetime':
    case 'timestamp':
      return '2024-02-29T18:30:00.000Z'
    case 'json':
      return {}
    case 'blocks':
      return [{ type: 'paragraph', children: [{ type: 'text', text: 'Hello' }] }]
    case 'email':
      return 'someone@example.com'
    default:
      return textExample(attribute, name)
  }
}

/** Null where a rule leaves no simple text. */
function textExample({ regex, minLength, maxLength, type }: ScalarAttribute, name: string): string | null {
  const text = (type === 'uid' ? name.replaceAll('_', '-') : name).padEnd(minLength ?? 0, '.')
  return regex && !regex.test(text) ? null : text.slice(0, maxLength ?? text.length)
}
