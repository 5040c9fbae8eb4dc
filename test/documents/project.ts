/** A project folder with the types of the naive model, and requests to its server. */
import type { TestServer } from '../support/server.ts'
import { TYPE_NAMES, TYPES } from './commands.ts'

const TOKEN = 'a-token-for-the-tests-of-documents'
const localized = { pluginOptions: { i18n: { localized: true } } }

const relationTo = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
})

const kindOf = (many: boolean, otherMany: boolean) =>
  `${otherMany ? 'many' : 'one'}To${many ? 'Many' : 'One'}`

/** The schema files of the types of the model. */
export function projectFiles(): Map<string, unknown> {
  const files = new Map<string, unknown>([
    ['config/locales.json', { default: 'en', locales: ['en', 'fr'] }],
    ['config/tokens.json', { all: { type: 'full-access', token: TOKEN } }],
  ])
  for (const type of TYPE_NAMES) {
    const attributes: Record<string, unknown> = {
      title: { type: 'string', required: true, ...localized },
      rank: { type: 'integer' },
    }
    for (const [attribute, { target, many, inverse, inverseMany }] of Object.entries(TYPES[type].relations)) {
      attributes[attribute] =
        inverse === null
          ? relationTo('oneToMany', target)
          : relationTo(kindOf(many, inverseMany), target, { inversedBy: inverse })
    }
    for (const owner of TYPE_NAMES) {
      for (const [attribute, one] of Object.entries(TYPES[owner].relations)) {
        if (one.target !== type || one.inverse === null) continue
        attributes[one.inverse] = relationTo(kindOf(one.inverseMany, one.many), owner, {
          mappedBy: attribute,
        })
      }
    }
    files.set(`src/api/${type}/content-types/${type}/schema.json`, {
      kind: 'collectionType',
      collectionName: `${type}s`,
      info: { singularName: type, pluralName: `${type}s`, displayName: type },
      options: { draftAndPublish: TYPES[type].drafts },
      pluginOptions: { i18n: { localized: TYPES[type].localized } },
      attributes,
    })
  }
  return files
}

/** Sends requests to the server with all permissions, without the network. */
export async function sendRequest(
  { server }: TestServer,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await server.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    ...(body === undefined ? {} : { payload: JSON.parse(JSON.stringify(body)) }),
  })
  return {
    status: response.statusCode,
    etag: String(response.headers.etag ?? ''),
    body: response.body === '' ? null : JSON.parse(response.body),
  }
}
