import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type LibraryServer, type Sender, startLibrary } from '../media/library-server.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine((engine) => {
  for (const enabled of [true, false]) {
    let library: LibraryServer
    before(async () => {
      library = await startLibrary(engine, {
        cache: { enabled, control: 'public, max-age=60, s-maxage=600' },
        cors: { origins: ['https://a.example'] },
      })
    })
    after(() => library.close())

    const headersOf = async (path: string, as: Sender) => {
      const { status, headers } = await library.send('GET', path, as)
      assert.equal(status, 200)
      return [headers.get('cache-control'), headers.get('vary')]
    }
    const title = `with the response cache ${enabled ? 'on' : 'off'}`

    test(`only responses to anonymous callers may be stored by shared caches, ${title}`, async () => {
      // A HEAD request takes the Fastify route.
      const head = await fetch(`${library.base}/api/articles`, { method: 'HEAD' })
      for (const as of ['public', 'reader', 'public', 'full', 'reader', 'public'] as const) {
        const isPublic = as === 'public'
        const control = isPublic ? 'public, max-age=60, s-maxage=600' : 'private, max-age=60'
        assert.deepEqual(await headersOf('/api/articles', as), [control, 'Origin, Authorization'])
      }
      assert.equal(head.headers.get('vary'), 'Origin, Authorization')
    })

    test(`responses about users, roles and files are never stored, ${title}`, async () => {
      for (const path of [
        '/api/users',
        '/api/users/count',
        '/api/users-permissions/roles',
        '/api/upload/files',
        '/api/upload/folders',
      ])
        assert.deepEqual(await headersOf(path, 'full'), ['private, no-store', 'Origin'], path)
    })
  }

  test('the default needs no Vary: every response is checked with the server', async () => {
    const library = await startLibrary(engine)
    const { headers } = await library.send('GET', '/api/articles', 'public')
    await library.close()
    assert.deepEqual([headers.get('cache-control'), headers.get('vary')], ['private, no-cache', null])
  })
})
