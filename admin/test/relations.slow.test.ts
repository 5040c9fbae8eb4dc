/** A document that is related to very many others, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { cookieOf, send, signIn as signInByApi } from '../../test/admin/team.ts'
import type { TestServer } from '../../test/support/server.ts'
import { type AppPage, openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'
import { navigate } from './support/navigate.ts'

const browser: Browser | null = await launchBrowser()
const COUNT = 300

describe('an editor of a document with hundreds of related ones', { skip: browser === null }, () => {
  let running: TestServer
  let opened: AppPage
  let cookie: string
  let documentId: string
  const tags: unknown[] = []
  before(async () => {
    assert.ok(browser)
    running = await startApp(['editor'])
    cookie = cookieOf(await signInByApi(running, 'editor'))
    for (let number = 0; number < COUNT; number++) {
      const data = { label: `Tag ${number}` }
      tags.push((await send(running, 'POST', '/content/tags', cookie, { data })).at('data', 'documentId'))
    }
    const data = { name: 'Much tagged', tags }
    const created = await send(running, 'POST', '/content/restaurants', cookie, { data })
    documentId = String(created.at('data', 'documentId'))
    opened = await openPage(browser, running)
    await signIn(opened.page, 'editor')
  })
  after(async () => {
    await browser?.close()
    await running.close()
  })

  const stored = async () => {
    const response = await send(
      running,
      'GET',
      `/content/restaurants/${documentId}?populate[tags][fields]=label`,
      cookie,
    )
    const list = response.at('data', 'tags')
    return Array.isArray(list) ? list.map(({ label }) => label) : []
  }

  test('sees those in sight, moves, removes and adds some, and keeps the order of all others', async () => {
    const { page } = opened
    await navigate(page, `/admin/content/restaurants/${documentId}`)
    const field = page.getByRole('group', { name: 'Tags', exact: true })
    const cards = field.getByRole('listitem')
    await cards.filter({ hasText: /^Tag 0/ }).waitFor()
    assert.ok((await cards.count()) < COUNT / 4)
    assert.equal(await cards.first().getAttribute('aria-setsize'), String(COUNT))
    await cards
      .filter({ hasText: /^Tag 0/ })
      .getByLabel('Drag to reorder')
      .press('Space')
    const announced = (text: RegExp) => page.getByText(text).waitFor({ state: 'attached' })
    await announced(/Picked up draggable item|was moved over droppable area/)
    await page.keyboard.press('ArrowDown')
    await announced(new RegExp(`was moved over droppable area .*${tags[1]}`))
    await page.keyboard.press('Space')
    await announced(new RegExp(`was dropped over droppable area .*${tags[1]}`))
    await field.getByLabel('Remove: Tag 2', { exact: true }).click()
    await field.getByRole('textbox').fill('Tag 2')
    await page.getByRole('option', { name: 'Tag 2', exact: true }).click()
    await cards.filter({ hasText: /^Tag 2$/ }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All changes saved').waitFor()
    const labels = await stored()
    assert.equal(labels.length, COUNT)
    assert.deepEqual(labels.slice(0, 3), ['Tag 1', 'Tag 0', 'Tag 3'])
    assert.deepEqual(labels.slice(-2), [`Tag ${COUNT - 1}`, 'Tag 2'])
  })

  test('learns that what the search finds is in the list already', async () => {
    const { page } = opened
    const field = page.getByRole('group', { name: 'Tags', exact: true })
    await field.getByRole('textbox').fill('Tag 29')
    await page.getByText('All that were found are in the list already').waitFor()
  })

  test('works without errors and without violations of the policy of the page', () => {
    assert.deepEqual(opened.problems, [])
  })
})
