/** Submits a form: keeps the person from sending it twice, and holds the error of the last attempt. */
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { messageOf } from '../../api/request.ts'

/** `work` receives the texts of the form's fields by name. */
export function useSubmit(work: (fields: (name: string) => string) => Promise<unknown>) {
  const { mutate, error, isPending, isSuccess } = useMutation({ mutationFn: work })
  return {
    error: error ? messageOf(error) : null,
    isPending,
    isSuccess,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      const form = new FormData(event.currentTarget)
      mutate((name) => String(form.get(name) ?? ''))
    },
  }
}
