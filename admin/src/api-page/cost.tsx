/** What a read costs: how much it reads, missing indexes, its SQL, and which roles may make it. */
import { useQuery } from '@tanstack/react-query'
import { explainQuery } from '../api/content/explain.ts'
import type { ContentTypeView } from '../api/types.ts'
import { modelTexts } from '../texts/model.ts'
import styles from './api-page.module.css'

interface CostProps {
  readonly type: ContentTypeView
  readonly parameters: Readonly<Record<string, unknown>>
}

export function Cost({ type, parameters }: CostProps) {
  const { data } = useQuery({ ...explainQuery(type, parameters), placeholderData: (previous) => previous })
  if (!data) return null
  const { api } = modelTexts
  const { statement, plan, indexes, estimate, roles } = data
  return (
    <section>
      <h2 className={styles.heading}>
        {api.cost}
        {estimate && <span className={styles.facts}>{api.rows(estimate.rows)}</span>}
      </h2>
      {indexes.suggested.length === 0 ? (
        <p className={styles.hint}>{api.noIndexes}</p>
      ) : (
        <>
          <p className={styles.hint}>{api.indexes}</p>
          <ul className={styles.list}>
            {indexes.suggested.map(({ on, because }) => (
              <li key={on.join()}>
                <code>{on.join(', ')}</code> {because}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={styles.hint}>{api.roles}</p>
      <ul className={styles.roles}>
        {Object.entries(roles).map(([role, { status, omitted }]) => (
          <li key={role} data-allowed={status < 400}>
            {role} <span>{status}</span>
            {omitted.length > 0 && <span>{api.omitted(omitted.join(', '))}</span>}
          </li>
        ))}
      </ul>
      <details className={styles.details}>
        <summary>{api.statement}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <pre className={styles.code} tabIndex={0}>
          {`${statement}\n\n${planText(plan)}`}
        </pre>
      </details>
    </section>
  )
}

const planText = (plan: unknown) => (Array.isArray(plan) ? plan.join('\n') : JSON.stringify(plan, null, 2))
