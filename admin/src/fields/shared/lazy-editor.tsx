/** Loads a large editor when a field first needs it. Its space is reserved, so that the form does not jump. */
import { Skeleton } from '@mantine/core'
import { type ComponentType, Suspense } from 'react'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from './field-frame.tsx'

interface LazyEditorProps extends FieldProps {
  readonly Editor: ComponentType<FieldProps>
}

export function LazyEditor({ Editor, ...props }: LazyEditorProps) {
  return (
    <Suspense
      fallback={
        <FieldFrame {...props}>
          <Skeleton height={160} />
        </FieldFrame>
      }
    >
      <Editor {...props} />
    </Suspense>
  )
}
