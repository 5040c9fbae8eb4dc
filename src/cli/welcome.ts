/** What a demo prints when it is ready: where it is and lines to paste into a terminal. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { TokenConfig } from '../project/config/config.ts'

/** A request worth trying, as `content/try.json` of a project lists them. */
interface Suggestion {
  readonly title: string
  readonly method?: string
  readonly path: string
  /** Name of a token in the configuration. */
  readonly token?: string
  readonly body?: unknown
}

type Tokens = Readonly<Record<string, TokenConfig>>

/** The lines to print for a demo that answers at `address`. */
export async function welcome(address: string, projectFolder: string, tokens: Tokens): Promise<string> {
  const suggestions = await readSuggestions(projectFolder)
  return [
    `Octavo is serving ${projectFolder} at ${address}`,
    ...suggestions.map((suggestion) => `${suggestion.title}:\n  ${curl(suggestion, address, tokens)}`),
    ...developmentTokens(suggestions, tokens),
    `Every request there is, to read and to try:\n  ${address}/docs`,
  ].join('\n\n')
}

async function readSuggestions(projectFolder: string): Promise<readonly Suggestion[]> {
  const file = path.join(projectFolder, 'content', 'try.json')
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : []
}

function developmentTokens(suggestions: readonly Suggestion[], tokens: Tokens): string[] {
  const names = new Set(suggestions.flatMap(({ token }) => token ?? []))
  return [...names].map(
    (name) => `Development token (full access, never for production): ${tokenText(tokens[name])}`,
  )
}

const tokenText = (token: TokenConfig | undefined) => token?.token ?? ''

/** A command line that sends the request as it is, in any POSIX shell. */
function curl({ method, path: at, token, body }: Suggestion, address: string, tokens: Tokens): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    'curl',
    ...(method ? ['-X', method] : []),
    ...(token ? ['-H', quote(`Authorization: Bearer ${tokenText(tokens[token])}`)] : []),
    ...(body ? ['-H', quote('Content-Type: application/json'), '-d', quote(JSON.stringify(body))] : []),
    quote(address + at),
  ].join(' ')
}
