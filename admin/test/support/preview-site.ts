/** A site of its own that shows drafts of the demo, as the preview of a document does. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { jsonAt } from '../../../test/support/json-body.ts'
import type { TestServer } from '../../../test/support/server.ts'

const TOKENS = new URL('../../../examples/restaurants/config/tokens.json', import.meta.url)

const escapeHtml = (text: unknown) =>
  String(text ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')

/** Serves the name and the description of a document at its path in the API. */
export async function servePreviews({ base }: Pick<TestServer, 'base'>) {
  const token = jsonAt(readFileSync(TOKENS, 'utf8'))('development', 'token')
  const site = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', base)
    const locale = searchParams.get('locale') ?? ''
    const found = await fetch(`${base}/api${pathname}?status=draft&locale=${locale}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const at = jsonAt(await found.text())
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<h1>${escapeHtml(at('data', 'name'))} (${escapeHtml(locale)})</h1><p>${escapeHtml(at('data', 'description'))}</p>`,
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const address = site.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    base: `http://127.0.0.1:${port}`,
    close() {
      site.close()
      site.closeAllConnections()
    },
  }
}
