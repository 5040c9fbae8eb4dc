/** The content-types that permissions are about. */
import { useQuery } from '@tanstack/react-query'
import { schemasQuery } from '../../../api/settings/roles.ts'
import { useMe } from '../../../shell/me.tsx'
import { builtInTypes, contentTypes, everyType, type PermissionType } from './permission-types.ts'

export interface PermissionTypes {
  readonly content: readonly PermissionType[]
  readonly builtIn: readonly PermissionType[]
  readonly all: readonly PermissionType[]
}

export function usePermissionTypes(): PermissionTypes {
  const me = useMe()
  const { data: schemas = [] } = useQuery(schemasQuery)
  const content = [everyType, ...contentTypes(me.contentTypes)]
  const builtIn = builtInTypes(schemas)
  return { content, builtIn, all: [...content, ...builtIn] }
}
