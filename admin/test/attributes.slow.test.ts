/** A document with every attribute type, written in a real browser: the API returns exactly what was typed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { ATTRIBUTE_TYPES } from '../../src/model/schema/read-attribute.ts'
import { type AppPage, openPage, signIn } from './support/app.ts'
import type { Field } from './support/attributes/enter.ts'
import { type SampleProject, startSamples } from './support/attributes/project.ts'
import type { Row } from './support/attributes/row.ts'
import { SCALARS, TIME_ZONE } from './support/attributes/scalars.ts'
import { STRUCTURES } from './support/attributes/structures.ts'
import { launchBrowser } from './support/browser.ts'

const ROWS: readonly Row[] = [...SCALARS, ...STRUCTURES]
const refusedWhen = (when: Row['refusedWhen']) => ROWS.filter((row) => row.refusedWhen === when)

/** Everything in the documents, with what entries refer to. */
const POPULATE = STRUCTURES.map(({ name, type }) =>
  type === 'media' || type === 'relation' ? `populate[${name}]=true` : `populate[${name}][populate]=*`,
).join('&')

const browser: Browser | null = await launchBrowser()

test('the table has every attribute type of the model', () => {
  assert.deepEqual([...new Set(ROWS.map(({ type }) => type))].sort(), [...ATTRIBUTE_TYPES].sort())
})

describe('a document with every attribute type', { skip: browser === null }, () => {
  let running: SampleProject
  let opened: AppPage
  before(async () => {
    assert.ok(browser)
    running = await startSamples(ROWS)
    opened = await openPage(browser, running, { timeZone: TIME_ZONE })
    await signIn(opened.page, 'editor', '/admin/content/samples/new')
  })
  after(async () => {
    await browser?.close()
    await running?.close()
  })

  const fieldOf = ({ name }: Row): Field => ({
    page: opened.page,
    box: opened.page.locator(`[id="field-${name}"]`),
  })
  const enterAll = async (rows: readonly Row[], which: 0 | 1) => {
    for (const row of rows) await row.enter(fieldOf(row), which)
  }
  const save = async () => {
    await opened.page.getByRole('button', { name: 'Save', exact: true }).click()
    await opened.page.getByText('All changes saved').waitFor()
  }
  const publish = async () => {
    await opened.page.getByRole('button', { name: 'Publish', exact: true }).click()
    await opened.page.getByText('All changes saved').waitFor()
    await opened.page.locator('header').getByText('Published', { exact: true }).waitFor()
  }

  test('shows while typing what cannot be sent, and does not send it', async () => {
    const { page } = opened
    for (const row of ROWS) await row.enterWrong(fieldOf(row))
    const refused = refusedWhen('typing')
    await assertProblems(page, refused)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: refused[0]?.message ?? '' })
      .last()
      .waitFor()
    assert.match(page.url(), /\/samples\/new$/)
    await enterAll(refused, 0)
  })

  test('shows at each field what the server refuses to save, and creates nothing', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await assertProblems(page, refusedWhen('saving'))
    assert.equal((await running.samples('status=draft')).length, 0)
    await enterAll(refusedWhen('saving'), 0)
    await save()
    assert.equal((await running.samples('status=draft')).length, 1)
  })

  test('shows at each field what the server refuses to publish', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await assertProblems(page, refusedWhen('publishing'))
    assert.equal((await running.samples('status=published')).length, 0)
  })

  test('is published with exactly what was typed', async () => {
    await enterAll(refusedWhen('publishing'), 0)
    await publish()
    await assertAnswers('status=published', 0)
  })

  test('is edited: readers get the new values once they are published', async () => {
    await enterAll(ROWS, 1)
    await save()
    await assertAnswers('status=draft', 1)
    await assertAnswers('status=published', 0)
    await publish()
    await assertAnswers('status=published', 1)
  })

  test('is translated: filled from the other locale, which stays as it is, and typed', async () => {
    const { page } = opened
    await page.getByRole('link', { name: /^fr/ }).click()
    await page.getByText('There is no fr version yet').waitFor()
    await page.getByRole('combobox', { name: 'Compare with' }).click()
    await page.getByRole('option', { name: 'en' }).click()
    await page.getByRole('button', { name: 'Fill all from en' }).click()
    await enterAll(SCALARS, 0)
    await publish()
    await assertAnswers('status=published&locale=fr', 0, SCALARS)
    await assertAnswers('status=published&locale=fr', 1, STRUCTURES)
    await assertAnswers('status=published', 1)
  })

  test('shows the same values when it is opened again, and has nothing to save', async () => {
    const { page } = opened
    await page.reload()
    await page.getByText('All changes saved').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled())
    assert.deepEqual(opened.problems, [])
  })

  test('keeps what is typed in blocks while the browser is too busy to draw', async () => {
    assert.ok(browser)
    const { page, context } = await openPage(browser, running)
    await signIn(page, 'editor', '/admin/content/samples/new')
    const row = ROWS.find(({ type }) => type === 'blocks')
    assert.ok(row)
    const box = page.locator(`[id="field-${row.name}"]`)
    await box.waitFor()
    await page.evaluate('requestAnimationFrame = (call) => setTimeout(() => call(performance.now()), 200)')
    await row.enter({ page, box }, 0)
    assert.equal(await box.locator('[contenteditable=true]').innerText(), 'Plain and bold')
    await context.close()
  })

  const assertAnswers = async (query: string, which: 0 | 1, rows = ROWS) => {
    const [document, ...others] = await running.samples(`${query}&${POPULATE}`)
    assert.ok(document)
    assert.equal(others.length, 0)
    const inApp = await opened.page.request.get(`/admin/api/content/samples/${document.documentId}?${query}`)
    const { data } = await inApp.json()
    for (const { name, answers, read, servedBy } of rows) {
      const expected = servedBy === 'api' ? answers[which] : undefined
      assert.deepEqual(read(document[name]), expected, `${name} in the API`)
      if (servedBy === 'admin') assert.deepEqual(read(data[name]), answers[which], `${name} in the app`)
    }
  }
})

/** Each problem is in the list, which leads to the field, and at the field; there are no others. */
async function assertProblems(page: Page, rows: readonly Row[]) {
  const count = rows.length === 1 ? '1 problem' : `${rows.length} problems`
  const list = page.getByRole('alert').filter({ has: page.getByRole('heading', { name: /problems?$/ }) })
  await list.waitFor()
  const listed = await list.getByRole('button').allInnerTexts()
  const messages = rows.map(({ message }) => message)
  assert.deepEqual(listed.map((text) => text.replace(/^[^:]+ › [^:]+: /, '')).sort(), messages.toSorted())
  assert.equal(await list.getByRole('heading').innerText(), count)
  for (const { name, message } of rows) {
    await list.getByRole('button', { name: message }).click()
    const field = `[id="field-${name}"]`
    await page
      .locator(`[id="field-${name}-error"], ${field} [role=alert], ${field} [id$="-error"]`)
      .filter({ hasText: message })
      .waitFor()
  }
}
