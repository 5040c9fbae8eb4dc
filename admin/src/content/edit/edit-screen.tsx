/** Opens a document: reads it with everything in it, and gives it to the editor. */
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { documentKey, readDocument } from '../../api/content/content.ts'
import { ApiError } from '../../api/request.ts'
import type { ContentDocument, ContentTypeView } from '../../api/types.ts'
import { localCopyKey, readLocalCopy } from '../../form/local-copies.ts'
import { populateOf } from '../../form/values/populate.ts'
import { useMe, useSchema, useType } from '../../shell/me.tsx'
import { Loading, NotFound, ScreenError } from '../../shell/states.tsx'
import { DocumentEditor } from './document-editor.tsx'

export function EditScreen() {
  const { type: path, documentId } = useParams({ from: '/signed-in/content/$type/$documentId' })
  const { locale, field } = useSearch({ from: '/signed-in/content/$type/$documentId' })
  const type = useType(path)
  if (!type) return <NotFound />
  return <OpenDocument type={type} documentId={documentId} wantedLocale={locale} field={field} />
}

/** A single type has one document, which exists once it was saved. */
export function SingleScreen({ type }: { readonly type: ContentTypeView }) {
  const { locale } = useSearch({ from: '/signed-in/content/$type' })
  return <OpenDocument type={type} documentId={null} wantedLocale={locale} />
}

/** In place of a documentId, for a document that does not exist yet. */
export const NEW_DOCUMENT = 'new'

interface OpenDocumentProps {
  readonly type: ContentTypeView
  /** `new` for a document that does not exist yet; null for a single type. */
  readonly documentId: string | null
  readonly wantedLocale: string | undefined
  readonly field?: string | undefined
  /** Of a document in a drawer: called with each saved state. */
  readonly onSaved?: (document: ContentDocument) => void
}

export function OpenDocument({ type, documentId, wantedLocale, field, onSaved }: OpenDocumentProps) {
  const { locales, user } = useMe()
  const schema = useSchema()
  const locale = type.localized ? (wantedLocale ?? locales.default) : undefined
  const isNew = documentId === NEW_DOCUMENT
  const populate = populateOf(schema, type.attributes)
  const address = { type, documentId: isNew ? null : documentId, locale }
  const opened = useOpenedEditor(`${type.uid} ${documentId} ${locale}`)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: documentKey(address),
    queryFn: async () => {
      try {
        return { ...(await readDocument(address, populate)), isInLocale: true }
      } catch (failure) {
        if (!(failure instanceof ApiError) || failure.status !== 404) throw failure
        return readOtherLocale()
      }
    },
    enabled: !isNew && !opened.hasCreated,
    // The editor decides when to read the document again.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

  /** Shared values come from another locale; a single type may not exist at all. */
  async function readOtherLocale() {
    const other = locales.codes.find((code) => code !== locale)
    if (type.localized && other !== undefined) {
      for (const code of locales.codes.filter((each) => each !== locale)) {
        const found = await readDocument({ ...address, locale: code }, populate).catch((failure: unknown) => {
          if (failure instanceof ApiError && failure.status === 404) return null
          throw failure
        })
        if (found) return { document: found.document, etag: null, isInLocale: false }
      }
    }
    if (documentId === null) return { document: null, etag: null, isInLocale: false }
    throw new ApiError(404, '')
  }

  const isMissing = error instanceof ApiError && error.status === 404
  const { data: unsaved } = useQuery({
    queryKey: ['unsaved', ...documentKey(address)],
    queryFn: () =>
      readLocalCopy(localCopyKey(user.id, type.uid, address.documentId, locale)).catch(() => null),
    enabled: isMissing,
    staleTime: 0,
    gcTime: 0,
  })
  if (isMissing && unsaved === undefined) return <Loading />
  if (isMissing && unsaved === null) return <NotFound />
  if (error && !isMissing) return <ScreenError error={error} reset={() => void refetch()} />
  if (!isNew && !opened.hasCreated && !isMissing && (!data || isFetching)) return <Loading />
  return (
    <DocumentEditor
      key={opened.key}
      type={type}
      documentId={opened.hasCreated || isMissing ? documentId : (data?.document?.documentId ?? null)}
      locale={locale}
      initial={data?.document ? { document: data.document, etag: data.etag } : null}
      isInLocale={data?.isInLocale ?? true}
      populate={populate}
      isDeleted={isMissing}
      field={field}
      onSaved={onSaved}
      onCreated={(created) => opened.expect(`${type.uid} ${created} ${locale}`)}
    />
  )
}

/**
 * Which editor is open at an address. Another address has another editor, except that of the document that the editor has
 * created: people who go on typing during the first save keep the focus and every word.
 */
function useOpenedEditor(address: string) {
  const [opened, setOpened] = useState({ address, key: 0, hasCreated: false })
  const [created, expect] = useState<string | null>(null)
  if (opened.address !== address) {
    const hasCreated = created === address
    setOpened({ address, key: hasCreated ? opened.key : opened.key + 1, hasCreated })
    expect(null)
  }
  return { ...opened, expect }
}
