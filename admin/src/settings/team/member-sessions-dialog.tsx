/** The open sessions of a person, for admins to end. */
import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  endMemberSession,
  endMemberSessions,
  memberSessionsQuery,
  type TeamMember,
  teamKey,
} from '../../api/settings/team.ts'
import { SessionList } from '../../shell/accounts/session-list.tsx'
import { Loading, ScreenError } from '../../shell/states.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { texts } from '../../texts.ts'
import { useAction } from '../parts/use-action.ts'

const { team: words } = settingsTexts

interface MemberSessionsDialogProps {
  readonly member: TeamMember | null
  readonly onClose: () => void
}

export function MemberSessionsDialog({ member, onClose }: MemberSessionsDialogProps) {
  return (
    <Modal
      opened={member !== null}
      onClose={onClose}
      title={words.sessionsOf(member?.username ?? '')}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {member && <Sessions member={member} />}
    </Modal>
  )
}

function Sessions({ member: { id } }: { readonly member: TeamMember }) {
  const { data: sessions, error } = useQuery(memberSessionsQuery(id))
  const act = useAction(teamKey)
  if (error) return <ScreenError error={error} />
  if (!sessions) return <Loading />
  if (sessions.length === 0) return <p>{words.noSessions}</p>
  return (
    <>
      <SessionList sessions={sessions} onEnd={(session) => void act(() => endMemberSession(id, session))} />
      <Button variant="default" onClick={() => void act(() => endMemberSessions(id))}>
        {words.endAll}
      </Button>
    </>
  )
}
