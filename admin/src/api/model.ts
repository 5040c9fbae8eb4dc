/** Reads, checks, plans and saves the schemas of content-types and components. */
import { queryOptions } from '@tanstack/react-query'
import { editOf, type ModelDraft } from '../model/draft/draft.ts'
import type { Schema } from '../model/draft/schema.ts'
import { texts } from '../texts.ts'
import { ApiError, appUrl, messageOf, request } from './request.ts'
import type { Responses } from './schema.ts'

export interface SchemaList {
  readonly data: { readonly contentTypes: readonly Schema[]; readonly components: readonly Schema[] }
  readonly meta: Responses['GET /schema']['meta']
}

export const schemaQuery = queryOptions({
  queryKey: ['schema'],
  queryFn: ({ signal }) => request<SchemaList>('/schema', { signal }),
})

export type ModelPlan = Responses['PUT /schema']['meta']
export type PlannedChange = ModelPlan['changes'][number]
export type Effect = PlannedChange['effect']

export const planChanges = async (draft: ModelDraft): Promise<ModelPlan> =>
  (
    await request<Responses['PUT /schema']>('/schema', {
      method: 'PUT',
      query: 'dryRun=true',
      body: { data: editOf(draft) },
    })
  ).meta

/** Saves the changes; fails with 412 if someone else has changed the model since it was read. */
export const saveChanges = async (draft: ModelDraft, confirm: boolean): Promise<ModelPlan> =>
  (
    await request<Responses['PUT /schema']>('/schema', {
      method: 'PUT',
      query: confirm ? 'confirm=true' : '',
      body: { data: editOf(draft) },
      headers: { 'if-match': `"${draft.version}"` },
    })
  ).meta

/** What is wrong with a schema: the option is at `path` in the schema with this uid. */
export interface SchemaProblem {
  readonly uid: string | null
  readonly path: readonly string[]
  readonly message: string
}

/** What the server does not accept about the changes; empty if they are valid. */
export async function checkChanges(
  draft: ModelDraft,
  signal?: AbortSignal,
): Promise<readonly SchemaProblem[]> {
  try {
    await request('/schema/check', {
      method: 'POST',
      body: { data: editOf(draft) },
      ...(signal && { signal }),
    })
    return []
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return problemsOf(error)
    throw error
  }
}

export function problemsOf(error: ApiError): readonly SchemaProblem[] {
  if (error.problems.length === 0) return [{ uid: null, path: [], message: messageOf(error) }]
  return error.problems.map((each) => ({
    uid: 'uid' in each && typeof each.uid === 'string' ? each.uid : null,
    path: each.path.map(String),
    message: 'problem' in each && typeof each.problem === 'string' ? each.problem : each.message,
  }))
}

/** The version of the content-types. Asked for without the session, which would otherwise never be idle. */
export async function readSchemaVersion(signal: AbortSignal): Promise<number | null> {
  const response = await fetch(new URL('api/schema-version', appUrl), { signal, credentials: 'omit' })
  // The response of a proxy whose server does not respond, or of a server that is stopping.
  if ([502, 503, 504].includes(response.status)) throw new ApiError(response.status, texts.errors.offline)
  if (!response.ok) return null
  const body: Responses['GET /schema-version'] = await response.json()
  return body.data.version
}
