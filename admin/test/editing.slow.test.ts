/** An editor's day in a real browser: sign in, find, write, translate, publish. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestServer } from '../../test/support/server.ts'
import { type AppPage, fillSignIn, openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'
import { navigate } from './support/navigate.ts'
import { servePreviews } from './support/preview-site.ts'

const browser: Browser | null = await launchBrowser()

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('All changes saved').waitFor()
}

/** Waits until the browser keeps the unsaved changes of a number of documents. */
const waitForLocalCopies = (page: Page, expected: number) =>
  page.waitForFunction(
    (count) =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('octavo-admin')
        opening.onsuccess = () => {
          const counting = opening.result.transaction('unsaved').objectStore('unsaved').count()
          counting.onsuccess = () => {
            opening.result.close()
            resolve(counting.result === count)
          }
        }
      }),
    expected,
    { polling: 50 },
  )

/** Holds back the requests of a method whose path ends like this, until the returned function is called. */
const holdRequests = async (page: Page, method: string, path: string): Promise<() => Promise<void>> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const isHeld = (url: URL) => url.pathname.endsWith(path)
  await page.route(isHeld, async (route) => {
    if (route.request().method() === method) await promise
    await route.continue()
  })
  return () => {
    resolve()
    return page.unrouteAll({ behavior: 'wait' })
  }
}

/** Pastes HTML, as a browser does, where the caret is. */
const paste = (page: Page, html: string) =>
  page.evaluate((copied) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', copied)
    clipboardData.setData('text/plain', 'The text alone')
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  }, html)

/** As Google Docs, a web page and Word copy it. */
const PASTED = `<b style="font-weight:normal"><h2 style="color:red">Title</h2>
<p><span style="font-weight:400">Plain </span><span style="font-weight:700">bold</span>
<a href="https://example.com/x"><span style="text-decoration:underline">link</span></a>
<a href="javascript:alert(1)">bad</a><script>alert(1)</script></p>
<ul><li><p>one</p></li><ul><li><p>nested</p></li></ul></ul></b>
<blockquote><p>quoted</p></blockquote><pre><code>a
  b</code></pre><table><tr><td>c1</td><td>c2</td></tr></table>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><![if !supportLists]><span
style='mso-list:Ignore'>1.<span>&nbsp; </span></span><![endif]>Numbered<o:p></o:p></p>`

const text = (value: string, marks: object = {}) => ({ type: 'text', text: value, ...marks })
const list = (format: string, ...children: readonly object[]) => ({ type: 'list', format, children })
const item = (value: string) => ({ type: 'list-item', children: [text(value)] })
const PASTED_BLOCKS = [
  { type: 'heading', level: 2, children: [text('Title')] },
  {
    type: 'paragraph',
    children: [
      text('Plain '),
      text('bold', { bold: true }),
      text(' '),
      { type: 'link', url: 'https://example.com/x', children: [text('link')] },
      text(' bad'),
    ],
  },
  list('unordered', item('one'), list('unordered', item('nested'))),
  { type: 'quote', children: [text('quoted')] },
  { type: 'code', children: [text('a\n  b')] },
  { type: 'paragraph', children: [text('c1 | c2')] },
  list('ordered', item('Numbered')),
]

