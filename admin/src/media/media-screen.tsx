/** The media library: folders, files, uploads, and the details of a file. */
import { Button } from '@mantine/core'
import { IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { createFolder, filesQuery } from '../api/media.ts'
import { bottomBar } from '../parts/bottom-bar.ts'
import screen from '../parts/screen.module.css'
import { useMe } from '../shell/me.tsx'
import { Loading, Message, ScreenError } from '../shell/states.tsx'
import { mediaTexts } from '../texts/media.ts'
import { DetailsPanel } from './details/details-panel.tsx'
import { FileBrowser } from './files/file-browser.tsx'
import { NOTHING, type Selection } from './files/selection.ts'
import { SelectionBar } from './files/selection-bar.tsx'
import { Breadcrumbs } from './folders/breadcrumbs.tsx'
import { FolderNameDialog } from './folders/folder-name-dialog.tsx'
import { FolderRow } from './folders/folder-row.tsx'
import styles from './media.module.css'
import { childOf, fileParameters, isSearching, type MediaSearch, parseMediaSearch } from './media-search.ts'
import { MediaToolbar } from './media-toolbar.tsx'
import { DropArea } from './uploads/drop-area.tsx'
import { UploadPanel } from './uploads/upload-panel.tsx'
import { useUploads } from './uploads/use-uploads.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether a file was opened from the list, which is the page before. */
    readonly fileOfList?: boolean
  }
}

export function MediaScreen() {
  const { permissions } = useMe()
  if (!permissions.upload.find) return <Message title={mediaTexts.forbidden} />
  return <Library />
}

function Library() {
  const { permissions } = useMe()
  const mayUpload = permissions.upload.create
  const search: MediaSearch = useSearch({ from: '/signed-in/media' })
  const navigate = useNavigate({ from: '/media' })
  const { history } = useRouter()
  const state = useLocation({ select: (location) => location.state })
  const queryClient = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [isNaming, setIsNaming] = useState(false)
  const folder = search.folder ?? '/'
  const query = useInfiniteQuery({
    ...filesQuery(fileParameters(search)),
    placeholderData: (previous) => previous,
  })
  const files = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data])
  const total = query.data?.pages[0]?.meta.pagination.total
  const isNarrowed = isSearching(search)

  const update = (change: Partial<Record<keyof MediaSearch, unknown>>, replace = true) => {
    if (!('file' in change)) setSelection(NOTHING)
    void navigate({ search: (current) => parseMediaSearch({ ...current, ...change }), replace })
  }
  const openFile = (id: string) =>
    void navigate({
      search: (current) => parseMediaSearch({ ...current, file: id }),
      state: { fileOfList: true },
    })
  /** The file is a page after its list: closing it goes back, and the list is not in the history twice. */
  const closeFile = () => (state.fileOfList ? history.back() : update({ file: undefined }))
  const open = (path: string) => {
    setSelection(NOTHING)
    update(
      {
        file: undefined,
        folder: path,
        q: undefined,
        kind: undefined,
        size: undefined,
        date: undefined,
        unused: undefined,
      },
      false,
    )
  }
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: ['files'] })
    void queryClient.invalidateQueries({ queryKey: ['folders'] })
  }
  const queue = useUploads(refresh)
  const upload = (chosen: readonly File[]) => queue.add(chosen, folder)
  const selected = files.filter(({ documentId }) => selection.ids.has(documentId))

  return (
    <DropArea className={screen.screen} folder={folder} onFiles={mayUpload ? upload : null}>
      <header className={screen.header}>
        <div className={screen.heading}>
          <h1 className={screen.title}>{mediaTexts.title}</h1>
          <span className={screen.count} role="status">
            {total !== undefined && mediaTexts.count(total)}
          </span>
        </div>
        {mayUpload && (
          <>
            <Button
              variant="default"
              leftSection={<IconFolderPlus size={16} stroke={1.5} />}
              onClick={() => setIsNaming(true)}
            >
              {mediaTexts.newFolder}
            </Button>
            <Button
              leftSection={<IconUpload size={16} stroke={1.75} />}
              onClick={() => input.current?.click()}
            >
              {mediaTexts.upload}
            </Button>
            <input
              ref={input}
              type="file"
              hidden
              multiple
              aria-label={mediaTexts.upload}
              onChange={(event) => {
                upload([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
          </>
        )}
      </header>
      <MediaToolbar search={search} onChange={update} />
      <div className={styles.place}>
        {isNarrowed ? (
          <span className={styles.everywhere}>{mediaTexts.everywhere}</span>
        ) : (
          <Breadcrumbs folder={folder} onOpen={open} />
        )}
      </div>
      <FileBrowser
        files={files}
        view={search.view ?? 'grid'}
        showsFolder={isNarrowed}
        selection={selection}
        onSelect={setSelection}
        onOpen={(file) => openFile(file.documentId)}
        hasMore={query.hasNextPage}
        isLoadingMore={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
        above={isNarrowed ? null : <FolderRow parent={folder} onOpen={open} onChanged={refresh} />}
        below={
          query.error && !query.data ? (
            <ScreenError error={query.error} reset={() => void query.refetch()} />
          ) : query.isPending ? (
            <Loading />
          ) : files.length > 0 ? null : isNarrowed ? (
            <Message title={mediaTexts.noMatch}>{mediaTexts.noMatchHint}</Message>
          ) : (
            <Message title={mediaTexts.empty}>{mayUpload && mediaTexts.emptyHint}</Message>
          )
        }
      />
      <div className={styles.floating} ref={bottomBar}>
        {selected.length > 0 && (
          <SelectionBar
            files={selected}
            folder={folder}
            onClear={() => setSelection(NOTHING)}
            onDone={() => {
              setSelection(NOTHING)
              refresh()
            }}
          />
        )}
        <UploadPanel queue={queue} />
      </div>
      <DetailsPanel id={search.file ?? null} onClose={closeFile} onChanged={refresh} onOpenFolder={open} />
      <FolderNameDialog
        title={mediaTexts.newFolder}
        action={mediaTexts.create}
        isOpen={isNaming}
        initial=""
        onClose={() => setIsNaming(false)}
        onSubmit={async (name) => {
          await createFolder(childOf(folder, name))
          refresh()
        }}
      />
    </DropArea>
  )
}
