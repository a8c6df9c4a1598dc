import type { JsonValue } from "@levelset/core";
import { isJsonObject } from "@levelset/core";
import type { ExpressionScope } from "./expression-scope.ts";
import { readCall, readName } from "./read-call.ts";
import type { TaskNode } from "./task-node.ts";
import type {
  DiscoverySpec,
  HttpResource,
  ManifestTemplate,
  PropagationPolicy,
  ResourceTransport,
  TaskResource,
} from "./task.ts";
import type { TaskFiles } from "./task-files.ts";

const NAME = /^[a-z][A-Za-z0-9_]*$/u;
const NAME_HINT = "an identifier that starts with a lowercase letter";
const POLICIES: readonly PropagationPolicy[] = ["Background", "Foreground", "Orphan"];

/** Reads the resources. Names of resources and of nested objects share one namespace. */
export function readResources(node: TaskNode, language: ExpressionScope, files: TaskFiles): readonly TaskResource[] {
  const usedNames = new Set<string>();
  return node.nodes("resources").map((entry) => {
    const name = readName(entry, usedNames, NAME, NAME_HINT);
    const transport = readTransport(entry, language);
    const isHttp = transport.kind === "http";
    const resource: TaskResource = {
      name,
      transport,
      manifest: isHttp ? { kind: "tree", tree: { kind: "value", value: null } } : readManifest(entry, language, files),
      discovery: isHttp ? NOWHERE : readDiscovery(entry, language),
      nested: entry.nodes("nested_discoveries").map((nested) => {
        const found = {
          name: readName(nested, usedNames, NAME, NAME_HINT),
          discovery: readDiscovery(nested, language),
        };
        nested.rejectUnknown();
        return found;
      }),
      recreateOnChange: entry.flag("recreate_on_change"),
      adopt: entry.flag("adopt"),
      inProgress: language.extend("object").when(entry, "in_progress"),
      ...readLifecycle(entry, language),
    };
    if (transport.kind === "http") checkHttp(entry, resource, transport.http);
    entry.rejectUnknown();
    return resource;
  });
}

/** Reports settings without effect and missing settings of an http resource. */
function checkHttp(entry: TaskNode, { delete: deletion, recreateWhen }: TaskResource, http: HttpResource): void {
  if (entry.has("in_progress"))
    entry.problem("in_progress", "is not supported for http: use transport.http.in_progress");
  const meaningless = ["manifest", "recreate_on_change", "adopt"].map((key) => [key, entry.has(key)] as const);
  for (const [key, isSet] of [...meaningless, ["lifecycle.recreate", recreateWhen !== undefined] as const]) {
    if (isSet) entry.problem(key, "is not supported for http");
  }
  if (deletion !== undefined && http.remove === undefined) {
    entry.problem("transport.http.delete", "is missing: lifecycle.delete needs it");
  }
}

/** An http resource is found by its own request. */
const NOWHERE: DiscoverySpec = { kind: "labels", namespace: undefined, labels: [] };

function readTransport(entry: TaskNode, language: ExpressionScope): ResourceTransport {
  const node = entry.node("transport");
  const kind = node.choice("client", ["kubernetes", "maestro", "http"]) ?? "kubernetes";
  if (entry.has("transport") && !node.has("client")) node.problem("client", "is missing");
  const maestro = node.node("maestro");
  const http = node.node("http");
  if (kind !== "maestro" && node.has("maestro")) node.problem("maestro", `is not supported for ${kind}`);
  if (kind !== "http" && node.has("http")) node.problem("http", `is not supported for ${kind}`);
  node.rejectUnknown();
  if (kind === "http") return { kind, http: readHttp(http, language) };
  if (kind === "kubernetes") return { kind };
  const targetCluster = language.template(maestro, "target_cluster", maestro.required("target_cluster"));
  maestro.rejectUnknown();
  return { kind, targetCluster };
}

function readHttp(node: TaskNode, language: ExpressionScope): HttpResource {
  for (const key of ["observe", "apply"]) if (!node.has(key)) node.problem(key, "is missing");
  const http: HttpResource = {
    observe: readCall(node.node("observe"), language),
    apply: readCall(node.node("apply"), language),
    remove: node.has("delete") ? readCall(node.node("delete"), language) : undefined,
    inProgress: language.extend("response").when(node, "in_progress"),
  };
  node.rejectUnknown();
  return http;
}

function readManifest(entry: TaskNode, language: ExpressionScope, files: TaskFiles): ManifestTemplate {
  const value = entry.value("manifest");
  if (value === undefined) entry.problem("manifest", "is missing");
  if (typeof value === "string") return { kind: "text", template: language.template(entry, "manifest", value) };
  if (isReference(value)) {
    const text = files.read(entry, "manifest.ref", value.ref);
    return { kind: "text", template: language.template(entry, "manifest.ref", text) };
  }
  if (value !== undefined && !isJsonObject(value)) entry.problem("manifest", "must be a mapping, a string, or ref");
  return { kind: "tree", tree: language.tree(entry, "manifest", value ?? {}, false) };
}

function isReference(value: JsonValue | undefined): value is { readonly ref: string } {
  return isJsonObject(value) && Object.keys(value).length === 1 && typeof value["ref"] === "string";
}

function readDiscovery(entry: TaskNode, language: ExpressionScope): DiscoverySpec {
  const node = entry.node("discovery");
  if (!entry.has("discovery")) entry.problem("discovery", "is missing");
  else node.oneOf(["by_name", "by_selectors"]);
  const inNamespace = node.text("namespace");
  const namespace =
    inNamespace === undefined || inNamespace === "" ? undefined : language.template(node, "namespace", inNamespace);
  const byName = node.text("by_name");
  const selectors = node.node("by_selectors");
  const labels = node.has("by_selectors") ? readLabels(selectors, language) : [];
  selectors.rejectUnknown();
  node.rejectUnknown();
  if (byName !== undefined) return { kind: "name", namespace, name: language.template(node, "by_name", byName) };
  return { kind: "labels", namespace, labels };
}

function readLabels(
  node: TaskNode,
  language: ExpressionScope,
): readonly (readonly [string, ReturnType<ExpressionScope["template"]>])[] {
  const value = node.value("label_selector");
  if (!isJsonObject(value) || Object.keys(value).length === 0) {
    node.problem("label_selector", "must be a mapping of at least one label");
    return [];
  }
  return Object.entries(value).map(([key, label]) => {
    if (typeof label !== "string") node.problem(`label_selector.${key}`, "must be a string");
    return [key, language.template(node, `label_selector.${key}`, typeof label === "string" ? label : "")] as const;
  });
}

function readLifecycle(
  entry: TaskNode,
  language: ExpressionScope,
): Pick<TaskResource, "createWhen" | "recreateWhen" | "delete"> {
  const node = entry.node("lifecycle");
  const [create, recreate, remove] = [node.node("create"), node.node("recreate"), node.node("delete")];
  const isRemoved = node.has("delete");
  const removeWhen = language.when(remove);
  if (isRemoved && removeWhen === undefined) remove.problem("when", "is missing");
  const policy = remove.choice("propagationPolicy", POLICIES) ?? "Background";
  const lifecycle = {
    createWhen: language.when(create),
    recreateWhen: language.when(recreate),
    delete: removeWhen === undefined ? undefined : { when: removeWhen, policy },
  };
  for (const each of [create, recreate, remove]) each.rejectUnknown();
  node.rejectUnknown();
  return lifecycle;
}
