/** Hashes the passwords of a body before the transaction starts, because hashing is slow on purpose. */
import { errors } from '../../errors.ts'
import { isSecret } from '../../model/privacy.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { WriteRequest } from '../contract.ts'
import type { AttributeInput, Body, EntryInput, ShapeInput } from './body.ts'

/** Whose password it is: callers take turns. */
export type PasswordWriter = Pick<WriteRequest, 'scope' | 'origin'>

export type HashPassword = (plain: string, by: PasswordWriter) => Promise<string>

/** The same for one writer. */
type HashOwnPassword = (plain: string) => Promise<string>

/** Each takes about a tenth of a second of a core. */
const MAX_PASSWORDS = 100

/** The body with every password hashed. A body with problems is left as it is, because it will be refused. */
export function hashPasswords(body: Body, hash: HashOwnPassword): MaybePromise<Body> {
  if (!body.problems.isEmpty) return body
  const count = passwordsIn(body.input)
  if (count === 0) return body
  checkNumberOfPasswords(count)
  return hashShape(body.input, hash).then((input) => ({ ...body, input }))
}

/** Throws a 400 if a request sets more passwords than can be hashed in a reasonable time. */
export function checkNumberOfPasswords(count: number): void {
  if (count > MAX_PASSWORDS) throw errors.invalid(`A request can set at most ${MAX_PASSWORDS} passwords`)
}

const isPassword = (input: AttributeInput) => input.kind === 'scalar' && isSecret(input.attribute)

const passwordsIn = (shape: ShapeInput): number =>
  [...shape.values()].reduce((count, input) => count + passwordsOf(input), 0)

const passwordsOf = (input: AttributeInput): number => {
  if (input.kind === 'scalar') return isPassword(input) && input.stored !== null ? 1 : 0
  if (input.kind !== 'entries') return 0
  return (input.entries ?? []).reduce((count, entry) => count + (entry ? passwordsIn(entry.values) : 0), 0)
}

/** One after the other, so that a request takes no more than its turn. */
async function hashShape(shape: ShapeInput, hash: HashOwnPassword): Promise<ShapeInput> {
  const hashed = new Map<string, AttributeInput>()
  for (const [name, input] of shape) hashed.set(name, await hashInput(input, hash))
  return hashed
}

async function hashInput(input: AttributeInput, hash: HashOwnPassword): Promise<AttributeInput> {
  if (input.kind === 'entries' && input.entries) {
    const entries: (EntryInput | null)[] = []
    for (const entry of input.entries)
      entries.push(entry && { ...entry, values: await hashShape(entry.values, hash) })
    return { ...input, entries }
  }
  return input.kind === 'scalar' && isPassword(input) && input.stored !== null
    ? { ...input, stored: await hash(String(input.stored)) }
    : input
}
