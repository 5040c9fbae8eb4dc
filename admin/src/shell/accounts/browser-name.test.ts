import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from './browser-name.ts'

test('a session is named by its browser and system', () => {
  const names = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox 140, Linux',
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36 Edg/130.0':
      'Edge 130, Windows',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_1) AppleWebKit/605 Version/17.1 Safari/605':
      'Safari 17, macOS',
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36':
      'Chrome 126, Android',
    'curl/8.5.0': 'curl/8.5.0',
  }
  for (const [userAgent, name] of Object.entries(names)) assert.equal(browserName(userAgent), name)
})
