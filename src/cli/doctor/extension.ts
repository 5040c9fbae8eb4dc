/** Checks the hooks and policies of the project: whether the content-types and actions that they name exist. */
import { messageOf } from '../../errors.ts'
import { extensionProblems } from '../../http/extension/check-extension.ts'
import { extensionOf } from '../../http/extension/extension.ts'
import type { Project } from '../../model/load-project.ts'
import { formatProblem } from '../../project/problems.ts'
import { error, type Finding } from './finding.ts'

export function checkExtension({ config, model }: Pick<Project, 'config' | 'model'>): Finding[] {
  const remedy = 'correct it; the server does not start with it'
  try {
    const problems = extensionProblems(model, extensionOf(config.extend))
    return problems.map((problem) => error(`Extension: ${formatProblem(problem)}`, remedy))
  } catch (failure) {
    return [error(`Extension: ${messageOf(failure)}`, remedy)]
  }
}
