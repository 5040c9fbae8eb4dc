/** Rounds of random requests to a pair of servers. Runs are reproducible by seed; findings are shrunk. */
import fc from 'fast-check'
import { requests } from './grammar/routes.ts'
import type { FuzzRequest } from './request.ts'
import type { Finding, ServerPair } from './server-pair.ts'

/** The model and the known ids are refreshed after this many requests. */
const ROUND = 400

export interface Found extends Finding {
  readonly ask: FuzzRequest
  readonly round: number
}

export interface Report {
  readonly requests: number
  readonly findings: readonly Found[]
  /** Number of responses by method, route and status. */
  readonly tally: ReadonlyMap<string, ReadonlyMap<number, number>>
}

export interface CampaignOptions {
  readonly requests: number
  readonly seed: number
  /** Starts servers with the same content; called again when a finding has made their content differ. */
  readonly open: () => Promise<ServerPair>
  readonly onFinding?: (found: Found) => void
  readonly onRound?: (done: number) => void
  /** Whether to stop before the number is reached. */
  readonly isOver?: () => boolean
}

/** Sends requests until the limit is reached. */
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
      if (!found.diverged) continue
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
      const { status, finding } = await twins.check(ask)
      done += 1
      if (status !== null) count(tally, `${ask.method} ${ask.route}`, status)
      if (!finding || known.has(finding.signature)) return
      // While one finding is being shrunk, others wait for a later round.
      if (smallest && smallest.signature !== finding.signature) return
      smallest = { ...finding, ask, round }
      throw new Error(finding.description)
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
