/** All responses of a server about its content, for comparison with another server. */
import assert from 'node:assert/strict'
import type { Model } from '../../src/model/model.ts'
import type { TestServer } from '../support/server.ts'

/** The responses for every list and every document of every type, in each status and locale, with all relations. */
export async function allResponses(
  { base, server }: TestServer,
  token: string,
): Promise<Map<string, string>> {
  const responses = new Map<string, string>()
  const get = async (path: string) => {
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    responses.set(path, `${response.status} ${text}`)
    return text
  }
  for (const path of pathsOf(server.project.model)) {
    const list: unknown = JSON.parse(await get(path))
    for (const documentId of documentIdsIn(list)) {
      const [at, query] = path.split('?')
      await get(`${at}/${documentId}?${query}`)
    }
  }
  await get('/api/upload/files')
  await get('/api/users?populate=*')
  return responses
}

function pathsOf(model: Model): string[] {
  return [...model.endpoints].flatMap(([segment, type]) =>
    ['draft', 'published'].flatMap((status) =>
      (type.localized ? model.locales.codes : [null]).map((locale) => {
        const where = locale === null ? '' : `&locale=${locale}`
        const page = type.kind === 'single' ? '' : '&pagination[pageSize]=100&sort=id'
        return `/api/${segment}?populate=*&status=${status}${where}${page}`
      }),
    ),
  )
}

function documentIdsIn(list: unknown): string[] {
  const found = list && typeof list === 'object' && 'data' in list ? list.data : null
  return Array.isArray(found) ? found.map(({ documentId }) => String(documentId)) : []
}

/** The bytes of every file, by URL. */
export async function allFiles({ base }: TestServer, token: string): Promise<Map<string, string>> {
  const response = await fetch(`${base}/api/upload/files`, { headers: { authorization: `Bearer ${token}` } })
  const urls = [...(await response.text()).matchAll(/"url":"(\/uploads\/[^"]+)"/g)].map(([, url = '']) => url)
  const files = new Map<string, string>()
  for (const url of urls) {
    const file = await fetch(base + url)
    assert.equal(file.status, 200, url)
    files.set(url, Buffer.from(await file.arrayBuffer()).toString('base64'))
  }
  return files
}
