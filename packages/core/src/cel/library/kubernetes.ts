import { FORMATS_LIBRARY } from "./kubernetes-format.ts";
import { KUBERNETES_LISTS_LIBRARY } from "./kubernetes-lists.ts";
import { NETWORK_LIBRARY } from "./kubernetes-net.ts";
import { QUANTITY_LIBRARY } from "./kubernetes-quantity.ts";
import { URLS_LIBRARY } from "./kubernetes-url.ts";
import type { CelLibrary } from "./library.ts";
import { REGEX_LIBRARY } from "./regex.ts";

const PARTS: readonly CelLibrary[] = [
  QUANTITY_LIBRARY,
  URLS_LIBRARY,
  NETWORK_LIBRARY,
  FORMATS_LIBRARY,
  REGEX_LIBRARY,
  KUBERNETES_LISTS_LIBRARY,
];

/**
 * The Kubernetes libraries: quantities, URLs, IP addresses and networks, named formats, `find`, and list functions
 * (docs: Common Expression Language in Kubernetes).
 */
export const KUBERNETES_LIBRARY: CelLibrary = {
  name: "kubernetes",
  functions: PARTS.flatMap(({ functions = [] }) => functions),
};
