/** A process that migrates a database and is killed before the given statement: `FOLDER URL STATEMENT`. */
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

function killedAtStatement(transaction: Transaction): Transaction {
  const run = async (statement: Statement) => {
    statements += 1
    if (statements === Number(last)) await die()
    return transaction.run(statement)
  }
  return new Proxy(transaction, {
    get: (target, key) => (key === 'run' ? run : Reflect.get(target, key)),
  })
}

const write: Store['write'] = (work) => store.write((transaction) => work(killedAtStatement(transaction)))

await migrate(
  new Proxy(store, { get: (target, key) => (key === 'write' ? write : Reflect.get(target, key)) }),
  model,
  // With fewer statements, it is killed after the last one, before the commit.
  { accept: 'everything', beforeCommit: die },
)
