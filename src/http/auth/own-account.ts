/** Changes of one's own account: with a code that was sent by e-mail, or signed in. */
import type { FastifyRequest } from 'fastify'
import type { Account } from '../../access/users/accounts.ts'
import type { CodePurpose } from '../../access/users/codes.ts'
import type { OwnChanges } from '../../access/users/users.ts'
import { errors } from '../../errors.ts'
import { newPassword, requiredStrings } from '../request/fields.ts'
import { originOf } from '../request/origin.ts'
import type { Server } from '../server.ts'

/** Returns the account as it is then. */
export async function changeOwnAccount(
  { access: { users, accounts } }: Server,
  request: FastifyRequest,
  account: Account,
  values: OwnChanges,
): Promise<Account> {
  await users.updateOwn(account, values, originOf(request))
  const changed = await accounts.byDocumentId(account.documentId)
  if (!changed) throw new Error('A user that was just written cannot be read')
  return changed
}

/** Uses up the code. Attempts count towards the rate limit. */
export async function accountOfCode(
  { access: { signIn, codes, accounts } }: Server,
  { ip }: FastifyRequest,
  code: string,
  purpose: CodePurpose,
): Promise<Account> {
  const documentId = await signIn.countAttempt({ address: ip }, () => codes.use(code, purpose))
  const account = documentId === null ? null : await accounts.byDocumentId(documentId)
  if (!account) throw invalidCode()
  return account
}

/** The link no longer works: the person has to request another e-mail. */
export const invalidCode = () =>
  errors.invalidValues([{ path: ['code'], message: 'The code is invalid, expired or already used' }])

/** Sets the password in a body with `code`, `password` and `passwordConfirmation`. A refused password keeps the code. */
export async function resetPassword(server: Server, request: FastifyRequest): Promise<Account> {
  const { signIn } = server.access
  const text = requiredStrings(request.body, ['passwordConfirmation', 'password', 'code'])
  const rules = server.project.config.auth.password
  const password = await newPassword(text('password'), text('passwordConfirmation'), rules)
  const account = await accountOfCode(server, request, text('code'), 'reset-password')
  if (account.blocked) signIn.checkMaySignIn(account)
  // The code was sent by e-mail, which confirms the address.
  const changed = await changeOwnAccount(server, request, account, { password, confirmed: true })
  await signIn.rememberAddress(changed, request.ip)
  return changed
}
