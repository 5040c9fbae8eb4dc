/** A delivery: one line that opens to what was sent and what came back. */
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveryBodyQuery,
  retryDelivery,
  WEBHOOKS_KEY,
} from '../../api/settings/webhooks.ts'
import { formatInstant, timeAgo } from '../../content/dates.ts'
import { StateBadge } from '../../content/status-badge.tsx'
import { useSchema } from '../../shell/me.tsx'
import { webhookTexts } from '../../texts/settings/webhooks.ts'
import styles from './webhooks.module.css'

const TONES = { waiting: 'modified', succeeded: 'published', failed: 'failed' } as const satisfies Record<
  DeliveryStatus,
  string
>

interface DeliveryItemProps {
  readonly delivery: Delivery
  /** A webhook that is off sends nothing. */
  readonly canSend: boolean
}

export function DeliveryItem({ delivery, canSend }: DeliveryItemProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { status, event, createdAt } = delivery
  return (
    <li className={styles.delivery}>
      <button
        type="button"
        className={styles.summary}
        aria-expanded={isOpen}
        onClick={() => setIsOpen((open) => !open)}
      >
        <span className={styles.deliveryStatus}>
          <StateBadge tone={TONES[status]}>{webhookTexts.statuses[status]}</StateBadge>
        </span>
        <span className={styles.event}>
          {event} <Subject delivery={delivery} />
        </span>
        <span className={styles.muted}>{outcomeOf(delivery)}</span>
        <span className={styles.muted} title={formatInstant(createdAt)}>
          {timeAgo(createdAt)}
        </span>
      </button>
      {isOpen && <Details delivery={delivery} canSend={canSend} />}
    </li>
  )
}

function Subject({ delivery: { type, documentId } }: { readonly delivery: Delivery }) {
  const schema = useSchema()
  if (type === null) return null
  return (
    <span className={styles.muted}>
      {schema.types.get(type)?.displayName ?? type} {documentId}
    </span>
  )
}

/** What came back last, and when it is tried next. */
function outcomeOf({ attempts, nextAttemptAt }: Delivery): string {
  const last = attempts.at(-1)
  return [
    last && String(last.status ?? webhookTexts.noResponse),
    attempts.length > 1 && webhookTexts.attempts(attempts.length),
    nextAttemptAt !== null && attempts.length > 0 && webhookTexts.nextTry(timeAgo(nextAttemptAt)),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Details({ delivery, canSend }: DeliveryItemProps) {
  const queryClient = useQueryClient()
  const { data: body, error } = useQuery(deliveryBodyQuery(delivery.id))
  const { mutate, isPending } = useMutation({
    mutationFn: () => retryDelivery(delivery.id),
    onSuccess: () => notifications.show({ message: webhookTexts.sentAgain }),
    onError: (failure) => notifications.show({ color: 'red', message: messageOf(failure) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  })
  return (
    <div className={styles.details}>
      <h3>{webhookTexts.responses}</h3>
      {delivery.attempts.length === 0 && <p className={styles.muted}>{webhookTexts.noAttempt}</p>}
      <ol className={styles.attempts}>
        {delivery.attempts.map((attempt) => (
          <Attempt key={attempt.at} attempt={attempt} />
        ))}
      </ol>
      <h3>{webhookTexts.sent}</h3>
      <p className={styles.muted}>
        webhook-id: <code>{delivery.messageId}</code>
      </p>
      {error && <p>{messageOf(error)}</p>}
      {body !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <pre className={styles.body} tabIndex={0}>
          {formatted(body)}
        </pre>
      )}
      {canSend && (
        <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
          {webhookTexts.again}
        </Button>
      )}
    </div>
  )
}

function Attempt({
  attempt: { at, status, durationMs, response, error },
}: {
  readonly attempt: DeliveryAttempt
}) {
  return (
    <li>
      <span>
        <b>{status ?? webhookTexts.noResponse}</b>{' '}
        <span className={styles.muted}>
          {formatInstant(at)} · {webhookTexts.duration(durationMs)}
        </span>
      </span>
      {error !== null && <span className={styles.problem}>{error}</span>}
      {response !== null && response !== '' && <pre className={styles.body}>{response}</pre>}
    </li>
  )
}

/** JSON with line breaks; other text as it is. */
function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
