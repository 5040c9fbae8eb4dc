/** E-mails to users. Links are built from the configuration, never from request headers. */
import type { Config } from '../../project/config/config.ts'
import type { MailMessage } from './mail.ts'

/** The path of the server's own page to reset a password. */
export const RESET_PASSWORD_PATH = '/reset-password'

export function passwordResetMail(config: Config, to: string, code: string): MailMessage {
  const link = withParameter(
    config.auth.resetPasswordUrl ?? `${baseUrl(config)}${RESET_PASSWORD_PATH}`,
    'code',
    code,
  )
  const text = [
    'Someone requested a password reset for your account. If it was you, open this link:',
    link,
    `The link works once and expires in ${config.auth.codeMinutes} minutes. If it was not you, ignore this e-mail.`,
  ].join('\n\n')
  return { to, subject: 'Reset your password', text }
}

/** For someone who uses the admin app. */
export function adminPasswordResetMail(config: Config, to: string, code: string): MailMessage {
  const link = withParameter(`${adminUrl(config)}/reset-password`, 'code', code)
  const text = [
    'Someone requested a new password for your account in the admin app. If it was you, open this link:',
    link,
    `The link works once and expires in ${config.auth.codeMinutes} minutes. If it was not you, ignore this e-mail.`,
  ].join('\n\n')
  return { to, subject: 'Reset your password', text }
}

/** An invitation to the team. */
export function invitationMail(to: string, link: string, days: number): MailMessage {
  const text = [
    'You are invited to write content. Open this link to choose a name and a password:',
    link,
    `The link works once and expires in ${days} days.`,
  ].join('\n\n')
  return { to, subject: 'Invitation', text }
}

export const invitationLink = (config: Config, code: string) =>
  withParameter(`${adminUrl(config)}/invitation`, 'code', code)

/** The public address of the admin app. */
const adminUrl = (config: Config) => `${baseUrl(config)}${config.admin.path}`

export function emailConfirmationMail(config: Config, to: string, code: string): MailMessage {
  const link = withParameter(`${baseUrl(config)}/api/auth/email-confirmation`, 'confirmation', code)
  const text = [
    'Please confirm your e-mail address by opening this link:',
    link,
    `The link works once and expires in ${config.auth.codeMinutes} minutes.`,
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
