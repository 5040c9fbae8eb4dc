/** Shows the progress of a command: a bar on a terminal, one line for each finished part elsewhere. */

export interface Progress {
  /** Finishes the current part and starts one with `total` steps (null if unknown). */
  part(name: string, total: number | null): void
  step(count?: number): void
  end(): void
}

interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** `1 row`, `2 rows`. */
export const quantity = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const REDRAW_MS = 100
const WIDTH = 30

/** Writes to standard error by default. */
export function createProgress(screen: Screen = process.stderr): Progress {
  let current: { readonly name: string; readonly total: number | null; done: number } | null = null
  let drawn = 0

  const bar = () => {
    if (!current) return ''
    const { name, total, done } = current
    if (total === null || total === 0) return `${name} ${done}`
    const share = Math.min(1, done / total)
    const full = Math.round(share * WIDTH)
    return `${name} ${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${Math.floor(share * 100)} % (${done} of ${total})`
  }

  const finish = () => {
    if (!current) return
    if (screen.isTTY) screen.write(`\r\x1b[K${bar()}\n`)
    else screen.write(`${current.name}: ${current.done}\n`)
    current = null
  }

  return {
    part(name, total) {
      finish()
      current = { name, total, done: 0 }
    },
    step(count = 1) {
      if (!current) return
      current.done += count
      const now = Date.now()
      if (!screen.isTTY || now - drawn < REDRAW_MS) return
      drawn = now
      screen.write(`\r\x1b[K${bar().slice(0, (screen.columns || 80) - 1)}`)
    },
    end: finish,
  }
}
