/** All webhooks with how they stand. */
import { Button, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messageOf } from '../../api/request.ts'
import { changeWebhook, WEBHOOKS_KEY, type Webhook, webhooksQuery } from '../../api/settings/webhooks.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { useMe, useSchema } from '../../shell/me.tsx'
import { Loading, Message, NotFound, ScreenError } from '../../shell/states.tsx'
import { webhookTexts } from '../../texts/settings/webhooks.ts'
import { SectionPage } from '../section-page.tsx'
import { WebhookState } from './webhook-state.tsx'
import styles from './webhooks.module.css'

export function WebhooksSection() {
  const { features, permissions } = useMe()
  if (!features.webhooks || !permissions.admin) return <NotFound />
  return (
    <SectionPage
      title={webhookTexts.title}
      text={webhookTexts.text}
      action={
        <Button
          leftSection={<IconPlus size={16} stroke={1.75} />}
          renderRoot={(props) => <Link to="/settings/webhooks/$id" params={{ id: 'new' }} {...props} />}
        >
          {webhookTexts.create}
        </Button>
      }
    >
      <WebhookList />
    </SectionPage>
  )
}

function WebhookList() {
  const { data, error, refetch } = useQuery(webhooksQuery)
  const { columns } = webhookTexts
  if (error && !data) return <ScreenError error={error} reset={() => void refetch()} />
  if (!data) return <Loading />
  if (data.length === 0) return <Message title={webhookTexts.empty}>{webhookTexts.emptyHint}</Message>
  return (
    <Table
      label={webhookTexts.title}
      columns={[
        { label: columns.name, width: '42%' },
        { label: columns.receives, isSecondary: true },
        { label: columns.state },
        { label: columns.on },
      ]}
    >
      {data.map((webhook) => (
        <Row key={webhook.id} webhook={webhook} />
      ))}
    </Table>
  )
}

function Row({ webhook }: { readonly webhook: Webhook }) {
  const queryClient = useQueryClient()
  const { id, name, url, enabled } = webhook
  const { mutate, isPending } = useMutation({
    mutationFn: (next: boolean) => changeWebhook(id, { enabled: next }),
    onSuccess: (changed) =>
      notifications.show({
        message: changed.enabled ? webhookTexts.turnedOn : webhookTexts.turnedOff,
      }),
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  })
  return (
    <tr>
      <Cell>
        <Link to="/settings/webhooks/$id" params={{ id: String(id) }} className={styles.name}>
          {name}
        </Link>
        <span className={styles.url}>{url}</span>
      </Cell>
      <Cell isSecondary isMuted>
        <Received webhook={webhook} />
      </Cell>
      <Cell>
        <WebhookState webhook={webhook} />
      </Cell>
      <Cell isMiddle>
        <Switch
          aria-label={webhookTexts.turnOn(name)}
          checked={enabled}
          disabled={isPending}
          onChange={({ currentTarget }) => mutate(currentTarget.checked)}
        />
      </Cell>
    </tr>
  )
}

/** Which events of which content-types, in a few words. */
function Received({ webhook: { events, types } }: { readonly webhook: Webhook }) {
  const schema = useSchema()
  const names = types?.map((uid) => schema.types.get(uid)?.view.label ?? uid)
  return [
    events === null
      ? webhookTexts.allEvents
      : events.length > 2
        ? webhookTexts.events(events.length)
        : events.join(', '),
    names === undefined ? webhookTexts.allTypes : webhookTexts.ofTypes(names.join(', ')),
  ].join(' ')
}
