/** Shows what saving the model does to the content and to clients of the API, and saves it. */
import { Button, Modal, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { planChanges, problemsOf, type SchemaProblem, saveChanges, schemaQuery } from '../../api/model.ts'
import { ApiError, messageOf } from '../../api/request.ts'
import { meQuery } from '../../api/session.ts'
import { Loading } from '../../shell/states.tsx'
import { modelTexts } from '../../texts/model.ts'
import { texts } from '../../texts.ts'
import { editOf } from '../draft/draft.ts'
import { nameOf } from '../draft/schema.ts'
import { useModel } from '../model-context.tsx'
import { PlanView } from './plan-view.tsx'
import styles from './review.module.css'

export function ReviewDialog({ onClose }: { readonly onClose: () => void }) {
  const { draft, accept } = useModel()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const { data: plan, error } = useQuery({
    queryKey: ['schema-plan', draft.version, editOf(draft)],
    queryFn: () => planChanges(draft),
    gcTime: 0,
  })
  const isLossy = plan?.changes.some(({ effect }) => effect === 'lossy') ?? false
  const isBlocked = plan?.changes.some(({ effect }) => effect === 'blocked') ?? false
  const lossyUid = plan?.changes.find(({ effect }) => effect === 'lossy')?.uid ?? ''
  const lossySchema = draft.schemas.get(lossyUid) ?? draft.base.get(lossyUid)
  /** The name of the first type or component that loses content. */
  const name = lossySchema ? nameOf(lossySchema) : lossyUid
  const save = useMutation({
    mutationFn: () => saveChanges(draft, isLossy),
    onSuccess: async ({ unwritten }) => {
      accept()
      await queryClient.fetchQuery({ ...schemaQuery, staleTime: 0 })
      onClose()
      notifications.show(
        unwritten === undefined
          ? { message: modelTexts.review.saved }
          : { color: 'red', message: unwritten, autoClose: false },
      )
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    },
    // Someone else was faster: the newer model is read, and these changes are applied to it.
    onError: () => queryClient.invalidateQueries({ queryKey: schemaQuery.queryKey }),
  })
  const canSave = plan !== undefined && !isBlocked && (!isLossy || typed.trim() === name)
  return (
    <Modal
      opened
      onClose={onClose}
      title={modelTexts.review.title}
      size="xl"
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {error ? (
        <Refusal error={error} />
      ) : !plan ? (
        <Loading />
      ) : (
        <form
          className={styles.review}
          onSubmit={(event) => {
            event.preventDefault()
            if (canSave) save.mutate()
          }}
        >
          <PlanView plan={plan} />
          {isBlocked && <p className={styles.blocked}>{modelTexts.review.blocked}</p>}
          {isLossy && !isBlocked && (
            <div className={styles.confirm}>
              <p>{modelTexts.review.backup}</p>
              <TextInput
                label={modelTexts.review.confirm(name)}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                autoComplete="off"
              />
            </div>
          )}
          {save.error && <Refusal error={save.error} />}
          <div className={styles.actions}>
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button
              type="submit"
              disabled={!canSave}
              loading={save.isPending}
              {...(isLossy && { color: 'red' })}
            >
              {isLossy ? modelTexts.review.saveLossy : modelTexts.review.save}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  )
}

/** Why the server refused the changes; or, if it could not examine them, why not. */
function Refusal({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.problems.length === 0)
    return (
      <p className={styles.blocked} role="alert">
        {messageOf(error)}
      </p>
    )
  const problems: readonly SchemaProblem[] = problemsOf(error)
  return (
    <div role="alert">
      <p>{modelTexts.review.invalid}</p>
      <ul className={styles.problems}>
        {problems.map(({ uid, path, message }) => (
          <li key={`${uid} ${path.join('.')} ${message}`}>
            <b>{[uid, ...path.filter((part) => part !== 'attributes')].filter(Boolean).join(' › ')}</b>{' '}
            {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
