/** Reads the model again when someone has changed it, so that open lists and forms have the new attributes. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readSchemaVersion } from '../api/model.ts'
import { meQuery } from '../api/session.ts'

const INTERVAL_MS = 4_000

/** `known` is the version of the model that the app shows. */
export function useModelUpdates(known: number | undefined): void {
  const queryClient = useQueryClient()
  const { data: version } = useQuery({
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
}
