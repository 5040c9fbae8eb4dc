/** The names of tables and columns. Does no I/O; `migrate.ts` creates them. */
import { type ContentType, type Model, ownsEdges } from '../../model/model.ts'
import type { Dialect } from '../dialect.ts'

/** The columns of every version row beside those of its attributes. */
export const VERSION_COLUMNS = {
  id: 'id',
  documentId: 'document_id',
  /** '' on types that are not localized. */
  locale: 'locale',
  /** 1 for a published version, 0 for a draft. Types without drafts have only published rows. */
  published: 'published',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  publishedAt: 'published_at',
  createdBy: 'created_by',
  updatedBy: 'updated_by',
  /** Counts the writes of the row; part of its ETag. */
  revision: 'revision',
  /**
   * The JSON of the row as a fragment: it starts with a comma (`,"documentId":"…","name":"Alba",…`) and ends with the
   * timestamps and the locale. Spliced into responses unchanged.
   */
  served: 'served',
} as const

/** The one table of relation and media edges. */
export const EDGES = 'octavo_edges'

/** The table of API tokens, whose names are shown to editors. */
export const TOKENS = 'octavo_tokens'

/** The index from targets to their owners. */
export const INVERSE = 'octavo_edges_inverse'

/**
 * Its columns. Their order decides whether the edges of drafts lie apart from those of published versions.
 */
export const inverseColumns = (dialect: Dialect): readonly string[] =>
  dialect.separatesDraftsInInverseIndex
    ? ['target', 'relation', 'published', 'inverse_position', 'source', 'entry']
    : ['target', 'relation', 'inverse_position', 'source', 'entry', 'published']

/** Identifies the edges of an owner attribute of a content-type, or of a component inside a content-type. */
export interface RelationKey {
  readonly type: string
  readonly component: string | null
  readonly attribute: string
}

export interface Layout {
  readonly model: Model
  /** Whether the database has the search indexes that content-types declare. */
  readonly hasSearch: boolean
  /** The number of a relation or media attribute in the edges table. */
  relationId(key: RelationKey): number
}

/** The column of an attribute; the prefix keeps it apart from the version columns. */
export const columnOf = (attribute: string) => `a_${attribute}`

export const relationKeyText = ({ type, component, attribute }: RelationKey) =>
  `${type}|${component ?? ''}|${attribute}`

/** A layout with the ids that the database has assigned to relations. */
export function createLayout(model: Model, ids: ReadonlyMap<string, number>, hasSearch = false): Layout {
  return {
    model,
    hasSearch,
    relationId(key) {
      const id = ids.get(relationKeyText(key))
      if (id === undefined) throw new Error(`The database has no relation ${relationKeyText(key)}`)
      return id
    },
  }
}

/** All relation and media attributes that own edges, in content-types and in the components inside them. */
export function ownedRelations(model: Model): RelationKey[] {
  return [...model.types.values()].flatMap((type) => [
    ...ownEdges(type).map((attribute) => ({ type: type.uid, component: null, attribute })),
    ...reachableComponents(model, type).flatMap((component) =>
      ownEdges(component).map((attribute) => ({ type: type.uid, component: component.uid, attribute })),
    ),
  ])
}

const ownEdges = (shape: Pick<ContentType, 'attributes'>) =>
  [...shape.attributes.values()].filter(ownsEdges).map((a) => a.name)

/** The components a content-type can contain, at any depth. */
export function reachableComponents(model: Model, type: Pick<ContentType, 'attributes'>) {
  const found = new Set<string>()
  const visit = (shape: Pick<ContentType, 'attributes'>) => {
    for (const attribute of shape.attributes.values()) {
      const uids =
        attribute.kind === 'component'
          ? [attribute.component]
          : attribute.kind === 'zone'
            ? attribute.components
            : []
      for (const uid of uids) {
        const component = model.components.get(uid)
        if (component && !found.has(uid)) {
          found.add(uid)
          visit(component)
        }
      }
    }
  }
  visit(type)
  return [...found].flatMap((uid) => model.components.get(uid) ?? [])
}
