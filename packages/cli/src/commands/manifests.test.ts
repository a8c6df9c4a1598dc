import { fileURLToPath } from "node:url";
import { realClock } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { program } from "../main.ts";

/** What the command says to these arguments; throws what it fails with. */
async function manifests(...args: string[]): Promise<string> {
  let said = "";
  const say = (text: string): void => {
    said += text;
  };
  const cwd = fileURLToPath(new URL("../../../..", import.meta.url));
  const { signal } = new AbortController();
  const shell = { stdout: say, stderr: say, env: {}, cwd, clock: realClock, signal: () => signal };
  const levelset = await program(shell, "manifests");
  await levelset.parseAsync(["manifests", "examples/01-simple/simple.ts", ...args], { from: "user" });
  return said;
}

describe("levelset manifests", () => {
  test.each([
    [["--replicas", "0"], "'0' is invalid. a number from 1 to 999."],
    [["--name", "Shop"], "'Shop' is invalid. a name has lower case letters"],
    [["--name", "x".repeat(51)], "at most 50"],
    [["--namespace", "a.b"], "it cannot be the name of a namespace"],
    [["--namespaces", "a,B"], `'a,B' is invalid. "B" cannot be the name of a namespace.`],
    [["--image", "a b"], "'a b' is invalid. an image is NAME:TAG"],
  ])("refuses %j", async (args, message) => {
    await expect(manifests(...args)).rejects.toThrow(message);
  });

  test("takes names, images and numbers from its options", async () => {
    const printed = await manifests(
      "--name",
      "a",
      "--namespace",
      "b",
      "--image",
      "c:1",
      "--replicas",
      "3",
      "--install-crds",
    );
    expect(printed).toMatch(
      /kind: Deployment\nmetadata:\n {2}name: a\n {2}namespace: b\n[^]*replicas: 3\n[^]*image: c:1\n/u,
    );
    expect(printed).toContain("--install-crds");
    expect(printed).not.toContain("kind: CustomResourceDefinition\n");
  });
});
