/** The team: who may use the app, and who is invited. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invitationsQuery, teamQuery } from '../../api/settings/team.ts'
import { Loading, ScreenError } from '../../shell/states.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { SectionPage } from '../section-page.tsx'
import { InvitationTable } from './invitation-table.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberTable } from './member-table.tsx'

const { team: words } = settingsTexts

export function TeamSection() {
  const [isInviting, setIsInviting] = useState(false)
  const { data: members, error, refetch } = useQuery(teamQuery)
  const { data: invitations } = useQuery(invitationsQuery)
  if (error) return <ScreenError error={error} reset={() => void refetch()} />
  if (!members) return <Loading />
  return (
    <SectionPage
      title={words.title}
      text={words.text}
      action={<Button onClick={() => setIsInviting(true)}>{words.invite}</Button>}
    >
      <MemberTable members={members} />
      {invitations && <InvitationTable invitations={invitations} />}
      <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
    </SectionPage>
  )
}
