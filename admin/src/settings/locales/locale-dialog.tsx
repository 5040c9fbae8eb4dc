/** Adds a locale, or renames one. */
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ConfiguredLocale, createLocale, updateLocale } from '../../api/settings/locales.ts'
import { usualName } from '../../content/locale-name.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { EVERY_QUERY, useChange } from '../parts/use-change.ts'

const { locales: words } = settingsTexts

interface LocaleDialogProps {
  readonly locale: ConfiguredLocale | 'new' | null
  readonly onClose: () => void
}

export function LocaleDialog({ locale, onClose }: LocaleDialogProps) {
  const change = useChange(EVERY_QUERY)
  const [code, setCode] = useState('')
  const [isDefault, setIsDefault] = useState(false)
  const close = () => {
    setCode('')
    setIsDefault(false)
    onClose()
  }
  const isNew = locale === 'new'
  const known = usualName(isNew ? code : (locale?.code ?? ''))
  return (
    <FormDialog
      isOpen={locale !== null}
      onClose={close}
      title={isNew || locale === null ? words.addTitle : words.renameTitle(locale.code)}
      submit={isNew ? words.addSubmit : words.renameSubmit}
      onSubmit={async (field) => {
        if (locale === null) return
        const name = field('name')
        await change(() =>
          locale === 'new'
            ? createLocale({ code: code.trim(), name, isDefault })
            : updateLocale(locale.code, { name }),
        )
      }}
    >
      {isNew && (
        <TextInput
          label={words.code}
          description={words.codeHint}
          placeholder="pt-BR"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
        />
      )}
      <TextInput
        name="name"
        label={words.name}
        description={words.nameHint}
        placeholder={known ?? ''}
        defaultValue={isNew ? '' : (locale?.name ?? '')}
        autoComplete="off"
        {...(!isNew && { 'data-autofocus': true })}
      />
      {isNew && (
        <Checkbox
          label={words.makeDefault}
          description={words.defaultHint}
          checked={isDefault}
          onChange={(event) => setIsDefault(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  )
}
