/** Takes the pictures of the admin app in the guides. Run by hand when a screen changes; its output is committed. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { openPage, signIn, startApp } from '../admin/test/support/app.ts'
import { launchBrowser } from '../admin/test/support/browser.ts'

const OUTPUT = path.join(import.meta.dirname, '../docs/pictures')
const QUALITY = 80

interface Screen {
  readonly name: string
  readonly path: string
  /** A text of the complete screen. */
  readonly ready: string
  /** What is done before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

const SCREENS: readonly Screen[] = [
  { name: 'home', path: '/admin/', ready: 'Waiting to be published' },
  { name: 'list', path: '/admin/content/restaurants', ready: 'Salt & Ember' },
  {
    name: 'document',
    path: '/admin/content/restaurants',
    ready: 'Salt & Ember',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Salt & Ember' }).click()
      await page.getByRole('toolbar', { name: 'Formatting' }).first().waitFor()
    },
  },
  { name: 'media', path: '/admin/media', ready: 'plum-tart.webp' },
  { name: 'model', path: '/admin/model/api::restaurant.restaurant', ready: 'tagline' },
  { name: 'view', path: '/admin/content/restaurants/view', ready: 'Address of the preview' },
  { name: 'roles', path: '/admin/settings/roles/editor', ready: 'All other content-types' },
  { name: 'api', path: '/admin/content/restaurants/api', ready: 'Endpoints' },
]

const browser = await launchBrowser()
if (!browser) process.exit(1)
mkdirSync(OUTPUT, { recursive: true })
const running = await startApp()
try {
  for (const scheme of ['light', 'dark']) {
    const { page, context } = await openPage(browser, running, { dark: scheme === 'dark' })
    await signIn(page, 'admin')
    for (const screen of SCREENS) {
      await page.goto(screen.path)
      await page.getByText(screen.ready).first().waitFor()
      await screen.prepare?.(page)
      await page.mouse.move(0, 0)
      await page.waitForLoadState('networkidle')
      const file = path.join(OUTPUT, `admin-${screen.name}-${scheme}.webp`)
      await sharp(await page.screenshot())
        .webp({ quality: QUALITY })
        .toFile(file)
      console.log(path.relative(process.cwd(), file))
    }
    await context.close()
  }
} finally {
  await browser.close()
  await running.close()
}
