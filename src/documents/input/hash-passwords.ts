/** Passwords of a body become hashes before the transaction starts: hashing is slow on purpose. */
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { AttributeInput, Body, EntryInput, ShapeInput } from './body.ts'

export type HashPassword = (plain: string) => Promise<string>

/** The same body with every password hashed; a body with problems will be refused and is left as it is. */
export function hashSecrets(body: Body, hash: HashPassword): MaybePromise<Body> {
  if (!body.problems.none || !hasSecret(body.input)) return body
  return hashShape(body.input, hash).then((input) => ({ ...body, input }))
}

const isSecret = (input: AttributeInput) => input.kind === 'scalar' && input.attribute.type === 'password'

const hasSecret = (shape: ShapeInput): boolean =>
  [...shape.values()].some(
    (input) =>
      isSecret(input) ||
      (input.kind === 'entries' &&
        (input.entries?.some((entry) => entry && hasSecret(entry.values)) ?? false)),
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
  return input.kind === 'scalar' && isSecret(input) && input.stored !== null
    ? { ...input, stored: await hash(String(input.stored)) }
    : input
}

const hashEntry = async (entry: EntryInput, hash: HashPassword): Promise<EntryInput> => ({
  ...entry,
  values: await hashShape(entry.values, hash),
})
