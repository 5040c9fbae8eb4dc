/** Who did something, as the admin API shows it. */
export function authorJson(author: string): { readonly kind: string; readonly id?: string } {
  const [kind = '', id] = author.split(':')
  return id === undefined ? { kind } : { kind, id }
}
