import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError, isJsonObject, toError } from "@levelset/core";
import type { WireResource } from "@levelset/fleet/client";
import { parseDocuments } from "../documents.ts";
import type { Shell } from "../shell.ts";
import { formatYaml } from "../yaml.ts";
import type { Declared } from "./declaration-flags.ts";
import { resourceWord } from "./resource-word.ts";

/** A declaration in a file of its own, for an editor. The file goes with it, unless it is kept. */
export class Draft implements AsyncDisposable {
  readonly path: string;
  readonly #directory: string;
  #isKept = false;

  private constructor(directory: string) {
    this.#directory = directory;
    this.path = join(directory, "resource.yaml");
  }

  /** Writes what is declared now. */
  static async open(resource: WireResource, declared: Declared): Promise<Draft> {
    // A spec may hold what only its owner should read: the directory is closed to others.
    const draft = new Draft(await mkdtemp(join(tmpdir(), "levelset-edit-")));
    const word = resourceWord(resource);
    const head = `# ${word}, generation ${resource.generation}. What you save replaces spec, labels and references;\n# an unchanged or empty file changes nothing.\n`;
    await writeFile(draft.path, head + formatYaml([declared]), { mode: 0o600 });
    return draft;
  }

  /** Resolves when the editor has ended. */
  async edit({ env, cwd }: Shell): Promise<void> {
    const editor = [env["VISUAL"], env["EDITOR"]].find((word) => word !== undefined && word !== "") ?? "vi";
    // As other tools do: the variable may hold options, so a shell takes it apart.
    const child = spawn(`${editor} "${this.path}"`, { cwd, shell: true, stdio: "inherit" });
    const [code]: readonly unknown[] = await once(child, "exit");
    if (code !== 0)
      throw new InputError(`the editor ${JSON.stringify(editor)} failed; nothing was changed`, {
        hint: "set VISUAL or EDITOR",
      });
  }

  /** What was written. */
  async read(): Promise<Declared> {
    const [only] = parseDocuments(await readFile(this.path, "utf8"), this.path);
    const { document } = only ?? {};
    if (document === undefined) throw new InputError("the file is empty; nothing was changed");
    if (!isJsonObject(document) || !isJsonObject(document["spec"])) throw new InputError("spec: must be an object");
    const unknown = Object.keys(document).find((key) => !["spec", "labels", "references"].includes(key));
    if (unknown !== undefined) throw new InputError(`${unknown}: only spec, labels and references can be changed`);
    // The API says what is wrong with the rest.
    return document as unknown as Declared;
  }

  /** Does something with what was written. If that fails the file stays, and the error says where: no work of anybody is lost. */
  async keptOnFailure<Out>(work: () => Promise<Out>): Promise<Out> {
    try {
      return await work();
    } catch (thrown) {
      this.#isKept = true;
      const error = toError(thrown);
      const hints = [`your text is kept in ${this.path}`, ...(error instanceof InputError ? [error.hint] : [])];
      const hint = hints.filter((each) => each !== undefined).join("; ");
      throw new InputError(error.message, { hint, cause: error });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isKept) await rm(this.#directory, { recursive: true, force: true });
  }
}
