/** The state of a document editor: the form, the version it is based on, and what saves it. */
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import {
  createDocument,
  type DocumentAction,
  type DocumentAddress,
  readDocument,
  runAction,
  updateDocument,
  type VersionedDocument,
} from '../../api/content/content.ts'
import { ApiError, messageOf } from '../../api/request.ts'
import type { ContentDocument, ContentTypeView, ValueProblem } from '../../api/types.ts'
import { isUnchanged } from '../../form/conflict.ts'
import { isEqual } from '../../form/equal.ts'
import { createOpenRows } from '../../form/open-rows.ts'
import type { FormPath } from '../../form/path.ts'
import { createPendingWork } from '../../form/pending-work.ts'
import type { Schema } from '../../form/schema.ts'
import { createFormStore, type FormStore, type Values } from '../../form/store.ts'
import {
  changedInput,
  formPathOf,
  newInput,
  newValues,
  rowsOfStore,
  valuesOf,
} from '../../form/values/document-values.ts'
import { texts } from '../../texts.ts'
import { problemsKey } from './form/problems-key.ts'
import { versionsOf } from './versions.ts'

export interface EditorOptions {
  readonly type: ContentTypeView
  /** Null for a document that does not exist yet. */
  readonly documentId: string | null
  readonly locale: string | undefined
  readonly initial: VersionedDocument | null
  /** Whether the initial document is in this locale; otherwise only its shared values are used. */
  readonly isInLocale: boolean
  readonly populate: unknown
  /** The field to go to, as a path in a request body. */
  readonly field?: string | undefined
  /** Of a document in a drawer over another one: called with each saved state. */
  readonly onSaved?: ((document: ContentDocument) => void) | undefined
}

type Work = 'save' | DocumentAction

