import { stringifyJson } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { resourceApiVersion } from "../registry/index.ts";
import type { Resource, View } from "../registry/index.ts";
import type { Format } from "./accept.ts";
import { tableColumns } from "./columns.ts";

/** What a list says besides its items. */
export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Writes objects in the form that the client asked for. */
export interface Presenter {
  one(view: View): string;
  list(views: readonly View[], meta: ListMeta): string;
  /** The object inside a watch event. */
  event(view: View): string;
  /** The object inside a BOOKMARK: nothing but a revision. */
  bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>): string;
}

/** What a presenter needs to know. */
export interface PresenterOptions {
  readonly format: Format;
  readonly resource: Resource;
  /** The includeObject parameter of table requests. */
  readonly includeObject: string;
  readonly clock: Clock;
}

/** The presenter for a request. */
export function presenterOf(options: PresenterOptions): Presenter {
  switch (options.format.kind) {
    case "object":
      return objectPresenter(options.resource);
    case "partial":
      return partialPresenter();
    case "table":
      return tablePresenter(options, options.format.version);
  }
}

function objectPresenter(resource: Resource): Presenter {
  const apiVersion = resourceApiVersion(resource);
  const head = stringifyJson({ kind: resource.listKind, apiVersion }).slice(0, -1);
  return {
    one: (view) => view.json,
    // Items are joined from the text that was encoded when they were written.
    list: (views, meta) => {
      const items = views.map((view) => view.json).join(",");
      return `${head},"metadata":${stringifyJson(meta)},"items":[${items}]}`;
    },
    event: (view) => view.json,
    bookmark: (resourceVersion, annotations) =>
      stringifyJson({ kind: resource.kind, apiVersion, metadata: bookmarkMeta(resourceVersion, annotations) }),
  };
}

function bookmarkMeta(resourceVersion: string, annotations?: Readonly<Record<string, string>>): unknown {
  return { resourceVersion, creationTimestamp: null, ...(annotations === undefined ? {} : { annotations }) };
}

const META_API = "meta.k8s.io/v1";

function partial(view: View, apiVersion = META_API): unknown {
  return { kind: "PartialObjectMetadata", apiVersion, metadata: view.object.metadata };
}

function partialPresenter(): Presenter {
  const one = (view: View): string => stringifyJson(partial(view));
  return {
    one,
    event: one,
    list: (views, metadata) =>
      stringifyJson({
        kind: "PartialObjectMetadataList",
        apiVersion: META_API,
        metadata,
        items: views.map((view) => partial(view)),
      }),
    bookmark: (resourceVersion, annotations) =>
      stringifyJson({
        kind: "PartialObjectMetadata",
        apiVersion: META_API,
        metadata: bookmarkMeta(resourceVersion, annotations),
      }),
  };
}

function tablePresenter(options: PresenterOptions, version: "v1" | "v1beta1"): Presenter {
  const apiVersion = `meta.k8s.io/${version}`;
  const columns = tableColumns(options.resource);
  const columnDefinitions = columns.map(({ definition }) => definition);
  // After the first event of a watch the heads are known.
  let isHeadSent = false;
  const row = (view: View): unknown => ({
    cells: columns.map((column) => column.cell(view.object, options.clock.now())),
    ...rowObject(view, options.includeObject, apiVersion),
  });
  const table = (views: readonly View[], metadata: unknown, withHead: boolean): string =>
    stringifyJson({
      kind: "Table",
      apiVersion,
      metadata,
      ...(withHead ? { columnDefinitions } : { columnDefinitions: null }),
      rows: views.map(row),
    });
  const metaOf = (view: View): ListMeta => ({ resourceVersion: view.object.metadata.resourceVersion });
  return {
    one: (view) => table([view], metaOf(view), true),
    list: (views, meta) => table(views, meta, true),
    event: (view) => {
      const withHead = !isHeadSent;
      isHeadSent = true;
      return table([view], metaOf(view), withHead);
    },
    // As the real server does it, the bookmark is the object of an otherwise empty row.
    bookmark: (resourceVersion, annotations) =>
      stringifyJson({
        kind: "Table",
        apiVersion,
        metadata: { resourceVersion },
        columnDefinitions: null,
        rows: [
          {
            cells: columns.map(() => null),
            object: {
              kind: "PartialObjectMetadata",
              apiVersion,
              metadata: bookmarkMeta(resourceVersion, annotations),
            },
          },
        ],
      }),
  };
}

function rowObject(view: View, includeObject: string, apiVersion: string): { readonly object?: unknown } {
  if (includeObject === "None") return {};
  return { object: includeObject === "Object" ? view.object : partial(view, apiVersion) };
}
