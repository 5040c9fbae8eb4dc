/** What the signed-in person may see and do, for every component below the shell. */
import { useNavigate } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import type { ContentTypeView, Me } from '../api/types.ts'
import { createSchema, type Schema } from '../form/schema.ts'

interface Context {
  readonly me: Me
  readonly schema: Schema
  /** The uids of all content-types since the page was loaded, by path segment. */
  readonly uidsByPath: ReadonlyMap<string, string>
}

const MeContext = createContext<Context | null>(null)

export function MeProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const known = useRef(new Map<string, string>())
  const value = useMemo(() => {
    const uidsByPath = new Map([
      ...known.current,
      ...me.contentTypes.map(({ path, uid }) => [path, uid] as const),
    ])
    known.current = uidsByPath
    return { me, schema: createSchema(me.contentTypes, me.components), uidsByPath }
  }, [me])
  return <MeContext value={value}>{children}</MeContext>
}

function useMeContext(): Context {
  const context = useContext(MeContext)
  if (!context) throw new Error('The component is not below the shell')
  return context
}

export const useMe = () => useMeContext().me
export const useSchema = () => useMeContext().schema

/**
 * The content-type with this path segment; undefined when the person may not see it. When someone renames it meanwhile,
 * open screens stay, and their address changes.
 */
export function useType(path: string): ContentTypeView | undefined {
  const { me, uidsByPath } = useMeContext()
  const navigate = useNavigate()
  const uid = uidsByPath.get(path)
  const type =
    me.contentTypes.find((each) => each.path === path) ??
    me.contentTypes.find((each) => uid !== undefined && (each.uid === uid || each.renamedFrom === uid))
  const newPath = type && type.path !== path ? type.path : null
  useEffect(() => {
    if (newPath === null) return
    void navigate({
      to: '.',
      params: (current: object) => ({ ...current, type: newPath }),
      search: true,
      replace: true,
      ignoreBlocker: true,
    })
  }, [newPath, navigate])
  return type
}
