import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OctavoServer } from '../../src/http/app.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { stopIntervals } from '../support/stop-intervals.ts'
import { afterWrites, request, sentCodes, signIn, signUp, type TestUser } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

const secret = 'one-signing-secret-for-several-processes'

/** Events that must revoke every older credential of a user. */
const EVENTS: Record<string, (server: OctavoServer, person: TestUser) => Promise<unknown>> = {
  'changing the password': (server, { jwt, password }) =>
    request(server, 'POST', '/api/auth/change-password', {
      as: jwt,
      body: { currentPassword: password, password: 'new-Passw0rd', passwordConfirmation: 'new-Passw0rd' },
    }),
  'a reset of the password': async (server, { email }) => {
    await request(server, 'POST', '/api/auth/forgot-password', { body: { email } })
    const code = (await sentCodes(server)).at(-1)
    const body = { code, password: 'new-Passw0rd', passwordConfirmation: 'new-Passw0rd' }
    return request(server, 'POST', '/api/auth/reset-password', { body })
  },
  'a password set by another user': (server, { id }) =>
    request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body: { password: 'other-Passw0rd' } }),
  'the same password set again': (server, { id, password }) =>
    request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body: { password } }),
  blocking: (server, { id }) =>
    request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body: { blocked: true } }),
  'blocking and letting in again': async (server, { id }) => {
    await request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body: { blocked: true } })
    return request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body: { blocked: false } })
  },
  deletion: (server, { id }) => request(server, 'DELETE', `/api/users/${id}`, { as: TOKENS.full }),
  'deletion and a new user of the same name': async (server, { id, username, email, password }) => {
    await request(server, 'DELETE', `/api/users/${id}`, { as: TOKENS.full })
    return request(server, 'POST', '/api/auth/local/register', { body: { username, email, password } })
  },
}

stopIntervals()

