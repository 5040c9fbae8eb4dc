/** The sinks of change records that the configuration enables. Every way to write content passes them on. */
import type { ChangeSink } from '../documents/changes/change-record.ts'
import type { Config } from '../project/config/config.ts'
import type { Store } from '../store/store.ts'
import { eventOutbox } from './outbox/outbox.ts'
import { createEventTables } from './outbox/tables.ts'

type SinkConfig = Pick<Config, 'events'>

export const changeSinks = ({ events }: SinkConfig): readonly ChangeSink[] =>
  events.enabled ? [eventOutbox] : []

/** Creates the tables that the enabled sinks write to. Safe to run in several processes at the same time. */
export async function createSinkTables(store: Store, { events }: SinkConfig): Promise<void> {
  if (events.enabled) await createEventTables(store)
}
