/** The model editor: the frame around its screens, with the bar of unsaved changes. */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { schemaQuery } from '../api/model.ts'
import { useMe } from '../shell/me.tsx'
import { Loading, NotFound, ScreenError } from '../shell/states.tsx'
import { ChangesBar } from './changes-bar.tsx'
import styles from './model.module.css'
import { ModelProvider } from './model-context.tsx'

export function ModelScreen() {
  const { permissions } = useMe()
  const { data, error, refetch } = useQuery({ ...schemaQuery, enabled: permissions.admin })
  if (!permissions.admin) return <NotFound />
  if (error && !data) return <ScreenError error={error} reset={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <ModelProvider loaded={data}>
      <div className={styles.model}>
        <div className={styles.page}>
          <Outlet />
        </div>
        <ChangesBar />
      </div>
    </ModelProvider>
  )
}
