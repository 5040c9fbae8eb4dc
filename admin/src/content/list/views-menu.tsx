/** Saved views of a list: its search, filters, order and columns under a name. */
import { Button, Checkbox, Menu, Modal, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconAdjustments,
  IconApi,
  IconBookmark,
  IconDownload,
  IconTrash,
  IconTrashOff,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { queryString } from '../../api/query-string.ts'
import { appUrl, messageOf, request } from '../../api/request.ts'
import { meQuery } from '../../api/session.ts'
import type { ContentTypeView, SavedView } from '../../api/types.ts'
import { filtersParameter } from '../../filters/filter.ts'
import { useMe } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import { type ListSearch, STATUS_FILTERS } from './list-search.ts'
import styles from './views-menu.module.css'

interface ViewsMenuProps {
  readonly type: ContentTypeView
  readonly search: ListSearch
}

export function ViewsMenu({ type, search }: ViewsMenuProps) {
  const { savedViews, permissions } = useMe()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const query = useRouterState({ select: ({ location }) => location.searchStr })
  const [isNaming, setIsNaming] = useState(false)
  const views = savedViews.filter((view) => view.type === type.uid)
  const change = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work()
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
      notifications.show({ message: done, autoClose: 2_500 })
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) })
    }
  }
  const open = ({ query: saved }: Pick<SavedView, 'query'>) =>
    void navigate({ href: `/content/${type.path}${saved === '' ? '' : `?${saved.replace(/^\?/, '')}`}` })
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} stroke={1.5} />}>
            {texts.list.views}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => open({ query: '' })}>{texts.list.allDocuments}</Menu.Item>
          {views.map((view) => (
            <div key={view.id} role="none" className={styles.view}>
              <Menu.Item onClick={() => open(view)} className={styles.viewName}>
                {view.name}
              </Menu.Item>
              {view.own && (
                <Menu.Item
                  className={styles.deleteView}
                  aria-label={texts.list.deleteView(view.name)}
                  onClick={() =>
                    void change(
                      () => request(`/saved-views/${view.id}`, { method: 'DELETE' }),
                      texts.list.viewDeleted(view.name),
                    )
                  }
                >
                  <IconTrash size={14} stroke={1.5} />
                </Menu.Item>
              )}
            </div>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setIsNaming(true)}>{texts.list.saveView}</Menu.Item>
          <Menu.Divider />
          {(['csv', 'json'] as const).map((format) => (
            <Menu.Item
              key={format}
              component="a"
              href={exportUrl(type, search, format)}
              download
              leftSection={<IconDownload size={16} stroke={1.5} />}
            >
              {format === 'csv' ? texts.list.exportCsv : texts.list.exportJson}
            </Menu.Item>
          ))}
          {type.actions.readHistory && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<IconTrashOff size={16} stroke={1.5} />}
                onClick={() => void navigate({ to: '/content/$type/deleted', params: { type: type.path } })}
              >
                {texts.screens.deleted}
              </Menu.Item>
            </>
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconApi size={16} stroke={1.5} />}
            onClick={() => void navigate({ to: '/content/$type/api', params: { type: type.path } })}
          >
            {texts.screens.api}
          </Menu.Item>
          {permissions.viewConfiguration && (
            <Menu.Item
              leftSection={<IconAdjustments size={16} stroke={1.5} />}
              onClick={() => void navigate({ to: '/content/$type/view', params: { type: type.path } })}
            >
              {texts.screens.view}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        isOpen={isNaming}
        canShare={permissions.admin}
        onClose={() => setIsNaming(false)}
        onSave={(name, shared) => {
          setIsNaming(false)
          const data = { type: type.uid, name, query: query.replace(/^\?/, ''), shared }
          void change(
            () => request('/saved-views', { method: 'POST', body: { data } }),
            texts.list.viewSaved(name),
          )
        }}
      />
    </>
  )
}

/** All documents of the list as a file. */
function exportUrl(
  type: ContentTypeView,
  { q, filter, status, sort = [type.view.defaultSort], locale }: ListSearch,
  format: 'csv' | 'json',
): string {
  const parameters = queryString({
    format,
    _q: q,
    ...(filter && { filters: filtersParameter(filter) }),
    ...(status && { publicationFilter: STATUS_FILTERS[status] }),
    sort,
    ...(type.localized && { locale }),
  })
  return new URL(`api/content/${type.path}/actions/export?${parameters}`, appUrl).href
}

interface NameDialogProps {
  readonly isOpen: boolean
  readonly canShare: boolean
  readonly onClose: () => void
  readonly onSave: (name: string, shared: boolean) => void
}

function NameDialog({ isOpen, canShare, onClose, onSave }: NameDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={texts.list.saveView}
      size="sm"
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          onSave(String(form.get('name') ?? '').trim(), form.get('shared') !== null)
        }}
      >
        <TextInput
          name="name"
          label={texts.list.viewName}
          required
          withAsterisk={false}
          maxLength={80}
          data-autofocus
        />
        {canShare && <Checkbox name="shared" label={texts.list.shareView} mt={12} />}
        <Button type="submit" mt={16}>
          {texts.account.save}
        </Button>
      </form>
    </Modal>
  )
}
