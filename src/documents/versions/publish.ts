/** The draft and the published version of one locale: what publishing and discarding make of the other. */
import type { Stamp } from './apply-input.ts'
import type { Edge, EdgeLists, Version } from './version.ts'

/** The published version: what the draft is now, in the row it had before. */
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

/** The draft: what is published now, in the row it had before. */
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

/** The same edges in the same order; where there was one already, its place in the target's list stays. */
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
          return [relation, edges.map((edge) => kept(edge, before.get(edge.target)))]
        }),
      ),
    ]),
  )
}

const kept = (edge: Edge, before: Edge | undefined): Edge =>
  before ? { ...edge, inverse: before.inverse } : edge
