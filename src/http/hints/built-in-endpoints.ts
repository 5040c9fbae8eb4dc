/** The permissions that the endpoints of users, roles, files, locales and the model require. */
import { COMPONENTS, CONTENT_TYPES, LOCALE } from '../../access/roles/permissions.ts'
import { FILE, ROLE, USER } from '../../model/model.ts'

export interface RequiredPermission {
  readonly uid: string
  readonly action: string
}

/** Null for paths that need no permission. `segments` are those after `/api`. */
export function permissionOfBuiltIn(method: string, segments: readonly string[]): RequiredPermission | null {
  const [name, second, third] = segments
  switch (name) {
    case 'users':
      return second === 'me' ? null : crud(USER, method, second === 'count' ? undefined : second)
    case 'users-permissions':
      if (second === 'permissions') return { uid: ROLE, action: 'getPermissions' }
      return second === 'roles' ? crud(ROLE, method, third) : null
    case 'upload':
      return filePermission(method, second, third)
    case 'i18n':
      return { uid: LOCALE, action: 'find' }
    case 'content-type-builder':
      return crud(second === 'components' ? COMPONENTS : CONTENT_TYPES, method, third)
    default:
      return null
  }
}

function filePermission(method: string, second?: string, third?: string): RequiredPermission | null {
  if (second === undefined) return { uid: FILE, action: 'upload' }
  if (method === 'DELETE') return { uid: FILE, action: 'destroy' }
  return method === 'GET' || method === 'HEAD' ? crud(FILE, method, third) : null
}

function crud(uid: string, method: string, id: string | undefined): RequiredPermission | null {
  const action = actionOfMethod(method, id === undefined)
  return action === null ? null : { uid, action }
}

/** The action of a request to a collection, or to one of its documents. */
export function actionOfMethod(method: string, isList: boolean): string | null {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return isList ? 'find' : 'findOne'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'DELETE':
      return 'delete'
    default:
      return null
  }
}
