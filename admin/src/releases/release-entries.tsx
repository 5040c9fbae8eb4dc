/** The documents of a release: what is done with each, and what keeps it from being published. */
import { ActionIcon, NativeSelect } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addEntries,
  type OpenedRelease,
  type OpenedReleaseResponse,
  type ReleaseEntry,
  removeEntry,
} from '../api/content/releases.ts'
import { messageOf } from '../api/request.ts'
import { DocumentLink } from '../content/document-link.tsx'
import { problemsKey } from '../content/edit/form/problems-key.ts'
import { Cell, Table } from '../parts/table.tsx'
import { useSchema } from '../shell/me.tsx'
import { releaseTexts } from '../texts/releases.ts'
import { texts } from '../texts.ts'
import { isUnpublished } from './release-state.tsx'
import styles from './releases.module.css'

interface ReleaseEntriesProps {
  readonly release: OpenedRelease
  readonly isChangeable: boolean
  readonly onChange: (response: OpenedReleaseResponse) => void
}

export function ReleaseEntries({ release, isChangeable, onChange }: ReleaseEntriesProps) {
  const { entryColumns } = releaseTexts
  const { mutate, isPending } = useMutation({
    mutationFn: (work: () => Promise<OpenedReleaseResponse>) => work(),
    onSuccess: onChange,
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
  })
  const hasLocales = release.entries.some(({ locale }) => locale !== null)
  return (
    <Table
      label={releaseTexts.entries}
      columns={[
        { label: entryColumns.title },
        { label: entryColumns.type, isSecondary: true },
        ...(hasLocales ? [{ label: entryColumns.locale, isSecondary: true }] : []),
        { label: entryColumns.action },
        ...(isUnpublished(release) ? [{ label: entryColumns.check }] : []),
        ...(isChangeable ? [{ label: '' }] : []),
      ]}
    >
      {release.entries.map((entry) => {
        const title = titleOf(entry)
        return (
          <tr key={entry.id}>
            <Cell>
              <Title entry={entry} />
            </Cell>
            <Cell isSecondary isMuted>
              <TypeName uid={entry.type} />
            </Cell>
            {hasLocales && (
              <Cell isSecondary isMuted>
                {entry.locale}
              </Cell>
            )}
            <Cell isShort>
              {isChangeable ? (
                <NativeSelect
                  size="xs"
                  w={112}
                  aria-label={releaseTexts.actionOf(title)}
                  data={[
                    { value: 'publish', label: releaseTexts.actions.publish },
                    { value: 'unpublish', label: releaseTexts.actions.unpublish },
                  ]}
                  value={entry.action}
                  disabled={isPending}
                  onChange={({ currentTarget: { value } }) =>
                    mutate(() => addEntries(release.id, [withAction(entry, value)]))
                  }
                />
              ) : (
                releaseTexts.actions[entry.action]
              )}
            </Cell>
            {isUnpublished(release) && (
              <Cell>
                <Check entry={entry} />
              </Cell>
            )}
            {isChangeable && (
              <Cell isShort>
                <ActionIcon
                  aria-label={releaseTexts.remove(title)}
                  disabled={isPending}
                  onClick={() => mutate(() => removeEntry(release.id, entry.id))}
                >
                  <IconX size={16} stroke={1.5} />
                </ActionIcon>
              </Cell>
            )}
          </tr>
        )
      })}
    </Table>
  )
}

const titleOf = ({ title }: ReleaseEntry) => title ?? texts.list.untitled

const withAction = ({ type, documentId, locale }: ReleaseEntry, action: string) => ({
  ...{ type, documentId, locale },
  action: action === 'unpublish' ? ('unpublish' as const) : ('publish' as const),
})

function TypeName({ uid }: { readonly uid: string }) {
  return useSchema().types.get(uid)?.displayName ?? uid
}

function Title({ entry }: { readonly entry: ReleaseEntry }) {
  return (
    <>
      <DocumentLink
        type={entry.type}
        documentId={entry.documentId}
        locale={entry.locale}
        className={styles.name}
      >
        <bdi>{titleOf(entry)}</bdi>
      </DocumentLink>
      <span className={`${styles.under} ${styles.onlyNarrow}`}>
        <TypeName uid={entry.type} />
        {entry.locale !== null && ` · ${entry.locale}`}
      </span>
    </>
  )
}

/** Each problem leads to its field, where the form shows it. */
function Check({ entry }: { readonly entry: ReleaseEntry }) {
  const queryClient = useQueryClient()
  if (entry.valid)
    return (
      <span className={styles.ready}>
        <IconCheck size={14} stroke={2} aria-hidden />
        {releaseTexts.ready}
      </span>
    )
  return (
    <ul className={styles.problems}>
      {entry.problems.map(({ path, message }) => (
        <li key={`${path.join('.')} ${message}`}>
          {path.length === 0 ? (
            message
          ) : (
            <DocumentLink
              type={entry.type}
              documentId={entry.documentId}
              locale={entry.locale}
              field={path.join('.')}
              onClick={() => queryClient.setQueryData(problemsKey(entry.documentId), entry.problems)}
            >
              {message}
            </DocumentLink>
          )}
        </li>
      ))}
    </ul>
  )
}
