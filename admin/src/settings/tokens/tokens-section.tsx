/** API tokens: which there are, and creating one. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type CreatedToken, tokensQuery } from '../../api/settings/tokens.ts'
import { Loading, Message, ScreenError } from '../../shell/states.tsx'
import { settingsTexts } from '../../texts/settings/settings.ts'
import { SectionPage } from '../section-page.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { CreatedTokenDialog } from './created-token-dialog.tsx'
import { TokenTable } from './token-table.tsx'

const { tokens: words } = settingsTexts

export function TokensSection() {
  const { data: tokens, error, refetch } = useQuery(tokensQuery)
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<CreatedToken | null>(null)
  if (error) return <ScreenError error={error} reset={() => void refetch()} />
  if (!tokens) return <Loading />
  return (
    <SectionPage
      title={words.title}
      text={words.text}
      action={<Button onClick={() => setIsCreating(true)}>{words.create}</Button>}
    >
      {tokens.length === 0 ? (
        <Message title={words.empty}>{words.emptyHint}</Message>
      ) : (
        <TokenTable tokens={tokens} onRegenerated={setCreated} />
      )}
      <CreateTokenDialog isOpen={isCreating} onClose={() => setIsCreating(false)} onCreated={setCreated} />
      <CreatedTokenDialog token={created} onClose={() => setCreated(null)} />
    </SectionPage>
  )
}