describe('an editor', { skip: browser === null }, () => {
  let running: TestServer
  let opened: AppPage
  let second: AppPage
  before(async () => {
    assert.ok(browser)
    running = await startApp()
    opened = await openPage(browser, running)
    second = await openPage(browser, running)
    await signIn(opened.page, 'editor')
    await signIn(second.page, 'second')
  })
  after(async () => {
    await browser?.close()
    await running.close()
  })

  /** What the public API returns. */
  const published = async (path: string) => (await fetch(`${running.base}/api/${path}`)).json()
  /** Sends a request as the person who is signed in on a page. */
  const sendAs = (page: Page, method: string, path: string, body?: object) =>
    page.evaluate(
      async ([method, path, body]) => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(`/admin/api/content/${path}`, { method, headers, body: body ?? null })
        return response.status === 204 ? null : response.json()
      },
      [method, path, body && JSON.stringify(body)] as const,
    )
  const openDish = async (page: Page, name: string) => {
    await navigate(page, '/admin/content/dishes')
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }

  test('finds documents with the search, a filter and a sort order that are in the URL', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/dishes')
    await page.getByRole('link', { name: 'Plum tart' }).waitFor()
    await page.getByPlaceholder('Search', { exact: true }).fill('espresso')
    await page.waitForURL(/q=espresso/)
    await page.getByRole('link', { name: 'Furnace espresso' }).waitFor()
    await page.getByRole('link', { name: 'Plum tart' }).waitFor({ state: 'detached' })
    await page.getByLabel('Clear the search').click()
    await page
      .getByRole('button', { name: 'Sort by Name' })
      .or(page.getByTitle('Sort by Name'))
      .first()
      .click()
    await page.waitForURL(/sort=/)
    await page.reload()
    assert.equal(
      await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'),
      'ascending',
    )
  })

  test('filters by the time of the last change, and shows the time that is compared with', async () => {
    const { page } = opened
    const changedAfter = async (time: string) => {
      await navigate(page, '/admin/content/dishes?q=espresso')
      await page.getByRole('link', { name: 'Furnace espresso' }).waitFor()
      await page.getByRole('button', { name: 'Filter' }).click()
      await page.getByRole('combobox', { name: 'Attribute' }).click()
      await page.getByRole('option', { name: 'Changed', exact: true }).click()
      await page.getByLabel('Condition').first().click()
      await page.getByRole('option', { name: 'is after' }).click()
      await page.getByLabel('Value').fill(time)
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.waitForURL(/filter=/)
    }
    await changedAfter('2000-01-02T03:04')
    await page.getByText(/Changed .*3:04/).waitFor()
    await page.getByRole('link', { name: 'Furnace espresso' }).waitFor()
    await changedAfter('2999-01-02T03:04')
    await page.getByRole('link', { name: 'Furnace espresso' }).waitFor({ state: 'detached' })
  })

  test('exports the documents that the list shows, and selects none of those that it no longer shows', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/dishes?q=espresso&status=published')
    await page.getByRole('checkbox', { name: 'Select Furnace espresso', exact: true }).check()
    await page.getByRole('toolbar', { name: '1 document selected' }).waitFor()
    await page.emulateMedia({ forcedColors: 'active' })
    const checkMark = page.locator('[aria-selected=true] .mantine-Checkbox-icon')
    const colour = await checkMark.evaluate((mark) => getComputedStyle(mark).color)
    assert.equal(colour, 'rgb(0, 0, 0)', 'visible with the colours of the system')
    await page.emulateMedia({ forcedColors: 'none' })
    await page.getByRole('button', { name: 'Views' }).click()
    const file = await page.getByRole('menuitem', { name: 'Export as JSON' }).getAttribute('href')
    assert.match(file ?? '', /publicationFilter=unmodified/)
    await page.getByRole('menuitem', { name: 'All documents' }).click()
    await page.getByRole('link', { name: 'Plum tart' }).waitFor()
    assert.equal(await page.getByRole('toolbar').count(), 0)
    await navigate(page, '/admin/content/dishes?columns=name&sort=name&status=none')
    await page.getByRole('link', { name: 'Plum tart' }).waitFor()
  })

  test('creates a document that has the defaults of its schema, and publishes it', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/dishes/new')
    await page.getByLabel('Price').fill('12.5')
    await page.getByLabel('Name').fill('Noodle soup')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    const { data } = await published('dishes?filters[name]=Noodle%20soup')
    assert.equal(data.length, 1)
    assert.equal(data[0].price, 12.5)
    assert.equal(data[0].course, 'main', 'a default of the schema')
  })

  test('saves a draft that readers do not see until it is published, and discards it', async () => {
    const { page } = opened
    await openDish(page, 'Plum tart')
    await page.getByLabel('Description').fill('With cream.')
    await save(page)
    await page.getByText('Modified', { exact: true }).first().waitFor()
    const before = await published('dishes?filters[name]=Plum%20tart')
    assert.notEqual(before.data[0].description, 'With cream.')
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Discard changes' }).click()
    const question = page.getByRole('dialog', { name: 'Discard the changes?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await page.getByLabel('Description').inputValue(), 'With cream.')
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Discard changes' }).click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByText('The draft is the published version again').waitFor()
    assert.equal(await page.getByLabel('Description').inputValue(), before.data[0].description ?? '')
  })

  test('saves with the keyboard in the middle of rich text, and opens the command palette from a field', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/restaurants/new')
    await page.locator('[id="field-name"]').fill('Written without a mouse')
    await page.locator('[id="field-description"] [contenteditable=true]').click()
    await page.keyboard.type('Every word')
    await page.keyboard.press('Control+s')
    await page.getByText('All changes saved').waitFor()
    await page.locator('[id="field-name"]').press('Control+k')
    await page.getByRole('dialog').getByRole('textbox').waitFor()
    await page.keyboard.press('Escape')
  })

  test('pastes what other programs have copied without their styles, and cuts and pastes links and lists', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/restaurants/new')
    await page.locator('[id="field-name"]').fill('Pasted')
    const blocks = page.locator('[id="field-description"] [contenteditable=true]')
    await blocks.click()
    await paste(page, PASTED)
    await page.keyboard.press('Control+s')
    await page.getByText('All changes saved').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const stored = async () => (await sendAs(page, 'GET', `restaurants/${id}`)).data.description
    const pasted = await stored()
    assert.deepEqual(pasted, PASTED_BLOCKS)
    await blocks.press('Control+a')
    await page.keyboard.press('Control+x')
    await page.keyboard.press('Control+v')
    await blocks.getByText('nested').waitFor()
    await page.locator('[id="field-name"]').fill('Pasted again')
    await save(page)
    assert.deepEqual(await stored(), pasted)
    await page.locator('[id="field-name"]').fill('מסעדה')
    await page.locator('h1:dir(rtl)').waitFor()
    await blocks.press('Control+a')
    await page.keyboard.type('שלום')
    await blocks.locator(':dir(rtl)', { hasText: 'שלום' }).first().waitFor()
    await save(page)
    await navigate(page, '/admin/content/chefs/new')
    const markdown = page.locator('[id="field-bio"] [contenteditable=true]')
    await markdown.click()
    await paste(page, PASTED)
    await markdown.getByText('## Title').waitFor()
    await markdown.getByText('Plain **bold** [link](https://example.com/x)').waitFor()
    await markdown.getByText('  - nested').waitFor()
    await page.keyboard.press('Control+z')
  })

  test('undoes and redoes with the keyboard', async () => {
    const { page } = opened
    await openDish(page, 'Plum tart')
    const price = page.getByLabel('Price')
    const original = await price.inputValue()
    await price.fill('99')
    await page.keyboard.press('Control+z')
    assert.equal(await price.inputValue(), original)
    await page.keyboard.press('Control+Shift+z')
    assert.equal(await price.inputValue(), '99')
    const search = page.getByPlaceholder(/^Search to add/).first()
    await search.fill('Old')
    await search.press('Control+z')
    assert.equal(await price.inputValue(), '99', 'a search has an undo of its own')
    await price.press('Control+z')
    assert.equal(await price.inputValue(), original)
  })

  test('loses nothing when the tab is closed in the middle of a sentence', async () => {
    const { page, context } = opened
    await openDish(page, 'Cardamom bun')
    await page.getByLabel('Description').fill('Half a sent')
    await waitForLocalCopies(page, 1)
    const address = page.url()
    const other = await context.newPage()
    await other.goto(address)
    await other.getByText('Your unsaved changes').waitFor()
    assert.equal(await other.getByLabel('Description').inputValue(), 'Half a sent')
    // Without a pause in which it would be kept anyway.
    await other.getByLabel('Description').fill('Half a sentence')
    await other.reload()
    await other.getByText('Your unsaved changes').waitFor()
    assert.equal(await other.getByLabel('Description').inputValue(), 'Half a sentence')
    await other.getByRole('button', { name: 'Discard them' }).click()
    assert.doesNotMatch(await other.getByLabel('Description').inputValue(), /^Half a sent/)
    await waitForLocalCopies(other, 0)
    await other.close()
    await navigate(page, '/admin/')
  })

  test('compares what was restored with what another person has saved since', async () => {
    const { page } = opened
    await openDish(page, 'Plum tart')
    await page.getByLabel('Description').fill('From home')
    await waitForLocalCopies(page, 1)
    await navigate(page, '/admin/content/dishes')
    await openDish(second.page, 'Plum tart')
    await second.page.getByLabel('Description').fill('From the office')
    await second.page.getByLabel('Calories').fill('456')
    await save(second.page)
    await openDish(page, 'Plum tart')
    await page.getByText('You can compare both when you save').waitFor()
    assert.equal(await page.getByLabel('Description').inputValue(), 'From home')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'This document has changed in the meantime' })
    await dialog.getByText('From the office').waitFor()
    await dialog.getByRole('button', { name: 'Keep chosen values and save' }).click()
    await page.getByText('All changes saved').waitFor()
    assert.equal(await page.getByLabel('Description').inputValue(), 'From home')
    assert.equal(await page.getByLabel('Calories').inputValue(), '456')
    assert.equal(await page.getByText('Your unsaved changes').count(), 0)
  })

  test('writes on while a new document is saved, which is created once', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/chefs/new')
    const name = page.locator('[id="field-name"]')
    await name.fill('Ada')
    const answer = await holdRequests(page, 'POST', '/content/chefs')
    await name.press('Control+s')
    await name.press('Control+s')
    await page.getByText('Saving…').waitFor()
    await page.keyboard.type(' Lovelace')
    await answer()
    await page.waitForURL(/chefs\/(?!new)/)
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor()
    await page.keyboard.type(' King')
    assert.equal(await name.inputValue(), 'Ada Lovelace King')
    await save(page)
    await page.reload()
    await page.getByRole('heading', { name: 'Ada Lovelace King', level: 1 }).waitFor()
    await navigate(page, '/admin/content/chefs?q=Ada')
    await page.getByRole('link', { name: /^Ada/ }).first().waitFor()
    assert.equal(await page.getByRole('link', { name: /^Ada/ }).count(), 1)
    await navigate(page, '/admin/content/chefs/new')
    await page.getByRole('heading', { name: /^New/, level: 1 }).waitFor()
    assert.equal(await name.inputValue(), '')
  })

  test('leaves while a new document is saved, which does not come back as unsaved', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/chefs/new')
    const name = page.locator('[id="field-name"]')
    await name.fill('Left early')
    await waitForLocalCopies(page, 1)
    const answer = await holdRequests(page, 'POST', '/content/chefs')
    await name.press('Control+s')
    await page.getByText('Saving…').waitFor()
    await navigate(page, '/admin/content/dishes')
    await page.getByRole('link', { name: 'Plum tart' }).waitFor()
    await answer()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await waitForLocalCopies(page, 0)
    assert.match(page.url(), /dishes$/)
  })

  test('writes on while a document is published', async () => {
    const { page } = opened
    await openDish(page, 'Cardamom bun')
    const description = page.getByLabel('Description')
    await description.fill('Warm')
    const answer = await holdRequests(page, 'POST', '/actions/publish')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Saving…').waitFor()
    await description.fill('Warm, with butter')
    await answer()
    await page.getByText('Unsaved changes').waitFor()
    assert.equal(await description.inputValue(), 'Warm, with butter')
    await save(page)
  })

  test('signs in again over the form when the session has ended, and the save goes on', async () => {
    const { page, context } = opened
    await openDish(page, 'Furnace espresso')
    // Another request that ends after the session would ask for the password before Save is pressed.
    const reported = page.waitForResponse((response) => response.url().endsWith('/presence'))
    await page.getByLabel('Description').fill('Short and strong.')
    await reported
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Your session has ended').waitFor()
    await fillSignIn(page, 'editor')
    await page.getByText('All changes saved').waitFor()
    assert.equal(await page.getByLabel('Description').inputValue(), 'Short and strong.')
  })

  test('sees who else has the document open, and who is editing it', async () => {
    const { page } = opened
    const { page: other } = second
    /** The app asks every 20 seconds. */
    const askAgain = () => other.clock.fastForward(20_000)
    await other.clock.install()
    await openDish(page, 'Black sesame custard')
    await other.goto(page.url())
    await other.getByRole('img', { name: 'editor also has this open' }).waitFor()
    const reported = page.waitForResponse((response) => response.url().endsWith('/presence'))
    await page.getByLabel('Description').fill('Mine')
    await reported
    await askAgain()
    await other.getByRole('img', { name: 'editor is editing this now' }).waitFor()
    const left = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await navigate(page, '/admin/content/dishes')
    await left
    await askAgain()
    await other.getByRole('img', { name: /^editor/ }).waitFor({ state: 'detached' })
  })

  test('sees both versions when another person saved in between, and chooses', async () => {
    const { page } = opened
    await openDish(page, 'Black sesame custard')
    await page.getByLabel('Description').fill('Mine')
    await second.page.getByLabel('Description').fill('Theirs')
    await second.page.getByLabel('Calories').fill('321')
    await save(second.page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'This document has changed in the meantime' })
    await dialog.getByText('Theirs').first().waitFor()
    await dialog.getByRole('button', { name: 'Keep chosen values and save' }).click()
    await page.getByText('All changes saved').waitFor()
    assert.equal(await page.getByLabel('Description').inputValue(), 'Mine')
    assert.equal(await page.getByLabel('Calories').inputValue(), '321')
  })

  test('creates a document again that someone else has deleted, also after the tab was closed', async () => {
    const { page } = opened
    const idOpened = () => new URL(page.url()).pathname.split('/').at(-1)
    const deleteOpened = () => sendAs(second.page, 'DELETE', `restaurants/${idOpened()}?locale=*`)
    await navigate(page, '/admin/content/restaurants')
    await page.getByRole('link', { name: 'Eleven Pleats' }).click()
    await page.getByLabel('More actions').first().click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByText('Duplicated').waitFor()
    const tagline = page.getByLabel('Tagline')
    await tagline.fill('Not to be lost')
    await deleteOpened()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Create it again' }).click()
    await page.getByText('All changes saved').waitFor()
    assert.equal(await tagline.inputValue(), 'Not to be lost')
    await tagline.fill('Not saved')
    await waitForLocalCopies(page, 1)
    const address = page.url()
    await deleteOpened()
    await navigate(page, '/admin/content/restaurants')
    await page.getByRole('link', { name: 'Eleven Pleats' }).waitFor()
    await navigate(page, address)
    await page.getByText('The document was deleted; saving creates it again').waitFor()
    assert.equal(await tagline.inputValue(), 'Not saved')
    await save(page)
    await page.reload()
    await page.getByRole('heading', { name: 'Eleven Pleats', level: 1 }).waitFor()
    assert.equal(await tagline.inputValue(), 'Not saved')
    const created = await sendAs(page, 'GET', `restaurants/${idOpened()}?populate=menu`)
    assert.notEqual(created.data.menu.length, 0)
    await deleteOpened()
  })

  test('sees the page of the site beside the form, which follows each save', async () => {
    const site = await servePreviews(running)
    await configurePreview(site.base)
    const { page } = opened
    await page.reload()
    await openDish(page, 'Grilled bream')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('As on the menu').waitFor()
    const preview = page.frameLocator('iframe[title="Preview of Grilled bream"]')
    await preview.getByRole('heading', { name: 'Grilled bream (en)' }).waitFor()
    await page.getByLabel('Description').fill('With thyme.')
    await save(page)
    await preview.getByText('With thyme.').waitFor()
    await second.page.goto(page.url())
    await second.page.getByRole('button', { name: 'Preview' }).click()
    await second.page.frameLocator('iframe').getByText('With thyme.').waitFor()
    await second.context.close()
    site.close()
  })

  /** A developer sets the address in the browser, and sees what is wrong with it before. */
  async function configurePreview(site: string): Promise<void> {
    assert.ok(browser)
    const { page, context, problems } = await openPage(browser, running)
    await signIn(page, 'admin', '/admin/content/dishes')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Configure the view' }).click()
    const address = page.getByLabel('Address of the preview')
    await address.fill('javascript:alert(1)')
    page.once('dialog', (dialog) => void dialog.dismiss())
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'Home' }).click()
    assert.equal(await address.inputValue(), 'javascript:alert(1)')
    await page.getByRole('button', { name: 'Save the view' }).click()
    await page.getByText('must be an address that starts with https://').waitFor()
    await address.fill(`${site}/dishes/{documentid}`)
    await page.getByRole('button', { name: 'Save the view' }).click()
    await page.getByText('unknown placeholder {documentid}; did you mean "documentId"?').waitFor()
    await address.fill(`${site}/dishes/?locale={locale}`)
    await address.evaluate((input: HTMLInputElement, at) => input.setSelectionRange(at, at), site.length + 8)
    await page.getByRole('button', { name: 'Insert {documentId}' }).click()
    await page.getByLabel('Help text of description').fill('As on the menu')
    await page.getByRole('combobox', { name: 'Group in the navigation' }).fill('Kitchen')
    await page.getByRole('button', { name: 'Save the view' }).click()
    await page.getByText('View saved').waitFor()
    await page.reload()
    assert.equal(await address.inputValue(), `${site}/dishes/{documentId}?locale={locale}`)
    await navigation.getByRole('heading', { name: 'Kitchen' }).waitFor()
    assert.deepEqual(problems, [])
    await context.close()
  }

  test('translates a document with the other locale beside it', async () => {
    const { page } = opened
    await openDish(page, 'Noodle soup')
    await page.getByRole('link', { name: /^fr/ }).click()
    await page.waitForURL(/locale=fr/)
    await page.getByText('There is no fr version yet').waitFor()
    await page.getByRole('link', { name: /^en.*Published/ }).waitFor()
    await page
      .getByRole('combobox', { name: 'Compare with' })
      .or(page.getByLabel('Compare with'))
      .first()
      .click()
    await page.getByRole('option', { name: 'en' }).click()
    await page.getByRole('button', { name: 'Fill from en' }).first().click()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Noodle soup')
    await page.getByLabel('Name').fill('Soupe aux nouilles')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('All changes saved').waitFor()
    const { data } = await published('dishes?locale=fr&filters[name][$startsWith]=Soupe%20aux%20nouilles')
    assert.equal(data.length, 1)
  })

  test('sees what was saved word by word, restores it, and publishes at a time', async () => {
    const { page } = opened
    const menu = async (name: string) => {
      await page.getByLabel('More actions').click()
      await page.getByRole('menuitem', { name, exact: true }).click()
      return page.getByRole('dialog')
    }
    await navigate(page, '/admin/content/restaurants')
    await page.getByRole('link', { name: 'Low Tide' }).click()
    const tagline = page.getByLabel('Tagline')
    const former = await tagline.inputValue()
    await tagline.fill('Opens when the water returns.')
    await save(page)
    const history = await menu('History')
    await history.getByRole('button', { name: 'Changed by you' }).click()
    await history.getByText('returns', { exact: true }).waitFor()
    await history.getByRole('button', { name: 'Created with the API token development' }).click()
    await history.getByText('Old Harbour').waitFor()
    await page.keyboard.press('Escape')
    await history.waitFor({ state: 'detached' })
    await page.locator(':focus[aria-label="More actions"]').waitFor()
    await tagline.fill('Not saved yet')
    await menu('History')
    await history.getByRole('button', { name: 'Created with the API token development' }).click()
    const restore = history.getByRole('button', { name: 'Restore this state as the draft' })
    await restore.click()
    const question = page.getByRole('dialog', { name: 'Restore without your unsaved changes?' })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    assert.equal(await tagline.inputValue(), 'Not saved yet')
    await restore.click()
    await question.getByRole('button', { name: 'Restore', exact: true }).click()
    await question.waitFor({ state: 'detached' })
    await history.waitFor({ state: 'detached' })
    assert.equal(await tagline.inputValue(), former)
    const schedule = await menu('Schedule')
    await schedule.getByLabel('Publish at', { exact: true }).fill('2001-01-31T09:00')
    await schedule.getByRole('button', { name: 'Save the schedule' }).click()
    await schedule.getByRole('alert').waitFor()
    await schedule.getByLabel('Publish at', { exact: true }).fill('2100-01-31T09:00')
    await schedule.getByRole('button', { name: 'Save the schedule' }).click()
    await page.getByText(/^Will be published .*2100/).waitFor()
    await (await menu('Schedule')).getByRole('button', { name: 'Cancel the schedule' }).click()
    await page.getByText(/^Will be published/).waitFor({ state: 'detached' })
  })

  test('creates a related document without leaving the form, and edits it there', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/restaurants')
    await page.getByRole('link', { name: 'Low Tide' }).click()
    const field = page.getByRole('group', { name: /^Tags/ })
    await page.getByLabel('Tagline').fill('Only at low tide.')
    await field.getByRole('button', { name: 'New Tag' }).click()
    const drawer = page.getByRole('dialog', { name: 'Related Tag' })
    await drawer.getByLabel('Label').fill('harvst')
    await page.keyboard.press('Control+s')
    await drawer.getByText('All changes saved').waitFor()
    await drawer.getByRole('button', { name: 'Close' }).click()
    await field.getByRole('button', { name: 'Edit harvst' }).click()
    await drawer.getByLabel('Label').fill('harvest')
    await drawer.getByRole('button', { name: 'Save', exact: true }).click()
    await drawer.getByText('All changes saved').waitFor()
    await drawer.getByRole('button', { name: 'Close' }).click()
    await field.getByRole('link', { name: 'harvest' }).waitFor()
    assert.equal(await page.getByLabel('Tagline').inputValue(), 'Only at low tide.')
    await save(page)
    await page.reload()
    await field.getByRole('link', { name: 'harvest' }).waitFor()
  })

  test('keeps only those documents selected that could not be published, and tries them again', async () => {
    const { page } = opened
    const { data: draft } = await sendAs(page, 'POST', 'chefs', { data: { born: '1990-01-01' } })
    await sendAs(page, 'POST', 'chefs', { data: { name: 'Publishable' } })
    await navigate(page, '/admin/content/chefs?sort=createdAt:desc')
    await page.getByRole('checkbox', { name: 'Select Publishable', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Select Untitled', exact: true }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Publish', exact: true }).click()
    const failed = page.getByRole('dialog', { name: '1 document could not be changed' })
    await failed.getByText(/^name/).waitFor()
    await page.getByText('1 document done').waitFor()
    await sendAs(page, 'PUT', `chefs/${draft.documentId}`, { data: { name: 'Named since' } })
    const retried = page.waitForRequest((request) => request.url().endsWith('/actions/bulk'))
    await failed.getByRole('button', { name: 'Try again' }).click()
    assert.deepEqual((await retried).postDataJSON().documentIds, [draft.documentId])
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
  })

  test('gives a field of several documents the same value', async () => {
    const { page } = opened
    await navigate(page, '/admin/content/dishes')
    for (const name of ['Grilled bream', 'Furnace espresso'])
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
    const toolbar = page.getByRole('toolbar', { name: '2 documents selected' })
    await toolbar.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 2 documents' })
    const change = dialog.getByRole('button', { name: 'Change 2 documents' })
    assert.ok(await change.isDisabled())
    await dialog.getByLabel('Fields', { exact: true }).click()
    await page.getByRole('option', { name: 'Description' }).click()
    await page.getByRole('option', { name: 'Allergens' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Only tonight.')
    const allergens = dialog.getByRole('textbox', { name: 'Allergens' })
    await allergens.fill('["milk"')
    await change.click()
    await page.getByRole('alert').filter({ hasText: 'JSON' }).first().waitFor()
    await page.getByText('2 documents done').waitFor({ state: 'hidden' })
    await allergens.fill('["milk"]')
    await change.click()
    await page.getByText('2 documents done').waitFor()
    await openDish(page, 'Furnace espresso')
    assert.equal(await page.getByLabel('Description').inputValue(), 'Only tonight.')
    const { data } = await published('dishes?filters[name]=Furnace%20espresso')
    assert.notEqual(data[0].description, 'Only tonight.', 'it is a draft')
  })

  test('works without errors and without violations of the policy of the page', () => {
    assert.deepEqual(opened.problems, [])
  })
})
