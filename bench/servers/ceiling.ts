/**
 * What PostgreSQL and its driver allow: a bare `node:http` server that sends one prepared statement for each request and
 * responds with its text. `ceiling.ts DATABASE_URL`; the parent process gives it the statements, which it sends in turn.
 */
import { createServer } from 'node:http'
import pg from 'pg'
import { usage } from './child-process.ts'

export interface CeilingStatement {
  readonly sql: string
  readonly parameters: readonly (string | number | null)[]
}

/** As many as a server of ours has. */
const CONNECTIONS = 10

const pool = new pg.Pool({
  connectionString: process.argv[2],
  max: CONNECTIONS,
  options: '-c jit=off -c seq_page_cost=0.1 -c random_page_cost=0.1',
})
let statements: readonly (CeilingStatement & { readonly name: string })[] = []
let turn = 0

const server = createServer(async (request, response) => {
  request.resume()
  const statement = statements[turn++ % statements.length]
  if (!statement) return response.writeHead(500).end()
  const { name, sql, parameters } = statement
  const { rows } = await pool.query<{ data: string | null }>({ name, text: sql, values: [...parameters] })
  const body = Buffer.from(`{"data":[${rows[0]?.data ?? ''}]}`)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  process.send?.({ address: `http://127.0.0.1:${port}` })
})
process.on('message', (message: { statements?: readonly CeilingStatement[] }) => {
  if (message.statements) {
    const texts = [...new Set(message.statements.map(({ sql }) => sql))]
    const batch = turn
    statements = message.statements.map((one) => ({ ...one, name: `s${batch}_${texts.indexOf(one.sql)}` }))
  }
  process.send?.(usage())
})
process.on('disconnect', () => {
  server.close()
  void pool.end()
})
