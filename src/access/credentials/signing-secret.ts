/** The secret that signs the tokens of users: configured, or generated once per project in development. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../store/errors.ts'

const MIN_LENGTH = 32

export async function signingSecret(
  configured: string | null,
  { stateFolder, production }: { readonly stateFolder: string | null; readonly production: boolean },
): Promise<string> {
  if (configured !== null) {
    if (configured.length < MIN_LENGTH)
      throw new StartError(`auth.secret must have at least ${MIN_LENGTH} characters`)
    return configured
  }
  if (production)
    throw new StartError(
      'auth.secret is required in production: set OCTAVO_AUTH_SECRET to a random string of at least 32 characters, the same for every process',
    )
  if (stateFolder === null) return newSigningSecret()
  await mkdir(stateFolder, { recursive: true })
  const file = join(stateFolder, 'auth-secret')
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, newSigningSecret(), { mode: 0o600 })
  try {
    // When several processes start together, the first link wins and the others read its file.
    await link(draft, file)
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure && failure.code === 'EEXIST')) throw failure
  } finally {
    await rm(draft)
  }
  return (await readFile(file, 'utf8')).trim()
}

const newSigningSecret = () => randomBytes(48).toString('base64url')
