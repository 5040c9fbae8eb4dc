/** The deliveries of a webhook, the newest first; sends failed ones again. */
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type DeliveryStatus,
  deliveriesQuery,
  retryFailed,
  WEBHOOKS_KEY,
  type Webhook,
} from '../../api/settings/webhooks.ts'
import { instantOf, localTimeOf } from '../../content/schedule/local-time.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading, Message, ScreenError } from '../../shell/states.tsx'
import { webhookTexts } from '../../texts/settings/webhooks.ts'
import { DeliveryItem } from './delivery-item.tsx'
import styles from './webhooks.module.css'

const STATUSES = ['waiting', 'succeeded', 'failed'] as const

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const [status, setStatus] = useState<DeliveryStatus | null>(null)
  const [isResending, setIsResending] = useState(false)
  return (
    <section className={styles.section}>
      <header className={styles.sectionHeader}>
        <h2 className={styles.sectionTitle}>{webhookTexts.deliveries}</h2>
        <SegmentedControl
          size="xs"
          aria-label={webhookTexts.status}
          data={['all' as const, ...STATUSES].map((value) => ({
            value,
            label: webhookTexts.statuses[value],
          }))}
          value={status ?? 'all'}
          onChange={(value) => setStatus(STATUSES.find((one) => one === value) ?? null)}
        />
        {webhook.enabled && (
          <Button size="xs" variant="default" onClick={() => setIsResending(true)}>
            {webhookTexts.againAll}
          </Button>
        )}
      </header>
      <DeliveryList webhook={webhook} status={status} />
      <ResendDialog isOpen={isResending} onClose={() => setIsResending(false)} webhook={webhook} />
    </section>
  )
}

interface DeliveryListProps {
  readonly webhook: Webhook
  readonly status: DeliveryStatus | null
}

function DeliveryList({ webhook, status }: DeliveryListProps) {
  const query = useInfiniteQuery(deliveriesQuery(webhook.id, status))
  if (query.error && !query.data)
    return <ScreenError error={query.error} reset={() => void query.refetch()} />
  if (!query.data) return <Loading />
  const deliveries = query.data.pages.flatMap(({ data }) => data)
  if (deliveries.length === 0)
    return <Message title={webhookTexts.noDeliveries}>{webhookTexts.noDeliveriesHint}</Message>
  return (
    <>
      <ol className={styles.deliveries}>
        {deliveries.map((delivery) => (
          <DeliveryItem key={delivery.id} delivery={delivery} canSend={webhook.enabled} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {webhookTexts.showOlder}
        </Button>
      )}
    </>
  )
}

const DAY_MS = 86_400_000

interface ResendDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly webhook: Webhook
}

function ResendDialog({ isOpen, onClose, webhook }: ResendDialogProps) {
  const queryClient = useQueryClient()
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={webhookTexts.againAll}
      submit={webhookTexts.again}
      size="sm"
      onSubmit={async (field) => {
        const retried = await retryFailed(webhook.id, instantOf(field('since')) ?? '')
        notifications.show({ message: webhookTexts.retried(retried) })
        await queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
      }}
    >
      <p className={styles.dialogText}>{webhookTexts.againAllText}</p>
      <TextInput
        type="datetime-local"
        name="since"
        label={webhookTexts.since}
        defaultValue={localTimeOf(webhook.failingSince ?? new Date(Date.now() - DAY_MS).toISOString())}
        required
        withAsterisk={false}
        data-autofocus
      />
    </FormDialog>
  )
}
