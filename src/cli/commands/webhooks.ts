/** `octavo webhooks`: manages webhooks and their deliveries, whether or not the server is running. */

import { type Command, InvalidArgumentError, Option } from 'commander'
import { ApiError } from '../../errors.ts'
import { createAuditLog } from '../../events/audit/append.ts'
import { EVENT_NAMES } from '../../events/event.ts'
import { hasWebhooks } from '../../events/sinks.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type ListedDelivery,
  listDeliveries,
  readDelivery,
  retryDelivery,
  retryFailedSince,
} from '../../events/webhooks/delivery-list.ts'
import { openDeliveries } from '../../events/webhooks/open-deliveries.ts'
import { WEBHOOKS } from '../../events/webhooks/tables.ts'
import type { Webhook } from '../../events/webhooks/webhook.ts'
import { createWebhooks, type Webhooks } from '../../events/webhooks/webhooks.ts'
import { parseNewWebhook } from '../../http/webhooks/parse-webhook.ts'
import type { Project } from '../../model/load-project.ts'
import { formatInstant, parseInstant } from '../../model/scalars/shared/instants.ts'
import { ownCommand } from '../../project/own-command.ts'
import type { Store } from '../../store/store.ts'
import { openExistingDatabase } from '../database.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { projectOf } from '../project.ts'

interface AddOptions extends ProjectOptions {
  readonly events?: readonly string[]
  readonly types?: readonly string[]
  readonly filters?: unknown
  readonly header?: Readonly<Record<string, string>>
  readonly disabled?: boolean
}

interface DeliveryOptions extends ProjectOptions {
  readonly status?: DeliveryStatus
  readonly limit: number
}

interface RetryOptions extends ProjectOptions {
  readonly delivery?: number
  readonly since?: string
}

interface Opened {
  readonly store: Store
  readonly project: Project
  readonly webhooks: Webhooks
}

const DEFAULT_LIMIT = 25

/** Adds the command and its subcommands. */
export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('manage webhooks and their deliveries')
  const add = (name: string, description: string) =>
    webhooks.command(name).description(description).addOption(projectOption()).addOption(databaseOption())

  webhooks
    .command('list', { isDefault: true })
    .description('list webhooks')
    .option('--json', 'print JSON')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action((options: ProjectOptions & { readonly json?: boolean }) =>
      withWebhooks(options, async ({ webhooks: all }) => {
        const listed = await all.list()
        if (options.json) return print(JSON.stringify(listed, null, 2))
        print(listed.length === 0 ? 'No webhooks.' : listed.map(lineOf).join('\n'))
      }),
    )

  add('add <name> <url>', 'create a webhook and print its secret; it cannot be shown again')
    .option(
      '--events <names>',
      `only these events, separated by commas: ${EVENT_NAMES.join(', ')}`,
      parseNames,
    )
    .option('--types <names>', 'only these content-types, separated by commas', parseNames)
    .option('--filters <json>', 'only documents that these filters cover; requires --types', parseJson)
    .option('--header <name: value>', 'a header to send; can be repeated', collectHeader)
    .option('--disabled', 'create it turned off')
    .action(addWebhook)

  add('remove <id-or-name>', 'delete a webhook with its deliveries').action(
    (idOrName: string, options: ProjectOptions) =>
      withWebhooks(options, async ({ webhooks: all }) => {
        await all.remove(idOrName)
        print(`Removed the webhook ${idOrName}.`)
      }),
  )

  for (const enabled of [true, false])
    add(
      enabled ? 'enable <id-or-name>' : 'disable <id-or-name>',
      `turn a webhook ${enabled ? 'on' : 'off'}`,
    ).action((idOrName: string, options: ProjectOptions) =>
      withWebhooks(options, async ({ webhooks: all }) => {
        await all.update(idOrName, { enabled })
        print(`The webhook ${idOrName} is ${enabled ? 'on' : 'off'}.`)
      }),
    )

  add(
    'rotate <id-or-name>',
    'replace the secret and print the new one; the old one also signs for a day',
  ).action((idOrName: string, options: ProjectOptions) =>
    withWebhooks(options, async ({ webhooks: all }) => print((await all.rotate(idOrName)).secret)),
  )

  add('test <id-or-name>', 'send a sample and print what happened').action(test)

  add('deliveries <id-or-name>', 'list the deliveries of a webhook, newest first')
    .addOption(new Option('--status <status>', 'only deliveries in this state').choices(DELIVERY_STATUSES))
    .option('--limit <number>', 'maximum number of deliveries', parseNumber, DEFAULT_LIMIT)
    .action((idOrName: string, { status = undefined, limit, ...options }: DeliveryOptions) =>
      withWebhooks(options, async ({ store, webhooks: all }) => {
        const { id } = await all.get(idOrName)
        const page = { start: 0, limit, status: status ?? null }
        const { deliveries } = await listDeliveries(store, id, page)
        print(deliveries.length === 0 ? 'No deliveries.' : deliveries.map(deliveryLine).join('\n'))
      }),
    )

  add('retry <id-or-name>', 'have a running server send deliveries again')
    .option('--delivery <id>', 'only this delivery', parseNumber)
    .option('--since <time>', 'all that failed since this time, such as 2026-11-16T12:00:00Z', parseTime)
    .action(retry)
}

