/**
 * Runs work with the latest model, and again if the model changes meanwhile: a write that failed for that reason has
 * changed nothing, and what was read may mix both models.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, errors } from '../errors.ts'
import { UnknownOutcome } from '../store/errors.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import { SchemaChanged } from '../store/schema-changed.ts'
import type { LiveModel } from './live-model.ts'
import type { ModelState } from './model-state.ts'

/** How long work is retried after its first failure, in milliseconds. */
const RETRY_TIMEOUT = 10_000
const RETRY_PAUSE = 10

type Work<Result> = (state: ModelState) => MaybePromise<Result>

/** Work that may finish synchronously. For reads, the result is discarded if the model has changed since the start. */
export function runWithLatestModel<Result>(
  live: LiveModel,
  work: Work<Result>,
  isRead = false,
): MaybePromise<Result> {
  const state = live.latest()
  if (state instanceof Promise) return retryWithLatestModel(live, work, isRead)
  const result = start(state, work)
  // A synchronous result leaves the model no time to change.
  return result instanceof Promise ? retryWithLatestModel(live, work, isRead, { state, result }) : result
}

function start<Result>(state: ModelState, work: Work<Result>): MaybePromise<Result> {
  try {
    return work(state)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** Work that is always asynchronous; `started` is its first attempt, if it is already in progress. */
export async function retryWithLatestModel<Result>(
  live: LiveModel,
  work: Work<Result>,
  isRead = false,
  started: { readonly state: ModelState; readonly result: Promise<Result> } | null = null,
): Promise<Result> {
  let deadline = 0
  for (let attempt = started; ; attempt = null) {
    const state = attempt?.state ?? (await live.latest())
    try {
      const result = await (attempt ? attempt.result : work(state))
      if (!isRead) return result
      const after = live.latest()
      if (after === state || (await after) === state) return result
    } catch (error) {
      deadline ||= performance.now() + RETRY_TIMEOUT
      if (!(await canRetry(live, state, error)) || performance.now() > deadline) throw reportable(error)
    }
  }
}

async function canRetry(live: LiveModel, state: ModelState, error: unknown): Promise<boolean> {
  // The write may be stored: to repeat it could store it twice.
  if (error instanceof UnknownOutcome) return false
  // A client error was derived from the known model; for any other, the database is read.
  if (error instanceof ApiError && error.status < 500) return (await live.latest()) !== state
  if ((await live.refresh().catch(() => state)) !== state) return true
  if (!(error instanceof SchemaChanged)) return false
  // The writer has seen a migration that is not committed yet.
  await sleep(RETRY_PAUSE)
  return true
}

/** The database still has a model that this process cannot use. */
const reportable = (error: unknown) =>
  error instanceof SchemaChanged
    ? errors.unavailable(5, 'The content-types have changed in a way that this server cannot read')
    : error
