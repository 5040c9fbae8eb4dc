/** Which editor the keyboard shortcuts are for: the one that was opened last, such as a document in a drawer over another. */
import { useEffect, useState } from 'react'

const open: symbol[] = []

/** The returned function says whether no other editor is open over this one. */
export function useIsActiveEditor(): () => boolean {
  const [id] = useState(() => Symbol('editor'))
  useEffect(() => {
    open.push(id)
    return () => {
      open.splice(open.indexOf(id), 1)
    }
  }, [id])
  return () => open.at(-1) === id
}
