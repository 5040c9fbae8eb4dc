/** The widths of columns, kept in the browser; changed with the pointer or the arrow keys. */
import { useLocalStorage } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, useMemo } from 'react'
import { texts } from '../../texts.ts'
import type { Column } from './columns.ts'
import styles from './list-table.module.css'

const MIN_WIDTH = 64
const MAX_WIDTH = 800
const KEY_STEP = 16

export interface ColumnWidths {
  get(name: string): number | undefined
  set(name: string, width: number): void
}

export function useColumnWidths(uid: string): ColumnWidths {
  const [stored, setStored] = useLocalStorage<Readonly<Record<string, number>>>({
    key: `octavo-widths-${uid}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  return useMemo(
    () => ({
      get: (name) => stored[name],
      set: (name, width) =>
        setStored((current) => ({
          ...current,
          [name]: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(width))),
        })),
    }),
    [stored, setStored],
  )
}

interface ResizeHandleProps {
  readonly column: Column
  readonly widths: ColumnWidths
}

export function ResizeHandle({ column: { name, label, width }, widths }: ResizeHandleProps) {
  const current = widths.get(name) ?? width
  const drag = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault()
    const { currentTarget: handle, pointerId, clientX: startX } = event
    const startWidth = handle.parentElement?.getBoundingClientRect().width ?? current
    handle.setPointerCapture(pointerId)
    const move = ({ clientX }: globalThis.PointerEvent) => widths.set(name, startWidth + clientX - startX)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    })
  }
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? KEY_STEP : event.key === 'ArrowLeft' ? -KEY_STEP : 0
    if (step === 0) return
    event.preventDefault()
    widths.set(name, current + step)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is a widget, which hr is not.
    <span
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={texts.list.resize(label)}
      aria-valuenow={current}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      className={styles.resize}
      onPointerDown={drag}
      onKeyDown={press}
    />
  )
}
