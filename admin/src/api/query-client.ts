/** How the app caches what it has read: lists and documents are read again when the person comes back to them. */
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './request.ts'

const MAX_ATTEMPTS = 3

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network, requests fail and say so, instead of waiting for it; a server on the same computer still responds.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // Only a failed connection can succeed at the next attempt.
      retry: (failures, error) => error instanceof ApiError && error.isOffline && failures < MAX_ATTEMPTS,
    },
  },
})
