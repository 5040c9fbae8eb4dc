/** `octavo compare`: sends the GET requests of a log to two servers and shows where their responses differ. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Command, InvalidArgumentError } from 'commander'
import { limitConcurrency } from '../../concurrency-limit.ts'
import { messageOf } from '../../errors.ts'
import { createProgress, quantity } from '../archive/progress.ts'
import { differencesBetween } from '../compare/differences.ts'
import { requestIn } from '../compare/logged-requests.ts'
import { UsageError } from '../error-message.ts'

interface CompareOptions {
  readonly requests: string
  readonly tokenA?: string
  readonly tokenB?: string
  readonly ignore?: readonly string[]
  readonly show: number
}

export function addCompare(program: Command): void {
  program
    .command('compare <url-a> <url-b>')
    .description('send the GET requests of a log to two servers and show the differences')
    .requiredOption(
      '--requests <file>',
      'log with GET requests: an access log, JSON lines, or a path per line',
    )
    .option('--token-a <token>', 'API token for the first server')
    .option('--token-b <token>', 'API token for the second server')
    .option('--ignore <keys>', 'keys that are not compared, separated by commas', parseKeys)
    .option('--show <number>', 'number of different responses to show', parseCount, 20)
    .addHelpText('after', HELP)
    .action(compare)
}

const HELP = `
Each request is sent once, whatever the number of times it is in the log. Only paths are taken from the log, never hosts
or credentials. The exit code is 1 if a response differs.

  $ octavo compare https://cms.example.com http://127.0.0.1:1337 --requests access.log --ignore updatedAt`

const CONCURRENT_REQUESTS = 8
const TIMEOUT_MS = 30_000
const DIFFERENCES_PER_RESPONSE = 5

async function compare(urlA: string, urlB: string, options: CompareOptions): Promise<void> {
  const servers = [
    { base: baseOf(urlA), token: checkToken('--token-a', options.tokenA) },
    { base: baseOf(urlB), token: checkToken('--token-b', options.tokenB) },
  ] as const
  const requests = await readRequests(options.requests)
  if (requests.size === 0) throw new UsageError(`${options.requests} has no GET requests`)
  const ignored = new Set(options.ignore)
  const progress = createProgress()
  progress.part('Compared', requests.size)
  const limit = limitConcurrency(CONCURRENT_REQUESTS)
  const results = await Promise.all(
    [...requests].map((request) =>
      limit(async () => {
        const [one, other] = await Promise.all(servers.map((server) => responseOf(server, request)))
        progress.step()
        return { request, differences: differencesBetween(one, other, ignored) }
      }),
    ),
  )
  progress.end()
  const different = results.filter(({ differences }) => differences.length > 0)
  for (const { request, differences } of different.slice(0, options.show)) print(request, differences)
  if (different.length > options.show) console.log(`and ${different.length - options.show} more`)
  console.log(
    `${quantity(requests.size, 'request')}: ${requests.size - different.length} the same, ${different.length} different`,
  )
  if (different.length > 0) process.exitCode = 1
}

function print(request: string, differences: readonly string[]): void {
  console.log(`GET ${request}`)
  for (const line of differences.slice(0, DIFFERENCES_PER_RESPONSE)) console.log(`  ${line}`)
  const more = differences.length - DIFFERENCES_PER_RESPONSE
  if (more > 0) console.log(`  and ${quantity(more, 'more difference')}`)
}

async function readRequests(file: string): Promise<Set<string>> {
  const found = new Set<string>()
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const request = requestIn(line)
      if (request !== null) found.add(request)
    }
  } catch (failure) {
    throw new UsageError(`Cannot read ${file}: ${messageOf(failure)}`)
  }
  return found
}

interface ComparedServer {
  readonly base: string
  readonly token: string | undefined
}

/** Status and body; a server that does not respond is an error, since a comparison would mean nothing. */
async function responseOf({ base, token }: ComparedServer, request: string) {
  try {
    const response = await fetch(base + request, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, body: parsed(await response.text()) }
  } catch (failure) {
    const cause = failure instanceof Error && failure.cause ? failure.cause : failure
    throw new UsageError(`${base} does not respond to GET ${request}: ${messageOf(cause)}`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The address of a server. Messages contain it, so it may not contain a password. */
function baseOf(url: string): string {
  const example = 'such as http://127.0.0.1:1337'
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new UsageError(`${url} is not the URL of a server, ${example}`)
  const { username, password, search, hash, origin, pathname } = new URL(url)
  if (username !== '' || password !== '')
    throw new UsageError(
      `Pass the URL of ${origin} without user name and password; --token-a and --token-b take API tokens`,
    )
  if (search !== '' || hash !== '')
    throw new UsageError(`Pass the URL of ${origin} without a query, ${example}`)
  return origin + pathname.replace(/\/+$/, '')
}

/** Checked here because messages about invalid options and headers contain their value. */
function checkToken(option: string, token: string | undefined): string | undefined {
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token
  throw new UsageError(`The value of ${option} is not a token: it contains spaces or special characters`)
}

const parseKeys = (value: string) => value.split(',').map((key) => key.trim())

function parseCount(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new InvalidArgumentError('Expected a number.')
  return Number(value)
}
