/** The `env` function that configuration files of Strapi receive: reads environment variables as values of a type. */
import type { Environment } from '../config/environment.ts'

type Parse<T> = (text: string, name: string) => T

/** With the functions `int`, `float`, `bool`, `json`, `array`, `date` and `oneOf`, as in Strapi. */
export function createEnvHelper(env: Environment) {
  const read =
    <T>(parse: Parse<T>) =>
    (name: string, fallback?: T): T | undefined => {
      const text = env[name]
      return text === undefined ? fallback : parse(text, name)
    }
  const string = read((text) => text)
  return Object.assign(string, {
    int: read((text) => Number.parseInt(text, 10)),
    float: read((text) => Number.parseFloat(text)),
    bool: read((text) => text === 'true'),
    json: read(parseJson),
    array: read(parseList),
    date: read((text) => new Date(text)),
    oneOf(name: string, allowed: readonly unknown[] = [], fallback?: unknown): unknown {
      const text = string(name)
      return text !== undefined && allowed.includes(text) ? text : fallback
    },
  })
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`the environment variable ${name} is not JSON`)
  }
}

/** `a,b`, which may have brackets around it, and quotes around each value. */
const parseList = (text: string): string[] =>
  text
    .trim()
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2'))
