/** Creates the databases that those of the tests are copied from: copying costs a tenth of creating the server's own tables. */
import { join } from 'node:path'
import { accessTables } from '../../src/access/tables.ts'
import { historyTables } from '../../src/documents/history/tables.ts'
import { releaseTables } from '../../src/documents/releases/tables.ts'
import { scheduleTables } from '../../src/documents/schedules/tables.ts'
import { auditTables } from '../../src/events/audit/tables.ts'
import { noticeTables } from '../../src/events/notices/notices.ts'
import { eventTables } from '../../src/events/outbox/tables.ts'
import { webhookTables } from '../../src/events/webhooks/tables.ts'
import { storedResponseTables } from '../../src/http/content/stored-responses.ts'
import { jobTables } from '../../src/jobs/tables.ts'
import { learningTables } from '../../src/reads/indexes/tables.ts'
import { openStore } from '../../src/store/open.ts'
import { createOwnTables } from '../../src/store/tables/own-tables.ts'
import { onServer, POSTGRES_TEMPLATE } from './engines.ts'

/** Creates a template in the folder and one on the PostgreSQL server, and returns the file of the former. */
export async function createTemplates(folder: string, postgresUrl: string): Promise<string> {
  const file = join(folder, 'template.db')
  await fillTemplate(`sqlite:${file}`)
  const url = new URL(postgresUrl)
  url.pathname = POSTGRES_TEMPLATE
  await onServer(postgresUrl, (client) =>
    client.query(`CREATE DATABASE ${POSTGRES_TEMPLATE} TEMPLATE template0`),
  )
  await fillTemplate(url.href)
  return file
}

async function fillTemplate(url: string) {
  const store = await openStore(url)
  try {
    await createOwnTables(
      store,
      ...[accessTables, jobTables, eventTables, historyTables, auditTables, scheduleTables],
      ...[webhookTables, releaseTables, noticeTables, learningTables, storedResponseTables],
    )
  } finally {
    await store.close()
  }
}
