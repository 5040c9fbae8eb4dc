/** The deleted documents of a type: what they were, and restoring them. */
import { Button, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowLeft } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type DeletedDocument, deletedKey, deletedQuery, restoreState } from '../../api/content/history.ts'
import { messageOf } from '../../api/request.ts'
import type { ContentTypeView } from '../../api/types.ts'
import screen from '../../parts/screen.module.css'
import { Cell, Table } from '../../parts/table.tsx'
import { useMe, useType } from '../../shell/me.tsx'
import { Loading, Message, NotFound, ScreenError } from '../../shell/states.tsx'
import { deletedTexts } from '../../texts/content/deleted.ts'
import { historyTexts } from '../../texts/content/history.ts'
import { texts } from '../../texts.ts'
import { formatInstant, timeAgo } from '../dates.ts'
import { titleOf } from '../title.ts'
import styles from './deleted.module.css'

export function DeletedScreen() {
  const { type: path } = useParams({ from: '/signed-in/content/$type/deleted' })
  const type = useType(path)
  if (!type?.actions.readHistory) return <NotFound />
  return (
    <div className={styles.screen}>
      <Link to="/content/$type" params={{ type: type.path }} className={screen.back}>
        <IconArrowLeft size={14} stroke={1.5} aria-hidden />
        {deletedTexts.back(type.view.label)}
      </Link>
      <h1 className={screen.title}>{deletedTexts.title(type.view.label)}</h1>
      <p className={styles.text}>{deletedTexts.text}</p>
      <DeletedList key={type.uid} type={type} />
    </div>
  )
}

function DeletedList({ type }: { readonly type: ContentTypeView }) {
  const query = useInfiniteQuery({ ...deletedQuery(type), staleTime: 0 })
  const { columns } = deletedTexts
  if (query.error && !query.data)
    return <ScreenError error={query.error} reset={() => void query.refetch()} />
  if (!query.data) return <Loading />
  const documents = query.data.pages.flatMap(({ data }) => data)
  if (documents.length === 0) return <Message title={deletedTexts.empty}>{deletedTexts.emptyHint}</Message>
  return (
    <>
      <Table
        label={deletedTexts.open}
        columns={[
          { label: columns.title, width: '50%' },
          ...(type.localized ? [{ label: columns.locale, isSecondary: true }] : []),
          { label: columns.by },
          { label: columns.actions },
        ]}
      >
        {documents.map((deleted) => (
          <Row key={`${deleted.documentId} ${deleted.locale}`} type={type} deleted={deleted} />
        ))}
      </Table>
      {query.hasNextPage && (
        <Button
          mt={16}
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {deletedTexts.showOlder}
        </Button>
      )}
    </>
  )
}

interface RowProps {
  readonly type: ContentTypeView
  readonly deleted: DeletedDocument
}

function Row({ type, deleted }: RowProps) {
  const { user } = useMe()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isShown, setIsShown] = useState(false)
  const { documentId, locale, version, at, by, document } = deleted
  const title = titleOf(type, document)
  const { mutate, isPending } = useMutation({
    mutationFn: () => restoreState({ type, documentId, locale: locale ?? undefined }, version),
    onSuccess: async ({ meta }) => {
      void queryClient.invalidateQueries({ queryKey: deletedKey(type) })
      void queryClient.invalidateQueries({ queryKey: ['list', type.uid] })
      notifications.show({ message: deletedTexts.restored(title) })
      if (meta.notRestored.length > 0)
        notifications.show({
          color: 'red',
          title: deletedTexts.notRestored,
          message: meta.notRestored.map(({ message }) => message).join('\n'),
          autoClose: false,
        })
      await navigate({
        to: '/content/$type/$documentId',
        params: { type: type.path, documentId },
        search: locale === null ? {} : { locale },
      })
    },
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error), autoClose: 8_000 }),
  })
  const isMe = by.kind === 'user' && by.id === user.documentId
  return (
    <tr>
      <Cell>
        <button
          type="button"
          className={styles.name}
          dir="auto"
          aria-label={deletedTexts.show(title)}
          onClick={() => setIsShown(true)}
        >
          {title}
        </button>
        <Modal
          opened={isShown}
          onClose={() => setIsShown(false)}
          title={title}
          size="lg"
          closeButtonProps={{ 'aria-label': texts.close }}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
          <pre className={styles.json} tabIndex={0}>
            {JSON.stringify(contentOf(document), null, 2)}
          </pre>
        </Modal>
      </Cell>
      {type.localized && (
        <Cell isMuted isSecondary>
          {locale}
        </Cell>
      )}
      <Cell isMuted>
        <span title={formatInstant(at)}>
          {timeAgo(at)} {historyTexts.by(by, isMe)}
        </span>
      </Cell>
      <Cell isShort>
        {type.actions.create && type.actions.update && (
          <Button
            size="xs"
            variant="default"
            loading={isPending}
            aria-label={deletedTexts.restoreOf(title)}
            onClick={() => mutate()}
          >
            {deletedTexts.restore}
          </Button>
        )}
      </Cell>
    </tr>
  )
}

/** What the document said, without what the server adds. */
const contentOf = ({ id: _, __meta, meta: __, ...content }: DeletedDocument['document']) => content
