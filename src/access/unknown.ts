/** Content-types in the permissions of the configuration that the project does not have: nobody is helped by those. */
import type { Model } from '../model/model.ts'
import type { RolesConfig } from '../project/config.ts'
import { didYouMean } from '../project/suggest.ts'

/** One sentence for each. Plugins have permissions that belong to no content-type. */
export const unknownTypes = (roles: RolesConfig, { types }: Model): string[] =>
  Object.entries(roles).flatMap(([role, permissions]) =>
    Object.keys(permissions)
      .filter((uid) => !types.has(uid) && !uid.startsWith('plugin::'))
      .map(
        (uid) =>
          `the role ${role} names ${uid}, and there is no such content-type${didYouMean(uid, types.keys())}`,
      ),
  )
