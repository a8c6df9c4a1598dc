import type { JsonSchemaDocument, SchemaNode } from "./json-schema-document.ts";

const INSTEAD_OF_TUPLE = "use an object with a field per position, or a list of one type";
const INSTEAD_OF_DEPENDENCY = 'write a rule in CEL, such as .rule("!has(self.a) || has(self.b)")';
const INSTEAD_OF_CONTAINS = 'write a rule in CEL, such as .rule("self.exists(item, item > 3)")';
const INSTEAD_OF_CONDITION = "write a rule in CEL, such as .rule(\"self.kind != 'a' || has(self.a)\")";

/** Keywords that a CustomResourceDefinition cannot express, with their alternatives. */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ["prefixItems", INSTEAD_OF_TUPLE],
  ["additionalItems", INSTEAD_OF_TUPLE],
  ["patternProperties", "use s.map(…) for any key, with a rule in CEL about the keys"],
  ["if", INSTEAD_OF_CONDITION],
  ["then", INSTEAD_OF_CONDITION],
  ["else", INSTEAD_OF_CONDITION],
  ["dependentRequired", INSTEAD_OF_DEPENDENCY],
  ["dependentSchemas", INSTEAD_OF_DEPENDENCY],
  ["dependencies", INSTEAD_OF_DEPENDENCY],
  ["contains", INSTEAD_OF_CONTAINS],
  ["minContains", INSTEAD_OF_CONTAINS],
  ["maxContains", INSTEAD_OF_CONTAINS],
  ["$dynamicRef", "use $ref"],
  ["$recursiveRef", "use $ref"],
]);

/** Throws a DeclarationError if a schema uses an unsupported keyword. */
export function rejectUnsupportedKeywords(document: JsonSchemaDocument, node: SchemaNode): void {
  for (const [keyword, location] of node.keywords) {
    const instead = UNSUPPORTED.get(keyword);
    const isTuple = keyword === "items" && Array.isArray(location.value);
    if (instead === undefined && !isTuple) continue;
    throw document.error(location, `a CustomResourceDefinition has no ${keyword}`, instead ?? INSTEAD_OF_TUPLE);
  }
  const names = node.keywords.get("propertyNames");
  if (names === undefined || names.value === true) return;
  const constrained = Object.keys(document.members(names)).find((name) => name !== "type" && !name.startsWith("$"));
  if (constrained === undefined) return;
  throw document.error(
    names,
    "a CustomResourceDefinition cannot constrain the names of keys",
    'declare the names as fields, or write a rule in CEL, such as .rule("self.all(key, key.size() < 64)")',
  );
}
