import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runShell } from "../terminal/shell.fixture.ts";

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: gone
contexts: [{ name: here, context: { cluster: c } }]
clusters: [{ name: c, cluster: { server: "https://127.0.0.1:1" } }]
`;

const cwd = mkdtempSync(join(tmpdir(), "levelset-console-"));
writeFileSync(join(cwd, "k.yaml"), KUBECONFIG);
afterAll(() => rmSync(cwd, { recursive: true }));

test.for([
  [
    "a kubeconfig that is not there",
    ["--kubeconfig", "none.yaml"],
    /cannot read kubeconfig .*none\.yaml: no such file/u,
  ],
  ["a missing current context", ["--kubeconfig", "k.yaml"], /there is no context "gone"/u],
  ["a requested context", ["--kubeconfig", "k.yaml", "--context", "typo"], /there is no context "typo"/u],
  [
    "a requested context, even if a fleet alone would suffice",
    ["--fleet", "http://127.0.0.1:1", "--context", "typo"],
    /kubeconfig/u,
  ],
  ["an address that is none", ["--kubeconfig", "k.yaml", "--context", "here", "--fleet", "x"], /invalid API URL "x"/u],
  [
    "a token file that is not there",
    ["--kubeconfig", "k.yaml", "--context", "here", "--fleet", "http://127.0.0.1:1", "--fleet-token-file", "t"],
    /cannot read the token file .*\/t/u,
  ],
  ["a port that is none", ["--port", "99999"], /port/u],
] as const)("levelset console refuses %s with a message", async ([, args, message]) => {
  await expect(runShell({ cwd, env: { HOME: cwd } }, "console", ...args)).rejects.toThrow(message);
});
