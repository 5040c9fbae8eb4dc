/** A developer's day in a real browser: types made from nothing, changed while others work, and served elsewhere. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { createAccount } from '../../test/admin/team.ts'
import {
  componentFile,
  openProject,
  type ProjectServer,
  projectFolder,
  typeFile,
} from '../../test/support/project-server.ts'
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

describe('a developer', { skip: browser === null }, () => {
  const folder = projectFolder({})
  const database = `sqlite:${join(folder, 'data.db')}`
  let project: ProjectServer
  let opened: AppPage
  before(async () => {
    assert.ok(browser)
    project = await openProject(folder, database)
    await createAccount(project.server, 'admin')
    await createAccount(project.server, 'editor')
    opened = await openPage(browser, project)
    await signIn(opened.page, 'admin')
  })
  after(async () => {
    await browser?.close()
    await project.remove()
  })

  test('makes types with a component, a dynamic zone and a relation from nothing', async () => {
    const { page } = opened
    await page.goto('/admin/model')
    await page.getByText('What do you want to publish?').waitFor()
    await createSchema(page, 'component', 'Quote')
    await addAttribute(await startAttribute(page, 'long text', 'text'))
    await createSchema(page, 'content-type', 'Author')
    await addAttribute(await startAttribute(page, 'short text', 'name'))
    await createSchema(page, 'content-type', 'Book')
    await addAttribute(await startAttribute(page, 'short text', 'title'))
    const relation = await startAttribute(page, 'relation', 'author')
    await choose(page, relation, 'Refers to', 'Author')
    await relation.getByLabel('Also as an attribute of the other side').check()
    await relation.getByText('Each Author has a list of Book').waitFor()
    await addAttribute(relation)
    const zone = await startAttribute(page, 'dynamic zone', 'parts')
    await choose(page, zone, 'Components', 'Quote')
    await page.keyboard.press('Escape')
    await addAttribute(zone)
    const dialog = await reviewModel(page)
    await dialog.getByText('/api/books is new').waitFor()
    await saveModel(page, dialog)
    const book = JSON.parse(project.read(typeFile('book')))
    assert.deepEqual(Object.keys(book.attributes), ['title', 'author', 'parts'])
    assert.deepEqual(JSON.parse(project.read(typeFile('author'))).attributes.books, {
      type: 'relation',
      relation: 'oneToMany',
      target: 'api::book.book',
      mappedBy: 'author',
    })
    assert.deepEqual(JSON.parse(project.read(componentFile('shared.quote'))).attributes, {
      text: { type: 'text' },
    })
  })

  test('writes content of the new types at once', async () => {
    const { page } = opened
    await page.getByRole('link', { name: 'Authors' }).click()
    await page.getByRole('link', { name: 'New Author' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Ursula')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('All changes saved').waitFor()
    await page.goto('/admin/content/books/new')
    await page.getByLabel('Title').fill('The Dispossessed')
    await page.getByPlaceholder('Search to add…').fill('Ursula')
    await page.getByRole('option', { name: 'Ursula' }).click()
    await page.getByRole('button', { name: 'Add component' }).click()
    await page.getByPlaceholder('Search components…').fill('quote')
    await page.keyboard.press('Enter')
    await page.getByLabel('Text', { exact: true }).last().fill('There was a wall.')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('All changes saved').waitFor()
    assert.match(await books(project), /The Dispossessed.*Ursula.*There was a wall\./)
  })

  test('builds a request on the API page and sees its response and cost', async () => {
    const { page } = opened
    await page.goto('/admin/content/books')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'API page' }).click()
    await page.getByRole('heading', { name: 'API of Book' }).waitFor()
    await page
      .getByText(/^\/api\/books\/[a-z0-9]{20,}$/)
      .first()
      .waitFor()
    await choose(page, page.locator('main'), 'Populate', 'author')
    await page.keyboard.press('Escape')
    await page.getByText('populate[0]=author').waitFor()
    await page.getByText('"name": "Ursula"').waitFor()
    await page.getByText(/^about \d+ documents? read$/).waitFor()
    await page.getByText('Client', { exact: true }).click()
    await page.getByText("client.find('books', {").waitFor()
  })

  test('sees what the server refuses at the option that it belongs to', async () => {
    const { page } = opened
    await page.goto('/admin/model/api::book.book')
    const form = await startAttribute(page, 'short text', 'subtitle')
    await form.getByLabel('Minimum length').fill('9')
    await form.getByLabel('Maximum length').fill('3')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByText('is more than maxLength (3)').waitFor()
    await form.getByLabel('Name', { exact: true }).fill('title')
    await form.getByText('title exists already').waitFor()
    await page.keyboard.press('Escape')
  })

  test('sees which documents prevent a change, and opens them', async () => {
    const { page } = opened
    const headers = { origin: project.base }
    const data = { data: { title: 'The Dispossessed' } }
    const created = await page.request.post('/admin/api/content/books?status=published', { data, headers })
    const { documentId } = (await created.json()).data
    await page.getByRole('button', { name: /^title/ }).click()
    await page.getByRole('dialog').getByLabel('Unique').check()
    await page.getByRole('button', { name: 'Done' }).click()
    const dialog = await reviewModel(page)
    await dialog.getByText('Existing content prevents this').waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Save the changes' }).isDisabled())
    await dialog.getByRole('link', { name: documentId }).click()
    await page.getByRole('heading', { name: 'The Dispossessed', level: 1 }).waitFor()
    await page.request.delete(`/admin/api/content/books/${documentId}`, { headers })
    await page.goto('/admin/model')
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  test('a type gets a new attribute, an index and another path while its list and a form are open', async () => {
    assert.ok(browser)
    const { page } = opened
    const editor = await openPage(browser, project)
    await signIn(editor.page, 'editor', '/admin/content/books')
    await editor.page.getByRole('link', { name: 'The Dispossessed' }).waitFor()
    const form = await editor.context.newPage()
    await form.goto('/admin/content/books')
    await form.getByRole('link', { name: 'The Dispossessed' }).click()
    await form.getByRole('heading', { name: 'The Dispossessed', level: 1 }).waitFor()
    await form.getByLabel('Title').fill('Unsaved words')
    await page.goto('/admin/model/api::book.book')
    await addAttribute(await startAttribute(page, 'integer', 'pages'))
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    const settings = page.getByRole('dialog')
    await settings.getByLabel('Plural name in the API').fill('volumes')
    await settings.getByRole('button', { name: 'Add index' }).click()
    await choose(page, settings, 'Attributes of index 1', 'pages')
    await page.keyboard.press('Escape')
    await settings.getByRole('button', { name: 'Done' }).click()
    await saveModel(page, await reviewModel(page))
    path = '/api/volumes'
    assert.deepEqual(JSON.parse(project.read(typeFile('book'))).options.indexes, [['pages']])
    await editor.page.getByRole('columnheader', { name: 'Pages' }).waitFor()
    await editor.page.waitForURL(/content\/volumes/)
    await form.getByLabel('Pages').fill('387')
    assert.equal(await form.getByLabel('Title').inputValue(), 'Unsaved words')
    await form.getByLabel('Title').fill('The Dispossessed')
    await form.getByRole('button', { name: 'Publish' }).click()
    await form.getByText('All changes saved').waitFor()
    assert.match(await books(project), /"pages":387/)
    assert.deepEqual(editor.problems, [])
    await editor.context.close()
  })

  test('renames an attribute with its content, moves it by keyboard, and confirms what is lost by its name', async () => {
    const { page } = opened
    await page.goto('/admin/model/api::book.book')
    await page.getByRole('button', { name: /^title/ }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('heading')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('was title').waitFor()
    await page.getByLabel('Drag to reorder').first().focus()
    const announced = (text: RegExp) => page.getByText(text).waitFor({ state: 'attached' })
    await page.keyboard.press('Space')
    await announced(/was moved over droppable area heading|Picked up draggable item heading/)
    await page.keyboard.press('ArrowDown')
    await announced(/was moved over droppable area author/)
    await page.keyboard.press('Space')
    await announced(/was dropped over droppable area author/)
    await page.getByRole('button', { name: /^pages/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    const dialog = await reviewModel(page)
    await dialog.getByText('renamed from title, content is kept').waitFor()
    await dialog.getByText('/api/volumes: title is now heading').waitFor()
    await dialog.getByText(/attribute pages: deleted; content of 1 document/).waitFor()
    const button = dialog.getByRole('button', { name: 'Save and remove content' })
    await dialog.getByLabel(/^Type Book to confirm/).fill('Boo')
    assert.ok(await button.isDisabled())
    await dialog.getByLabel(/^Type Book to confirm/).fill('Book')
    await saveModel(page, dialog)
    const response = await books(project)
    assert.match(response, /"heading":"The Dispossessed"/)
    assert.doesNotMatch(response, /pages|387/)
    const { attributes } = JSON.parse(project.read(typeFile('book')))
    assert.deepEqual(Object.keys(attributes), ['author', 'heading', 'parts'])
  })

  test('worked without errors and without violations of the policy of the page', () => {
    assert.deepEqual(opened.problems, [])
  })

  test('starts the folder in production, where it serves the same and the model is read-only', async () => {
    assert.ok(browser)
    const before = await books(project)
    await project.close()
    project = await openProject(folder, database, { production: true })
    assert.equal(await books(project), before)
    const { page, context } = await openPage(browser, project)
    await signIn(page, 'admin', '/admin/model/api::book.book')
    await page.getByText('Content-types cannot be changed over HTTP in production').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add attribute' }).count(), 0)
    await context.close()
  })
})

/** Where the API serves books. */
let path = '/api/books'

const books = async (project: ProjectServer) =>
  (await project.request('GET', `${path}?populate[author]=true&populate[parts]=true`)).text
