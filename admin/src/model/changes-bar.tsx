/** Says that there are unsaved changes, what is wrong with them, and leads to saving them. */
import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { modelTexts } from '../texts/model.ts'
import { countChanges } from './draft/draft.ts'
import styles from './model.module.css'
import { useModel } from './model-context.tsx'
import { ReviewDialog } from './review/review-dialog.tsx'

export function ChangesBar() {
  const { draft, problems, canUndo, undo, discard } = useModel()
  const [isReviewing, setIsReviewing] = useState(false)
  const count = countChanges(draft)
  // The changes stay in this tab; closing it would lose them.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => count > 0 })
  return (
    <>
      {count > 0 && (
        <section className={styles.bar} aria-label={modelTexts.changes.bar}>
          <span className={styles.barText} role="status">
            {modelTexts.changes.count(count)}
            {problems.length > 0 && (
              <span className={styles.barProblems}>{modelTexts.changes.problems(problems.length)}</span>
            )}
          </span>
          {canUndo && (
            <Button variant="subtle" color="gray" onClick={undo}>
              {modelTexts.changes.undo}
            </Button>
          )}
          <Button variant="default" onClick={discard}>
            {modelTexts.changes.discard}
          </Button>
          <Button onClick={() => setIsReviewing(true)}>{modelTexts.changes.review}</Button>
        </section>
      )}
      {isReviewing && <ReviewDialog onClose={() => setIsReviewing(false)} />}
    </>
  )
}
