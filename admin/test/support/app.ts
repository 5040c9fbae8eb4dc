/** The demo project with a team, and pages of a browser that are signed in to its admin app. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { loadContent } from '../../../src/cli/start/demo-content.ts'
import { createAccount, PASSWORD, type TeamRole } from '../../../test/admin/team.ts'
import { serve, type TestServer } from '../../../test/support/server.ts'

const DEMO = new URL('../../../examples/restaurants/', import.meta.url)

/** Starts the demo with an account for each of these roles, on SQLite unless a database is given. */
export async function startApp(
  roles: readonly TeamRole[] = ['admin', 'editor', 'author'],
  database?: string,
): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-admin-'))
  const running = await serve(DEMO, database ?? `sqlite:${join(folder, 'data.db')}`)
  await loadContent(running.server)
  for (const role of roles) await createAccount(running.server, role)
  await createAccount(running.server, 'editor', 'second')
  return {
    ...running,
    async close() {
      await running.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface AppPage {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser reported: uncaught errors, and violations of the page's policy. */
  readonly problems: readonly string[]
}

export async function openPage(
  browser: Browser,
  { base }: Pick<TestServer, 'base'>,
  options: { readonly width?: number; readonly dark?: boolean; readonly timeZone?: string } = {},
): Promise<AppPage> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...(options.timeZone !== undefined && { timezoneId: options.timeZone }),
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  return { page, context, problems }
}

/** Signs in with the form, and waits for the start page. */
export async function signIn(page: Page, identifier: TeamRole | 'second', path = '/admin/'): Promise<void> {
  await page.goto(path)
  await fillSignIn(page, identifier)
  await page.locator('main#content').waitFor()
}

export async function fillSignIn(page: Page, identifier: string): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(identifier)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
