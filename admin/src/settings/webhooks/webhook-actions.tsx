/** What can be done with a webhook: test it, replace its secret, delete it. */
import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import {
  type Delivery,
  deleteWebhook,
  rotateSecret,
  sendTest,
  WEBHOOKS_KEY,
  type Webhook,
} from '../../api/settings/webhooks.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { webhookTexts } from '../../texts/settings/webhooks.ts'
import { SecretDialog } from './secret-dialog.tsx'

export function WebhookActions({ webhook: { id, name, source } }: { readonly webhook: Webhook }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'rotate' | 'delete' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
  const test = useMutation({
    mutationFn: () => sendTest(id),
    onSuccess: showResult,
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
    onSettled: refresh,
  })
  return (
    <Group gap={8}>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {webhookTexts.test}
      </Button>
      {source === 'made' && (
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon size="lg" aria-label={webhookTexts.more}>
              <IconDots size={18} stroke={1.5} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog('rotate')}>{webhookTexts.rotate}</Menu.Item>
            <Menu.Item c="var(--danger)" onClick={() => setDialog('delete')}>
              {webhookTexts.delete}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <ConfirmDialog
        isOpen={dialog === 'rotate'}
        onClose={() => setDialog(null)}
        title={webhookTexts.rotateTitle}
        confirm={webhookTexts.rotate}
        onConfirm={async () => setSecret(await rotateSecret(id))}
      >
        <p>{webhookTexts.rotateText}</p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={() => setDialog(null)}
        title={webhookTexts.deleteTitle(name)}
        confirm={webhookTexts.delete}
        isDangerous
        onConfirm={async () => {
          await deleteWebhook(id)
          notifications.show({ message: webhookTexts.deleted })
          await navigate({ to: '/settings/webhooks' })
          await refresh()
        }}
      >
        <p>{webhookTexts.deleteText}</p>
      </ConfirmDialog>
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </Group>
  )
}

function showResult({ status, attempts }: Delivery) {
  const last = attempts.at(-1)
  if (status === 'succeeded' && last?.status)
    notifications.show({ message: webhookTexts.testSucceeded(last.status) })
  else {
    const reason = last?.error ?? (last?.status ? String(last.status) : webhookTexts.noResponse)
    notifications.show({ color: 'red', message: webhookTexts.testFailed(reason), autoClose: 8_000 })
  }
}
