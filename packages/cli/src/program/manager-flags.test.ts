import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addManagerFlags, managerOptions, parseListen } from "./manager-flags.ts";
import { parseNamespaces } from "../options/parse-name.ts";
import type { ManagerFlags } from "./manager-flags.ts";
import type { Program } from "../process/load-program.ts";

const program: Program = { operators: [], others: [], options: {} };
const about = { program, namespace: "here", cwd: "/" };

function flags(...args: string[]): ManagerFlags {
  return addManagerFlags(new Command().exitOverride().configureOutput({ writeErr: () => {} }))
    .parse(args, { from: "user" })
    .opts();
}

describe("manager flags", () => {
  test("that are omitted retain the options of the file, with a grace period of 5 s", async () => {
    expect(await managerOptions(flags(), about)).toEqual({ graceMs: 5_000 });
    const options = { graceMs: 1, namespaces: ["own"], endpoints: { port: 1 } };
    expect(await managerOptions(flags(), { ...about, program: { ...program, options } })).toEqual(options);
  });

  test("override the options of the file", async () => {
    const options = { graceMs: 1, namespaces: ["own"], installCrds: true };
    const parsed = flags("--grace", "0.5", "--namespaces", "a,b");
    expect(await managerOptions(parsed, { ...about, program: { ...program, options } })).toEqual({
      graceMs: 500,
      namespaces: ["a", "b"],
      installCrds: true,
    });
  });

  test("limit the requests to the API server, and refuse limits that allow none", async () => {
    expect(await managerOptions(flags("--qps", "20"), about)).toMatchObject({ qps: 20 });
    expect(await managerOptions(flags("--qps", "0.5", "--burst", "3"), about)).toMatchObject({ qps: 0.5, burst: 3 });
    const declared = { ...about, program: { ...program, options: { qps: 5, burst: 6 } } };
    expect(await managerOptions(flags("--burst", "7"), declared)).toMatchObject({ qps: 5, burst: 7 });
    await expect(managerOptions(flags("--burst", "7"), about)).rejects.toThrow("--burst has no effect without --qps");
    for (const text of ["0", "-1", "many", "1e3", "0.001"]) expect(() => flags("--qps", text)).toThrow("such as 20");
    for (const text of ["0", "1.5", "x"]) expect(() => flags("--burst", text)).toThrow("whole number of at least 1");
  });

  test("configure leader election with a Lease in the namespace of the context and a unique identity", async () => {
    const elected = async (...args: string[]) => (await managerOptions(flags(...args), about)).leaderElection;
    expect(await elected("--leader-elect")).toMatchObject({ namespace: "here", name: "levelset" });
    expect(await elected("--leader-elect-name=x")).toMatchObject({ namespace: "here", name: "x" });
    expect(await elected("--leader-elect-namespace=there")).toMatchObject({ namespace: "there", name: "levelset" });
    const [one, other] = [await elected("--leader-elect"), await elected("--leader-elect")];
    expect(one?.identity).not.toBe(other?.identity);
    expect(await elected()).toBeUndefined();
  });

  test("protect /debug with a token: from a file, or generated", async () => {
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
    await expect(managerOptions(flags("--debug-token-file", wordy), declared)).rejects.toThrow("has no valid token");
  });

  test.each([
    ["8080", { host: "127.0.0.1", port: 8080 }],
    [":0", { host: "127.0.0.1", port: 0 }],
    ["0.0.0.0:80", { host: "0.0.0.0", port: 80 }],
    ["localhost:65535", { host: "localhost", port: 65_535 }],
    ["[::1]:8080", { host: "::1", port: 8080 }],
  ])("parse the address %s", (text, address) => {
    expect(parseListen(text)).toEqual(address);
  });

  test.each(["", "host", "host:", "1:2:3", "::1:80", "127.0.0.1:65536", "[::1]", "a b:1"])(
    "refuse the address %j",
    (text) => {
      expect(() => parseListen(text)).toThrow("write HOST:PORT");
    },
  );

  test("parse namespaces without duplicates, and refuse invalid names", () => {
    expect(parseNamespaces("b, a,b")).toEqual(["b", "a"]);
    for (const text of ["", "a,,b", "A", "-a", "a.b", "x".repeat(64)]) {
      expect(() => parseNamespaces(text)).toThrow("is not a valid namespace name");
    }
    for (const text of ["soon", "-1", "3601"]) expect(() => flags("--grace", text)).toThrow("number of seconds");
  });
});
