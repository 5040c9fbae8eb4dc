import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bothEngines } from '../../test/support/engines.ts'
import { createProjectFolder } from '../../test/support/project-folder.ts'
import { errors } from '../errors.ts'
import { loadProject } from '../model/load-project.ts'
import { UnknownOutcome } from '../store/errors.ts'
import { openStore } from '../store/open.ts'
import { createLayout } from '../store/tables/layout.ts'
import type { LiveModel } from './live-model.ts'
import { createModelState } from './model-state.ts'
import { retryWithLatestModel } from './retry-with-latest-model.ts'

const [sqlite] = bothEngines()

it('a write that fails while the model changes is repeated, unless it may be stored', async (t) => {
  const store = await openStore(await sqlite.freshUrl())
  t.after(() => store.close())
  const project = await loadProject(createProjectFolder(t, {}), {})
  const layout = createLayout(project.model, new Map())
  const stateOf = (schemaVersion: number) =>
    createModelState({ store, project, layout, schemaVersion, extend: (documents) => documents })
  const [old, latest] = [stateOf(1), stateOf(2)]

  /** The schema versions of the attempts, of which the first fails after the model has changed in the database. */
  async function attemptsAfter(failure: Error): Promise<readonly number[]> {
    let state = old
    const live: LiveModel = {
      current: () => state,
      latest: () => state,
      async refresh() {
        state = latest
        return state
      },
      activate() {},
      useLocales() {},
      close() {},
    }
    const attempts: number[] = []
    const write = retryWithLatestModel(live, async ({ schemaVersion }) => {
      attempts.push(schemaVersion)
      if (attempts.length === 1) throw failure
    })
    const [outcome] = await Promise.allSettled([write])
    if (attempts.length === 1) assert.deepEqual(outcome, { status: 'rejected', reason: failure })
    return attempts
  }

  assert.deepEqual(await attemptsAfter(errors.unavailable(1, 'Database unavailable')), [1, 2])
  assert.deepEqual(await attemptsAfter(new UnknownOutcome()), [1])
})
