/** Checks Node, the storage of files, and e-mail. */
import { messageOf } from '../../errors.ts'
import { openStorage, storageProblems } from '../../media/storage/providers.ts'
import type { Config } from '../../project/config/config.ts'
import { formatProblem } from '../../project/problems.ts'
import { error, type Finding, ok, warning } from './finding.ts'

/** The first version with argon2. */
const OLDEST_NODE = [24, 7] as const
const SMTP_TIMEOUT_MS = 5_000

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? error(`Node ${version} is too old`, `install Node ${OLDEST_NODE.join('.')} or later`)
    : ok(`Node ${version}`)
}

export async function checkStorage({ upload }: Config, dir: string): Promise<Finding> {
  const [problem] = storageProblems(upload)
  if (problem) return error(`Files: ${formatProblem(problem)}`, 'correct the configuration')
  try {
    const { storage } = await openStorage(upload, dir)
    const { message, remedy } = await storage.check().finally(storage.close)
    return remedy === null ? ok(`Files: ${message}`) : error(`Files: ${message}`, remedy)
  } catch (failure) {
    return error(`Files: ${messageOf(failure)}`, 'check the section upload of the configuration')
  }
}

export async function checkMail({ email, server }: Config, production: boolean): Promise<Finding[]> {
  if (email.smtp === null)
    return [
      production
        ? warning(
            'Mail: email.smtp is not set, so users cannot reset their password',
            'set OCTAVO_EMAIL_SMTP',
          )
        : ok('Mail: e-mails are written to .octavo/mail in development'),
    ]
  const links =
    server.url === null
      ? [warning('Mail: links in e-mails lead to this machine', 'set server.url to the public url')]
      : []
  return [...links, await checkSmtp(email.smtp)]
}

async function checkSmtp(smtp: string): Promise<Finding> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtp,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
  })
  try {
    await transport.verify()
    return ok('Mail: the SMTP server is reachable')
  } catch (failure) {
    return error(`Mail: the SMTP server is unreachable: ${messageOf(failure)}`, 'check email.smtp')
  } finally {
    transport.close()
  }
}
