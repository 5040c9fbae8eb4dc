/**
 * The names of actions in Strapi, such as `api::article.article.find` or `plugin::upload.content-api.destroy`, and the
 * permissions that they stand for here. Exports and clients of Strapi use them.
 */
import { FILE, type Model, ROLE, USER } from '../../model/model.ts'
import { COMPONENTS, CONTENT_TYPES, LOCALE } from './permissions.ts'

export interface NamedAction {
  /** Such as `plugin::upload.content-api.find`: a group, a controller and an action. */
  readonly name: string
  readonly type: string
  readonly action: string
}

const named = (prefix: string, type: string, actions: Readonly<Record<string, string>>): NamedAction[] =>
  Object.entries(actions).map(([name, action]) => ({ name: `${prefix}.${name}`, type, action }))

const READ = { find: 'find', findOne: 'findOne' }

const ACTIONS_OF_PLUGINS: readonly NamedAction[] = [
  ...named('plugin::upload.content-api', FILE, { ...READ, upload: 'create', destroy: 'delete' }),
  ...named('plugin::users-permissions.user', USER, {
    ...READ,
    ...{ create: 'create', update: 'update', destroy: 'delete', count: 'find' },
  }),
  ...named('plugin::users-permissions.role', ROLE, {
    ...READ,
    ...{ createRole: 'create', updateRole: 'update', deleteRole: 'delete' },
  }),
  ...named('plugin::users-permissions.permissions', ROLE, { getPermissions: 'getPermissions' }),
  ...named('plugin::i18n.locales', LOCALE, { listLocales: 'find' }),
  ...named('plugin::content-type-builder.content-types', CONTENT_TYPES, {
    ...{ getContentTypes: 'find', getContentType: 'findOne' },
  }),
  ...named('plugin::content-type-builder.components', COMPONENTS, {
    ...{ getComponents: 'find', getComponent: 'findOne' },
  }),
]

/** Every action of the model that has a name. */
export const namedActions = (model: Model): readonly NamedAction[] => [
  ...[...model.types.values()]
    .filter(({ generated }) => generated)
    .flatMap(({ uid, kind }) =>
      named(uid, uid, {
        ...(kind === 'single' ? { find: 'find' } : { ...READ, create: 'create' }),
        ...{ update: 'update', delete: 'delete' },
      }),
    ),
  ...ACTIONS_OF_PLUGINS,
]

/** Actions without permissions here: the configuration switches them, and callers who are signed in may use the others. */
const SIGNED_OUT = ['callback', 'connect', 'register', 'forgotPassword', 'resetPassword', 'emailConfirmation']
const SIGNED_IN = ['changePassword', 'logout', 'refresh']

export const alwaysAllowed: readonly { readonly name: string; readonly to: 'public' | 'users' }[] = [
  ...[...SIGNED_OUT, 'sendEmailConfirmation'].map((action) => ({
    name: `plugin::users-permissions.auth.${action}`,
    to: 'public' as const,
  })),
  ...[...SIGNED_IN.map((action) => `auth.${action}`), 'user.me'].map((action) => ({
    name: `plugin::users-permissions.${action}`,
    to: 'users' as const,
  })),
]

/** Signing in, registering and one's own account need no permission. */
export const isAlwaysAllowed = (name: string): boolean =>
  name.startsWith('plugin::users-permissions.auth.') || alwaysAllowed.some((one) => one.name === name)
