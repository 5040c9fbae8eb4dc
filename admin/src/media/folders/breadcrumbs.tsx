/** The folders above the one that is shown. */
import { IconChevronRight } from '@tabler/icons-react'
import { Fragment } from 'react'
import { mediaTexts } from '../../texts/media.ts'
import { pathTo } from '../media-search.ts'
import styles from './folders.module.css'

interface BreadcrumbsProps {
  readonly folder: string
  readonly onOpen: (path: string) => void
}

export function Breadcrumbs({ folder, onOpen }: BreadcrumbsProps) {
  const steps = [{ path: '/', name: mediaTexts.root }, ...pathTo(folder)]
  return (
    <nav className={styles.breadcrumbs} aria-label={mediaTexts.breadcrumbs}>
      {steps.map(({ path, name }, index) => (
        <Fragment key={path}>
          {index > 0 && <IconChevronRight size={14} stroke={1.5} aria-hidden />}
          {index === steps.length - 1 ? (
            <span aria-current="page">{name}</span>
          ) : (
            <button type="button" onClick={() => onOpen(path)}>
              {name}
            </button>
          )}
        </Fragment>
      ))}
    </nav>
  )
}
