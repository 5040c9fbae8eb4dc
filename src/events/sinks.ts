/** The sinks of change records that the configuration enables. Every way to write content passes them on. */
import type { ChangeSink } from '../documents/changes/change-record.ts'
import { existingContentHistory } from '../documents/history/existing-content.ts'
import { historySink } from '../documents/history/history-sink.ts'
import { historyRetention } from '../documents/history/retention.ts'
import { historyTables } from '../documents/history/tables.ts'
import { releaseRetention } from '../documents/releases/retention.ts'
import { releaseTables } from '../documents/releases/tables.ts'
import { scheduleRemoval } from '../documents/schedules/schedules.ts'
import { scheduleTables } from '../documents/schedules/tables.ts'
import type { JobKind } from '../jobs/job.ts'
import { jobTables } from '../jobs/tables.ts'
import type { Config } from '../project/config/config.ts'
import type { Store } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { OwnTables } from '../store/tables/own-tables.ts'
import { auditColumns, auditSink } from './audit/append.ts'
import { chainRecords } from './audit/chain.ts'
import { auditMaintenance } from './audit/retention.ts'
import { auditTables } from './audit/tables.ts'
import { noticeTables } from './notices/notices.ts'
import { noticeRetention } from './notices/retention.ts'
import { eventOutbox } from './outbox/outbox.ts'
import { eventRetention } from './outbox/retention.ts'
import { eventTables } from './outbox/tables.ts'
import { webhookTables } from './webhooks/tables.ts'

type SinkConfig = Pick<
  Config,
  'events' | 'audit' | 'webhooks' | 'history' | 'schedules' | 'releases' | 'notices'
>

export const changeSinks = ({ events, audit, history, schedules }: SinkConfig): readonly ChangeSink[] => [
  ...(events.enabled ? [eventOutbox(audit.enabled ? auditColumns : undefined)] : []),
  ...(audit.enabled && !events.enabled ? [auditSink] : []),
  ...(history.enabled ? [historySink] : []),
  ...(schedules.enabled ? [scheduleRemoval] : []),
]

/** Webhooks deliver events, so there are none without. */
export const hasWebhooks = ({ events, webhooks }: Pick<Config, 'events' | 'audit' | 'webhooks'>): boolean =>
  events.enabled && webhooks.enabled

/** Whether something runs in the background that the team can get notices of. */
export const hasNotices = (config: SinkConfig): boolean =>
  config.schedules.enabled || config.releases.enabled || hasWebhooks(config)

/** The tables of the enabled sinks, and that of jobs. */
export const sinkTables = (config: SinkConfig): readonly OwnTables[] => [
  jobTables,
  ...(config.events.enabled ? [eventTables] : []),
  ...(config.history.enabled ? [historyTables] : []),
  ...(config.audit.enabled ? [auditTables] : []),
  ...(config.schedules.enabled ? [scheduleTables] : []),
  ...(hasWebhooks(config) ? [webhookTables] : []),
  ...(config.releases.enabled ? [releaseTables] : []),
  ...(hasNotices(config) ? [noticeTables] : []),
]

/** The jobs that a server runs for what the configuration enables. */
export const jobKinds = (store: Store, config: SinkConfig, layout: () => Layout): readonly JobKind[] => [
  ...(config.events.enabled
    ? [
        eventRetention(store, config.events, async () => {
          if (config.audit.enabled) await chainRecords(store)
        }),
      ]
    : []),
  ...(config.audit.enabled ? [auditMaintenance(store, config.audit)] : []),
  ...(config.history.enabled
    ? [historyRetention(store, config.history), existingContentHistory(store, layout)]
    : []),
  ...(config.releases.enabled ? [releaseRetention(store, config.releases)] : []),
  ...(hasNotices(config) ? [noticeRetention(store, config.notices)] : []),
]
