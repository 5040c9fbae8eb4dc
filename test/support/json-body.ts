/** Looking into the JSON body of an answer. */

/** What stands at a path in a body; undefined where there is nothing. */
export const inBody =
  (text: string) =>
  (...path: readonly (string | number)[]): unknown =>
    path.reduce<unknown>(member, text === '' ? undefined : JSON.parse(text))

const member = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
