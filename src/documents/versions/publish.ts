/** Copies the draft to the published version, and the reverse. */
import type { Edge, EdgeLists, Stamp, Version } from './version.ts'

/** The published version with the content of the draft. It keeps its row. */
export function publishedFrom(draft: Version, published: Version | null, { now, author }: Stamp): Version {
  return {
    ...draft,
    id: published?.id ?? null,
    published: true,
    createdAt: published?.createdAt ?? draft.createdAt,
    createdBy: published?.createdBy ?? draft.createdBy,
    updatedAt: draft.updatedAt,
    updatedBy: author,
    publishedAt: now,
    revision: (published?.revision ?? 0) + 1,
    edges: copiedEdges(draft.edges, published?.edges ?? null),
  }
}

/** The draft with the content of the published version. It keeps its row. */
export function draftFrom(published: Version, draft: Version | null, { author }: Stamp): Version {
  return {
    ...published,
    id: draft?.id ?? null,
    published: false,
    createdAt: draft?.createdAt ?? published.createdAt,
    createdBy: draft?.createdBy ?? published.createdBy,
    updatedBy: author,
    publishedAt: null,
    revision: (draft?.revision ?? 0) + 1,
    edges: copiedEdges(published.edges, draft?.edges ?? null),
  }
}

/** The edges of `from`. An edge that `to` has too keeps its position in the target's list. */
function copiedEdges(from: EdgeLists, to: EdgeLists | null): EdgeLists {
  if (to === null) return from
  return new Map(
    [...from].map(([entry, relations]) => [
      entry,
      new Map(
        [...relations].map(([relation, edges]) => {
          const before = new Map(
            to
              .get(entry)
              ?.get(relation)
              ?.map((edge) => [edge.target, edge]),
          )
          return [relation, edges.map((edge) => copiedEdge(edge, before.get(edge.target)))]
        }),
      ),
    ]),
  )
}

const copiedEdge = (edge: Edge, before: Edge | undefined): Edge =>
  before ? { ...edge, inversePosition: before.inversePosition } : edge
