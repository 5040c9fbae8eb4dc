/** Starts to learn from the reads of a server which indexes would help. */
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../project/config/config.ts'
import { createLearner, type Learner } from '../reads/indexes/learner.ts'
import type { UsageCollector } from '../reads/indexes/read-usage.ts'
import { fieldNameOf } from '../reads/indexes/suggestions.ts'
import type { Store } from '../store/store.ts'

export const startLearning = (
  store: Store,
  collector: UsageCollector,
  { database }: Pick<Config, 'database'>,
  log: Pick<FastifyBaseLogger, 'info'>,
): Learner =>
  createLearner({
    ...{ store, collector },
    creates: database.autoIndex === 'create',
    keepDays: database.autoIndexDays,
    onSuggested: ({ type, columns, example, rowsRead, rowsReturned }) =>
      log.info(
        { contentType: type, on: columns.map(fieldNameOf), example, rowsRead, rowsReturned },
        'An index would help: see `octavo indexes`',
      ),
  })
