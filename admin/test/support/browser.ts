/** Starts Chromium for the tests of the admin app. */
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './chromium.ts'

/** A name of this machine that browsers do not trust as they trust localhost. */
export const PLAIN_HOST = 'octavo.test'

/** In containers there is no sandbox and little shared memory. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
]

const NO_BROWSER =
  'The browser tests were skipped: there is no Chromium. Install Chrome or Chromium, or set CHROME_PATH to its executable.'

/** Fails in continuous integration, where skipped tests would not be noticed. */
export async function launchBrowser(): Promise<Browser | null> {
  const executablePath = await findChromium()
  if (executablePath !== null) return chromium.launch({ executablePath, args: ARGUMENTS, headless: true })
  if (process.env.CI) throw new Error(NO_BROWSER)
  process.stdout.write(`${NO_BROWSER}\n`)
  return null
}
