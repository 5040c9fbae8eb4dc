/** The rows of the matrix: content-types with the actions that each of them has. Pure. */
import type { ContentTypeView } from '../../../api/types.ts'
import { texts } from '../../../texts.ts'
import { ANY_TYPE } from './permission-cells.ts'

const { roles: words } = texts.settings

export interface PermissionType {
  readonly uid: string
  readonly label: string
  readonly actions: readonly string[]
  /** The attributes that a permission can be limited to. */
  readonly attributes: readonly { readonly name: string; readonly label: string }[]
  /** What the filter builder needs; null for types whose rules are edited as JSON. */
  readonly view: ContentTypeView | null
}

/** The columns, in this order. */
export const ACTIONS = [
  ...(['find', 'findOne', 'create', 'update', 'delete'] as const),
  ...(['readDrafts', 'publish', 'unpublish', 'discard', 'readHistory'] as const),
] as const

const DRAFT_ACTIONS: ReadonlySet<string> = new Set(['readDrafts', 'publish', 'unpublish', 'discard'])

const BASIC = ['find', 'findOne', 'create', 'update', 'delete']

const BUILT_IN: Readonly<Record<keyof typeof words.builtIn, readonly string[]>> = {
  'plugin::upload.file': BASIC,
  'plugin::users-permissions.user': BASIC,
  'plugin::users-permissions.role': BASIC,
  'plugin::i18n.locale': ['find'],
  'plugin::content-type-builder.content-type': ['find', 'findOne'],
  'plugin::content-type-builder.component': ['find', 'findOne'],
}

const isBuiltIn = (uid: string): uid is keyof typeof BUILT_IN => uid in BUILT_IN

export const everyType: PermissionType = {
  ...{ uid: ANY_TYPE, label: words.anyType, actions: ACTIONS, attributes: [], view: null },
}

/** The content-types of the project, by name. */
export const contentTypes = (views: readonly ContentTypeView[]): readonly PermissionType[] =>
  views
    .filter(({ uid }) => uid.startsWith('api::'))
    .map((view) => ({
      uid: view.uid,
      label: view.view.label,
      actions: ACTIONS.filter((action) => view.draftAndPublish || !DRAFT_ACTIONS.has(action)),
      attributes: view.attributes.map(({ name }) => ({
        name,
        label: view.view.fields.find((field) => field.name === name)?.label ?? name,
      })),
      view,
    }))
    .sort((one, other) => one.label.localeCompare(other.label))

export interface BuiltInSchema {
  readonly uid: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Files, users and what else every project has. */
export const builtInTypes = (schemas: readonly BuiltInSchema[]): readonly PermissionType[] =>
  Object.keys(BUILT_IN)
    .filter(isBuiltIn)
    .map((uid) => ({
      uid,
      label: words.builtIn[uid],
      actions: BUILT_IN[uid],
      attributes: Object.keys(schemas.find((schema) => schema.uid === uid)?.attributes ?? {}).map((name) => ({
        ...{ name, label: name },
      })),
      view: null,
    }))
