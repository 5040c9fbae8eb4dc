/** The screen of a content-type: the list of a collection, or the document of a single type. */
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useType } from '../shell/me.tsx'
import { Loading, NotFound } from '../shell/states.tsx'
import { ListScreen } from './list/list-screen.tsx'

const SingleScreen = lazy(() =>
  import('./edit/edit-screen.tsx').then((module) => ({ default: module.SingleScreen })),
)

export function TypeScreen() {
  const { type: path } = useParams({ from: '/signed-in/content/$type' })
  const type = useType(path)
  if (!type?.actions.find) return <NotFound />
  if (type.kind === 'collection') return <ListScreen key={type.uid} type={type} />
  return (
    <Suspense fallback={<Loading />}>
      <SingleScreen type={type} />
    </Suspense>
  )
}
