/**
 * Finds accessibility violations of a screen with axe, in light and dark, at 1280 and at 390 pixels wide. The screen stays
 * open while its size and colours change.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const WIDTHS = { wide: 1280, narrow: 390 }

interface Look {
  readonly width: keyof typeof WIDTHS
  readonly scheme: 'light' | 'dark'
  /** Otherwise only the contrast of texts that this scheme has not shown yet. */
  readonly withAllRules: boolean
}

/** Ends with the look after which the second order begins, and the other way round: each step changes one thing. */
const ORDERS: readonly (readonly Look[])[] = [
  [
    { width: 'wide', scheme: 'light', withAllRules: true },
    { width: 'narrow', scheme: 'light', withAllRules: false },
    { width: 'narrow', scheme: 'dark', withAllRules: true },
    { width: 'wide', scheme: 'dark', withAllRules: false },
  ],
  [
    { width: 'wide', scheme: 'dark', withAllRules: true },
    { width: 'narrow', scheme: 'dark', withAllRules: false },
    { width: 'narrow', scheme: 'light', withAllRules: true },
    { width: 'wide', scheme: 'light', withAllRules: false },
  ],
]

/**
 * The serious and critical violations of a page, each with how the page was shown and the element it is in. All rules are
 * checked once wide and once narrow, each in another scheme. Colours do not depend on the width, so what remains is the
 * contrast of texts that the first width did not show.
 */
export async function violations(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  for (const look of ORDERS[isDark ? 1 : 0] ?? []) {
    await page.emulateMedia({ colorScheme: look.scheme })
    await page.setViewportSize({ width: WIDTHS[look.width], height: 800 })
    // The app applies the scheme, and virtual lists their size, after the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    found.push(...(await violationsAs(page, look)))
  }
  return found
}

async function violationsAs(page: Page, { width, scheme, withAllRules }: Look): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const found = await page.evaluate(
    async ({ scheme, withAllRules }) => {
      // The texts whose contrast was checked in this scheme, with the tag that they had then.
      const key = `checked in ${scheme}`
      const checked: WeakMap<Element, string> = Reflect.get(window, key) ?? new WeakMap()
      Reflect.set(window, key, checked)
      const tagOf = (element: Element) => {
        const copy = element.cloneNode(false)
        return copy instanceof Element ? copy.outerHTML : ''
      }
      const hasText = (element: Element) =>
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
      const texts = [...document.body.querySelectorAll('*')].filter(
        (element) =>
          hasText(element) &&
          element.checkVisibility({ visibilityProperty: true }) &&
          checked.get(element) !== tagOf(element),
      )
      for (const element of texts) checked.set(element, tagOf(element))
      const overflow =
        document.documentElement.scrollWidth > window.innerWidth ? ['overflow: wider than the window'] : []
      if (!withAllRules && texts.length === 0) return overflow
      const axe: unknown = Reflect.get(window, 'axe')
      const run: unknown = typeof axe === 'object' && axe !== null ? Reflect.get(axe, 'run') : null
      if (typeof run !== 'function') throw new Error('axe is not loaded')
      const result = await run(withAllRules ? document : { include: texts }, {
        resultTypes: ['violations'],
        // Spares a request for each stylesheet, and paths that nobody reads.
        preload: false,
        selectors: false,
        ...(!withAllRules && { runOnly: ['color-contrast'] }),
      })
      return [
        ...overflow,
        ...result.violations
          .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
          .flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
            nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
          ),
      ]
    },
    { scheme, withAllRules },
  )
  return found.map((violation: string) => `${scheme}, ${width}: ${violation}`)
}
