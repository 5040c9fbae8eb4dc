/** Several tabs and people in one browser, and parts of the app that cannot be loaded. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestServer } from '../../test/support/server.ts'
import { type AppPage, fillSignIn, openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'
import { navigate } from './support/navigate.ts'

const browser: Browser | null = await launchBrowser()

describe('an editor with several tabs', { skip: browser === null }, () => {
  let running: TestServer
  let opened: AppPage
  let tab: Page
  before(async () => {
    assert.ok(browser)
    running = await startApp(['admin', 'editor'])
    opened = await openPage(browser, running)
    await signIn(opened.page, 'editor')
    tab = await opened.context.newPage()
    tab.setDefaultTimeout(15_000)
    await tab.goto('/admin/')
    await tab.locator('main#content').waitFor()
  })
  after(async () => {
    await browser?.close()
    await running.close()
  })

  const openLowTide = async (page: Page) => {
    await navigate(page, '/admin/content/restaurants')
    await page.getByRole('link', { name: 'Low Tide', exact: true }).click()
    await page.getByLabel('Tagline').waitFor()
  }
  const signOut = async (page: Page, name: string) => {
    await page.getByRole('button', { name }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('User name or e-mail').waitFor()
  }

  test('does not save as another person who has signed in in another tab', async () => {
    const { page } = opened
    await openLowTide(page)
    await page.getByLabel('Tagline').fill('Written by the editor')
    await signOut(tab, 'editor')
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByText('Your session has ended').waitFor()
    await fillSignIn(tab, 'admin')
    await tab.locator('main#content').waitFor()
    await dialog.getByText('Someone else has signed in').waitFor()
    await fillSignIn(page, 'editor')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All changes saved').waitFor()
    await page.getByText(/^Changed .* by editor$/).waitFor()
  })

  test('uses the other tab with the same account again', async () => {
    const dialog = tab.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByText('Someone else has signed in').waitFor()
    await dialog.getByRole('button', { name: 'Use this tab with the other account' }).click()
    await tab.getByRole('heading', { name: 'Good to see you, editor' }).waitFor()
  })

  test('stays in the app when a part of it cannot be loaded, and finds everything after a reload', async () => {
    const { page, context } = opened
    await tab.close()
    await openLowTide(page)
    await page.getByLabel('Tagline').fill('Not saved yet')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const notice = page.getByText('What you write is kept; save it when this message is gone.')
    await notice.waitFor()
    await page.waitForFunction(() => {
      const at = document.querySelector('[data-connection-lost]')?.getBoundingClientRect()
      const shown = document.querySelector('[role="alert"]')?.getBoundingClientRect()
      return at !== undefined && shown !== undefined && shown.bottom <= at.top
    })
    await page.getByRole('link', { name: 'Releases' }).click()
    await page.getByText('A part of the app could not be loaded').waitFor()
    await page.getByRole('link', { name: 'Home' }).waitFor()
    await context.setOffline(false)
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByText('No releases yet').waitFor()
    await openLowTide(page)
    await page.getByText(/^Your unsaved changes/).waitFor()
    assert.equal(await page.getByLabel('Tagline').inputValue(), 'Not saved yet')
  })

  test('is offered a reload when the editor of a field belongs to an older version of the app', async () => {
    const { page, context } = opened
    await page.goto('/admin/')
    await page.locator('main#content').waitFor()
    const isEditor = (url: URL) => url.pathname.includes('/assets/blocks-editor')
    await context.route(isEditor, (route) => route.fulfill({ status: 404 }))
    await navigate(page, '/admin/content/restaurants')
    await page.getByRole('link', { name: 'Low Tide', exact: true }).click()
    await page.getByText('A part of the app could not be loaded').waitFor()
    await context.unroute(isEditor)
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('textbox', { name: 'Description' }).waitFor()
    assert.equal(await page.getByLabel('Tagline').inputValue(), 'Not saved yet')
  })
})
