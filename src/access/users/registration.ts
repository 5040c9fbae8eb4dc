/** What someone who registers can set, and what keeps everyone from registering. */
import { type Attribute, type Model, typeOf, USER } from '../../model/model.ts'
import type { AuthConfig } from '../../project/config/access-config.ts'

/** What every registration contains. */
export const REGISTRATION = ['email', 'username', 'password'] as const

/**
 * The required attributes of users that registration does not accept: as long as there are any, nobody can register.
 * `auth.registration.fields` makes registration accept them.
 */
export function unacceptedAttributes(model: Model, { registration }: AuthConfig): readonly string[] {
  const accepted: ReadonlySet<string> = new Set([
    ...REGISTRATION,
    ...registration.fields,
    'role',
    'confirmed',
  ])
  return [...typeOf(model, USER).attributes.values()]
    .filter((attribute) => mustBeSent(attribute) && !accepted.has(attribute.name))
    .map(({ name }) => name)
}

const mustBeSent = (attribute: Attribute) =>
  attribute.required &&
  !(attribute.kind === 'scalar' && (attribute.default !== undefined || attribute.generate))
