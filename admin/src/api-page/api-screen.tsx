/** How programs use a content-type: its endpoints, a query that is built here, and what the server responds. */

import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { apiResponseQuery } from '../api/content/explain.ts'
import { rootUrl } from '../api/request.ts'
import type { ContentTypeView } from '../api/types.ts'
import { useMe, useType } from '../shell/me.tsx'
import { NotFound } from '../shell/states.tsx'
import { modelTexts } from '../texts/model.ts'
import { texts } from '../texts.ts'
import styles from './api-page.module.css'
import { CodeTabs } from './code-tabs.tsx'
import { Cost } from './cost.tsx'
import { Endpoints } from './endpoints.tsx'
import { type ApiQuery, clientCallOf, curlOf, legibleQuery, parametersOf, START } from './query.ts'
import { QueryForm } from './query-form.tsx'

export function ApiScreen() {
  const { type: path } = useParams({ from: '/signed-in/content/$type/api' })
  const type = useType(path)
  if (!type?.actions.find) return <NotFound />
  return <ApiPage key={type.uid} type={type} />
}

function ApiPage({ type }: { readonly type: ContentTypeView }) {
  const { permissions } = useMe()
  const [query, setQuery] = useState<ApiQuery>(START)
  const parameters = parametersOf(type, query)
  const { data: response } = useQuery({
    ...apiResponseQuery(type, parameters),
    placeholderData: (previous) => previous,
  })
  const text = response ? JSON.stringify(response.body, null, 2) : ''
  const encoded = legibleQuery(parameters)
  const url = `${new URL(`api/${type.path}`, rootUrl).href}${encoded === '' ? '' : `?${encoded}`}`
  const { api } = modelTexts
  return (
    <div className={styles.screen}>
      <header className={styles.header}>
        <Link
          to="/content/$type"
          params={{ type: type.path }}
          className={styles.back}
          aria-label={texts.edit.backTo(type.view.label)}
        >
          <IconArrowLeft size={18} stroke={1.5} />
        </Link>
        <h1 className={styles.title}>{api.title(type.view.label)}</h1>
      </header>
      <div className={styles.columns}>
        <div className={styles.column}>
          <Endpoints type={type} />
          <section>
            <h2 className={styles.heading}>{api.query}</h2>
            <QueryForm type={type} query={query} onChange={setQuery} />
          </section>
          <CodeTabs
            codes={[
              { name: api.asUrl, code: url },
              { name: api.asCurl, code: curlOf(url) },
              { name: api.asClient, code: clientCallOf(type, parameters) },
            ]}
          />
          <p className={styles.hint}>{api.tokenHint}</p>
        </div>
        <div className={styles.column}>
          <section>
            <h2 className={styles.heading}>
              {api.response}
              {response && (
                <span className={styles.facts} data-failed={response.status >= 400}>
                  {[response.status, api.time(response.milliseconds), api.size(new Blob([text]).size)].join(
                    ' · ',
                  )}
                </span>
              )}
            </h2>
            <p className={styles.hint}>{api.responseHint}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
            <pre className={styles.json} tabIndex={0}>
              {text}
            </pre>
          </section>
          {permissions.admin && <Cost type={type} parameters={parameters} />}
        </div>
      </div>
    </div>
  )
}
