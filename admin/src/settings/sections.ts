/** The sections of the settings, in the order of their navigation. A new section is added here and in `routes.tsx`. */
import type { LinkProps } from '@tanstack/react-router'
import type { Me } from '../api/types.ts'
import { texts } from '../texts.ts'

interface Section {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly isPermitted: (me: Me) => boolean
}

interface SectionGroup {
  readonly name: string
  readonly sections: readonly Section[]
}

const isAdmin = ({ permissions }: Me) => permissions.admin

const GROUPS: readonly SectionGroup[] = [
  {
    name: texts.navigation.settingsGroups.access,
    sections: [
      { to: '/settings/team', label: texts.screens.team, isPermitted: isAdmin },
      { to: '/settings/roles', label: texts.screens.roles, isPermitted: isAdmin },
      { to: '/settings/tokens', label: texts.screens.tokens, isPermitted: isAdmin },
      { to: '/settings/users', label: texts.screens.users, isPermitted: isAdmin },
    ],
  },
  {
    name: texts.navigation.settingsGroups.content,
    sections: [{ to: '/settings/locales', label: texts.screens.locales, isPermitted: isAdmin }],
  },
  {
    name: texts.navigation.settingsGroups.server,
    sections: [
      {
        to: '/settings/webhooks',
        label: texts.screens.webhooks,
        isPermitted: (me) => isAdmin(me) && me.features.webhooks,
      },
      {
        to: '/settings/audit',
        label: texts.screens.audit,
        isPermitted: (me) => isAdmin(me) && me.features.audit,
      },
      { to: '/settings/jobs', label: texts.screens.jobs, isPermitted: isAdmin },
      { to: '/settings/about', label: texts.screens.about, isPermitted: isAdmin },
    ],
  },
]

/** The groups with at least one section that the person may use. */
export const permittedGroups = (me: Me): readonly SectionGroup[] =>
  GROUPS.map(({ name, sections }) => ({
    name,
    sections: sections.filter(({ isPermitted }) => isPermitted(me)),
  })).filter(({ sections }) => sections.length > 0)

export const permittedSections = (me: Me): readonly Section[] =>
  permittedGroups(me).flatMap(({ sections }) => sections)
