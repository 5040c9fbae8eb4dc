/** Lists of saved states. The people of the team, who see who changed a document, also see who saved each state. */
import type { HistoryItem } from '../../documents/history/read-states.ts'
import type { Scope } from '../../query/scope.ts'
import { type NamedAuthor, readAuthorNames } from '../auth/author-names.ts'
import { authorJson } from '../schedules/author-json.ts'
import type { Server } from '../server.ts'
import { type VersionMeta, versionMeta } from './history-call.ts'

type NamedVersion = VersionMeta & { readonly by: NamedAuthor }

/** In the order of the items. */
export async function namedVersions(
  server: Server,
  scope: Scope,
  items: readonly HistoryItem[],
): Promise<readonly NamedVersion[]> {
  if (!scope.isTeam) return items.map((item) => versionMeta(scope, item))
  const named = await readAuthorNames(
    server,
    items.map(({ author }) => authorJson(author)),
  )
  return items.map((item) => ({ ...versionMeta(scope, item), by: named(authorJson(item.author)) }))
}
