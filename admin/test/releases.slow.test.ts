/** Documents that are published together, in a real browser and on PostgreSQL: prepared, checked, scheduled, published and reverted. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { bothEngines } from '../../test/support/engines.ts'
import type { TestServer } from '../../test/support/server.ts'
import { type AppPage, openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'
import { navigate } from './support/navigate.ts'

const browser: Browser | null = await launchBrowser()

describe('an editor with a release', { skip: browser === null }, () => {
  // The scenarios of the other files run on SQLite.
  const [, postgres] = bothEngines()
  let running: TestServer
  let opened: AppPage
  before(async () => {
    assert.ok(browser)
    running = await startApp(['admin', 'editor', 'author'], await postgres.freshUrl())
    opened = await openPage(browser, running)
    await signIn(opened.page, 'editor')
  })
  after(async () => {
    await browser?.close()
    await running.close()
  })

  const published = async (name: string) => {
    const response = await fetch(
      `${running.base}/api/dishes?filters[name]=${encodeURIComponent(name)}&fields=description`,
    )
    return (await response.json()).data
  }
  const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()
  const menu = async (page: Page, name: string) => {
    await page.getByLabel('More actions').click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  test('creates it from the list, and adds a document from its form', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/dishes')
    for (const name of ['Oysters in smoked butter', 'Plum tart'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByRole('button', { name: 'Add to release' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to release' })
    await dialog.getByLabel('Name of the new release').fill('Winter menu')
    await dialog.getByRole('button', { name: 'Add 2 documents' }).click()
    await page.getByText('2 documents added to “Winter menu”').waitFor()
    await page.goto('/admin/content/dishes/new')
    await page.getByLabel('Name').fill('No')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All changes saved').waitFor()
    await menu(page, 'Add to release')
    await dialog.getByLabel('Release', { exact: true }).selectOption({ label: 'Winter menu' })
    await dialog.getByRole('button', { name: 'Add 1 document' }).click()
    await page.getByText('1 document added to “Winter menu”').waitFor()
  })

  test('sees which document cannot be published, and goes to the field that is wrong', async () => {
    const { page } = opened
    await navigate(page, '/admin/releases')
    await page.getByRole('link', { name: 'Winter menu' }).click()
    await page.getByText('1 document cannot be published.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Publish now' }).isDisabled())
    await page.getByRole('link', { name: 'name must have at least 3 characters' }).click()
    await page.getByRole('heading', { name: '1 problem' }).waitFor()
    const name = page.getByLabel('Name')
    await page.waitForFunction(() => document.activeElement?.id === 'field-name')
    await name.fill('Nougat')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All changes saved').waitFor()
    await page.goBack()
    await page.getByText('All 3 documents can be published.').waitFor()
    await page.getByRole('link', { name: 'Nougat' }).waitFor()
  })

  test('schedules it, finds it in the calendar, and cancels', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish at a set time' })
    await dialog.getByLabel('Publish at').fill('2001-01-31T09:00')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Publish at').fill('2100-01-31T09:00')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await page.getByText(/^Will be published .*2100.*, scheduled by editor$/).waitFor()
    const address = page.url()
    await page.goto('/admin/releases?view=calendar&month=2100-01')
    await page.getByRole('link', { name: /Winter menu/ }).waitFor()
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByText('Nothing is planned in this month.').waitFor()
    await page.goto(address)
    await menu(page, 'Cancel the schedule')
    await confirm(page, 'Cancel the schedule')
    await page.getByText('Open', { exact: true }).waitFor()
  })

  test('adds a document with the search, unpublishes it with the release, and removes another', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Add documents' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add documents' })
    await dialog.getByLabel('Type').selectOption({ label: 'Dishes' })
    await dialog.getByLabel('Search documents').fill('espresso')
    await dialog.getByRole('checkbox', { name: 'Furnace espresso' }).check()
    await dialog.getByRole('button', { name: 'Add 1 document' }).click()
    await page.getByLabel('Action for Furnace espresso').selectOption('unpublish')
    await page.getByRole('button', { name: 'Remove Plum tart from the release' }).click()
    await page.getByRole('link', { name: 'Plum tart' }).waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Action for Furnace espresso').inputValue(), 'unpublish')
  })

  test('publishes all of it at once, and reverts all of it', async () => {
    const { page } = opened
    assert.deepEqual(
      [(await published('Nougat')).length, (await published('Furnace espresso')).length],
      [0, 1],
    )
    await page.getByRole('button', { name: 'Publish now' }).click()
    await confirm(page, 'Publish now')
    await page.getByText(/^Published by editor/).waitFor()
    assert.deepEqual(
      [(await published('Nougat')).length, (await published('Furnace espresso')).length],
      [1, 0],
    )
    await page.getByRole('button', { name: 'Revert' }).click()
    await confirm(page, 'Revert')
    await page.getByText('Reverted', { exact: true }).waitFor()
    assert.deepEqual(
      [(await published('Nougat')).length, (await published('Furnace espresso')).length],
      [0, 1],
    )
  })

  test('an author sees a release, and is not offered to change it', async () => {
    assert.ok(browser)
    const { page } = opened
    await navigate(page, '/admin/releases')
    await page.getByRole('button', { name: 'New release' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Spring')
    await confirm(page, 'New release')
    await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Add documents' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add documents' })
    await dialog.getByLabel('Type').selectOption({ label: 'Dishes' })
    await dialog.getByRole('checkbox', { name: 'Plum tart' }).check()
    await dialog.getByRole('button', { name: 'Add 1 document' }).click()
    await page.getByRole('link', { name: 'Plum tart' }).waitFor()
    const other = await openPage(browser, running)
    await signIn(other.page, 'author', new URL(page.url()).pathname)
    await other.page.getByText('You may see this release, but not change it').waitFor()
    for (const name of ['Publish now', 'Schedule', 'Add documents', 'More actions'])
      assert.equal(await other.page.getByRole('button', { name }).count(), 0, name)
    await other.context.close()
  })

  test('works without errors and without violations of the policy of the page', () => {
    assert.deepEqual(opened.problems, [])
  })
})
