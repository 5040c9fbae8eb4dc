/**
 * Collects the parts of one OpenAPI document: the model as one caller sees it, and the schemas used so far. Names are
 * resolved as in queries, so the document never shows what a query would reject.
 */
import type { Component, Model } from '../../model/model.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Config } from '../../project/config/config.ts'
import { createParseContext } from '../../query/create-parse-context.ts'
import { attributesOf, type Found, findName, type Subject } from '../../query/find-name.ts'
import type { Scope } from '../../query/scope.ts'
import type { Parameter, Reference } from './operation.ts'
import { assignNames } from './schema-names.ts'
import { ref, type Schema } from './schemas/schema.ts'

export interface DocumentBuilder {
  readonly model: Model
  readonly scope: Scope
  readonly config: Config
  /** Whether the caller may use `explain=true`. */
  readonly canExplain: boolean
  /** The name of the schema of a content-type or component. */
  schemaName(uid: string): string
  /** The attributes that the caller may see, in model order. */
  visibleAttributes(subject: Subject): readonly (readonly [name: string, found: Visible])[]
  /** Resolves a name; null when it does not exist or the caller may not see it. */
  findVisible(subject: Subject, name: string): Visible | null
  /** Returns a reference to a shared schema, which is created on first use. */
  sharedSchema(name: string, create: () => Schema): Schema
  /** Returns a reference to a shared parameter, which is created on first use. */
  sharedParameter(key: string, create: () => Parameter): Reference
  /** Everything shared, by name. */
  sharedParts(): {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

export type Entry = Extract<Subject, { kind: 'entry' }>

export const entryOf = ({ type }: Subject, component: Component): Entry => ({
  kind: 'entry',
  type,
  component,
})

export type Visible = Exclude<Found, { kind: 'forbidden' }>

export const EXPLANATION_SCHEMA = 'ExplainedRead'

/** Names of shared schemas that do not come from the model. */
const RESERVED_NAMES = [
  'Admin',
  'AdminAuditRecord',
  'AdminChange',
  'AdminClientChange',
  'AdminComponent',
  'AdminContentType',
  'AdminEndUser',
  'AdminExistingIndex',
  'AdminFieldView',
  'AdminJob',
  'AdminMe',
  'AdminNewReleaseEntry',
  'AdminNotice',
  'AdminOpenedRelease',
  'AdminPermissions',
  'AdminPermittedAttribute',
  'AdminPermittedComponent',
  'AdminPermittedType',
  'AdminPerson',
  'AdminPlan',
  'AdminRecentDocument',
  'AdminRelease',
  'AdminReleaseEntry',
  'AdminRole',
  'AdminSavedView',
  'AdminSchedule',
  'AdminSession',
  'AdminSuggestedIndex',
  'AdminToken',
  'AdminTypeView',
  'AdminWebhook',
  'AdminWebhookDelivery',
  'ChangeAuthor',
  'DocumentSchedule',
  'AccessToken',
  'Batch',
  'BatchResponse',
  'Connect',
  'Count',
  'Creator',
  'CursorPagination',
  'Error',
  EXPLANATION_SCHEMA,
  'FileFormat',
  'FileInfo',
  'Folder',
  'Locale',
  'OffsetPagination',
  'PagePagination',
  'RelationFilter',
  'SavedVersion',
  'Reference',
  'SignedIn',
  'ToManyInput',
  'ToOneInput',
  'MediaInput',
  'UploadedFile',
  ...Object.values(scalarTypes).flatMap(({ documentation: { filter, sharedSchema } }) => [
    filter.name,
    ...(sharedSchema === undefined ? [] : [sharedSchema]),
  ]),
]

const NAME_SUFFIXES = ['Created', 'Related', 'Input', 'Filters', 'Populate', 'Field']

export function createDocumentBuilder(
  model: Model,
  scope: Scope,
  config: Config,
  explains = false,
): DocumentBuilder {
  const names = assignNames(model, RESERVED_NAMES, NAME_SUFFIXES)
  // The limit on the size of one query does not apply: the document names everything once.
  const bounds = { ...config.api.rest.bounds, planSize: Number.POSITIVE_INFINITY }
  const context = createParseContext(model, scope, bounds)
  const schemas = new Map<string, Schema>()
  const parameters = new Map<string, Parameter>()

  const findVisible = (subject: Subject, name: string): Visible | null => {
    const found = findName(context, subject, name)
    return found && found.kind !== 'forbidden' ? found : null
  }

  return {
    model,
    scope,
    config,
    canExplain: explains,
    schemaName(uid) {
      const name = names.get(uid)
      if (name === undefined) throw new Error(`${uid} has no name`)
      return name
    },
    visibleAttributes: (subject) =>
      [...attributesOf(subject).keys()].flatMap((name) => {
        const found = findVisible(subject, name)
        return found ? [[name, found] as const] : []
      }),
    findVisible,
    sharedSchema(name, create) {
      if (!schemas.has(name)) {
        // Set before it is created: schemas refer to each other in circles.
        schemas.set(name, {})
        schemas.set(name, create())
      }
      return ref(name)
    },
    sharedParameter(key, create) {
      if (!parameters.has(key)) parameters.set(key, create())
      return { $ref: `#/components/parameters/${key}` }
    },
    sharedParts: () => ({ schemas: sorted(schemas), parameters: sorted(parameters) }),
  }
}

const sorted = <Part>(parts: ReadonlyMap<string, Part>): Readonly<Record<string, Part>> =>
  Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)))

/** The fields that a caller may see, in the order in which responses have them. */
export const fieldsOf = (builder: DocumentBuilder, subject: Subject): readonly string[] => [
  'id',
  'documentId',
  ...builder.visibleAttributes(subject).flatMap(([name, found]) => (found.kind === 'field' ? [name] : [])),
  ...(subject.kind === 'document' ? ['createdAt', 'updatedAt', 'publishedAt'] : []),
  ...(subject.kind === 'document' && subject.type.localized ? ['locale'] : []),
]
