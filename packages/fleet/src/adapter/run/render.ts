import { isJsonObject, toError } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { metadataOf } from "../json-parts.ts";
import type { ComputedValue, Discovery, Manifest, TemplateTree } from "../task/index.ts";
import type { Template, TemplateMap, TemplateWorld } from "../template/index.ts";
import type { Target } from "../transport/index.ts";
import type { Known } from "./known.ts";

/** Parses YAML. Throws if it is none. */
export type ParseYaml = (text: string) => JsonValue;

/** Renders templates with what is known. Throws TemplateErrors and ExpressionErrors. */
export class Renderer {
  readonly #known: Known;
  readonly #data: TemplateMap;
  readonly #world: TemplateWorld;

  constructor(known: Known, world: TemplateWorld) {
    this.#known = known;
    this.#data = known.templateData;
    this.#world = world;
  }

  text(template: Template): string {
    return template.render(this.#data, this.#world);
  }

  /** A tree with all its texts rendered. What a value contains never changes the shape of the tree. */
  tree(tree: TemplateTree): JsonValue {
    switch (tree.kind) {
      case "text":
        return this.text(tree.template);
      case "value":
        return tree.value;
      case "computed":
        return this.#computed(tree.source);
      case "list":
        return tree.items.map((item) => this.tree(item));
      default:
        return Object.fromEntries(tree.entries.map(([key, item]) => [this.text(key), this.tree(item)]));
    }
  }

  #computed({ from, defaultValue = null }: ComputedValue): JsonValue {
    if (from.kind === "field") return from.path.find(this.#known.json) ?? defaultValue;
    const result = from.expression.evaluate(this.#known.json);
    return result.kind === "value" && result.value !== null ? result.value : defaultValue;
  }

  /** A manifest. A text becomes YAML with a placeholder for every value, which is put in afterwards: no value can become YAML. */
  manifest(manifest: Manifest, parseYaml: ParseYaml): JsonObject {
    const rendered = manifest.kind === "tree" ? this.tree(manifest.tree) : this.#yaml(manifest.template, parseYaml);
    if (!isJsonObject(rendered)) throw new TypeError("the manifest is no mapping");
    return rendered;
  }

  #yaml(template: Template, parseYaml: ParseYaml): JsonValue {
    const values: string[] = [];
    const text = template.render(this.#data, this.#world, (value) => {
      values.push(value);
      return placeholder(values.length - 1);
    });
    try {
      return fill(parseYaml(markLone(text)), values, parseYaml);
    } catch (error) {
      throw new TypeError(`the manifest is no YAML: ${toError(error).message}`, { cause: error });
    }
  }

  /** What a manifest is about, where it is looked for unless the discovery says another namespace. */
  target(manifest: JsonObject, discovery: Discovery, targetCluster: Template | undefined): Target {
    const { apiVersion, kind } = manifest;
    if (typeof apiVersion !== "string" || typeof kind !== "string") {
      throw new TypeError("the manifest has no apiVersion and kind");
    }
    const { namespace: own } = metadataOf(manifest);
    const { namespace = typeof own === "string" ? own : undefined, by } = this.place(discovery);
    return {
      apiVersion,
      kind,
      namespace,
      by,
      ...(targetCluster === undefined ? {} : { targetCluster: this.text(targetCluster) }),
    };
  }

  /** Where to look for something. `*`, as configurations have it for what is in no namespace, says nothing. */
  place(discovery: Discovery): Pick<Target, "namespace" | "by"> {
    const said = discovery.namespace === undefined ? "" : this.text(discovery.namespace);
    const namespace = said === "" || said === "*" ? undefined : said;
    if (discovery.kind === "name") return { namespace, by: { kind: "name", name: this.text(discovery.name) } };
    const labels = Object.fromEntries(discovery.labels.map(([key, value]) => [key, this.text(value)]));
    return { namespace, by: { kind: "labels", labels } };
  }
}

// A private-use character, so that it is no part of any YAML syntax.
const MARK = "\u{E000}";
const ALONE = "\u{E001}";
const PLACEHOLDERS = new RegExp(`${MARK}(\\d+)${MARK}`, "gu");

function placeholder(index: number): string {
  return `${MARK}${index}${MARK}`;
}

/** Marks the placeholders that are a whole scalar without quotes: their value may be a number or a bool. */
function markLone(text: string): string {
  return text.replace(
    new RegExp(`(^|[:\\-,[{][ \\t]+|[[{,])(${MARK}\\d+${MARK})(?=[ \\t]*(?:$|[,\\]}]|[ \\t]#))`, "gmu"),
    `$1${ALONE}$2`,
  );
}

function fill(value: JsonValue, values: readonly string[], parseYaml: ParseYaml): JsonValue {
  if (typeof value === "string") {
    const text = filled(value, values);
    return value.startsWith(ALONE) ? scalar(text, parseYaml) : text;
  }
  if (Array.isArray(value)) return value.map((item: JsonValue) => fill(item, values, parseYaml));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [filled(key, values), fill(item, values, parseYaml)]),
  );
}

function filled(text: string, values: readonly string[]): string {
  return text.replaceAll(ALONE, "").replace(PLACEHOLDERS, (_, index: string) => values[Number(index)] ?? "");
}

/** Numbers, bools and null are what they are without quotes in YAML; everything else is a text. */
function scalar(text: string, parseYaml: ParseYaml): JsonValue {
  if (!/^(?:[-+]?[\d.][\d.eE+-]*|true|false|null|~)$/u.test(text)) return text;
  const value = parseYaml(text);
  return typeof value === "object" && value !== null ? text : value;
}
