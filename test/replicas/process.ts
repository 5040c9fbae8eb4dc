/** Runs `octavo start` on a database with replicas. */
import { launch, type RunningCommand } from '../support/command.ts'
import { TOKEN } from '../support/project-server.ts'

export interface OctavoProcess {
  /** Sends a request with full access; rejects when the server does not respond. */
  send(
    method: string,
    path: string,
    more?: { readonly data?: object; readonly position?: string },
  ): Promise<ProcessResponse>
  /** Whether it was started and not killed. */
  isUp(): boolean
  start(): Promise<void>
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export interface ProcessResponse {
  readonly status: number
  readonly retryAfter: string | null
  readonly position: string | null
  readonly text: string
}

/** A process that serves the project in a folder, once it is started. */
export function octavoProcess(folder: string, url: string, replicas: readonly string[]): OctavoProcess {
  let running: RunningCommand | null = null
  let base = ''
  return {
    isUp: () => base !== '',
    async send(method, path, { data, position } = {}) {
      const response = await fetch(base + path, {
        method,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(data && { 'content-type': 'application/json' }),
          ...(position && { 'octavo-position': position }),
        },
        ...(data && { body: JSON.stringify({ data }) }),
        // Longer than any request may take, so that a hanging one fails here.
        signal: AbortSignal.timeout(20_000),
      }).catch((cause: unknown) => {
        throw new Error(`No response from ${base}; the output of the process: ${running?.output()}`, {
          cause,
        })
      })
      const { headers, status } = response
      return {
        status,
        retryAfter: headers.get('retry-after'),
        position: headers.get('octavo-position'),
        text: await response.text(),
      }
    },
    async start() {
      running = launch(['start', '--project', folder, '--port', '0', '--database', url], {
        NODE_ENV: 'production',
        OCTAVO_AUTH_SECRET: 'a secret of the tests with replicas, long',
        OCTAVO_DATABASE_REPLICAS: replicas.join(','),
      })
      base = await running.address()
    },
    async kill(signal) {
      base = ''
      await running?.stop(signal)
    },
  }
}
