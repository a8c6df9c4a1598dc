import type { RequestUser } from "../../auth/index.ts";

/** Returns a user in the form of the reviews. */
export function userInfo(user: RequestUser): Readonly<Record<string, unknown>> {
  return {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
}
