/** Loads screens when they are first opened, and says what to do when a part of the app cannot be loaded. */
import { Button } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { messageOf } from '../api/request.ts'
import { texts } from '../texts.ts'
import { Message } from './states.tsx'

/** How browsers say that a script could not be loaded. */
const NOT_LOADED = /dynamically imported module|importing a module script|preload css/i

/** The router would reload the page by itself, which without a connection leaves the app. */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((cause: unknown) => {
        throw new Error(texts.errors.partMissing, { cause })
      }),
    name,
  )

/** In place of a screen that failed. What failed to load is loaded by another page only. */
export function FailedScreen({ error }: { readonly error: unknown }) {
  const message = messageOf(error)
  return (
    <Message
      title={texts.errors.screen}
      action={
        <Button variant="default" onClick={() => window.location.reload()}>
          {texts.errors.reload}
        </Button>
      }
    >
      {NOT_LOADED.test(message) ? texts.errors.partMissing : message}
    </Message>
  )
}
