/** Memory and CPU time of a process and its descendants, from Linux' /proc; unavailable on other systems. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Use {
  /** Resident memory in MB, all processes together. */
  readonly memory: number
  /** CPU time of all threads and processes in microseconds, also of processes that have ended. */
  readonly processor: number
}

const TICK = 1_000_000 / 100
const PAGE = 4_096

interface Process {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
  readonly pages: number
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8')
        // The program name may contain any character; the numbers follow its closing parenthesis.
        const figures = text
          .slice(text.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number)
        const [parent = 0, pages = 0] = [figures[1], figures[21]]
        // In user and system mode, by the process and by those of its children that have ended.
        const ticks = figures.slice(11, 15).reduce((sum, each) => sum + each, 0)
        return [{ pid: Number(name), parent, ticks, pages }]
      } catch {
        return []
      }
    })
}

/** Memory and CPU time of a process and its descendants; null if unavailable. */
export function useOf(pid: number): Use | null {
  if (process.platform !== 'linux') return null
  const all = processes()
  const family = new Set([pid])
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const one of all) if (family.has(one.parent)) family.add(one.pid)
  }
  const members = all.filter((one) => family.has(one.pid))
  const sum = (value: (one: Process) => number) => members.reduce((total, one) => total + value(one), 0)
  return {
    memory: Math.round((sum(({ pages }) => pages) * PAGE) / 2 ** 20),
    processor: sum(({ ticks }) => ticks) * TICK,
  }
}
