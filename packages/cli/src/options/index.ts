/** Options that several commands share, and parsers of their values. Begin with `config-flags.ts`. */

export { ADAPTERS_HELP, addConfigFlags } from "./config-flags.ts";
export type { ConfigFlags } from "./config-flags.ts";
export { examples } from "./examples.ts";
export { outputOption } from "./output-option.ts";
export { NAME_MAX, parseName, parseNamespace, parseNamespaces } from "./parse-name.ts";
export { parsePort } from "./parse-port.ts";
export { collectOption } from "./repeatable-option.ts";
export { addHyperfleetFlags, hyperfleetFlags } from "./sentinel-flags.ts";
export { isVerbose } from "./verbose.ts";
