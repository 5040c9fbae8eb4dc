/** The sinks of change records that the configuration enables. Every way to write content passes them on. */
import type { ChangeSink } from '../documents/changes/change-record.ts'
import type { JobKind } from '../jobs/job.ts'
import { createJobTables } from '../jobs/tables.ts'
import type { Config } from '../project/config/config.ts'
import type { Store } from '../store/store.ts'
import { eventOutbox } from './outbox/outbox.ts'
import { eventRetention } from './outbox/retention.ts'
import { createEventTables } from './outbox/tables.ts'

type SinkConfig = Pick<Config, 'events'>

export const changeSinks = ({ events }: SinkConfig): readonly ChangeSink[] =>
  events.enabled ? [eventOutbox] : []

/** Creates the tables of the enabled sinks, and that of jobs. Safe to run in several processes at the same time. */
export async function createSinkTables(store: Store, { events }: SinkConfig): Promise<void> {
  await createJobTables(store)
  if (events.enabled) await createEventTables(store)
}

/** The jobs that a server runs for what the configuration enables. */
export const jobKinds = (store: Store, { events }: SinkConfig): readonly JobKind[] =>
  events.enabled ? [eventRetention(store, events)] : []
