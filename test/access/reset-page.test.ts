/** The page to reset a password, and registration that the configuration makes impossible. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { request, sentCodes, signIn, signUp } from './client.ts'
import { PROJECT } from './project.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

onEachEngine((engine) => {
  describe('the link to reset a password', () => {
    let running: TestServer
    before(async () => {
      running = await serve(PROJECT, await engine.freshUrl())
    })
    after(() => running.close())

    const submit = (values: Record<string, string>) =>
      request(running.server, 'POST', '/reset-password', {
        body: new URLSearchParams(values).toString(),
        headers: FORM,
      })

    it('leads to a form that needs no script, and that changes the password once', async () => {
      const { email } = await signUp(running.server, 'forgetful')
      await request(running.server, 'POST', '/api/auth/forgot-password', { body: { email } })
      const code = (await sentCodes(running.server)).at(-1) ?? ''
      const opened = () => request(running.server, 'GET', `/reset-password?code=${code}`)
      await opened()
      const { status, text, headers } = await opened()
      assert.equal(status, 200)
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*form-action 'self'/)
      assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'no-referrer'])
      assert.match(
        text,
        new RegExp(`<form method="post" action="\\?">\\s*<input type="hidden" name="code" value="${code}"`),
      )
      assert.doesNotMatch(text, /<script/i)

      const password = 'remembered-Passw0rd'
      const different = await submit({ code, password, passwordConfirmation: 'something else' })
      assert.equal(different.status, 400)
      assert.match(different.text, /role="alert">The passwords do not match</)
      assert.ok(!different.text.includes(password), 'a password is not part of the page')
      const changed = await submit({ code, password, passwordConfirmation: password })
      assert.equal(changed.status, 200, changed.text)
      assert.match(changed.text, /Your password is changed/)
      assert.ok(!changed.text.includes(code))
      assert.equal((await signIn(running.server, email, password)).status, 200)
      const again = await submit({ code, password, passwordConfirmation: password })
      assert.equal(again.status, 400)
      assert.match(
        again.text,
        /role="alert">This link has expired or has already been used.*Request a new one/,
      )
      assert.doesNotMatch(again.text, /<form/)
    })

    it('shows what is wrong with a link, and runs nothing of it', async () => {
      const incomplete = await request(running.server, 'GET', '/reset-password')
      assert.match(incomplete.text, /This link is incomplete/)
      const attack = encodeURIComponent('"><script>alert(1)</script>')
      const { text } = await request(running.server, 'GET', `/reset-password?code=${attack}`)
      assert.doesNotMatch(text, /<script/i)
      const posted = await submit({ code: '"><script>', password: 'a', passwordConfirmation: 'a' })
      assert.equal(posted.status, 400)
      assert.doesNotMatch(posted.text, /<script/i)
    })
  })

  it('a project with a page of its own, elsewhere or at the same path, does not get that of the server', async () => {
    const elsewhere = { auth: { resetPasswordUrl: 'https://front.example/reset' } }
    const other = await serve(PROJECT, await engine.freshUrl(), elsewhere)
    const same = await serve(
      PROJECT,
      await engine.freshUrl(),
      {},
      { routes: (app) => void app.get('/reset-password', async () => 'mine') },
    )
    try {
      assert.equal((await request(other.server, 'GET', '/reset-password?code=x')).status, 404)
      assert.equal((await request(same.server, 'GET', '/reset-password?code=x')).text, 'mine')
    } finally {
      await other.close()
      await same.close()
    }
  })

  it('registration names a required attribute that it does not accept, and the setting that accepts it', async () => {
    const attributes = {
      nickname: { type: 'string', required: true },
      plan: { type: 'string', required: true, default: 'free' },
    }
    const files = new Map<string, unknown>([
      ['src/extensions/users-permissions/content-types/user/schema.json', { attributes }],
    ])
    const url = await engine.freshUrl()
    const account = { username: 'newcomer', email: 'newcomer@example.test', password: 'newcomer-Passw0rd' }
    const register = async (fields: readonly string[], body: object) => {
      const running = await serve(files, url, { auth: { registration: { fields } } })
      try {
        return await request(running.server, 'POST', '/api/auth/local/register', { body })
      } finally {
        await running.close()
      }
    }
    const refused = await register([], account)
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.at('error', 'details', 'errors', 0, 'path'), ['nickname'])
    assert.match(String(refused.at('error', 'message')), /nickname is required.*auth\.registration\.fields/)
    assert.equal(refused.at('error', 'details', 'errors', 1), undefined)
    assert.equal((await register(['nickname'], { ...account, nickname: 'New' })).status, 200)
  })
})
