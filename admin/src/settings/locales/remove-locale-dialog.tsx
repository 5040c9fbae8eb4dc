/** Removes a locale, after its code was typed if documents have content in it. */
import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import {
  type ConfiguredLocale,
  deleteLocale,
  type LocaleContent,
  localeContentQuery,
} from '../../api/settings/locales.ts'
import dialogs from '../../parts/dialogs.module.css'
import { useMe } from '../../shell/me.tsx'
import { Loading } from '../../shell/states.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { texts } from '../../texts.ts'
import { EVERY_QUERY, useChange } from '../parts/use-change.ts'

const { locales: words } = settingsTexts

interface RemoveLocaleDialogProps {
  readonly locale: ConfiguredLocale | null
  readonly onClose: () => void
}

export function RemoveLocaleDialog({ locale, onClose }: RemoveLocaleDialogProps) {
  return (
    <Modal
      opened={locale !== null}
      onClose={onClose}
      title={words.removeTitle(locale?.code ?? '')}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {locale && <Removal code={locale.code} onClose={onClose} />}
    </Modal>
  )
}

function Removal({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  const change = useChange(EVERY_QUERY)
  const [typed, setTyped] = useState('')
  const { data: content, error: unknownContent } = useQuery(localeContentQuery(code))
  const removal = useMutation({ mutationFn: () => change(() => deleteLocale(code)), onSuccess: onClose })
  const error = unknownContent ?? removal.error
  if (!content && !error) return <Loading />
  const hasContent = content !== undefined && content.length > 0
  const canRemove = content !== undefined && (!hasContent || typed === code)
  return (
    <form
      className={dialogs.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (canRemove) removal.mutate()
      }}
    >
      {hasContent ? (
        <>
          <LostContent content={content} />
          <TextInput
            label={words.typeCode(code)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        </>
      ) : (
        <p>{words.removeEmpty}</p>
      )}
      {error && (
        <p className={dialogs.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      <Group justify="flex-end" gap={8} mt={8}>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" color="red" disabled={!canRemove} loading={removal.isPending}>
          {words.remove}
        </Button>
      </Group>
    </form>
  )
}

function LostContent({ content }: { readonly content: readonly LocaleContent[] }) {
  const { contentTypes } = useMe()
  const labelOf = (uid: string) => contentTypes.find((type) => type.uid === uid)?.view.label ?? uid
  return (
    <div className={dialogs.text}>
      <p>{words.removeText}</p>
      <ul>
        {content.map(({ uid, documents }) => (
          <li key={uid}>{words.documentsOf(documents, labelOf(uid))}</li>
        ))}
      </ul>
      <p>{words.removeKept}</p>
    </div>
  )
}
