/** Another locale of the document, which the form is compared with. */
import { useQuery } from '@tanstack/react-query'
import { type DocumentAddress, documentKey, readDocument } from '../../../api/content/content.ts'
import type { Values } from '../../../form/store.ts'
import { valuesOf } from '../../../form/values/document-values.ts'
import { useSchema } from '../../../shell/me.tsx'

export interface Reference {
  readonly locale: string
  readonly values: Values
}

/** Null while nothing is compared, or the document has no such locale. */
export function useReference(
  address: DocumentAddress,
  locale: string | null,
  populate: unknown,
): Reference | null {
  const schema = useSchema()
  const { type } = address
  const { data } = useQuery({
    queryKey: ['reference', ...documentKey({ ...address, locale: locale ?? undefined })],
    queryFn: async () => {
      const { document } = await readDocument({ ...address, locale: locale ?? undefined }, populate)
      return valuesOf(schema, type.attributes, document)
    },
    enabled: locale !== null,
    retry: false,
  })
  return locale !== null && data ? { locale, values: data } : null
}
