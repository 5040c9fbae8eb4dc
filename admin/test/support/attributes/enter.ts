/** Fills in the field of an attribute as a person does, whatever it contained before: one function per kind of editor. */
import type { Locator, Page } from 'playwright-core'

/** The field of an attribute in the form of a document. */
export interface Field {
  readonly page: Page
  /** The input, or the group around an editor that is more than an input. */
  readonly box: Locator
}

export type Enter<Input> = (field: Field, input: Input) => Promise<void>

export const enterText: Enter<string> = ({ box }, text) => box.fill(text)

export const enterChoice: Enter<string> = async ({ page, box }, choice) => {
  await box.click()
  await page.getByRole('option', { name: choice, exact: true }).click()
}

export const enterSwitch: Enter<boolean> = async ({ box }, isOn) => {
  if ((await box.isChecked()) !== isOn) await box.press('Space')
}

/** Markdown and JSON. */
export const enterCode: Enter<string> = async ({ page, box }, text) => {
  await box.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(text)
}

interface BlockInput {
  /** As the toolbar names it. */
  readonly kind: string
  readonly text: string
  readonly bold?: string
}

export const enterBlocks: Enter<readonly BlockInput[]> = async ({ page, box }, blocks) => {
  await box.locator('[contenteditable=true]').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  for (const [index, { kind, text, bold }] of blocks.entries()) {
    if (index > 0) await page.keyboard.press('Enter')
    await box.getByRole('combobox', { name: 'Kind of block' }).click()
    await page.getByRole('option', { name: kind, exact: true }).click()
    await page.keyboard.type(text)
    if (bold === undefined) continue
    await box.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.type(bold)
  }
}

const removeAll = async (box: Locator) => {
  const remove = box.getByRole('button', { name: /^Remove: / })
  while ((await remove.count()) > 0) await remove.first().click()
}

/** Related documents in their order, by name. */
export const enterRelated: Enter<readonly string[]> = async ({ page, box }, names) => {
  await removeAll(box)
  for (const name of names) {
    await box.getByPlaceholder('Search to add…').fill(name)
    // Before the search, the list has other documents too.
    await page.getByRole('option').nth(1).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
    await box.getByRole('button', { name: `Remove: ${name}` }).waitFor()
  }
}

interface FileInput {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export const uploadFiles: Enter<readonly FileInput[]> = async ({ box }, files) => {
  await removeAll(box)
  for (const file of files) {
    await box.locator('input[type=file]').setInputFiles(file)
    await box.getByText(file.name).waitFor()
  }
}

/** Several files of the library, by name, in this order. */
export const chooseFiles: Enter<readonly string[]> = async ({ page, box }, names) => {
  await removeAll(box)
  await box.getByRole('button', { name: 'Choose from library' }).click()
  const library = page.getByRole('dialog', { name: 'Media library' })
  for (const name of names) await library.getByRole('button', { name }).click()
  await library.getByRole('button', { name: /^Choose \d/ }).click()
  await library.waitFor({ state: 'detached' })
}

/** The values of an entry by their labels; a list of names is a relation. */
export type EntryInput = Readonly<Record<string, string | readonly string[]>>

const enterEntry = async (page: Page, entry: Locator, values: EntryInput) => {
  for (const [label, value] of Object.entries(values)) {
    if (typeof value === 'string') await entry.getByLabel(label).fill(value)
    else await enterRelated({ page, box: entry.getByRole('group', { name: label }) }, value)
  }
}

export const enterComponent: Enter<EntryInput> = async ({ page, box }, values) => {
  const add = box.getByRole('button', { name: /^Add / })
  if ((await add.count()) > 0) await add.click()
  await enterEntry(page, box, values)
}

const removeEntries = async ({ page, box }: Field) => {
  const entries = box.locator(':scope > ol > li')
  while ((await entries.count()) > 0) {
    await entries.first().getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
  }
}

export const enterEntries: Enter<readonly EntryInput[]> = async (field, entries) => {
  const { page, box } = field
  await removeEntries(field)
  for (const values of entries) {
    await box.getByRole('button', { name: 'Add entry' }).click()
    await enterEntry(page, box.locator(':scope > ol > li').last(), values)
  }
}

interface ZoneEntryInput {
  readonly component: string
  readonly values: EntryInput
}

export const enterZone: Enter<readonly ZoneEntryInput[]> = async (field, entries) => {
  const { page, box } = field
  await removeEntries(field)
  for (const { component, values } of entries) {
    await box.getByRole('button', { name: 'Add component' }).click()
    await page.getByPlaceholder('Search components…').fill(component)
    await page.keyboard.press('Enter')
    await enterEntry(page, box.locator(':scope > ol > li').last(), values)
  }
}
