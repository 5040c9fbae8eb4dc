/** Chooses the type of a new attribute by searching; each type says what it is for. */
import { Modal, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { modelTexts } from '../../texts/model.ts'
import { texts } from '../../texts.ts'
import { isType, type Schema } from '../draft/schema.ts'
import { type AttributeTypeName, attributeTypes, isAttributeType } from './attribute-types.ts'
import styles from './attributes.module.css'

interface TypePickerProps {
  readonly schema: Schema
  readonly onPick: (type: AttributeTypeName) => void
  readonly onClose: () => void
}

export function TypePicker({ schema, onPick, onClose }: TypePickerProps) {
  const [term, setTerm] = useState('')
  const wanted = term.trim().toLowerCase()
  const found = Object.keys(attributeTypes)
    .filter(isAttributeType)
    // A component has no dynamic zones, in forms as in other tools.
    .filter((type) => type !== 'dynamiczone' || isType(schema.uid))
    .filter((type) => [type, ...modelTexts.types[type]].join(' ').toLowerCase().includes(wanted))
  const [first] = found
  return (
    <Modal
      opened
      onClose={onClose}
      title={modelTexts.attribute.chooseType}
      size="lg"
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <TextInput
        value={term}
        onChange={(event) => setTerm(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && first && onPick(first)}
        placeholder={modelTexts.attribute.searchTypes}
        aria-label={modelTexts.attribute.searchTypes}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        data-autofocus
      />
      {!first && <p>{modelTexts.attribute.noType}</p>}
      <ul className={styles.types}>
        {found.map((type) => {
          const [label, about] = modelTexts.types[type]
          const { Icon } = attributeTypes[type]
          return (
            <li key={type}>
              <button type="button" className={styles.type} onClick={() => onPick(type)}>
                <Icon size={20} stroke={1.5} aria-hidden />
                <span>
                  <b>{label}</b>
                  <span className={styles.about}>{about}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </Modal>
  )
}
