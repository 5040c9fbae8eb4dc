/** Names the browser of a session. */
import { texts } from '../../texts.ts'

/** Most specific first: Edge and Opera call themselves Chrome too, and Chrome calls itself Safari. */
const BROWSERS = [
  { pattern: /Edg\w*\/(\d+)/, name: 'Edge' },
  { pattern: /OPR\/(\d+)/, name: 'Opera' },
  { pattern: /Firefox\/(\d+)/, name: 'Firefox' },
  { pattern: /(?:Headless)?Chrome\/(\d+)/, name: 'Chrome' },
  { pattern: /Version\/(\d+)[.\d]* .*Safari/, name: 'Safari' },
]

const SYSTEMS = [
  { pattern: /Android/, name: 'Android' },
  { pattern: /iPhone|iPad/, name: 'iOS' },
  { pattern: /Windows/, name: 'Windows' },
  { pattern: /Mac OS X/, name: 'macOS' },
  { pattern: /Linux/, name: 'Linux' },
]

/** Such as "Firefox 140, Linux"; the user agent itself when it is none of those. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return texts.account.unknownBrowser
  const browser = BROWSERS.flatMap(({ pattern, name }) => {
    const version = pattern.exec(userAgent)?.[1]
    return version === undefined ? [] : `${name} ${version}`
  })[0]
  const system = SYSTEMS.find(({ pattern }) => pattern.test(userAgent))?.name
  return browser === undefined ? userAgent : [browser, system].filter(Boolean).join(', ')
}
