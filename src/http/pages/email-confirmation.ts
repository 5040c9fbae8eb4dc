/** What a browser shows after the link in the e-mail to confirm an address; programs get JSON. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { Project } from '../../model/load-project.ts'
import type { Handler } from '../method-routes.ts'
import { alert, paragraph, sendAccountPage } from './account-page.ts'

/** Shows a browser whether `confirm` has succeeded. A result other than `{ ok: true }`, such as a redirect, is sent. */
export const withConfirmationPage =
  (project: Project, confirm: Handler): Handler =>
  async (request, reply) => {
    if (!isBrowser(request)) return confirm(request, reply)
    try {
      const result = await confirm(request, reply)
      return result === reply
        ? reply
        : sendAccountPage(reply, project, 'Your e-mail address is confirmed', DONE)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      return sendRefusal(reply, project, error)
    }
  }

const DONE = paragraph('You can close this page and sign in.')

const isBrowser = ({ headers: { accept = '' } }: FastifyRequest) => /\btext\/html\b/i.test(accept)

function sendRefusal(reply: FastifyReply, project: Project, { status, headers, message }: ApiError) {
  const advice =
    status === 400
      ? 'If you have opened this link before, your address is confirmed and you can sign in. Otherwise ask for another e-mail where you registered.'
      : 'Open the link again later.'
  const content = `${alert(message)}\n${paragraph(advice)}`
  return sendAccountPage(
    reply.code(status).headers(headers),
    project,
    'Your e-mail address is not confirmed',
    content,
  )
}
