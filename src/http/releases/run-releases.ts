/** Publishes releases at their time, each exactly once: its documents and its job are one transaction. */
import { RELEASE_JOB, type Release, readRelease, setFailed } from '../../documents/releases/releases.ts'
import { ApiError } from '../../errors.ts'
import { addNotice } from '../../events/notices/notices.ts'
import type { JobKind, TakenJob } from '../../jobs/job.ts'
import { isFinal, LEASE_MS, reasonOf, retryAfter } from '../schedules/failures.ts'
import { authorGone } from '../schedules/run-schedules.ts'
import type { Server } from '../server.ts'
import { publishRelease } from './publish-release.ts'

export const releaseJobs = (server: Server): JobKind => ({
  kind: RELEASE_JOB,
  retryAfter,
  leaseMs: LEASE_MS,
  async run(job) {
    const release = await readRelease(server.store, Number(job.key))
    // Cancelled or published since the job was taken.
    if (release?.state !== 'scheduled') return
    try {
      await server.withLatestModel((pinned) => perform(pinned, release, job))
    } catch (error) {
      if (!isFinal(error, job.attempt)) throw error
      await endWithNotice(server, release, job, error)
    }
  },
})

async function perform(server: Server, { id, author }: Release, job: TakenJob): Promise<void> {
  const scope = author === null ? null : await server.access.scopeOfAuthor(author)
  if (!scope) throw authorGone(author ?? 'user')
  await publishRelease(server, id, scope, null, (transaction) => job.completeIn(transaction))
}

async function endWithNotice(server: Server, release: Release, job: TakenJob, error: unknown) {
  const { id, name, publishAt, author } = release
  const reason = summaryOf(error)
  const message = `The release "${name}" could not be published at ${publishAt}, and nothing of it was: ${reason}`
  await server.store.write(async (transaction) => {
    await job.completeIn(transaction)
    setFailed(transaction, id, reason)
    addNotice(transaction, {
      kind: 'release.failed',
      message,
      details: { release: id, publishAt },
      ...(author !== null && { author }),
    })
  })
  server.log.warn({ release: id, ...(error instanceof ApiError ? {} : { err: error }) }, message)
}

/** The whole team may read it, so it does not name documents: the release shows the problems to those who may see them. */
function summaryOf(error: unknown): string {
  const problems = error instanceof ApiError ? error.details.errors : null
  if (!Array.isArray(problems)) return reasonOf(error)
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  return `${count} in its documents; open the release to see more`
}
