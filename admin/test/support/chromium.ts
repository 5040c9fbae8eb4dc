/**
 * Finds Chromium on this machine: the one of CHROME_PATH, an installed one, or on x64 Linux the one that comes as an npm
 * package, which is unpacked to the temporary folder once.
 */
import { existsSync } from 'node:fs'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The executable; null when there is none. */
export async function findChromium(): Promise<string | null> {
  const chosen = process.env.CHROME_PATH
  if (chosen !== undefined && chosen !== '') return chosen
  const installed = INSTALLED.find((path) => existsSync(path))
  if (installed !== undefined || process.platform !== 'linux' || process.arch !== 'x64')
    return installed ?? null
  const { default: bundled } = await import('@sparticuz/chromium')
  return bundled.executablePath()
}
