/** An admin looks after the server in the settings, in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { encode } from 'uqr'
import { totpCode, totpStep } from '../../src/access/team/totp.ts'
import { PASSWORD } from '../../test/admin/team.ts'
import type { TestServer } from '../../test/support/server.ts'
import { type AppPage, fillSignIn, openPage, signIn, startApp } from './support/app.ts'
import { launchBrowser } from './support/browser.ts'

const browser: Browser | null = await launchBrowser()

describe('the settings', { skip: browser === null }, () => {
  let running: TestServer
  let admin: AppPage
  before(async () => {
    running = await startApp()
    admin = await open()
    await signIn(admin.page, 'admin')
  })
  after(async () => {
    assert.deepEqual(admin.problems, [])
    await browser?.close()
    await running.close()
  })
  const open = (): Promise<AppPage> => {
    assert.ok(browser)
    return openPage(browser, running)
  }
  const openSection = async (page: Page, name: string) => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }
  const chooseFrom = async (page: Page, row: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${row}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('an editor is not offered settings, and finds nothing at their address', async () => {
    const { page, context } = await open()
    await signIn(page, 'editor')
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to, create, or search content…').fill('api tokens')
    await page.getByText('Nothing found').waitFor()
    await page.goto('/admin/settings/team')
    await page.getByText('Not found').waitFor()
    await context.close()
  })

  test('an admin invites someone before the roles have loaded, who joins with the link', async () => {
    const { page } = admin
    const invited = Promise.withResolvers<void>()
    await page.route('**/admin/api/roles', async (route) => {
      await invited.promise
      await route.continue()
    })
    await openSection(page, 'Team')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('joan@example.test')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = await page.getByText('/admin/invitation?code=').innerText()
    invited.resolve()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke the invitation of joan@example.test' }).waitFor()
    const other = await open()
    await other.page.goto(link.slice(link.indexOf('/admin/')))
    await other.page.getByLabel('User name').fill('joan')
    await other.page.getByLabel('Password').first().fill('A-long-Passw0rd')
    await other.page.getByRole('button', { name: 'Create account' }).click()
    await other.page.locator('main#content').waitFor()
    await page.reload()
    await page.getByRole('cell', { name: 'joan joan@example.test' }).waitFor()
    await page.getByText('No open invitations').waitFor()
    await other.context.close()
  })

  test('what was typed in a dialog stays without a connection, and when the session has ended', async () => {
    const { page, context, problems } = await open()
    await signIn(page, 'admin', '/admin/settings/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('Name').fill('kept')
    const create = dialog.getByRole('button', { name: 'Create token' })
    await context.setOffline(true)
    await create.click()
    await dialog.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor()
    await context.setOffline(false)
    await context.clearCookies()
    await create.click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.waitFor()
    await page.keyboard.press('Escape')
    await again.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog', { name: 'Copy the token now' }).waitFor()
    assert.deepEqual(problems, [])
    await context.close()
  })

  test('an admin blocks a person, whose session ends, and unblocks them', async () => {
    const { page } = admin
    const other = await open()
    await signIn(other.page, 'second')
    await openSection(page, 'Team')
    await chooseFrom(page, 'second', 'Block')
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
    await page.getByText('Blocked').waitFor()
    await other.page.getByRole('link', { name: 'Tags' }).click()
    await other.page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await chooseFrom(page, 'second', 'Unblock')
    await page.getByText('Blocked').waitFor({ state: 'detached' })
    await fillSignIn(other.page, 'second')
    await other.page.getByRole('link', { name: 'in the rain' }).waitFor()
    await other.context.close()
  })

  test('the only admin cannot be deleted, and the dialog says why', async () => {
    const { page } = admin
    await openSection(page, 'Team')
    await chooseFrom(page, 'admin', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This is the only admin').waitFor()
    await page.keyboard.press('Escape')
  })

  test('an admin makes a role, limits it to some documents and attributes, and sees what it sees', async () => {
    const { page } = admin
    await openSection(page, 'Roles')
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByLabel('Name').fill('Tag reader')
    await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click()
    await page.getByRole('heading', { name: 'Tag reader', level: 1 }).waitFor()
    await page.getByRole('checkbox', { name: 'List, Tags: not permitted' }).click()
    await page.getByRole('checkbox', { name: 'List, Tags: permitted' }).waitFor()
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Permissions on Tags' })
    await drawer.getByRole('combobox', { name: 'Documents: List' }).click()
    await page.getByRole('option', { name: 'Documents that match' }).click()
    await drawer.getByText('Complete the condition').waitFor()
    assert.ok(await drawer.getByRole('button', { name: 'Apply' }).isDisabled())
    await drawer.getByRole('textbox', { name: 'Value' }).fill('rain')
    await drawer.getByText('The server accepts this rule.').waitFor()
    await drawer.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('checkbox', { name: 'List, Tags: permitted with conditions' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('button', { name: 'See as this role' }).click()
    const seen = page.getByRole('dialog', { name: 'What Tag reader sees' })
    await seen.getByText('This role may not list these documents').waitFor()
    await seen.getByRole('combobox', { name: 'Content-type' }).click()
    await page.getByRole('option', { name: 'Tags' }).click()
    await seen.getByText('1 document', { exact: true }).waitFor()
    await seen.getByRole('cell', { name: 'in the rain' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('a rule that the server refuses is explained and cannot be applied', async () => {
    const { page } = admin
    await page.goto('/admin/settings/roles/author')
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Permissions on Tags' })
    await drawer.getByRole('button', { name: 'Edit as JSON' }).first().click()
    const json = drawer.getByLabel('Filters as JSON')
    assert.match(await json.inputValue(), /\$user\.id/)
    await json.fill('{ "lable": { "$eq": "x" } }')
    await drawer.getByText('lable').last().waitFor()
    await drawer.getByText(/did you mean/i).waitFor()
    assert.ok(await drawer.getByRole('button', { name: 'Apply' }).isDisabled())
    await drawer.getByRole('button', { name: 'Cancel' }).click()
  })

  test('a content-type returns to the permissions of all others, and rules on files are made with conditions', async () => {
    const { page } = admin
    await page.goto('/admin/settings/roles/author')
    await page.getByRole('checkbox', { name: 'Delete, Dishes: permitted with conditions' }).click()
    const dishes = page.getByRole('dialog', { name: 'Permissions on Dishes' })
    assert.equal(await dishes.getByText('Use those of all other content-types').count(), 0)
    await dishes.getByRole('switch', { name: 'Delete' }).click()
    await dishes.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Dishes', exact: true }).click()
    await dishes.getByRole('button', { name: 'Use those of all other content-types' }).click()
    await page.getByRole('checkbox', { name: 'Delete, Dishes: permitted with conditions' }).waitFor()
    await page.getByRole('button', { name: 'Files', exact: true }).click()
    const files = page.getByRole('dialog', { name: 'Permissions on Files' })
    await files.getByRole('combobox', { name: 'Documents: List' }).click()
    await page.getByRole('option', { name: 'Documents that match' }).click()
    await files.getByRole('textbox', { name: 'Value' }).fill('press')
    await files.getByText('The server accepts this rule.').first().waitFor()
    await files.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('checkbox', { name: 'List, Files: permitted with conditions' }).waitFor()
    await page.getByRole('checkbox', { name: 'Delete, Dishes: permitted with conditions' }).waitFor()
  })

  test('a role is renamed and deleted', async () => {
    const { page } = admin
    await page.goto('/admin/settings/roles/tag-reader')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Rain reader')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Rain reader', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Rain reader' }).waitFor({ state: 'detached' })
  })

  test('an admin creates an end user, finds them, and deletes them', async () => {
    const { page } = admin
    await openSection(page, 'End users')
    await page.getByRole('button', { name: 'New user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('User name').fill('mira')
    await dialog.getByLabel('E-mail', { exact: true }).fill('mira@example.test')
    await dialog.getByRole('textbox', { name: 'Password' }).fill('password')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('textbox', { name: 'Password' }).fill('A-long-Passw0rd')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('cell', { name: 'mira mira@example.test' }).waitFor()
    await page.getByRole('textbox', { name: 'Search by name' }).fill('nobody')
    await page.getByText('No user matches').waitFor()
    await page.getByRole('textbox', { name: 'Search by name' }).fill('mira')
    await chooseFrom(page, 'mira', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No user matches').waitFor()
  })

  test('an admin creates a token with permissions of its own, which works until it is deleted', async () => {
    const { page } = admin
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to, create, or search content…').fill('api tok')
    await page.getByRole('button', { name: 'API tokens' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'API tokens', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('importer')
    await dialog.getByRole('radio', { name: 'Custom' }).check()
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('Permit at least one action.').waitFor()
    await dialog.getByRole('checkbox', { name: 'List, Tags: not permitted' }).click()
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Copy the token now').waitFor()
    const [secret = '', command = ''] = await page.getByRole('dialog').locator('code').allInnerTexts()
    const address = /"(http[^"]*)"$/.exec(command)?.[1] ?? ''
    const read = (url: string) => fetch(url, { headers: { authorization: `Bearer ${secret}` } })
    assert.match(address, /\/api\/tags$/)
    assert.equal((await read(address)).status, 200)
    assert.equal((await read(`${running.base}/api/dishes`)).status, 403)
    await page.getByRole('button', { name: 'Done' }).click()
    assert.ok(!(await page.content()).includes(secret))
    await chooseFrom(page, 'importer', 'Regenerate')
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click()
    await page.getByText('Copy the token now').waitFor()
    const [replaced = ''] = await page.getByRole('dialog').locator('code').allInnerTexts()
    await page.getByRole('button', { name: 'Done' }).click()
    assert.equal((await read(address)).status, 401)
    const headers = { authorization: `Bearer ${replaced}` }
    assert.equal((await fetch(address, { headers })).status, 200)
    await chooseFrom(page, 'importer', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Actions for importer' }).waitFor({ state: 'detached' })
    assert.equal((await fetch(address, { headers })).status, 401)
  })

  test('an admin adds a locale, names it, makes it the default, and removes another with its content', async () => {
    const { page } = admin
    await openSection(page, 'Locales')
    await page.getByRole('button', { name: 'Add locale' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Code').fill('no code')
    await dialog.getByRole('button', { name: 'Add locale' }).click()
    await dialog.getByText(/"no code" is not a locale code/).waitFor()
    await dialog.getByLabel('Code').fill('pt-BR')
    assert.equal(await dialog.getByLabel('Name').getAttribute('placeholder'), 'Brazilian Portuguese')
    await dialog.getByRole('button', { name: 'Add locale' }).click()
    await chooseFrom(page, 'Brazilian Portuguese', 'Rename')
    await dialog.getByLabel('Name').fill('Brasil')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await chooseFrom(page, 'Brasil', 'Make it the default')
    await page.getByText('Brasil is the default locale').waitFor()
    await chooseFrom(page, 'French', 'Remove')
    await dialog.getByText(/^Restaurants: \d+ documents?$/).waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Remove' }).isDisabled())
    await dialog.getByLabel('Type fr to confirm').fill('fr')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Actions for French' }).waitFor({ state: 'detached' })
    const { data }: { data: readonly { code: string; name: string; isDefault: boolean }[] } = await (
      await page.request.get('/admin/api/locales')
    ).json()
    assert.deepEqual(data, [
      { code: 'en', name: null, isDefault: false },
      { code: 'pt-BR', name: 'Brasil', isDefault: true },
    ])
    await chooseFrom(page, 'English', 'Make it the default')
    await page.getByText('English is the default locale').waitFor()
  })

  test('an author turns the second factor on with a QR code, and signs in with a code', async () => {
    const { page, context, problems } = await open()
    await signIn(page, 'author', '/admin/account')
    const section = page.locator('section').filter({ hasText: 'Second factor' })
    await section.getByLabel('Current password').fill(PASSWORD)
    await section.getByRole('button', { name: 'Turn on' }).click()
    const key = section.getByRole('link', { name: /^Key: / })
    const uri = await key.getAttribute('href')
    const drawn = await section
      .getByRole('img', { name: 'QR code with the key' })
      .locator('path')
      .getAttribute('d')
    const { data } = encode(uri ?? '', { ecc: 'M', border: 4 })
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}`] : [])))
    assert.deepEqual(drawn?.match(/M\d+ \d+/g), dark)
    const secret = (await key.innerText()).replaceAll(' ', '')
    assert.equal(new URL(uri ?? '').searchParams.get('secret'), secret)
    // Of this step and the next: these stay valid when a step ends between here and the server.
    const code = (offset: number) => totpCode(secret, totpStep(Date.now()) + offset)
    await section.getByLabel('One-time code').fill(code(0))
    await section.getByRole('button', { name: 'Confirm' }).click()
    const recoveryCodes = section.getByRole('list', { name: 'Recovery codes' })
    await recoveryCodes.waitFor()
    assert.equal(await recoveryCodes.getByRole('listitem').count(), 10)
    await context.clearCookies()
    await page.goto('/admin/')
    await fillSignIn(page, 'author')
    await page.getByLabel('One-time code').fill(code(1))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('main#content').waitFor()
    assert.deepEqual(problems, [])
    await context.close()
  })
})
