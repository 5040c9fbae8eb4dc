/** How a webhook stands: on, off, failing, or turned off by the server. */
import type { Webhook } from '../../api/settings/webhooks.ts'
import { formatInstant, timeAgo } from '../../content/dates.ts'
import { StateBadge } from '../../content/status-badge.tsx'
import { webhookTexts } from '../../texts/settings/webhooks.ts'

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { enabled, failingSince, disabledReason } = webhook
  const { states } = webhookTexts
  if (!enabled && disabledReason !== null)
    return (
      <span title={disabledReason}>
        <StateBadge tone="failed">{states.turnedOff}</StateBadge>
      </span>
    )
  if (!enabled) return <StateBadge tone="draft">{states.off}</StateBadge>
  if (failingSince !== null)
    return (
      <span title={formatInstant(failingSince)}>
        <StateBadge tone="failed">{states.failing(timeAgo(failingSince))}</StateBadge>
      </span>
    )
  return <StateBadge tone="published">{states.on}</StateBadge>
}
