/** One webhook: its settings and its deliveries. Also the form for a new one. */
import { notifications } from '@mantine/notifications'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/request.ts'
import {
  changeWebhook,
  createWebhook,
  WEBHOOKS_KEY,
  type Webhook,
  type WebhookSettings,
  webhookQuery,
} from '../../api/settings/webhooks.ts'
import { timeAgo } from '../../content/dates.ts'
import { useMe } from '../../shell/me.tsx'
import { Loading, NotFound, ScreenError } from '../../shell/states.tsx'
import { webhookTexts } from '../../texts/settings/webhooks.ts'
import { SectionPage } from '../section-page.tsx'
import { Deliveries } from './deliveries.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'
import styles from './webhooks.module.css'

export function WebhookSection() {
  const { id } = useParams({ from: '/signed-in/settings/webhooks/$id' })
  const { features, permissions } = useMe()
  if (!features.webhooks || !permissions.admin) return <NotFound />
  return id === 'new' ? <NewWebhook /> : <ExistingWebhook key={id} id={id} />
}

const Back = () => (
  <Link to="/settings/webhooks" className={styles.back}>
    <IconArrowLeft size={14} stroke={1.5} aria-hidden />
    {webhookTexts.back}
  </Link>
)

const NEW: WebhookSettings = {
  name: '',
  url: '',
  events: null,
  types: null,
  filters: null,
  headers: {},
  enabled: true,
}

function NewWebhook() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [created, setCreated] = useState<{ readonly id: number; readonly secret: string } | null>(null)
  return (
    <>
      <Back />
      <SectionPage title={webhookTexts.create}>
        <WebhookForm
          initial={NEW}
          isReadOnly={false}
          label={webhookTexts.createIt}
          onSave={async (settings) => {
            setCreated(await createWebhook(settings))
            await queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
          }}
        />
        <SecretDialog
          secret={created?.secret ?? null}
          onClose={() =>
            void navigate({
              to: '/settings/webhooks/$id',
              params: { id: String(created?.id) },
              replace: true,
            })
          }
        />
      </SectionPage>
    </>
  )
}

function ExistingWebhook({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(webhookQuery(id))
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  if (error && !data) return <ScreenError error={error} reset={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      <Back />
      <SectionPage
        title={data.name}
        text={<WebhookState webhook={data} />}
        action={<WebhookActions webhook={data} />}
      >
        <Notice webhook={data} />
        <Deliveries webhook={data} />
        <Settings webhook={data} />
      </SectionPage>
    </>
  )
}

function Notice({ webhook: { disabledReason, disabledAt, source } }: { readonly webhook: Webhook }) {
  return (
    <>
      {disabledReason !== null && (
        <p className={styles.notice} data-tone="danger">
          {webhookTexts.disabled(disabledAt === null ? '' : timeAgo(disabledAt), disabledReason)}{' '}
          {webhookTexts.disabledHint}
        </p>
      )}
      {source === 'config' && <p className={styles.notice}>{webhookTexts.fromConfig}</p>}
    </>
  )
}

function Settings({ webhook }: { readonly webhook: Webhook }) {
  const queryClient = useQueryClient()
  const { id, name, url, events, types, filters, headers, enabled, source } = webhook
  const isConfigured = source === 'config'
  return (
    <section className={styles.section}>
      <h2 className={styles.sectionTitle}>{webhookTexts.settings}</h2>
      <WebhookForm
        // The switch of the list and the server change it too.
        key={String(enabled)}
        initial={{ name, url, events, types, filters, headers, enabled }}
        isReadOnly={isConfigured}
        label={webhookTexts.save}
        onSave={async (settings) => {
          await changeWebhook(id, isConfigured ? { enabled: settings.enabled } : settings)
          notifications.show({ message: webhookTexts.saved })
          await queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
        }}
      />
    </section>
  )
}
