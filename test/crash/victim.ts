/**
 * The server that the crash test kills. It loads its modules first and serves when it receives a project: the whole
 * app, or only its write side behind a bare HTTP server, which starts in a third of the time.
 */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type VictimKind = 'app' | 'write side'

export interface ServerTarget {
  readonly project: string
  readonly database: string
}

type Serve = (target: ServerTarget) => Promise<string>

async function loadApp(): Promise<Serve> {
  const { createServer } = await import('../../src/http/app.ts')
  return async ({ project, database }) => {
    const config = { server: { port: 0 }, database: { url: database } }
    const server = await createServer({ project, config, logLevel: 'silent' })
    return server.listen()
  }
}

async function loadWriteSide(): Promise<Serve> {
  const { createDocuments } = await import('../../src/documents/documents.ts')
  const { changeSinks, sinkTables } = await import('../../src/events/sinks.ts')
  const { loadProject } = await import('../../src/model/load-project.ts')
  const { systemScope } = await import('../../src/query/scope.ts')
  const { migrate } = await import('../../src/store/migration/migrate.ts')
  const { openStore } = await import('../../src/store/open.ts')
  const { createOwnTables } = await import('../../src/store/tables/own-tables.ts')
  return async ({ project, database }) => {
    const { model, config } = await loadProject(project)
    const store = await openStore(database)
    const { layout } = await migrate(store, model)
    await createOwnTables(store, ...sinkTables(config))
    const documents = createDocuments({
      ...{ store, layout: () => layout, sinks: changeSinks(config) },
      hashPassword: async (word) => word,
    })
    const write = async ({ method, url = '' }: IncomingMessage, body: string) => {
      const [, , plural = '', document = ''] = url.split('/')
      const type = model.endpoints.get(plural)
      if (!type) throw new Error(`No type ${plural}`)
      const request = { type, status: 'published', locale: null, scope: systemScope } as const
      if (method === 'DELETE') return void (await documents.remove(request, document))
      const { data } = JSON.parse(body)
      return method === 'POST'
        ? documents.create(request, data, async (_, written) => written)
        : documents.update(request, document, data, async (_, written) => written)
    }
    const statuses = new Map([
      ['POST', 201],
      ['PUT', 200],
      ['DELETE', 204],
    ])
    const server = createHttpServer(async (incoming, response) => {
      try {
        const written = await write(incoming, await text(incoming))
        response.statusCode = statuses.get(incoming.method ?? '') ?? 500
        response.end(written && JSON.stringify({ data: written }))
      } catch (error) {
        response.statusCode = 500
        response.end(String(error))
      }
    })
    const isAddress = (address: unknown): address is AddressInfo => typeof address === 'object'
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return `http://127.0.0.1:${isAddress(address) ? address.port : 0}`
  }
}

const serve = process.argv[2] === 'app' ? loadApp() : loadWriteSide()
process.once('message', async (target: ServerTarget) => {
  process.send?.(await (await serve)(target))
})
await serve
// Node writes its compile cache when the process exits, which this one never does on its own.
flushCompileCache()
