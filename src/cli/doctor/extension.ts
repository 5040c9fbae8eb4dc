/** What is to be said of a project's own code: whether its content-types have what it names. */
import { messageOf } from '../../errors.ts'
import { extensionProblems } from '../../http/extension/check-extension.ts'
import { extensionOf } from '../../http/extension/extension.ts'
import type { Project } from '../../model/load-project.ts'
import { formatProblem } from '../../project/problems.ts'
import { bad, type Finding } from './finding.ts'

export function checkExtension({ config, model }: Pick<Project, 'config' | 'model'>): Finding[] {
  const remedy = 'correct it there; the server does not start with it'
  try {
    const misfits = extensionProblems(model, extensionOf(config.extend))
    return misfits.map((problem) => bad(`Own code: ${formatProblem(problem)}`, remedy))
  } catch (failure) {
    return [bad(`Own code: ${messageOf(failure)}`, remedy)]
  }
}
