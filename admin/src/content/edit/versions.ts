/** The versions of a document that differ: the one a form started from, the one in the form, and the one on the server. */
import type { ContentDocument, ContentTypeView } from '../../api/types.ts'
import type { Versions } from '../../form/conflict.ts'
import type { Schema } from '../../form/schema.ts'
import type { FormStore, Values } from '../../form/store.ts'
import { rowsOfStore, valuesOf } from '../../form/values/document-values.ts'

export function versionsOf(
  schema: Schema,
  type: ContentTypeView,
  store: FormStore,
  theirs: ContentDocument,
): Versions {
  const values = valuesOf(schema, type.attributes, theirs, '', rowsOfStore(store, false))
  return { base: savedValues(store, values), mine: store.below(''), theirs: values }
}

/** The saved values that the form started from. */
const savedValues = (store: FormStore, theirs: Values): Values =>
  new Map(
    [...new Set([...store.below('').keys(), ...theirs.keys(), ...store.unsaved().keys()])].map((path) => [
      path,
      store.saved(path),
    ]),
  )
