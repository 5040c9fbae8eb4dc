/**
 * Asks for the version of the model every few seconds. When someone has changed it, the model is read again, so that open
 * lists and forms have the new attributes. Without a response, the connection is lost.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readSchemaVersion } from '../api/model.ts'
import { meQuery } from '../api/session.ts'

const INTERVAL_MS = 4_000

/** `known` is the version of the model that the app shows. Returns whether the server cannot be reached. */
export function useModelUpdates(known: number | undefined): boolean {
  const queryClient = useQueryClient()
  const { data: version, isError } = useQuery({
    queryKey: ['schema-version'],
    queryFn: ({ signal }) => readSchemaVersion(signal),
    refetchInterval: INTERVAL_MS,
    retry: false,
  })
  useEffect(() => {
    if (known === undefined || version === undefined || version === null || version === known) return
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: ['schema'] })
  }, [known, version, queryClient])
  return isError
}
