/**
 * Sends e-mail through SMTP if configured. In development it writes e-mails to files, so that nothing needs to be set up.
 * The content of an e-mail is never logged: its link gives access to the account.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import type { EmailConfig } from '../../project/config/access-config.ts'
import { onDemand } from '../../store/on-demand.ts'

export interface MailMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mail {
  send(message: MailMessage): Promise<void>
}

export interface MailOptions {
  readonly config: EmailConfig
  readonly stateFolder: string | null
  readonly production: boolean
  readonly log: { info(message: string): void; warn(message: string): void }
}

export function createMail({ config, stateFolder, production, log }: MailOptions): Mail {
  if (config.smtp !== null) {
    const { smtp } = config
    // Loaded with the first e-mail.
    const transport = onDemand<Transporter>(async () => {
      const { createTransport } = await import('nodemailer')
      return createTransport(smtp)
    })
    return {
      async send({ to, subject, text }) {
        await (await transport()).sendMail({ from: config.from, to, subject, text })
      },
    }
  }
  if (production || stateFolder === null) {
    return {
      async send() {
        log.warn('Cannot send an e-mail: email.smtp is not configured')
      },
    }
  }
  const folder = join(stateFolder, 'mail')
  let count = 0
  return {
    async send({ to, subject, text }) {
      await mkdir(folder, { recursive: true })
      count += 1
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}-${count}.txt`
      const lines = [`From: ${config.from}`, `To: ${to}`, `Subject: ${subject}`, '', text, '']
      await writeFile(join(folder, name), lines.join('\n'), { mode: 0o600 })
      log.info(`Wrote the e-mail "${subject}" to ${join(folder, name)}`)
    },
  }
}
