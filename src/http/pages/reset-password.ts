/**
 * The page behind the link in the e-mail to someone who has forgotten a password, for projects without a page of their
 * own (`auth.resetPasswordUrl`). It is a plain form and needs no script.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { RESET_PASSWORD_PATH } from '../../access/users/mail-templates.ts'
import { ApiError } from '../../errors.ts'
import { isObject } from '../../project/values.ts'
import { resetPassword } from '../auth/own-account.ts'
import { declareRoute, type Handler } from '../method-routes.ts'
import { rawQueryOf } from '../request/query-string.ts'
import type { Server } from '../server.ts'
import { alert, paragraph, sendAccountPage } from './account-page.ts'
import { escapeHtml } from './html-page.ts'

/** A project that has a route of its own at this path keeps it. */
export function resetPasswordPage(app: FastifyInstance, server: Server): void {
  const { project } = server
  const { config } = project
  if (config.auth.resetPasswordUrl !== null || app.hasRoute({ method: 'GET', url: RESET_PASSWORD_PATH }))
    return
  const { minLength } = config.auth.password
  const sendForm = (reply: FastifyReply, code: string, problems: readonly string[] = []) =>
    sendAccountPage(
      reply,
      project,
      'Reset your password',
      code === ''
        ? paragraph('This link is incomplete. Open the link in the e-mail again.')
        : form(code, minLength, problems),
    )

  const show: Handler = async (request, reply) => {
    const code = new URLSearchParams(rawQueryOf(request)).get('code') ?? ''
    return sendForm(reply, code)
  }

  const submit: Handler = async (request, reply) => {
    try {
      await resetPassword(server, request)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      const code = isObject(request.body) && typeof request.body.code === 'string' ? request.body.code : ''
      reply.code(error.status).headers(error.headers)
      return isCodeRefused(error)
        ? sendAccountPage(reply, project, 'Reset your password', alert(NO_LONGER_VALID))
        : sendForm(reply, code, problemsOf(error))
    }
    const advice = paragraph('You can close this page and sign in with it.')
    return sendAccountPage(reply, project, 'Your password is changed', advice)
  }

  declareRoute(app, RESET_PASSWORD_PATH, { GET: show, POST: submit })
}

const NO_LONGER_VALID =
  'This link has expired or has already been used. Request a new one where you sign in, and open the link in the latest e-mail.'

/** Otherwise the password was refused, and the link still works. */
const isCodeRefused = ({ details }: ApiError): boolean =>
  Array.isArray(details.errors) &&
  details.errors.some(
    (problem: unknown) => isObject(problem) && Array.isArray(problem.path) && problem.path[0] === 'code',
  )

/** The action is the path itself without its parameters, wherever a proxy has put it. */
const form = (code: string, minLength: number, problems: readonly string[]) => `<p>Choose a new password.</p>
${problems.map(alert).join('\n')}
<form method="post" action="?">
<input type="hidden" name="code" value="${escapeHtml(code)}">
<label>New password
<input type="password" name="password" autocomplete="new-password" minlength="${minLength}" required autofocus></label>
<label>New password again
<input type="password" name="passwordConfirmation" autocomplete="new-password" minlength="${minLength}" required></label>
<button>Change password</button>
</form>`

function problemsOf({ message, details }: ApiError): readonly string[] {
  const listed = Array.isArray(details.errors) ? details.errors : []
  const messages = listed.flatMap((problem) =>
    isObject(problem) && typeof problem.message === 'string' ? [problem.message] : [],
  )
  return messages.length > 0 ? messages : [message]
}
