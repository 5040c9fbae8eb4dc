/** The JSON of a version row: created when the row is written, and spliced into responses unchanged. */
import type { ContentType, Shape } from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

/** The JSON fragment of the public scalars (`,"name":"Alba","stars":3`) in model order; '' if there are none. */
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
 * The content of the `served` column: documentId, public scalars, timestamps, and the locale on localized types. The id
 * is not included, because the database assigns it.
 */
export function servedRow(
  type: ContentType,
  documentId: string,
  /** The result of `servedScalars`. */
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
