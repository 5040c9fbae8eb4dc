/**
 * Creates, lists, changes and removes webhooks. Their secrets are returned once, and stored to sign deliveries. Changes
 * are recorded in the audit log.
 */
import { errors } from '../../errors.ts'
import { cancel, enqueueUnlessRunning } from '../../jobs/enqueue.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { AuditLog } from '../audit/append.ts'
import { type Actor, SYSTEM } from '../audit/audit-record.ts'
import { addNotice } from '../notices/notices.ts'
import { readRange } from '../outbox/read-events.ts'
import { deleteDeliveriesOf } from './retention.ts'
import { newSecret } from './sending/signature.ts'
import { DELIVER, WEBHOOKS, webhooks } from './tables.ts'
import {
  publicWebhook,
  type StoredWebhook,
  type Webhook,
  type WebhookSettings,
  webhookOf,
} from './webhook.ts'

export interface Webhooks {
  list(): Promise<readonly Webhook[]>
  /** By id or name; throws a 404 if there is none. */
  get(idOrName: string): Promise<Webhook>
  /** As `get`, with its secrets. */
  stored(idOrName: string): Promise<StoredWebhook>
  /** It receives the events from now on. The secret cannot be read again. */
  create(settings: WebhookSettings, actor?: Actor): Promise<{ webhook: Webhook; secret: string }>
  update(idOrName: string, changes: Partial<WebhookSettings>, actor?: Actor): Promise<Webhook>
  remove(idOrName: string, actor?: Actor): Promise<void>
  /** Replaces the secret; the previous one also signs for a day. */
  rotate(idOrName: string, actor?: Actor): Promise<{ webhook: Webhook; secret: string }>
}

export const MAX_WEBHOOKS = 500

/** How long both secrets sign after a rotation. */
const ROTATION_MS = 86_400_000

const selectAll = sql`select * from ${webhooks} order by id`

export async function readWebhooks(store: Store): Promise<StoredWebhook[]> {
  return (await store.read(compile(store.dialect, selectAll))).map(webhookOf)
}

export async function readWebhook(store: Store, id: number): Promise<StoredWebhook | null> {
  const [row] = await store.read(compile(store.dialect, sql`select * from ${webhooks} where id = ${id}`))
  return row ? webhookOf(row) : null
}

/** Runs a change of the webhooks. They are changed one after the other. */
export const changeWebhooks = <Result>(
  store: Store,
  work: (transaction: Transaction, existing: readonly StoredWebhook[]) => Promise<Result>,
): Promise<Result> =>
  store.write(async (transaction) => {
    transaction.lock([WEBHOOKS])
    transaction.touch(WEBHOOKS)
    return work(transaction, (await transaction.all(compile(store.dialect, selectAll))).map(webhookOf))
  })

export function createWebhooks(store: Store, audit: AuditLog): Webhooks {
  const record = (
    transaction: Transaction,
    actor: Actor,
    action: 'create' | 'update' | 'delete' | 'rotate',
    { id, name }: Pick<Webhook, 'id' | 'name'>,
    fields: readonly string[] = [],
  ) => audit.record(transaction, actor, { action: `webhook.${action}`, fields, details: { id, name } })

  const find = (existing: readonly StoredWebhook[], idOrName: string): StoredWebhook => {
    const found =
      existing.find(({ id }) => String(id) === idOrName) ?? existing.find(({ name }) => name === idOrName)
    if (!found) throw errors.notFound(`There is no webhook ${idOrName}`)
    return found
  }

  const stored = async (idOrName: string) => find(await readWebhooks(store), idOrName)

  return {
    stored,
    list: async () => (await readWebhooks(store)).map(publicWebhook),
    get: async (idOrName) => publicWebhook(await stored(idOrName)),

    async create(settings, actor = SYSTEM) {
      const { newest } = await readRange(store)
      const secret = newSecret()
      const webhook = await changeWebhooks(store, async (transaction, existing) => {
        if (existing.length >= MAX_WEBHOOKS)
          throw errors.application(`There are already ${MAX_WEBHOOKS} webhooks`)
        refuseTakenName(existing, settings.name)
        const created = { secret, source: 'made', position: newest } as const
        const webhook = await insertWebhook(transaction, settings, created)
        record(transaction, actor, 'create', webhook)
        return webhook
      })
      return { webhook: publicWebhook(webhook), secret }
    },

    async update(idOrName, changes, actor = SYSTEM) {
      const { newest } = await readRange(store)
      const changed = await changeWebhooks(store, async (transaction, existing) => {
        const webhook = find(existing, idOrName)
        refuseConfigured(webhook, Object.keys(changes))
        if (changes.name !== undefined && changes.name !== webhook.name)
          refuseTakenName(existing, changes.name)
        record(transaction, actor, 'update', webhook, Object.keys(changes))
        return updateWebhook(transaction, webhook, changes, newest)
      })
      return publicWebhook(changed)
    },

    async remove(idOrName, actor = SYSTEM) {
      const { id } = await changeWebhooks(store, async (transaction, existing) => {
        const webhook = find(existing, idOrName)
        refuseConfigured(webhook, ['name'])
        deleteWebhook(transaction, webhook)
        record(transaction, actor, 'delete', webhook)
        return webhook
      })
      await deleteDeliveriesOf(store, id)
    },

    async rotate(idOrName, actor = SYSTEM) {
      const secret = newSecret()
      const webhook = await changeWebhooks(store, async (transaction, existing) => {
        const current = find(existing, idOrName)
        refuseConfigured(current, ['secret'])
        record(transaction, actor, 'rotate', current)
        const until = new Date(Date.now() + ROTATION_MS).toISOString()
        return assign(
          transaction,
          current.id,
          sql`secret = ${secret}, previous_secret = ${current.secret}, previous_until = ${until}`,
        )
      })
      return { webhook: publicWebhook(webhook), secret }
    },
  }
}

