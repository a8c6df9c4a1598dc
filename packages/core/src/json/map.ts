/**
 * The members of an object, each as `change` gives it back; one that becomes undefined is left out. Where nothing changes it is the
 * very same object: most walks over data change nothing, and should cost nothing.
 */
export function mapMembers(
  object: Readonly<Record<string, unknown>>,
  change: (member: unknown, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(object);
  let members: [string, unknown][] | undefined;
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] ?? "";
    const changed = change(object[name], name);
    if (members === undefined && changed === object[name]) continue;
    members ??= names.slice(0, at).map((before) => [before, object[before]]);
    if (changed !== undefined) members.push([name, changed]);
  }
  // So that `__proto__` becomes a member like any other.
  return members === undefined ? object : Object.fromEntries(members);
}

/** The items of a list, each as `change` gives it back. Where nothing changes it is the very same list. */
export function mapItems(
  list: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  let items: unknown[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    const changed = change(list[at], at);
    if (items === undefined && changed === list[at]) continue;
    items ??= list.slice(0, at);
    items.push(changed);
  }
  return items ?? list;
}
