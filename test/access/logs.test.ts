import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { redactSecrets } from '../../src/http/logging/redact.ts'
import { type RunningCommand, trackProcess } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { writeFiles } from '../support/project-folder.ts'
import { moveTokensToEnvironment } from '../support/tokens.ts'
import { PROJECT, TOKENS } from './project.ts'

const SIGNING = 'signing-secret-that-no-log-may-contain'
const APP = new URL('../../src/http/app.ts', import.meta.url).href

/** A program that starts a server with the most verbose log. */
const PROGRAM = `
  import { createServer } from ${JSON.stringify(APP)}
  const [project, url] = process.argv.slice(-2)
  const config = { server: { port: 0 }, database: { url }, auth: { sessions: 'refresh' } }
  const server = await createServer({ project, config, logLevel: 'trace' })
  server.app.get('/api/broken', () => { throw new Error('broken on purpose') })
  console.log('Octavo listens on', await server.listen())
  process.on('SIGTERM', () => server.close())
`

function start(folder: string, url: string, environment: string): RunningCommand {
  const tokens = moveTokensToEnvironment(folder)
  const env = { ...process.env, ...tokens, NODE_ENV: environment, OCTAVO_AUTH_SECRET: SIGNING }
  const program = join(folder, 'run.mjs')
  writeFileSync(program, PROGRAM)
  return trackProcess(spawn(process.execPath, [program, folder, url], { env }))
}

/** The codes in the e-mails that a development server has written to files. */
function codesIn(folder: string): string[] {
  const mailFolder = join(folder, '.octavo/mail')
  if (!existsSync(mailFolder)) return []
  const texts = readdirSync(mailFolder).map((name) => readFileSync(join(mailFolder, name), 'utf8'))
  return texts.flatMap((text) => text.match(/code_[\w-]+/g) ?? [])
}

onEachEngine((engine) => {
  it('logs no password, token, code or hash at any log level', () => assertNoSecretsLogged('production'))

  it('logs no secret in development, where e-mails are written to files', () =>
    assertNoSecretsLogged('development'))

  async function assertNoSecretsLogged(environment: 'production' | 'development') {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-logs-'))
    writeFiles(folder, Object.fromEntries(PROJECT))
    const server = start(folder, await engine.freshUrl(), environment)
    const base = await server.address()
    const secrets = new Set<string>([SIGNING, ...Object.values(TOKENS), '$argon2id$'])
    const post = async (path: string, body: Record<string, string>, token?: string) => {
      for (const [name, value] of Object.entries(body))
        if (/password|code|token/i.test(name)) secrets.add(value)
      const headers = {
        'content-type': 'application/json',
        cookie: 'session=cookie-secret-0123456789',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      }
      const response = await fetch(base + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      const tokens: { jwt?: string; refreshToken?: string } = JSON.parse(await response.text())
      for (const secret of [tokens.jwt, tokens.refreshToken]) if (secret) secrets.add(secret)
      return tokens
    }
    secrets.add('cookie-secret-0123456789')
    try {
      const account = { username: 'logged', email: 'logged@example.test', password: 'logged-Passw0rd' }
      const { jwt, refreshToken = '' } = await post('/api/auth/local/register', account)
      await post('/api/auth/local', { identifier: 'logged', password: 'wrong-Passw0rd' })
      await post('/api/auth/local', { identifier: 'logged', password: account.password })
      await post('/api/auth/refresh', { refreshToken })
      await post('/api/auth/refresh', { refreshToken })
      await post('/api/auth/forgot-password', { email: account.email })
      const passwords = { password: 'chosen-Passw0rd', passwordConfirmation: 'typed-Passw0rd' }
      await post('/api/auth/reset-password', { code: 'code_guessed-0123456789', ...passwords })
      const current = { currentPassword: 'guessed-Passw0rd', ...passwords }
      await post('/api/auth/change-password', current, jwt)
      await post('/api/broken', { password: 'broken-Passw0rd' }, TOKENS.full)
      const codes = 'code=code_in-url-0123456789&access_token=token-in-url-0123456789'
      for (const path of ['/api/auth/email-confirmation', '/api/broken', '/api/vaults', '/nowhere']) {
        await fetch(`${base}${path}?confirmation=code_confirm-0123456789&${codes}`, {
          headers: { authorization: `Bearer ${TOKENS.full}` },
        })
      }
      secrets.add('code_in-url-0123456789').add('token-in-url-0123456789').add('code_confirm-0123456789')
    } finally {
      await server.stop()
      const log = server.output()
      const codes = codesIn(folder)
      assert.equal(codes.length > 0, environment === 'development')
      for (const code of codes) secrets.add(code)
      rmSync(folder, { recursive: true, force: true })
      assert.match(log, /broken on purpose/, 'the log has no error')
      for (const secret of secrets) assert.ok(!log.includes(secret), `the log holds ${secret}`)
    }
  }
})

it('leaves the values of secret parameters out of logged urls', () => {
  assert.equal(redactSecrets('/a?code=x&b=1'), '/a?code=…&b=1')
  assert.equal(redactSecrets('/a?b=1&confirmation=x'), '/a?b=1&confirmation=…')
  assert.equal(redactSecrets('/a?filters[code]=x'), '/a?filters[code]=x')
})
