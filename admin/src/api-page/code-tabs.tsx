/** The same request as a URL, a command and a call, each to be copied. */
import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useCopy } from '../parts/copy.ts'
import { modelTexts } from '../texts/model.ts'
import styles from './api-page.module.css'

interface CodeTabsProps {
  readonly codes: readonly { readonly name: string; readonly code: string }[]
}

export function CodeTabs({ codes }: CodeTabsProps) {
  const [shown, setShown] = useState(codes[0]?.name ?? '')
  const { copied, copy } = useCopy()
  const code = codes.find(({ name }) => name === shown)?.code ?? ''
  return (
    <section>
      <div className={styles.tabs}>
        <SegmentedControl
          size="xs"
          data={codes.map(({ name }) => name)}
          value={shown}
          onChange={setShown}
          aria-label={modelTexts.api.query}
        />
        <Button size="xs" variant="subtle" color="gray" onClick={() => copy(code)}>
          {copied ? modelTexts.api.copied : modelTexts.api.copy}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre className={styles.code} tabIndex={0}>
        {code}
      </pre>
    </section>
  )
}
