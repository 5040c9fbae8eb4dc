/** A plan in words: what happens to the content, worst first, and what clients of the API notice. */
import { Fragment } from 'react'
import type { Effect, ModelPlan } from '../../api/model.ts'
import { DocumentLink } from '../../content/document-link.tsx'
import { modelTexts } from '../../texts/model.ts'
import styles from './review.module.css'

const ORDER: readonly Effect[] = ['blocked', 'lossy', 'notice', 'empty', 'safe']

export function PlanView({ plan }: { readonly plan: ModelPlan }) {
  const changes = ORDER.flatMap((effect) => plan.changes.filter((change) => change.effect === effect))
  const clients = plan.clients.toSorted((one, other) => Number(other.breaking) - Number(one.breaking))
  return (
    <>
      <section>
        <h3 className={styles.heading}>{modelTexts.review.content}</h3>
        {changes.length === 0 && <p className={styles.nothing}>{modelTexts.review.contentNothing}</p>}
        <ul className={styles.list}>
          {changes.map(({ words, effect, hint, affected, uid, documents }) => (
            <li key={words} className={styles.item} data-effect={effect}>
              <span className={styles.effect}>{modelTexts.review.effects[effect]}</span>
              <span className={styles.words}>
                <Sentence words={words} uid={uid} documents={documents} />
                {hint !== undefined && <span className={styles.hint}>{hint}</span>}
              </span>
              {affected > 0 && effect !== 'safe' && (
                <span className={styles.affected}>{modelTexts.review.affected(affected)}</span>
              )}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3 className={styles.heading}>{modelTexts.review.clients}</h3>
        {clients.length === 0 && <p className={styles.nothing}>{modelTexts.review.clientsNothing}</p>}
        <ul className={styles.list}>
          {clients.map(({ words, breaking }) => (
            <li key={words} className={styles.item} data-effect={breaking ? 'notice' : 'safe'}>
              <span className={styles.words}>{words}</span>
              {breaking && <span className={styles.affected}>{modelTexts.review.breaking}</span>}
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

interface SentenceProps {
  readonly words: string
  readonly uid: string
  readonly documents: readonly string[]
}

/** What happens, in which the documents that lose content or block the change can be opened. */
function Sentence({ words, uid, documents }: SentenceProps) {
  if (documents.length === 0) return words
  const parts = words.split(new RegExp(`(${documents.join('|')})`))
  return parts.map((part, index) =>
    documents.includes(part) ? (
      <DocumentLink key={part} type={uid} documentId={part} locale={null}>
        {part}
      </DocumentLink>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the sentence does not change.
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
