/** The names of tables, columns and indexes. */
import { createHash } from 'node:crypto'

/** PostgreSQL truncates names to 63 bytes; a digest keeps long ones apart. */
export function identifier(name: string): string {
  if (Buffer.byteLength(name) <= 63) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12)
  return `${name.slice(0, 50)}_${digest}`
}
