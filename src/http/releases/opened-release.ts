/** A release as it is shown when it is opened: with its documents, and whether each of them could be published now. */
import { type ReleaseEntry, readEntries } from '../../documents/releases/entries.ts'
import { inOrderOfPublishing } from '../../documents/releases/perform-entries.ts'
import {
  checkPublishing,
  type PublishCheck,
  problemsTogether,
} from '../../documents/releases/publish-problems.ts'
import type { Release } from '../../documents/releases/releases.ts'
import type { FieldProblem } from '../../errors.ts'
import type { Scope } from '../../query/scope.ts'
import type { Transaction } from '../../store/store.ts'
import { readAuthorNames } from '../auth/author-names.ts'
import { authorJson } from '../schedules/author-json.ts'
import { visibleDocuments } from '../schedules/visible-documents.ts'
import type { Server } from '../server.ts'
import { mayChange } from './may-change.ts'

/** Documents that are checked at the same time. */
const CONCURRENT = 50

/** The response to a request for one release. Entries that the caller may not find are counted, not shown. */
export async function openedRelease(server: Server, scope: Scope, release: Release) {
  const entries = await readEntries(server.store, release.id)
  const visible = await visibleDocuments(server, scope, entries)
  const canBePublished = release.state !== 'published' && release.state !== 'reverted'
  const [checked, isChangeable] = await server.withLatestModel((pinned) =>
    pinned.store.write(
      async (transaction) =>
        [
          canBePublished ? await problemsOf(pinned, transaction, entries) : null,
          await mayChange(pinned, scope, transaction, release.id),
        ] as const,
    ),
  )
  const [json] = await releasesJson(server, [release])
  const shown = entries.flatMap((entry, index) => {
    const document = visible(entry)
    const { isMissing = false, problems = [] } = checked?.[index] ?? {}
    if (!document && !isMissing) return []
    return [entryJson(entry, document?.title ?? null, problems)]
  })
  return {
    data: {
      ...json,
      valid: entries.length > 0 && (checked ?? []).every(({ problems }) => problems.length === 0),
      entries: shown,
    },
    meta: { omitted: entries.length - shown.length, mayChange: isChangeable },
  }
}

const MISSING: PublishCheck = {
  problems: [{ path: [], message: 'The document does not exist' }],
  claimed: [],
}
const UNPUBLISHED: PublishCheck = { problems: [], claimed: [] }

interface EntryProblems {
  readonly isMissing: boolean
  readonly problems: readonly FieldProblem[]
}

/** What keeps each entry from being published, after those that the release performs before it. */
async function problemsOf(
  server: Server,
  transaction: Transaction,
  entries: readonly ReleaseEntry[],
): Promise<readonly EntryProblems[]> {
  const checks: PublishCheck[] = []
  const replacedBefore = replacements(entries)
  for (let from = 0; from < entries.length; from += CONCURRENT)
    checks.push(
      ...(await Promise.all(
        entries
          .slice(from, from + CONCURRENT)
          .map((entry) => checkEntry(server, transaction, entry, replacedBefore(entry))),
      )),
    )
  return problemsTogether(checks).map((problems, index) => ({
    problems,
    isMissing: checks[index] === MISSING,
  }))
}

/** The documents that the release publishes or unpublishes before that of an entry, in its locale. */
function replacements(entries: readonly ReleaseEntry[]): (entry: ReleaseEntry) => readonly string[] {
  const byLocale = Map.groupBy(inOrderOfPublishing(entries), ({ locale }) => locale)
  return (entry) => {
    const all = byLocale.get(entry.locale) ?? []
    return all.slice(0, all.indexOf(entry)).map(({ documentId }) => documentId)
  }
}

async function checkEntry(
  server: Server,
  transaction: Transaction,
  { type: uid, documentId, locale, action }: ReleaseEntry,
  replaced: readonly string[],
): Promise<PublishCheck> {
  const layout = server.layout()
  const type = layout.model.types.get(uid)
  if (!type?.draftAndPublish) return MISSING
  const check = await checkPublishing(transaction, layout, type, documentId, locale, replaced)
  if (check === null) return MISSING
  return action === 'publish' ? check : UNPUBLISHED
}

/** Releases without their documents, with the names of those who created and published them. */
export async function releasesJson(server: Server, releases: readonly Release[]) {
  const authors = releases.flatMap(({ author, createdBy, publishedBy }) =>
    [author, createdBy, publishedBy].flatMap((one) => (one === null ? [] : [authorJson(one)])),
  )
  const named = await readAuthorNames(server, authors)
  const authorOf = (text: string | null) => (text === null ? null : named(authorJson(text)))
  return releases.map(({ author, createdBy, publishedBy, entryCount, ...release }) => ({
    ...release,
    createdBy: authorOf(createdBy),
    scheduledBy: authorOf(author),
    publishedBy: authorOf(publishedBy),
    entryCount,
  }))
}

const entryJson = (
  { id, type, documentId, locale, action }: ReleaseEntry,
  title: string | null,
  problems: readonly FieldProblem[],
) => ({
  ...{ id, type, documentId },
  locale: locale === '' ? null : locale,
  ...{ action, title },
  valid: problems.length === 0,
  problems: problems.map(({ path, message }) => ({ path, message })),
})
