/** Every screen in light and dark, on a desk and on a phone: accessible, and within its budget. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { createAccount } from '../../test/admin/team.ts'
import { serve, type TestServer } from '../../test/support/server.ts'
import { type AppPage, openPage, signIn, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { launchBrowser } from './support/browser.ts'
import { navigate } from './support/navigate.ts'

const browser: Browser | null = await launchBrowser()
const FIRST_LOAD_LIMIT = 300_000

const SCREENS = [
  { name: 'start page', path: '/admin/', ready: 'Waiting to be published' },
  { name: 'list', path: '/admin/content/restaurants', ready: 'Salt & Ember' },
  { name: 'empty list', path: '/admin/content/dishes?q=nothing-like-this', ready: 'No document matches' },
  { name: 'new document', path: '/admin/content/reviews/new', ready: 'New Review' },
  { name: 'single type', path: '/admin/content/imprint', ready: 'Site name' },
  { name: 'media', path: '/admin/media', ready: '.webp' },
  { name: 'deleted documents', path: '/admin/content/dishes/deleted', ready: 'Nothing was deleted' },
  { name: 'webhooks', path: '/admin/settings/webhooks', ready: 'No webhooks yet' },
  { name: 'new webhook', path: '/admin/settings/webhooks/new', ready: 'Add header' },
  { name: 'audit log', path: '/admin/settings/audit', ready: 'session.create' },
  { name: 'jobs', path: '/admin/settings/jobs', ready: 'Delete old events' },
  { name: 'media list', path: '/admin/media?view=list&kind=document', ready: 'salt-and-ember-menu.pdf' },
  { name: 'releases', path: '/admin/releases', ready: 'No releases yet' },
  { name: 'calendar', path: '/admin/releases?view=calendar', ready: 'Nothing is planned in this month.' },
  { name: 'model', path: '/admin/model', ready: 'api::restaurant.restaurant' },
  { name: 'diagram of the model', path: '/admin/model?view=diagram', ready: 'Lines lead from' },
  { name: 'content-type', path: '/admin/model/api::restaurant.restaurant', ready: 'averageBill' },
  { name: 'view of a type', path: '/admin/content/restaurants/view', ready: 'Address of the preview' },
  { name: 'API page', path: '/admin/content/restaurants/api', ready: 'SQL statement and plan' },
  { name: 'account', path: '/admin/account', ready: 'Second factor' },
  { name: 'team', path: '/admin/settings/team', ready: 'Open invitations' },
  { name: 'roles', path: '/admin/settings/roles', ready: 'Authenticated' },
  { name: 'role', path: '/admin/settings/roles/author', ready: 'All other content-types' },
  { name: 'tokens', path: '/admin/settings/tokens', ready: 'New token' },
  { name: 'end users', path: '/admin/settings/users', ready: 'No end users yet' },
  { name: 'locales', path: '/admin/settings/locales', ready: 'config/locales.json' },
  { name: 'about', path: '/admin/settings/about', ready: 'SQLite' },
]

/** What opens over a screen. */
const OVERLAYS = [
  {
    name: 'command palette',
    path: '/admin/',
    open: async (page: Page) => {
      await page.getByText('Waiting to be published').waitFor()
      await page.keyboard.press('Control+k')
    },
    ready: 'New Article',
  },
  {
    name: 'filter builder',
    path: '/admin/content/restaurants',
    open: (page: Page) => page.getByRole('button', { name: 'Filter' }).click(),
    ready: 'Documents that match',
  },
  {
    name: 'dialog of a new token',
    path: '/admin/settings/tokens',
    open: (page: Page) => page.getByRole('button', { name: 'New token' }).click(),
    ready: 'Valid for',
  },
  {
    name: 'drawer of a new content-type',
    path: '/admin/model',
    open: (page: Page) => page.getByRole('button', { name: 'New content-type' }).click(),
    ready: 'Singular name in the API',
  },
  {
    name: 'file',
    path: '/admin/media',
    open: (page: Page) => page.getByText('plum-tart.webp').first().click(),
    ready: 'Crop and focal point',
  },
]

