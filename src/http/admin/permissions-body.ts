/** The permissions of a role or a token in a request body, validated against the model. */
import { permissionProblems } from '../../access/roles/invalid-permissions.ts'
import { type Permissions, permissionSyntaxErrors } from '../../access/roles/permissions.ts'
import { errors } from '../../errors.ts'
import type { Server } from '../server.ts'

export function parsePermissions(server: Server, value: unknown): Permissions {
  if (!isPermissions(value)) {
    const message = 'permissions must be an object with an array of actions per content-type'
    throw errors.invalidValues([{ path: ['permissions'], message }])
  }
  const { bounds } = server.project.config.api.rest
  const problems = permissionProblems(server.layout().model, bounds, value)
  if (problems.length > 0) throw errors.invalidValues(problems)
  const malformed = permissionSyntaxErrors(value)
  if (malformed.length > 0) throw errors.invalid(malformed.join('; '))
  return value
}

export const isPermissions = (value: unknown): value is Permissions =>
  typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)
