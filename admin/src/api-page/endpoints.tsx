/** The endpoints of a content-type, with a document that exists. */
import { useQuery } from '@tanstack/react-query'
import { apiResponseQuery } from '../api/content/explain.ts'
import { rootUrl } from '../api/request.ts'
import type { ContentTypeView } from '../api/types.ts'
import { modelTexts } from '../texts/model.ts'
import styles from './api-page.module.css'

interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly name: string
  readonly isPermitted: boolean
}

export function Endpoints({ type }: { readonly type: ContentTypeView }) {
  const { data } = useQuery({
    ...apiResponseQuery(type, {
      status: 'draft',
      fields: ['documentId'],
      pagination: { pageSize: 1, withCount: false },
    }),
    enabled: type.kind === 'collection',
  })
  const documentId = data ? firstId(data.body) : undefined
  const { api } = modelTexts
  return (
    <section>
      <h2 className={styles.heading}>{api.endpoints}</h2>
      <ul className={styles.endpoints}>
        {endpointsOf(type, documentId ?? ':documentId')
          .filter(({ isPermitted }) => isPermitted)
          .map(({ method, path, name }) => (
            <li key={`${method} ${path}`}>
              <span className={styles.method} data-method={method}>
                {method}
              </span>
              <code className={styles.path}>{path}</code>
              <span className={styles.name}>{name}</span>
            </li>
          ))}
      </ul>
      {data && documentId === undefined && <p className={styles.hint}>{api.noContent}</p>}
    </section>
  )
}

function endpointsOf({ kind, path, actions }: ContentTypeView, documentId: string): readonly Endpoint[] {
  const { endpointNames: names } = modelTexts.api
  const base = `${rootUrl.pathname}api/${path}`
  const one = `${base}/${documentId}`
  if (kind === 'single')
    return [
      { method: 'GET', path: base, name: names.read, isPermitted: actions.find },
      { method: 'PUT', path: base, name: names.write, isPermitted: actions.update },
      { method: 'DELETE', path: base, name: names.remove, isPermitted: actions.delete },
    ]
  return [
    { method: 'GET', path: base, name: names.list, isPermitted: actions.find },
    { method: 'GET', path: one, name: names.one, isPermitted: actions.find },
    { method: 'POST', path: base, name: names.create, isPermitted: actions.create },
    { method: 'PUT', path: one, name: names.update, isPermitted: actions.update },
    { method: 'DELETE', path: one, name: names.remove, isPermitted: actions.delete },
  ]
}

function firstId(body: unknown): string | undefined {
  const data: unknown = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  const first: unknown = Array.isArray(data) ? data[0] : undefined
  return typeof first === 'object' && first !== null && 'documentId' in first
    ? String(first.documentId)
    : undefined
}
