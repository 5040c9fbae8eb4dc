/** The secret that signs the tokens of users: from the configuration, or made once for a development folder. */

import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../store/errors.ts'

const SHORTEST = 32

/** The configured secret; in development the one kept in the state folder, which is made when missing. */
export async function signingSecret(
  configured: string | null,
  { stateFolder, production }: { readonly stateFolder: string | null; readonly production: boolean },
): Promise<string> {
  if (configured !== null) {
    if (configured.length < SHORTEST)
      throw new StartError(`auth.secret must have at least ${SHORTEST} characters`)
    return configured
  }
  if (production)
    throw new StartError(
      'auth.secret is required in production: set OCTAVO_AUTH_SECRET to a random text of 32 characters or more, the same for every process',
    )
  if (stateFolder === null) return newSigningSecret()
  await mkdir(stateFolder, { recursive: true })
  const file = join(stateFolder, 'auth-secret')
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, newSigningSecret(), { mode: 0o600 })
  try {
    // Of several processes that start together one gives the file its name; the others read what it wrote.
    await link(draft, file)
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure && failure.code === 'EEXIST')) throw failure
  } finally {
    await rm(draft)
  }
  return (await readFile(file, 'utf8')).trim()
}

const newSigningSecret = () => randomBytes(48).toString('base64url')
