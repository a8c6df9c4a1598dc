/** Parsing of image references for the default pull policy. */

const NAME = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const HOST = "(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*)(?::[0-9]+)?";
const REFERENCE = new RegExp(
  `^(?:${HOST}/)?${NAME}(?:/${NAME})*(?::(?<tag>\\w[\\w.-]{0,127}))?(?<digest>@[A-Za-z][\\w+.-]*:[0-9a-fA-F]{32,})?$`,
  "u",
);

/** Returns the default pull policy: Always for the tag `latest` (docs: Images, Default image pull policy). */
export function defaultPullPolicy(image: string | undefined): "Always" | "IfNotPresent" {
  const found = REFERENCE.exec(image ?? "");
  if (found === null) return "IfNotPresent";
  const { tag, digest } = found.groups ?? {};
  return tag === "latest" || (tag === undefined && digest === undefined) ? "Always" : "IfNotPresent";
}
