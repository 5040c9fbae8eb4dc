/** Runs what a menu item or button does without a dialog: reports success or failure, and reads again what it changed. */
import { notifications } from '@mantine/notifications'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { messageOf } from '../../api/request.ts'

/** The returned function shows `done` when the work has succeeded. */
export function useAction(changed: QueryKey) {
  const queryClient = useQueryClient()
  return useCallback(
    async (work: () => Promise<unknown>, done?: string) => {
      try {
        await work()
        if (done !== undefined) notifications.show({ message: done, autoClose: 2_500 })
      } catch (error) {
        notifications.show({ color: 'red', message: messageOf(error) })
      }
      await queryClient.invalidateQueries({ queryKey: changed })
    },
    [queryClient, changed],
  )
}
