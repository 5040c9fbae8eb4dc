/** The background jobs of a server. */
import { noticeMailJobs } from '../access/team/notice-mail.ts'
import { hasNotices, jobKinds } from '../events/sinks.ts'
import type { JobKind } from '../jobs/job.ts'
import { type JobRunner, startJobs } from '../jobs/runner.ts'
import { deleteJobs } from '../media/files/stored-bytes.ts'
import type { Storage } from '../media/storage/storage.ts'
import { indexJobs } from '../reads/indexes/update-indexes.ts'
import type { Store } from '../store/store.ts'
import { releaseJobs } from './releases/run-releases.ts'
import { scheduleJobs } from './schedules/run-schedules.ts'
import type { Server } from './server.ts'

/**
 * Starts to run jobs. Those that are due at a time that people have chosen have a runner of their own, so that slow work,
 * such as the delivery of a webhook, cannot delay them.
 */
export async function startBackgroundJobs(
  server: Server,
  store: Store,
  storage: Storage,
): Promise<JobRunner> {
  const { config } = server.project
  const { mail, admins, accounts } = server.access
  const closing = new AbortController()
  const canSend = config.email.smtp !== null || !server.production
  const others: readonly JobKind[] = [
    ...jobKinds(store, config, server.layout),
    deleteJobs({ store, storage, layout: server.layout }),
    ...(config.database.autoIndex === 'create'
      ? [
          indexJobs({
            ...{ store, config: config.database, log: server.log, signal: closing.signal },
            layout: server.layout,
          }),
        ]
      : []),
    ...(hasNotices(config) ? [noticeMailJobs({ mail, admins, accounts, canSend })] : []),
  ]
  const timed: readonly JobKind[] = [
    ...(config.schedules.enabled ? [scheduleJobs(server)] : []),
    ...(config.releases.enabled ? [releaseJobs(server)] : []),
  ]
  const runners: JobRunner[] = []
  for (const kinds of [timed, others])
    if (kinds.length > 0) runners.push(await startJobs({ store, kinds, log: server.log }))
  return {
    stats: new Map(runners.flatMap(({ stats }) => [...stats])),
    async close() {
      closing.abort()
      await Promise.all(runners.map((runner) => runner.close()))
    },
  }
}