function refuseTakenName(existing: readonly StoredWebhook[], name: string): void {
  if (existing.some((one) => one.name === name))
    throw errors.application(`The webhook name ${name} is already taken`)
}

/** Of a webhook in the configuration, only `enabled` can be changed. */
function refuseConfigured({ name, source }: StoredWebhook, changed: readonly string[]): void {
  if (source === 'config' && changed.some((key) => key !== 'enabled'))
    throw errors.application(`The webhook ${name} comes from the configuration and must be changed there`)
}

export interface NewWebhook {
  readonly secret: string
  readonly source: Webhook['source']
  readonly position: number
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export async function insertWebhook(
  transaction: Transaction,
  { name, url, events, types, filters, headers, enabled }: WebhookSettings,
  { secret, source, position }: NewWebhook,
): Promise<StoredWebhook> {
  const now = new Date().toISOString()
  const insert = sql`insert into ${webhooks} (name, url, events, types, filters, headers, enabled, secret,
      source, position, created_at, updated_at)
    values (${name}, ${url}, ${json(events)}, ${json(types)}, ${json(filters)}, ${JSON.stringify(headers)},
      ${enabled ? 1 : 0}, ${secret}, ${source}, ${position}, ${now}, ${now}) returning *`
  const [row] = await transaction.all(compile(transaction.dialect, insert))
  if (!row) throw new Error('The webhook was not stored')
  return webhookOf(row)
}

/** A webhook that is turned on continues with what was waiting, and receives the events from now on. */
export async function updateWebhook(
  transaction: Transaction,
  webhook: StoredWebhook,
  changes: Partial<WebhookSettings>,
  newest: number,
): Promise<StoredWebhook> {
  const { name, url, events, types, filters, headers, enabled } = { ...webhook, ...changes }
  const isTurnedOn = enabled && !webhook.enabled
  const reset = isTurnedOn || url !== webhook.url
  if (isTurnedOn) enqueueUnlessRunning(transaction, DELIVER, String(webhook.id), new Date())
  return assign(
    transaction,
    webhook.id,
    sql`name = ${name}, url = ${url}, events = ${json(events)}, types = ${json(types)},
      filters = ${json(filters)}, headers = ${JSON.stringify(headers)}, enabled = ${enabled ? 1 : 0},
      position = ${isTurnedOn ? newest : webhook.position}${
        reset ? sql`, failing_since = null, disabled_reason = null, disabled_at = null` : sql``
      }`,
  )
}

export function deleteWebhook(transaction: Transaction, { id }: StoredWebhook): void {
  transaction.run(compile(transaction.dialect, sql`delete from ${webhooks} where id = ${id}`))
  cancel(transaction, DELIVER, String(id))
}

/** Replaces a secret immediately. */
export function setSecret(transaction: Transaction, id: number, secret: string): void {
  const statement = sql`update ${webhooks} set secret = ${secret}, previous_secret = null where id = ${id}`
  transaction.run(compile(transaction.dialect, statement))
}

async function assign(transaction: Transaction, id: number, assignments: Sql): Promise<StoredWebhook> {
  const statement = sql`update ${webhooks} set ${assignments}, updated_at = ${new Date().toISOString()}
    where id = ${id} returning *`
  const [row] = await transaction.all(compile(transaction.dialect, statement))
  if (!row) throw errors.notFound(`There is no webhook ${id}`)
  return webhookOf(row)
}

/** Turns a webhook off for a reason, with a notice to the team; returns whether it was on. */
export async function turnOff(store: Store, { id, name }: Webhook, reason: string): Promise<boolean> {
  const now = new Date().toISOString()
  const statement = sql`update ${webhooks} set enabled = 0, disabled_reason = ${reason}, disabled_at = ${now}
    where id = ${id} and enabled = 1 returning id`
  return changeWebhooks(store, async (transaction) => {
    const rows = await transaction.all(compile(store.dialect, statement))
    if (rows.length === 0) return false
    addNotice(transaction, {
      kind: 'webhook.turnedOff',
      message: `The webhook ${name} was turned off and receives no more events. ${reason}.`,
      details: { webhook: { id, name }, reason },
    })
    return true
  })
}
