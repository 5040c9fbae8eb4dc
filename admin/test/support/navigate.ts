/** Goes to a screen as a link does. Loading the page anew would take several times as long. */
import type { Page } from 'playwright-core'

export const navigate = (page: Page, path: string): Promise<void> =>
  page.evaluate((url) => {
    history.pushState(null, '', url)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
