/** The output of `octavo start --demo`: the address of the server and sample requests. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { TokenConfig } from '../../project/config/access-config.ts'
import type { Config } from '../../project/config/config.ts'
import { DEMO_EDITOR } from './demo-account.ts'

/** A sample request from `content/try.json` of a project. */
interface SampleRequest {
  readonly title: string
  readonly method?: string
  readonly path: string
  /** Name of a token in the configuration. */
  readonly token?: string
  readonly body?: unknown
}

type Tokens = Readonly<Record<string, TokenConfig>>

/** The text to print for a demo server at `address`. */
export async function welcome(
  address: string,
  projectFolder: string,
  { tokens, admin }: Pick<Config, 'tokens' | 'admin'>,
): Promise<string> {
  const samples = await readSamples(projectFolder)
  return [
    `Octavo is serving ${projectFolder} at ${address}`,
    ...samples.map((sample) => `${sample.title}:\n  ${curl(sample, address, tokens)}`),
    ...developmentTokens(samples, tokens),
    `API reference:\n  ${address}/docs`,
    ...(admin.enabled ? [adminApp(`${address}${admin.path}`)] : []),
  ].join('\n\n')
}

const adminApp = (url: string) =>
  `Admin app (development account ${DEMO_EDITOR.email}, password ${DEMO_EDITOR.password}):\n  ${url}`

async function readSamples(projectFolder: string): Promise<readonly SampleRequest[]> {
  const file = path.join(projectFolder, 'content', 'try.json')
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : []
}

function developmentTokens(samples: readonly SampleRequest[], tokens: Tokens): string[] {
  const names = new Set(samples.flatMap(({ token }) => token ?? []))
  return [...names].map(
    (name) => `Development token (full access, do not use in production): ${tokenText(tokens[name])}`,
  )
}

const tokenText = (token: TokenConfig | undefined) => token?.token ?? ''

/** The curl command for a request, quoted for a POSIX shell. */
function curl({ method, path: at, token, body }: SampleRequest, address: string, tokens: Tokens): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    'curl',
    ...(method ? ['-X', method] : []),
    ...(token ? ['-H', quote(`Authorization: Bearer ${tokenText(tokens[token])}`)] : []),
    ...(body ? ['-H', quote('Content-Type: application/json'), '-d', quote(JSON.stringify(body))] : []),
    quote(address + at),
  ].join(' ')
}
