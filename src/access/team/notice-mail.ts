/** Sends notices by e-mail to the admins, and to the person whose work they are about. */
import { NOTICE_MAIL_JOB } from '../../events/notices/notices.ts'
import type { JobKind } from '../../jobs/job.ts'
import { isObject } from '../../project/values.ts'
import type { Account, Accounts } from '../users/accounts.ts'
import type { Admins } from '../users/admins.ts'
import type { Mail } from '../users/mail.ts'

export interface NoticeMailOptions {
  readonly mail: Mail
  readonly admins: Pick<Admins, 'list'>
  readonly accounts: Pick<Accounts, 'byDocumentId'>
  /** Whether e-mails reach anyone; if not, the notice is only in the admin app and in the log. */
  readonly canSend: boolean
}

export const noticeMailJobs = ({ mail, admins, accounts, canSend }: NoticeMailOptions): JobKind => ({
  kind: NOTICE_MAIL_JOB,
  async run({ payload }) {
    if (!canSend || !isObject(payload) || typeof payload.message !== 'string') return
    const [kind, id = ''] = String(payload.author).split(':')
    const author = kind === 'user' ? await accounts.byDocumentId(id) : null
    const recipients = [...(await admins.list()), ...(author ? [author] : [])]
    const to = [...new Set(recipients.flatMap(addressOf))].join(', ')
    if (to === '') return
    await mail.send({ to, subject: 'Your content server needs attention', text: payload.message })
  },
})

const addressOf = ({ email, blocked }: Account) => (email === null || blocked ? [] : [email])
