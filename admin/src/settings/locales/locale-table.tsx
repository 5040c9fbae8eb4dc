/** The locales, the default one marked. */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ConfiguredLocale, updateLocale } from '../../api/settings/locales.ts'
import { usualName } from '../../content/locale-name.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import styles from '../parts/parts.module.css'
import { useAction } from '../parts/use-action.ts'
import { EVERY_QUERY } from '../parts/use-change.ts'

const { locales: words } = settingsTexts

interface LocaleTableProps {
  readonly locales: readonly ConfiguredLocale[]
  readonly isEditable: boolean
  readonly onEdit: (locale: ConfiguredLocale) => void
  readonly onRemove: (locale: ConfiguredLocale) => void
}

export function LocaleTable({ locales, isEditable, onEdit, onRemove }: LocaleTableProps) {
  const act = useAction(EVERY_QUERY)
  return (
    <Table
      label={words.title}
      columns={[{ label: words.name, width: '60%' }, { label: words.code }, { label: '' }]}
    >
      {locales.map((locale) => {
        const { code, isDefault } = locale
        const name = locale.name ?? usualName(code) ?? code
        return (
          <tr key={code}>
            <td>
              <span className={styles.name}>{name}</span>
              {isDefault && <span className={styles.muted}> · {words.default}</span>}
            </td>
            <td>{code}</td>
            <Cell isShort>
              {isEditable && (
                <Menu position="bottom-end" width={180}>
                  <Menu.Target>
                    <ActionIcon aria-label={settingsTexts.more(name)}>
                      <IconDots size={16} stroke={1.5} />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item onClick={() => onEdit(locale)}>{words.rename}</Menu.Item>
                    {!isDefault && (
                      <>
                        <Menu.Item
                          onClick={() =>
                            void act(() => updateLocale(code, { isDefault: true }), words.isDefaultNow(name))
                          }
                        >
                          {words.makeDefault}
                        </Menu.Item>
                        <Menu.Divider />
                        <Menu.Item color="var(--danger)" onClick={() => onRemove(locale)}>
                          {words.remove}
                        </Menu.Item>
                      </>
                    )}
                  </Menu.Dropdown>
                </Menu>
              )}
            </Cell>
          </tr>
        )
      })}
    </Table>
  )
}
