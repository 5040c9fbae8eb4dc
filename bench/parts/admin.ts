/**
 * The admin app in a browser: the size of its first load, the time until a list and a document are usable with few and
 * with many documents, and the time from a key press to the next paint with short and long dynamic zones.
 */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { openPage, signIn } from '../../admin/test/support/app.ts'
import { launchBrowser } from '../../admin/test/support/browser.ts'
import { createServer } from '../../src/http/app.ts'
import { createAccount } from '../../test/admin/team.ts'
import { writeFiles } from '../../test/support/project-folder.ts'
import { fillInBulk } from '../content/bulk.ts'
import type { Options } from '../options.ts'
import { adminLines } from '../report/lines.ts'
import type { AdminFigures, AdminSize, KeyPresses } from '../results.ts'
import { median } from '../results.ts'
import { openDatabases } from '../servers/databases.ts'
import { startOctavo } from '../servers/server-process.ts'
import { TOKEN } from '../workloads.ts'
import { copiedProject } from './workloads.ts'

/** Numbers of entries in the dynamic zone of a document. */
const ENTRIES = [10, 100, 500]
const KEYS = 30
const FIRST_KEYS = 10
const WARM_UP_KEYS = 5
const KEY_ROUNDS = 4
const PAGES = 8

/** A content-type with a dynamic zone, beside those of the benchmark. */
const PAGE_FILES = {
  'src/api/page/content-types/page/schema.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    attributes: {
      title: { type: 'string' },
      parts: { type: 'dynamiczone', components: ['part.quote', 'part.text'] },
    },
  },
  'src/components/part/quote.json': {
    info: { displayName: 'Quote' },
    attributes: { text: { type: 'string' }, source: { type: 'string' } },
  },
  'src/components/part/text.json': {
    info: { displayName: 'Text' },
    attributes: { heading: { type: 'string' }, body: { type: 'richtext' } },
  },
}

/** Measures the smallest and the largest number of documents, on SQLite. Null when there is no browser. */
export async function measureAdmin(
  { documents, rounds }: Options,
  folder: string,
): Promise<AdminFigures | null> {
  const browser = await launchBrowser()
  if (!browser) return null
  const project = copiedProject(join(folder, 'admin'))
  writeFiles(project, PAGE_FILES)
  try {
    const sizes: AdminSize[] = []
    let keyPresses: readonly KeyPresses[] = []
    let firstLoadBytes = 0
    for (const size of new Set([Math.min(...documents), Math.max(...documents)])) {
      await withServer(project, folder, size, async (address) => {
        if (sizes.length === 0) {
          firstLoadBytes = await measureFirstLoad(browser, address)
          keyPresses = await measureKeyPresses(browser, address)
        }
        const { page, context } = await openPage(browser, { base: address })
        await signIn(page, 'admin', LIST)
        sizes.push({ size, ...(await measureScreens(page, rounds)) })
        await context.close()
      })
    }
    const figures = { firstLoadBytes, sizes, keyPresses }
    for (const line of adminLines(figures)) console.log(line)
    return figures
  } finally {
    await browser.close()
  }
}

const LIST = '/admin/content/restaurants'
const ROW = 'main a[href*="/content/restaurants/"]'

async function withServer(
  project: string,
  folder: string,
  size: number,
  work: (address: string) => Promise<void>,
): Promise<void> {
  const databases = await openDatabases('sqlite', folder)
  const name = `admin${size}`
  const database = await databases.make(name)
  await fillInBulk(project, database, size)
  const server = await createServer({ project, config: { database: { url: database } }, logLevel: 'silent' })
  await createAccount(server, 'admin')
  await server.close()
  const subject = await startOctavo({ project, database })
  try {
    await work(subject.address)
  } finally {
    await subject.stop()
    await databases.remove(name)
    await databases.stop()
  }
}

/** The compressed size of all scripts until the first list is usable. */
async function measureFirstLoad(browser: Browser, address: string): Promise<number> {
  const { page, context } = await openPage(browser, { base: address })
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body).length))
  })
  await signIn(page, 'admin', LIST)
  await page.locator(ROW).first().waitFor()
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  await context.close()
  return bytes
}

/** Medians over the rounds, with the files of the app in the browser's cache. */
async function measureScreens(page: Page, rounds: number): Promise<Omit<AdminSize, 'size'>> {
  const lists: number[] = []
  const documents: number[] = []
  const pages: number[] = []
  for (let round = 0; round < rounds; round++) {
    await page.goto(LIST, { waitUntil: 'commit' })
    lists.push(await millisecondsUntil(page, ROW))
    const path = await page.locator(ROW).first().getAttribute('href')
    pages.push(...(await measurePages(page)))
    await page.goto(path ?? LIST, { waitUntil: 'commit' })
    documents.push(await millisecondsUntil(page, 'main form input, main input[type=text]'))
  }
  return { listMs: median(lists), pageMs: median(pages), documentMs: median(documents) }
}

