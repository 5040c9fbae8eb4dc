/** The rows of the matrix: content-types with the actions that each of them has. Pure. */
import type { BuiltInSchema } from '../../../api/settings/roles.ts'
import type { ContentTypeView } from '../../../api/types.ts'
import type { Filterable } from '../../../filters/filterable.ts'
import type { Schema } from '../../../form/schema.ts'
import { settingsTexts } from '../../../texts/settings/settings.ts'
import { builtInFilterables, ruleFilterables } from '../conditions/rule-filterables.ts'
import { ANY_TYPE } from './permission-cells.ts'

const { roles: words } = settingsTexts

export interface PermissionType {
  readonly uid: string
  readonly label: string
  readonly actions: readonly string[]
  /** The attributes that a permission can be limited to. */
  readonly attributes: readonly { readonly name: string; readonly label: string }[]
  /** What its rules can compare. */
  readonly filterables: (schema: Schema) => readonly Filterable[]
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
  ...{ uid: ANY_TYPE, label: words.anyType, actions: ACTIONS, attributes: [], filterables: () => [] },
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
      filterables: (schema: Schema) => ruleFilterables(schema, view),
    }))
    .sort((one, other) => one.label.localeCompare(other.label))

/** Files, users and what else every project has. */
export const builtInTypes = (schemas: readonly BuiltInSchema[]): readonly PermissionType[] =>
  Object.keys(BUILT_IN)
    .filter(isBuiltIn)
    .map((uid) => {
      const { attributes = {} } = schemas.find((schema) => schema.uid === uid) ?? {}
      return {
        uid,
        label: words.builtIn[uid],
        actions: BUILT_IN[uid],
        attributes: Object.keys(attributes).map((name) => ({ name, label: name })),
        filterables: () => builtInFilterables(attributes),
      }
    })
