/**
 * Starts Chromium for the tests of the admin app: the one of CHROME_PATH, an installed one, or on x64 Linux the one that
 * comes as an npm package.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Null when there is no browser on this machine. */
async function findExecutable(): Promise<string | null> {
  const chosen = process.env.CHROME_PATH
  if (chosen !== undefined && chosen !== '') return chosen
  const installed = INSTALLED.find((path) => existsSync(path))
  if (installed !== undefined || process.platform !== 'linux' || process.arch !== 'x64')
    return installed ?? null
  const { default: bundled } = await import('@sparticuz/chromium')
  return bundled.executablePath()
}

/** In containers there is no sandbox and little shared memory. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']

const NO_BROWSER =
  'The browser tests were skipped: there is no Chromium. Install Chrome or Chromium, or set CHROME_PATH to its executable.'

/** Fails in continuous integration, where skipped tests would not be noticed. */
export async function launchBrowser(): Promise<Browser | null> {
  const executablePath = await findExecutable()
  if (executablePath !== null) return chromium.launch({ executablePath, args: ARGUMENTS, headless: true })
  if (process.env.CI) throw new Error(NO_BROWSER)
  process.stdout.write(`${NO_BROWSER}\n`)
  return null
}
