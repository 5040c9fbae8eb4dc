/** What helps while writing, in a real browser: addresses made of titles, copies, pasted pictures and messages. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestServer } from '../../test/support/server.ts'
import { type AppPage, openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'
import { navigate } from './support/navigate.ts'

const browser: Browser | null = await launchBrowser()

describe('an editor who writes', { skip: browser === null }, () => {
  let running: TestServer
  let opened: AppPage
  before(async () => {
    assert.ok(browser)
    running = await startApp(['editor'])
    opened = await openPage(browser, running)
    await signIn(opened.page, 'editor')
  })
  after(async () => {
    await browser?.close()
    await running.close()
  })

  test('generates a slug as the server does, and learns when a title has no letters for one', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/restaurants/new')
    const name = page.getByLabel('Name').first()
    const slug = page.getByLabel('Slug')
    await name.fill('Straße nach Łódź: Дом у моря')
    await page.getByRole('button', { name: 'Generate' }).click()
    assert.equal(await slug.inputValue(), 'strasse-nach-lodz-dom-u-morya')
    await name.fill('日本')
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByText('the text has none. Write one yourself.').waitFor()
    assert.equal(await slug.inputValue(), 'strasse-nach-lodz-dom-u-morya')
    await name.fill('')
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByText('The text that this is made from is empty.').waitFor()
  })

  test('is asked whether a copy of a document has the unsaved changes', async () => {
    const { page } = opened
    const duplicate = async (choice: string) => {
      await page.locator('header').getByLabel('More actions').click()
      await page.getByRole('menuitem', { name: 'Duplicate' }).click()
      const address = page.url()
      await page.getByRole('dialog').getByRole('button', { name: choice }).click()
      await page.waitForURL((url) => url.href !== address)
      await page.getByText('All changes saved').waitFor()
    }
    await navigate(page, '/admin/content/restaurants?locale=fr')
    await page.getByRole('link', { name: 'Salt & Ember' }).click()
    const tagline = page.getByLabel('Tagline')
    await tagline.fill('Pas encore')
    await duplicate('Without them')
    assert.notEqual(await tagline.inputValue(), 'Pas encore')
    assert.match(page.url(), /locale=fr/)
    await tagline.fill('Enfin')
    await duplicate('Save and duplicate')
    assert.equal(await tagline.inputValue(), 'Enfin')
  })

  test('sees how many pictures were left out of what was pasted', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/restaurants/new')
    const pictures = '<p>Text</p><img src="https://x.test/a.png"><img src="https://x.test/b.png" alt="b">'
    // Counting pixels of mails, and emoji, are none.
    const others = '<img src="https://x.test/c.gif" width="1" height="1"><img src="e.png" alt="🍏">'
    for (const field of ['Description', 'Story']) {
      await page.getByRole('textbox', { name: field }).click()
      await page.evaluate((html) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', html)
        clipboardData.setData('text/plain', 'Text')
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
      }, pictures + others)
      const message = page.getByRole('alert').filter({ hasText: '2 images were left out.' })
      await message.getByRole('button').click()
      await message.waitFor({ state: 'detached' })
    }
    await page.getByRole('textbox', { name: 'Description' }).click()
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['x'], 'screenshot.png', { type: 'image/png' }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(event)
    })
    await page.getByText('An image was left out.').waitFor()
  })

  test('reads a message beside the toolbar for several documents, which it does not cover', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/restaurants')
    for (const name of ['Low Tide', 'Furnace & Cup'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const toolbar = page.getByRole('toolbar', { name: '2 documents selected' })
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    const message = page.getByRole('alert').filter({ hasText: '1 document done' })
    const end = page.getByRole('toolbar').getByRole('button').last()
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await page.getByRole('toolbar', { name: '1 document selected' }).waitFor()
      await page.waitForFunction(() => {
        const bar = document.querySelector('[role="toolbar"]')?.getBoundingClientRect()
        const shown = document.querySelector('[role="alert"]')?.getBoundingClientRect()
        return bar !== undefined && shown !== undefined && shown.bottom <= bar.top
      })
    }
    await message.waitFor()
    await end.click()
    await toolbar.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('works without errors and without violations of the policy of the page', () => {
    assert.deepEqual(opened.problems, [])
  })
})
