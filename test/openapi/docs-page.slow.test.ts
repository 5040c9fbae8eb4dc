/** The page at /docs in a browser. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { launchBrowser } from '../../admin/test/support/browser.ts'
import { PROJECT, TOKENS } from '../access/project.ts'
import { serve } from '../support/server.ts'

it('the upload form works as it is prefilled: choosing a file is enough', async () => {
  const browser = await launchBrowser()
  if (!browser) return
  const folder = mkdtempSync(join(tmpdir(), 'octavo-docs-'))
  const running = await serve(PROJECT, `sqlite:${join(folder, 'data.db')}`)
  try {
    const page = await browser.newPage()
    await page.addInitScript(`sessionStorage.setItem('octavo.docs.token', '${TOKENS.full}')`)
    await page.goto(`${running.base}/docs`)
    await page.locator('#operations-tag-Upload').click()
    const form = page.locator('#operations-Upload-uploadFiles')
    await form.locator('.opblock-summary-control').click()
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    await form.locator('input[type=file]').setInputFiles(file)
    const sent = page.waitForResponse((response) => response.request().method() === 'POST')
    await form.getByRole('button', { name: 'Execute' }).click()
    const response = await sent
    const text = await response.text()
    assert.equal(response.status(), 201, text)
    assert.match(text, /"name":"note\.txt"/)
  } finally {
    await browser.close()
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
