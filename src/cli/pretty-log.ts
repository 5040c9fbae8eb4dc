/** The log of `octavo dev`: formatted for reading if pino-pretty is installed, otherwise JSON lines. */

/** A stream that formats log lines, or null if pino-pretty, a development dependency of projects, is not installed. */
export async function createPrettyLog() {
  try {
    const { default: pretty } = await import('pino-pretty')
    return pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}
