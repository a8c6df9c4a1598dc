import { Fragment } from "preact";
import type { JSX } from "preact";
import type { StoryDifference, StoryDocument } from "../../api/index.ts";
import { CopyCommand } from "../component/copy-command.tsx";
import { Age, Badge, Section, UntrustedText } from "../component/components.tsx";
import { StoryTimeline } from "../component/story-timeline.tsx";
import { formatCount } from "../format.ts";

/** A recorded failure of a simulation: the violated rule, what happened, and the differences. */
export function StoryView({ document: story }: { readonly document: StoryDocument }): JSX.Element {
  const { rule, object, check, seed, file, writtenAt, message, expected, command } = story;
  return (
    <article class="object">
      <header class="banner bad">
        <h1>
          {rule} {object === undefined ? null : <UntrustedText class="kind" text={object} />}
        </h1>
        <p>
          <Badge state="failed" word="violated" />
          <span class="aside">{`${check}, seed ${seed}`}</span>
          <span class="aside">
            simulation of <UntrustedText text={file} />
          </span>
          <span class="aside">
            recorded <Age time={writtenAt} word=" ago" />
          </span>
        </p>
        <dl class="facts">
          <dt>Found</dt>
          <dd>
            <UntrustedText text={message} />
          </dd>
          <dt>Expected</dt>
          <dd>
            <UntrustedText text={expected} />
          </dd>
          <dt>Replay</dt>
          <dd>
            <CopyCommand command={command} />
          </dd>
        </dl>
      </header>
      <Section
        title="What happened"
        note={story.isFaultless ? "without injected faults; times are virtual" : "times are virtual"}
      >
        <Events story={story} />
      </Section>
      {story.why === undefined ? null : (
        <Section title="What levelset why says" note="when the rule is violated">
          <pre class="story-why" tabIndex={0}>
            {story.why.map((line, index) => (
              <Fragment key={index}>
                <UntrustedText text={line} />
                {"\n"}
              </Fragment>
            ))}
          </pre>
        </Section>
      )}
      {story.differences.length === 0 ? null : (
        <Section title="Differences" note="between the end of this history and the expected one">
          <Differences differences={story.differences} left={story.differencesLeft} />
        </Section>
      )}
    </article>
  );
}

function Events({ story: { events, eventsLeft } }: { readonly story: StoryDocument }): JSX.Element {
  if (events === undefined) {
    return (
      <p class="empty">
        The file has no events: an earlier version of levelset recorded it. Replay it, or simulate the seed again.
      </p>
    );
  }
  return (
    <>
      <StoryTimeline events={events} />
      {eventsLeft === 0 ? null : <p class="aside">{`and ${formatCount(eventsLeft, "more event")}`}</p>}
    </>
  );
}

function Differences({
  differences,
  left,
}: {
  readonly differences: readonly StoryDifference[];
  readonly left: number;
}): JSX.Element {
  return (
    <>
      <table class="stacked differences">
        <thead>
          <tr>
            <th scope="col">Object</th>
            <th scope="col">Field</th>
            <th scope="col">Expected</th>
            <th scope="col">Found</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ object, path, expected, found }, index) => (
            <tr key={index}>
              <td>
                <UntrustedText text={object} />
              </td>
              <td>
                <code>
                  <UntrustedText text={path === "" ? "(the object)" : path} />
                </code>
              </td>
              <td data-label="expected">
                <Value text={expected} tone="good" />
              </td>
              <td data-label="found">
                <Value text={found} tone="bad" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {left === 0 ? null : <p class="aside">{`and ${formatCount(left, "more difference")}`}</p>}
    </>
  );
}

function Value({ text, tone }: { readonly text: string | undefined; readonly tone: "good" | "bad" }): JSX.Element {
  if (text === undefined) return <span class="aside">absent</span>;
  return (
    <code class={`value ${tone}`}>
      <UntrustedText text={text} />
    </code>
  );
}
