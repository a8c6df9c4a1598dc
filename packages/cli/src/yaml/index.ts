/** YAML texts and files of several documents. Begin with `documents.ts`. */

export { parseDocuments, readText, throwUnreadable } from "./documents.ts";
export { formatYaml, parseYamlDocuments } from "./yaml.ts";
