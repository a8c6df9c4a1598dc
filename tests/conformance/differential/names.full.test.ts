import { deepEqual } from "@levelset/core/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { rawClient, embeddedRawClient } from "./raw-clients.ts";
import type { RawResponse, RawClient } from "./raw-clients.ts";

/**
 * Names that some kinds accept and others reject. Lone surrogates and U+0000 are excluded: see
 * docs/reference/apiserver.md.
 */
const NAMES: readonly string[] = [
  "a",
  "a.b",
  "1a",
  "a-",
  "-a",
  ".",
  "..",
  "a..b",
  "A",
  "a_b",
  "a:b",
  "a/b",
  "a%b",
  "a b",
  "a\nb",
  "ä",
  "😀",
  "\ufffd",
  "a".repeat(53),
  "a".repeat(63),
  "a".repeat(64),
  "a".repeat(253),
  "a".repeat(254),
  `${"x".repeat(57)}😀`,
  "a.-",
  "-",
];

interface Creatable {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** Returns the kinds of the embedded server whose objects can be created and read. */
async function creatable(server: RawClient): Promise<readonly Creatable[]> {
  const groups = (await server.request("/apis")).body as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  const versions = ["v1", ...groups.groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))];
  const lists = versions.map(async (apiVersion) => {
    const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    const { resources } = (await server.request(root)).body as {
      readonly resources: readonly { name: string; kind: string; namespaced: boolean; verbs: readonly string[] }[];
    };
    return resources
      .filter(({ name, verbs }) => !name.includes("/") && verbs.includes("create") && verbs.includes("get"))
      .map(({ name, kind, namespaced }) => {
        return { apiVersion, kind, path: `${root}${namespaced ? "/namespaces/default" : ""}/${name}?dryRun=All` };
      });
  });
  return (await Promise.all(lists)).flat();
}

/** Returns the status code and the errors of the name. */
function verdict({ code, body }: RawResponse): unknown {
  const { details } = body as { readonly details?: { readonly causes?: readonly Cause[] } };
  const causes = (details?.causes ?? []).filter(({ field = "" }) => /^metadata\.(?:name|generateName)$/u.test(field));
  // A generated name differs each time.
  const why = (message = ""): string => message.replace(/Invalid value: "(?:[^"\\]|\\.)*": /u, "");
  return {
    isCreated: code === 201,
    causes: causes.map(({ field, message }) => `${field}: ${why(message)}`).toSorted(),
  };
}

await onRealCluster("names of built-in kinds compared with kube-apiserver", (start) => {
  describe("names of built-in kinds compared with kube-apiserver", () => {
    let real: RawClient;
    let ours: RawClient;
    beforeAll(async () => {
      [real, ours] = [await rawClient(await start()), await embeddedRawClient()];
    });
    afterAll(() => Promise.all([real, ours].map((server) => server[Symbol.asyncDispose]())));

    test.each(["name", "generateName"])(
      "a hostile %s gets the same response for every kind",
      async (field) => {
        const differences: object[] = [];
        for (const { path, apiVersion, kind } of await creatable(ours)) {
          for (const name of NAMES) {
            // A core event may be about any object, but only in its own namespace.
            const subject = kind === "Event" ? { involvedObject: { namespace: "default" } } : {};
            const body = { apiVersion, kind, metadata: { [field]: name }, ...subject };
            const requested = [real, ours].map(async (server) =>
              verdict(await server.request(path, { method: "POST", body })),
            );
            const [expected, found] = await Promise.all(requested);
            if (!deepEqual(expected, found)) differences.push({ kind: `${apiVersion} ${kind}`, name, expected, found });
          }
        }
        expect(differences).toEqual([]);
      },
      300_000,
    );
  });
});
