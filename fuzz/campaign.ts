/** Rounds of random requests to a pair of servers. The seed decides everything; what is found is made as small as it gets. */
import fc from 'fast-check'
import type { Ask } from './ask.ts'
import { requests } from './grammar/routes.ts'
import type { Finding, Twins } from './twins.ts'

/** After so many requests the model and what can be referred to are read anew. */
const ROUND = 400

export interface Found extends Finding {
  readonly ask: Ask
  readonly round: number
}

export interface Report {
  readonly requests: number
  readonly findings: readonly Found[]
  /** How often each status was answered, by method and route. */
  readonly tally: ReadonlyMap<string, ReadonlyMap<number, number>>
}

export interface CampaignOptions {
  readonly requests: number
  readonly seed: number
  /** Servers with the same content, at the start and again when a finding has let their content part. */
  readonly open: () => Promise<Twins>
  readonly onFinding?: (found: Found) => void
  readonly onRound?: (done: number) => void
  /** Whether to stop before the number is reached. */
  readonly isOver?: () => boolean
}

/** Asks until the number of requests is reached. */
export async function campaign({
  isOver = () => false,
  requests: wanted,
  seed,
  open,
  onFinding,
  onRound,
}: CampaignOptions): Promise<Report> {
  const findings: Found[] = []
  const known = new Set<string>()
  const tally = new Map<string, Map<number, number>>()
  let done = 0
  let twins = await open()
  try {
    for (let round = 0; done < wanted && !isOver(); round++) {
      const found = await runRound(round, Math.min(ROUND, wanted - done))
      onRound?.(done)
      if (!found) continue
      known.add(found.signature)
      findings.push(found)
      onFinding?.(found)
      if (!found.parted) continue
      await twins.stop()
      twins = await open()
    }
  } finally {
    await twins.stop()
  }
  return { requests: done, findings, tally }

  async function runRound(round: number, size: number): Promise<Found | null> {
    const model = await twins.refresh()
    let smallest: Found | null = null
    const property = fc.asyncProperty(requests(model), async (ask) => {
      const { status, finding } = await twins.hold(ask)
      done += 1
      if (status !== null) count(tally, `${ask.method} ${ask.route}`, status)
      if (!finding || known.has(finding.signature)) return
      // While a finding is made smaller, others wait for their own round.
      if (smallest && smallest.signature !== finding.signature) return
      smallest = { ...finding, ask, round }
      throw new Error(finding.words)
    })
    await fc.check(property, { seed: seed + round, numRuns: size })
    return smallest
  }
}

function count(tally: Map<string, Map<number, number>>, route: string, status: number): void {
  const row = tally.get(route) ?? new Map<number, number>()
  row.set(status, (row.get(status) ?? 0) + 1)
  tally.set(route, row)
}
