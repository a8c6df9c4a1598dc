import { readFileSync } from "node:fs";
import type { Manifest, SimulatedProgram, SimulateOptions } from "@levelset/simulation";
import { loadAll } from "js-yaml";
import simple from "../../../examples/01-simple/simple.ts";
import rwexternal from "../../../examples/02-rwexternal/rwexternal.ts";
import serviceWithDb from "../../../examples/03-service-with-db/service-with-db.ts";
import platform from "../../../examples/04-platform/platform.ts";
import signet from "../../../examples/05-signet/signet.ts";
import archive from "../../../examples/guide/archive.ts";
import { Store, stores } from "../../../examples/guide/bucket.ts";
import { sites } from "../../../examples/guide/dependency.ts";
import { ratios, shares } from "../../../examples/guide/generic-step.ts";
import { shops } from "../../../examples/guide/shop.ts";
import start from "../../../examples/start/start.ts";
import { Buckets } from "./buckets.ts";

/** An example operator, and how it is simulated. */
export interface SimulatedExample {
  readonly name: string;
  readonly program: SimulatedProgram;
  readonly options: SimulateOptions;
  /** Whether the program has Operands: a history takes about ten times as long. */
  readonly hasOperands?: boolean;
}

/** The manifests of an Operand are those of its user: the server validates them, and the status reports a refusal. */
const ANY_MANIFESTS = { ignore: ["child-refused"] } as const;
const API_VERSION = "examples.levelset.dev/v1beta1";

/** All example operators. */
export const EXAMPLES: readonly SimulatedExample[] = [
  { name: "01-simple", program: simple, options: { samples: sampleOf("01-simple") } },
  { name: "02-rwexternal", program: rwexternal, options: { samples: sampleOf("02-rwexternal") } },
  { name: "03-service-with-db", program: serviceWithDb, options: { samples: sampleOf("03-service-with-db") } },
  {
    name: "04-platform",
    program: platform,
    // A schema cannot restrict the keys of a map such as `settings`: the status reports the refusal.
    options: { samples: sampleOf("04-platform"), ...ANY_MANIFESTS },
    hasOperands: true,
  },
  { name: "05-signet", program: signet, options: { samples: sampleOf("05-signet") }, hasOperands: true },
  { name: "start", program: start, options: { samples: sampleOf("start"), ...ANY_MANIFESTS }, hasOperands: true },
  { name: "guide/archive", program: archive, options: { samples: archiveSample() } },
  { name: "guide/bucket", program: bucketProgram, options: { samples: [custom("Store", { gigabytes: 5 })] } },
  { name: "guide/dependency", program: dependencyProgram, options: { samples: dependencySample(), kinds: [Store] } },
  { name: "guide/generic-step", program: [shares, ratios], options: {} },
  { name: "guide/shop", program: shops, options: { samples: shopSample() } },
];

function sampleOf(example: string): readonly Manifest[] {
  const file = new URL(`../../../examples/${example}/sample.yaml`, import.meta.url);
  return loadAll(readFileSync(file, "utf8")) as readonly Manifest[]; // `levelset dev --apply` takes the same file
}

function custom(kind: string, spec: Manifest["spec"]): Manifest {
  return { apiVersion: API_VERSION, kind, metadata: { name: "a", namespace: "default" }, spec: spec ?? {} };
}

function secret(name: string, labels: Readonly<Record<string, string>> = {}): Manifest {
  const metadata = { name, namespace: "default", labels };
  return { apiVersion: "v1", kind: "Secret", metadata, stringData: { password: "change-me" } };
}

function archiveSample(): readonly Manifest[] {
  const password = secret("password", { "examples.levelset.dev/archive": "a" });
  return [password, custom("Archive", { image: "registry.example/archive:1" })];
}

function shopSample(): readonly Manifest[] {
  return [secret("shop-password"), custom("Shop", { passwordSecret: "shop-password" })];
}

function bucketProgram(): ReturnType<Extract<SimulatedProgram, () => unknown>> {
  const external = new Buckets();
  return { start: () => stores(external), external };
}

/** A site, and the operator of the Store that it needs. */
function dependencyProgram(): ReturnType<Extract<SimulatedProgram, () => unknown>> {
  const external = new Buckets();
  return { start: () => [sites, stores(external)], external };
}

function dependencySample(): readonly Manifest[] {
  return [custom("Store", { gigabytes: 5 }), custom("Site", { store: "a" })];
}
