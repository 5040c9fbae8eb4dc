/** The functions of the client that schedule documents. See `docs/releases.md`. */
import type { CallOptions, CreateOptions } from './requests.ts'
import type { LocaleOf, Schema } from './schema.ts'

/** A string is ISO 8601 with a time zone. Null cancels; a time that is absent stays as it is. */
export interface ScheduleTimes<Locale extends string = string> {
  readonly publishAt?: string | Date | null
  readonly unpublishAt?: string | Date | null
  readonly locale?: Locale
}

export interface Schedule {
  readonly documentId: string
  /** Null if the content-type is not localized. */
  readonly locale: string | null
  readonly publishAt: string | null
  readonly unpublishAt: string | null
}

interface LocaleQuery<Locale extends string = string> {
  readonly locale?: Locale
}

export interface Scheduling<Project extends Schema> {
  /** Publishes or unpublishes a document at a time. */
  schedule(
    name: keyof Project['collections'] & string,
    documentId: string,
    times: ScheduleTimes<LocaleOf<Project>>,
    options?: CreateOptions,
  ): Promise<Schedule>

  /** When a document will be published and unpublished. */
  findSchedule(
    name: keyof Project['collections'] & string,
    documentId: string,
    query?: LocaleQuery<LocaleOf<Project>>,
    options?: CallOptions,
  ): Promise<Schedule>

  /** Publishes or unpublishes the document of a single type at a time. */
  scheduleSingle(
    name: keyof Project['singles'] & string,
    times: ScheduleTimes<LocaleOf<Project>>,
    options?: CreateOptions,
  ): Promise<Schedule>

  /** When the document of a single type will be published and unpublished. */
  findSingleSchedule(
    name: keyof Project['singles'] & string,
    query?: LocaleQuery<LocaleOf<Project>>,
    options?: CallOptions,
  ): Promise<Schedule>
}

/** Sends a request and returns the `data` of the response. */
type RequestData = (
  method: 'GET' | 'POST',
  path: readonly string[],
  call: { query?: LocaleQuery | undefined; body?: unknown; options?: CallOptions | undefined },
) => Promise<Schedule>

export const scheduling = <Project extends Schema>(requestData: RequestData): Scheduling<Project> => ({
  schedule: (name, documentId, times, options) =>
    requestData('POST', [name, documentId, 'actions', 'schedule'], { body: times, options }),
  findSchedule: (name, documentId, query, options) =>
    requestData('GET', [name, documentId, 'actions', 'schedule'], { query, options }),
  scheduleSingle: (name, times, options) =>
    requestData('POST', [name, 'actions', 'schedule'], { body: times, options }),
  findSingleSchedule: (name, query, options) =>
    requestData('GET', [name, 'actions', 'schedule'], { query, options }),
})
