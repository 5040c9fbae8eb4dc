/** The search for files, in the library and where a file is chosen. */
import { SearchInput } from '../parts/search-input.tsx'
import { mediaTexts } from '../texts/media.ts'
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
    label={mediaTexts.search}
    placeholder={mediaTexts.searchPlaceholder}
    clearLabel={mediaTexts.clearSearch}
  />
)
