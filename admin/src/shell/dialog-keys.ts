/** Keyboard behaviour of dialogs that the component library does not cover: Escape with several open, and the focus afterwards. */

const DIALOG = '[role="dialog"][aria-modal="true"]'
const OVERLAY = `${DIALOG}, [role="menu"]`

/** Focused elements that may be returned to. */
const REMEMBERED = 20

/** Must be installed before the first dialog listens for keys itself. */
export function installDialogKeys(): void {
  window.addEventListener('keydown', closeDialogOnTop, { capture: true })
  returnFocus()
}

/** Otherwise, every open dialog closes: a question, and the form below it with what was typed. */
function closeDialogOnTop(event: KeyboardEvent): void {
  const dialogs = [...document.querySelectorAll(DIALOG)]
  const isForPopover =
    event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true'
  if (event.key !== 'Escape' || event.isComposing || isForPopover || dialogs.length < 2) return
  event.stopImmediatePropagation()
  // The one on top has the focus. If it cannot be dismissed, it has no such button.
  const onTop = document.activeElement?.closest(DIALOG) ?? dialogs.at(-1)
  onTop?.querySelector<HTMLElement>('.mantine-Modal-close, .mantine-Drawer-close')?.click()
}

/**
 * A dialog that was opened from a menu would return the focus to the item of the menu, which is no longer there, and one that
 * is removed immediately returns it to nothing. It goes to what had it before.
 */
function returnFocus(): void {
  let focused: readonly Element[] = []
  /** Those inside dialogs and menus. Elsewhere, a list may remove what is scrolled away. */
  const inOverlay = new WeakSet<Element>()
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    focused = [...focused.filter((each) => each !== target), target].slice(-REMEMBERED)
    if (target.closest(OVERLAY)) inOverlay.add(target)
  })
  const isLost = () => {
    const last = focused.at(-1)
    return document.activeElement === document.body && last && !last.isConnected && inOverlay.has(last)
  }
  const giveBack = () => {
    if (!isLost()) return
    focused = focused.filter((each) => each.isConnected)
    const target = focused.at(-1)
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
  // Not immediately: the key that closed the dialog would also press the button that gets the focus.
  new MutationObserver(() => {
    if (isLost()) setTimeout(giveBack)
  }).observe(document.body, { childList: true, subtree: true })
}
