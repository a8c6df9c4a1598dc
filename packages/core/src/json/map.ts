/**
 * Maps the members of an object; a member that becomes undefined is removed. Returns the same object if no member
 * changes, so that walks without changes are cheap.
 */
export function mapJsonObject(
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
  // Object.fromEntries makes `__proto__` an own property.
  return members === undefined ? object : Object.fromEntries(members);
}

/** Maps the items of a list. Returns the same list if no item changes. */
export function mapJsonArray(
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
