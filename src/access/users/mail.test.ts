import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaults } from '../../project/config/defaults.ts'
import { createMail, type MailMessage } from './mail.ts'
import { emailConfirmationMail, passwordResetMail } from './mail-templates.ts'

const LINK = 'https://x.test/?c=1'
const message = { to: 'ida@example.test', subject: 'Hello', text: `Open ${LINK}` }

function collect() {
  const lines: string[] = []
  const add = (line: string) => void lines.push(line)
  return { lines, log: { info: add, warn: add } }
}

/** A minimal SMTP server that receives one e-mail. */
async function mailServer(): Promise<{ url: string; server: Server; received: () => string }> {
  let text = ''
  const server = createServer((socket) => {
    let inLetter = false
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split('\r\n').slice(0, -1)) {
        if (inLetter) text += `${line}\n`
        if (inLetter && line === '.') inLetter = false
        else if (inLetter) continue
        else if (line === 'DATA') inLetter = true
        socket.write(line === 'QUIT' ? '221 bye\r\n' : inLetter ? '354 go\r\n' : '250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `smtp://127.0.0.1:${port}`, server, received: () => text }
}

test('an e-mail is sent to the configured SMTP server', async () => {
  const { url, server, received } = await mailServer()
  const { log, lines } = collect()
  const config = { from: 'Octavo <octavo@example.test>', smtp: url }
  try {
    await createMail({ config, stateFolder: null, production: true, log }).send(message)
  } finally {
    server.close()
  }
  assert.match(received(), /To: ida@example\.test/)
  assert.match(received(), /From: Octavo <octavo@example\.test>/)
  assert.deepEqual(lines, [], 'the link of an e-mail is not logged')
})

test('sending fails when the SMTP server is unreachable', async () => {
  const { url, server } = await mailServer()
  await new Promise((resolve) => server.close(resolve))
  const config = { from: 'o@example.test', smtp: url }
  const mail = createMail({ config, stateFolder: null, production: true, log: collect().log })
  await assert.rejects(mail.send(message))
})

test('in development an e-mail is written to a file, and the log has its path but not its content', async () => {
  const stateFolder = await mkdtemp(join(tmpdir(), 'octavo-mail-'))
  const { log, lines } = collect()
  try {
    await createMail({ config: defaults.email, stateFolder, production: false, log }).send(message)
    const [name = ''] = await readdir(join(stateFolder, 'mail'))
    const file = join(stateFolder, 'mail', name)
    assert.match(await readFile(file, 'utf8'), /^From: .*\nTo: ida@example\.test\nSubject: Hello\n\nOpen/)
    assert.equal((await stat(file)).mode & 0o077, 0)
    assert.ok(lines.join().includes(file))
    assert.ok(!lines.join().includes(LINK))
  } finally {
    await rm(stateFolder, { recursive: true })
  }
})

test('in production without SMTP nothing of an e-mail is stored', async () => {
  const { log, lines } = collect()
  await createMail({ config: defaults.email, stateFolder: tmpdir(), production: true, log }).send(message)
  assert.equal(lines.length, 1)
  assert.ok(!lines.join().includes(LINK))
})

test('links start with the configured url', () => {
  const server = { ...defaults.server, url: 'https://content.example/base/' }
  const config = { ...defaults, server }
  const linkIn = ({ text }: MailMessage) => text.split('\n').find((line) => line.startsWith('https:'))
  assert.equal(
    linkIn(emailConfirmationMail(config, 'a@b.c', 'x&y')),
    'https://content.example/base/api/auth/email-confirmation?confirmation=x%26y',
  )
  assert.equal(
    linkIn(passwordResetMail(config, 'a@b.c', 'z')),
    'https://content.example/base/reset-password?code=z',
  )
  const auth = { ...defaults.auth, resetPasswordUrl: 'https://front.example/#/reset' }
  assert.equal(
    linkIn(passwordResetMail({ ...config, auth }, 'a@b.c', 'z')),
    'https://front.example/?code=z#/reset',
  )
})
