import { decodeManagedFields, ManagedFieldsError } from "@levelset/core/apply";
import { deepEqual, parseJson } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { FieldSet, FieldManagerEntry } from "@levelset/core/apply";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";
import type { YamlLine } from "../../api/index.ts";
import { yamlBlock, yamlKey, yamlScalar } from "./yaml-scalar.ts";

/** The fields of one manager below a position of an object. */
interface Claim {
  readonly owner: string;
  readonly fields: FieldSet;
  /** Whether it owns everything below this position. */
  readonly isWhole: boolean;
}

/** Returns an object as YAML lines, each with the owners of its field. */
export function yamlLines(object: JsonObject, owners: readonly FieldManagerEntry[]): readonly YamlLine[] {
  const claims = owners.map((owner) => ({ owner: nameOf(owner), fields: owner.fields, isWhole: false }));
  return mapLines(object, "", claims);
}

/** Returns the field managers of an object; empty if its managedFields are invalid. */
export function fieldOwnersOf(object: KubeObject): readonly FieldManagerEntry[] {
  try {
    return [...decodeManagedFields(object.metadata.managedFields).values()];
  } catch (error) {
    if (error instanceof ManagedFieldsError) return [];
    throw error;
  }
}

function nameOf({ manager, subresource }: FieldManagerEntry): string {
  const name = manager === "" ? "unknown" : manager;
  return subresource === "" ? name : `${name} (${subresource})`;
}

function mapLines(map: JsonObject, indent: string, claims: readonly Claim[]): readonly YamlLine[] {
  return Object.entries(map).flatMap(([name, value]) =>
    value === undefined ? [] : entryLines(`${indent}${yamlKey(name)}:`, value, indent, below(claims, `f:${name}`)),
  );
}

function entryLines(head: string, value: JsonValue, indent: string, claims: readonly Claim[]): readonly YamlLine[] {
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return [line(head, claims), ...mapLines(value, `${indent}  `, claims)];
  }
  if (Array.isArray(value) && value.length > 0) {
    // isArray loses the item type
    return [line(head, claims), ...listLines(value as readonly JsonValue[], indent, claims)];
  }
  const [first, ...rest] = (typeof value === "string" ? yamlBlock(value) : undefined) ?? [yamlScalar(value)];
  const block = rest.map((text) => line(text === "" ? "" : `${indent}  ${text}`, claims));
  return [line(`${head} ${first ?? ""}`, claims), ...block];
}

function listLines(list: readonly JsonValue[], indent: string, claims: readonly Claim[]): readonly YamlLine[] {
  return list.flatMap((item, index) => {
    const own = claims.flatMap((claim) => itemClaim(claim, item, index));
    if (isJsonObject(item) && Object.keys(item).length > 0) return dashed(mapLines(item, `${indent}  `, own), indent);
    if (Array.isArray(item) && item.length > 0) {
      return dashed(listLines(item as readonly JsonValue[], `${indent}  `, own), indent);
    }
    return [line(`${indent}- ${yamlScalar(item)}`, own)];
  });
}

/** Adds the dash to the first line of an item. */
function dashed(lines: readonly YamlLine[], indent: string): readonly YamlLine[] {
  const [first, ...rest] = lines;
  if (first === undefined) return [];
  return [{ ...first, text: `${indent}- ${first.text.slice(indent.length + 2)}` }, ...rest];
}

function line(text: string, claims: readonly Claim[]): YamlLine {
  const owners = [...new Set(claims.filter(({ isWhole }) => isWhole).map(({ owner }) => owner))];
  return owners.length === 0 ? { text } : { text, owners };
}

function below(claims: readonly Claim[], element: string): readonly Claim[] {
  return claims.flatMap((claim) => step(claim, element));
}

/** Descends into a field. A leaf of the field set owns everything below it. */
function step(claim: Claim, element: string): readonly Claim[] {
  if (claim.isWhole) return [claim];
  const fields = claim.fields.withPrefix(element);
  const isMember = claim.fields.hasElement(element);
  if (!isMember && fields.isEmpty) return [];
  return [{ owner: claim.owner, fields, isWhole: isMember && fields.isEmpty }];
}

function itemClaim(claim: Claim, item: JsonValue, index: number): readonly Claim[] {
  if (claim.isWhole) return [claim];
  const found = claim.fields.elements.find((element) => isItem(element, item, index));
  return found === undefined ? [] : step(claim, found);
}

function isItem(element: string, item: JsonValue, index: number): boolean {
  const content = element.slice(2);
  if (element.startsWith("i:")) return Number(content) === index;
  const expected = parseJson(content);
  if (element.startsWith("v:")) return deepEqual(expected, item);
  if (!isJsonObject(expected) || !isJsonObject(item)) return false;
  return Object.entries(expected).every(([name, value]) => value !== undefined && deepEqual(item[name], value));
}
