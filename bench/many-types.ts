/**
 * Whether the number of content-types costs anything: the same list request on a project of 5 and of 500 content-types
 * with 20 attributes each, in alternating rounds.
 *
 *   node bench/many-types.ts [--engine sqlite|postgres] [--types 500]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer, type OctavoServer } from '../src/http/app.ts'
import { startPostgres } from './postgres.ts'
import { manyTypes, TOKEN } from './types-project.ts'

const { values: options } = parseArgs({
  options: { engine: { type: 'string', default: 'sqlite' }, types: { type: 'string', default: '500' } },
})
const ROUNDS = 15
const REQUESTS = 400

const folder = mkdtempSync(join(tmpdir(), 'octavo-types-'))
const servers: OctavoServer[] = []
const postgres = options.engine === 'postgres' ? await startPostgres() : null
try {
  const few = await start(5)
  const many = await start(Number(options.types))
  const costs = { few: await rounds(few), many: await rounds(many) }
  for (let round = 1; round < ROUNDS; round++) {
    costs.few.push(...(await rounds(few)))
    costs.many.push(...(await rounds(many)))
  }
  const [fewCost, manyCost] = [middle(costs.few), middle(costs.many)]
  console.log(
    `a list of 25: ${fewCost.toFixed(0)} µs with 5 types, ${manyCost.toFixed(0)} µs with ${options.types}`,
  )
  console.log(`ratio ${(manyCost / fewCost).toFixed(3)}`)
} finally {
  for (const server of servers) await server.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function start(types: number): Promise<OctavoServer> {
  const project = join(folder, String(types))
  for (const [path, content] of manyTypes(types)) {
    mkdirSync(join(project, dirname(path)), { recursive: true })
    writeFileSync(join(project, path), JSON.stringify(content))
  }
  const url = postgres ? await postgres.database(`types${types}`) : `sqlite:${join(folder, `${types}.db`)}`
  const open = () =>
    createServer({ project, config: { database: { url }, cache: { enabled: false } }, logLevel: 'silent' })
  const first = performance.now()
  await (await open()).close()
  const again = performance.now()
  const server = await open()
  const ready = performance.now()
  servers.push(server)
  console.log(
    `${types} types: first start ${Math.round(again - first)} ms, next start ${Math.round(ready - again)} ms`,
  )
  for (let index = 0; index < 30; index++) {
    const { statusCode, body } = await server.app.inject({
      method: 'POST',
      url: '/api/type-0-list',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ data: { text0: `Document ${index}` } }),
    })
    if (statusCode !== 201) throw new Error(body)
  }
  return server
}

/** Microseconds of one request, as the mean of a round. */
async function rounds(server: OctavoServer): Promise<number[]> {
  const began = performance.now()
  for (let index = 0; index < REQUESTS; index++) {
    const { statusCode } = await server.app.inject({
      url: '/api/type-0-list',
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    if (statusCode !== 200) throw new Error(`Answered ${statusCode}`)
  }
  return [((performance.now() - began) * 1000) / REQUESTS]
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
