import { deepEqual } from "@levelset/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../support/real-cluster.ts";
import { askable, embeddedAskable } from "./pair.ts";
import type { Answered, Asked } from "./pair.ts";

/** Names that some kinds take and others refuse. Lone surrogates and U+0000 are not among them: see docs/reference/apiserver.md. */
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

/** The kinds of the embedded server whose objects can be created and read again. */
async function creatable(server: Asked): Promise<readonly Creatable[]> {
  const groups = (await server.ask("/apis")).body as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  const versions = ["v1", ...groups.groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))];
  const lists = versions.map(async (apiVersion) => {
    const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    const { resources } = (await server.ask(root)).body as {
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

/** The code, and what is wrong with the name. */
function verdict({ code, body }: Answered): unknown {
  const { details } = body as { readonly details?: { readonly causes?: readonly Cause[] } };
  const causes = (details?.causes ?? []).filter(({ field = "" }) => /^metadata\.(?:name|generateName)$/u.test(field));
  // A generated name is another one each time.
  const why = (message = ""): string => message.replace(/Invalid value: "(?:[^"\\]|\\.)*": /u, "");
  return {
    isCreated: code === 201,
    causes: causes.map(({ field, message }) => `${field}: ${why(message)}`).toSorted(),
  };
}

await onRealCluster("names of built-in kinds beside a real kube-apiserver", (start) => {
  describe("names of built-in kinds beside a real kube-apiserver", () => {
    let real: Asked;
    let ours: Asked;
    beforeAll(async () => {
      [real, ours] = [await askable(await start()), await embeddedAskable()];
    }, 120_000);
    afterAll(() => Promise.all([real, ours].map((server) => server[Symbol.asyncDispose]())));

    test.each(["name", "generateName"])(
      "a hostile %s gets the same verdict, whatever the kind",
      async (field) => {
        const differences: object[] = [];
        for (const { path, apiVersion, kind } of await creatable(ours)) {
          for (const name of NAMES) {
            // A core event may have any object as its subject, but only in its own namespace.
            const subject = kind === "Event" ? { involvedObject: { namespace: "default" } } : {};
            const body = { apiVersion, kind, metadata: { [field]: name }, ...subject };
            const asked = [real, ours].map(async (server) => verdict(await server.ask(path, { method: "POST", body })));
            const [expected, found] = await Promise.all(asked);
            if (!deepEqual(expected, found)) differences.push({ kind: `${apiVersion} ${kind}`, name, expected, found });
          }
        }
        expect(differences).toEqual([]);
      },
      300_000,
    );
  });
});
