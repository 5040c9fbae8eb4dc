/** Reads the documents that events are about, for webhooks: with all permissions, but without private attributes. */
import type { StoredEvent } from '../../events/event.ts'
import type { EventReader } from '../../events/webhooks/make-deliveries.ts'
import { standardBody, strapiBody } from '../../events/webhooks/message-body.ts'
import { isObject } from '../../project/values.ts'
import { filtersProblem } from '../../query/create-parse-context.ts'
import { type Scope, systemScope } from '../../query/scope.ts'
import { visibleAuthor } from '../auth/visible-author.ts'
import { type PresentFile, visibleEvent } from '../events/visible-event.ts'
import type { Server } from '../server.ts'

const webhookScope: Scope = { ...systemScope, key: 'webhooks' }

/** Filters decide as a row rule of a permission does. */
const filteredScope = (filters: Readonly<Record<string, unknown>>): Scope => ({
  ...webhookScope,
  key: `webhooks ${JSON.stringify(filters)}`,
  rule: (_, action) => (action === 'find' ? { filters } : null),
})

export function createEventReader(server: Server, presentFile: PresentFile): EventReader {
  const { compat } = server.project.config.api.rest

  /** Null if the document cannot be read, because its content-type was removed or its events are no longer stored. */
  const dataOf = (event: StoredEvent) => visibleEvent(server, webhookScope, event, true, presentFile)

  function bodyFrom(event: StoredEvent, data: string | null): string {
    const type = server.layout().model.types.get(event.type)
    if (compat !== 'strapi' || !type)
      return standardBody(event.event, event.at, data ?? withoutDocument(event))
    const parsed: unknown = data === null ? null : JSON.parse(data)
    const document = isObject(parsed) && isObject(parsed.document) ? parsed.document : null
    return strapiBody(event, type, document)
  }

  return {
    bodyOf: async (event) => bodyFrom(event, await dataOf(event)),
    bodyWithoutDocument: (event) => bodyFrom(event, null),

    async isCovered(event, filters) {
      return (await visibleEvent(server, filteredScope(filters), event, false, presentFile)) !== null
    },

    filterProblem({ filters, types }) {
      if (!filters) return null
      const { model } = server.layout()
      const { bounds } = server.project.config.api.rest
      for (const uid of types ?? []) {
        const type = model.types.get(uid)
        const problem = type ? filtersProblem(model, type, filters, bounds) : null
        if (problem !== null) return `Its filters do not fit ${uid}: ${problem}`
      }
      return null
    },
  }
}

const withoutDocument = ({ seq, event, at, type, documentId, locale, author }: StoredEvent): string =>
  JSON.stringify({
    ...{ seq, event, at, type, documentId, locale },
    by: visibleAuthor(webhookScope, author),
    document: null,
  })
