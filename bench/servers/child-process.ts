/** The processes under measurement: started with an IPC channel, and ended with this process. */
import { type ChildProcess, fork } from 'node:child_process'

/** Resources a process has used so far; it replies to every message with these. */
export interface Usage {
  readonly pid: number
  /** Resident memory in bytes. */
  readonly memory: number
  /** CPU time of all threads in microseconds. */
  readonly processor: number
}

/** Resources this process has used so far. */
export function usage(): Usage {
  const { user, system } = process.cpuUsage()
  return { pid: process.pid, memory: process.memoryUsage.rss(), processor: user + system }
}

export interface Child {
  readonly address: string
  /** Milliseconds from the start of the process to its first message. */
  readonly startedIn: number
  /** Sends a message and waits for the reply. */
  sendOnce(message: object): Promise<Usage>
  stop(): Promise<void>
}

/** Starts a script of this folder with NODE_ENV=production and waits until it listens. */
export async function startChild(script: string, args: readonly string[]): Promise<Child> {
  const began = performance.now()
  const child = fork(new URL(script, import.meta.url), args, {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      OCTAVO_AUTH_SECRET: 'a secret for the benchmark, long enough',
    },
  })
  const { address } = await nextMessage(child)
  if (typeof address !== 'string') throw new Error(`${script} did not report its address`)
  return {
    address,
    startedIn: performance.now() - began,
    async sendOnce(message) {
      const answer = nextMessage(child)
      child.send(message)
      const { pid, memory, processor } = await answer
      return { pid: Number(pid), memory: Number(memory), processor: Number(processor) }
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.disconnect()
      }),
  }
}

function nextMessage(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`The process exited with code ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(typeof message === 'object' ? { ...message } : {})
    })
  })
}
