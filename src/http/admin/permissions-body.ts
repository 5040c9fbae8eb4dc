/** The permissions of a role or a token in a request body, validated against the model. */
import { permissionProblems } from '../../access/roles/invalid-permissions.ts'
import {
  type PermissionChanges,
  type Permissions,
  permissionSyntaxErrors,
  withEmptyLists,
} from '../../access/roles/permissions.ts'
import { errors } from '../../errors.ts'
import { isObject } from '../../project/values.ts'
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

/** Of a role: null in place of a list removes the permissions that the content-type has of its own. */
export function parsePermissionChanges(server: Server, value: unknown): PermissionChanges {
  if (!isPermissionChanges(value)) return parsePermissions(server, value)
  parsePermissions(server, withEmptyLists(value))
  return value
}

const isPermissionChanges = (value: unknown): value is PermissionChanges =>
  isObject(value) && Object.values(value).every((list) => list === null || Array.isArray(list))

export const isPermissions = (value: unknown): value is Permissions =>
  typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)
