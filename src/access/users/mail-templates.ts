/** The e-mails users get. Their links are made from the configuration alone, never from a request. */
import type { Config } from '../../project/config/config.ts'
import type { MailMessage } from './mail.ts'

/** The letter with a link to choose a new password. */
export function passwordResetMail(config: Config, to: string, code: string): MailMessage {
  const link = withParameter(
    config.auth.resetPasswordUrl ?? `${baseUrl(config)}/reset-password`,
    'code',
    code,
  )
  const text = [
    'Someone asked for a new password for your account. If it was you, open this link:',
    link,
    `It works once, for ${config.auth.codeMinutes} minutes. If it was not you, nothing needs to be done.`,
  ].join('\n\n')
  return { to, subject: 'Choose a new password', text }
}

/** The letter with a link that confirms an address. */
export function emailConfirmationMail(config: Config, to: string, code: string): MailMessage {
  const link = withParameter(`${baseUrl(config)}/api/auth/email-confirmation`, 'confirmation', code)
  const text = [
    'Please confirm that this is your e-mail address by opening this link:',
    link,
    `It works once, for ${config.auth.codeMinutes} minutes.`,
  ].join('\n\n')
  return { to, subject: 'Confirm your e-mail address', text }
}

function baseUrl({ server }: Config): string {
  return (server.url ?? `http://${server.host}:${server.port}`).replace(/\/$/, '')
}

function withParameter(url: string, name: string, value: string): string {
  const link = new URL(url)
  link.searchParams.set(name, value)
  return link.href
}
