/** What can be done with the selected documents, and the result for each of them. */
import { ActionIcon, Button, Group, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type BulkAction, type BulkResult, runBulkAction } from '../../../api/content/content.ts'
import { messageOf } from '../../../api/request.ts'
import type { ContentTypeView } from '../../../api/types.ts'
import { bottomBar } from '../../../parts/bottom-bar.ts'
import { useMe } from '../../../shell/me.tsx'
import { texts } from '../../../texts.ts'
import styles from './bulk-bar.module.css'

const BulkEditDialog = lazy(() => import('./bulk-edit-dialog.tsx'))
const AddToReleaseDialog = lazy(() => import('../../../releases/add-to-release-dialog.tsx'))

/** The server's limit for one request. */
const BATCH = 100

interface Change {
  readonly action: BulkAction
  /** The values to set, when documents are updated. */
  readonly data?: Readonly<Record<string, unknown>>
}

interface BulkBarProps {
  readonly type: ContentTypeView
  readonly documentIds: readonly string[]
  readonly locale: string | undefined
  readonly titles: ReadonlyMap<string, string>
  /** Called with the documents that could not be changed. */
  readonly onDone: (failed: readonly string[]) => void
}

export function BulkBar({ type, documentIds, locale, titles, onDone }: BulkBarProps) {
  const queryClient = useQueryClient()
  const [failed, setFailed] = useState<readonly BulkResult[]>([])
  const [isConfirming, setIsConfirming] = useState(false)
  const [isAddingToRelease, setIsAddingToRelease] = useState(false)
  const [isEditing, setIsEditing] = useState(false)
  const { features } = useMe()
  const {
    mutate,
    isPending,
    variables: lastChange,
  } = useMutation({
    mutationFn: async ({ action, data }: Change) => {
      const results: BulkResult[] = []
      for (let start = 0; start < documentIds.length; start += BATCH)
        try {
          const batch = documentIds.slice(start, start + BATCH)
          results.push(...(await runBulkAction(type, action, batch, locale, data)))
        } catch (error) {
          if (start === 0) throw error
          // What was done before the connection failed is done.
          const message = messageOf(error)
          const rest = documentIds.slice(start)
          return [
            ...results,
            ...rest.map((documentId) => ({ documentId, ok: false, error: { message } }) as const),
          ]
        }
      return results
    },
    onSuccess: (results) => {
      const succeeded = results.filter(({ ok }) => ok).length
      if (succeeded > 0) notifications.show({ message: texts.bulk.done(succeeded) })
      const refused = results.filter(({ ok }) => !ok)
      setFailed(refused)
      // Another attempt is for those that failed only.
      onDone(refused.map(({ documentId }) => documentId))
    },
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['list', type.uid] }),
  })
  const { actions, draftAndPublish } = type
  const offered: readonly (readonly [Exclude<BulkAction, 'update'>, boolean])[] = [
    ['publish', draftAndPublish && actions.publish],
    ['unpublish', draftAndPublish && actions.unpublish],
    ['discard', draftAndPublish && actions.discard],
    ['duplicate', actions.create],
  ]
  return (
    <>
      <div
        ref={bottomBar}
        className={styles.bar}
        role="toolbar"
        aria-label={texts.list.selected(documentIds.length)}
      >
        <span className={styles.count}>{texts.list.selected(documentIds.length)}</span>
        {offered.map(
          ([action, isOffered]) =>
            isOffered && (
              <Button
                key={action}
                size="xs"
                variant="default"
                loading={isPending}
                onClick={() => mutate({ action })}
              >
                {texts.bulk[action]}
              </Button>
            ),
        )}
        {actions.update && (
          <Button size="xs" variant="default" onClick={() => setIsEditing(true)}>
            {texts.bulk.edit}
          </Button>
        )}
        {features.releases && draftAndPublish && (actions.publish || actions.unpublish) && (
          <Button size="xs" variant="default" onClick={() => setIsAddingToRelease(true)}>
            {texts.bulk.addToRelease}
          </Button>
        )}
        {actions.delete && (
          <Button size="xs" variant="default" c="var(--danger)" onClick={() => setIsConfirming(true)}>
            {texts.bulk.delete}
          </Button>
        )}
        <ActionIcon onClick={() => onDone([])} aria-label={texts.list.clearSelection}>
          <IconX size={16} stroke={1.5} />
        </ActionIcon>
      </div>
      {isEditing && (
        <Suspense>
          <BulkEditDialog
            type={type}
            count={documentIds.length}
            locale={locale}
            isPending={isPending}
            onClose={() => setIsEditing(false)}
            onSubmit={(data) => mutate({ action: 'update', data }, { onSuccess: () => setIsEditing(false) })}
          />
        </Suspense>
      )}
      {isAddingToRelease && (
        <Suspense>
          <AddToReleaseDialog
            onClose={() => setIsAddingToRelease(false)}
            type={type}
            documentIds={documentIds}
            locale={locale}
            onAdded={() => onDone([])}
          />
        </Suspense>
      )}
      <Modal
        opened={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={texts.bulk.confirmDelete(documentIds.length)}
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        <p>{texts.bulk.confirmDeleteText(actions.readHistory)}</p>
        <Button
          color="red"
          loading={isPending}
          onClick={() => mutate({ action: 'delete' }, { onSuccess: () => setIsConfirming(false) })}
        >
          {texts.bulk.delete}
        </Button>
      </Modal>
      <Modal
        opened={failed.length > 0}
        onClose={() => setFailed([])}
        title={texts.bulk.failed(failed.length)}
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        <ul className={styles.failed}>
          {failed.map((result) => (
            <li key={result.documentId}>
              <b>{titles.get(result.documentId) || result.documentId}</b>
              {!result.ok && <span>{result.error.message}</span>}
            </li>
          ))}
        </ul>
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={() => setFailed([])}>
            {texts.close}
          </Button>
          {lastChange && (
            <Button loading={isPending} onClick={() => mutate(lastChange)}>
              {texts.retry}
            </Button>
          )}
        </Group>
      </Modal>
    </>
  )
}