onEachEngine((engine) => {
  for (const sessions of ['long-lived', 'refresh'] as const) {
    describe(`with ${sessions} sessions`, () => {
      let one: TestServer
      let other: TestServer
      before(async () => {
        const url = await engine.freshUrl()
        one = await serve(PROJECT, url, { auth: { sessions, secret } })
        other = await serve(PROJECT, url, { auth: { sessions, secret } })
      })
      after(async () => {
        await one?.close()
        await other?.close()
      })

      const me = async ({ server }: TestServer, jwt: string, headers = {}) =>
        (await request(server, 'GET', '/api/users/me', { as: jwt, headers })).status

      const refresh = async ({ server }: TestServer, refreshToken: string) =>
        request(server, 'POST', '/api/auth/refresh', { body: { refreshToken } })

      let count = 0
      for (const [event, happen] of Object.entries(EVENTS)) {
        it(`ends every older credential on ${event}, in every process`, async () => {
          count += 1
          const person = await signUp(one.server, `person${count}`)
          const second = await signIn(one.server, person.email, person.password)
          const tokens = [person.jwt, String(second.at('jwt'))]
          const signedIn = await afterWrites(one.server)
          for (const jwt of tokens) {
            assert.equal(await me(one, jwt), 200)
            assert.equal(await me(other, jwt, signedIn), 200)
          }
          await happen(one.server, person)
          const ended = await afterWrites(one.server)
          for (const jwt of tokens) {
            assert.equal(await me(one, jwt), 401)
            assert.equal(await me(other, jwt, ended), 401)
          }
          if (sessions === 'refresh') {
            for (const token of [person.refreshToken, String(second.at('refreshToken'))])
              assert.equal((await refresh(one, token)).status, 401)
          }
        })
      }

      it('does not reuse the id of a deleted user', async () => {
        const deleted = await signUp(one.server, 'numbered')
        await request(one.server, 'DELETE', `/api/users/${deleted.id}`, { as: TOKENS.full })
        const next = await signUp(one.server, 'numbered2')
        assert.ok(next.id > deleted.id)
        assert.equal(await me(one, deleted.jwt), 401)
      })

      it('reads nothing about a signed-in user on a warm request', async () => {
        const person = await signUp(one.server, 'warm')
        const url = '/api/notes?pagination[withCount]=false'
        await request(one.server, 'GET', url, { as: person.jwt })
        const before = one.server.store.statements.reads
        await request(one.server, 'GET', url, { as: person.jwt })
        assert.ok(one.server.store.statements.reads - before <= 1)
      })

      if (sessions === 'long-lived') {
        it('has no refresh and logout routes', async () => {
          const person = await signUp(one.server, 'lasting')
          assert.equal(person.refreshToken, 'undefined')
          assert.equal((await refresh(one, 'x')).status, 404)
          assert.equal(
            (await request(one.server, 'POST', '/api/auth/logout', { as: person.jwt })).status,
            404,
          )
          assert.equal(await me(one, person.jwt), 200)
        })
        return
      }

      it('logout ends only the current session', async () => {
        const person = await signUp(one.server, 'leaving')
        const stays = await signIn(one.server, person.email, person.password)
        assert.equal(await me(other, person.jwt), 200)
        assert.equal((await request(one.server, 'POST', '/api/auth/logout', { as: person.jwt })).status, 200)
        assert.equal(await me(one, person.jwt), 401)
        assert.equal(await me(other, person.jwt, await afterWrites(one.server)), 401)
        assert.equal((await refresh(one, person.refreshToken)).status, 401)
        assert.equal(await me(one, String(stays.at('jwt'))), 200)
        assert.equal((await refresh(one, String(stays.at('refreshToken')))).status, 200)
      })

      it('rotates the refresh token at each use', async () => {
        const person = await signUp(one.server, 'rotating')
        const first = await refresh(one, person.refreshToken)
        assert.equal(first.status, 200)
        assert.notEqual(first.at('refreshToken'), person.refreshToken)
        assert.equal(await me(one, String(first.at('jwt'))), 200)
        const second = await refresh(other, String(first.at('refreshToken')))
        assert.equal(second.status, 200)
        assert.equal(await me(one, String(second.at('jwt'))), 200)
      })

      /** Ends the time in which another tab may still use a rotated token. */
      const endGracePeriod = () =>
        one.server.store.write(async (transaction) =>
          transaction.run({
            sql: `update octavo_refresh_tokens set used_at = '${new Date(Date.now() - 11_000).toISOString()}' where used_at is not null`,
            parameters: [],
          }),
        )

      it('ends the session when a rotated refresh token is reused', async () => {
        const person = await signUp(one.server, 'robbed')
        const thief = await refresh(one, person.refreshToken)
        assert.equal(thief.status, 200)
        await endGracePeriod()
        assert.equal((await refresh(one, person.refreshToken)).status, 401)
        assert.equal((await refresh(one, String(thief.at('refreshToken')))).status, 401)
        assert.equal(await me(one, String(thief.at('jwt'))), 401)
        assert.equal(await me(one, person.jwt), 401)
        assert.equal(await me(other, String(thief.at('jwt')), await afterWrites(one.server)), 401)
      })

      it('tabs that refresh at the same time all get new tokens', async () => {
        const person = await signUp(one.server, 'tabs')
        const responses = await Promise.all(
          Array.from({ length: 12 }, (_, tab) => refresh(tab % 2 ? other : one, person.refreshToken)),
        )
        const succeeded = Array.from({ length: 12 }, () => 200)
        assert.deepEqual(
          responses.map(({ status }) => status),
          succeeded,
        )
        assert.equal(new Set(responses.map((response) => response.at('refreshToken'))).size, 12)
        for (const response of responses) assert.equal(await me(one, String(response.at('jwt'))), 200)
        // The next simultaneous refresh also succeeds.
        const next = await Promise.all(
          responses.map((response, index) =>
            refresh(index % 2 ? one : other, String(response.at('refreshToken'))),
          ),
        )
        assert.deepEqual(
          next.map(({ status }) => status),
          succeeded,
        )
      })

      it('detects a stolen token that was reused within the grace period', async () => {
        const person = await signUp(one.server, 'quick')
        const owner = await refresh(one, person.refreshToken)
        const thief = await refresh(other, person.refreshToken)
        assert.deepEqual([owner.status, thief.status], [200, 200])
        const goesOn = await refresh(one, String(owner.at('refreshToken')))
        assert.equal(goesOn.status, 200)
        await endGracePeriod()
        assert.equal((await refresh(other, String(thief.at('refreshToken')))).status, 401)
        assert.equal((await refresh(one, String(goesOn.at('refreshToken')))).status, 401)
        assert.equal(await me(one, String(goesOn.at('jwt')), await afterWrites(other.server)), 401)
      })

      it('rejects a rotated token within the grace period after its session has ended', async () => {
        const person = await signUp(one.server, 'ended')
        const next = await refresh(one, person.refreshToken)
        await request(one.server, 'POST', '/api/auth/logout', { as: String(next.at('jwt')) })
        assert.equal((await refresh(one, person.refreshToken)).status, 401)
        assert.equal((await refresh(one, String(next.at('refreshToken')))).status, 401)
      })

      it('a refresh token is not an access token, nor the other way round', async () => {
        const person = await signUp(one.server, 'mixing')
        assert.equal(await me(one, person.refreshToken), 401)
        assert.equal((await refresh(one, person.jwt)).status, 401)
        assert.equal(await me(one, person.jwt), 200)
      })
    })
  }
})
