/** Attacks on the admin app, played in a real browser: other sites that send requests or show the app, and stored script. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { jsonAt } from '../../test/support/json-body.ts'
import type { TestServer } from '../../test/support/server.ts'
import { type AppPage, fillSignIn, openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'

const browser: Browser | null = await launchBrowser()
const TOKEN = 'for-development-only-3f9c1e7a5b2d8064'
/** Would change the page if any of it were taken for markup. */
const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
/** A pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('the admin app', { skip: browser === null }, () => {
  let running: TestServer
  let opened: AppPage
  /** A page of another origin on the same host, which browsers count as the same site. */
  let other: Server
  let content = ''
  before(async () => {
    assert.ok(browser)
    running = await startApp(['admin'])
    other = createServer((_, response) => response.setHeader('content-type', 'text/html').end(content))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    opened = await openPage(browser, running)
    await signIn(opened.page, 'admin')
  })
  after(async () => {
    await browser?.close()
    other.close()
    await running.close()
  })

  const otherOrigin = () => {
    const address = other.address()
    assert.ok(isAddressInfo(address))
    return `http://127.0.0.1:${address.port}`
  }
  /** Opens a page of the other origin in a new tab of the person who is signed in. */
  async function visit(html: string): Promise<Page> {
    content = html
    const page = await opened.context.newPage()
    await page.goto(otherOrigin())
    return page
  }
  async function send(method: string, path: string, body: object | FormData): Promise<unknown> {
    const isForm = body instanceof FormData
    const response = await fetch(running.base + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.ok, text)
    return jsonAt(text)
  }
  const tags = async () =>
    (await (await fetch(`${running.base}/api/tags?pagination[pageSize]=1`)).json()).meta

  test('refuses forms and scripts of other origins, although the browser sends the cookie', async () => {
    const before = await tags()
    const target = `${running.base}/admin/api/content/tags`
    const form = await visit(
      `<form method="post" enctype="text/plain" action="${target}"><input name='{"data":{"label":"forged","x":"' value='"}}'></form>`,
    )
    const [sent] = await Promise.all([
      form.waitForResponse((response) => response.url() === target),
      form.evaluate(() => document.forms[0]?.submit()),
    ])
    assert.equal(sent.status(), 403)
    const script = await visit('<title>other</title>')
    const outcome = await script.evaluate(async (url) => {
      const body = JSON.stringify({ data: { label: 'forged' } })
      const options: RequestInit = { method: 'POST', mode: 'no-cors', credentials: 'include', body }
      await fetch(url, options)
      return fetch(url, { credentials: 'include' }).then(
        () => 'was read',
        () => 'was not read',
      )
    }, target)
    assert.equal(outcome, 'was not read')
    assert.deepEqual(await tags(), before, 'nothing was created')
    await Promise.all([form.close(), script.close()])
  })

  test('is not shown in a frame of another page', async () => {
    const page = await visit(`<iframe src="${running.base}/admin/"></iframe>`)
    const frame = page.frames().find((one) => one !== page.mainFrame())
    assert.equal(await frame?.locator('main, form').count(), 0)
    await page.close()
  })

  test('starts a new session at sign-in, whatever cookie the browser had before', async () => {
    assert.ok(browser)
    const { page, context } = await openPage(browser, running)
    const [own] = await opened.context.cookies()
    assert.ok(own)
    const planted = { ...own, value: 'planted-by-somebody-else-0123456789abcdef' }
    await context.addCookies([planted])
    await page.goto('/admin/')
    await fillSignIn(page, 'second')
    await page.locator('main#content').waitFor()
    const values = (await context.cookies()).map(({ value }) => value)
    assert.equal(values.length, 1)
    assert.ok(!values.includes(planted.value))
    assert.equal(await page.evaluate(() => document.cookie), '', 'scripts cannot read it')
    await context.close()
  })

  test('shows script in texts, file names, labels and error messages as text', async () => {
    const upload = new FormData()
    upload.append('files', new File([PNG], `${SCRIPT}.png`, { type: 'image/png' }))
    upload.append('fileInfo', JSON.stringify({ alternativeText: SCRIPT, caption: SCRIPT }))
    await send('POST', '/api/upload', upload)
    await send('POST', '/api/dishes', { data: { name: SCRIPT, description: SCRIPT, allergens: [SCRIPT] } })
    const { secret } = await running.server.access.tokens.create({ name: 'attacks', kind: 'admin' })
    const labelled = await fetch(`${running.base}/admin/api/views/types/api::dish.dish`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        data: { label: SCRIPT, fields: [{ name: 'name', label: SCRIPT, help: SCRIPT }] },
      }),
    })
    assert.equal(labelled.status, 200, await labelled.text())
    const { page, problems } = opened
    const holdsText = async () => {
      assert.equal(await page.locator('img[src="x"]').count(), 0)
      assert.equal(await page.title(), 'Octavo')
      assert.deepEqual(problems, [])
    }
    await page.goto('/admin/content/dishes')
    await page.getByRole('link', { name: SCRIPT }).first().waitFor()
    await holdsText()
    await page.getByRole('table').getByRole('link', { name: SCRIPT }).first().click()
    await page.getByRole('heading', { name: SCRIPT, level: 1 }).waitFor()
    await holdsText()
    await page.getByRole('textbox', { name: SCRIPT }).first().fill('<b')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('heading', { name: '1 problem' }).waitFor()
    await holdsText()
    await page.goto(
      `/admin/content/dishes?q=${encodeURIComponent(SCRIPT)}&sort=${encodeURIComponent(SCRIPT)}`,
    )
    await page.locator('main#content').waitFor()
    await holdsText()
  })
})

const isAddressInfo = (address: ReturnType<Server['address']>): address is AddressInfo =>
  typeof address === 'object' && address !== null
