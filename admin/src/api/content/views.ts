/** Changes how the app shows the documents of a content-type. */
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { FieldView, Me, TypeView } from '../types.ts'

/** What is absent stays as it is; null restores the default. */
export type TypeViewChanges = {
  readonly [Key in Exclude<keyof TypeView, 'fields'>]?: TypeView[Key] | null
} & {
  readonly fields?: readonly (Pick<FieldView, 'name'> & Partial<FieldView>)[] | null
}

export const saveTypeView = async (uid: string, data: TypeViewChanges): Promise<TypeView> =>
  (
    await request<Responses['PUT /views/types/{uid}']>(`/views/types/${uid}`, {
      method: 'PUT',
      body: { data },
    })
  ).data

export const saveNavigation = (navigation: Me['navigation']) =>
  request('/views/navigation', { method: 'PUT', body: { data: navigation } })
