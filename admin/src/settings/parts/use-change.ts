/** Reads again what a change has changed. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** For changes that most responses depend on. */
export const EVERY_QUERY: QueryKey = []

/** The returned function passes on what the work returns or throws, for dialogs that show it. */
export function useChange(changed: QueryKey) {
  const queryClient = useQueryClient()
  return useCallback(
    async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const result = await work()
      await queryClient.invalidateQueries({ queryKey: changed })
      return result
    },
    [queryClient, changed],
  )
}
