/** Changes of one's own account: with a code that was sent by e-mail, or signed in. */
import type { FastifyRequest } from 'fastify'
import type { Account } from '../../access/users/accounts.ts'
import type { CodePurpose } from '../../access/users/codes.ts'
import type { OwnChanges } from '../../access/users/users.ts'
import { errors } from '../../errors.ts'
import type { Transaction } from '../../store/store.ts'
import { newPassword, requiredStrings } from '../request/fields.ts'
import { originOf } from '../request/origin.ts'
import type { Server } from '../server.ts'

/** Returns the account as it is then. */
export async function changeOwnAccount(
  { access: { users, accounts } }: Server,
  request: FastifyRequest,
  account: Account,
  values: OwnChanges,
  begin?: (transaction: Transaction) => Promise<void>,
): Promise<Account> {
  await users.updateOwn(account, values, originOf(request), begin)
  const changed = await accounts.byDocumentId(account.documentId)
  if (!changed) throw new Error('A user that was just written cannot be read')
  return changed
}

/**
 * A code to send to this address of an account; null if the account has another address by now. A change of the address
 * deletes the codes that were sent to the former one, and one that is created during the change must not outlive it.
 */
export async function newCodeFor(
  { store, access: { accounts, codes } }: Server,
  { documentId }: Account,
  email: string,
  purpose: CodePurpose,
): Promise<string | null> {
  return store.write(async (transaction) => {
    transaction.lock([documentId])
    if (!(await accounts.hasEmail(transaction, documentId, email))) return null
    return codes.createIn(transaction, documentId, purpose)
  })
}

/** The account of a code that was sent by e-mail. Attempts count towards the rate limit. */
async function accountOfCode(
  { access: { signIn, codes, accounts } }: Server,
  { ip }: FastifyRequest,
  code: string,
  purpose: CodePurpose,
): Promise<Account> {
  const documentId = await signIn.countAttempt({ address: ip }, () => codes.accountOf(code, purpose))
  const account = documentId === null ? null : await accounts.byDocumentId(documentId)
  if (!account) throw invalidCode()
  return account
}

/** Uses up the code in the transaction of the change: a change that is refused or fails keeps it. */
function changeWithCode(
  server: Server,
  request: FastifyRequest,
  account: Account,
  values: OwnChanges,
  { code, purpose }: { readonly code: string; readonly purpose: CodePurpose },
): Promise<Account> {
  return changeOwnAccount(server, request, account, values, async (transaction) => {
    if ((await server.access.codes.useIn(transaction, code, purpose)) !== account.documentId)
      throw invalidCode()
  })
}

/** Confirms the address that the code was sent to. */
export async function confirmAddress(server: Server, request: FastifyRequest, code: string): Promise<void> {
  const purpose = 'confirm-email'
  const account = await accountOfCode(server, request, code, purpose)
  await changeWithCode(server, request, account, { confirmed: true }, { code, purpose })
}

/** The link no longer works: the person has to request another e-mail. */
const invalidCode = () =>
  errors.invalidValues([{ path: ['code'], message: 'The code is invalid, expired or already used' }])

/** Sets the password in a body with `code`, `password` and `passwordConfirmation`. */
export async function resetPassword(server: Server, request: FastifyRequest): Promise<Account> {
  const text = requiredStrings(request.body, ['passwordConfirmation', 'password', 'code'])
  const rules = server.project.config.auth.password
  const password = await newPassword(text('password'), text('passwordConfirmation'), rules)
  const changed = await setPasswordWithCode(server, request, text('code'), password)
  await server.access.signIn.rememberAddress(changed, request.ip)
  return changed
}

/** Sets a password that was checked. The code was sent by e-mail, which confirms the address. */
export async function setPasswordWithCode(
  server: Server,
  request: FastifyRequest,
  code: string,
  password: string,
): Promise<Account> {
  const { signIn } = server.access
  const purpose = 'reset-password'
  const account = await accountOfCode(server, request, code, purpose)
  if (account.blocked) signIn.checkMaySignIn(account)
  const values = { password, confirmed: true } as const
  return signIn.inTurn(request.ip, () => changeWithCode(server, request, account, values, { code, purpose }))
}
