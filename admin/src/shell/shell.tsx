/** The frame around every screen of a signed-in person: navigation, command palette and session. */
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { meQuery, sessionQuery } from '../api/session.ts'
import { texts } from '../texts.ts'
import { SignInScreen } from './accounts/sign-in-screen.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { MeProvider } from './me.tsx'
import { Navigation } from './navigation/navigation.tsx'
import { SessionDialog } from './session-dialog.tsx'
import styles from './shell.module.css'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { Loading, ScreenError } from './states.tsx'
import { useModelUpdates } from './use-model-updates.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(loadPalette)

export function Shell() {
  const { data: session, error, refetch } = useQuery(sessionQuery)
  if (error) return <ScreenError error={error} reset={() => void refetch()} />
  if (!session) return <Loading />
  if (!session.data) return <SignInScreen meta={session.meta} />
  return <SignedInShell />
}

function SignedInShell() {
  const { data: me, error, refetch } = useQuery(meQuery)
  const isConnectionLost = useModelUpdates(me?.settings.schemaVersion)
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  /** The command palette is loaded when it is first needed. */
  const [isPaletteNeeded, setIsPaletteNeeded] = useState(false)
  const openPalette = () => {
    setIsPaletteNeeded(true)
    void loadPalette().then((palette) => palette.openPalette())
  }
  useHotkeys([['shift+?', () => setShowsShortcuts(true)]])
  // In fields too, where this shortcut types nothing.
  useHotkeys([['mod+K', openPalette]], [], true)
  if (error && !me) return <ScreenError error={error} reset={() => void refetch()} />
  if (!me) return <Loading />
  return (
    <MeProvider me={me}>
      <a className={styles.skip} href="#content">
        {texts.skipToContent}
      </a>
      <div className={styles.shell}>
        <Navigation
          onSearch={openPalette}
          onBeforeSearch={() => void loadPalette()}
          onShortcuts={() => setShowsShortcuts(true)}
        />
        <main id="content" className={styles.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <ConnectionNotice isLost={isConnectionLost} />
      <Suspense>{isPaletteNeeded && <Palette />}</Suspense>
      <SessionDialog user={me.user} />
      <ShortcutsDialog isOpen={showsShortcuts} onClose={() => setShowsShortcuts(false)} />
    </MeProvider>
  )
}