/** Milliseconds from the start of the navigation until an element is on the page. The browser runs the text. */
const millisecondsUntil = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const look = () =>
      document.querySelector(${JSON.stringify(selector)}) ? resolve(performance.now()) : requestAnimationFrame(look)
    look()
  })`)

/** Scrolls to the end of the list again and again, each time until the next documents are there. */
async function measurePages(page: Page): Promise<readonly number[]> {
  const times: number[] = []
  for (let at = 0; at < PAGES; at++)
    times.push(
      await page.evaluate(`new Promise((resolve, reject) => {
        let scroller = document.querySelector('[role=table]').parentElement
        const before = scroller.scrollHeight
        const began = performance.now()
        scroller.scrollTop = before
        const look = () => {
          if (scroller.scrollHeight > before) resolve(performance.now() - began)
          else if (performance.now() - began > 20000) reject(new Error('The list did not grow'))
          else requestAnimationFrame(look)
        }
        look()
      })`),
    )
  return times
}

/** Rounds alternate between the documents, so that other load on the machine affects all of them. */
async function measureKeyPresses(browser: Browser, address: string): Promise<readonly KeyPresses[]> {
  const { page, context } = await openPage(browser, { base: address })
  await signIn(page, 'admin')
  await page.addInitScript(REPORT_KEYS)
  const documents = await Promise.all(
    ENTRIES.map(async (entries) => ({
      entries,
      documentId: await createPage(address, entries),
      times: [] as number[],
      slowest: [] as number[],
    })),
  )
  for (let round = 0; round < KEY_ROUNDS; round++)
    for (const { documentId, entries, times, slowest } of documents) {
      await page.goto(`/admin/content/pages/${documentId}`, { waitUntil: 'commit' })
      slowest.push(Math.max(...(await pressFirstKeys(page))))
      times.push(...(await pressKeys(page, entries)))
    }
  await context.close()
  return documents.map(({ entries, times, slowest }) => ({
    entries,
    medianMs: median(times),
    at95Ms: times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN,
    firstMs: median(slowest),
  }))
}

/** Run by the browser in each page: the time from each key press to the paint that follows it, the wait before it included. */
const REPORT_KEYS = `
  window.pressed = []
  document.addEventListener('keydown', ({ timeStamp, key }) => {
    if (key === 'a')
      requestAnimationFrame(() => setTimeout(() => window.pressed.push(performance.now() - timeStamp)))
  }, true)`

/** Presses keys and returns the time of each. */
async function timesOf(page: Page, keys: number): Promise<readonly number[]> {
  await page.evaluate('window.pressed = []')
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press('a')
    await page.evaluate(`new Promise((resolve) => {
      const look = () => (window.pressed.length > ${key} ? resolve() : setTimeout(look, 5))
      look()
    })`)
  }
  const times: readonly number[] = await page.evaluate('window.pressed')
  // Unsaved changes would be offered when the document is opened again.
  for (let key = 0; key < keys; key++) await page.keyboard.press('Control+z')
  return times
}

/** As someone does who starts to write at once, while the browser is still busy with the document. */
async function pressFirstKeys(page: Page): Promise<readonly number[]> {
  await page.getByLabel('Title').waitFor()
  await page.evaluate(`document.querySelector('main form input, main input[type=text]').focus()`)
  return timesOf(page, FIRST_KEYS)
}

/** Once everything is shown. */
async function pressKeys(page: Page, entries: number): Promise<readonly number[]> {
  // Until all entries are shown, the browser is still busy with them.
  await page
    .locator('main ol > li')
    .nth(entries - 1)
    .waitFor({ state: 'attached' })
  await page.getByLabel('Title').click()
  await page.waitForLoadState('networkidle')
  await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))')
  // While the first ones are handled, the code is compiled.
  return (await timesOf(page, KEYS)).slice(WARM_UP_KEYS)
}

async function createPage(address: string, entries: number): Promise<string> {
  const parts = Array.from({ length: entries }, (_, index) =>
    index % 2 === 0
      ? { __component: 'part.quote', text: `Quote ${index}`, source: 'Somebody' }
      : { __component: 'part.text', heading: `Part ${index}`, body: 'A paragraph of *text*. '.repeat(20) },
  )
  const response = await fetch(`${address}/api/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { title: `With ${entries} entries`, parts } }),
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(text)
  const { data }: { data: { documentId: string } } = JSON.parse(text)
  return data.documentId
}
