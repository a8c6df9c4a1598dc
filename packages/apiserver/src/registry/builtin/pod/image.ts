/** Names of container images, as far as defaults need them. */

const NAME = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const HOST = "(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*)(?::[0-9]+)?";
const REFERENCE = new RegExp(
  `^(?:${HOST}/)?${NAME}(?:/${NAME})*(?::(?<tag>\\w[\\w.-]{0,127}))?(?<digest>@[A-Za-z][\\w+.-]*:[0-9a-fA-F]{32,})?$`,
  "u",
);

/** When an image is fetched unless its container says so: always if what it names may change under the same name. */
export function defaultPullPolicy(image: string | undefined): "Always" | "IfNotPresent" {
  const found = REFERENCE.exec(image ?? "");
  if (found === null) return "IfNotPresent";
  const { tag, digest } = found.groups ?? {};
  return tag === "latest" || (tag === undefined && digest === undefined) ? "Always" : "IfNotPresent";
}
