/** The job that deletes old notices. */
import type { JobKind } from '../../jobs/job.ts'
import type { Store } from '../../store/store.ts'
import { deleteOldNotices, type NoticeRetention } from './notices.ts'

const EVERY_MS = 3_600_000

export const noticeRetention = (store: Store, retention: NoticeRetention): JobKind => ({
  kind: 'notices.retention',
  every: EVERY_MS,
  run: async () => void (await deleteOldNotices(store, retention, Date.now())),
})
