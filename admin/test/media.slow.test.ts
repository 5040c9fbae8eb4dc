/** The media library in a browser: many uploads, folders, crop and focal point, replacing and deleting. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import type { TestServer } from '../../test/support/server.ts'
import { openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'
import { navigate } from './support/navigate.ts'

const browser: Browser | null = await launchBrowser()

interface StoredFile {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly width: number
  readonly height: number
  readonly alternativeText: string | null
  readonly focalPoint: { readonly x: number; readonly y: number } | null
}

const image = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

describe('the media library', { skip: browser === null }, () => {
  let running: TestServer
  let page: Page
  let problems: readonly string[]
  let token: string
  before(async () => {
    assert.ok(browser)
    running = await startApp(['admin'])
    token = (await running.server.access.tokens.create({ name: 'test', kind: 'admin' })).secret
    const opened = await openPage(browser, running)
    page = opened.page
    problems = opened.problems
    await signIn(page, 'admin', '/admin/media')
  })
  after(async () => {
    await browser?.close()
    await running.close()
  })

  const files = async (query: string): Promise<readonly StoredFile[]> => {
    const response = await fetch(`${running.base}/api/upload/files?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return JSON.parse(await response.text())
  }
  const named = async (name: string): Promise<StoredFile> => {
    const [file] = await files(`filters[name]=${name}`)
    assert.ok(file, name)
    return file
  }
  const open = (name: string) => page.getByRole('list', { name: 'Media' }).getByRole('button', { name })

  test('20 files are uploaded at once; one is cancelled, one is refused and tried again', async () => {
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByLabel('Name of the folder').fill('Field trip')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: /^Field trip/ }).click()
    await page.getByText('This folder is empty').waitFor()
    let requests = 0
    await page.route('**/admin/api/upload', async (route) => {
      const number = ++requests
      // The first one never arrives, and the second one is refused once.
      if (number === 1) return
      if (number !== 2) return route.continue()
      const error = { status: 503, name: 'ServiceUnavailableError', message: 'The disk is full', details: {} }
      await route.fulfill({ status: 503, json: { data: null, error } })
    })
    const many = Array.from({ length: 20 }, (_, index) => ({
      name: `note-${String(index + 1).padStart(2, '0')}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`note ${index + 1}`),
    }))
    await page.locator('input[type=file]').first().setInputFiles(many)
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText('18 of 20 files uploaded').waitFor()
    await uploads.getByText('The disk is full').waitFor()
    await uploads.getByRole('button', { name: 'Cancel the upload of note-01.txt' }).click()
    await uploads.getByText('Cancelled').waitFor()
    await uploads.getByRole('button', { name: 'Try to upload note-02.txt again' }).click()
    await uploads.getByText('19 of 20 files uploaded').waitFor()
    await page.unroute('**/admin/api/upload')
    await uploads.getByRole('button', { name: 'Close' }).click()
    await page.getByText('19 files', { exact: true }).waitFor()
    const stored = (await files('folder=/Field trip&sort=name')).map(({ name }) => name)
    assert.deepEqual(
      stored,
      many.map(({ name }) => name).filter((name) => name !== 'note-01.txt'),
    )
  })

  test('a double click on a file opens its details, and does not close them', async () => {
    await page.goto('/admin/media?folder=/Field%20trip&sort=name:asc')
    await open('note-02.txt').hover()
    const details = page.getByRole('dialog')
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount })
      await page.mouse.up({ clickCount })
      await details.getByRole('button', { name: 'Close' }).waitFor()
    }
    await details.getByRole('button', { name: 'Close' }).click()
    await details.waitFor({ state: 'detached' })
  })

  test('files are selected by keyboard and with Shift, and moved together', async () => {
    await page.goto('/admin/media?folder=/Field%20trip&sort=name:asc')
    await open('note-02.txt').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByRole('toolbar', { name: '2 files selected' }).waitFor()
    await open('note-05.txt').click({ modifiers: ['Shift'] })
    await open('note-09.txt').click({ modifiers: ['ControlOrMeta'] })
    await page.getByRole('toolbar', { name: '5 files selected' }).waitFor()
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'All files' }).click()
    await dialog.getByRole('button', { name: 'Move to All files' }).click()
    await page.getByText('14 files', { exact: true }).waitFor()
    assert.equal((await files('folder=/&filters[name][$startsWith]=note')).length, 5)
  })

  test('an image is cropped and gets a focal point by keyboard, with the texts beside it', async () => {
    const before = await named('old-harbour.webp')
    await page.goto('/admin/media?q=old-harbour')
    await open('old-harbour.webp').click()
    await page.getByLabel('Caption', { exact: true }).fill('The quay in autumn')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('button', { name: 'Crop and focal point' }).click()
    const frame = page.getByRole('group', { name: /^Crop frame/ })
    await page.getByText('1 : 1').click()
    await page.getByRole('group', { name: /480 × 480 pixels, 120 from the left/ }).waitFor()
    await frame.focus()
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft')
    await page.getByRole('group', { name: /480 × 480 pixels, 84 from the left/ }).waitFor()
    const point = page.getByRole('button', { name: /^Focal point:/ })
    await point.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('480 × 480 · Cropped').waitFor()
    const cropped = await named('old-harbour.webp')
    assert.deepEqual([cropped.id, cropped.width, cropped.height], [before.id, 480, 480])
    assert.deepEqual(cropped.focalPoint, { x: 50, y: 51 })
    const former = await sharp(
      Buffer.from(await (await fetch(running.base + before.url)).arrayBuffer()),
    ).metadata()
    assert.equal(former.width, 480, 'the former url shows the crop')

    await page.getByRole('button', { name: 'Crop and focal point' }).click()
    await page.getByRole('group', { name: /480 × 480 pixels, 84 from the left/ }).waitFor()
    await page.getByRole('button', { name: 'Whole image' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('720 × 480', { exact: true }).waitFor()
    assert.equal((await named('old-harbour.webp')).width, 720)
  })

  test('a crop is dragged with the mouse', async () => {
    await page.goto('/admin/media?q=lantern-hill')
    await open('lantern-hill.webp').click()
    await page.getByRole('button', { name: 'Crop and focal point' }).click()
    const corner = page.getByRole('button', { name: 'Resize: bottom right' })
    const box = await corner.boundingBox()
    const picture = await page.getByRole('group', { name: /^Crop frame/ }).boundingBox()
    assert.ok(box && picture)
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - picture.width / 2, y - picture.height / 4, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('group', { name: /360 × 360 pixels, 0 from the left, 0 from the top/ }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  test('going back from a file leads to the list, asks first if its texts have changed, and leads on from there', async () => {
    await navigate(page, '/admin/content/dishes')
    await page.getByRole('heading', { name: 'Dishes' }).waitFor()
    await navigate(page, '/admin/media')
    await page.getByText('plum-tart.webp').first().click()
    const caption = page.getByRole('dialog', { name: 'File' }).getByLabel('Caption')
    await caption.fill('Not saved')
    const question = page.getByRole('dialog', { name: 'Your changes are not saved.' })
    await page.goBack()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await caption.inputValue(), 'Not saved')
    assert.match(page.url(), /file=/)
    await page.getByRole('dialog', { name: 'File' }).getByRole('button', { name: 'Close' }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await caption.waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('heading', { name: 'Dishes' }).waitFor()
  })

  test('a replaced file keeps its URL', async () => {
    const before = await named('coffee.webp')
    await page.goto('/admin/media?q=coffee')
    await open('coffee.webp').click()
    const contents = { name: 'espresso.png', mimeType: 'image/png', buffer: await image(64, 32, '#663311') }
    await page.getByLabel('Replace').last().setInputFiles(contents)
    await page.getByText('64 × 32').waitFor()
    const replaced = await fetch(running.base + before.url)
    const { width, height } = await sharp(Buffer.from(await replaced.arrayBuffer())).metadata()
    assert.deepEqual([replaced.status, width, height], [200, 64, 32])
    assert.equal((await named('espresso.png')).id, before.id)
  })

  test('deleting a file warns with the documents that use it, and unused files can be found', async () => {
    await page.goto('/admin/media?q=lantern-hill')
    await open('lantern-hill.webp').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete lantern-hill.webp?' })
    await dialog.getByText(/documents lose what you delete/).waitFor()
    await dialog.getByRole('link', { name: 'Under the lanterns' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 file deleted').waitFor()
    assert.deepEqual(await files('filters[name]=lantern-hill.webp'), [])

    await page.goto('/admin/media')
    await page.getByRole('switch', { name: 'Unused' }).check()
    await open('note-12.txt').waitFor()
    assert.equal(await open('old-harbour.webp').count(), 0)
    await page.keyboard.press('Escape')
    await open('note-12.txt').click({ modifiers: ['ControlOrMeta'] })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('No document that you can see uses it').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await open('note-12.txt').waitFor({ state: 'detached' })
  })

  test('the field of a document offers the same folders, search and upload', async () => {
    await page.goto('/admin/content/restaurants')
    await page.getByRole('link', { name: 'Salt & Ember' }).click()
    await page.getByRole('button', { name: 'Choose from library' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Media library' })
    await dialog.getByRole('button', { name: /^Field trip/ }).click()
    await dialog.getByText('No files').waitFor()
    const contents = { name: 'terrace.png', mimeType: 'image/png', buffer: await image(40, 30, '#225533') }
    await dialog.locator('input[type=file]').setInputFiles(contents)
    await dialog.getByRole('button', { name: /terrace.png/ }).waitFor()
    await dialog.getByRole('button', { name: 'Choose 1 file' }).click()
    await page.getByText('terrace.png').waitFor()
    assert.equal((await files('folder=/Field trip&filters[name]=terrace.png')).length, 1)
    assert.deepEqual(problems, [])
  })
})
