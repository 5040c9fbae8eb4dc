/** Starts the app. */
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/source-serif-4/wght.css'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme/tokens.css'
import './theme/global.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { router } from './routes.tsx'
import { installDialogKeys } from './shell/dialog-keys.ts'
import { styleNonce } from './theme/style-nonce.ts'
import { resolveVariables, theme } from './theme/theme.ts'

installDialogKeys()
const container = document.getElementById('app')
if (container)
  createRoot(container).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <Notifications position="bottom-right" />
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
