import { readFileSync } from "node:fs";
import { createRequire, registerHooks, stripTypeScriptTypes } from "node:module";
import type { LoadFnOutput, LoadHookContext, ResolveFnOutput, ResolveHookContext } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

type NextResolve = (specifier: string, context: ResolveHookContext) => ResolveFnOutput;
type NextLoad = (url: string, context: LoadHookContext) => LoadFnOutput;

/** Query of the modules of one evaluation. Node evaluates modules with different queries separately. */
const QUERY = /\?levelset-process=\d+$/u;
const ANY_QUERY = /\?levelset-process=\d+/gu;
const ENTRY = /\/levelset-process-(\d+)\.mjs$/u;
const OWN_SPECIFIER = /^(?:\.{1,2}\/|\/|#|file:)/u;
/** Data and native code, which hold no state of their own. */
const DATA = /\.(?:json|node|wasm)$/u;

/**
 * Evaluates the modules of a user's program anew for each simulated process, because module-level state must not
 * survive a restart. Only files that are imported by path are evaluated anew: packages are shared.
 */
export class FreshModules {
  readonly #program: string;
  readonly #require: NodeJS.Require;
  readonly #sources = new Map<string, LoadFnOutput>();
  /** URLs of CommonJS files, which Node caches without their query. */
  readonly #commonjs = new Set<string>();
  #count = 0;

  /** `path` is the file with the default export. Installs hooks for the rest of the process. */
  constructor(path: string) {
    this.#program = pathToFileURL(path).href;
    this.#require = createRequire(this.#program);
    registerHooks({
      resolve: (specifier, context, next) => this.#resolve(specifier, context, next),
      load: (url, context, next) => this.#load(url, context, next),
    });
  }

  /** The number of evaluations so far. */
  get count(): number {
    return this.#count;
  }

  /** Evaluates the program and returns its default export. Throws if a module uses top-level await. */
  evaluate(): unknown {
    this.#count += 1;
    for (const url of this.#commonjs) delete this.#require.cache[fileURLToPath(url)];
    // `require` loads ES modules synchronously, as a process start inside a simulated world needs it.
    const module: unknown = this.#require(`./levelset-process-${this.#count}.mjs`);
    return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
  }

  #resolve(specifier: string, context: ResolveHookContext, next: NextResolve): ResolveFnOutput {
    const { parentURL = "" } = context;
    if (parentURL === this.#program && ENTRY.test(specifier)) {
      return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
    }
    const number = ENTRY.exec(parentURL)?.[1];
    if (number !== undefined) {
      return { ...next(specifier, context), url: `${this.#program}?levelset-process=${number}`, shortCircuit: true };
    }
    const found = next(specifier, context);
    if (!isOwnFile(specifier, found.url)) return found;
    if (this.#commonjs.has(parentURL)) this.#commonjs.add(found.url);
    const query = QUERY.exec(parentURL)?.[0];
    return query === undefined ? found : { ...found, url: `${found.url}${query}` };
  }

  #load(url: string, context: LoadHookContext, next: NextLoad): LoadFnOutput {
    if (ENTRY.test(url)) {
      // Not `export { default } from`, which throws if there is none.
      const source = `import * as program from ${JSON.stringify(this.#program)}; export default program.default;`;
      return { format: "module", source, shortCircuit: true };
    }
    if (!QUERY.test(url)) return next(url, context);
    const plain = url.replace(QUERY, "");
    const known = this.#sources.get(plain) ?? prepared(next(url, context), plain);
    this.#sources.set(plain, known);
    if (known.format?.startsWith("commonjs") === true) this.#commonjs.add(plain);
    return { ...known, shortCircuit: true };
  }
}

/** Removes the marks of evaluations from a text, so that it does not depend on their number. */
export function withoutProcessMarks(text: string): string {
  return text.replaceAll(ANY_QUERY, "");
}

function isOwnFile(specifier: string, url: string): boolean {
  return OWN_SPECIFIER.test(specifier) && url.startsWith("file:") && !url.includes("/node_modules/") && !DATA.test(url);
}

/** Returns a loaded module without its types, which Node would strip at each evaluation. */
function prepared(loaded: LoadFnOutput, url: string): LoadFnOutput {
  if (loaded.format !== "module-typescript") return loaded;
  try {
    return { format: "module", source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8")) };
  } catch {
    return loaded; // Node reports what is wrong with the source
  }
}
