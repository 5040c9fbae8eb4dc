/** The served JSON of a version row: made when the row is written, spliced into answers as it is. */
import type { ContentType, Shape } from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

/** The fragment of public scalars (`,"name":"Alba","stars":3`), in model order; '' when there are none. */
export function servedScalars(shape: Shape, storedValue: (attribute: string) => Stored | null): string {
  let fragment = ''
  for (const attribute of shape.attributes.values()) {
    if (attribute.kind !== 'scalar' || !isServed(attribute)) continue
    const stored = storedValue(attribute.name)
    const json = stored === null ? 'null' : scalarTypes[attribute.type].json(stored)
    fragment += `,${JSON.stringify(attribute.name)}:${json}`
  }
  return fragment
}

export interface ServedTimes {
  readonly createdAt: string
  readonly updatedAt: string
  /** Null on drafts. */
  readonly publishedAt: string | null
}

/**
 * What the `served` column of a row holds: its documentId, its public scalars, its timestamps, and its locale on
 * localized types. Only the id is missing, which the database gives.
 */
export function servedRow(
  type: ContentType,
  documentId: string,
  /** What `servedScalars` makes of its values. */
  publicScalars: string,
  times: ServedTimes,
  locale: string,
): string {
  const published = times.publishedAt === null ? 'null' : `"${times.publishedAt}"`
  return (
    `,"documentId":"${documentId}"` +
    publicScalars +
    `,"createdAt":"${times.createdAt}","updatedAt":"${times.updatedAt}","publishedAt":${published}` +
    (type.localized ? `,"locale":${JSON.stringify(locale)}` : '')
  )
}
