import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addManagerFlags, managerOptions, parseListen, parseNamespaces } from "./manager-flags.ts";
import type { ManagerFlags } from "./manager-flags.ts";
import type { Program } from "./load.ts";

const program: Program = { operators: [], others: [], options: {} };
const about = { program, namespace: "here", cwd: "/" };

function flags(...args: string[]): ManagerFlags {
  return addManagerFlags(new Command().exitOverride().configureOutput({ writeErr: () => {} }))
    .parse(args, { from: "user" })
    .opts();
}

describe("flags about how operators are run", () => {
  test("left out leave what the file says, and give runs five seconds to end", async () => {
    expect(await managerOptions(flags(), about)).toEqual({ graceMs: 5_000 });
    const options = { graceMs: 1, namespaces: ["own"], endpoints: { port: 1 } };
    expect(await managerOptions(flags(), { ...about, program: { ...program, options } })).toEqual(options);
  });

  test("given count more than what the file says", async () => {
    const options = { graceMs: 1, namespaces: ["own"], installCrds: true };
    const given = flags("--grace", "0.5", "--namespaces", "a,b");
    expect(await managerOptions(given, { ...about, program: { ...program, options } })).toEqual({
      graceMs: 500,
      namespaces: ["a", "b"],
      installCrds: true,
    });
  });

  test("elect a leader by a lease in the namespace of the context, with another identity each time", async () => {
    const elected = async (...args: string[]) => (await managerOptions(flags(...args), about)).leaderElection;
    expect(await elected("--leader-elect")).toMatchObject({ namespace: "here", name: "levelset" });
    expect(await elected("--leader-elect-name=x")).toMatchObject({ namespace: "here", name: "x" });
    expect(await elected("--leader-elect-namespace=there")).toMatchObject({ namespace: "there", name: "levelset" });
    const [one, other] = [await elected("--leader-elect"), await elected("--leader-elect")];
    expect(one?.identity).not.toBe(other?.identity);
    expect(await elected()).toBeUndefined();
  });

  test("serve /debug only to those who know a token: one from a file, or a new one", async () => {
    const [one, other] = [
      await managerOptions(flags("--listen", "0"), about),
      await managerOptions(flags("--listen", "0"), about),
    ];
    expect(one.endpoints).toEqual({ host: "127.0.0.1", port: 0, debugToken: expect.stringMatching(/^[-\da-f]{36}$/u) });
    expect(one.endpoints?.debugToken).not.toBe(other.endpoints?.debugToken);
    const declared = { ...about, program: { ...program, options: { endpoints: { port: 7, debugToken: "mine" } } } };
    expect((await managerOptions(flags("--listen", "0"), declared)).endpoints).toMatchObject({
      port: 0,
      debugToken: "mine",
    });
    await expect(managerOptions(flags("--debug-token-file", "nowhere"), declared)).rejects.toThrow(
      "the token file /nowhere",
    );
    const wordy = fileURLToPath(import.meta.url);
    await expect(managerOptions(flags("--debug-token-file", wordy), declared)).rejects.toThrow("holds no token");
  });

  test.each([
    ["8080", { host: "127.0.0.1", port: 8080 }],
    [":0", { host: "127.0.0.1", port: 0 }],
    ["0.0.0.0:80", { host: "0.0.0.0", port: 80 }],
    ["localhost:65535", { host: "localhost", port: 65_535 }],
    ["[::1]:8080", { host: "::1", port: 8080 }],
  ])("read %s as an address", (text, address) => {
    expect(parseListen(text)).toEqual(address);
  });

  test.each(["", "host", "host:", "1:2:3", "::1:80", "127.0.0.1:65536", "[::1]", "a b:1"])(
    "refuse %j as one",
    (text) => {
      expect(() => parseListen(text)).toThrow("an address is HOST:PORT");
    },
  );

  test("read names of namespaces, each once, and refuse what can be none", () => {
    expect(parseNamespaces("b, a,b")).toEqual(["b", "a"]);
    for (const text of ["", "a,,b", "A", "-a", "a.b", "x".repeat(64)]) {
      expect(() => parseNamespaces(text)).toThrow("cannot be the name of a namespace");
    }
    for (const text of ["soon", "-1", "3601"]) expect(() => flags("--grace", text)).toThrow("number of seconds");
  });
});