export function useEditor(schema: Schema, options: EditorOptions) {
  const { type, documentId, locale, initial, isInLocale, populate, onSaved } = options
  const { attributes } = type
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [store] = useState(() => {
    const created = createFormStore(initialValues(schema, options))
    const problems = queryClient.getQueryData<readonly ValueProblem[]>(problemsKey(documentId)) ?? []
    queryClient.removeQueries({ queryKey: problemsKey(documentId) })
    created.setErrors(errorsOf(schema, type, created, problems))
    return created
  })
  const [openRows] = useState(createOpenRows)
  const [pending] = useState(createPendingWork)
  const [version, setVersion] = useState<VersionedDocument | null>(isInLocale ? initial : null)
  const [work, setWork] = useState<Work | null>(null)
  const [conflict, setConflict] = useState<VersionedDocument | null>(null)
  const current = useRef(version)
  const address: DocumentAddress = useMemo(
    () => ({ type, documentId: type.kind === 'single' ? null : documentId, locale }),
    [type, documentId, locale],
  )
  const exists = type.kind === 'single' || documentId !== null

  const takeOver = (saved: VersionedDocument, sent: Values) => {
    current.current = saved
    setVersion(saved)
    const values = valuesOf(schema, attributes, saved.document, '', rowsOfStore(store, true))
    store.rebase(values, stillUnsaved(store, sent))
    if (exists) onSaved?.(saved.document)
    void queryClient.invalidateQueries({ queryKey: ['list', type.uid] })
    void queryClient.invalidateQueries({ queryKey: ['recent'] })
  }

  const report = async (error: unknown) => {
    if (error instanceof ApiError && error.status === 412) {
      setConflict(await readDocument(address, populate))
      return
    }
    if (error instanceof ApiError && error.problems.length > 0)
      store.setErrors(errorsOf(schema, type, store, error.problems))
    notifications.show({ color: 'red', message: messageOf(error), autoClose: 8_000 })
  }

  /** Continues with the version on the server, if it differs from ours in nothing but its number. */
  const continueWithNewer = async (error: unknown): Promise<boolean> => {
    if (!(error instanceof ApiError) || error.status !== 412) return false
    const newer = await readDocument(address, populate)
    if (!isUnchanged(schema, attributes, versionsOf(schema, type, store, newer.document))) return false
    current.current = newer
    return true
  }

  /** Saves what is unsaved. Returns the version on the server. */
  const saveChanges = async (): Promise<VersionedDocument> => {
    const sent = store.unsaved()
    const etag = current.current?.etag ?? null
    const saved =
      exists && (current.current || type.kind === 'single')
        ? await updateDocument(address, changedInput(schema, attributes, store), populate, etag)
        : exists
          ? await updateDocument(address, changedInput(schema, attributes, store), populate, null)
          : await createDocument(address, newInput(schema, attributes, store), populate)
    takeOver(saved, sent)
    return saved
  }

  const needsSaving = () => store.status().isDirty || current.current === null

  const run = async (name: Work, task: () => Promise<void>): Promise<boolean> => {
    const inputError = store.inputError()
    if (inputError !== undefined) {
      notifications.show({ color: 'red', message: inputError })
      return false
    }
    setWork(name)
    try {
      await pending.finished()
      await task().catch(async (error: unknown) => {
        if (!(await continueWithNewer(error))) throw error
        await task()
      })
      return true
    } catch (error) {
      await report(error)
      return false
    } finally {
      setWork(null)
    }
  }

  /** A new document gets an address of its own; in a drawer, the drawer opens it. */
  const openSaved = async ({ document }: VersionedDocument) => {
    if (exists) return
    if (onSaved) return onSaved(document)
    await navigate({
      to: '/content/$type/$documentId',
      params: { type: type.path, documentId: document.documentId },
      search: locale === undefined ? {} : { locale },
      replace: true,
    })
  }

  const save = () =>
    run('save', async () => {
      if (!needsSaving()) return
      const saved = await saveChanges()
      notifications.show({ message: texts.edit.saved, autoClose: 2_000 })
      await openSaved(saved)
    })

  /** Saves first, so that what is published is what the person sees. */
  const act = (action: DocumentAction, message: string) =>
    run(action, async () => {
      const saved = needsSaving() && action !== 'discard' ? await saveChanges() : current.current
      if (!saved) return
      const target = exists ? address : { ...address, documentId: saved.document.documentId }
      try {
        await runAction(target, action, saved.etag)
      } catch (error) {
        // The new document opens at its own address, with what the server refused.
        if (error instanceof ApiError && !exists)
          queryClient.setQueryData(problemsKey(target.documentId), error.problems)
        await openSaved(saved)
        throw error
      }
      await openSaved(saved)
      const read = await readDocument(target, populate)
      takeOver(read, store.unsaved())
      if (!exists) onSaved?.(read.document)
      notifications.show({ message, autoClose: 2_500 })
    })

  /** Shows the document as it is on the server, without what is unsaved here. */
  const readAgain = async () => {
    takeOver(await readDocument(address, populate), store.unsaved())
  }

  return {
    store,
    openRows,
    pending,
    address,
    version,
    exists,
    work,
    save,
    act,
    readAgain,
    conflict,
    setConflict,
    current,
    setVersion,
  }
}

/** The messages of the server by the path of their field. */
const errorsOf = (
  schema: Schema,
  { attributes }: ContentTypeView,
  store: FormStore,
  problems: readonly ValueProblem[],
): ReadonlyMap<FormPath, string> =>
  new Map(
    problems
      .map(({ path, message }): [FormPath, string] => [formPathOf(schema, attributes, store, path), message])
      .filter(([path]) => path !== ''),
  )

export type Editor = ReturnType<typeof useEditor>

function initialValues(schema: Schema, { type, initial, isInLocale }: EditorOptions): Values {
  if (!initial) return newValues(schema, type.attributes)
  if (isInLocale) return valuesOf(schema, type.attributes, initial.document)
  const shared = type.attributes.filter(({ localized }) => !localized)
  const localized = type.attributes.filter((attribute) => attribute.localized)
  return new Map([...newValues(schema, localized), ...valuesOf(schema, shared, initial.document)])
}

/** What was changed while the request was on its way. */
function stillUnsaved(store: FormStore, sent: Values): Values {
  return new Map(
    [...store.unsaved()].filter(([path, value]) => !sent.has(path) || !isEqual(sent.get(path), value)),
  )
}
