/**
 * Runs schedules that are due, on behalf of whoever scheduled them. The action, the end of the schedule and the end of
 * its job are one transaction, so that each runs exactly once. What a request would be refused for ends the schedule too,
 * and the team gets a notice. The actions on a document run in the order of their times, even if they are late.
 */
import {
  deleteSchedule,
  hasEarlier,
  postpone,
  readSchedule,
  SCHEDULE_JOB,
  type Schedule,
} from '../../documents/schedules/schedules.ts'
import { ApiError, errors } from '../../errors.ts'
import { addNotice } from '../../events/notices/notices.ts'
import type { JobKind, TakenJob } from '../../jobs/job.ts'
import { checkMayChangePublication } from '../auth/permitted.ts'
import { rowRulesOf } from '../content/row-rules.ts'
import type { Server } from '../server.ts'
import { isFinal, LEASE_MS, reasonOf, retryAfter } from './failures.ts'

export const scheduleJobs = (server: Server): JobKind => ({
  kind: SCHEDULE_JOB,
  retryAfter,
  leaseMs: LEASE_MS,
  async run(job) {
    const schedule = await readSchedule(server.store, Number(job.key))
    // Cancelled since the job was taken.
    if (!schedule) return
    if (await hasEarlier(server.store, schedule)) return waitForEarlier(server, schedule, job)
    try {
      await server.withLatestModel((pinned) => perform(pinned, schedule, job))
    } catch (error) {
      if (!isFinal(error, job.attempt)) throw error
      await endWithNotice(server, schedule, job, error)
    }
  },
})

/** How long an action waits before it checks again whether the one before has been run. */
const WAIT_MS = 500

const waitForEarlier = (server: Server, schedule: Schedule, job: TakenJob): Promise<void> =>
  server.store.write(async (transaction) => {
    await job.completeIn(transaction)
    postpone(transaction, schedule, new Date(Date.now() + WAIT_MS))
  })

async function perform(server: Server, schedule: Schedule, job: TakenJob): Promise<void> {
  const { action, documentId, locale, author } = schedule
  const type = server.layout().model.types.get(schedule.type)
  if (!type) throw errors.notFound(`The content-type ${schedule.type} no longer exists`)
  const scope = await server.access.scopeOfAuthor(author)
  if (!scope) throw authorGone(author)
  await checkMayChangePublication(server, scope, type.uid, action, documentId)
  const status = action === 'publish' ? ('published' as const) : ('draft' as const)
  const rules = rowRulesOf(server, scope)
  const request = { type, status, locale: type.localized ? locale : null, scope, rules }
  await server.documents.transaction(async (transaction, documents) => {
    await job.completeIn(transaction)
    deleteSchedule(transaction, schedule.id)
    await documents[action](request, documentId, async () => null)
  })
}

export const authorGone = (author: string): ApiError =>
  errors.application(
    `The ${author.startsWith('token') ? 'token' : 'user'} that scheduled it is no longer valid`,
  )

async function endWithNotice(server: Server, schedule: Schedule, job: TakenJob, error: unknown) {
  const { id, type, documentId, locale, action, runAt, author } = schedule
  const name = server.layout().model.types.get(type)?.singular ?? type
  const where = locale === '' ? '' : ` (${locale})`
  const reason = reasonOf(error)
  const message = `The ${name} ${documentId}${where} could not be ${action}ed at ${runAt}: ${reason}`
  await server.store.write(async (transaction) => {
    await job.completeIn(transaction)
    deleteSchedule(transaction, id)
    addNotice(transaction, {
      kind: 'schedule.failed',
      message,
      subject: { type, documentId, locale: locale === '' ? null : locale },
      details: { action, runAt, reason },
      author,
    })
  })
  const details = {
    ...{ type, documentId, locale, action },
    ...(error instanceof ApiError ? {} : { err: error }),
  }
  server.log.warn(details, message)
}
