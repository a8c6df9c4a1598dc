import type { StoriesDocument, StoryDocument } from "../../api/index.ts";

/** A story as its file contains it, without the limits of a page. */
export type RecordedStory = Omit<StoryDocument, "differencesLeft" | "eventsLeft">;

/** Recorded failures of the simulations of a project. They may change between queries. */
export interface Stories {
  /** Returns a limited number of stories, the newest first. */
  list(signal: AbortSignal): Promise<StoriesDocument>;
  /** Returns a story. Throws an InputError if there is none of this name, or if its file is not valid. */
  read(name: string, signal: AbortSignal): Promise<RecordedStory>;
}
