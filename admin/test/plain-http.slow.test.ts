/** The app over plain HTTP at an address other than localhost, to which browsers offer less: before a server has HTTPS. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestServer } from '../../test/support/server.ts'
import { type AppPage, openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser, PLAIN_HOST } from './support/browser.ts'
import { navigate } from './support/navigate.ts'

const browser: Browser | null = await launchBrowser()

describe('an editor without HTTPS', { skip: browser === null }, () => {
  let running: TestServer
  let opened: AppPage
  before(async () => {
    assert.ok(browser)
    running = await startApp(['editor'])
    opened = await openPage(browser, { base: running.base.replace('127.0.0.1', PLAIN_HOST) })
    await signIn(opened.page, 'editor')
    assert.equal(await opened.page.evaluate(() => isSecureContext), false)
  })
  after(async () => {
    await browser?.close()
    await running.close()
  })

  test('adds an entry to a document', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/restaurants/new')
    await page.getByLabel('Name').first().fill('By the road')
    const menu = page.getByRole('group', { name: 'Menu', exact: true })
    await menu.getByRole('button', { name: 'Add entry' }).click()
    await menu.getByLabel('Title').fill('All night')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All changes saved').waitFor()
  })

  test('copies the URL of a document and pastes it', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/restaurants')
    await page.getByRole('link', { name: 'Salt & Ember' }).click()
    await page.getByLabel('Tagline').waitFor()
    await page.locator('header').getByLabel('More actions').click()
    await page.getByRole('menuitem', { name: 'Copy API URL' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    await page.getByLabel('Tagline').focus()
    await page.keyboard.press('Control+v')
    assert.match(await page.getByLabel('Tagline').inputValue(), /\/api\/restaurants\/[a-z0-9]{24}/)
  })
})
