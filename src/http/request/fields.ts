/** Reads the small JSON bodies of routes that are not generated, and reports all errors in a body together. */
import { passwordProblems } from '../../access/users/password-rules.ts'
import { errors, type FieldProblem } from '../../errors.ts'
import type { AuthConfig } from '../../project/config/access-config.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'

export type Body = Values

/** The body as an object; anything else counts as an empty object. */
export const bodyOf = (body: unknown): Body => (isObject(body) ? { ...body } : {})

/** The `data` of a body. Unknown keys are refused: a misspelt one would silently have no effect. */
export function dataOf(body: unknown, names: readonly string[]): Body {
  const data = bodyOf(bodyOf(body).data)
  for (const key of Object.keys(data))
    if (!names.includes(key))
      throw errors.invalidKey({ key, path: null, source: 'body', meant: nearest(key, names) })
  return data
}

/** Reads the named strings of a body. Messages never repeat values, because most of them are secrets. */
export function requiredStrings<Name extends string>(
  body: unknown,
  names: readonly Name[],
): (name: Name) => string {
  const values = bodyOf(body)
  const problems = names.flatMap((name) => problemOf(name, values[name]))
  if (problems.length > 0) throw errors.invalidValues(problems)
  return (name) => String(values[name])
}

function problemOf(name: string, value: unknown): FieldProblem[] {
  if (value === undefined || value === null || value === '')
    return [{ path: [name], message: `${name} is required` }]
  return typeof value === 'string' ? [] : [{ path: [name], message: `${name} must be a string` }]
}

/** The new password; refuses one that breaks the rules or was not repeated correctly. */
export async function newPassword(
  password: string,
  confirmation: string,
  rules: AuthConfig['password'],
): Promise<string> {
  const mismatch =
    password === confirmation
      ? []
      : [{ path: ['passwordConfirmation'], message: 'The passwords do not match' }]
  const problems = [...(await passwordProblems(password, rules)), ...mismatch]
  if (problems.length > 0) throw errors.invalidValues(problems)
  return password
}
