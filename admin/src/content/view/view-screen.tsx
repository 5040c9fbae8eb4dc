/** Configures how the app shows the documents of a type: names, list, form and preview. For admins. */
import { Autocomplete, Button, Group, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowLeft } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useBlocker, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { saveNavigation, saveTypeView, type TypeViewChanges } from '../../api/content/views.ts'
import { ApiError, messageOf } from '../../api/request.ts'
import { meQuery } from '../../api/session.ts'
import type { ContentTypeView, TypeView } from '../../api/types.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import screen from '../../parts/screen.module.css'
import { useMe, useType } from '../../shell/me.tsx'
import { NotFound } from '../../shell/states.tsx'
import { viewTexts as words } from '../../texts/content/view.ts'
import { texts } from '../../texts.ts'
import { FieldRows } from './field-rows.tsx'
import { ListSettings, MainField } from './list-settings.tsx'
import { groupOf, withGroup } from './navigation-group.ts'
import { PreviewAddress } from './preview-address.tsx'
import styles from './view.module.css'
import { changesOf, NO_VIEW } from './view-changes.ts'

export function ViewScreen() {
  const { type: path } = useParams({ from: '/signed-in/content/$type/view' })
  const me = useMe()
  const type = useType(path)
  if (!type || !me.permissions.viewConfiguration) return <NotFound />
  // What is saved, here or by others, is shown.
  const saved = JSON.stringify([type.view, groupOf(me, type.uid)])
  return <ViewForm key={saved} type={type} />
}

function ViewForm({ type }: { readonly type: ContentTypeView }) {
  const me = useMe()
  const savedGroup = groupOf(me, type.uid)
  const [view, setView] = useState<TypeView>(type.view)
  const [group, setGroup] = useState(savedGroup)
  const [isResetting, setIsResetting] = useState(false)
  const { save, mutation } = useSave(type)
  const set = (changed: Partial<TypeView>) => setView((current) => ({ ...current, ...changed }))
  const changes = changesOf(type.view, view)
  const isChanged = Object.keys(changes).length > 0 || group.trim() !== savedGroup
  useBlocker({
    shouldBlockFn: () => isChanged && !window.confirm(texts.edit.leaveTitle),
    enableBeforeUnload: isChanged,
  })
  const problems = mutation.error instanceof ApiError ? mutation.error.problems : []
  const problemAt = (key: string) => problems.find(({ path }) => path[0] === key)?.message
  const isAtField = ['label', 'previewUrl'].some((key) => problemAt(key) !== undefined)
  return (
    <form
      className={styles.screen}
      onSubmit={(event) => {
        event.preventDefault()
        mutation.mutate({ changes, group: group.trim() })
      }}
    >
      <Link to="/content/$type" params={{ type: type.path }} className={screen.back}>
        <IconArrowLeft size={14} stroke={1.5} aria-hidden />
        {texts.edit.backTo(type.view.label)}
      </Link>
      <header className={styles.header}>
        <div>
          <h1 className={screen.title}>{words.title(type.view.label)}</h1>
          <p className={styles.text}>{words.text}</p>
        </div>
        <Group gap={8}>
          <Button variant="default" onClick={() => setIsResetting(true)}>
            {words.reset}
          </Button>
          <Button type="submit" loading={mutation.isPending} disabled={!isChanged}>
            {words.save}
          </Button>
        </Group>
      </header>
      {mutation.error && !isAtField && (
        <p className={styles.error} role="alert">
          {messageOf(mutation.error)}
        </p>
      )}
      <section className={styles.section}>
        <h2>{words.general}</h2>
        <div className={styles.pair}>
          <TextInput
            label={words.label}
            value={view.label}
            maxLength={200}
            onChange={(event) => set({ label: event.currentTarget.value })}
            error={problemAt('label')}
          />
          <Autocomplete
            label={words.group}
            description={words.groupHint}
            data={me.navigation.groups.map(({ name }) => name)}
            value={group}
            maxLength={200}
            onChange={setGroup}
            inputWrapperOrder={['label', 'input', 'description']}
          />
          <MainField type={type} view={view} onChange={set} />
        </div>
      </section>
      {type.kind === 'collection' && <ListSettings type={type} view={view} onChange={set} />}
      <section className={styles.section}>
        <h2>{words.preview}</h2>
        <PreviewAddress
          type={type}
          value={view.previewUrl ?? ''}
          onChange={(value) => set({ previewUrl: value.trim() === '' ? null : value.trim() })}
          problem={problemAt('previewUrl')}
        />
      </section>
      <section className={styles.section}>
        <h2>{words.fields}</h2>
        <p className={styles.hint}>{words.fieldsHint}</p>
        <FieldRows fields={view.fields} onChange={(fields) => set({ fields })} />
      </section>
      <ConfirmDialog
        isOpen={isResetting}
        onClose={() => setIsResetting(false)}
        title={words.resetTitle}
        confirm={words.reset}
        onConfirm={() => save({ changes: NO_VIEW, group: '' })}
      >
        {words.resetText}
      </ConfirmDialog>
    </form>
  )
}

interface Changes {
  readonly changes: TypeViewChanges
  readonly group: string
}

/** Saves changes, after which every screen shows the new view. */
function useSave(type: ContentTypeView) {
  const queryClient = useQueryClient()
  const me = useMe()
  const save = async ({ changes, group }: Changes) => {
    if (Object.keys(changes).length > 0) await saveTypeView(type.uid, changes)
    if (group !== groupOf(me, type.uid)) await saveNavigation(withGroup(me, type.uid, group))
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    notifications.show({ message: words.saved, autoClose: 2_500 })
  }
  return { save, mutation: useMutation({ mutationFn: save }) }
}
