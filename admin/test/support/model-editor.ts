/** What a developer does in the model editor, step by step. */
import type { Locator, Page } from 'playwright-core'
import { navigate } from './navigate.ts'

/** Chooses an option of a field with a list. */
export const choose = async (page: Page, within: Locator, label: string, option: string) => {
  await within.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

/** Adds a content-type or component to the unsaved changes, and opens it. */
export const createSchema = async (page: Page, kind: 'content-type' | 'component', name: string) => {
  await navigate(page, '/admin/model')
  await page.getByRole('button', { name: `New ${kind}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

/** Opens the form of a new attribute, with its name filled in. */
export const startAttribute = async (page: Page, type: string, name: string): Promise<Locator> => {
  await page.getByRole('button', { name: 'Add attribute' }).click()
  await page.getByPlaceholder('Search: text, date, image…').fill(type)
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: /^New attribute/ })
  await form.getByLabel('Name', { exact: true }).fill(name)
  return form
}

export const addAttribute = async (form: Locator) => {
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.waitFor({ state: 'detached' })
}

/** Opens the summary of the unsaved changes. */
export const reviewModel = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Review and save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Review the changes' })
  await dialog.getByText('What clients of the API will notice').waitFor()
  return dialog
}

export const saveModel = async (page: Page, dialog: Locator) => {
  await dialog.getByRole('button', { name: /^Save/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('The model is saved').first().waitFor()
}
