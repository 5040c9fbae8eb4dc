/** Which media attributes of a content-type a caller may see files in. */
import { type ContentType, componentOf } from '../model/model.ts'
import { type RelationKey, relationKeyText } from '../store/tables/layout.ts'
import { attributesOf, documentOf, findName, type Subject } from './find-name.ts'
import type { ParseContext } from './parse-context.ts'

/**
 * The media attributes of a type and of its components that are visible. An edge does not record through which attribute
 * its component is reached, so an attribute is hidden when one of the paths to it is hidden.
 */
export function visibleMedia(context: ParseContext, type: ContentType): readonly RelationKey[] {
  const shown = new Map<string, RelationKey>()
  const hidden = new Set<string>()
  const visited = new Set<string>()
  const visit = (subject: Subject, isHidden: boolean): void => {
    const component = subject.kind === 'entry' ? subject.component.uid : null
    const visitKey = `${component ?? ''} ${isHidden}`
    if (visited.has(visitKey)) return
    visited.add(visitKey)
    for (const attribute of attributesOf(subject).values()) {
      const inside = isHidden || findName(context, subject, attribute.name) === null
      const enter = (uid: string) => enterComponent(uid, inside)
      if (attribute.kind === 'component') enter(attribute.component)
      else if (attribute.kind === 'zone') attribute.components.forEach(enter)
      else if (attribute.kind === 'media') {
        const key = { type: type.uid, component, attribute: attribute.name }
        if (inside) hidden.add(relationKeyText(key))
        else shown.set(relationKeyText(key), key)
      }
    }
  }
  const enterComponent = (uid: string, isHidden: boolean) =>
    visit({ kind: 'entry', type, component: componentOf(context.model, uid) }, isHidden)
  visit(documentOf(type), false)
  return [...shown].flatMap(([text, key]) => (hidden.has(text) ? [] : [key]))
}
