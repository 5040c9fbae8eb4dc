/** A content-type or component at a glance: its first attributes, and what it relates to. */
import { Link } from '@tanstack/react-router'
import { modelTexts } from '../../texts/model.ts'
import { attributeTypeOf } from '../attributes/attribute-types.ts'
import { baseOf, isSame } from '../draft/draft.ts'
import { isLocalized, nameOf, referencesOf, type Schema } from '../draft/schema.ts'
import { useModel } from '../model-context.tsx'
import styles from './overview.module.css'

const SHOWN = 6

export function SchemaCard({ schema }: { readonly schema: Schema }) {
  const { draft } = useModel()
  const attributes = Object.entries(schema.attributes)
  const before = baseOf(draft, schema.uid)
  const state = !before ? modelTexts.new : isSame(before, schema) ? null : modelTexts.changed
  const flags = [
    schema.options?.draftAndPublish && modelTexts.flags.draftAndPublish,
    isLocalized(schema) && modelTexts.flags.localized,
  ].filter((flag) => typeof flag === 'string')
  return (
    <li className={styles.card}>
      <h3 className={styles.cardTitle}>
        <Link to="/model/$uid" params={{ uid: schema.uid }} className={styles.cardLink}>
          {nameOf(schema)}
        </Link>
        {state !== null && <span className={styles.state}>{state}</span>}
      </h3>
      <p className={styles.uid}>{[schema.uid, ...flags].join(' · ')}</p>
      <ul className={styles.attributes}>
        {attributes.slice(0, SHOWN).map(([name, attribute]) => {
          const { Icon } = attributeTypeOf(attribute.type)
          const related = referencesOf(attribute)
            .map((uid) => draft.schemas.get(uid))
            .flatMap((each) => (each ? nameOf(each) : []))
          return (
            <li key={name} className={styles.attribute}>
              <Icon size={14} stroke={1.5} aria-hidden />
              <span className={styles.attributeName}>{name}</span>
              {related.length > 0 && <span className={styles.related}>→ {related.join(', ')}</span>}
            </li>
          )
        })}
      </ul>
      <p className={styles.more}>
        {attributes.length > SHOWN
          ? modelTexts.more(attributes.length - SHOWN)
          : attributes.length === 0 && modelTexts.attribute.empty}
      </p>
    </li>
  )
}
