import type { JsonSchemaDocument, SchemaNode } from "./json-schema-document.ts";

const INSTEAD_OF_TUPLE = "use an object with a field for each place, or a list of one type";
const INSTEAD_OF_DEPENDENCY = 'write a rule in CEL, such as .rule("!has(self.a) || has(self.b)")';
const INSTEAD_OF_CONTAINS = 'write a rule in CEL, such as .rule("self.exists(item, item > 3)")';
const INSTEAD_OF_CONDITION = "write a rule in CEL, such as .rule(\"self.kind != 'a' || has(self.a)\")";

/** What no CustomResourceDefinition can express, and what to write instead. */
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

/** Throws when a schema uses a keyword that no CustomResourceDefinition has. */
export function unsupported(document: JsonSchemaDocument, node: SchemaNode): void {
  for (const [keyword, place] of node.keywords) {
    const instead = UNSUPPORTED.get(keyword);
    const isTuple = keyword === "items" && Array.isArray(place.value);
    if (instead === undefined && !isTuple) continue;
    throw document.refusal(place, `a CustomResourceDefinition has no ${keyword}`, instead ?? INSTEAD_OF_TUPLE);
  }
  const names = node.keywords.get("propertyNames");
  if (names === undefined || names.value === true) return;
  const constrained = Object.keys(document.members(names)).find((name) => name !== "type" && !name.startsWith("$"));
  if (constrained === undefined) return;
  throw document.refusal(
    names,
    "a CustomResourceDefinition cannot constrain the names of keys",
    'declare the names as fields, or write a rule in CEL, such as .rule("self.all(key, key.size() < 64)")',
  );
}