async function addWebhook(name: string, url: string, options: AddOptions): Promise<void> {
  const { events = null, types = null, filters = null, header = {}, disabled = false } = options
  await withWebhooks(options, async ({ webhooks, project: { model, config } }) => {
    const settings = parseNewWebhook(
      { model, bounds: config.api.rest.bounds },
      { name, url, events, types, filters, headers: header, enabled: !disabled },
    )
    const { webhook, secret } = await webhooks.create(settings)
    print(secret)
    process.stderr.write(
      `Created the webhook "${webhook.name}" (id ${webhook.id}). The secret cannot be shown again.\n`,
    )
  })
}

async function test(idOrName: string, options: ProjectOptions): Promise<void> {
  await withWebhooks(options, async ({ store, webhooks, project: { config } }) => {
    const sending = openDeliveries(store, config, () => {})
    try {
      const delivery = await sending.sendTest(await webhooks.stored(idOrName))
      print(deliveryLine(delivery))
      if (delivery.status !== 'succeeded') process.exitCode = 1
    } finally {
      sending.abort()
    }
  })
}

async function retry(idOrName: string, { delivery, since, ...options }: RetryOptions): Promise<void> {
  if ((delivery === undefined) === (since === undefined))
    throw new UsageError('Pass either --delivery ID or --since TIME')
  await withWebhooks(options, async ({ store, webhooks }) => {
    const { id, name, enabled } = await webhooks.get(idOrName)
    if (!enabled)
      throw new UsageError(
        `The webhook ${name} is off; turn it on with: ${ownCommand(`webhooks enable ${id}`)}`,
      )
    if (since !== undefined) {
      const count = await retryFailedSince(store, id, since)
      print(`${count} ${count === 1 ? 'delivery' : 'deliveries'} will be sent again.`)
    } else if (delivery !== undefined) {
      if ((await readDelivery(store, delivery)).webhookId !== id)
        throw new UsageError(`The webhook ${name} has no delivery ${delivery}`)
      await retryDelivery(store, delivery)
      print(`Delivery ${delivery} will be sent again.`)
    }
  })
}

async function withWebhooks(options: ProjectOptions, work: (opened: Opened) => Promise<void>): Promise<void> {
  const project = await projectOf(options)
  if (!hasWebhooks(project.config))
    throw new UsageError('Webhooks are off: webhooks.enabled or events.enabled is false')
  const store = await openExistingDatabase(project, WEBHOOKS)
  try {
    const audit = createAuditLog(store, project.config.audit)
    await work({ store, project, webhooks: createWebhooks(store, audit) })
  } catch (failure) {
    throw failure instanceof ApiError ? new UsageError(failure.message) : failure
  } finally {
    await store.close()
  }
}

function lineOf({ id, name, url, enabled, source, failingSince, disabledReason }: Webhook): string {
  const state = enabled ? (failingSince ? `failing since ${failingSince}` : 'on') : 'off'
  const notes = [
    ...(source === 'config' ? ['(from configuration)'] : []),
    ...(disabledReason === null ? [] : [disabledReason]),
  ]
  return [String(id).padStart(4), state.padEnd(3), name, url, ...notes].join('  ')
}

function deliveryLine({ id, createdAt, event, documentId, status, attempts }: ListedDelivery): string {
  const last = attempts.at(-1)
  const result = last ? `${last.error ?? last.status} (${last.durationMs} ms)` : 'not sent yet'
  const parts = [String(id).padStart(6), createdAt, event, documentId ?? '', status]
  return [...parts.filter((part) => part !== ''), `attempt ${attempts.length}: ${result}`].join('  ')
}

const print = (text: string) => console.log(text)

const parseNames = (text: string) => text.split(',').map((name) => name.trim())

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('Expected JSON, such as {"color":"red"}.')
  }
}

function collectHeader(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const colon = text.indexOf(':')
  if (colon < 1) throw new InvalidArgumentError('Expected a name and a value, such as "X-Key: abc".')
  return { ...before, [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() }
}

function parseNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('Expected a positive number.')
  return Number(text)
}

function parseTime(text: string): string {
  const time = parseInstant(text)
  const instant = time === null ? null : formatInstant(time)
  if (instant === null) throw new InvalidArgumentError('Expected a time, such as 2026-11-16T12:00:00Z.')
  return instant
}
