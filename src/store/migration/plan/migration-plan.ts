/** A migration as it is shown before it happens: every change with its words, the rows it touches and what it costs. */
import { StartError } from '../../errors.ts'
import type { Change } from './change.ts'

/**
 * What a change means for the content: `safe` leaves all of it; `notice` leaves it too, but some of it is not what the
 * model now asks for; `empty` drops what holds no content; `lossy` takes content away and leaves a backup; `blocked`
 * cannot happen while the content is as it is.
 */
export type Effect = 'safe' | 'notice' | 'empty' | 'lossy' | 'blocked'

/** What was found in the database about a change. */
export interface ChangeImpact {
  readonly effect: Effect
  /** Rows that the change is about. */
  readonly rows: number
  /** Documents that lose content or are in the way: how many, and the first few by documentId. */
  readonly affected: number
  readonly documents: readonly string[]
}

export interface PlannedChange extends ChangeImpact {
  readonly change: Change
  /** One sentence for people. */
  readonly description: string
  /** How it could lose nothing, where something can be said. */
  readonly hint: string | null
}

/** How much may be given up: nothing, what holds no content, or whatever the plan says. */
export type AcceptedLoss = 'nothing' | 'empty' | 'everything'

const REFUSED: Readonly<Record<AcceptedLoss, readonly Effect[]>> = {
  nothing: ['empty', 'lossy', 'blocked'],
  empty: ['lossy', 'blocked'],
  everything: ['blocked'],
}

/** The changes that stand in the way of a migration. */
export const refusedChanges = (
  plan: readonly PlannedChange[],
  accept: AcceptedLoss,
): readonly PlannedChange[] => plan.filter(({ effect }) => REFUSED[accept].includes(effect))

/** The changes that people want to hear of. Stricter rules that all content keeps come with most others; alone they are told. */
export function changesToReport(plan: readonly PlannedChange[]): readonly PlannedChange[] {
  const told = plan.filter(({ change, effect }) => change.kind !== 'tightenRules' || effect !== 'safe')
  return told.length > 0 ? told : plan
}

/** A migration that was not applied, and did not change anything, because of what it would do. */
export class MigrationRefused extends StartError {
  readonly plan: readonly PlannedChange[]
  readonly refused: readonly PlannedChange[]

  constructor(plan: readonly PlannedChange[], refused: readonly PlannedChange[]) {
    super(messageOf(refused))
    this.plan = plan
    this.refused = refused
  }
}

function messageOf(refused: readonly PlannedChange[]): string {
  const lines = refused.flatMap(({ description: words, hint }) => [
    `  ${words}`,
    ...(hint === null ? [] : [`    ${hint}`]),
  ])
  return refused.some(({ effect }) => effect === 'blocked')
    ? [
        'The content is in the way of what the schema files ask for:',
        ...lines,
        'Change those documents or the schema files, and look again with `octavo migrate --plan`.',
      ].join('\n')
    : [
        'The schema files take away what the database has:',
        ...lines,
        'Look at all of it with `octavo migrate --plan`, and apply it with `octavo migrate --confirm`; what goes is kept as a backup until `octavo migrate --sweep`.',
      ].join('\n')
}
