/** Parses JSON that a person has typed, without losing anything of it. */
import { isExactDouble } from '../../../../src/model/scalars/shared/exact-decimal.ts'
import { texts } from '../../texts.ts'

export type ParsedJson =
  | { readonly isValid: true; readonly value: unknown }
  | { readonly isValid: false; readonly problem: string }

/** The value of a text; null when it is empty. A number that would lose digits is a problem, as it is for the server. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === '') return { isValid: true, value: null }
  let inexact: string | null = null
  try {
    const value: unknown = JSON.parse(
      text,
      (_key, member: unknown, context?: { readonly source?: string }) => {
        // Browsers that do not report the source of numbers leave the check to the server.
        const source = typeof member === 'number' ? context?.source : undefined
        if (source !== undefined && !isExactDouble(source)) inexact ??= source
        return member
      },
    )
    return inexact === null
      ? { isValid: true, value }
      : { isValid: false, problem: texts.fields.inexactNumber(inexact) }
  } catch {
    return { isValid: false, problem: texts.fields.invalidJson }
  }
}
