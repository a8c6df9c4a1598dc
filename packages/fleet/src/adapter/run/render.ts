import { isJsonObject } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import { metadataOf } from "../json-parts.ts";
import type { ComputedValue, DiscoverySpec, ManifestTemplate, TemplateTree } from "../task/index.ts";
import type { Template, TemplateMap, TemplateWorld } from "../template/index.ts";
import type { ObjectLocator } from "../transport/index.ts";
import type { Variables } from "./variables.ts";

/** Parses YAML. Throws if the text is not valid YAML. */
export type ParseYaml = (text: string) => JsonValue;

/** Renders templates with the variables of a run. Throws TemplateErrors and ExpressionErrors. */
export class Renderer {
  readonly #known: Variables;
  readonly #data: TemplateMap;
  readonly #world: TemplateWorld;

  constructor(known: Variables, world: TemplateWorld) {
    this.#known = known;
    this.#data = known.templateData;
    this.#world = world;
  }

  text(template: Template): string {
    return template.render(this.#data, this.#world);
  }

  /** Renders all strings of a tree. Values never change the shape of the tree. */
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

  /**
   * Renders a manifest. A text manifest is parsed as YAML with a placeholder per value; the values are inserted
   * afterwards, so no value can inject YAML.
   */
  manifest(manifest: ManifestTemplate, parseYaml: ParseYaml): JsonObject {
    const rendered = manifest.kind === "tree" ? this.tree(manifest.tree) : this.#yaml(manifest.template, parseYaml);
    if (!isJsonObject(rendered)) throw new TypeError("the manifest is not a mapping");
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
      throw new TypeError(`the manifest is not valid YAML: ${toError(error).message}`, { cause: error });
    }
  }

  /** Returns the locator of a manifest's object. The namespace of the discovery takes precedence. */
  target(manifest: JsonObject, discovery: DiscoverySpec, targetCluster: Template | undefined): ObjectLocator {
    const { apiVersion, kind } = manifest;
    if (typeof apiVersion !== "string" || typeof kind !== "string") {
      throw new TypeError("the manifest has no apiVersion and kind");
    }
    const { namespace: own } = metadataOf(manifest);
    const { namespace = typeof own === "string" ? own : undefined, by } = this.renderDiscovery(discovery);
    return {
      apiVersion,
      kind,
      namespace,
      by,
      ...(targetCluster === undefined ? {} : { targetCluster: this.text(targetCluster) }),
    };
  }

  /** Renders the discovery. A namespace of `*`, used by configurations for cluster-scoped objects, is ignored. */
  renderDiscovery(discovery: DiscoverySpec): Pick<ObjectLocator, "namespace" | "by"> {
    const configured = discovery.namespace === undefined ? "" : this.text(discovery.namespace);
    const namespace = configured === "" || configured === "*" ? undefined : configured;
    if (discovery.kind === "name") return { namespace, by: { kind: "name", name: this.text(discovery.name) } };
    const labels = Object.fromEntries(discovery.labels.map(([key, value]) => [key, this.text(value)]));
    return { namespace, by: { kind: "labels", labels } };
  }
}

// A private-use character, which is not part of any YAML syntax.
const MARK = "\u{E000}";
const ALONE = "\u{E001}";
const PLACEHOLDERS = new RegExp(`${MARK}(\\d+)${MARK}`, "gu");

function placeholder(index: number): string {
  return `${MARK}${index}${MARK}`;
}

/** Marks placeholders that are a whole unquoted scalar: such a value may be a number or a bool. */
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

/** Unquoted numbers, bools and null keep the YAML type; everything else is a string. */
function scalar(text: string, parseYaml: ParseYaml): JsonValue {
  if (!/^(?:[-+]?[\d.][\d.eE+-]*|true|false|null|~)$/u.test(text)) return text;
  const value = parseYaml(text);
  return typeof value === "object" && value !== null ? text : value;
}
