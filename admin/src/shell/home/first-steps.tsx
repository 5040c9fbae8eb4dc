/** How a new project gets its first content: a content-type, a document, and a request that fetches it. */
import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { homeQuery } from '../../api/content/home.ts'
import { rootUrl } from '../../api/request.ts'
import type { ContentTypeView } from '../../api/types.ts'
import { useCopy } from '../../parts/copy.ts'
import { homeTexts } from '../../texts/home.ts'
import { texts } from '../../texts.ts'
import { useMe } from '../me.tsx'
import { permittedPlaces } from '../navigation/places.ts'
import styles from './home.module.css'

export function FirstSteps() {
  const me = useMe()
  const { contentTypes } = me
  const { data } = useQuery(homeQuery)
  const type = contentTypes.find(({ kind, actions }) => kind === 'collection' && actions.create)
  const model = permittedPlaces(me).find(({ to }) => String(to) === '/model')
  const hasDocument = (data?.mine.length ?? 0) + (data?.others.length ?? 0) > 0
  return (
    <section className={styles.first}>
      <h2 className={styles.firstTitle}>{homeTexts.first}</h2>
      <ol className={styles.steps}>
        <Step title={homeTexts.define} isDone={contentTypes.length > 0}>
          <p>{model && me.settings.schemaEditable ? homeTexts.defineText : homeTexts.defineInFolder}</p>
          {model && (
            <Button
              size="xs"
              variant={contentTypes.length > 0 ? 'default' : 'filled'}
              renderRoot={(props) => <Link to={model.to} {...props} />}
            >
              {homeTexts.openModel}
            </Button>
          )}
        </Step>
        <Step title={homeTexts.create} isDone={hasDocument}>
          <p>{homeTexts.createText}</p>
          {type && (
            <Button
              size="xs"
              variant={hasDocument ? 'default' : 'filled'}
              renderRoot={(props) => (
                <Link
                  to="/content/$type/$documentId"
                  params={{ type: type.path, documentId: 'new' }}
                  {...props}
                />
              )}
            >
              {texts.list.create(type.displayName)}
            </Button>
          )}
        </Step>
        <Step title={homeTexts.fetch} isDone={false}>
          <p>{homeTexts.fetchText}</p>
          {type && <Command type={type} />}
        </Step>
      </ol>
    </section>
  )
}

interface StepProps {
  readonly title: string
  readonly isDone: boolean
  readonly children: ReactNode
}

const Step = ({ title, isDone, children }: StepProps) => (
  <li className={styles.step} data-done={isDone}>
    <h3>
      {title}
      {isDone && (
        <>
          <IconCheck size={16} stroke={2} aria-hidden />
          <span className="visually-hidden">{homeTexts.done}</span>
        </>
      )}
    </h3>
    {children}
  </li>
)

function Command({ type }: { readonly type: ContentTypeView }) {
  const { copy, copied } = useCopy()
  const command = `curl ${new URL(`api/${type.path}`, rootUrl).href}`
  return (
    <div className={styles.command}>
      <code>{command}</code>
      <Button size="xs" variant="default" onClick={() => copy(command)}>
        {copied ? homeTexts.copied : homeTexts.copy}
      </Button>
    </div>
  )
}
