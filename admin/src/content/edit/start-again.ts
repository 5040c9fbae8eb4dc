/** Turns a form into that of a new document after its document was deleted: everything in it is then unsaved. */
import { type DocumentAddress, readDocument } from '../../api/content/content.ts'
import { ApiError } from '../../api/request.ts'
import type { AttributeView, ContentDocument } from '../../api/types.ts'
import { mergedChanges } from '../../form/conflict.ts'
import { type FormPath, topLevelName } from '../../form/path.ts'
import type { Schema } from '../../form/schema.ts'
import type { FormStore, Values } from '../../form/store.ts'
import { newValues, valuesOf } from '../../form/values/document-values.ts'

/** Resolves to whether the whole document is gone. If it is left in another locale, that one has the shared values. */
export async function startAgain(
  schema: Schema,
  address: DocumentAddress,
  otherLocales: readonly string[],
  populate: unknown,
  store: FormStore,
): Promise<boolean> {
  const { attributes } = address.type
  const left = await readFirst(
    address,
    otherLocales.filter((code) => code !== address.locale),
    populate,
  )
  const changed = new Set([...store.unsaved().keys()].map(topLevelName))
  const isShared = ({ name, localized }: AttributeView) => left !== null && !localized && !changed.has(name)
  const saved = new Map([
    ...newValues(schema, attributes),
    ...(left ? valuesOf(schema, attributes.filter(isShared), left) : []),
  ])
  const written = attributes.filter((attribute) => !isShared(attribute))
  store.rebase(saved, valuesAsNew(schema, written, store.below('')))
  return left === null
}

/** The values that differ from those of a new document; entries are new ones, since their ids no longer exist. */
export function valuesAsNew(
  schema: Schema,
  attributes: readonly AttributeView[],
  mine: Values,
): Map<FormPath, unknown> {
  const fresh = newValues(schema, attributes)
  return mergedChanges(schema, attributes, { base: fresh, mine, theirs: fresh }, new Set())
}

async function readFirst(
  address: DocumentAddress,
  locales: readonly string[],
  populate: unknown,
): Promise<ContentDocument | null> {
  for (const locale of locales) {
    try {
      return (await readDocument({ ...address, locale }, populate)).document
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
    }
  }
  return null
}
