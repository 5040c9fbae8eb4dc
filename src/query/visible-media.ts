/** Which media attributes of a content-type a caller may see files in. */
import { type ContentType, componentOf } from '../model/model.ts'
import { type RelationKey, relationKeyText } from '../store/tables/layout.ts'
import { attributesOf, documentOf, findName, type Subject } from './find-name.ts'
import type { ParseContext } from './parse-context.ts'

/**
 * The media attributes of a type and of the components in it, without those that are private or lie behind something
 * private. An edge does not say through which attribute its component is reached, so one hidden way is enough.
 */
export function visibleMedia(context: ParseContext, type: ContentType): readonly RelationKey[] {
  const seen = new Map<string, RelationKey>()
  const hidden = new Set<string>()
  const visited = new Set<string>()
  const visit = (subject: Subject, isHidden: boolean): void => {
    const component = subject.kind === 'entry' ? subject.component.uid : null
    const way = `${component ?? ''} ${isHidden}`
    if (visited.has(way)) return
    visited.add(way)
    for (const attribute of attributesOf(subject).values()) {
      const inside = isHidden || findName(context, subject, attribute.name) === null
      const enter = (uid: string) => enterComponent(uid, inside)
      if (attribute.kind === 'component') enter(attribute.component)
      else if (attribute.kind === 'zone') attribute.components.forEach(enter)
      else if (attribute.kind === 'media') {
        const key = { type: type.uid, component, attribute: attribute.name }
        if (inside) hidden.add(relationKeyText(key))
        else seen.set(relationKeyText(key), key)
      }
    }
  }
  const enterComponent = (uid: string, isHidden: boolean) =>
    visit({ kind: 'entry', type, component: componentOf(context.model, uid) }, isHidden)
  visit(documentOf(type), false)
  return [...seen].flatMap(([text, key]) => (hidden.has(text) ? [] : [key]))
}
