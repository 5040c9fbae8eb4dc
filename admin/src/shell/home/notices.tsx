/** What went wrong in the background, until someone dismisses it. */
import { ActionIcon } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { dismissNotice, noticesQuery } from '../../api/content/home.ts'
import { messageOf } from '../../api/request.ts'
import { timeAgo } from '../../content/dates.ts'
import { DocumentLink } from '../../content/document-link.tsx'
import { homeTexts } from '../../texts/home.ts'
import styles from './home.module.css'

/** More would push everything else off the screen. */
const SHOWN = 5

export function Notices() {
  const queryClient = useQueryClient()
  const { data = [] } = useQuery(noticesQuery)
  const { mutate } = useMutation({
    mutationFn: dismissNotice,
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  })
  if (data.length === 0) return null
  return (
    <section className={styles.notices} aria-label={homeTexts.notices}>
      {data.slice(0, SHOWN).map(({ id, message, at, subject }) => (
        <div key={id} className={styles.notice}>
          <p>
            {subject ? (
              <DocumentLink type={subject.type} documentId={subject.documentId} locale={subject.locale}>
                {message}
              </DocumentLink>
            ) : (
              message
            )}{' '}
            <span className={styles.noticeTime}>{timeAgo(at)}</span>
          </p>
          <ActionIcon aria-label={homeTexts.dismiss(message)} onClick={() => mutate(id)}>
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
        </div>
      ))}
    </section>
  )
}
