/** The screens of the navigation that are not content, each with who may use it. A new screen is added here. */
import { type Icon, IconCalendarEvent, IconPhoto, IconSchema, IconSettings } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { Me } from '../../api/types.ts'
import { permittedSections } from '../../settings/sections.ts'
import { texts } from '../../texts.ts'

interface Place {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly Icon: Icon
  readonly isPermitted: (me: Me) => boolean
}

const PLACES: readonly Place[] = [
  {
    to: '/media',
    label: texts.screens.media,
    Icon: IconPhoto,
    isPermitted: ({ permissions }) => permissions.upload.find,
  },
  {
    to: '/releases',
    label: texts.screens.releases,
    Icon: IconCalendarEvent,
    isPermitted: ({ features, contentTypes }) =>
      features.releases && contentTypes.some(({ draftAndPublish }) => draftAndPublish),
  },
  {
    to: '/model',
    label: texts.screens.model,
    Icon: IconSchema,
    isPermitted: ({ permissions }) => permissions.admin,
  },
  {
    to: '/settings',
    label: texts.navigation.settings,
    Icon: IconSettings,
    isPermitted: (me) => permittedSections(me).length > 0,
  },
]

export const permittedPlaces = (me: Me) => PLACES.filter(({ isPermitted }) => isPermitted(me))
