/** Hashes the passwords of a body before the transaction starts, because hashing is slow on purpose. */
import { isSecret } from '../../model/privacy.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { AttributeInput, Body, EntryInput, ShapeInput } from './body.ts'

export type HashPassword = (plain: string) => Promise<string>

/** The body with every password hashed. A body with problems is left as it is, because it will be refused. */
export function hashPasswords(body: Body, hash: HashPassword): MaybePromise<Body> {
  if (!body.problems.isEmpty || !hasPassword(body.input)) return body
  return hashShape(body.input, hash).then((input) => ({ ...body, input }))
}

const isPassword = (input: AttributeInput) => input.kind === 'scalar' && isSecret(input.attribute)

const hasPassword = (shape: ShapeInput): boolean =>
  [...shape.values()].some(
    (input) =>
      isPassword(input) ||
      (input.kind === 'entries' &&
        (input.entries?.some((entry) => entry && hasPassword(entry.values)) ?? false)),
  )

async function hashShape(shape: ShapeInput, hash: HashPassword): Promise<ShapeInput> {
  const hashed = new Map<string, AttributeInput>()
  for (const [name, input] of shape) hashed.set(name, await hashInput(input, hash))
  return hashed
}

async function hashInput(input: AttributeInput, hash: HashPassword): Promise<AttributeInput> {
  if (input.kind === 'entries' && input.entries) {
    return {
      ...input,
      entries: await Promise.all(input.entries.map((entry) => entry && hashEntry(entry, hash))),
    }
  }
  return input.kind === 'scalar' && isPassword(input) && input.stored !== null
    ? { ...input, stored: await hash(String(input.stored)) }
    : input
}

const hashEntry = async (entry: EntryInput, hash: HashPassword): Promise<EntryInput> => ({
  ...entry,
  values: await hashShape(entry.values, hash),
})
