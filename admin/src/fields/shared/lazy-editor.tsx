/** Loads an editor when a field first needs it. Its space is reserved, so that the form does not jump. */
import { Skeleton } from '@mantine/core'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from './field-frame.tsx'

interface LazyInputProps extends FieldProps {
  /** Of the empty input. */
  readonly height?: number
  readonly children: ReactNode
}

export function LazyInput({ height = 36, children, ...props }: LazyInputProps) {
  return (
    <Suspense
      fallback={
        <FieldFrame {...props}>
          <Skeleton height={height} />
        </FieldFrame>
      }
    >
      {children}
    </Suspense>
  )
}

interface LazyEditorProps extends FieldProps {
  readonly Editor: ComponentType<FieldProps>
}

/** A large editor. */
export const LazyEditor = ({ Editor, ...props }: LazyEditorProps) => (
  <LazyInput {...props} height={160}>
    <Editor {...props} />
  </LazyInput>
)
