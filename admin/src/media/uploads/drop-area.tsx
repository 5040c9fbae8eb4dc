/** Receives files that are dropped or pasted anywhere on a screen. */
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { mediaTexts } from '../../texts/media.ts'
import styles from '../media.module.css'
import { pathTo } from '../media-search.ts'

interface DropAreaProps {
  readonly className?: string | undefined
  readonly folder: string
  /** Null for people who may not upload. */
  readonly onFiles: ((files: readonly File[]) => void) | null
  readonly children: ReactNode
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

export function DropArea({ className, folder, onFiles, children }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea')
      if (files.length === 0 || isTyping || !latest.current) return
      event.preventDefault()
      latest.current(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button "Upload" does the same.
    <div
      className={className}
      onDragOver={(event) => {
        if (!onFiles || !hasFiles(event)) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget))
          setIsOver(false)
      }}
      onDrop={(event) => {
        if (!onFiles || !hasFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && (
        <div className={styles.dropHint}>
          {mediaTexts.dropHere(pathTo(folder).at(-1)?.name ?? mediaTexts.root)}
        </div>
      )}
    </div>
  )
}
