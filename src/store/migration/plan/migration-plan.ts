/** A migration plan: every change with its description, its effect on content, and whether it needs confirmation. */
import { ownCommand } from '../../../project/own-command.ts'
import { StartError } from '../../errors.ts'
import type { Change } from './change.ts'

/**
 * What a change does to content:
 * - `safe`: nothing is lost.
 * - `notice`: nothing is lost, but some content does not satisfy the new schema.
 * - `empty`: something is dropped that holds no content.
 * - `lossy`: content is deleted (a backup is kept), hidden or published.
 * - `blocked`: impossible with the existing content.
 */
export type Effect = 'safe' | 'notice' | 'empty' | 'lossy' | 'blocked'

/** What a change does to the content of this database. */
export interface ChangeImpact {
  readonly effect: Effect
  /** How many rows the change concerns. */
  readonly rows: number
  /** How many documents lose content or block the change. */
  readonly affected: number
  /** The documentIds of the first few of those. */
  readonly documents: readonly string[]
}

export interface PlannedChange extends ChangeImpact {
  readonly change: Change
  readonly description: string
  /** How to keep the content, if this looks like an undeclared rename. */
  readonly hint: string | null
}

/** Which drops may be applied: none, those without content, or all. */
export type AcceptedLoss = 'nothing' | 'empty' | 'everything'

const REFUSED: Readonly<Record<AcceptedLoss, readonly Effect[]>> = {
  nothing: ['empty', 'lossy', 'blocked'],
  empty: ['lossy', 'blocked'],
  everything: ['blocked'],
}

/** The changes that prevent the migration. */
export const refusedChanges = (
  plan: readonly PlannedChange[],
  accept: AcceptedLoss,
): readonly PlannedChange[] => plan.filter(({ effect }) => REFUSED[accept].includes(effect))

/** The changes worth showing: stricter validation that all content satisfies is left out unless it is all there is. */
export function changesToReport(plan: readonly PlannedChange[]): readonly PlannedChange[] {
  const reported = plan.filter(({ change, effect }) => change.kind !== 'tightenRules' || effect !== 'safe')
  return reported.length > 0 ? reported : plan
}

/** Thrown instead of applying a plan; the database is unchanged. */
export class MigrationRefused extends StartError {
  readonly plan: readonly PlannedChange[]
  readonly refused: readonly PlannedChange[]

  constructor(plan: readonly PlannedChange[], refused: readonly PlannedChange[]) {
    super(refusalMessage(refused))
    this.plan = plan
    this.refused = refused
  }
}

function refusalMessage(refused: readonly PlannedChange[]): string {
  const lines = refused.flatMap(changeLines)
  if (refused.some(({ effect }) => effect === 'blocked'))
    return [
      'Blocked by existing content:',
      ...lines,
      `Change these documents or the schema files, then check again with: ${ownCommand('migrate --plan')}`,
    ].join('\n')
  const deletesContent = refused.some(({ effect }) => effect === 'lossy')
  return [
    deletesContent
      ? 'This change deletes content:'
      : 'This change removes parts of the schema (no content is lost):',
    ...lines,
    `Review the plan with "${ownCommand('migrate --plan')}", then apply it with "${ownCommand('migrate --confirm')}".`,
    ...(deletesContent
      ? [`Deleted content is kept as a backup until "${ownCommand('migrate --sweep --confirm')}".`]
      : []),
  ].join('\n')
}

/** A change as lines of text: its description, then its hint. */
export const changeLines = ({ description, hint }: PlannedChange): string[] => [
  `  ${description}`,
  ...(hint === null ? [] : [`    ${hint}`]),
]
