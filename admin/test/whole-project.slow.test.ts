/** A whole project made in the browser from an empty folder, which is then copied and served by another process. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { PASSWORD } from '../../test/admin/team.ts'
import { launch, type RunningCommand } from '../../test/support/command.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { type AppPage, openPage, signIn } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'
import {
  addAttribute,
  choose,
  createSchema,
  reviewModel,
  saveModel,
  startAttribute,
} from './support/model-editor.ts'

const browser: Browser | null = await launchBrowser()

/** What visitors read, and what the token reads. */
const PATHS = [
  '/api/books?populate[author]=true&populate[cover]=true&populate[parts]=true',
  '/api/books?status=draft',
  '/api/authors?populate=books',
  '/api/content-type-builder/content-types',
  '/api/reviews',
]

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const publish = async (page: Page) => {
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('All changes saved').waitFor()
}

describe('a project that is made in the browser', { skip: browser === null }, () => {
  const root = mkdtempSync(join(tmpdir(), 'octavo-whole-'))
  const folder = join(root, 'first')
  const received: string[] = []
  let receiver: Server
  let command: RunningCommand
  let base: string
  let opened: AppPage
  let token = ''

  const start = async (project: string, port = '0') => {
    command = launch(['start', '--project', project, '--port', port], { OCTAVO_WEBHOOKS_ALLOW: '127.0.0.1' })
    base = await command.address()
  }
  before(async () => {
    assert.ok(browser)
    receiver = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += String(chunk)
      })
      request.on('end', () => {
        received.push(body)
        response.writeHead(204).end()
      })
    }).listen(0, '127.0.0.1')
    mkdirSync(folder)
    await start(folder)
    opened = await openPage(browser, { base })
  })
  after(async () => {
    await browser?.close()
    await command.stop()
    receiver.close()
    rmSync(root, { recursive: true, force: true })
  })

  /** The responses to a visitor and to the token, with their status. */
  const responses = () =>
    Promise.all(
      PATHS.flatMap((path) =>
        [{}, { authorization: `Bearer ${token}` }].map(async (headers) => {
          const response = await fetch(base + path, { headers })
          return `${response.status} ${path} ${await response.text()}`
        }),
      ),
    )

  test('begins with the setup link that the server prints', async () => {
    const { page } = opened
    const link = /Create the first admin: (\S+)/.exec(command.output())?.[1]
    assert.ok(link, command.output())
    await page.goto(link)
    await page.getByLabel('User name').fill('admin')
    await page.getByLabel('E-mail').fill('admin@example.test')
    await page.getByLabel('Password').first().fill(PASSWORD)
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByRole('heading', { name: 'Three steps to the first content' }).waitFor()
  })

  test('gets content-types with a component, a dynamic zone, a relation and a file', async () => {
    const { page } = opened
    await createSchema(page, 'component', 'Quote')
    await addAttribute(await startAttribute(page, 'long text', 'text'))
    await createSchema(page, 'content-type', 'Author')
    await addAttribute(await startAttribute(page, 'short text', 'name'))
    await createSchema(page, 'content-type', 'Book')
    await addAttribute(await startAttribute(page, 'short text', 'title'))
    const relation = await startAttribute(page, 'relation', 'author')
    await choose(page, relation, 'Refers to', 'Author')
    await relation.getByLabel('Also as an attribute of the other side').check()
    await addAttribute(relation)
    await addAttribute(await startAttribute(page, 'media', 'cover'))
    const zone = await startAttribute(page, 'dynamic zone', 'parts')
    await choose(page, zone, 'Components', 'Quote')
    await page.keyboard.press('Escape')
    await addAttribute(zone)
    await saveModel(page, await reviewModel(page))
  })

  test('lets visitors read, and has a role of its own and a token', async () => {
    const { page } = opened
    const permit = async (...cells: readonly string[]) => {
      for (const cell of cells) await page.getByRole('checkbox', { name: `${cell}: not permitted` }).click()
    }
    await page.goto('/admin/settings/roles/public')
    await permit('List, Books', 'Read one, Books', 'List, Authors', 'List, Files')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.goto('/admin/settings/roles')
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByLabel('Name').fill('Librarian')
    await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click()
    await page.getByRole('heading', { name: 'Librarian', level: 1 }).waitFor()
    await permit('Update, Books')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.goto('/admin/settings/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('site')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Copy the token now').waitFor()
    token = (await page.getByRole('dialog').locator('code').first().innerText()).trim()
    await page.getByRole('button', { name: 'Done' }).click()
  })

  test('notifies a webhook when a release publishes its content', async () => {
    const { page } = opened
    const address = receiver.address()
    assert.ok(typeof address === 'object' && address !== null)
    await page.goto('/admin/settings/webhooks/new')
    await page.getByLabel('Name', { exact: true }).fill('site')
    await page.getByLabel('URL').fill(`http://127.0.0.1:${address.port}/hook`)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.goto('/admin/content/authors/new')
    await page.getByLabel('Name', { exact: true }).fill('Ursula')
    await publish(page)
    await page.goto('/admin/content/books/new')
    await page.getByLabel('Title').fill('The Dispossessed')
    await page.getByPlaceholder('Search to add…').fill('Ursula')
    await page.getByRole('option', { name: 'Ursula' }).click()
    await page.getByRole('button', { name: 'Add component' }).click()
    await page.getByPlaceholder('Search components…').fill('quote')
    await page.keyboard.press('Enter')
    await page.getByLabel('Text', { exact: true }).last().fill('There was a wall.')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'wall.png', mimeType: 'image/png', buffer: PIXEL })
    await page.getByText('wall.png').first().waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All changes saved').waitFor()
    await page.getByLabel('More actions').first().click()
    await page.getByRole('menuitem', { name: 'Add to release', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to release' })
    await dialog.getByLabel('Name of the new release').fill('Spring')
    await dialog.getByRole('button', { name: 'Add 1 document' }).click()
    await page.getByText('1 document added to “Spring”').waitFor()
    await page.goto('/admin/releases')
    await page.getByRole('link', { name: 'Spring' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
    await page.getByText(/^Published by admin/).waitFor()
    await waitUntil(() => received.some((body) => /document\.publish.*The Dispossessed/.test(body)))
  })

  test('keeps what someone writes while the server restarts', async () => {
    const { page } = opened
    await page.goto('/admin/content/authors')
    await page.getByRole('link', { name: 'Ursula' }).click()
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Ursula Kroeber')
    await command.stop()
    await page.getByText(/^The server cannot be reached\. What you write is kept/).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^The server cannot be reached\. Your work is kept/).waitFor()
    await name.fill('Ursula K. Le Guin')
    await start(folder, new URL(base).port)
    await page.getByText(/^The server cannot be reached\. What you write/).waitFor({ state: 'detached' })
    assert.equal(await name.inputValue(), 'Ursula K. Le Guin')
    await publish(page)
  })

  test('serves the same when its folder is copied and started elsewhere', async () => {
    assert.ok(browser)
    const before = await responses()
    assert.match(before[0] ?? '', /^200 .*The Dispossessed.*Ursula.*wall\.png.*There was a wall\./)
    const file = /\/uploads\/[^"]+\.png/.exec(before[0] ?? '')?.[0] ?? ''
    assert.deepEqual(opened.problems, [])
    await opened.context.close()
    await command.stop()
    cpSync(folder, join(root, 'elsewhere'), { recursive: true })
    rmSync(folder, { recursive: true })
    await start(join(root, 'elsewhere'))
    assert.deepEqual(await responses(), before)
    assert.deepEqual(Buffer.from(await (await fetch(base + file)).arrayBuffer()), PIXEL)
    const deliveries = received.length
    const { page, context } = await openPage(browser, { base })
    await signIn(page, 'admin', '/admin/releases')
    await page.getByRole('link', { name: 'Spring' }).waitFor()
    await page.goto('/admin/settings/roles/librarian')
    await page.getByRole('checkbox', { name: 'Update, Books: permitted' }).waitFor()
    await page.goto('/admin/content/authors')
    await page.getByRole('link', { name: 'Ursula' }).click()
    await page.getByLabel('Name', { exact: true }).fill('U. K. Le Guin')
    await publish(page)
    await waitUntil(() => received.slice(deliveries).some((body) => body.includes('U. K. Le Guin')))
    await context.close()
  })
})
