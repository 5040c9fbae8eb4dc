/** Creates the client: every operation is a request of `requests.ts`. */
import { createAccountClient } from './accounts.ts'
import type { Client, DocumentAction, SingleAction } from './contract.ts'
import { createHistoryClient } from './history.ts'
import { type About, type ClientOptions, createRequest } from './requests.ts'
import type { Status } from './response-types.ts'
import { type Schedule, scheduling } from './schedule.ts'
import type { Schema } from './schema.ts'
import { createSessionHolder } from './session.ts'
import { subscribe } from './subscribe.ts'
import { fetchWithProgress, sizeOf, uploadForm } from './upload.ts'

interface Envelope<Data> {
  readonly data: Data
}

/** Creates a client for a server. `Project` is the schema that `octavo types` generates. */
export function createClient<Project extends Schema>(options: ClientOptions): Client<Project> {
  const { fetch: usualFetch = fetch } = options
  const held = createSessionHolder(options)
  const request = createRequest(options, held)
  const abouts = new WeakMap<object, About>()
  function withAbout<Result>(result: Result, about: About): Result {
    if (typeof result === 'object' && result !== null) abouts.set(result, about)
    return result
  }
  const wholeBody = async <Result>(...call: Parameters<typeof request>): Promise<Result> => {
    const { body, about } = await request<Result>(...call)
    return withAbout(body, about)
  }
  const documentData = async <Result>(...call: Parameters<typeof request>): Promise<Result> => {
    const { body, about } = await request<Envelope<Result>>(...call)
    return withAbout(body.data, about)
  }

  type Action = 'publish' | 'unpublish' | 'discard'
  const versionAction =
    <S extends Status>(action: Action): DocumentAction<Project, S> =>
    (name, documentId, query, options) =>
      documentData('POST', [name, documentId, 'actions', action], { query, options })
  const singleVersionAction =
    <S extends Status>(action: Action): SingleAction<Project, S> =>
    (name, query, options) =>
      documentData('POST', [name, 'actions', action], { query, options })

  return {
    find: (name, query, options) => wholeBody('GET', [name], { query, options }),
    findOne: (name, documentId, query, options) =>
      documentData('GET', [name, documentId], { query, options }),
    create: (name, data, query, options) => documentData('POST', [name], { query, body: { data }, options }),
    update: (name, documentId, data, query, options) =>
      documentData('PUT', [name, documentId], { query, body: { data }, options }),
    delete: (name, documentId, query, options) => wholeBody('DELETE', [name, documentId], { query, options }),
    publish: versionAction('publish'),
    unpublish: versionAction('unpublish'),
    discard: versionAction('discard'),
    ...scheduling<Project>((...call) => documentData<Schedule>(...call)),
    findSingle: (name, query, options) => documentData('GET', [name], { query, options }),
    updateSingle: (name, data, query, options) =>
      documentData('PUT', [name], { query, body: { data }, options }),
    deleteSingle: (name, query, options) => wholeBody('DELETE', [name], { query, options }),
    publishSingle: singleVersionAction('publish'),
    unpublishSingle: singleVersionAction('unpublish'),
    discardSingle: singleVersionAction('discard'),
    all: (name, query, options) =>
      everyPage(
        (pagination) =>
          request('GET', [name], { query: { ...query, pagination, pageSize: undefined }, options }),
        query?.pageSize,
      ),
    batch: (operations, options) => documentData('POST', ['batch'], { body: { operations }, options }),
    upload: (files, info, { onProgress, ...options } = {}) =>
      wholeBody('POST', ['upload'], {
        form: uploadForm(files, info),
        options,
        ...(onProgress && { fetch: fetchWithProgress(usualFetch, onProgress, sizeOf(files)) }),
      }),
    files: {
      list: (query, options) => wholeBody('GET', ['upload', 'files'], { query, options }),
      findOne: (id, options) => wholeBody('GET', ['upload', 'files', String(id)], { options }),
      delete: async (id, options) =>
        void (await request('DELETE', ['upload', 'files', String(id)], { options })),
    },
    ...createAccountClient(request, held),
    get session() {
      return held.session
    },
    subscribe: (chosen = {}) => subscribe(options, held, chosen),
    ...createHistoryClient<Project>(wholeBody),
    about: (result) => abouts.get(result) ?? { omitted: [] },
  }
}

interface CursorPage<Document> {
  readonly data: readonly Document[]
  readonly meta: { readonly pagination: { readonly nextCursor: string | null } }
}

const PAGE_SIZE = 100

async function* everyPage<Document>(
  read: (pagination: object) => Promise<{ readonly body: CursorPage<Document> }>,
  pageSize = PAGE_SIZE,
): AsyncGenerator<Document, void> {
  for (let cursor: string | null = 'start'; cursor !== null; ) {
    const { body }: { readonly body: CursorPage<Document> } = await read({
      cursor,
      pageSize,
      withCount: false,
    })
    yield* body.data
    cursor = body.meta.pagination.nextCursor
  }
}
