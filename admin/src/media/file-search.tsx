/** The search for files, in the library and where a file is chosen. */
import { SearchInput } from '../parts/search-input.tsx'
import { texts } from '../texts.ts'
import styles from './media.module.css'

interface FileSearchProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

export const FileSearch = ({ value, onChange }: FileSearchProps) => (
  <SearchInput
    className={styles.search}
    value={value}
    onChange={onChange}
    label={texts.media.search}
    placeholder={texts.media.searchPlaceholder}
    clearLabel={texts.media.clearSearch}
  />
)
