/** A link to a document of which only the uid of its type is known; plain text if the person may not open it. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSchema } from '../shell/me.tsx'

interface DocumentLinkProps {
  /** uid of the content-type. */
  readonly type: string
  readonly documentId: string
  readonly locale: string | null
  /** The field to go to, as a path in a request body such as `page.0.text`. */
  readonly field?: string
  readonly className?: string | undefined
  readonly onClick?: () => void
  readonly children: ReactNode
}

export function DocumentLink({ type: uid, documentId, locale, field, children, ...rest }: DocumentLinkProps) {
  const type = useSchema().types.get(uid)
  if (!type) return <span className={rest.className}>{children}</span>
  const inLocale = type.localized && locale !== null ? { locale } : {}
  if (type.kind === 'single')
    return (
      <Link to="/content/$type" params={{ type: type.path }} search={inLocale} {...rest}>
        {children}
      </Link>
    )
  return (
    <Link
      to="/content/$type/$documentId"
      params={{ type: type.path, documentId }}
      search={{ ...inLocale, ...(field !== undefined && { field }) }}
      {...rest}
    >
      {children}
    </Link>
  )
}
