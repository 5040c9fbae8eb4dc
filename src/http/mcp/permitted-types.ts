/** The content-types that a caller may use with each tool. Every call is checked again by the content API. */
import type { ContentType, Model } from '../../model/model.ts'
import type { Config } from '../../project/config/config.ts'
import type { Scope } from '../../query/scope.ts'
import { publishesOnlyOnCreation } from '../auth/permitted.ts'
import type { NamedType } from './tool.ts'

export type ContentAction =
  | 'find'
  | 'get'
  | 'create'
  | 'update'
  | 'publish'
  | 'unpublish'
  | 'delete'
  | 'history'

export const CONTENT_ACTIONS: readonly ContentAction[] = [
  'find',
  'get',
  'create',
  'update',
  'publish',
  'unpublish',
  'delete',
  'history',
]

const READ_ACTIONS: readonly ContentAction[] = ['find', 'get', 'history']

interface CallerView {
  readonly scope: Scope
  readonly config: Config
}

/** In the order of their names, so that schemas are the same at each request. */
export const typesFor = (
  view: CallerView & { readonly model: Model },
  action: ContentAction,
): readonly NamedType[] =>
  [...view.model.endpoints]
    .map(([name, type]) => ({ name, type }))
    .filter(({ type }) => isPermitted(view, type, action))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

export function isPermitted(
  { scope, config }: CallerView,
  type: ContentType,
  action: ContentAction,
): boolean {
  const { uid, kind, draftAndPublish } = type
  if (config.mcp.readOnly && !READ_ACTIONS.includes(action)) return false
  switch (action) {
    case 'find':
      return kind === 'collection' && scope.may(uid, 'find')
    case 'get':
      return scope.may(uid, kind === 'collection' ? 'findOne' : 'find')
    case 'history':
      return (
        type.history &&
        config.history.enabled &&
        scope.may(uid, 'readHistory') &&
        isPermitted({ scope, config }, type, 'get')
      )
    case 'create':
      return kind === 'collection' && scope.may(uid, 'create')
    case 'update':
    case 'delete':
      return scope.may(uid, action)
    case 'publish':
    case 'unpublish':
      return draftAndPublish && scope.may(uid, action) && !publishesOnlyOnCreation(scope, uid)
  }
}
