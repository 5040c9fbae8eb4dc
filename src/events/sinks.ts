/** The sinks of change records that the configuration enables. Every way to write content passes them on. */
import type { ChangeSink } from '../documents/changes/change-record.ts'
import { historySink } from '../documents/history/history-sink.ts'
import { historyRetention } from '../documents/history/retention.ts'
import { createHistoryTables } from '../documents/history/tables.ts'
import { releaseRetention } from '../documents/releases/retention.ts'
import { createReleaseTables } from '../documents/releases/tables.ts'
import { scheduleRemoval } from '../documents/schedules/schedules.ts'
import { createScheduleTables } from '../documents/schedules/tables.ts'
import type { JobKind } from '../jobs/job.ts'
import { createJobTables } from '../jobs/tables.ts'
import type { Config } from '../project/config/config.ts'
import type { Store } from '../store/store.ts'
import { auditSink } from './audit/append.ts'
import { auditMaintenance } from './audit/retention.ts'
import { createAuditTables } from './audit/tables.ts'
import { createNoticeTables } from './notices/notices.ts'
import { noticeRetention } from './notices/retention.ts'
import { eventOutbox } from './outbox/outbox.ts'
import { eventRetention } from './outbox/retention.ts'
import { createEventTables } from './outbox/tables.ts'
import { createWebhookTables } from './webhooks/tables.ts'

type SinkConfig = Pick<
  Config,
  'events' | 'audit' | 'webhooks' | 'history' | 'schedules' | 'releases' | 'notices'
>

export const changeSinks = ({ events, audit, history, schedules }: SinkConfig): readonly ChangeSink[] => [
  ...(events.enabled ? [eventOutbox] : []),
  ...(audit.enabled ? [auditSink] : []),
  ...(history.enabled ? [historySink] : []),
  ...(schedules.enabled ? [scheduleRemoval] : []),
]

/** Webhooks deliver events, so there are none without. */
export const hasWebhooks = ({ events, webhooks }: Pick<Config, 'events' | 'audit' | 'webhooks'>): boolean =>
  events.enabled && webhooks.enabled

/** Whether something runs in the background that the team can get notices of. */
export const hasNotices = (config: SinkConfig): boolean =>
  config.schedules.enabled || config.releases.enabled || hasWebhooks(config)

/** Creates the tables of the enabled sinks, and that of jobs. Safe to run in several processes at the same time. */
export async function createSinkTables(store: Store, config: SinkConfig): Promise<void> {
  await createJobTables(store)
  if (config.events.enabled) await createEventTables(store)
  if (config.history.enabled) await createHistoryTables(store)
  if (config.audit.enabled) await createAuditTables(store)
  if (config.schedules.enabled) await createScheduleTables(store)
  if (hasWebhooks(config)) await createWebhookTables(store)
  if (config.releases.enabled) await createReleaseTables(store)
  if (hasNotices(config)) await createNoticeTables(store)
}

/** The jobs that a server runs for what the configuration enables. */
export const jobKinds = (store: Store, config: SinkConfig): readonly JobKind[] => [
  ...(config.events.enabled ? [eventRetention(store, config.events)] : []),
  ...(config.audit.enabled ? [auditMaintenance(store, config.audit)] : []),
  ...(config.history.enabled ? [historyRetention(store, config.history)] : []),
  ...(config.releases.enabled ? [releaseRetention(store, config.releases)] : []),
  ...(hasNotices(config) ? [noticeRetention(store, config.notices)] : []),
]
