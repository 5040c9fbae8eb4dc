/** Documents that use a file, with a link to each. */
import { Link } from '@tanstack/react-router'
import type { FileUse } from '../../api/media.ts'
import { useSchema } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import styles from '../media.module.css'

const SHOWN = 20

export function UseList({ uses }: { readonly uses: readonly FileUse[] }) {
  const schema = useSchema()
  return (
    <ul className={styles.uses}>
      {uses.slice(0, SHOWN).map(({ type: uid, documentId, locale, title }) => {
        const type = schema.types.get(uid)
        const name = typeof title === 'string' && title !== '' ? title : texts.list.untitled
        const address = { type: type?.path ?? '', documentId }
        return (
          <li key={`${uid} ${documentId} ${locale}`}>
            {type?.kind === 'collection' ? (
              <Link to="/content/$type/$documentId" params={address} search={locale ? { locale } : {}}>
                {name}
              </Link>
            ) : type ? (
              <Link to="/content/$type" params={address}>
                {name}
              </Link>
            ) : (
              name
            )}
            <span>
              {type?.displayName ?? uid}
              {locale && ` · ${locale}`}
            </span>
          </li>
        )
      })}
      {uses.length > SHOWN && <li>+ {uses.length - SHOWN}</li>}
    </ul>
  )
}
