/** What follows a change, in a real browser: webhooks, the audit log, jobs, deleted documents, and the start page. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { addNotice } from '../../src/events/notices/notices.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { createAccount } from '../../test/admin/team.ts'
import { serve, type TestServer } from '../../test/support/server.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { type AppPage, openPage, signIn } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'
import { choose } from './support/model-editor.ts'
import { navigate } from './support/navigate.ts'

const browser: Browser | null = await launchBrowser()

const NOTE = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string', required: true } },
}

describe('an admin of a new project', { skip: browser === null }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-operations-'))
  let running: TestServer
  let opened: AppPage
  let receiver: Server
  let isReceiverBroken = false
  const received: string[] = []
  before(async () => {
    assert.ok(browser)
    receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-signature']))
      request.resume().on('end', () => response.writeHead(isReceiverBroken ? 500 : 204).end())
    }).listen(0, '127.0.0.1')
    running = await serve(
      new Map([['src/api/note/content-types/note/schema.json', NOTE]]),
      `sqlite:${join(folder, 'data.db')}`,
      { webhooks: { allow: ['127.0.0.1'] } },
    )
    await createAccount(running.server, 'admin')
    await createAccount(running.server, 'editor')
    opened = await openPage(browser, running)
    await signIn(opened.page, 'admin')
  })
  after(async () => {
    await browser?.close()
    await running.close()
    receiver.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const receiverUrl = () => {
    const { port } = receiver.address() as AddressInfo
    return `http://127.0.0.1:${port}/hook`
  }
  const createNote = async (page: Page, title: string) => {
    await page.goto('/admin/content/notes/new')
    await page.getByLabel('Title').fill(title)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.getByText('All changes saved').waitFor()
  }

  test('is shown the way to the first document', async () => {
    const { page } = opened
    await page.getByRole('heading', { name: 'Three steps to the first content' }).waitFor()
    await page.getByText(`curl ${running.base}/api/notes`).waitFor()
    await page.getByRole('link', { name: 'Open the model' }).waitFor()
    await page.getByRole('link', { name: 'New Note' }).click()
    await page.getByRole('heading', { name: 'New Note', level: 1 }).waitFor()
  })

  test('creates a webhook, sees its secret once, and sends a test', async () => {
    const { page } = opened
    await navigate(page, '/admin/settings/webhooks')
    await page.getByRole('link', { name: 'New webhook' }).click()
    await page.getByLabel('Name', { exact: true }).fill('site')
    await page.getByLabel('URL').fill(receiverUrl())
    await choose(page, page.locator('main'), 'Content-types', 'Notes')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('textbox', { name: 'Value' }).fill('note')
    await page.getByRole('button', { name: 'Edit as JSON' }).click()
    const json = page.getByLabel('Filters as JSON')
    assert.match(await json.inputValue(), /"title": \{\s*"\$containsi": "note"/)
    await json.fill('{"titel": {"$containsi": "note"}}')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText(/did you mean "title"/i).waitFor()
    await json.fill('{"title": {"$containsi": "note"}}')
    await page.getByRole('button', { name: 'Edit as conditions' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Value' }).inputValue(), 'note')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const secret = page.getByRole('dialog', { name: 'The secret of the webhook' })
    await secret.getByText(/^whsec_/).waitFor()
    await secret.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('heading', { name: 'site', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The receiver responded with 204').waitFor()
    assert.match(received[0] ?? '', /^v1,/)
    assert.equal(await page.getByText(/^whsec_/).count(), 0)
  })

  test('sees a delivery fail with what was sent and what came back, and sends it again', async () => {
    const { page } = opened
    isReceiverBroken = true
    await createNote(page, 'First note')
    await waitUntil(() => received.length > 1)
    await navigate(page, '/admin/settings/webhooks')
    await page.getByText(/^Failing since/).waitFor()
    await page.getByRole('link', { name: 'site' }).click()
    const delivery = page.getByRole('button', { name: /document\.create/ })
    await delivery.click()
    await page.getByText('The receiver responded with 500').first().waitFor()
    await page.getByText('"title": "First note"').waitFor()
    isReceiverBroken = false
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('button', { name: /Succeeded document\.create/ }).waitFor()
    await page.getByRole('button', { name: 'Send failed again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page
      .getByText(/(is|are) sent again/)
      .first()
      .waitFor()
  })

  test('replaces the secret, and turns the webhook off', async () => {
    const { page } = opened
    await page.getByLabel('More actions').click()
    await page.getByRole('menuitem', { name: 'Replace the secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('site, not saved')
    page.once('dialog', (dialog) => void dialog.dismiss())
    await page.getByRole('link', { name: 'Home' }).click()
    assert.equal(await name.inputValue(), 'site, not saved')
    await name.fill('site')
    await navigate(page, '/admin/settings/webhooks')
    await page.getByLabel('Turn site on or off').press('Space')
    await page.getByText('The webhook is off').waitFor()
    await page.getByRole('table').getByText('Off', { exact: true }).waitFor()
  })

  test('finds in the audit log who did it, and exports what the filters select', async () => {
    const { page } = opened
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to, create, or search content…').fill('audit')
    await page.getByRole('button', { name: 'Settings: Audit log' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/settings\/audit/)
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'webhook.rotate' }).click()
    await page.waitForURL(/action=webhook\.rotate/)
    await page
      .getByRole('button', { name: /document\.create/ })
      .first()
      .waitFor({ state: 'detached' })
    const record = page.getByRole('button', { name: /admin\s*webhook\.rotate/ })
    await record.click()
    await page.getByText('127.0.0.1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'As CSV' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'audit.csv')
  })

  test('sees a job that waits, runs it now, and deletes it', async () => {
    const { page } = opened
    const { store } = running.server
    await store.write(async (transaction) => {
      enqueue(transaction, { kind: 'test.unknown', runAt: new Date(Date.now() + 86_400_000) })
    })
    await navigate(page, '/admin/settings/jobs')
    const row = page.getByRole('row', { name: /test\.unknown/ })
    await row.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('The job runs now').waitFor()
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('exports a list, deletes a document, and brings it back', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/notes')
    await page.getByRole('button', { name: 'Views' }).click()
    const href = await page.getByRole('menuitem', { name: 'Export as CSV' }).getAttribute('href')
    assert.equal((await page.request.get(href ?? '')).status(), 200)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'First note' }).click()
    await page.getByLabel('More actions').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/content\/notes$/)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Deleted documents' }).click()
    await page.getByRole('button', { name: 'Show First note' }).click()
    await page.getByText('"title": "First note"').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Restore First note' }).click()
    await page.getByRole('heading', { name: 'First note', level: 1 }).waitFor()
    await page.getByText('Draft', { exact: true }).first().waitFor()
  })

  test('saves a view of a list, and deletes it with the keyboard', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/notes?q=note')
    const views = page.getByRole('button', { name: 'Views' })
    await views.click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByLabel('Name of the view').fill('About notes')
    await page.keyboard.press('Enter')
    await page.getByText('View “About notes” saved').waitFor()
    await navigate(page, '/admin/content/notes')
    // The menu takes the focus a moment after it has opened.
    const openWithKeyboard = async () => {
      await views.press('Enter')
      await page.locator('[role=menu] :focus').waitFor({ state: 'attached' })
    }
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await openWithKeyboard()
    await press('ArrowDown', 'ArrowDown', 'Enter')
    await page.waitForURL(/q=note/)
    await openWithKeyboard()
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter')
    await page.getByText('View “About notes” deleted').waitFor()
  })

  test('sees on the start page what others wrote and what waits, and dismisses a notice', async () => {
    assert.ok(browser)
    const { page } = opened
    const other = await openPage(browser, running)
    await signIn(other.page, 'editor')
    for (const title of ['By the editor', 'One more']) await createNote(other.page, title)
    await other.context.close()
    await running.server.store.write(async (transaction) => {
      addNotice(transaction, { kind: 'test', message: 'Something needs attention' })
    })
    await page.goto('/admin/')
    await page.getByText('published by editor').first().waitFor()
    await page.getByRole('button', { name: 'Dismiss: Something needs attention' }).click()
    await page.getByText('Something needs attention').waitFor({ state: 'detached' })
    const waiting = page.locator('section', {
      has: page.getByRole('heading', { name: 'Waiting to be published' }),
    })
    await waiting.getByRole('link', { name: /First note/ }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Three steps' }).count(), 0)
  })

  test('an editor is offered none of the settings', async () => {
    assert.ok(browser)
    const { page, context } = await openPage(browser, running)
    await signIn(page, 'editor', '/admin/settings/webhooks')
    await page.getByText('Not found').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0)
    await context.close()
  })

  test('works without errors and without violations of the policy of the page', () => {
    assert.deepEqual(opened.problems, [])
  })
})
