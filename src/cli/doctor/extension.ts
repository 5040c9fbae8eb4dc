/** What is to be said of a project's own code: whether its content-types have what it names. */
import { messageOf } from '../../errors.ts'
import { extensionOf } from '../../http/extension.ts'
import { misfitsOfExtension } from '../../http/extension-misfits.ts'
import type { Project } from '../../model/load.ts'
import { mistakeLine } from '../../project/mistake.ts'
import { bad, type Finding } from './finding.ts'

export function checkExtension({ config, model }: Pick<Project, 'config' | 'model'>): Finding[] {
  const remedy = 'correct it there; the server does not start with it'
  try {
    const misfits = misfitsOfExtension(model, extensionOf(config.extend))
    return misfits.map((mistake) => bad(`Own code: ${mistakeLine(mistake)}`, remedy))
  } catch (failure) {
    return [bad(`Own code: ${messageOf(failure)}`, remedy)]
  }
}