describe('the screens of the app', { skip: browser === null }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-screens-'))
  let running: TestServer
  before(async () => {
    running = await startApp()
  })
  after(async () => {
    await browser?.close()
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const open = (): Promise<AppPage> => {
    assert.ok(browser)
    return openPage(browser, running)
  }

  test('have no serious accessibility violation, in light and dark, wide and narrow', async () => {
    const { page, context, problems } = await open()
    await page.goto('/admin/')
    await page.getByLabel('User name or e-mail').waitFor()
    const found: string[] = []
    const check = async (name: string) => {
      for (const violation of await violations(page)) found.push(`${name}: ${violation}`)
    }
    await check('sign-in')
    for (const [path, ready] of [
      ['/admin/forgot-password', 'Reset your password'],
      ['/admin/reset-password?code=none', 'Choose a new password'],
      ['/admin/setup?token=none', 'Set up this server'],
    ] as const) {
      await navigate(page, path)
      await page.getByText(ready).first().waitFor()
      await check(path)
    }
    await signIn(page, 'admin')
    for (const { name, path, ready } of SCREENS) {
      await navigate(page, path)
      await page.getByText(ready).first().waitFor()
      await check(name)
    }
    await navigate(page, '/admin/content/restaurants')
    await page.getByRole('link', { name: 'Salt & Ember' }).click()
    await page.getByRole('toolbar', { name: 'Formatting' }).first().waitFor()
    await page.getByText('wood').first().waitFor()
    await check('document')
    for (const { name, path, open: show, ready } of OVERLAYS) {
      await navigate(page, path)
      await show(page)
      await page.getByText(ready).first().waitFor()
      await check(name)
      await page.keyboard.press('Escape')
      await page.getByText(ready).first().waitFor({ state: 'hidden' })
    }
    await page.route('**/admin/api/content/tags?*', (route) => route.fulfill({ status: 500, body: '' }))
    await navigate(page, '/admin/content/tags')
    await page.getByText('This screen could not be shown').waitFor()
    await check('error')
    assert.deepEqual(found, [])
    assert.deepEqual(problems, [])
    await context.close()
  })

  test('the first list is usable after at most 300 kB of JavaScript', async () => {
    const { page, context } = await open()
    const sizes: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body).length))
    })
    await signIn(page, 'editor', '/admin/content/restaurants')
    await page.getByRole('link', { name: 'Salt & Ember' }).waitFor()
    const loaded = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    assert.ok(loaded > 50_000 && loaded <= FIRST_LOAD_LIMIT, `${loaded} bytes`)
    await context.close()
  })

  test('show a switch that is off with the high-contrast colours of the system too', async () => {
    const { page, context } = await open()
    await page.emulateMedia({ forcedColors: 'active' })
    await signIn(page, 'editor', '/admin/media')
    const unused = page.getByRole('switch', { name: 'Unused' })
    await unused.waitFor({ state: 'attached' })
    const outline = await unused.evaluate((input) => {
      const track = input.nextElementSibling
      return track && getComputedStyle(track).outlineStyle
    })
    assert.equal(outline, 'solid')
    await context.close()
  })

  test('a link for a new password that no longer works offers another one', async () => {
    const { page, context } = await open()
    await page.goto('/admin/reset-password?code=code_expired')
    await page.getByLabel('New password').fill('another-Passw0rd')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await page.getByRole('link', { name: 'Send a new link' }).click()
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
    await context.close()
  })

  test('the keyboard alone opens a type, a document and the list of shortcuts', async () => {
    const { page, context } = await open()
    await signIn(page, 'editor')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to, create, or search content…').fill('tags')
    await page.getByRole('button', { name: 'Tags' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/content\/tags/)
    await page.getByRole('link', { name: 'in the rain' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'in the rain', level: 1 }).waitFor()
    await page.locator('main').focus()
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await context.close()
  })

  test('an editor signs in to a server that has no admin yet, and sees how to create one', async () => {
    assert.ok(browser)
    const withoutAdmin = await serve(new Map(), `sqlite:${join(folder, 'data.db')}`)
    await createAccount(withoutAdmin.server, 'editor')
    const { page, context } = await openPage(browser, withoutAdmin)
    await page.goto('/admin/')
    await page.getByText('This server has no administrator yet.').waitFor()
    await signIn(page, 'editor')
    await context.close()
    await withoutAdmin.close()
  })

  test('an author is not offered what the server refuses', async () => {
    const { page, context } = await open()
    await signIn(page, 'author', '/admin/content/dishes')
    await page.getByRole('link', { name: 'Plum tart' }).click()
    await page.getByRole('heading', { name: 'Plum tart' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Publish' }).count(), 0)
    await context.close()
  })
})
