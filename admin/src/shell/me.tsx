/** What the signed-in person may see and do, for every component below the shell. */
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { ContentTypeView, Me } from '../api/types.ts'
import { createSchema, type Schema } from '../form/schema.ts'

interface Context {
  readonly me: Me
  readonly schema: Schema
}

const MeContext = createContext<Context | null>(null)

export function MeProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const value = useMemo(() => ({ me, schema: createSchema(me.contentTypes, me.components) }), [me])
  return <MeContext value={value}>{children}</MeContext>
}

function useMeContext(): Context {
  const context = useContext(MeContext)
  if (!context) throw new Error('The component is not below the shell')
  return context
}

export const useMe = () => useMeContext().me
export const useSchema = () => useMeContext().schema

/** The content-type with this path segment; undefined when the person may not see it. */
export const useType = (path: string): ContentTypeView | undefined =>
  useMe().contentTypes.find((type) => type.path === path)
