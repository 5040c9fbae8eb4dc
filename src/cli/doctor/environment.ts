/** Checks of what a server stands on beside its database: Node, the storage of files, and mail. */
import { messageOf } from '../../errors.ts'
import { openStorage, storageProblems } from '../../media/storage/providers.ts'
import type { Config } from '../../project/config/config.ts'
import { formatProblem } from '../../project/problems.ts'
import { bad, type Finding, good, notice } from './finding.ts'

/** 24.7 is the first to hash passwords with argon2 by itself. */
const OLDEST_NODE = [24, 7] as const
const MAIL_PATIENCE_MS = 5_000

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? bad(`Node ${version} is too old`, `install Node ${OLDEST_NODE.join('.')} or later`)
    : good(`Node ${version}`)
}

/** Whether files can be stored where the configuration says. */
export async function checkStorage({ upload }: Config, dir: string): Promise<Finding> {
  const [problem] = storageProblems(upload)
  if (problem) return bad(`Files: ${formatProblem(problem)}`, 'correct the configuration')
  try {
    const { storage } = await openStorage(upload, dir)
    const { message, remedy } = await storage.check().finally(storage.close)
    return remedy === null ? good(`Files: ${message}`) : bad(`Files: ${message}`, remedy)
  } catch (failure) {
    return bad(`Files: ${messageOf(failure)}`, 'check the section upload of the configuration')
  }
}

/** Whether letters with links to confirm an address or to reset a password reach people. */
export async function checkMail({ email, server }: Config, production: boolean): Promise<Finding[]> {
  if (email.smtp === null)
    return [
      production
        ? notice('Mail: email.smtp is not set, so nobody can reset a password', 'set OCTAVO_EMAIL_SMTP')
        : good('Mail: written to .octavo/mail in development'),
    ]
  const links =
    server.url === null
      ? [notice('Mail: links lead to the address of this machine', 'set server.url to the public address')]
      : []
  return [...links, await answering(email.smtp)]
}

async function answering(smtp: string): Promise<Finding> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtp,
    connectionTimeout: MAIL_PATIENCE_MS,
    greetingTimeout: MAIL_PATIENCE_MS,
  })
  try {
    await transport.verify()
    return good('Mail: the server answers')
  } catch (failure) {
    return bad(`Mail: the server does not answer: ${messageOf(failure)}`, 'check email.smtp')
  } finally {
    transport.close()
  }
}
