import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assetsBeside } from './routes.ts'

test('the assets of the page are found in a folder of any name', () => {
  for (const folder of ['/srv/c#/app', '/srv/what?/app', '/srv/100%25 sure/app']) {
    const assets = assetsBeside(`${folder}/package.json`)
    assert.equal(fileURLToPath(new URL('swagger-ui.css', assets)), `${folder}/static/swagger-ui.css`)
  }
})
