/** All tabs of a browser have the same session. A tab that begins or ends it tells the others. */
import { appUrl } from './request.ts'

const channel = new BroadcastChannel(`octavo-session ${appUrl.pathname}`)

export const announceSession = () => channel.postMessage('changed')

/** Calls the listener when another tab has begun or ended the session. Returns what removes it. */
export function onSessionChanged(listener: () => void): () => void {
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
