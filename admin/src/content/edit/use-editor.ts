/** The state of a document editor: the form, the version it is based on, and what saves it. */
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
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
import { startAgain } from './start-again.ts'
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
  /** Whether the document was deleted, and the form is for the unsaved changes that this browser kept. */
  readonly isDeleted?: boolean | undefined
  /** The field to go to, as a path in a request body. */
  readonly field?: string | undefined
  /** Of a document in a drawer over another one: called with each saved state. */
  readonly onSaved?: ((document: ContentDocument) => void) | undefined
  /** Called when a new document has got its id, before it opens at its own address. */
  readonly onCreated: (documentId: string) => void
}

type Work = 'save' | DocumentAction

export function useEditor(schema: Schema, options: EditorOptions) {
  const { type, documentId, locale, initial, isInLocale, populate, isDeleted, onSaved, onCreated } = options
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
  const [asksToCreateAgain, setAsksToCreateAgain] = useState(false)
  const current = useRef(version)
  /** Whether saving creates another document in place of a deleted one. */
  const isGone = useRef(isDeleted === true)
  const running = useRef<Promise<unknown>>(Promise.resolve())
  const isOpen = useIsMounted()
  const address: DocumentAddress = useMemo(
    () => ({ type, documentId: type.kind === 'single' ? null : documentId, locale }),
    [type, documentId, locale],
  )
  const exists = type.kind === 'single' || documentId !== null
  // A function that waits belongs to an earlier render, in which a new document had no id yet.
  const isStored = () => !isGone.current && (exists || current.current !== null)
  const storedAddress = (): DocumentAddress =>
    type.kind === 'single'
      ? address
      : { ...address, documentId: current.current?.document.documentId ?? documentId }

  const takeOver = (saved: VersionedDocument, sent: Values) => {
    current.current = saved
    isGone.current = false
    setVersion(saved)
    const values = valuesOf(schema, attributes, saved.document, '', rowsOfStore(store, true))
    store.rebase(values, stillUnsaved(store, sent))
    onSaved?.(saved.document)
    void queryClient.invalidateQueries({ queryKey: ['list', type.uid] })
    void queryClient.invalidateQueries({ queryKey: ['recent'] })
  }

  const report = (error: unknown) => {
    if (error instanceof ApiError && error.problems.length > 0)
      store.setErrors(errorsOf(schema, type, store, error.problems))
    notifications.show({ color: 'red', message: messageOf(error), autoClose: 8_000 })
  }

  const reportOrAsk = async (error: unknown) => {
    const mayBeDeleted = error instanceof ApiError && (error.status === 412 || error.status === 404)
    if (!mayBeDeleted || !isStored()) return report(error)
    try {
      const theirs = await readDocument(storedAddress(), populate)
      if (error.status === 412) setConflict(theirs)
      else report(error)
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 404) setAsksToCreateAgain(true)
      else report(failure)
    }
  }

  /** Continues with the version on the server, if it differs from ours in nothing but its number. */
  const continueWithNewer = async (error: unknown): Promise<boolean> => {
    if (!(error instanceof ApiError) || error.status !== 412) return false
    const newer = await readDocument(storedAddress(), populate)
    if (!isUnchanged(schema, attributes, versionsOf(schema, type, store, newer.document))) return false
    current.current = newer
    return true
  }

  /** Saves what is unsaved. Returns the version on the server. */
  const saveChanges = async (): Promise<VersionedDocument> => {
    const sent = store.unsaved()
    const isNew = !isStored()
    const saved = isNew
      ? await createDocument({ ...address, documentId: null }, newInput(schema, attributes, store), populate)
      : await updateDocument(
          storedAddress(),
          changedInput(schema, attributes, store),
          populate,
          current.current?.etag ?? null,
        )
    if (isNew) onCreated(saved.document.documentId)
    takeOver(saved, sent)
    return saved
  }

  const needsSaving = () => store.status().isDirty || current.current === null

  /** Runs one task after the other, so that one that is requested during a save starts from its result. */
  const run = (name: Work, task: () => Promise<void>): Promise<boolean> => {
    const result = running.current.then(() => runNow(name, task))
    running.current = result.catch(() => {})
    return result
  }

  const runNow = async (name: Work, task: () => Promise<void>): Promise<boolean> => {
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
      await reportOrAsk(error)
      return false
    } finally {
      setWork(null)
    }
  }

  /** A new document gets an address of its own. In a drawer it has none, and whoever has left stays where they are. */
  const openCreated = async ({ document }: VersionedDocument) => {
    if (onSaved || !isOpen()) return
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
      const isNew = !isStored()
      const saved = await saveChanges()
      notifications.show({ message: texts.edit.saved, autoClose: 2_000 })
      if (isNew) await openCreated(saved)
    })

  /** After the document was deleted: creates it again from what is in the form; only in this locale, if it has others. */
  const createAgain = async () => {
    const others = Object.keys(current.current?.document.__meta?.locales ?? {})
    isGone.current = await startAgain(schema, storedAddress(), others, populate, store)
    current.current = null
    setVersion(null)
    setAsksToCreateAgain(false)
    await save()
  }

  /** Saves first, so that what is published is what the person sees. */
  const act = (action: DocumentAction, message: string) =>
    run(action, async () => {
      const isNew = !isStored()
      const saved = needsSaving() && action !== 'discard' ? await saveChanges() : current.current
      if (!saved) return
      if (isNew) await openCreated(saved)
      // What is typed from here on stays.
      const dropped: Values = action === 'discard' ? store.unsaved() : new Map()
      await runAction(storedAddress(), action, saved.etag)
      takeOver(await readDocument(storedAddress(), populate), dropped)
      notifications.show({ message, autoClose: 2_500 })
    })

  /** Shows the document as it is on the server, without what is unsaved here. */
  const readAgain = async () => {
    takeOver(await readDocument(storedAddress(), populate), store.unsaved())
  }

  /** Also of a document that is not in this locale yet. */
  const localeStatuses = (version ?? (isGone.current ? null : initial))?.document.__meta?.locales ?? {}

  return {
    store,
    localeStatuses,
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
    asksToCreateAgain,
    setAsksToCreateAgain,
    createAgain,
    report,
    current,
    setVersion,
  }
}

/** Returns a function that tells whether the component is still on the page. */
function useIsMounted(): () => boolean {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return () => isMounted.current
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
