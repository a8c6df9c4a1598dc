import { isPosted } from "./dev-adapters.ts";
import type { Shell } from "../shell.ts";
import type { DevFleet } from "./dev-fleet.ts";

type Shown = Pick<DevFleet, "config" | "posts" | "isSimulated" | "url">;

/** Who does the work of a fleet's adapters, for people. */
export function adaptersText({ config, posts, isSimulated }: Omit<Shown, "url">): string {
  const types = [...new Set(posts.map(({ resourceType }) => resourceType))];
  const real = types.map((type) => {
    const names = posts.filter(({ resourceType }) => resourceType === type).map(({ adapter }) => adapter);
    return `${names.join(", ")} of ${type}`;
  });
  const isComplete = config.kinds.all.every(({ plural, requiredAdapters }) => {
    return requiredAdapters.every((adapter) => isPosted(posts, plural, adapter));
  });
  if (isComplete) return real.join("; ");
  const others = isSimulated ? "simulated" : "none: resources wait for reports";
  return real.length === 0 ? others : `${real.join("; ")}; others ${others}`;
}

/** What to try with a fleet: a label and a command on each line. Where LEVELSET_FLEET_URL names another fleet, the commands name this one. */
export function fleetSuggestions({ config, posts, isSimulated, url }: Shown, env: Shell["env"]): readonly string[] {
  const { all } = config.kinds;
  const kind = all.find(({ requiredAdapters }) => requiredAdapters.length > 0) ?? all[0];
  if (kind === undefined) return [];
  const word = kind.kind.toLowerCase();
  const missing = kind.requiredAdapters.find((adapter) => !isPosted(posts, kind.plural, adapter));
  // A simulated adapter fails when the spec says so; simulated workloads cannot pull an image with this tag.
  const flaw = missing === undefined ? "version=does-not-exist" : `fail=${missing}`;
  const isHeard = missing === undefined || isSimulated;
  const { LEVELSET_FLEET_URL: named = "" } = env;
  const fleet = named === "" || named === url ? "" : ` --fleet ${url}`;
  return [
    `  create   npx levelset create ${word} eu-1 --set region=eu${fleet}`,
    `  watch    npx levelset get ${kind.plural} -w${fleet}`,
    ...(isHeard
      ? [
          `  change   npx levelset edit ${word} eu-1 --set region=us${fleet}`,
          `  break    npx levelset edit ${word} eu-1 --set ${flaw}${fleet}`,
        ]
      : [`  report   npx levelset fleet report ${word}/eu-1 ${missing}${fleet}`]),
    `  ask why  npx levelset why ${word}/eu-1${fleet}`,
    `  delete   npx levelset delete ${word} eu-1${fleet}`,
  ];
}
