/** The model as boxes and lines. Each box leads to its content-type or component. */
import { ActionIcon } from '@mantine/core'
import { IconMinus, IconPlus, IconZoomReset } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { modelTexts } from '../../texts/model.ts'
import { isType, nameOf, type Schema } from '../draft/schema.ts'
import styles from './diagram.module.css'
import { BOX_WIDTH, type Box, HEAD_HEIGHT, layOut, pathOf, ROW_HEIGHT } from './layout.ts'

const STEP = 1.25
const [SMALLEST, LARGEST] = [0.3, 2]
/** Smaller text cannot be read; the diagram scrolls instead. */
const SMALLEST_FIT = 0.6

export function Diagram({ schemas }: { readonly schemas: readonly Schema[] }) {
  const shown = useMemo(
    () => schemas.filter((schema) => !schema.builtIn || isReferredTo(schema, schemas)),
    [schemas],
  )
  const layout = useMemo(() => layOut(shown), [shown])
  const frame = useRef<HTMLDivElement>(null)
  const [scale, setScale] = useState(1)
  const [active, setActive] = useState<string | null>(null)
  const fit = () =>
    setScale(Math.max(SMALLEST_FIT, Math.min(1, (frame.current?.clientWidth ?? layout.width) / layout.width)))
  useLayoutEffect(fit, [layout.width])
  const zoom = (factor: number) =>
    setScale((current) => Math.min(LARGEST, Math.max(SMALLEST, current * factor)))
  const isActive = (uid: string) =>
    active === null ||
    active === uid ||
    layout.lines.some(({ from, to }) => (from === active && to === uid) || (to === active && from === uid))
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span>{modelTexts.diagramHint}</span>
        <ActionIcon onClick={() => zoom(1 / STEP)} aria-label={modelTexts.zoomOut}>
          <IconMinus size={16} stroke={1.5} />
        </ActionIcon>
        <ActionIcon onClick={() => zoom(STEP)} aria-label={modelTexts.zoomIn}>
          <IconPlus size={16} stroke={1.5} />
        </ActionIcon>
        <ActionIcon onClick={fit} aria-label={modelTexts.fit}>
          <IconZoomReset size={16} stroke={1.5} />
        </ActionIcon>
      </figcaption>
      <div ref={frame} className={styles.frame}>
        <svg
          width={layout.width * scale}
          height={layout.height * scale}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
        >
          <title>{modelTexts.diagramLabel}</title>
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M1 1 L7 4 L1 7" className={styles.arrow} />
            </marker>
          </defs>
          {layout.lines.map((line) => (
            <path
              key={`${line.from} ${line.attribute} ${line.to}`}
              d={pathOf(layout, line)}
              className={styles.line}
              data-component={!isType(line.to)}
              data-dimmed={active !== null && line.from !== active && line.to !== active}
              markerEnd="url(#arrow)"
            />
          ))}
          {[...layout.boxes.values()].map((box) => (
            <SchemaBox
              key={box.schema.uid}
              box={box}
              isDimmed={!isActive(box.schema.uid)}
              onActive={setActive}
            />
          ))}
        </svg>
      </div>
    </figure>
  )
}

/** Users and files are shown where something refers to them. */
const isReferredTo = ({ uid }: Schema, schemas: readonly Schema[]) =>
  schemas.some(
    ({ builtIn, attributes }) => !builtIn && Object.values(attributes).some(({ target }) => target === uid),
  )

interface SchemaBoxProps {
  readonly box: Box
  readonly isDimmed: boolean
  readonly onActive: (uid: string | null) => void
}

function SchemaBox({ box: { schema, x, y, height, rows }, isDimmed, onActive }: SchemaBoxProps) {
  const { uid } = schema
  return (
    <Link
      to="/model/$uid"
      params={{ uid }}
      className={styles.box}
      data-dimmed={isDimmed}
      data-component={!isType(uid)}
      onMouseEnter={() => onActive(uid)}
      onMouseLeave={() => onActive(null)}
      onFocus={() => onActive(uid)}
      onBlur={() => onActive(null)}
    >
      <rect x={x} y={y} width={BOX_WIDTH} height={height} rx={6} className={styles.rect} />
      <text x={x + 12} y={y + 20} className={styles.name}>
        {shortened(nameOf(schema), 24)}
      </text>
      {rows.map((row, index) => (
        <text key={row} x={x + 12} y={y + HEAD_HEIGHT + index * ROW_HEIGHT + 13} className={styles.row}>
          {shortened(row, 26)}
        </text>
      ))}
    </Link>
  )
}

const shortened = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text
