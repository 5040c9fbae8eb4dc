/**
 * What one document is drawn from: the model as one caller sees it, and the schemas that have been needed so far. Names
 * are looked up where queries look them up, so the document cannot show what a query would be refused.
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
  /** Whether the caller may have reads explained. */
  readonly canExplain: boolean
  /** The name of a content-type or component. */
  schemaName(uid: string): string
  /** What a caller can name in a subject: its attributes in model order, without those they may not see. */
  visibleAttributes(subject: Subject): readonly (readonly [name: string, found: Visible])[]
  /** What one name means, or null when the caller may not know it. */
  findVisible(subject: Subject, name: string): Visible | null
  /** A reference to a shared schema, which is drawn when it is first needed. */
  sharedSchema(name: string, draw: () => Schema): Schema
  /** A reference to a shared parameter, which is drawn when it is first needed. */
  sharedParameter(key: string, draw: () => Parameter): Reference
  /** All that was shared, by name. */
  sharedParts(): {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

/** An entry of a component. */
export type Entry = Extract<Subject, { kind: 'entry' }>

/** An entry of a component inside a document or another entry. */
export const entryOf = ({ type }: Subject, component: Component): Entry => ({
  kind: 'entry',
  type,
  component,
})

export type Visible = Exclude<Found, { kind: 'forbidden' }>

/** The name of the schema of an explanation. */
export const EXPLANATION_SCHEMA = 'ExplainedRead'

/** Names of shared schemas that are not made from the model. */
const RESERVED_NAMES = [
  'Admin',
  'AdminChange',
  'AdminComponent',
  'AdminContentType',
  'AdminPermissions',
  'AdminRole',
  'AdminToken',
  'AccessToken',
  'Batch',
  'BatchAnswer',
  'Connect',
  'Count',
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
  // A document names everything once; the bound on one query does not fit.
  const bounds = { ...config.api.rest.bounds, planSize: Number.POSITIVE_INFINITY }
  const reading = createParseContext(model, scope, bounds)
  const drawn = new Map<string, Schema>()
  const parameters = new Map<string, Parameter>()

  const look = (subject: Subject, name: string): Visible | null => {
    const found = findName(reading, subject, name)
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
        const found = look(subject, name)
        return found ? [[name, found] as const] : []
      }),
    findVisible: look,
    sharedSchema(name, draw) {
      if (!drawn.has(name)) {
        // Put down before it is drawn: schemas refer to each other in circles.
        drawn.set(name, {})
        drawn.set(name, draw())
      }
      return ref(name)
    },
    sharedParameter(key, draw) {
      if (!parameters.has(key)) parameters.set(key, draw())
      return { $ref: `#/components/parameters/${key}` }
    },
    sharedParts: () => ({ schemas: sorted(drawn), parameters: sorted(parameters) }),
  }
}

const sorted = <Part>(parts: ReadonlyMap<string, Part>): Readonly<Record<string, Part>> =>
  Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)))

/** The fields that a caller can name in something, in the order in which answers show them. */
export const fieldsOf = (builder: DocumentBuilder, subject: Subject): readonly string[] => [
  'id',
  'documentId',
  ...builder.visibleAttributes(subject).flatMap(([name, found]) => (found.kind === 'field' ? [name] : [])),
  ...(subject.kind === 'document' ? ['createdAt', 'updatedAt', 'publishedAt'] : []),
  ...(subject.kind === 'document' && subject.type.localized ? ['locale'] : []),
]
