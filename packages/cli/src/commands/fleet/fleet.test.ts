import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@levelset/core";
import { SENTINEL_SETTINGS } from "@levelset/fleet/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDevFleet } from "../../fleet-server/index.ts";
import { runShell, testShell } from "../../terminal/shell.fixture.ts";
import type { CommandOutput } from "../../terminal/shell.fixture.ts";
import { HYPERFLEET_FLAGS } from "../../options/sentinel-flags.ts";
import { BROKER_KINDS } from "@levelset/fleet/internal";

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-fleet-"));
  await writeFile(join(cwd, "fleet.yaml"), "api: {port: 8123}\nstore: {path: data/fleet.db}\n");
  await writeFile(join(cwd, "wrong.yaml"), "api: {prot: 8123}\n");
  await writeFile(
    join(cwd, "sentinel.yaml"),
    "resource_type: clusters\ndebug_config: true\nlog: {format: json, output: stdout}\n",
  );
  await writeFile(join(cwd, "nats.yaml"), "broker: {kind: nats, nats: {servers: ['127.0.0.1:1']}}\n");
});
afterAll(() => rm(cwd, { recursive: true }));

function fleet(...args: readonly string[]): Promise<CommandOutput> {
  return runShell({ cwd }, "fleet", ...args);
}

describe("levelset fleet", () => {
  test("config prints every setting and its source", async () => {
    const env = { LEVELSET_FLEET_LOG_LEVEL: "debug", LEVELSET_FLEET_STORE_PASSWORD: "hunter2" };
    const args = ["config", "-c", "fleet.yaml", "--log-format", "json", "-s", "api.limits.watchers_max=5"];
    const { stdout } = await runShell({ cwd, env }, "fleet", ...args);
    expect(stdout).toMatch(/^api\.port +8123 +fleet\.yaml$/mu);
    expect(stdout).toMatch(/^api\.limits\.watchers_max +5 +--setting$/mu);
    expect(stdout).toMatch(/^log\.level +debug +LEVELSET_FLEET_LOG_LEVEL$/mu);
    expect(stdout).toMatch(/^log\.format +json +--log-format$/mu);
    expect(stdout).toMatch(/^store\.password +\(hidden\) +LEVELSET_FLEET_STORE_PASSWORD$/mu);
    const all = await runShell({ cwd, env }, "fleet", ...args, "--all");
    expect(all.stdout).toMatch(/^broker\.rabbitmq\.url +- +default +rabbitmq: amqp/mu);
    expect(stdout + all.stdout).not.toContain("hunter2");
  });

  test("migrate migrates a file to the schema of this version, once", async () => {
    expect((await fleet("migrate", "-c", "fleet.yaml")).stdout).toMatch(
      /^database schema migrated from version 0 to \d+\n$/u,
    );
    expect((await fleet("migrate", "-c", "fleet.yaml")).stdout).toMatch(
      /^database schema is already at version \d+\n$/u,
    );
  });

  test.each([
    [["api", "-c", "wrong.yaml"], "api.prot: unknown key in wrong.yaml, did you mean port?"],
    [["api", "-c", "nowhere.yaml"], "cannot read nowhere.yaml"],
    [["api", "--port", "99999"], "api.port: must be an integer from 0 to 65535 (--port)"],
    [["api", "-s", "api.prot=1"], "api.prot: unknown setting (--setting), did you mean api.port?"],
    [["api", "-s", "port"], '"port" is not an assignment'],
    [
      ["api", "--store", "postgres://a:hunter2@b/c"],
      "store.url: must not contain a password: use a variable (--store)",
    ],
    [["sentinel"], "broker.kind is memory, which other processes cannot reach"],
    [["adapters", "a.ts"], "broker.kind is memory, which other processes cannot reach"],
    [["adapters", "a.ts", "-c", "nats.yaml"], "no fleet is configured"],
    [["sentinel", "-c", "nats.yaml", "--source", "http"], "clients.hyperfleet_api.base_url: is missing"],
    [["sentinel", "-c", "nats.yaml", "--resource-type", "a/b"], "resource_type: must be one segment of a path"],
    [["sentinel", "-c", "nats.yaml", "--store", ":memory:"], "cannot reach the broker"],
    [["dev", "--memory", "-s", "api.metrics.host=192.0.2.1"], "cannot listen on 192.0.2.1"],
  ])("%j is refused", async (args, message) => {
    const error: unknown = await fleet(...args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain(message);
    expect((error as InputError).message).not.toContain("hunter2");
  });

  test("the hint for a broker in memory names every broker that other processes can reach", async () => {
    const error: unknown = await fleet("sentinel").catch((thrown: unknown) => thrown);
    const shared = BROKER_KINDS.filter((kind) => kind !== "memory");
    expect((error as InputError).hint).toContain(`set broker.kind to ${shared.join(" or ")}; `);
  });

  test.each([
    [[], /^\{.*"path":"broker\.kind","value":"nats","from":"--setting","msg":"setting"\}$/mu],
    [["--log-format", "text"], /^ {2}rule .*topic=hyperfleet-clusters /mu],
  ])("with %j, a HyperFleet Sentinel file sets log settings that are not set otherwise", async (args, line) => {
    let received = "";
    const nowhere = ["-s", "broker.kind=nats", "-s", "broker.nats.servers=127.0.0.1:1", "--store", ":memory:"];
    const shell = { cwd, onOutput: ({ stdout }: CommandOutput) => void (received = stdout) };
    const ended = runShell(shell, "fleet", "sentinel", "-c", "sentinel.yaml", ...nowhere, ...args);
    await expect(ended).rejects.toThrow("cannot reach the broker");
    expect(received).toMatch(line);
  });

  test("adapters exits at once if the fleet requires a token and none is configured", async () => {
    const issuer = "{issuer_url: 'https://sso.example', jwk_cert_file: keys.json}";
    await writeFile(join(cwd, "keys.json"), '{"keys": []}');
    await writeFile(join(cwd, "tokens.yaml"), `api: {jwt: {issuers: [${issuer}]}}\n`);
    const options = { config: "tokens.yaml", memory: true, simulate: false, verbose: false };
    await using running = await startDevFleet(options, testShell({ cwd }).shell);
    await expect(fleet("adapters", "a.ts", "-c", "nats.yaml", "--fleet", running.url)).rejects.toThrow(
      "authentication required",
    );

    const config =
      "adapter: {name: dns}\nclients: {broker: {topic: t, subscription_id: dns}, hyperfleet_api: {auth: {token_path: no.token}}}";
    await writeFile(join(cwd, "adapter.yaml"), `${config}\nbroker: {kind: nats}\n`);
    await writeFile(join(cwd, "task.yaml"), "params: [{name: id, source: event.id}]\n");
    const args = ["adapter", "-c", "adapter.yaml", "-t", "task.yaml"];
    expect((await fleet(...args, "--check")).stdout).toMatch(/^dns: 1 params/u);
    await expect(fleet(...args)).rejects.toThrow(/^clients\.hyperfleet_api\.auth\.token_path: .*no\.token/u);
  });

  test("sentinel accepts every flag of the HyperFleet Sentinel", () => {
    const known = SENTINEL_SETTINGS.filter(({ path }) => !path.startsWith("log."));
    expect(HYPERFLEET_FLAGS).toEqual(Object.fromEntries(known.map(({ flag, help }) => [flag, help])));
  });
});
