/** The pages behind links in e-mails to users. */
import type { FastifyReply } from 'fastify'
import type { Project } from '../../model/load-project.ts'
import { escapeHtml, sendPage } from './html-page.ts'

/** Their addresses contain a code, so no cache may store them. */
export function sendAccountPage(reply: FastifyReply, { name }: Project, heading: string, content: string) {
  const title = `${heading} – ${name ?? 'Octavo'}`
  return sendPage(reply.header('cache-control', 'no-store'), { title, heading, content })
}

/** A paragraph that screen readers announce. */
export const alert = (text: string) => `<p role="alert">${escapeHtml(text)}</p>`

export const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
