import { expect, test } from "vitest";
import file from "../../packages/apiserver/src/api-types/api-types.json" with { type: "json" };
import { KUBERNETES_VERSION } from "../envtest/index.ts";
import { servedKinds } from "./served-kinds.ts";

// If one of these fails, run `npm run api-types`.
test("the data file has exactly the served kinds, of the Kubernetes release that tests use", async () => {
  const kinds = Object.entries(await servedKinds()).map(([apiVersion, names]) => [apiVersion, names.join(" ")]);
  expect(file.kinds).toEqual(Object.fromEntries(kinds));
  expect(file.kubernetes).toBe(KUBERNETES_VERSION);
});

test("the data file has the type of every field", () => {
  const types: ReadonlySet<string> = new Set(Object.keys(file.types));
  const missing = Object.entries(file.types).flatMap(([owner, fields]) =>
    Object.entries(fields).flatMap(([name, text]) => {
      const type = text.split(" ")[1]?.replace(/^(?:\*|\[\]|map\[string\])/u, "") ?? "";
      return !type.includes(".") || types.has(type) ? [] : [`${owner}.${name}: ${type}`];
    }),
  );
  expect(missing).toEqual([]);
});
