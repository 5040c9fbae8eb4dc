/** The list of keyboard shortcuts. */
import { Modal } from '@mantine/core'
import { texts } from '../texts.ts'
import styles from './shortcuts-dialog.module.css'

const SHORTCUTS: readonly (readonly [label: string, keys: string])[] = [
  [texts.shortcuts.palette, 'Ctrl K'],
  [texts.shortcuts.save, 'Ctrl S'],
  [texts.shortcuts.publish, 'Ctrl Shift Enter'],
  [texts.shortcuts.undo, 'Ctrl Z'],
  [texts.shortcuts.redo, 'Ctrl Shift Z'],
  [texts.shortcuts.searchList, '/'],
  [texts.shortcuts.create, 'C'],
  [texts.shortcuts.help, '?'],
]

export function ShortcutsDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={texts.shortcuts.title}
      size="sm"
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <dl className={styles.list}>
        {SHORTCUTS.map(([label, keys]) => (
          <div key={label} className={styles.item}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
