/** The webhooks of a server: applies the configuration, makes deliveries from events, and sends them. */
import { ApiError } from '../../errors.ts'
import { backlogLimit } from '../../events/webhooks/backlog.ts'
import { applyConfiguredWebhooks, type ConfiguredWebhook } from '../../events/webhooks/configured-webhooks.ts'
import type { DeliveryStats, TurnedOff } from '../../events/webhooks/deliver.ts'
import { createMakeDeliveries } from '../../events/webhooks/make-deliveries.ts'
import { type OpenDeliveries, openDeliveries } from '../../events/webhooks/open-deliveries.ts'
import { webhookRetention } from '../../events/webhooks/retention.ts'
import { isSecret } from '../../events/webhooks/sending/signature.ts'
import { WEBHOOKS } from '../../events/webhooks/tables.ts'
import { hasEnabled, wakeWebhooks } from '../../events/webhooks/wake.ts'
import { createWebhooks, MAX_WEBHOOKS, type Webhooks } from '../../events/webhooks/webhooks.ts'
import { type JobRunner, startJobs } from '../../jobs/runner.ts'
import { StartError } from '../../store/errors.ts'
import type { PresentFile } from '../events/visible-event.ts'
import type { Server } from '../server.ts'
import { createEventReader } from './event-reader.ts'
import { parseNewWebhook } from './parse-webhook.ts'

export interface WebhookService {
  readonly webhooks: Webhooks
  readonly deliveries: Pick<OpenDeliveries, 'sendTest'>
  readonly stats: DeliveryStats
  /** Starts to deliver events. */
  start(): Promise<JobRunner>
  /** Sends nothing more, and resolves when what is in progress has ended or was aborted. */
  close(): Promise<void>
}

/** How often it is checked, in memory, whether anything was written. */
const CHECK_MS = 200
/** How often the database is read in any case: a notification of another process may be lost. */
const MAX_WAIT_MS = 3_000
/** How long a shutdown waits for receivers. */
const GRACE_MS = 3_000

export async function openWebhooks(server: Server, presentFile: PresentFile): Promise<WebhookService> {
  const { store, log } = server
  const { config } = server.project
  await applyConfiguredWebhooks(store, configuredWebhooks(server, process.env))

  const onTurnedOff: TurnedOff = ({ name }, reason) =>
    log.error({ webhook: name, reason }, 'A webhook was turned off')
  const reader = createEventReader(server, presentFile)
  const make = createMakeDeliveries({
    ...{ store, reader },
    onUnreadable: ({ seq }, error) =>
      log.error({ err: error, seq }, 'A webhook is sent an event without its document, which cannot be read'),
  })
  const { filterProblem } = reader
  const deliveries = openDeliveries(store, config, onTurnedOff, { make, filterProblem })

  let runner: JobRunner | null = null
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | null = null

  /** Checks for new events when something was written, unless no webhook is on. */
  function watch() {
    let knownVersion = -1
    let lastRead = 0
    let known = { version: -1, isOn: false }
    const check = async (version: number) => {
      if (known.version !== version) known = { version, isOn: await hasEnabled(store) }
      if (known.isOn) await wakeWebhooks(store)
    }
    timer = setInterval(() => {
      if (checking) return
      const version = store.tableVersion(WEBHOOKS)
      if (!known.isOn && known.version === version) return
      if (store.globalVersion() === knownVersion && Date.now() - lastRead < MAX_WAIT_MS) return
      knownVersion = store.globalVersion()
      lastRead = Date.now()
      checking = check(version)
        .catch((error: unknown) => log.warn({ err: error }, 'Webhooks could not read events'))
        .finally(() => {
          checking = null
        })
    }, CHECK_MS)
    timer.unref()
  }

  return {
    webhooks: createWebhooks(store, server.access.audit),
    deliveries,
    stats: deliveries.stats,
    async start() {
      const kinds = [
        ...[deliveries.kind, backlogLimit(store, onTurnedOff), webhookRetention(store, config.webhooks)],
      ]
      runner = await startJobs({ store, kinds, log, maxConcurrent: MAX_WEBHOOKS + kinds.length })
      watch()
      return runner
    },
    async close() {
      clearInterval(timer)
      deliveries.stop()
      const grace = setTimeout(deliveries.abort, GRACE_MS)
      await checking
      await runner?.close()
      clearTimeout(grace)
      deliveries.abort()
    },
  }
}

/** Throws a StartError if one is invalid; leaves out those whose secret is not set, with a warning. */
function configuredWebhooks(server: Server, env: NodeJS.ProcessEnv): ConfiguredWebhook[] {
  const { config } = server.project
  const context = { model: server.layout().model, bounds: config.api.rest.bounds }
  return Object.entries(config.webhooks.endpoints).flatMap(([name, endpoint]) => {
    const { secret: given, env: variable, ...settings } = endpoint
    const secret = given ?? (variable ? env[variable] : undefined)
    if (!secret) {
      server.log.warn(`The webhook ${name} has no secret: ${variable} is not set`)
      return []
    }
    if (!isSecret(secret))
      throw new StartError(
        `webhooks.endpoints.${name}: the secret must be whsec_ and base64 of 24 to 64 bytes`,
      )
    try {
      return [{ settings: parseNewWebhook(context, { ...settings, name }), secret }]
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new StartError(`webhooks.endpoints.${name}: ${messagesOf(error).join('; ')}`)
    }
  })
}

function messagesOf({ message, details }: ApiError): string[] {
  const problems: unknown = details.errors
  return Array.isArray(problems) ? problems.map((problem) => String(problem.message)) : [message]
}
