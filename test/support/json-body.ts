/** Parses a JSON body and returns a function that reads the value at a path; undefined where there is none. */
export const jsonAt =
  (text: string) =>
  (...path: readonly (string | number)[]): unknown =>
    path.reduce<unknown>(member, text === '' ? undefined : JSON.parse(text))

const member = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
