import type { JSX } from "preact";
import type { StoriesDocument, StoryRow } from "../../api/index.ts";
import { Age, Link, Section, UntrustedText } from "../component/components.tsx";

/** The recorded failures of simulations, the newest first. */
export function StoriesView({ document: page }: { readonly document: StoriesDocument }): JSX.Element {
  const { directory, stories, left, unreadable } = page;
  const count = (stories.length + left).toLocaleString("en");
  return (
    <div class="stack">
      <Section title="Failures" note={stories.length === 0 ? "" : `${count} in ${directory}, the newest first`}>
        {stories.length === 0 ? <Empty directory={directory} /> : <Stories stories={stories} />}
        {left === 0 ? null : <p class="aside">{`${left.toLocaleString("en")} older ones are not listed`}</p>}
      </Section>
      {unreadable.length === 0 ? null : (
        <Section title="Unreadable files">
          <ul class="items">
            {unreadable.map(({ name, message }) => (
              <li key={name}>
                <UntrustedText text={message} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

function Empty({ directory }: { readonly directory: string }): JSX.Element {
  return (
    <p class="empty">
      No failures in {directory}. Find bugs of an operator with <code>levelset simulate src/operator.ts</code>: the
      story of each failure appears here.
    </p>
  );
}

function Stories({ stories }: { readonly stories: readonly StoryRow[] }): JSX.Element {
  return (
    <table class="stacked stories">
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Object</th>
          <th scope="col">Seed</th>
          <th scope="col">Program</th>
          <th scope="col" class="right">
            Written
          </th>
        </tr>
      </thead>
      <tbody>
        {stories.map(({ name, rule, object, message, seed, file, writtenAt }) => (
          <tr key={name}>
            <td>
              <Link to={{ view: "simulation", name }} class="row-link">
                {rule}
              </Link>
              <UntrustedText class="found" text={message} />
            </td>
            <td>
              <UntrustedText text={object ?? ""} />
            </td>
            <td data-label="seed">{seed}</td>
            <td>
              <UntrustedText text={file} />
            </td>
            <td class="right">
              <Age time={writtenAt} word=" ago" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
