import { FORMATS } from "./kubernetes-format.ts";
import { KUBERNETES_LISTS } from "./kubernetes-lists.ts";
import { NETWORKS } from "./kubernetes-net.ts";
import { QUANTITIES } from "./kubernetes-quantity.ts";
import { URLS } from "./kubernetes-url.ts";
import type { CelLibrary } from "./library.ts";
import { REGEX } from "./regex.ts";

const PARTS: readonly CelLibrary[] = [QUANTITIES, URLS, NETWORKS, FORMATS, REGEX, KUBERNETES_LISTS];

/** What Kubernetes adds: quantities, URLs, IP addresses and networks, named formats, `find`, and functions on lists. */
export const KUBERNETES: CelLibrary = {
  name: "kubernetes",
  functions: PARTS.flatMap(({ functions = [] }) => functions),
};
