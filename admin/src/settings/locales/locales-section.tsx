/** The locales of the project. They are part of its configuration, so the app shows them and says how they are changed. */
import { Table } from '../../parts/table.tsx'
import { useMe } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import { CopyText } from '../parts/copy-text.tsx'
import styles from '../parts/parts.module.css'
import { SectionPage } from '../section-page.tsx'

const { locales: words } = texts.settings

const names = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' })

/** The name of a locale; its code when the browser does not know it. */
function nameOf(code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

export function LocalesSection() {
  const { locales, contentTypes } = useMe()
  const localized = contentTypes.filter((type) => type.localized).map(({ view }) => view.label)
  const file = JSON.stringify({ default: locales.default, locales: locales.codes })
  return (
    <SectionPage title={words.title} text={words.text}>
      <Table label={words.title} columns={[{ label: words.name }, { label: words.code }, { label: '' }]}>
        {locales.codes.map((code) => (
          <tr key={code}>
            <td className={styles.name}>{nameOf(code)}</td>
            <td>{code}</td>
            <td className={styles.muted}>{code === locales.default && words.default}</td>
          </tr>
        ))}
      </Table>
      <h2 className={styles.subtitle}>{words.localized}</h2>
      <p className={styles.paragraph}>{localized.length > 0 ? localized.join(', ') : words.none}</p>
      <h2 className={styles.subtitle}>config/locales.json</h2>
      <p className={styles.paragraph}>{words.fixed}</p>
      <CopyText label={words.file} value={file} />
      <p className={styles.paragraph}>{words.restart}</p>
    </SectionPage>
  )
}
