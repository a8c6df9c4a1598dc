import { crdOf } from "@levelset/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { Bundle, Gateway } from "../../support/rich-kinds.ts";
import { rawClient, embeddedRawClient } from "./raw-clients.ts";
import type { RawClient } from "./raw-clients.ts";
import { publishedFields } from "./published-fields.ts";
import type { OpenapiDocument } from "./published-fields.ts";

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly { readonly name: string; readonly kind: string }[];
}

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** Intended differences, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "ControllerRevision.data": "published as atomic here; kube-apiserver only treats it so",
};

/** Whether both agree, or the embedded server publishes more: enum values that kube-apiserver checks in code. */
function agree(real: string, ours: string | undefined): boolean {
  if (ours === undefined) return false;
  // Maps are granular by default.
  const plain = (facts: string): string => facts.replace(" map-type=granular", "");
  return plain(real) === plain(ours) || plain(real) === plain(ours).replace(/ enum=\S+/u, "");
}

await onRealCluster("our OpenAPI compared with kube-apiserver", (start) => {
  describe("our OpenAPI compared with kube-apiserver", () => {
    let real: RawClient;
    let ours: RawClient;
    beforeAll(async () => {
      real = await rawClient(await start());
      ours = await embeddedRawClient();
    });
    afterAll(async () => {
      await real[Symbol.asyncDispose]();
      await ours[Symbol.asyncDispose]();
    });

    const document = async (server: RawClient, index: Index, path: string): Promise<OpenapiDocument> => {
      const { body } = await server.request(index.paths[path]?.serverRelativeURL ?? "");
      return body as OpenapiDocument;
    };

    test("every built-in kind has the same fields, types, formats, keys and required fields", async () => {
      const [theirs, mine] = [(await real.request("/openapi/v3")).body, (await ours.request("/openapi/v3")).body] as [
        Index,
        Index,
      ];
      const differences: string[] = [];
      let compared = 0;
      for (const path of Object.keys(mine.paths)) {
        const [realDocument, ourDocument] = [await document(real, theirs, path), await document(ours, mine, path)];
        const list = (await ours.request(`/${path}`)).body as ResourceList;
        const [version = "", group = ""] = list.groupVersion.split("/").toReversed();
        for (const { name, kind } of list.resources) {
          if (name.includes("/")) continue;
          const gvk = { group, version, kind };
          const [there, here] = [publishedFields(realDocument, gvk), publishedFields(ourDocument, gvk)];
          expect([kind, there !== undefined, here !== undefined]).toEqual([kind, true, true]);
          for (const [field, facts] of there ?? []) {
            compared++;
            const own = here?.get(field);
            if (agree(facts, own) || EXCEPTIONS[kind + field] !== undefined) continue;
            differences.push(`${kind}${field}\n  real: ${facts}\n  ours: ${own ?? "absent"}`);
          }
          for (const field of here?.keys() ?? []) {
            if (there?.has(field) !== true) differences.push(`${kind}${field} is only in ours`);
          }
        }
      }
      expect(differences.slice(0, 20).join("\n")).toBe("");
      expect(compared).toBeGreaterThan(10_000);
    });

    test("a custom kind is published as declared", async () => {
      for (const kind of [Gateway, Bundle]) {
        const seen: unknown[] = [];
        for (const server of [real, ours]) {
          const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
          expect((await server.request(path, { method: "POST", body: crdOf(kind) })).code).toBe(201);
          const name = `dev.levelset.rich.${kind.version}.${kind.kind}`;
          // kube-apiserver publishes asynchronously.
          const schema = await eventually(`${name} is published`, async () => {
            const { body } = await server.request(`/openapi/v3/apis/${kind.group}/${kind.version}`);
            return (body as OpenapiDocument).components.schemas[name];
          });
          seen.push(withoutDescriptions(schema));
        }
        expect(seen[1]).toEqual(seen[0]);
      }
    });

    test("every operation is published by kube-apiserver too, with the same id and kind", async () => {
      type Paths = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
      const [theirs, mine] = [(await real.request("/openapi/v2")).body, (await ours.request("/openapi/v2")).body] as [
        { readonly paths: Paths; readonly definitions: object },
        { readonly paths: Paths; readonly definitions: object },
      ];
      const operationsOf = (paths: Paths): ReadonlyMap<string, string> =>
        new Map(
          Object.entries(paths).flatMap(([path, item]) =>
            ["get", "put", "post", "patch", "delete"].flatMap((method): [string, string][] => {
              const operation = item[method];
              if (operation === undefined) return [];
              const facts = [operation["operationId"], operation["x-kubernetes-action"], gvkText(operation)];
              return [[`${method} ${path}`, facts.join(" ")]];
            }),
          ),
        );
      const [there, here] = [operationsOf(theirs.paths), operationsOf(mine.paths)];
      const differences = [...here].filter(([path, facts]) => there.get(path) !== facts);
      expect(differences.map(([path, facts]) => `${path}: ours ${facts}, real ${there.get(path) ?? "absent"}`)).toEqual(
        [],
      );
      expect(here.size).toBeGreaterThan(300);
      const missing = Object.keys(mine.definitions).filter((name) => !(name in theirs.definitions));
      expect(missing).toEqual([]);
    });
  });
});

/** Removes descriptions, which are worded differently. */
function withoutDescriptions(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDescriptions(item));
  if (typeof value !== "object" || value === null) return value;
  const isCommon = ["apiVersion", "kind", "metadata"].includes(key);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !(isCommon && name === "description"))
      .map(([name, item]) => [name, withoutDescriptions(item, name)]),
  );
}

function gvkText(operation: Readonly<Record<string, unknown>>): string {
  const gvk = operation["x-kubernetes-group-version-kind"] as Readonly<Record<string, string>> | undefined;
  return gvk === undefined ? "" : `${gvk["group"] ?? ""}/${gvk["version"] ?? ""}/${gvk["kind"] ?? ""}`;
}
