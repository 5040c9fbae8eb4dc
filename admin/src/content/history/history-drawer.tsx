/** The saved states of a document: who saved what and when, what it changed, and restoring it. */
import { Button, Drawer } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DocumentAddress } from '../../api/content/content.ts'
import { changesQuery, historyQuery, restoreState, type SavedState } from '../../api/content/history.ts'
import { messageOf } from '../../api/request.ts'
import { useFormStatus } from '../../form/hooks.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMe } from '../../shell/me.tsx'
import { historyTexts } from '../../texts/content/history.ts'
import { texts } from '../../texts.ts'
import { formatInstant, timeAgo } from '../dates.ts'
import { StatusBadge } from '../status-badge.tsx'
import { ChangeList } from './change-list.tsx'
import styles from './history.module.css'

interface HistoryDrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly address: DocumentAddress
  readonly mayRestore: boolean
  /** Shows the document as it is on the server now. */
  readonly onRestored: () => Promise<void>
}

export function HistoryDrawer({ isOpen, onClose, ...rest }: HistoryDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title={historyTexts.title}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {isOpen && <States {...rest} onClose={onClose} />}
    </Drawer>
  )
}

function States({ address, mayRestore, onRestored, onClose }: Omit<HistoryDrawerProps, 'isOpen'>) {
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...historyQuery(address),
    staleTime: 0,
  })
  const [selected, setSelected] = useState<number | null>(null)
  if (error) return <p className={styles.message}>{messageOf(error)}</p>
  if (isPending) return <p className={styles.message}>{texts.loading}</p>
  const states = data.pages.flatMap((page) => page.data)
  if (states.length === 0) return <p className={styles.message}>{historyTexts.empty}</p>
  return (
    <>
      <ol className={styles.states}>
        {states.map((state, index) => (
          <li key={state.version} className={styles.state}>
            <button
              type="button"
              className={styles.summary}
              aria-expanded={selected === state.version}
              onClick={() => setSelected(selected === state.version ? null : state.version)}
            >
              <Summary state={state} />
            </button>
            {selected === state.version && (
              <Details
                address={address}
                state={state}
                canRestore={mayRestore && index > 0}
                onRestored={async () => {
                  await onRestored()
                  onClose()
                }}
              />
            )}
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="default" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {historyTexts.more}
        </Button>
      )}
    </>
  )
}

function Summary({ state: { action, at, by, status } }: { readonly state: SavedState }) {
  const { user } = useMe()
  const isMe = by.kind === 'user' && by.id === user.documentId
  return (
    <>
      <span>
        <strong>{historyTexts.action(action)}</strong> {historyTexts.by(by, isMe)}
      </span>
      <span className={styles.time} title={formatInstant(at)}>
        {timeAgo(at)}
      </span>
      <StatusBadge status={status} />
    </>
  )
}

interface DetailsProps {
  readonly address: DocumentAddress
  readonly state: SavedState
  readonly canRestore: boolean
  readonly onRestored: () => Promise<void>
}

function Details({ address, state, canRestore, onRestored }: DetailsProps) {
  const queryClient = useQueryClient()
  const { data, error } = useQuery(changesQuery(address, state.version))
  const { isDirty } = useFormStatus()
  const [isRestoring, setIsRestoring] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const restore = async () => {
    setIsRestoring(true)
    try {
      await restoreState(address, state.version)
      await queryClient.invalidateQueries({ queryKey: historyQuery(address).queryKey })
      await onRestored()
      notifications.show({ message: historyTexts.restored(formatInstant(state.at)) })
    } catch (failure) {
      notifications.show({ color: 'red', message: messageOf(failure), autoClose: 8_000 })
    } finally {
      setIsRestoring(false)
    }
  }
  return (
    <div className={styles.details}>
      {error && <p>{messageOf(error)}</p>}
      {!data && !error && <p>{texts.loading}</p>}
      {data && <ChangeList type={address.type} changes={data.data} />}
      {canRestore && (
        <Button
          mt={12}
          size="xs"
          variant="default"
          loading={isRestoring}
          onClick={() => (isDirty ? setIsConfirming(true) : void restore())}
        >
          {historyTexts.restore}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={historyTexts.restoreTitle}
        confirm={historyTexts.restoreAnyway}
        isDangerous
        onConfirm={restore}
      >
        {historyTexts.restoreText}
      </ConfirmDialog>
    </div>
  )
}
