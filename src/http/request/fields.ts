/** Bodies of routes beside the generated ones: small objects of texts, read with every mistake in them told at once. */
import { errors, type FieldProblem } from '../../errors.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'

export type Body = Values

/** The body as an object; whatever else was sent counts as an empty one. */
export const bodyOf = (body: unknown): Body => (isObject(body) ? { ...body } : {})

/** The `data` of a body that may have these names in it: a misspelt one would silently be left out. */
export function dataOf(body: unknown, names: readonly string[]): Body {
  const data = bodyOf(bodyOf(body).data)
  for (const key of Object.keys(data))
    if (!names.includes(key))
      throw errors.invalidKey({ key, path: null, source: 'body', meant: nearest(key, names) })
  return data
}

/** Gives the named texts of a body. Values are never repeated in messages: most of them are secrets. */
export function texts<Name extends string>(body: unknown, names: readonly Name[]): (name: Name) => string {
  const values = bodyOf(body)
  const problems = names.flatMap((name) => problemOf(name, values[name]))
  if (problems.length > 0) throw errors.invalidValues(problems)
  return (name) => String(values[name])
}

function problemOf(name: string, value: unknown): FieldProblem[] {
  if (value === undefined || value === null || value === '')
    return [{ path: [name], message: `${name} is required` }]
  return typeof value === 'string' ? [] : [{ path: [name], message: `${name} must be text` }]
}

/** A new password that is typed twice and long enough. */
export function newPassword(password: string, confirmation: string, minLength: number): string {
  const problems: FieldProblem[] = []
  if (password.length < minLength)
    problems.push({ path: ['password'], message: `password must have at least ${minLength} characters` })
  if (password !== confirmation)
    problems.push({ path: ['passwordConfirmation'], message: 'The two passwords are not the same' })
  if (problems.length > 0) throw errors.invalidValues(problems)
  return password
}
