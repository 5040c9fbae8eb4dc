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
    name: texts.settings.groups.access,
    sections: [
      { to: '/settings/team', label: texts.settings.team.title, isPermitted: isAdmin },
      { to: '/settings/roles', label: texts.settings.roles.title, isPermitted: isAdmin },
      { to: '/settings/tokens', label: texts.settings.tokens.title, isPermitted: isAdmin },
      { to: '/settings/users', label: texts.settings.users.title, isPermitted: isAdmin },
    ],
  },
  {
    name: texts.settings.groups.content,
    sections: [{ to: '/settings/locales', label: texts.settings.locales.title, isPermitted: isAdmin }],
  },
  {
    name: texts.settings.groups.server,
    sections: [
      {
        to: '/settings/webhooks',
        label: texts.webhooks.title,
        isPermitted: (me) => isAdmin(me) && me.features.webhooks,
      },
      {
        to: '/settings/audit',
        label: texts.audit.title,
        isPermitted: (me) => isAdmin(me) && me.features.audit,
      },
      { to: '/settings/jobs', label: texts.jobs.title, isPermitted: isAdmin },
      { to: '/settings/about', label: texts.settings.about.title, isPermitted: isAdmin },
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
