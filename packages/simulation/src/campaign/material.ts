import { apiVersionOf, InputError } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { sampleObject, seededRandom } from "@levelset/core/testing";
import type { ApiObject } from "@levelset/apiserver";
import { formatId, idKey, idOf } from "../history/index.ts";
import type { HistoryMaterial, Manifest, Sample } from "../history/index.ts";
import { learnNoise, observeSample } from "../run/index.ts";
import type { Knowledge, ObservedSample } from "../run/index.ts";
import { OTHER_NAMESPACE } from "../subject/index.ts";
import type { Subject } from "../subject/index.ts";

/** How many objects are drawn from the schema of a kind to find one that becomes ready. */
const DRAWS = 12;
/** How many of them are used. */
const SAMPLES_MAX = 4;
const NO_PROPERTIES = { always: {}, eventually: {} };

/** What histories are made of, and what is known from the samples. */
export interface PreparedMaterial {
  readonly material: HistoryMaterial;
  readonly knowledge: Knowledge;
  /** Kinds none of whose samples became ready. Most rules need an object that is ready. */
  readonly neverReady: readonly string[];
}

interface Candidate extends ObservedSample {
  readonly sample: Sample;
}

/** Prepares samples: those of the user, or objects drawn from the schemas, ready ones first. */
export async function prepareMaterial(
  subject: Subject,
  samples: readonly Manifest[],
  options: { readonly hasLongNames: boolean },
): Promise<PreparedMaterial> {
  const manifests = samples.map((object) => withNamespace(object, subject));
  const inputs = manifests.filter((object) => !subject.isRootKind(object));
  const used: Candidate[] = [];
  const neverReady: string[] = [];
  for (const kind of subject.roots) {
    const given = manifests.filter((object) => object.kind === kind.kind && object.apiVersion === apiVersionOf(kind));
    const roots = given.length > 0 ? firstVersions(given) : drawn(kind);
    const others = firstVersions(manifests.filter((object) => subject.isRootKind(object) && object.kind !== kind.kind));
    const observed = await observeAll(subject, roots, inputs, others);
    if (given.length > 0) observed.forEach(checkAccepted);
    const candidates = observed.map((each) => withVersions(each, given));
    const ready = candidates.filter(({ isReady }) => isReady);
    if (ready.length === 0) neverReady.push(kind.kind);
    used.push(...(given.length > 0 ? candidates : (ready.length > 0 ? ready : candidates).slice(0, SAMPLES_MAX)));
  }
  const [first] = used;
  if (first === undefined)
    throw new InputError("there is no object to simulate: the program reconciles no kind of its own");
  const noise = await Promise.all(
    used
      .slice(0, SAMPLES_MAX)
      .map(({ history, run }) => learnNoise(history, run, 1, { subject, properties: NO_PROPERTIES })),
  );
  return {
    material: {
      samples: used.map(({ sample }) => sample),
      kinds: subject.kinds,
      // An object of a kind of the program is one of its custom resources, also if another client creates it.
      children: first.children
        .filter((object) => !subject.isRootKind(object) && subject.isServed(object))
        .map(templateOf),
      otherNamespace: OTHER_NAMESPACE,
      ...options,
    },
    knowledge: {
      noise: new Set(noise.flat()),
      isGated: used.some(({ run }) => run.isGated === true) && used.every(({ run }) => run.isGated !== false),
      secrets: [...inputs, ...used.flatMap(({ children }) => children.map(templateOf))].filter(
        ({ kind }) => kind === "Secret",
      ),
    },
    neverReady,
  };
}

/** Throws an InputError if the server refuses an object of a sample. */
function checkAccepted({ history, run }: ObservedSample): void {
  for (const [index, message] of run.refused) {
    const operation = history.operations[index];
    if (operation?.do !== "create") continue;
    throw new InputError(`the server refuses the sample ${formatId(idOf(operation.object))}: ${message}`, {
      hint: "correct the sample, or remove it",
    });
  }
}

/** Returns the first version of each object. */
function firstVersions(given: readonly Manifest[]): readonly Manifest[] {
  return [...Map.groupBy(given, (object) => idKey(idOf(object))).values()].flatMap((versions) => versions.slice(0, 1));
}

function withVersions(candidate: Candidate, given: readonly Manifest[]): Candidate {
  const { root } = candidate.sample;
  const versions = given.filter((object) => object !== root && idKey(idOf(object)) === idKey(idOf(root)));
  return { ...candidate, sample: { ...candidate.sample, versions } };
}

/** Creates each root with its inputs. One that needs the custom resources of other kinds, too, gets them as inputs. */
async function observeAll(
  subject: Subject,
  roots: readonly Manifest[],
  inputs: readonly Manifest[],
  others: readonly Manifest[],
): Promise<readonly Candidate[]> {
  const observed: Candidate[] = [];
  for (const root of roots) {
    const sample = { root, inputs };
    const alone = { sample, ...(await observeSample(subject, sample)) };
    const dependent = { root, inputs: [...inputs, ...others] };
    const isEnough = alone.isReady || others.length === 0;
    const together = isEnough ? alone : { sample: dependent, ...(await observeSample(subject, dependent)) };
    observed.push(together.isReady ? together : alone);
    if (observed.filter(({ isReady }) => isReady).length === SAMPLES_MAX) break;
  }
  return observed;
}

function drawn(kind: Subject["roots"][number]): readonly Manifest[] {
  const random = seededRandom(kind.kind.length);
  return Array.from({ length: DRAWS }, () => {
    const { status: _s, ...object } = sampleObject(kind, random);
    return { ...object, metadata: { ...object.metadata, name: "a" } } as Manifest; // a generated object is JSON
  });
}

/** Returns the object in the namespace `default` if it needs one and has none. */
function withNamespace(object: Manifest, subject: Subject): Manifest {
  const { namespace = "default" } = object.metadata;
  return subject.isNamespaced(object) ? { ...object, metadata: { ...object.metadata, namespace } } : object;
}

/** Returns a child as a manifest without owner and server fields. */
function templateOf(object: ApiObject): Manifest {
  const { apiVersion, kind, metadata, status: _s, ...fields } = object;
  const { name, namespace, labels } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...(labels === undefined ? {} : { labels }) },
    ...(fields as JsonObject), // a stored object is JSON
  };
}
