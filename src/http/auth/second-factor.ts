/**
 * The second factor of people who may use the admin app. It is asked for wherever a password is exchanged for a credential:
 * at the sign-in of the content API too, whose tokens admins can use for the admin API.
 */
import type { Account } from '../../access/users/accounts.ts'
import { errors } from '../../errors.ts'
import type { Server } from '../server.ts'

type Access = Pick<Server, 'access'>

/** Whether the account has a second factor. Only people who may use the admin app can set one up or remove it. */
export async function hasSecondFactor({ access }: Access, { role, documentId }: Account): Promise<boolean> {
  return access.appAccessOf(role) !== null && access.secondFactors.isRequired(documentId)
}

/** Throws a 401 that says so when the account needs a code and this is none. */
export async function checkSecondFactor(server: Access, account: Account, code: unknown): Promise<void> {
  if (!(await hasSecondFactor(server, account))) return
  if (typeof code !== 'string' || code === '') throw errors.secondFactor('required')
  const isRight = await server.access.secondFactors.use(account.documentId, code)
  if (!isRight) throw errors.secondFactor('invalid')
}
