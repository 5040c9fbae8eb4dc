/** A process that dies in the middle of a migration: `victim.ts FOLDER URL STATEMENT`, before that statement of it. */
import { loadProject } from '../../src/model/load-project.ts'
import { migrate } from '../../src/store/migration/migrate.ts'
import { openStore } from '../../src/store/open.ts'
import type { Statement } from '../../src/store/statement.ts'
import type { Store, Transaction } from '../../src/store/store.ts'

const [folder = '', url = '', last = ''] = process.argv.slice(2)

const { model } = await loadProject(folder, {}, { database: { url } })
const store = await openStore(url)
let statements = 0

const die = async (): Promise<void> => {
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

function dying(transaction: Transaction): Transaction {
  const run = async (statement: Statement) => {
    statements += 1
    if (statements === Number(last)) await die()
    return transaction.run(statement)
  }
  return new Proxy(transaction, {
    get: (target, key) => (key === 'run' ? run : Reflect.get(target, key)),
  })
}

const write: Store['write'] = (work) => store.write((transaction) => work(dying(transaction)))

await migrate(
  new Proxy(store, { get: (target, key) => (key === 'write' ? write : Reflect.get(target, key)) }),
  model,
  // When it has fewer statements than that, it dies after the last one, before the commit.
  { accept: 'everything', beforeCommit: die },
)
