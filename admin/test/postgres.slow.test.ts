/** What the app shows of PostgreSQL, in a real browser. The scenarios of most other files run on SQLite. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { bothEngines } from '../../test/support/engines.ts'
import type { TestServer } from '../../test/support/server.ts'
import { type AppPage, openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'
import { navigate } from './support/navigate.ts'

const browser: Browser | null = await launchBrowser()

describe('an admin of a server on PostgreSQL', { skip: browser === null }, () => {
  const [, postgres] = bothEngines()
  let running: TestServer
  let opened: AppPage
  before(async () => {
    assert.ok(browser)
    running = await startApp(['admin'], await postgres.freshUrl())
    opened = await openPage(browser, running)
    await signIn(opened.page, 'admin')
  })
  after(async () => {
    await browser?.close()
    await running.close()
  })

  test('sees on the API page how the database makes a read', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/restaurants/api')
    await page.getByText('SQL statement and plan').click()
    await page.getByText('"Node Type":').waitFor()
  })

  test('works without errors and without violations of the policy of the page', () => {
    assert.deepEqual(opened.problems, [])
  })
})
