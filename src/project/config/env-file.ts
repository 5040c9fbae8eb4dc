/** The file `.env` of a project: variables for its configuration and its own code. Those of the process take precedence. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { messageOf } from '../../errors.ts'
import type { ProjectProblem } from '../problems.ts'
import type { Environment } from './environment.ts'

/**
 * The environment with the variables of the file. If it is the environment of this process, they are added to it, because
 * configuration files and the code of the project read them there.
 */
export function withEnvFile(dir: string, env: Environment, problems: ProjectProblem[] = []): Environment {
  const file = env.ENV_PATH ? resolve(dir, env.ENV_PATH) : join(dir, '.env')
  if (!existsSync(file)) return env
  const variables = variablesIn(file, problems)
  if (env === process.env) for (const [name, value] of Object.entries(variables)) process.env[name] ??= value
  return { ...variables, ...env }
}

function variablesIn(file: string, problems: ProjectProblem[]): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (failure) {
    problems.push({ file, path: '', message: `cannot be read: ${messageOf(failure)}` })
    return {}
  }
}
