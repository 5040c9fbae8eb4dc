/** For what floats at the bottom of the window: notifications appear above it. */
import type { RefCallback } from 'react'

export const bottomBar: RefCallback<HTMLElement> = (bar) => {
  if (!bar) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() =>
    style.setProperty('--bottom-bar', `${Math.max(0, innerHeight - bar.getBoundingClientRect().top)}px`),
  )
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--bottom-bar')
  }
}
