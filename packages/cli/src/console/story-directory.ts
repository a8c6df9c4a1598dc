import { lstat, opendir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isStoryName } from "@levelset/console";
import type { RecordedStory, Stories, StoriesDocument, StoryRow } from "@levelset/console";
import { InputError } from "@levelset/core";
import { LruCache, mapConcurrent, toError } from "@levelset/core/internal";
import { parseStoryFile } from "@levelset/simulation/internal";
import type { StoryFile } from "@levelset/simulation/internal";
import { STORY_DIRECTORY } from "../simulate/index.ts";
import { recordedStory, storyRow } from "./recorded-story.ts";

/** Maximum number of directory entries that are read. */
const ENTRIES_MAX = 5_000;
/** Maximum number of listed stories. */
const STORIES_MAX = 100;
/** Maximum number of files that are reported as unreadable. */
const UNREADABLE_MAX = 10;
/** Maximum size of a story file. The largest real ones have some 100 kB. */
const BYTES_MAX = 2 * 1024 * 1024;
/** Maximum number of files that are read at the same time. */
const CONCURRENT_MAX = 4;
/** Maximum number of complete stories in memory: those of open pages. */
const OPEN_MAX = 8;

/** A story file, before it is read. */
interface StoryEntry {
  readonly name: string;
  readonly writtenMs: number;
  readonly bytes: number;
  /** Changes when the file is written. */
  readonly version: string;
}

/** The row of a story file, or the reason why it has none. */
type ListedFile = { readonly row: StoryRow } | { readonly message: string };

/** The story files that `levelset simulate` has written in a directory. Unchanged files are not read again. */
export class StoryDirectory implements Stories {
  readonly #path: string;
  readonly #listed = new LruCache<string, ListedFile>(2 * STORIES_MAX);
  readonly #open = new LruCache<string, RecordedStory>(OPEN_MAX);

  constructor(cwd: string) {
    this.#path = resolve(cwd, STORY_DIRECTORY);
  }

  async list(): Promise<StoriesDocument> {
    const entries = (await this.#entries()).toSorted((a, b) => b.writtenMs - a.writtenMs);
    const newest = entries.slice(0, STORIES_MAX);
    const files = await mapConcurrent(newest, (entry) => this.#listedFile(entry), CONCURRENT_MAX);
    return {
      directory: STORY_DIRECTORY,
      stories: files.flatMap((file) => ("row" in file ? [file.row] : [])),
      left: entries.length - newest.length,
      unreadable: newest
        .flatMap(({ name }, index) => {
          const file = files[index];
          return file !== undefined && "message" in file ? [{ name, message: file.message }] : [];
        })
        .slice(0, UNREADABLE_MAX),
    };
  }

  async read(name: string): Promise<RecordedStory> {
    const entry = isStoryName(name) ? await this.#entry(name) : undefined;
    if (entry === undefined) {
      const hint = "it was deleted: simulate its seed again, or open another story";
      throw new InputError(`${pathOf(name)} does not exist`, { hint });
    }
    const known = this.#open.get(entry.version);
    if (known !== undefined) return known;
    const story = recordedStory(await this.#story(entry), entry);
    this.#open.set(entry.version, story);
    return story;
  }

  async #listedFile(entry: StoryEntry): Promise<ListedFile> {
    const known = this.#listed.get(entry.version);
    if (known !== undefined) return known;
    const file = await this.#story(entry).then(
      (story): ListedFile => ({ row: storyRow(story, entry) }),
      (error: unknown): ListedFile => ({ message: toError(error).message }),
    );
    this.#listed.set(entry.version, file);
    return file;
  }

  /** Reads a story. Throws an InputError if the file is none. */
  async #story({ name, bytes }: StoryEntry): Promise<StoryFile> {
    const shown = pathOf(name);
    if (bytes > BYTES_MAX) throw new InputError(`${shown} is larger than ${BYTES_MAX / 1024 / 1024} MiB`);
    const text = await readFile(join(this.#path, `${name}.json`), "utf8").catch((error: unknown) => {
      throw new InputError(`cannot read ${shown}: ${toError(error).message}`);
    });
    return parseStoryFile(text, shown);
  }

  async #entries(): Promise<readonly StoryEntry[]> {
    const names = await this.#names();
    const entries = await mapConcurrent(names, (name) => this.#entry(name));
    return entries.filter((entry) => entry !== undefined);
  }

  /** Returns the names of the files that may be stories. */
  async #names(): Promise<readonly string[]> {
    const names: string[] = [];
    try {
      for await (const { name } of await opendir(this.#path)) {
        const story = name.endsWith(".json") ? name.slice(0, -".json".length) : "";
        if (isStoryName(story)) names.push(story);
        if (names.length >= ENTRIES_MAX) break;
      }
    } catch (error) {
      if (isMissing(error)) return []; // no failure was recorded yet
      throw new InputError(`cannot read ${STORY_DIRECTORY}: ${toError(error).message}`);
    }
    return names;
  }

  /** Returns the entry of a name; undefined if there is no regular file. Symbolic links are not followed. */
  async #entry(name: string): Promise<StoryEntry | undefined> {
    try {
      const found = await lstat(join(this.#path, `${name}.json`));
      if (!found.isFile()) return undefined;
      const { mtimeMs, size, ino } = found;
      return { name, writtenMs: mtimeMs, bytes: size, version: [name, mtimeMs, size, ino].join(" ") };
    } catch (error) {
      if (isMissing(error)) return undefined; // deleted since the directory was read
      throw new InputError(`cannot read ${pathOf(name)}: ${toError(error).message}`);
    }
  }
}

function pathOf(name: string): string {
  return join(STORY_DIRECTORY, `${name}.json`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
