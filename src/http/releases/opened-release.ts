/** A release as it is shown when it is opened: with its documents, and whether each of them could be published now. */
import { type ReleaseEntry, readEntries } from '../../documents/releases/entries.ts'
import { publishProblems } from '../../documents/releases/publish-problems.ts'
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
  const [problems, isChangeable] = await server.withLatestModel((pinned) =>
    pinned.store.write(
      async (transaction) =>
        [
          canBePublished ? await problemsOf(pinned, transaction, entries) : entries.map(() => []),
          await mayChange(pinned, scope, transaction, release.id),
        ] as const,
    ),
  )
  const [json] = await releasesJson(server, [release])
  const shown = entries.flatMap((entry, index) => {
    const document = visible(entry)
    const isUnknown = isMissing(problems[index])
    if (!document && !isUnknown) return []
    return [entryJson(entry, document?.title ?? null, problems[index] ?? [])]
  })
  return {
    data: {
      ...json,
      valid: entries.length > 0 && problems.every((list) => list.length === 0),
      entries: shown,
    },
    meta: { omitted: entries.length - shown.length, mayChange: isChangeable },
  }
}

const MISSING: readonly FieldProblem[] = [{ path: [], message: 'The document does not exist' }]

const isMissing = (problems: readonly FieldProblem[] | undefined) => problems === MISSING

async function problemsOf(
  server: Server,
  transaction: Transaction,
  entries: readonly ReleaseEntry[],
): Promise<readonly (readonly FieldProblem[])[]> {
  const all: (readonly FieldProblem[])[] = []
  const unpublished = Map.groupBy(
    entries.filter(({ action }) => action === 'unpublish'),
    ({ locale }) => locale,
  )
  const unpublishedIn = (locale: string) => unpublished.get(locale)?.map(({ documentId }) => documentId) ?? []
  for (let from = 0; from < entries.length; from += CONCURRENT)
    all.push(
      ...(await Promise.all(
        entries
          .slice(from, from + CONCURRENT)
          .map((entry) => entryProblems(server, transaction, entry, unpublishedIn(entry.locale))),
      )),
    )
  return all
}

async function entryProblems(
  server: Server,
  transaction: Transaction,
  { type: uid, documentId, locale, action }: ReleaseEntry,
  unpublished: readonly string[],
): Promise<readonly FieldProblem[]> {
  const layout = server.layout()
  const type = layout.model.types.get(uid)
  if (!type?.draftAndPublish) return MISSING
  const problems = await publishProblems(transaction, layout, type, documentId, locale, unpublished)
  if (problems === null) return MISSING
  return action === 'publish' ? problems : []
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
