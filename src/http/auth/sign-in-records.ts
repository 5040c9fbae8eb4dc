/** Records of the audit log about signing in and out, and about second factors. */
import type { FastifyRequest } from 'fastify'
import { principalOf } from '../../access/credentials/callers.ts'
import type { Account } from '../../access/users/accounts.ts'
import { ApiError } from '../../errors.ts'
import { USER } from '../../model/model.ts'
import { originOf } from '../request/origin.ts'
import type { Server } from '../server.ts'

/** What people sign in to. */
type App = 'admin' | 'api'

/** Records something that the owner of an account has done. */
export const recordOwnAction = (
  { access }: Pick<Server, 'access'>,
  request: FastifyRequest,
  account: Account,
  action: 'session.create' | 'session.delete' | 'secondFactor.create' | 'secondFactor.delete',
  app: App,
): Promise<void> =>
  access.audit.add(
    { by: principalOf(account), origin: originOf(request) },
    { action, type: USER, documentId: account.documentId, details: { app } },
  )

interface SignInAttempt {
  readonly server: Pick<Server, 'access'>
  readonly request: FastifyRequest
  readonly identifier: string
  readonly app: App
}

/**
 * Records a sign-in that was refused, with its account if there is one. The identifier itself is not recorded: people
 * type passwords into the wrong field. Attempts beyond the rate limit are not recorded either.
 */
export async function recordFailure<Result>(
  { server: { access }, request, identifier, app }: SignInAttempt,
  signIn: () => Promise<Result>,
): Promise<Result> {
  try {
    return await signIn()
  } catch (error) {
    if (access.audit.isEnabled && error instanceof ApiError && isRefusal(error)) {
      const account = await access.accounts.byIdentifier(identifier)
      await access.audit.add(
        { by: { kind: 'public' }, origin: originOf(request) },
        {
          action: 'session.fail',
          type: USER,
          ...(account && { documentId: account.documentId }),
          details: { app, reason: error.message },
        },
      )
    }
    throw error
  }
}

/** The password was right if a code of the second factor is asked for. */
const isRefusal = ({ status, details }: ApiError) =>
  status < 500 && status !== 429 && details.secondFactor !== 'required'
