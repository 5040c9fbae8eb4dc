/** Cancels jobs. A schedule or release without its job would stay planned forever, so it is cancelled too. */
import { deleteJob } from '../../jobs/list.ts'
import type { Store } from '../../store/store.ts'
import { cancelRelease, RELEASE_JOB } from '../releases/releases.ts'
import { cancelSchedule, SCHEDULE_JOB } from './schedules.ts'

/** Returns whether the job existed. */
export const cancelJob = (store: Store, id: number): Promise<boolean> =>
  deleteJob(store, id, async (transaction, { kind, key }) => {
    if (kind === SCHEDULE_JOB) await cancelSchedule(transaction, Number(key))
    if (kind === RELEASE_JOB) cancelRelease(transaction, Number(key))
  })
