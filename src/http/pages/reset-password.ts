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
import { escapeHtml, type HtmlPage, sendPage } from './html-page.ts'

/** A project that has a route of its own at this path keeps it. */
export function resetPasswordPage(app: FastifyInstance, server: Server): void {
  const { name, config } = server.project
  if (config.auth.resetPasswordUrl !== null || app.hasRoute({ method: 'GET', url: RESET_PASSWORD_PATH }))
    return
  const { minLength } = config.auth.password
  const page = (heading: string, content: string): HtmlPage => ({
    ...{ title: `${heading} – ${name ?? 'Octavo'}`, heading, content },
  })
  const formPage = (code: string, problems: readonly string[] = []) =>
    code === ''
      ? page('Reset your password', paragraph('This link is incomplete. Open the link in the e-mail again.'))
      : page('Reset your password', form(code, minLength, problems))

  const show: Handler = async (request, reply) => {
    const code = new URLSearchParams(rawQueryOf(request)).get('code') ?? ''
    return send(reply, formPage(code))
  }

  const submit: Handler = async (request, reply) => {
    try {
      await resetPassword(server, request)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      const code = isObject(request.body) && typeof request.body.code === 'string' ? request.body.code : ''
      return send(reply.code(error.status).headers(error.headers), formPage(code, problemsOf(error)))
    }
    return send(
      reply,
      page('Your password is changed', paragraph('You can close this page and sign in with it.')),
    )
  }

  declareRoute(app, RESET_PASSWORD_PATH, { GET: show, POST: submit })
}

/** The page contains the code, so no cache may store it. */
const send = (reply: FastifyReply, page: HtmlPage) =>
  sendPage(reply.header('cache-control', 'no-store'), page)

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`

/** The action is the path itself without its parameters, wherever a proxy has put it. */
const form = (code: string, minLength: number, problems: readonly string[]) => `<p>Choose a new password.</p>
${problems.map((problem) => `<p role="alert">${escapeHtml(problem)}</p>`).join('\n')}
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
